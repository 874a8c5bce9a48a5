"""One list of properties that hold for every game found, shipped or classic, on both executors.

A game is played at random from several seeds with its least and its greatest number of players; at every ply the property is looked
at, or, where it is dear, at `some`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any, assert_never

import attrs
import pytest

from rulelang import api
from rulelang.api import Game
from rulelang.api.match import Match
from rulelang.ir.model.vocabulary import ZoneForm
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer, Machine
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.redeals.redeal import redeal
from rulelang.program.packing import items, members
from tests.files import CLASSICS
from tests.games.classics import NAMES

LONGEST = 5000
"""Plies after which a random game is said not to end."""

GAMES = {**{name: str(CLASSICS / f"{name}.rules") for name in NAMES}, **{name: name for name in api.games()}}


@cache
def load(name: str) -> Game:
    return api.load(GAMES[name])


TABLES = [(name, players) for name in GAMES for players in sorted(set(load(name).players))]
SEEDS = range(int(os.environ.get("SEEDS", "2")))

AGREED: dict[tuple[str, int], dict[str, int]] = {
    ("exit_velocity", 2): {"max_rounds": 3},
    ("exit_velocity", 8): {"max_rounds": 3},
    ("empty_space", 2): {"most_rounds": 20},
    ("empty_space", 4): {"most_rounds": 60},
}
"""What is agreed at a game's table: where players at random reach no end, play is cut off early."""
DEAR = (("exit_velocity", 8), ("empty_space", 4))
"""The tables at which a whole game takes seconds: they are for the long tests."""

every_table = pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param(*table, id="-".join(map(str, table)), marks=[pytest.mark.long] * (table in DEAR))
        for table in TABLES
    ],
)
every_seed = pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in SEEDS[1:])])


def start(name: str, players: int, seed: int, executor: str = "generated", **more: Any) -> BareMatch:
    agreed = AGREED.get((name, players))
    return load(name).start(players, seed=f"conformance {seed}", options=agreed, executor=executor, **more)


def plies(match: BareMatch, seed: int) -> Iterator[Option]:
    """Plays at random; gives each option before it is played."""
    choose = random.Random(seed)
    for _ in range(LONGEST):
        if not match.to_move:
            return
        seat = choose.choice(match.to_move)
        option = choose.choice(list(match.options_of(seat)))
        yield option
        match.play(option)
    pytest.fail(f"no end after {LONGEST} plies")


def some(n: int, of: int = 1) -> bool:
    """Returns whether to look at ply `n`: one `of` so many at first, ever rarer in a long game."""
    return n % (of * (1 + n // 40)) == 0


@every_table
@every_seed
def test_every_random_game_ends(name: str, players: int, seed: int) -> None:
    match = start(name, players, seed, traced=False)
    for _ in plies(match, seed):
        pass
    assert match.outcome is not None


@every_table
@every_seed
def test_both_executors_agree_ply_by_ply(name: str, players: int, seed: int) -> None:
    # The reference machine plays a whole game: 12 seconds where four explore Empty Space.
    ours, oracle = start(name, players, seed), start(name, players, seed, "reference")
    size = ours.internals.layout.size
    for n, option in enumerate(plies(ours, seed)):
        assert ours.to_move == oracle.to_move
        assert not some(n) or list(ours.options) == list(oracle.options)
        assert ours.position.row[:size] == oracle.position.row[:size]
        oracle.play(option)
    assert ours.position.row[:size] == oracle.position.row[:size]
    assert ours.outcome == oracle.outcome
    assert ours.events == oracle.events


@every_table
def test_undo_is_exact(name: str, players: int) -> None:
    match = start(name, players, 0)
    for n, option in enumerate(plies(match, 0)):
        if not some(n, of=7):
            continue
        row, key, events = list(match.position.row), match.key, match.events
        views = [match.view(seat) for seat in (*range(players), None)]
        match.play(option)
        match.undo(option.seat)
        assert (match.position.row, match.key, match.events) == (row, key, events)
        assert [match.view(seat) for seat in (*range(players), None)] == views


@every_table
def test_a_fork_is_independent(name: str, players: int) -> None:
    match = start(name, players, 1)
    for n, option in enumerate(plies(match, 1)):
        if not some(n, of=5):
            continue
        row, key, events = list(match.position.row), match.key, match.events
        fork = match.fork()
        fork.play(option)
        assert (match.position.row, match.key, match.events) == (row, key, events)


@every_table
def test_the_same_seed_and_answers_give_the_same_events_and_key(name: str, players: int) -> None:
    one, other = start(name, players, 2), start(name, players, 2)
    for n, option in enumerate(plies(one, 2)):
        assert not some(n) or one.key == other.key
        other.play(option)
    assert one.key == other.key
    assert one.events == other.events
    assert one.outcome == other.outcome


@every_table
def test_options_are_sorted_and_unique_and_all_allowed(name: str, players: int) -> None:
    match = start(name, players, 0)
    for n, _ in enumerate(plies(match, 0)):
        for seat in match.to_move if some(n) else ():
            answers = [o.answer for o in match.options_of(seat)]
            assert answers == sorted(set(answers), key=partial(order, match))
            assert all(match.position.machine.allows(seat, a) for a in answers)
            assert all(match.why_not(o) is None for o in match.options_of(seat))


def order(match: BareMatch, answer: Answer) -> tuple[object, ...]:
    """Returns what answers are sorted by: of sets the smaller first, then by their members."""
    assert match.choice is not None
    parameters = match.choice.branches[answer[0]].parameters
    values = (
        value if parameter.low is None else (value.bit_count(), members(value))
        for value, parameter in zip(answer[1:], parameters, strict=True)
    )
    return answer[0], *values


@every_table
def test_what_is_not_on_offer_is_refused_with_a_reason(name: str, players: int) -> None:
    match = start(name, players, 1)
    for n, option in enumerate(plies(match, 1)):
        if not some(n, of=3) or len(option.answer) < 2:
            continue
        for other in range(-1, 24):
            answer = (*option.answer[:-1], other)
            if not match.position.machine.allows(option.seat, answer):
                refused = attrs.evolve(option, answer=answer)
                reason = match.why_not(refused)
                assert reason is not None
                assert reason.message


def test_each_option_has_a_written_form_of_its_own_and_is_read_back() -> None:
    for name, players in TABLES:
        match = start(name, players, 2)
        for n, option in enumerate(plies(match, 2)):
            if not some(n, of=4):
                continue
            assert match.option(f"{match.seats[option.seat]}: {option.text}") == option
            there = [one for seat in match.to_move for one in match.options_of(seat).first(300)]
            assert len({(one.seat, one.text) for one in there}) == len(there)
            assert all(match.option(f"{match.seats[one.seat]}: {one.text}") == one for one in there[::7])


@pytest.mark.long
@every_table
def test_a_position_is_read_back_from_its_givens(name: str, players: int) -> None:
    """On all executors, with the same options and the same end."""
    game, match = load(name), start(name, players, 3, traced=False)
    assert isinstance(match, Match)
    for n, _ in enumerate(islice(plies(match, 3), 40)):
        if match.position.seal.answers or not some(n, of=9):
            continue
        text = match.as_given()
        again = game.start(given=text, traced=False, executor="reference" if n % 2 else "generated")
        assert again.key == match.key
        assert again.as_given() == text
        assert [o.text for o in again.options.first(20)] == [o.text for o in match.options.first(20)]
        if n % 2 == 0:
            other = match.fork()
            option = other.options[len(other.options.first(9)) // 2]
            other.push(option)
            again.play(f"{again.seats[option.seat]}: {option.text}")
            assert not other.to_move or other.drawn or again.key == other.key


@every_table
def test_nothing_is_created_or_lost(name: str, players: int) -> None:
    match = start(name, players, 0)
    for n, _ in enumerate(plies(match, 0)):
        if some(n):
            assert_conserved(match.position.machine)
    assert_conserved(match.position.machine)


def _held(form: ZoneForm, content: int) -> Iterable[int]:
    match form:
        case "pile":
            return items(content)
        case "group":
            return members(content)
        case "slot":
            return [content] if content >= 0 else []
        case _:
            assert_never(form)


def assert_conserved(machine: Machine) -> None:
    """Each thing lies in the one place that says so."""
    game, layout, row = machine.game, machine.layout, machine.row
    found: dict[tuple[int, int], int] = {}
    for zone in game.zones:
        for i in range(layout.zone_sizes[zone.id]):
            content = row[layout.zones[zone.id] + i]
            for thing in _held(zone.form, content):
                assert (zone.kind, thing) not in found
                found[zone.kind, thing] = zone.first_place + i
    for kind in game.kinds:
        if kind.movable:
            places = row[layout.places[kind.id] : layout.places[kind.id] + kind.size]
            assert [found[kind.id, thing] for thing in range(kind.size)] == places


@every_table
def test_a_seat_cannot_tell_a_redeal_from_the_truth(name: str, players: int) -> None:
    """Twins that differ only in what a seat may not know: the same view, options, prompt and log."""
    match = start(name, players, 1)
    rng = random.Random(1)
    for n, _ in enumerate(plies(match, 1)):
        if not some(n, of=6):
            continue
        for seat in range(players):
            twin = redeal(match, Seat(seat), rng)
            assert twin.view(seat) == match.view(seat)
            assert twin.information(seat) == match.information(seat)
