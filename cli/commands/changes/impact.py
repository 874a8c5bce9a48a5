"""`rulelang impact RULES LOGS…`: the impact of other rules on a folder of logs."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import attrs
import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, OneOf, complete_game
from ...console import print_table
from ...exits import INTERRUPTED, Refused, Unreadable
from ...logbook import game_under, in_force, log_files
from .portions import portions

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.errors import LogError
    from rulelang.log.reading import ReadLog
    from rulelang.workbench.changes.edits import Edits
    from rulelang.workbench.impact import Summary

    from .impact_cache import ImpactCache
    from .portions import Portion

Records = list[dict[str, Any]]

PIECE = 5_000
"""The number of rows that are held before they are written."""

IN_FLIGHT = 8
"""The most portions for each process whose results are not read yet, so that memory does not grow with the logs."""
MOST_HELD = 2**26
"""The most bytes of text in portions whose results are not read yet."""


@click.command("impact")
@click.argument("rules", shell_complete=complete_game)
@click.argument("logs", nargs=-1, required=True, type=FilePath())
@click.option("--policy", type=OneOf(["stop", "skip", "nearest", "bot"]), default="nearest", show_default=True)
@click.option(
    "--bots", metavar="BOT", help="With --policy bot: who chooses.  [default: greedy, random without a score]"
)
@click.option("--jobs", type=click.IntRange(1, 64), help="Logs that are played at once.  [default: one a core]")
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
@click.option("--html", type=FilePath(), metavar="FILE", help="Write one page with plots, which needs nothing else.")
@click.option("--parquet", type=FilePath(), metavar="FILE", help="Write a row a log (needs the extra `parquet`).")
@click.option("--fresh", is_flag=True, help="Play all of it, also what was played before an interrupt.")
def command(
    *,
    rules: str,
    logs: tuple[Path, ...],
    policy: str,
    bots: str | None,
    jobs: int | None,
    as_json: bool,
    html: Path | None,
    parquet: Path | None,
    fresh: bool,
) -> None:
    """Play LOGS (files and folders) by other RULES, and say how many games stay as they were, and what changes the rest.

    RULES are a variant of the logs' game, a game, or a file. What was done is kept: after Ctrl-C the same command goes on
    where it was.

    \b
    Examples:
      rulelang impact hungry played/
      rulelang impact outspeed+sprint played/*.jsonl --html sprint.html
    """
    from rulelang.disk import check_folder, replace
    from rulelang.workbench.impact import Impact, Summary
    from rulelang.workbench.impact_page import page

    from ...seats import bot_called
    from .impact_cache import ImpactCache

    if bots is not None:
        bot_called(bots)
    for file in (html, parquet):
        if file is not None:
            check_folder(file.absolute().parent)
    paths = log_files(logs)
    length = sum(path.stat().st_size for path in paths)
    _check_rules(paths, rules)
    kept = ImpactCache(rules, (policy, bots), fresh=fresh)
    summary, is_stopped = Summary(), False
    results = _all(portions(paths), partial(_one, rules, policy, bots), kept, jobs or os.cpu_count() or 1)
    with (
        _Rows(parquet) as rows,
        click.progressbar(length=length, label="Logs", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar,
        closing(results),
    ):
        try:
            for portion, records in results:
                for name, record in _named(portion, records):
                    summary.add(name, Impact.of(record))
                    rows.add({"log": name, **record})
                bar.update(portion.share)
        except KeyboardInterrupt:
            is_stopped = True
            click.echo(f"Stopped after {_logs(summary.logs)}; the same command goes on from there.", err=True)
    if html is not None:
        replace(html, page(f"What {rules} changes", summary).encode())
    record = {"rules": rules, "policy": policy, **summary.record()}
    click.echo(json.dumps(record, indent=2)) if as_json else _print(summary, rules)
    if is_stopped:
        sys.exit(INTERRUPTED)


def _check_rules(paths: tuple[Path, ...], rules: str) -> None:
    """Raises Refused, with the reason, if the rules cannot be loaded for any log, or no log can be read."""
    from rulelang.errors import LogError
    from rulelang.log.reading import read_text

    seen: dict[tuple[str, ...], Refused] = {}
    unread: LogError | None = None
    for portion in portions(paths):
        for text in portion.texts:
            log = read_text(text) if isinstance(text, bytes) else text
            if isinstance(log, LogError):
                unread = unread or log
                continue
            played_by = (log.header.game, *log.header.variants)
            if played_by in seen:
                continue
            try:
                game_under(log.header, rules)
            except Refused as refused:
                seen[played_by] = refused
            else:
                return
    for reason in seen.values():
        raise reason
    if unread is not None:
        raise Unreadable(f"none of these logs can be read: {paths[0]}: {unread}")


def _logs(count: int) -> str:
    return f"{count} log{'s' if count != 1 else ''}"


# ------------------------------------------------------------------ playing


def _named(portion: Portion, records: Records) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the impact on each log of a portion, with its file, and its number if there are several."""
    for nth, record in enumerate(records, start=portion.begin + 1):
        yield (str(portion.path) if portion.is_lone else f"{portion.path} --nth {nth}"), record


def _all(
    portions: Iterator[Portion], one: Callable[[Portion], Records], kept: ImpactCache, jobs: int
) -> Generator[tuple[Portion, Records], None, None]:
    """Yields each portion with the records of its logs, in order; portions in the cache are not played again."""
    first = list(islice(portions, 2))
    portions = chain(first, portions)
    if jobs > 1 and len(first) == 2:
        yield from _at_once(portions, one, kept, jobs)
        return
    for portion in portions:
        records = kept.get(portion)
        yield portion, kept.put(portion, one(portion)) if records is None else records


def _at_once(
    portions: Iterator[Portion], one: Callable[[Portion], Records], kept: ImpactCache, jobs: int
) -> Iterator[tuple[Portion, Records]]:
    """Yields the same, played by several processes; after an interrupt, running portions are finished and cached."""
    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    waiting: deque[tuple[Portion, Records | Future[Records]]] = deque()

    def next_one() -> tuple[Portion, Records]:
        portion, result = waiting[0]
        records = result if isinstance(result, list) else kept.put(portion, result.result())
        waiting.popleft()
        return portion, records

    try:
        held = 0
        for portion in portions:
            records = kept.get(portion)
            waiting.append((portion, pool.submit(one, portion) if records is None else records))
            held += portion.size
            while waiting and (len(waiting) > jobs * IN_FLIGHT or held > MOST_HELD):
                held -= waiting[0][0].size
                yield next_one()
        while waiting:
            yield next_one()
    finally:
        pool.shutdown(cancel_futures=True)
        for portion, result in waiting:
            if isinstance(result, Future) and not result.cancelled() and result.exception() is None:
                kept.put(portion, result.result())


def _one(rules: str, policy: str, bots: str | None, portion: Portion) -> Records:
    """Returns a record of each log in a portion; that of an unreadable log says why."""
    from rulelang.log.reading import read_text

    return [
        _impact(read_text(text) if isinstance(text, bytes) else text, rules, policy, bots) for text in portion.texts
    ]


def _impact(log: ReadLog | LogError, rules: str, policy: str, bots: str | None) -> dict[str, Any]:
    from rulelang.api import rules_of
    from rulelang.errors import LogError, RulelangError
    from rulelang.workbench.divergence_report import Policy
    from rulelang.workbench.impact import UNREAD, Impact, impact_on

    try:
        if isinstance(log, LogError):
            raise log
        header = log.header
        game, edits = _rules(rules_of(header, rules), "+".join((header.game, *header.variants)))
        return impact_on(log, game, edits, Policy(policy), bots).record()
    except RulelangError as error:
        return Impact(UNREAD, sentence=str(error)[:300]).record()


@cache
def _rules(under: str, own: str) -> tuple[Game, Edits | None]:
    """Loads rules and the edits that lead to them, once in each process."""
    from rulelang import api
    from rulelang.errors import RulelangError
    from rulelang.workbench.changes.edits import Edits

    game = api.load(under)
    if (whole := in_force(game, under)) != under:
        game = api.load(whole)
    try:
        return game, Edits.of(api.load(own), game)
    except RulelangError:
        return game, None


# ------------------------------------------------------------------ output


@attrs.define
class _Rows:
    """The rows for `--parquet`, one for each log, written in pieces; without a path, nothing is written."""

    path: Path | None
    _rows: Records = attrs.field(factory=list)
    _writer: Any = None

    def __enter__(self) -> Self:
        if self.path is not None:
            try:
                import pyarrow.parquet
            except ImportError:
                raise Refused("Parquet needs pyarrow: pip install 'rulelang[parquet]'") from None
            self._writer = pyarrow.parquet.ParquetWriter(self.path, self._schema())
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._flush()
            self._writer.close()

    def add(self, row: dict[str, Any]) -> None:
        """Adds a row, and writes the waiting rows once there are PIECE of them."""
        if self._writer is not None:
            self._rows.append(row)
            if len(self._rows) == PIECE:
                self._flush()

    def _flush(self) -> None:
        import pyarrow

        self._writer.write_table(pyarrow.Table.from_pylist(self._rows, self._schema()))
        self._rows.clear()

    @staticmethod
    def _schema() -> Any:
        import pyarrow

        text, whole = pyarrow.string(), pyarrow.int64()
        columns = {"log": text, "verdict": text, "level": text, "because": text, "clauses": pyarrow.list_(text)}
        return pyarrow.schema([*{**columns, "sentence": text, "step": whole, "taken": pyarrow.float64()}.items()])


def _print(summary: Summary, rules: str) -> None:
    from rulelang.workbench.impact import VERDICTS

    for name in VERDICTS:
        count = summary.verdicts[name]
        if count:
            click.echo(f"{count:>6}  {100 * count / summary.logs:5.1f} %  {name}")
    for log, reason in summary.unread:
        click.echo(escaped(f"not read: {log}: {reason}"))
    groups = list(summary.groups)
    if groups:
        click.echo()
        titles = ("because of", "logs", "another end", "clauses")
        print_table(titles, [(g.because, str(g.logs), str(g.other_end), ", ".join(g.clauses)) for g in groups])
        click.echo()
        for group in groups[:5]:
            click.echo(escaped(f"{group.because}: {group.sentence}"))
            click.echo(escaped(f"  rulelang replay {group.example} --under {rules}"))
