"""Plays a log again, step by step, and looks whether the rules do the same.

Answers are taken by what they are called, random outcomes by what they were; where the rules draw more than the log has, the
seed gives the rest.

    line 31: the log has  red.fuel: 5 -> 3      the rules give  red.fuel: 5 -> 4
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rulelang.errors import IllegalOption, InvalidInput, LogError, ReplayMismatch, RuntimeRules, UnknownOption
from rulelang.ir.model import Game
from rulelang.log.format import Record, record_of
from rulelang.log.steps import Line, Step
from rulelang.log.words import in_words, said, sides
from rulelang.machines.chance import ImpossibleOutcome, Named, Scripted, Seeded
from rulelang.machines.machine import Chance, Row
from rulelang.match.events import Entry
from rulelang.match.match import Match
from rulelang.program.layout import Layout

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


class Logged:
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

    def script(self, row: Row, lines: tuple[Line, ...], picks: Mapping[int, int]) -> None:
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


@attrs.define
class Player:
    """Plays the steps of a log, and looks whether the rules do the same."""

    chance: Logged
    start: Start
    picks: Mapping[int, int]
    same_text: bool
    seats: tuple[str, ...]
    match: Match | None = None
    undo: Callable[[int], None] | None = None
    """Takes an input back in a match that does not know its past; without it the match does that itself."""
    heard: list[Entry] = attrs.field(factory=list)
    """What the match has written in this step."""

    def take(self, step: Step, *, is_last: bool) -> Difference | None:
        """Plays one step; returns where it differs, None if it does not."""
        self.heard.clear()
        try:
            self._play(step)
        except (IllegalOption, InvalidInput, UnknownOption, ImpossibleOutcome) as error:
            return Difference(step.line, said(step.first), f"that this cannot be: {error}")
        except RuntimeRules as error:
            if self.match is None:
                return Difference(step.line, said(step.first), f"a fault: {error}")
        assert self.match is not None
        played = [record_of(entry, self.match.seats) for entry in self.heard]
        return self._compare(step.lines, played, is_last)

    def again(self, match: Match, step: Step, number: int) -> None:
        """Plays an answer again that went well before, the input with a number, in a match that then knows nothing else."""
        assert step.first is not None
        self.chance.script(match.position.row, step.rest, self.picks)
        match.forget()
        match.count_on_from(number - 1)
        record = step.first.record
        match.push(match.option(f"{record['seat']}: {record['option']}"), elapsed=record.get("elapsed"))

    def _play(self, step: Step) -> None:
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
            self.undo(first.record["to"]) if self.undo is not None else match.undo(to=first.record["to"])
        elif first is not None:
            match.play(f"{first.record['seat']}: {first.record['option']}", elapsed=first.record.get("elapsed"))

    def _compare(self, logged: tuple[Line, ...], played: list[Record], is_last: bool) -> Difference | None:
        for line, record in zip(logged, played, strict=False):
            if self._bare(line.record) != self._bare(record):
                return Difference(line.number, *sides(line.record, record))
        if len(logged) > len(played):
            return Difference(logged[len(played)].number, said(logged[len(played)]), "nothing more")
        if len(logged) < len(played) and not is_last:
            after = logged[-1].number + 1 if logged else 2
            return Difference(after, "nothing more", in_words(played[len(logged)]))
        return None

    def _bare(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Returns what is compared: not the numbering, not the words of changed rules."""
        left_out = {"n", "h"} if self.same_text else {"n", "h", "sentence"}
        return {key: value for key, value in record.items() if key not in left_out}
