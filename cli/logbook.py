"""A log on disk -> its game and the replayed match, for `replay` and `play --resume`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.errors import DamagedLog, LogError, SeveralLogs

from .argument import load, unnamed, warn
from .exits import Refused, Unreadable
from .progress_message import waiting

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.log.file import LogFile
    from rulelang.log.format import Header
    from rulelang.log.reading import ReadLog
    from rulelang.log.replay import Replay

LOGS = ("*.jsonl", "*.jsonl.zst")
"""The patterns of logs' names in a folder."""


def replayed(
    path: Path, name: str | None, file: LogFile | None = None, nth: int | None = None, *, compares: bool = True
) -> tuple[Game, Replay]:
    """Replays a log by the game that it names or another one; `file` is the log, if it is open already.

    A log that cannot be read ends the command with 3; the message for a damaged one says what can be saved, and how.
    """
    from rulelang.api import replay

    log = read(path, file, nth)
    game = game_under(log.header, name)
    try:
        with waiting(f"Playing {path} again"):
            return game, replay(log, under=game, compares=compares)
    except LogError as error:
        raise Unreadable(f"{path}: {error}") from None


def read(path: Path, file: LogFile | None = None, nth: int | None = None) -> ReadLog:
    """Reads a log, the `nth` of a file; an unreadable one ends
    the command with 3 and a message on what can be saved."""
    from rulelang.log.reading import parse_log, read_log

    try:
        if file is None:
            return read_log(path, nth)
        with file.reading as there:
            return parse_log(there, path)
    except DamagedLog as error:
        hint = f"{counted(error.saved)} can be saved: rulelang replay {path} --repair NEW-FILE"
        raise Unreadable(f"{path}: {error}\n{hint}") from None
    except SeveralLogs as error:
        raise Unreadable(f"{path}: {error} (--nth 1), or `rulelang log cat --nth 1` makes a file of one") from None
    except LogError as error:
        raise Unreadable(f"{path}: {error}") from None


def log_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Returns the logs among files and in folders, in order; a missing path ends the command with 3."""
    from rulelang.log.file import meant_beside

    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(one for pattern in LOGS for one in path.rglob(pattern))
        elif path.exists():
            found.append(path)
        else:
            raise Unreadable(f"there is no log {str(path)!r}{meant_beside(path)}")
    if not found:
        raise Unreadable(f"there are no logs ({' or '.join(LOGS)}) there")
    return tuple(dict.fromkeys(found))


def repaired(path: Path, out: Path) -> str:
    """Writes the intact part of a log to a new file; returns a
    sentence on what was saved; exits with 3 if nothing is intact."""
    from rulelang.disk import create
    from rulelang.log.compressed import is_packed, unpacked
    from rulelang.log.file import open_to_read
    from rulelang.log.reading import read_log

    lost = ""
    try:
        log = read_log(path)
        size, choices = log.size, log.choices
        lost = "; ".join(log.notes)
    except DamagedLog as error:
        size, choices, lost = error.size, error.saved, str(error)
    except LogError as error:
        raise Unreadable(f"{path}: {error}; no part of it can be saved") from None
    with open_to_read(path) as packed, unpacked(packed) if is_packed(packed) else packed as file:
        whole = file.read(size)
    try:
        create(out, whole)
    except FileExistsError:
        raise Refused(f"{out} exists already; nothing is overwritten") from None
    return f"{out} has {counted(choices)}: " + (f"all up to the damage ({lost})" if lost else "nothing was damaged")


def counted(choices: int) -> str:
    """Returns a number of choices in words."""
    return "1 choice" if choices == 1 else f"{choices} choices"


def _by() -> str:
    """Returns how the rules are named to the command that runs, `, as in --game my/nim.rules`; "" if they cannot be."""
    context = click.get_current_context(silent=True)
    options = [] if context is None else [option for one in context.command.params for option in one.opts]
    if "--resume" in options:
        # Its `--from` names a scenario.
        return ", as in `rulelang play my/nim.rules --resume LOG`"
    by = next((option for option in ("--game", "--from", "--under", "--to") if option in options), None)
    return "" if by is None else f", as in `{by} my/nim.rules`"


def game_under(header: Header, name: str | None) -> Game:
    """Loads the game that a log names, or the one given: variants of it, a game, or a file, since a log has no paths
    of rules.

    If a file holds only variants of a game that ships, and none is named, all of them are in force.
    """
    from rulelang import api

    if name is None and header.game not in api.games():
        raise Unreadable(f"this is a log of {header.game!r}, which does not ship: say where its rules are{_by()}")
    try:
        found = api.rules_of(header, name)
    except LogError as error:
        raise Unreadable(str(error)) from None
    try:
        game = load(found, quiet=name is not None)
    except Unreadable:
        raise
    except Refused as error:
        if name is not None or not header.variants:
            raise
        named = "+".join((header.game, "FILE", *header.variants))
        hint = f"If these variants are your own, say where they are, for a log does not: --game {named}"
        raise Refused(f"{error.message}\n{hint}") from None
    if name is None:
        return game
    whole = in_force(game, found)
    if whole != found:
        return load(whole)
    warn(game.diagnostics)
    return game


def in_force(game: Game, name: str) -> str:
    """Returns a game's name, with all variants of a file that holds nothing else if none of them is named."""
    return "+".join((name, *unnamed(game, name)))


def own_game(header: Header) -> Game | None:
    """Loads the rules by which a log was played; returns None if they are not available."""
    from rulelang import api
    from rulelang.errors import RulelangError

    try:
        return api.load(api.rules_of(header, None))
    except RulelangError:
        return None
