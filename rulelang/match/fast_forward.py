"""Deferred steps -> the moment after each, with the words of its events or, for a jump into a long match, without.

    moment      red knows her hand, 25 events
    steps       red: draw   blue: pass
    followed    red knows her new card, too, 27 events     28 events
    told        the same, with what the log says of each step

One machine and one recorder run through all of the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import attrs

from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.rendering import Pointing
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.chance import Watched
from rulelang.machines.machine import Answer, Chance, Machine
from rulelang.match.deferred_events import OptionTaken, Retelling, Untold
from rulelang.match.options import explain
from rulelang.match.position import Position
from rulelang.match.recording.events import Drawn, Entry, Event, Taken
from rulelang.match.recording.interchangeable import named_in
from rulelang.match.recording.knowledge_recorder import WordlessRecorder
from rulelang.match.recording.recorder import Recorder
from rulelang.match.recording.viewer_text import SecretAnswers, taken_words
from rulelang.match.state import Chapter, Moment

SomeRecorder = TypeVar("SomeRecorder", bound=Recorder)


def followed(
    visibility: Visibility, secrets: Secrets, chance: Chance, moment: Moment, steps: Sequence[Untold]
) -> Iterator[Moment]:
    """Yields the moment after each of several steps in a row; the first begins at `moment`."""
    run = _Run(visibility, secrets, Watched(chance), _machine_before(steps))
    recorder = run.recorded_by(WordlessRecorder, moment)
    for step in steps:
        answered = run.answered(step, moment)
        recorder.go_on(answered.knowledge, answered.guesses)
        run.machine.answer(answered.seat, answered.answer)
        past = moment.chapter
        events = recorder.ended(are_alike=past is None or past.is_told_alike)
        chapter = Chapter.wordless(past, answered.described, events, recorder.events - moment.events)
        moment = run.moment(recorder, step, chapter, answered.guesses)
        yield moment


def told(
    visibility: Visibility, secrets: Secrets, chance: Chance, moment: Moment, steps: Sequence[Untold]
) -> Iterator[Retelling]:
    """Yields the moment after each of several steps in a row, and its journal entries; the first begins at `moment`."""
    run = _Run(visibility, secrets, Watched(chance), _machine_before(steps))
    recorder = run.recorded_by(Recorder, moment)
    for step in steps:
        answered = run.answered(step, moment)
        taken = run.taken(answered)
        found: list[Event | Drawn] = []
        recorder.emit = found.append
        recorder.go_on(answered.knowledge, answered.guesses)
        run.machine.answer(answered.seat, answered.answer)
        recorder.close()
        events = tuple([entry for entry in found if isinstance(entry, Event)])
        chapter = Chapter.of(moment.chapter, answered.described, events, recorder.trail(found))
        moment = run.moment(recorder, step, chapter, answered.guesses)
        entries: tuple[Entry, ...] = (taken, *found)
        if run.machine.pending is None:
            outcome = Position(visibility, secrets, run.machine, None, moment, True).told_outcome
            entries += () if outcome is None else (outcome,)
        yield moment, entries


def _machine_before(steps: Sequence[Untold]) -> Machine:
    assert steps[0].before is not None
    return steps[0].before.fork()


@attrs.define
class _Answered:
    """The answer of a step, and what its naming things leaves everybody knowing."""

    choice: Choice
    option: OptionTaken
    knowledge: Knowledge
    guesses: SecretAnswers
    text: str
    """The option in its written form."""

    @property
    def seat(self) -> Seat:
        return self.option.seat

    @property
    def answer(self) -> Answer:
        return self.option.answer

    @property
    def described(self) -> tuple[int, str, str]:
        return self.option.seat, self.choice.name, self.text


@attrs.frozen
class _Run:
    """A machine that goes through steps in a row."""

    visibility: Visibility
    secrets: Secrets
    watched: Watched
    machine: Machine

    def recorded_by(self, recorder: type[SomeRecorder], moment: Moment) -> SomeRecorder:
        """Returns the recorder of the steps from a moment on."""
        found = recorder(
            self.machine,
            self.visibility,
            self.secrets,
            self.watched,
            moment.knowledge,
            moment.frames,
            moment.events,
            noted=moment.noted,
        )
        self.machine.chance, self.machine.trace = self.watched, found
        return found

    def answered(self, step: Untold, moment: Moment) -> _Answered:
        """Returns the answer of a step that begins at a moment."""
        before, option, guesses = step.before, step.option, moment.guesses
        assert before is not None
        assert option is not None
        asked = before.pending
        assert asked is not None
        choice = self.visibility.game.choices[asked.choice]
        if explain.asks_in_secret(choice, self.secrets):
            position = Position(self.visibility, self.secrets, before, asked, moment, True)
            guesses = {**guesses, **explain.guesses(position, choice, option.seat)}
        row, known = self.machine.row, moment.knowledge
        named = named_in(self.visibility, self.secrets, row, choice, option.seat, option.answer, known)
        self.watched.forget()
        return _Answered(choice, option, named, guesses, option.text)

    def taken(self, answered: _Answered) -> Taken:
        """Returns the journal entry of an answer, before it is given to the machine."""
        choice, seat, option = answered.choice, answered.seat, answered.option
        pointing = Pointing(self.visibility, self.machine.row, answered.knowledge)
        words = taken_words(pointing, self.secrets, choice, seat, option.answer, answered.text)
        return Taken(seat, choice.name, words, choice.sealed, None, choice.private)

    @staticmethod
    def moment(recorder: Recorder, step: Untold, chapter: Chapter, guesses: SecretAnswers) -> Moment:
        """Returns the moment after a step."""
        guesses = guesses if step.seal.answers else {}
        return Moment(recorder.knowledge, recorder.frames, recorder.events, chapter, step.seal, guesses, recorder.noted)
