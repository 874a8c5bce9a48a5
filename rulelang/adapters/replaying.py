"""A course that a seat cannot tell from a match -> the inputs that lead there: random outcomes one by one, and answers.

A course is found by the match (`match.redeals`), whose random outcomes it holds as they were drawn. A game with explicit chance asks
for them as outcomes: of things that are alike, the lowest one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rulelang.api import Match
from rulelang.errors import RulelangError
from rulelang.ir.numbers import Seat
from rulelang.knowledge.guesses import Rng
from rulelang.match.match import BareMatch
from rulelang.match.recording.step_record import Draw
from rulelang.match.redeals.drawing import fitting, in_any_order
from rulelang.match.state import Chapter


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
    drawn = _drawn(found.course, names)
    answers = [(before.options.option(past.seat, past.answer), past) for before, past in found.course.earlier()]
    replay, inputs = start.fork(), list[int | tuple[int, tuple[int, ...]]]()
    try:
        for option, _ in (None, None), *answers:
            if option is not None:
                taken = replay.option(f"{replay.seats[option.seat]}: {option.text}")
                inputs.append((taken.seat, taken.answer))
                replay.push(taken)
            while replay.chance:
                outcome = _outcome(replay, drawn)
                inputs.append(outcome)
                replay.play_chance(outcome)
    except (RulelangError, LookupError):
        return None
    return tuple(inputs)


def _drawn(course: BareMatch, names: dict[int, tuple[int, ...]]) -> dict[tuple[int, int], Sequence[int]]:
    """Returns the random outcomes of a match with new names of its things, by stream and number: one value, or those of a
    shuffle from the top."""
    found: dict[tuple[int, int], Sequence[int]] = {}
    counts = Counter[int]()
    for draw in (draw for step in draws_of(course) for draw in step):
        values = (draw.value,) if isinstance(draw.value, int) else draw.value
        kind = _kind_of(course, draw.stream)
        to = None if kind is None else names.get(kind)
        found[draw.stream, counts[draw.stream]] = values if to is None else [to[value] for value in values]
        counts[draw.stream] += 1
    return found


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


def _outcome(replay: Match, drawn: Mapping[tuple[int, int], Sequence[int]]) -> int:
    """Returns the outcome that a course had for the draw that is asked for. Raises LookupError if it had none."""
    needs = replay.internals.needs
    assert needs is not None
    wanted = drawn[needs.stream, needs.number][needs.places[0] if needs.places else 0]
    outcomes = [outcome for outcome, _ in needs.outcomes]
    kind = _kind_of(replay, needs.stream)
    if wanted in outcomes or kind is None:
        return outcomes[outcomes.index(wanted)]
    classes = replay.game.kinds[kind].classes
    found = next((outcome for outcome in outcomes if classes[outcome] == classes[wanted]), None)
    if found is None:
        raise LookupError(wanted)
    return found
