"""An observation holds what its seat may see, in a layout that the rules decide, and tells nothing else."""

from __future__ import annotations

import random

import pytest

import rulelang
from rulelang import api
from rulelang.adapters.actions import Actions
from tests.adapters.test_actions import positions
from tests.games.classics import NAMES, classic
from tests.generators.secrets import sketched
from tests.generators.twins import Twins

np = pytest.importorskip("numpy", reason="NumPy has no build for this machine")

from rulelang.adapters.observations import Observations, encoded  # noqa: E402
from rulelang.ir.types import EnumType, IntType, SetType  # noqa: E402
from tests.seeds import few_of  # noqa: E402


@pytest.mark.parametrize("name", [*NAMES, *rulelang.games()])
def test_every_position_has_an_observation_in_the_bounds_of_the_layout(name: str) -> None:
    game = classic(name) if name in NAMES else rulelang.load(name)
    first = game.start(seed=3)
    layout = Observations(first.visibility)
    assert sum(part.size for part in layout.parts) == layout.size
    for match in positions(game, 3, most=20):
        for seat in range(match.players):
            seen = layout.of(match.view(seat), match.choice)
            assert (seen.shape, seen.dtype) == ((layout.size,), np.float32)
            assert seen.min() >= -1
            assert seen.max() <= layout.high
            assert layout.part("seat").of(seen)[seat] == 1


def test_a_board_is_planes_of_rows_and_columns() -> None:
    match = classic("connect_four").start()
    layout = Observations(match.visibility)
    for text in ("drop(4)", "drop(4)", "drop(1)"):
        match.play(text)
    discs = layout.part("disc").of(layout.of(match.view(0)))
    assert discs.shape == (3, 6, 7)
    assert [tuple(map(int, at)) for at in np.argwhere(discs[0])] == [(5, 0), (5, 3)]
    assert [tuple(map(int, at)) for at in np.argwhere(discs[1])] == [(4, 3)]
    assert discs.sum() == 42


def test_a_hidden_card_is_seen_by_its_owner_alone_and_counted_by_the_others() -> None:
    match = classic("kuhn").start(seed=1)
    layout = Observations(match.visibility)
    hands = [layout.part("hand").of(layout.of(match.view(seat))) for seat in (0, 1)]
    assert hands[0][0].sum() == hands[0][1].sum() == 1
    assert (hands[0][0][3], hands[0][1][3]) == (0, 1)
    assert (hands[1][0][3], hands[1][1][3]) == (1, 0)


def test_members_of_a_set_are_put_in_places_of_their_own() -> None:
    assert encoded(SetType(IntType(1, 4)), 0b10010) == [(0, 1.0), (3, 1.0)]
    assert encoded(EnumType("Suit", ("moon", "sun")), 1) == [(1, 1.0)]


@pytest.mark.parametrize("seed", few_of(16, few=2))
def test_twins_that_a_seat_cannot_tell_apart_give_it_equal_observations_and_numbers(seed: int) -> None:
    checked = api.check_text(sketched(random.Random(seed)))
    if checked.game is None or "W0512" in {d.code for d in checked.diagnostics}:
        pytest.skip("the check refuses this sketch")
    twins, rng = Twins(checked.game, seed % 3, str(seed)), random.Random(seed)
    actions, layout = Actions(checked.game.ir), Observations(twins.matches[0].visibility)
    for _ in range(8):
        if twins.are_told():
            return
        one, other = (layout.of(match.view(twins.seat), match.choice) for match in twins.matches)
        assert np.array_equal(one, other)
        numbers = [list(actions.legal(match.options_of(twins.seat), twins.seat).options) for match in twins.matches]
        assert numbers[0] == numbers[1]
        refusals = [[actions.why_not(m, twins.seat, n) for n in range(min(actions.size, 40))] for m in twins.matches]
        assert refusals[0] == refusals[1]
        if not twins.matches[0].to_move or not twins.play(rng):
            return
