"""A log and a game -> the same match played again, input by input, up to the end or the first difference.

Answers are taken by what they are called, random outcomes by what they were; where the rules draw more than the log has, the
seed gives the rest. So a log can be played under changed rules as far as they agree.

    line 31: the log has  red.fuel: 5 -> 3      the rules give  red.fuel: 5 -> 4
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from rulelang.errors import IllegalOption, InvalidInput, LogError, ReplayMismatch, RuntimeRules, UnknownOption
from rulelang.ir.model import Game
from rulelang.knowledge.secrets import secrets_of
from rulelang.log.file import LogFile
from rulelang.log.format import LogWriter, Mark, Record, canonical, record_of
from rulelang.log.reading import Line, ReadLog, parse_log
from rulelang.machines.chance import ImpossibleOutcome, Named, Scripted, Seeded
from rulelang.machines.machine import Chance, Row
from rulelang.match.events import Entry
from rulelang.match.match import Match
from rulelang.program.layout import Layout
from rulelang.program.values import clean

Start = Callable[[Chance], Match]
"""Starts the match that a header tells of, drawing from a chance."""


@attrs.frozen
class Difference:
    """The first place where log and rules disagree: its line, and both sides in words."""

    line: int
    logged: str
    played: str

    @property
    def error(self) -> ReplayMismatch:
        """The same as an error."""
        return ReplayMismatch(self.line, self.logged, self.played)


@attrs.frozen(eq=False)
class Position:
    """Where the match stood after the input on a line of the log."""

    line: int
    match: Match


@attrs.frozen(eq=False)
class Replay:
    """A log played again. `positions` has one for the set-up and one for each answer or undo; step through them at will."""

    log: ReadLog
    positions: tuple[Position, ...]
    difference: Difference | None

    @property
    def match(self) -> Match:
        """The match as far as log and rules agree; raises LogError where they disagree from the start."""
        if not self.positions:
            raise LogError("the set-up is another one under these rules")
        return self.positions[-1].match


@attrs.define
class _Step:
    """The lines of one answer (or undo, or the set-up) and what came of it."""

    first: Line | None
    rest: list[Line] = attrs.field(factory=list)

    @property
    def line(self) -> int:
        """The line that the step begins on; of the set-up, the header's."""
        return self.first.number if self.first else 1


class _Logged:
    """A chance that gives what the log says for the step that is played, then what the seed says."""

    def __init__(self, seed: int | str | None, game: Game, layout: Layout) -> None:
        self._game, self.layout = game, layout
        self._seeded = Seeded(0 if seed is None else seed, game, layout)
        self._now: Chance = self._seeded

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        return self._now.roll(row, stream, faces)

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        return self._now.pick(row, stream, among)

    def shuffle(self, row: Row, stream: int, kind: int, things: list[int]) -> list[int]:
        return self._now.shuffle(row, stream, kind, things)

    def script(self, row: Row, lines: list[Line], picks: Mapping[int, int]) -> None:
        """Takes the outcomes of the step that begins at a row; raises ImpossibleOutcome for what cannot be."""
        scripted = Scripted(self._seeded, self._game, self.layout)
        for line in lines:
            if line.what == "roll" and "face" in line.record:
                scripted.then(row, line.record["die"], line.record["face"])
            elif line.what == "pick" and "value" in line.record:
                scripted.then(row, line.record["stream"], self._picked(line.record, picks))
            elif line.what == "shuffle" and "order" in line.record:
                scripted.then(row, line.record["stream"], self._order(line.record))
        self._now = scripted

    def _picked(self, record: Mapping[str, Any], picks: Mapping[int, int]) -> Named:
        name, value = record["stream"], record["value"]
        stream = self._game.streams.index(name) if name in self._game.streams else -1
        if stream in picks:
            return _named(self._game.kinds[picks[stream]].names, value)
        return int(value) if value.removeprefix("-").isdecimal() and len(value) < 12 else frozenset()

    def _order(self, record: Mapping[str, Any]) -> list[Named]:
        for zone in self._game.zones:
            if f"shuffle {zone.name}" == record["stream"]:
                return [_named(self._game.kinds[zone.kind].names, name) for name in record["order"]]
        return []


def _named(names: tuple[str, ...], name: str) -> frozenset[int]:
    return frozenset(thing for thing, other in enumerate(names) if other == name)


def replay(log: ReadLog, game: Game, layout: Layout, start: Start, *, same_text: bool = True) -> Replay:
    """Plays a log again and compares.

    `start` starts the match of the header; with `same_text` false (the rules' words were changed) sentences are not
    compared. Raises LogError for a log of another game, or of one seat.
    """
    header = log.header
    if header.game != game.id:
        raise LogError(f"this is a log of `{clean(header.game)[:40]}`, not of `{game.id}`")
    if header.viewer is not None:
        raise LogError("this log was made for one seat: what others know is not in it, so it cannot be played again")
    steps = _steps(log.lines)
    player = _Player(_Logged(header.seed, game, layout), start, secrets_of(game).picks, same_text, header.players)
    positions: list[Position] = []
    for step in steps:
        difference = player.take(step, is_last=step is steps[-1])
        if difference is not None:
            return Replay(log, tuple(positions), difference)
        assert player.match is not None
        positions.append(Position(step.line, player.match.fork()))
    return Replay(log, tuple(positions), None)


def resume(path: str | Path | LogFile, replayed: Replay) -> LogWriter:
    """Returns a writer that goes on with the log in a file, and hears of what its match does from now on.

    What was cut off is dropped, what is missing of the last step is written. Of a file that is open already, the log must be
    what was read from it. Raises ReplayMismatch where log and rules disagree, LogInUse where another process writes the log,
    LogError where it cannot be written or was changed since it was read.
    """
    if replayed.difference is not None:
        raise replayed.difference.error
    log, match = replayed.log, replayed.match
    file = path if isinstance(path, LogFile) else _reopened(path, log)
    file.truncate(log.size)
    writer = LogWriter(file, log.header, Mark(log.size, len(log.lines) + 1, log.inputs, log.chain.digest))
    for entry in match.journal[len(log.lines) :]:
        writer(entry)
    match.listen(writer)
    return writer


def _reopened(path: str | Path, log: ReadLog) -> LogFile:
    """Opens a log that was read before, and makes sure that it is what was read."""
    file = LogFile.reopen(path)
    with file.reading as there:
        now = parse_log(there)
    if now.chain.digest != log.chain.digest:
        file.close()
        raise LogError(f"{path} was changed since it was read")
    return file


# ------------------------------------------------------------------ one step after the other


def _steps(lines: tuple[Line, ...]) -> list[_Step]:
    steps = [_Step(None)]
    for line in lines:
        if line.what in ("choice", "undo"):
            steps.append(_Step(line))
        else:
            steps[-1].rest.append(line)
    return steps


@attrs.define
class _Player:
    """Plays the steps of a log, and looks whether the rules do the same."""

    chance: _Logged
    start: Start
    picks: Mapping[int, int]
    same_text: bool
    seats: tuple[str, ...]
    match: Match | None = None
    heard: list[Entry] = attrs.field(factory=list)
    """What the match has written in this step."""

    def take(self, step: _Step, *, is_last: bool) -> Difference | None:
        """Plays one step; returns where it differs, None if it does not."""
        self.heard.clear()
        try:
            self._play(step)
        except (IllegalOption, InvalidInput, UnknownOption, ImpossibleOutcome) as error:
            return Difference(step.line, _said(step.first), f"that this cannot be: {error}")
        except RuntimeRules as error:
            if self.match is None:
                return Difference(step.line, _said(step.first), f"a fault: {error}")
        assert self.match is not None
        played = [record_of(entry, self.match.seats) for entry in self.heard]
        return self._compare(([step.first] if step.first else []) + step.rest, played, is_last)

    def _play(self, step: _Step) -> None:
        match, first = self.match, step.first
        row = [0] * self.chance.layout.size if match is None else match.position.row
        self.chance.script(row, step.rest, self.picks)
        if match is None:
            self.match = self.start(self.chance)
            self.heard += self.match.journal
            self.match.listen(self.heard.append)
            if self.match.seats != self.seats:
                raise LogError("the seats of the log are not those of the game")
        elif first is not None and first.what == "undo":
            match.undo(to=first.record["to"])
        elif first is not None:
            match.play(f"{first.record['seat']}: {first.record['option']}", elapsed=first.record.get("elapsed"))

    def _compare(self, logged: list[Line], played: list[Record], is_last: bool) -> Difference | None:
        for line, record in zip(logged, played, strict=False):
            if self._bare(line.record) != self._bare(record):
                return Difference(line.number, *_sides(line.record, record))
        if len(logged) > len(played):
            return Difference(logged[len(played)].number, _said(logged[len(played)]), "nothing more")
        if len(logged) < len(played) and not is_last:
            after = logged[-1].number + 1 if logged else 2
            return Difference(after, "nothing more", in_words(played[len(logged)]))
        return None

    def _bare(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Returns what is compared: not the numbering, not the words of changed rules."""
        left_out = {"n", "h"} if self.same_text else {"n", "h", "sentence"}
        return {key: value for key, value in record.items() if key not in left_out}


# ------------------------------------------------------------------ differences in words


def _said(line: Line | None) -> str:
    return "the set-up" if line is None else in_words(line.record)


def in_words(record: Mapping[str, Any]) -> str:
    """Returns a line as people read it."""
    match record.get("input"):
        case "choice":
            text = f"{record['seat']}: {record['option']}"
        case "undo":
            text = f"undo to {record['to']}"
        case "roll":
            text = f"roll {record['die']} -> {record.get('face', '?')}"
        case "pick":
            text = f"{record['stream']} -> {record.get('value', '?')}"
        case "shuffle":
            text = f"shuffle {record['pile']} -> {', '.join(record.get('order', ['?']))}"
        case _:
            if "event" in record:
                changes = "; ".join(change_in_words(change) for change in record["changes"][:4])
                text = f"{record['call']}" + (f" ({changes})" if changes else "")
            elif "end" in record:
                text = f"the end: {record['end']} {' '.join(record['winners'])}".rstrip()
            else:
                text = f"a fault: {record.get('fault', '')}"
    return clean(text)[:400]


def change_in_words(change: list[str]) -> str:
    """Returns a change as people read it: `red.fuel: 5 -> 4`."""
    what, subject, before, after = change
    return f"{subject}: {before} -> {after}" if before else f"{what} {subject}" + (f" -> {after}" if after else "")


def _sides(logged: Mapping[str, Any], played: Mapping[str, Any]) -> tuple[str, str]:
    """Returns both sides where two lines differ: of events of one rule, the part that differs."""
    if "event" in logged and "event" in played and logged["call"] == played["call"]:
        for mine, theirs in zip(logged["changes"], played["changes"], strict=False):
            if mine != theirs:
                return _of(logged, clean(change_in_words(mine))), _of(played, clean(change_in_words(theirs)))
        for name in ("clauses", "depth", "cause", "sentence", "event"):
            if logged["changes"] == played["changes"] and logged[name] != played[name]:
                return _of(logged, f"{name} {_field(logged[name])}"), _of(played, f"{name} {_field(played[name])}")
    return in_words(logged), in_words(played)


def _of(record: Mapping[str, Any], text: str) -> str:
    return f"{clean(record['call'])[:80]}: {text[:300]}"


def _field(value: object) -> str:
    """Returns a field as it is written in a log."""
    return clean(canonical({"": value})[4:-1])
