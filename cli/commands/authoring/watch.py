"""`rulelang watch GAME`: checks, tests and replays the last game again at each save."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, complete_game, counted, load, show
from ...exits import Unreadable
from ...logbook import LOGS
from .check import faults
from .scenarios import report

if TYPE_CHECKING:
    from rulelang.texts.loading import Loaded

EVERY = 0.2
"""The seconds between two looks at the files."""
SETTLED = 2
"""The number of equal looks after which a change is complete, so that two quick saves, or a write and a rename, count
as one."""
MISSING = 5
"""The number of looks after which a missing file counts as gone and not as being renamed."""
MOST_LOGS = 200
"""The number of the newest logs of a folder that are searched for a game by these rules."""

Stamp = tuple[int, int, int] | None
"""The time, size and inode of a file; None if it does not exist."""


@click.command("watch")
@click.argument("game", shell_complete=complete_game)
@click.option("--log", type=FilePath(), help="Replay this log.  [default: the newest here that was played by the game]")
def command(*, game: str, log: Path | None) -> None:
    """Check and test a GAME, and replay the last game played by it, now and at each save. Ctrl-C ends it.

    Every file of the game is watched. A file that holds variants alone is tested with each of them.

    \b
    Examples:
      rulelang watch my/nim.rules
      rulelang watch my.rules+rich
      rulelang watch nim --log race.jsonl
    """
    watched = WatchedFiles(game)
    watched.look()
    if not watched.files:
        load(game)  # ends the command with a message about the missing file
    _run(game, log)
    while True:
        click.echo(escaped(f"watching {game}; Ctrl-C ends it"))
        change = watched.change()
        click.echo()
        if change.is_gone:
            click.echo(escaped(f"{change.path} is gone; it is waited for"))
        else:
            click.echo(escaped(f"{change.path} was saved"))
            _run(game, log)


# ------------------------------------------------------------------ files


@attrs.frozen
class FileChange:
    """A file that was saved, or that is gone."""

    path: Path
    is_gone: bool = False


@attrs.define
class WatchedFiles:
    """The files of a game and their folders, as they were at the last look."""

    game: str
    files: dict[Path, Stamp] = attrs.field(factory=dict)
    folders: dict[Path, Stamp] = attrs.field(factory=dict)
    """The stamps of the folders; the time of a folder changes when a file is added."""

    def look(self) -> None:
        """Finds the files, and notes their present stamps; files that cannot be found any more stay watched."""
        self.files |= {path: self.files.get(path) for path in _files(self.game)}
        self.folders = {folder: _stamp(folder) for folder in dict.fromkeys(path.parent for path in self.files)}
        self.files = _stamps(self.files)

    def change(self) -> FileChange:
        """Waits for a change of the files, and until no other change follows; returns the first change."""
        before, last, still, missing = dict(self.files), dict(self.files), 0, 0
        while True:
            time.sleep(EVERY)
            if _stamps(self.folders) != self.folders:
                self.look()
            now = _stamps(self.files)
            still = still + 1 if now == last else 0
            last = now
            changed = [path for path in now if now[path] != before.get(path)]
            gone = [path for path in changed if now[path] is None]
            missing = missing + 1 if gone else 0
            if missing >= MISSING or (changed and not gone and still >= SETTLED):
                self.look()
                return FileChange((gone or changed)[0], bool(gone))


def _stamps(paths: Iterable[Path]) -> dict[Path, Stamp]:
    return {path: _stamp(path) for path in paths}


def _files(game: str) -> Iterator[Path]:
    """Yields the files of a game; none if they cannot be found."""
    from rulelang import api
    from rulelang.errors import RulelangError

    try:
        loaded = api.read(game)[0]
    except (RulelangError, OSError):
        return
    yield from dict.fromkeys((loaded.entry, *loaded.paths, loaded.entry.parent / "rulebook.toml"))


def _stamp(path: Path) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


# ------------------------------------------------------------------ one run


def _run(game: str, log: Path | None) -> None:
    """Checks, tests and replays; a failure is printed and does not end the command."""
    from rulelang.errors import RulelangError

    try:
        found = faults(game)
        show(found, concise=True)
        click.echo(f"check   {counted(found)}")
        if any(diagnostic.is_error for diagnostic in found):
            return
        for name in _tested(game):
            report(name, f"test    {name}: " if name != game else "test    ")
        _replay(game, log)
    except click.ClickException as error:
        click.echo(error.format_message())
    except (RulelangError, OSError) as error:
        click.echo(escaped(str(error)))


def _tested(game: str) -> list[str]:
    """Returns the name of the game, or of each variant in a file that holds only variants."""
    from rulelang import api

    loaded, variants = api.read(game)
    own = loaded.variants_apart
    return [game] if variants or not own else [f"{game}+{variant.name.text}" for variant in own]


def _replay(game: str, log: Path | None) -> None:
    """Prints the result of replaying the last game played by these rules, or by those that they change."""
    from rulelang import api
    from rulelang.errors import LogError
    from rulelang.log.reading import read_log
    from rulelang.workbench.divergence import retell

    rules = api.load(game)
    last = log if log is not None else _last(rules.id, api.read(game)[0])
    if last is None:
        click.echo(f"replay  no log of {rules.id} here: `rulelang play {escaped(game)} --log NEW-FILE` makes one")
        return
    try:
        told = retell(read_log(last), rules)
    except LogError as error:
        raise Unreadable(f"{last}: {error}") from None
    if not told.differences:
        click.echo(escaped(f"replay  {last}: as it was played"))
        return
    click.echo(escaped(f"replay  {last}: {told.differences[0].sentence}"))
    before, after = told.ending
    click.echo(escaped(f"        the log: {before.text}; these rules: {after.text}"))


def _last(game: str, loaded: Loaded) -> Path | None:
    """Returns the newest log of a game, in the current folder and beside the rules."""
    from rulelang.errors import LogError
    from rulelang.log.reading import read_logs

    folders = dict.fromkeys((Path.cwd(), loaded.entry.parent.resolve()))
    paths = {path for folder in folders for pattern in LOGS for path in folder.glob(pattern) if path.is_file()}
    for path in sorted(paths, key=lambda path: (-path.stat().st_mtime_ns, path))[:MOST_LOGS]:
        first = next(islice(read_logs(path), 1), None)
        if first is not None and not isinstance(first, LogError) and first.header.game == game:
            return path
    return None
