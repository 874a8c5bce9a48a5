"""A course that a seat cannot tell from a match -> the inputs that lead there: random outcomes one by one, and answers.

A course is found by the match (`match.redeals`), whose random outcomes it holds as they were drawn. A game with explicit chance asks
for them as outcomes: of things that are alike, the lowest one.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulelang.api import Match
from rulelang.errors import RulelangError
from rulelang.ir.numbers import Seat
from rulelang.knowledge.guesses import Rng
from rulelang.match.match import BareMatch
from rulelang.match.recording.step_record import Draw
from rulelang.match.redeals.drawing import fitting, in_any_order
from rulelang.match.state import Chapter


@attrs.define(eq=False)
class PastDraw:
    """A draw of a course, and how far its outcome has been asked for."""

    stream: int
    values: Sequence[int]
    left: int
    """The number of things without a place when it was asked for last."""
    is_used: bool = False

    @classmethod
    def of(cls, draw: Draw, match: BareMatch, names: dict[int, tuple[int, ...]]) -> PastDraw:
        """Returns a draw with the new names of things."""
        values = (draw.value,) if isinstance(draw.value, int) else draw.value
        kind = _kind_of(match, draw.stream)
        to = None if kind is None else names.get(kind)
        return cls(draw.stream, values if to is None else [to[value] for value in values], len(values) + 1)


def inputs_of(
    match: Match, seat: Seat, rng: Rng, budget: int, start: Match
) -> tuple[int | tuple[int, tuple[int, ...]], ...] | None:
    """Returns the inputs of a course that a seat cannot tell from a match; None if none is found within the budget.

    `start` is the match at its beginning, with explicit chance.
    """
    found = fitting(match, seat, rng, budget)
    if found is None:
        return None
    names = in_any_order(found.course, found.memory.rests, rng)
    drawn = [[PastDraw.of(draw, match, names) for draw in step] for step in draws_of(found.course)]
    answers = [(before.options.option(past.seat, past.answer), past) for before, past in found.course.earlier()]
    replay, inputs = start.fork(), list[int | tuple[int, tuple[int, ...]]]()
    try:
        for number, draws in enumerate(drawn):
            if number:
                option, _ = answers[number - 1]
                taken = replay.option(f"{replay.seats[option.seat]}: {option.text}")
                inputs.append((taken.seat, taken.answer))
                replay.push(taken)
            waiting = list(draws)
            while replay.chance:
                outcome = _outcome(replay, waiting)
                inputs.append(outcome)
                replay.play_chance(outcome)
    except (RulelangError, LookupError):
        return None
    return tuple(inputs)


def draws_of(course: BareMatch) -> list[tuple[Draw, ...]]:
    """Returns the random outcomes of each step of a match."""
    steps: list[tuple[Draw, ...]] = []
    chapter: Chapter | None = course.internals.moment.chapter
    while chapter is not None:
        steps.append(chapter.trail.draws)
        chapter = chapter.previous
    return steps[::-1]


def _kind_of(match: BareMatch, stream: int) -> int | None:
    """Returns the kind of things that a stream shuffles or picks; None if it gives numbers."""
    name = match.game.streams[stream]
    shuffled = {f"shuffle {zone.name}": zone.kind for zone in match.game.zones if zone.form == "pile"}
    return shuffled.get(name, match.internals.secrets.picks.get(stream))


def _outcome(replay: Match, waiting: list[PastDraw]) -> int:
    """Returns the outcome that a course had for the draw that is asked for; draws that are not asked for are passed over.

    Raises LookupError if it had none.
    """
    needs = replay.internals.needs
    assert needs is not None
    # Of a shuffle ever fewer things are left; where there are more again, it is another one.
    while waiting[0].stream != needs.stream or (needs.left >= waiting[0].left if needs.left else waiting[0].is_used):
        del waiting[0]
    draw = waiting[0]
    wanted = draw.values[len(draw.values) - needs.left] if needs.left else draw.values[0]
    draw.left, draw.is_used = needs.left, True
    outcomes = [outcome for outcome, _ in needs.outcomes]
    kind = _kind_of(replay, needs.stream)
    if wanted in outcomes or kind is None:
        return outcomes[outcomes.index(wanted)]
    classes = replay.game.kinds[kind].classes
    return next(outcome for outcome in outcomes if classes[outcome] == classes[wanted])
