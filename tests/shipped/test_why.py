"""Why something came about in the games that ship: an event, a number with its adjustments, an option that was not there. No seat is
told of it what it may not know."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from itertools import islice

import pytest
from syrupy.assertion import SnapshotAssertion

from cli.reason import lines_of
from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.ir.types import PLAYER
from rulelang.knowledge.canonical import key_of
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeal
from rulelang.match.refused import refused
from rulelang.workbench.reasons.why import ALL, Asker, NoReason, why

CASES = {
    "outspeed+hungry": ("green.fuel", "route(4, few, middle, green).cost"),
    "exobase": ("sato.health", "production(food)", "bank"),
    "empty_space": ("turn", "after_starter(sally)", "exit_steps(red_probe, a1, {})"),
    "exit_velocity": ("moves_left", "goal(nat1)", "effort(ubuso1, green)"),
}
"""What is asked about: a variable that has changed, and numbers."""
TABLES = (("outspeed", 3), ("exobase", 1), ("empty_space", 3), ("exit_velocity", 3))
"""Games, and how many play."""
ANSWERS = 14


def plies(game: str, players: int | None, seed: int) -> Iterator[BareMatch]:
    """Yields a match before each answer, chosen at random."""
    match, rng = api.load(game).start(players, seed=seed), random.Random(seed)
    while match.to_move:
        yield match
        match.play(rng.choice(list(match.options)))


def told(match: BareMatch, what: str, eyes: Asker) -> str:
    """Returns the reason for something as it is printed, or why there is none."""
    try:
        return "\n".join(lines_of(why(match, what, eyes)))
    except NoReason as error:
        return str(error)


def position(match: BareMatch) -> Hashable:
    """Returns all of a position but which of equal things is where."""
    return key_of(match.internals.references, match.position.row, None, match.to_move)


def absences(match: BareMatch, seat: Seat) -> list[str]:
    """Returns options that the rules refuse a seat now, as they are asked about."""
    return [f"{match.seats[seat]}: {option.text}" for option, _ in islice(refused(match, seat), 3)]


@pytest.mark.parametrize("game", CASES)
def test_an_event_numbers_and_absences_are_told(game: str, screen: SnapshotAssertion) -> None:
    match = next(islice(plies(game, None, 3), ANSWERS, None))
    asked = [(match, what) for what in (str(match.event_count - 1), *CASES[game])]
    refusing = next(match for match in plies(game, None, 4) if any(absences(match, seat) for seat in match.to_move))
    asked += [(refusing, what) for seat in refusing.to_move[:1] for what in absences(refusing, seat)]
    assert len(asked) > 3
    assert "\n\n".join(f"? {what}\n{told(match, what, ALL)}" for match, what in asked) == screen


def reasons(match: BareMatch, seat: Seat, rng: random.Random) -> list[tuple[str, str]]:
    """Returns what a seat is told of why: what it has seen happen, some variables and numbers, options on offer and not."""
    asked = [str(event.number) for event in match.events_for(seat)[-3:]]
    asked += rng.sample([name for _, _, name in match.visibility.cells], 8)
    numbers = []
    for value in match.game.values:
        types = [getattr(one.type, "name", "") for one in value.parameters]
        numbers += [f"{value.name}({one})" for one in match.seats] if types == [PLAYER] else []
        numbers += [] if types else [value.name]
    asked += rng.sample(numbers, 8)
    if seat in match.to_move:
        asked += [f"{match.seats[seat]}: {option.text}" for option in match.options_of(seat).first(4)]
        asked += absences(match, seat)
    return [(what, told(match, what, Asker(seat))) for what in asked]


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_seat_is_told_the_same_of_games_that_it_cannot_tell_apart(game: str, players: int) -> None:
    """Twins are two re-deals of one position, in which the same is done, as long as the seat sees the same of it."""
    looked = 0
    for n, match in enumerate(islice(plies(game, players, 5), 20, 52)):
        if n % 8:
            continue
        seat = Seat(n // 8 % players)
        one, other = (redeal(match, seat, random.Random(seed), traced=True) for seed in (n + 1, n + 2))
        for twin in (one, other):
            twin._watched = twin._machine.chance = match._watched
        for _ in range(3):
            assert reasons(one, seat, random.Random(n)) == reasons(other, seat, random.Random(n))
            looked += position(one) != position(other)
            texts = {(option.seat, option.text) for option in other.options}
            both = [(o.seat, o.text) for o in one.options.first(200) if (o.seat, o.text) in texts]
            if not both:
                break
            actor, text = random.Random(n).choice(both)
            for twin in (one, other):
                twin.play(f"{twin.seats[actor]}: {text}")
            if one.events_for(seat) != other.events_for(seat):
                break
    assert looked > 2
