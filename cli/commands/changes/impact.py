"""`rulelang impact RULES LOGS…`: what other rules do to a folder of games that were played."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import attrs
import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, complete_game
from ...exits import INTERRUPTED, Refused
from ...logbook import log_files
from ..arena import print_table

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.errors import LogError
    from rulelang.log.reading import ReadLog
    from rulelang.workbench.changes.edits import Edits
    from rulelang.workbench.impact import Summary

    from .impact_cache import ImpactCache

Records = list[dict[str, Any]]

PIECE = 5_000
"""Rows that are held before they are written."""

CHUNK = 4
"""Files that a process takes at once."""
IN_FLIGHT = 8
"""Chunks for each process that are handed out before their results are read: memory does not grow with the files."""


@click.command("impact")
@click.argument("rules", shell_complete=complete_game)
@click.argument("logs", nargs=-1, required=True, type=FilePath())
@click.option("--policy", type=click.Choice(["stop", "skip", "nearest", "bot"]), default="nearest", show_default=True)
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
    kept = ImpactCache(rules, (policy, bots), fresh=fresh)
    summary, done = Summary(), 0
    results = _all(paths, partial(_one, rules, policy, bots), kept, jobs or os.cpu_count() or 1)
    with (
        _Rows(parquet) as rows,
        click.progressbar(
            results, length=len(paths), label="Logs", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as bar,
    ):
        try:
            for path, records in bar:
                for name, record in _named(path, records):
                    summary.add(name, Impact.of(record))
                    rows.add({"log": name, **record})
                done += 1
        except KeyboardInterrupt:
            click.echo(f"Stopped after {done} of {len(paths)} files; the same command goes on from there.", err=True)
    if html is not None:
        replace(html, page(f"What {rules} changes", summary).encode())
    if as_json:
        click.echo(json.dumps({"rules": rules, "policy": policy, **summary.record()}, indent=2))
    else:
        _print(summary, rules)
    if done < len(paths):
        sys.exit(INTERRUPTED)


# ------------------------------------------------------------------ playing


def _named(path: Path, records: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the impact on each log of a file, with its name, and its number if there are several."""
    for nth, record in enumerate(records, start=1):
        yield (f"{path} --nth {nth}" if len(records) > 1 else str(path)), record


def _all(
    paths: tuple[Path, ...], one: Callable[[Path], Records], kept: ImpactCache, jobs: int
) -> Iterator[tuple[Path, Records]]:
    """Yields each file with the records of its logs, cached results first."""
    fresh = []
    for path in paths:
        records = kept.get(path)
        if records is None:
            fresh.append(path)
        else:
            yield path, records
    played = map(one, fresh) if jobs == 1 or len(fresh) < 2 else _at_once(fresh, one, jobs)
    for path, records in zip(fresh, played, strict=True):
        yield path, kept.put(path, records)


def _at_once(paths: list[Path], one: Callable[[Path], Records], jobs: int) -> Iterator[Records]:
    """Yields the results of several processes in the order of the files; what was begun is finished after an interrupt."""
    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    chunks = (tuple(paths[at : at + CHUNK]) for at in range(0, len(paths), CHUNK))
    several = partial(_several, one)
    try:
        waiting = deque(pool.submit(several, chunk) for chunk in islice(chunks, jobs * IN_FLIGHT))
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(pool.submit(several, chunk) for chunk in islice(chunks, 1))
    finally:
        pool.shutdown(cancel_futures=True)


def _several(one: Callable[[Path], Records], paths: tuple[Path, ...]) -> list[Records]:
    return [one(path) for path in paths]


def _one(rules: str, policy: str, bots: str | None, path: Path) -> Records:
    """Returns a record of each log in a file; one that cannot be read says why."""
    from rulelang.log.reading import read_logs

    return [_impact(log, rules, policy, bots) for log in read_logs(path)]


def _impact(log: ReadLog | LogError, rules: str, policy: str, bots: str | None) -> dict[str, Any]:
    from rulelang.api import rules_of
    from rulelang.errors import LogError, RulelangError
    from rulelang.workbench.impact import UNREAD, Impact, impact_on
    from rulelang.workbench.told import Policy

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
    """Loads rules and what leads to them; in each process once."""
    from rulelang import api
    from rulelang.errors import RulelangError
    from rulelang.workbench.changes.edits import Edits

    game = api.load(under)
    try:
        return game, Edits.of(api.load(own), game)
    except RulelangError:
        return game, None


# ------------------------------------------------------------------ telling


@attrs.define
class _Rows:
    """A row a log for `--parquet`, written piece by piece; without a path, nothing."""

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
        """Adds a row, and writes those that wait once they are many."""
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
    groups = list(summary.groups)
    if groups:
        click.echo()
        titles = ("because of", "logs", "another end", "clauses")
        print_table(titles, [(g.because, str(g.logs), str(g.other_end), ", ".join(g.clauses)) for g in groups])
        click.echo()
        for group in groups[:5]:
            click.echo(escaped(f"{group.because}: {group.sentence}"))
            click.echo(escaped(f"  rulelang replay {group.example} --under {rules}"))
