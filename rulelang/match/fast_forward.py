"""Deferred steps -> the moment after each, without words, as a jump into a long match needs them.

    moment      red knows her hand, 25 events
    steps       red: draw   blue: pass
    followed    red knows her new card, too, 27 events     28 events

One machine and one recorder run through all of the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.chance import Watched
from rulelang.machines.machine import Chance
from rulelang.match.deferred_events import Untold
from rulelang.match.options import explain
from rulelang.match.position import Position
from rulelang.match.recording.interchangeable import named_in
from rulelang.match.recording.knowledge_recorder import WordlessRecorder
from rulelang.match.state import Chapter, Moment


def followed(
    visibility: Visibility, secrets: Secrets, chance: Chance, moment: Moment, steps: Sequence[Untold]
) -> Iterator[Moment]:
    """Yields the moment after each of several steps in a row; the first begins at `moment`."""
    assert steps[0].before is not None
    game, watched = visibility.game, Watched(chance)
    machine = steps[0].before.fork()
    recorder = WordlessRecorder(
        machine, visibility, secrets, watched, moment.knowledge, moment.frames, moment.events, noted=moment.noted
    )
    machine.chance, machine.trace = watched, recorder
    for step in steps:
        before, option, guesses = step.before, step.option, moment.guesses
        assert before is not None
        assert option is not None
        asked = before.pending
        assert asked is not None
        choice, seat, answer = game.choices[asked.choice], option.seat, option.answer
        if explain.asks_in_secret(choice, secrets):
            position = Position(visibility, secrets, before, asked, moment, True)
            guesses = {**guesses, **explain.guesses(position, choice, seat)}
        named = named_in(visibility, secrets, machine.row, choice, seat, answer, moment.knowledge)
        watched.forget()
        recorder.go_on(named, guesses)
        machine.answer(seat, answer)
        past = moment.chapter
        events = recorder.ended(are_alike=past is None or past.is_told_alike)
        moment = Moment(
            recorder.knowledge,
            recorder.frames,
            recorder.events,
            Chapter.wordless(past, (seat, choice.name, option.text), events, recorder.events - moment.events),
            step.seal,
            guesses if step.seal.answers else {},
            recorder.noted,
        )
        yield moment
