"""A machine's trace -> knowledge and the number of events, as a `Recorder` keeps them, but without words.

    enter(take), move(nitro, ...)     the same knowledge; an event without call, sentence and names

To show a position in the middle of a long match, all steps before it must be followed, but only the last one be told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from rulelang.ir.model import GameRules, StateVariable
from rulelang.ir.numbers import Mask, Seat, Slot, Thing
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import NOBODY, Words, seat_name
from rulelang.knowledge.rendering import Draft, Pointing
from rulelang.machines.machine import Answer, LaidEnd
from rulelang.match.recording.call_stack import OpenEvent, RuleFrame, begun
from rulelang.match.recording.change_words import Assigned
from rulelang.match.recording.events import Change, Event, Told
from rulelang.match.recording.recorder import Recorder
from rulelang.match.recording.rule_words import NO_WORDS
from rulelang.match.recording.step_record import Passing
from rulelang.match.recording.telling import is_told_alike
from rulelang.match.recording.viewer_text import SecretAnswers

UNSAID: Words = ()
UNASSIGNED = Assigned(UNSAID, UNSAID, UNSAID, Told("becomes", UNSAID))
MOVED, FORCED = Change("move", UNSAID), Change("forced", UNSAID)
SET, SET_AS_IT_WAS = Change("set", UNSAID), Change("set", UNSAID, seers=NOBODY)
"""A variable that everybody sees changed, or was given the value that it had, which is no news to anybody."""


@attrs.define
class WordlessRecorder(Recorder):
    """A `Recorder` whose events and frames have no words, but the same viewers as with words.

    It emits nothing; `ended` returns the events of a step, where it matters to whom they are told.
    """

    _closed: list[OpenEvent] = attrs.field(factory=list)

    def go_on(self, knowledge: Knowledge, guesses: SecretAnswers) -> None:
        """Begins a step; see `Recorder`."""
        Recorder.go_on(self, knowledge, guesses)
        self._closed = []

    def ended(self, *, are_alike: bool) -> tuple[Event, ...]:
        """Ends the step, and returns its events; none if all are told alike, and, as `are_alike` says, all before."""
        self.close()
        closed = self._closed
        if are_alike and all(map(is_told_alike, closed)):
            return ()
        return tuple(event.closed(self.game) for event in closed)

    def close(self) -> None:
        self._closed += self._begun
        self._begun, self._open = [], None

    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        if state in self.visibility.plain:
            self._event().changes.append(SET if old != new else SET_AS_IT_WAS)
        else:
            Recorder.set(self, state, index, old, new, site)

    def forced(self, choice: int, seat: Seat, answer: Answer) -> None:
        self._event().changes.append(FORCED)

    def _entered(
        self, rule: int, arguments: tuple[int, ...], called: Mask, aware: Mask, outside: Event | None
    ) -> tuple[RuleFrame, OpenEvent]:
        for position, local in self.secrets.unwitnessed[rule]:
            if position < len(arguments):
                self.noted = {**self.noted, local: self._who_was_told(rule, position, arguments)}
        return begun(self.game, self.frames, rule, self.events, NO_WORDS, (called, aware, outside))

    def _tell_move(self, kind: int, thing: Thing, source: int, target: int, end: LaidEnd, site: int) -> None:
        self._settle(kind, thing)
        self._event().changes.append(MOVED)

    def _change(self, site: int, change: Change) -> None:
        self._event().changes.append(change)

    @staticmethod
    def _assigned(before: Pointing, after: Pointing, about: StateVariable, index: int, old: int, new: int) -> Assigned:
        return UNASSIGNED

    def _covered(self, saying: Mapping[int, bool], word: str, slot: Slot, old: int, new: int, after: Words) -> Mask:
        return NOBODY

    def _words(self, draft: Draft) -> Words:
        return UNSAID

    def _names(self, kind: int, thing: Thing, subject: Words, moves: bool = False) -> Mask:
        return NOBODY

    def _seats(self, seats: int, name_of: Callable[[GameRules, Seat], str] = seat_name) -> str:
        return ""

    def _named(self, kind: int, thing: Thing, *, said: bool = False) -> Words:
        return UNSAID

    def _pass(
        self, what: Passing, kind: int, thing: Thing, source: int = -1, target: int = -1, end: LaidEnd = ""
    ) -> None:
        pass

    def _settle(self, kind: int, thing: Thing, moved: bool = False) -> None:
        self.knowledge = self.knowledge.spread(kind, thing)
