"""The three sources of chance: seeded, scripted, explicit."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import attrs
import pytest

from rulelang.ir.model import Const, GameRules, Move, Pick, Roll, Shuffle, Source
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.picks import pick_kinds
from rulelang.ir.types import IntType
from rulelang.machines.chance import ImpossibleOutcome, Scripted, Seeded
from rulelang.machines.explicit import Explicit, NeedsChance
from rulelang.program.layout import Layout, lay_out
from tests.games.in_ir import Build, contents, op, put, to
from tests.oracle.reference import ReferenceMachine

FACES = (1, 1, 2, 2, 3, 3)


def table(names: tuple[str, ...] = ("a", "b", "c"), classes: tuple[int, ...] | None = None) -> GameRules:
    """A die, a pile of cards, a random card of it; nobody chooses."""
    b = Build("table")
    b.die("yellow", FACES)
    cards = b.kind("Card", names, classes)
    deck = b.zone("deck", cards, "pile", visible="nobody")
    pick = b.stream("random play#1")
    total = b.state("total", IntType(0, 99))
    drawn = b.state("drawn", b.type_of(cards).or_none())
    play = b.procedure(
        "play",
        (),
        (
            Move(cards, Source(Const((1 << len(names)) - 1)), None, to(deck), None),
            put(total, to=Roll(Const(0), Const(2))),
            Shuffle(deck, ()),
            put(drawn, to=Pick(pick, Source(op("union", contents(deck), 0)))),
        ),
    )
    return b.game(play)


def laid_out(game: GameRules) -> tuple[Layout, Row]:
    layout = lay_out(game)
    return layout, [0] * layout.size


def rolls(game: GameRules, seed: int | str, stream: str, count: int) -> list[int]:
    layout, row = laid_out(game)
    chance = Seeded(seed, game, layout)
    return [chance.roll(row, game.streams.index(stream), FACES) for _ in range(count)]


def test_a_seed_gives_the_same_dice_on_every_machine_for_ever() -> None:
    assert rolls(table(), 7, "yellow", 12) == [1, 1, 3, 2, 1, 1, 1, 1, 2, 2, 1, 3]


def test_a_seed_is_a_number_or_a_text_and_written_alike_is_alike() -> None:
    assert rolls(table(), 7, "yellow", 20) == rolls(table(), "7", "yellow", 20)
    assert rolls(table(), 7, "yellow", 20) != rolls(table(), "seven", "yellow", 20)
    assert rolls(table(), "\udcff", "yellow", 1)


def test_another_stream_leaves_the_dice_alone() -> None:
    game = table()
    more = attrs.evolve(game, streams=("red", *game.streams))
    assert rolls(game, 3, "yellow", 30) == rolls(more, 3, "yellow", 30)


def test_every_face_comes_as_often_as_it_should() -> None:
    seen = Counter(rolls(table(), 1, "yellow", 6000))
    assert all(abs(seen[face] - 2000) < 150 for face in (1, 2, 3))


def test_the_counters_in_the_row_are_all_the_memory_there_is() -> None:
    game = table()
    layout, row = laid_out(game)
    chance = Seeded(5, game, layout)
    first = [chance.roll(row, 0, FACES) for _ in range(8)]
    assert row[layout.counters] == 8
    row[layout.counters] = 0
    assert [chance.roll(row, 0, FACES) for _ in range(8)] == first


def test_one_more_card_leaves_the_order_of_the_others_alone() -> None:
    small, large = table(("a", "b", "c", "d")), table(("new", "a", "b", "c", "d"))
    for seed in range(10):
        layout, row = laid_out(small)
        order = Seeded(seed, small, layout).shuffle(
            row, small.streams.index("shuffle deck"), 1, [Thing(0), Thing(1), Thing(2), Thing(3)]
        )
        layout, row = laid_out(large)
        other = Seeded(seed, large, layout).shuffle(
            row, large.streams.index("shuffle deck"), 1, [Thing(4), Thing(3), Thing(2), Thing(1), Thing(0)]
        )
        assert [t - 1 for t in other if t] == order


def test_each_shuffle_is_another_one_and_copies_do_not_stick_together() -> None:
    game = table(("x", "x", "x", "y", "y", "y"))
    layout, row = laid_out(game)
    chance, stream = Seeded(1, game, layout), game.streams.index("shuffle deck")
    orders = {tuple(chance.shuffle(row, stream, 1, [Thing(t) for t in range(6)])) for _ in range(60)}
    assert len(orders) > 50


def test_a_pick_takes_each_value_as_often() -> None:
    game = table()
    layout, row = laid_out(game)
    chance = Seeded(1, game, layout)
    seen = Counter(chance.pick(row, 2, [4, 5, 9]) for _ in range(3000))
    assert set(seen) == {4, 5, 9}
    assert all(abs(n - 1000) < 120 for n in seen.values())


def picks(game: GameRules, among: list[int]) -> list[int]:
    layout = lay_out(game)
    return [Seeded(seed, game, layout).pick([0] * layout.size, 2, among) for seed in range(60)]


def test_one_more_card_changes_a_pick_only_where_it_is_picked_itself() -> None:
    few = picks(table(("a", "b", "c", "d")), [0, 1, 2, 3])
    many = picks(table(("new", "a", "b", "c", "d")), [4, 3, 2, 1, 0])
    assert all(one + 1 == other for one, other in zip(few, many, strict=True) if other != 0)
    assert 0 in many


def test_one_number_less_changes_a_pick_only_where_it_was_picked() -> None:
    game = table()
    before, after = picks(game, [400, 500, 900]), picks(game, [400, 900])
    assert all(one == other for one, other in zip(before, after, strict=True) if one != 500)
    assert set(picks(game, [7, 7, 8])) == {7, 8}


# ------------------------------------------------------------------ scripted


def scripted(game: GameRules, **given: object) -> tuple[Scripted, Layout, Row]:
    layout, row = laid_out(game)
    return Scripted(Seeded(1, game, layout), game, layout, **given), layout, row  # type: ignore[arg-type]


def test_a_script_comes_first_and_then_the_base_as_if_it_had_not_been() -> None:
    game = table()
    chance, _, row = scripted(game, rolls={"yellow": [3, 1]})
    assert [chance.roll(row, 0, FACES) for _ in range(6)] == [3, 1, *rolls(game, 1, "yellow", 6)[2:]]


def test_a_script_can_be_continued_and_says_what_it_has_left() -> None:
    chance, _, row = scripted(table(), rolls={"yellow": [3]})
    chance.then(row, "yellow", 2)
    assert chance.unused(row) == (("yellow", 0), ("yellow", 1))
    assert chance.roll(row, 0, FACES) == 3
    chance.then(row, "yellow", 1)
    assert [chance.roll(row, 0, FACES) for _ in range(2)] == [2, 1]
    assert chance.unused(row) == ()


def test_an_undone_draw_finds_its_script_again() -> None:
    chance, _, row = scripted(table(), rolls={"yellow": [3, 1]})
    before = list(row)
    assert chance.roll(row, 0, FACES) == 3
    assert chance.roll(before, 0, FACES) == 3


def test_a_scripted_shuffle_brings_the_named_things_to_the_top() -> None:
    game = table(("a", "b", "c", "c"))
    chance, _, row = scripted(game, shuffles={"shuffle deck": [[1, frozenset({2, 3})]]})
    order = chance.shuffle(row, game.streams.index("shuffle deck"), 1, [Thing(0), Thing(1), Thing(2), Thing(3)])
    assert order[0] == 1
    assert order[1] in (2, 3)
    assert sorted(order) == [0, 1, 2, 3]


def test_a_scripted_pick_may_name_any_of_several() -> None:
    chance, _, row = scripted(table(), picks={"random play#1": [9, frozenset({5, 7})]})
    assert [chance.pick(row, 2, [1, 7, 9]) for _ in range(2)] == [9, 7]


def test_what_cannot_come_is_refused() -> None:
    chance, _, row = scripted(table(), rolls={"yellow": [6]}, shuffles={"shuffle deck": [[2]]})
    with pytest.raises(ImpossibleOutcome, match="`yellow` cannot give 6"):
        chance.roll(row, 0, FACES)
    with pytest.raises(ImpossibleOutcome, match="`c` is not among"):
        chance.shuffle(row, 1, 1, [Thing(0), Thing(1)])
    with pytest.raises(ImpossibleOutcome, match="nothing random is called `blue`"):
        chance.then(row, "blue", 1)


# ------------------------------------------------------------------ explicit


def explicit(game: GameRules, *given: int) -> Explicit:
    return Explicit(game, lay_out(game), given, pick_kinds(game))


def outcomes(game: GameRules, *given: int) -> dict[object, Fraction]:
    machine = ReferenceMachine(game, explicit(game, *given))
    with pytest.raises(NeedsChance) as needs:
        machine.begin(2, {})
    assert sum(p for _, p in needs.value.outcomes) == 1
    return dict(needs.value.outcomes)


def test_an_explicit_roll_asks_for_a_face() -> None:
    assert outcomes(table()) == {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}
    assert outcomes(table(), 3) == outcomes(table())


def test_an_explicit_shuffle_asks_thing_by_thing_from_the_top() -> None:
    assert outcomes(table(), 1, 1) == {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}
    assert outcomes(table(), 1, 1, 1) == {0: Fraction(1, 2), 2: Fraction(1, 2)}


def test_alike_things_of_an_explicit_shuffle_are_one_outcome_until_all_that_are_left_are_alike() -> None:
    game = table(("x", "x", "y"), (0, 0, 2))
    assert outcomes(game, 1, 1) == {0: Fraction(2, 3), 2: Fraction(1, 3)}
    assert outcomes(game, 1, 1, 0) == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    # Behind the only y both are alike, so what is asked next is the pick.
    assert outcomes(game, 1, 1, 2) == dict.fromkeys((0, 1, 2), Fraction(1, 3))


def test_an_explicit_pick_from_a_pile_tells_alike_things_apart_by_their_places() -> None:
    game = table(("x", "x", "y"), (0, 0, 2))
    assert outcomes(game, 1, 1, 0, 2) == dict.fromkeys((0, 1, 2), Fraction(1, 3))


def test_with_all_outcomes_given_the_step_is_done() -> None:
    game = table(("x", "x", "y"), (0, 0, 2))
    machine = ReferenceMachine(game, explicit(game, 1, 3, 2, 2))
    machine.begin(2, {})
    assert machine.row[machine.layout.states[4]] == 4
    assert machine.row[machine.layout.states[5]] == 2


def test_a_large_shuffle_is_asked_too_and_a_single_outcome_is_not() -> None:
    large = table(tuple("abcdefghi"))
    assert set(outcomes(large, 1, 1)) == set(range(9))
    assert len(outcomes(large, 1, 1, 5)) == 8
    alike = table(("x", "x"), (0, 0))
    ReferenceMachine(alike, explicit(alike, 1, 1, 0)).begin(2, {})
