"""`rulelang impact RULES LOGS…`: what other rules do to a folder of games that were played."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, complete_game
from ...exits import Refused
from ...logbook import log_files
from ..arena import print_table

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.errors import LogError
    from rulelang.log.reading import ReadLog
    from rulelang.workbench.changes.edits import Edits
    from rulelang.workbench.impact import Summary

Records = list[dict[str, Any]]

CHUNK = 4
"""Files that a process takes at once."""


@click.command("impact")
@click.argument("rules", shell_complete=complete_game)
@click.argument("logs", nargs=-1, required=True, type=FilePath())
@click.option("--policy", type=click.Choice(["stop", "skip", "nearest", "bot"]), default="nearest", show_default=True)
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
    from rulelang.workbench.impact import Impact, Summary

    paths = list(log_files(logs))
    kept = _Kept(rules, policy, fresh=fresh)
    summary, done, rows = Summary(), 0, []
    results = _all(paths, rules, policy, kept, jobs or os.cpu_count() or 1)
    with click.progressbar(
        results, length=len(paths), label="Logs", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        try:
            for path, records in bar:
                for name, record in _named(path, records):
                    summary.add(name, Impact.of(record))
                    if parquet is not None:
                        rows.append({"log": name, **record})
                done += 1
        except KeyboardInterrupt:
            click.echo(f"Stopped after {done} of {len(paths)} files; the same command goes on from there.", err=True)
    _write(summary, rows, rules, html, parquet)
    if as_json:
        click.echo(json.dumps({"rules": rules, "policy": policy, **summary.record()}, indent=2))
    else:
        _print(summary)


# ------------------------------------------------------------------ playing


def _named(path: Path, records: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the impact on each log of a file, with its name, and its number if there are several."""
    for nth, record in enumerate(records, start=1):
        yield (f"{path} --nth {nth}" if len(records) > 1 else str(path)), record


def _all(paths: list[Path], rules: str, policy: str, kept: _Kept, jobs: int) -> Iterator[tuple[Path, Records]]:
    """Yields the impact on the logs in each file, cached results first."""
    fresh = []
    for path in paths:
        records = kept.get(path)
        if records is None:
            fresh.append(path)
        else:
            yield path, records
    one = partial(_one, rules, policy)
    if jobs == 1 or len(fresh) < 2:
        for path in fresh:
            yield path, kept.put(path, one(path))
        return
    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        for path, records in zip(fresh, pool.map(one, fresh, chunksize=CHUNK), strict=True):
            yield path, kept.put(path, records)
    finally:
        pool.shutdown(cancel_futures=True)


def _one(rules: str, policy: str, path: Path) -> Records:
    """Returns the result for each log in a file, or the reason why it cannot be read."""
    from rulelang.log.reading import read_logs

    return [_impact(log, rules, policy) for log in read_logs(path)]


def _impact(log: ReadLog | LogError, rules: str, policy: str) -> dict[str, Any]:
    from rulelang.api import rules_of
    from rulelang.errors import LogError, RulelangError
    from rulelang.workbench.impact import UNREAD, Impact, impact_on
    from rulelang.workbench.told import Policy

    try:
        if isinstance(log, LogError):
            raise log
        header = log.header
        game, edits = _rules(rules_of(header, rules), "+".join((header.game, *header.variants)))
        return impact_on(log, game, edits, Policy(policy)).record()
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


class _Kept:
    """Earlier results in the user's own cache, by a log's path, size and time, and by the rules."""

    def __init__(self, rules: str, policy: str, *, fresh: bool) -> None:
        from rulelang import api
        from rulelang.cache import users_cache, users_folder
        from rulelang.errors import RulelangError

        try:
            hashed = api.load(rules).rules_hash
        except RulelangError:
            hashed = _files_hash()
        key = hashlib.sha256(repr((rules, hashed, policy)).encode()).hexdigest()[:16]
        self._path = users_folder() / f"impact-{key}.jsonl" if users_cache() is not None else None
        self._known: dict[tuple[str, int, int], Records] = {}
        if fresh and self._path is not None:
            self._path.unlink(missing_ok=True)
        if self._path is not None and self._path.is_file():
            for line in self._path.read_text(errors="replace").splitlines():
                self._read(line)

    def _read(self, line: str) -> None:
        from rulelang.workbench.impact import Impact

        try:
            path, size, time, records = json.loads(line)
            for record in records:
                Impact.of(record)
            self._known[str(path), int(size), int(time)] = list(records)
        except (ValueError, KeyError, TypeError):
            return

    def get(self, path: Path) -> Records | None:
        """Returns the cached results of a file; None if there are none, or the file has changed."""
        return self._known.get(_stamp(path))

    def put(self, path: Path, records: Records) -> Records:
        """Caches the results of a file at once."""
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps([*_stamp(path), records]) + "\n")
        return records


def _stamp(path: Path) -> tuple[str, int, int]:
    found = path.stat()
    return str(path.resolve()), found.st_size, found.st_mtime_ns


def _files_hash() -> str:
    """Returns a digest of the games that ship, for rules that are named by variants alone."""
    from rulelang import api

    return repr([(name, api.load(name).text_hash) for name in api.games()])


# ------------------------------------------------------------------ telling


def _print(summary: Summary) -> None:
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
            click.echo(escaped(f"  rulelang replay {group.example} --under …"))


def _write(summary: Summary, rows: list[dict[str, Any]], rules: str, html: Path | None, parquet: Path | None) -> None:
    from rulelang import disk
    from rulelang.workbench.impact_page import page

    if html is not None:
        disk.replace(html, page(f"What {rules} changes", summary).encode())
    if parquet is not None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise Refused("Parquet needs pyarrow: pip install 'rulelang[parquet]'") from None
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), parquet)
