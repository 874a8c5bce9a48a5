"""Replays a log step by step, and compares the results.

Answers are found by name, random outcomes are given as recorded; if the rules draw more than the log has, the seed
supplies the rest.

    line 31: the log has  red.fuel: 5 -> 3      the rules give  red.fuel: 5 -> 4
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rulelang.errors import IllegalOption, InvalidInput, LogError, ReplayMismatch, RuntimeRules, UnknownOption
from rulelang.log.format import Record, record_of
from rulelang.log.recorded import Recorded
from rulelang.log.steps import LogLine, Step
from rulelang.log.words import in_words, said, sides
from rulelang.machines.chance import ImpossibleOutcome
from rulelang.machines.machine import Chance
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Entry

Start = Callable[[Chance], BareMatch]
"""A function that starts the match of a header, drawing from a chance."""


@attrs.frozen
class Difference:
    """The first place where log and rules disagree: its line, and both sides in words."""

    line: int
    logged: str
    played: str

    @property
    def error(self) -> ReplayMismatch:
        """The difference as an exception."""
        return ReplayMismatch(self.line, self.logged, self.played)


class NotOfTheSeed(Exception):
    """Raised if the seed of a log does not produce the outcomes in the log."""


@attrs.define
class Player:
    """Plays the steps of a log and compares the results."""

    chance: Recorded
    start: Start
    same_text: bool
    seats: tuple[str, ...]
    compares: bool = True
    """Whether results are compared with the log; otherwise they are only computed when they are read."""
    seeded: Chance | None = None
    """The seed's own chance, which replaces the log's outcomes as long as both agree."""
    match: BareMatch | None = None
    undo: Callable[[int], None] | None = None
    """A function that takes an input back in a match without a past; None if the match can do so itself."""
    heard: list[Entry] = attrs.field(factory=list)
    """The journal entries of this step."""
    tells_undecided: bool = True
    """Whether the log has a line for an end without a `finish`; earlier formats have none."""

    def take(self, step: Step, *, is_last: bool) -> Difference | None:
        """Replays one step; returns the first difference, or None. Raises NotOfTheSeed."""
        self.heard.clear()
        try:
            self._play(step)
        except (IllegalOption, InvalidInput, UnknownOption, ImpossibleOutcome) as error:
            return Difference(step.line, said(step.first), f"that this cannot be: {error}")
        except RuntimeRules as error:
            if self.match is None:
                return Difference(step.line, said(step.first), f"a fault: {error}")
        assert self.match is not None
        if not self.compares:
            is_undo = step.first is not None and step.first.what == "undo"
            if self.seeded is not None and not is_undo and not self.chance.gave(self.match.drawn, step.rest):
                raise NotOfTheSeed
            return None
        played = [record_of(entry, self.match.seats) for entry in self.heard]
        if not self.tells_undecided:
            played = [record for record in played if record.get("end") != "undecided"]
        return self._compare(step.lines, played, is_last)

    def again(self, match: BareMatch, step: Step, number: int) -> None:
        """Replays an answer that is known to succeed, the input with a number, in a match that keeps no other history."""
        assert step.first is not None
        self.chance.lead(match.position.row, step.rest)
        match.forget()
        match.internals.count_on_from(number - 1)
        record = step.first.record
        match.push(
            match.option(f"{record['seat']}: {record['option']}"), elapsed=record.get("elapsed"), by=record.get("by")
        )

    def _play(self, step: Step) -> None:
        match, first = self.match, step.first
        row = [0] * self.chance.layout.size if match is None else match.position.row
        self.chance.lead(row, step.rest)
        if match is None:
            self.match = self.start(self.seeded or self.chance)
            if self.compares:
                self.heard += self.match.journal
                self.match.listen(self.heard.append)
            if self.match.seats != self.seats:
                raise LogError("the seats of the log are not those of the game")
        elif first is not None and first.what == "undo":
            self.undo(first.record["to"]) if self.undo is not None else match.undo(to=first.record["to"])
        elif first is not None:
            match.play(
                f"{first.record['seat']}: {first.record['option']}",
                elapsed=first.record.get("elapsed"),
                by=first.record.get("by"),
            )

    def _compare(self, logged: tuple[LogLine, ...], played: list[Record], is_last: bool) -> Difference | None:
        for line, record in zip(logged, played, strict=False):
            if self._bare(line.record) != self._bare(record) and not self._is_renamed(line.record, record):
                return Difference(line.number, *sides(line.record, record))
        if len(logged) > len(played):
            return Difference(logged[len(played)].number, said(logged[len(played)]), "nothing more")
        if len(logged) < len(played) and not is_last:
            after = logged[-1].number + 1 if logged else 2
            return Difference(after, "nothing more", in_words(played[len(logged)]))
        return None

    def _is_renamed(self, logged: Mapping[str, Any], played: Mapping[str, Any]) -> bool:
        """Returns whether lines differ only in their sentence, where the logged one has the written form of a thing:
        earlier versions had no other name for it.
        """
        assert self.match is not None
        unsaid = {"n": 0, "h": "", "sentence": ""}
        if "sentence" not in played or {**logged, **unsaid} != {**played, **unsaid}:
            return False
        forms = {
            form for kind in self.match.game.kinds[1:] for form in kind.names if form.partition("(")[0] == kind.name
        }
        return any(form in logged["sentence"] for form in forms)

    def _bare(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the comparable part of a line: without numbering, and without words and citations if the rules' words changed."""
        left_out = {"n", "h"} if self.same_text else {"n", "h", "sentence", "clauses"}
        return {key: value for key, value in record.items() if key not in left_out}
