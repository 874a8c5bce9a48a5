"""Every game is a game of OpenSpiel: its tests pass, and what is published of Kuhn and Leduc poker comes out."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.errors import InvalidInput, RulelangError
from tests.files import CLASSICS, ROOT
from tests.games.classics import NAMES
from tests.seeds import rest_long

if os.environ.get("RULELANG_REQUIRE_OPENSPIEL") != "1":
    pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this machine")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, gambit, ismcts, mcts

from rulelang.adapters.openspiel import game, resampler

GAMES = Path(__file__).parent / "games"
KUHN, LEDUC = GAMES / "kuhn_chips.rules", GAMES / "leduc_chips.rules"
QUICK = [name for name in NAMES if name not in ("breakthrough", "othello", "pig")]


def simulated(name: str | Path, sims: int, **more: Any) -> None:
    """Plays random games of OpenSpiel's own test, each state of which is copied, serialised and read again."""
    pyspiel.random_sim_test(game(name, **more), num_sims=sims, serialize=True, verbose=False)


def ends(state: Any) -> tuple[int, int, int, set[str]]:
    """Returns the numbers of nodes below a state, of chance, of decisions and of ends, and the information states."""
    if state.is_terminal():
        return 0, 0, 1, set()
    if state.is_chance_node():
        chance, decisions, known = 1, 0, set[str]()
    else:
        chance, decisions, known = 0, 1, {state.information_state_string(state.current_player())}
    terminal = 0
    for action in state.legal_actions():
        below = ends(state.child(action))
        chance, decisions, terminal = chance + below[0], decisions + below[1], terminal + below[2]
        known |= below[3]
    return chance, decisions, terminal, known


def played(state: Any, rng: random.Random) -> list[Any]:
    """Plays a random game; returns the states in which somebody decides."""
    found = []
    while not state.is_terminal():
        if not state.is_chance_node():
            found.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return found


@pytest.mark.parametrize("name", QUICK)
def test_random_games_of_a_classic_pass_the_test_of_openspiel(name: str) -> None:
    simulated(CLASSICS / f"{name}.rules", 2)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_ten_random_games_of_a_classic_pass_the_test_of_openspiel(name: str) -> None:
    simulated(CLASSICS / f"{name}.rules", 10)


@pytest.mark.long
@pytest.mark.parametrize("name", rulelang.games())
def test_random_games_of_a_game_that_ships_pass_the_test_of_openspiel(name: str) -> None:
    simulated(name, 2, at_most=60)


def test_the_tree_of_kuhn_poker_has_the_nodes_that_are_published() -> None:
    kuhn = game(KUHN, rewards="margin")
    *nodes, known = ends(kuhn.new_initial_state())
    assert (nodes, len(known)) == ([4, 24, 30], 12)
    uniform = policy.UniformRandomPolicy(kuhn)
    assert exploitability.nash_conv(kuhn, uniform) == pytest.approx(11 / 12)


@pytest.mark.long
def test_the_tree_of_leduc_poker_has_the_nodes_that_are_published() -> None:
    leduc = game(LEDUC, rewards="margin")
    *nodes, known = ends(leduc.new_initial_state())
    assert (nodes, len(known)) == ([157, 3780, 5520], 936)
    uniform = policy.UniformRandomPolicy(leduc)
    assert exploitability.nash_conv(leduc, uniform) == pytest.approx(4.7472, abs=1e-4)


@pytest.mark.long
def test_regret_minimisation_finds_the_equilibrium_of_kuhn_poker() -> None:
    kuhn = game(KUHN, rewards="margin")
    solver = cfr.CFRPlusSolver(kuhn)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(kuhn, average) < 0.01
    value = expected_game_score.policy_value(kuhn.new_initial_state(), [average, average])
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=1e-2)


@pytest.mark.long
@pytest.mark.slow  # the tree of 9,457 nodes is walked through in Python once; then OpenSpiel has it as its own
def test_regret_minimisation_finds_an_equilibrium_of_leduc_poker() -> None:
    leduc = pyspiel.load_efg_game(gambit.export_gambit(game(LEDUC, rewards="margin")))
    solver = pyspiel.CFRPlusSolver(leduc)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(leduc, solver.tabular_average_policy()) < 0.01


def test_a_state_is_copied_with_nothing_but_its_row_and_goes_its_own_way() -> None:
    state = game(CLASSICS / "connect_four.rules").new_initial_state()
    state.apply_action(3)
    copy = state.clone()
    copy.apply_action(3)
    assert (state.current_player(), copy.current_player(), state.history(), copy.history()) == (1, 0, [3], [3, 3])
    assert state.course.match.game is copy.course.match.game


def test_a_seat_knows_its_own_card_and_no_other() -> None:
    kuhn = game(KUHN)
    known: dict[tuple[int, int], list[str]] = {}
    for first in range(3):
        for second in range(2):
            state = kuhn.new_initial_state()
            state.apply_action(first)
            state.apply_action(second)
            known[first, second] = [state.information_state_string(seat) for seat in (0, 1)]
    assert known[0, 0][0] == known[0, 1][0]
    assert known[0, 0][0] != known[1, 0][0]
    assert known[0, 0][1] != known[0, 1][1]
    # The second of two cards is the highest whichever of the lower ones the other has.
    assert known[0, 1][1] == known[1, 1][1]


def test_a_seat_recalls_what_it_saw_and_did_at_each_of_its_turns() -> None:
    leduc = game(LEDUC)
    paths: dict[str, tuple[str, ...]] = {}
    for seed in range(60):
        seen: dict[int, tuple[str, ...]] = {0: (), 1: ()}
        for state in played(leduc.new_initial_state(), random.Random(seed)):
            seat = state.current_player()
            now = state.information_state_string(seat)
            assert paths.setdefault(now, seen[seat]) == seen[seat]
            seen[seat] = (*seen[seat], now)


@pytest.mark.parametrize("path", [KUHN, LEDUC])
def test_an_information_state_has_a_tensor_of_its_own(path: Path) -> None:
    of = game(path)
    by_text: dict[str, set[bytes]] = {}
    by_tensor: dict[bytes, set[str]] = {}
    for seed in range(30):
        for state in played(of.new_initial_state(), random.Random(seed)):
            text, found = state.information_state_string(), state.information_state_tensor()
            assert len(found) == of.information_state_tensor_size()
            tensor = repr(found).encode()
            by_text.setdefault(text, set()).add(tensor)
            by_tensor.setdefault(tensor, set()).add(text)
    assert len(by_text) > 8
    assert {len(some) for some in by_text.values()} | {len(some) for some in by_tensor.values()} == {1}


def test_seats_that_answer_in_secret_see_nothing_of_it() -> None:
    outspeed = game("outspeed", players=3)
    seen = []
    for first in (0, 1):
        rng, state = random.Random(7), outspeed.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        state.apply_action(state.legal_actions()[first])
        assert state.current_player() == 1
        seen.append((state.information_state_string(1), state.observation_string(1), state.observation_tensor(1)))
    assert seen[0] == seen[1]


@pytest.mark.long
def test_a_state_is_read_again_in_another_process(tmp_path: Path) -> None:
    state = game(LEDUC, rewards="margin").new_initial_state()
    rng = random.Random(3)
    for _ in range(4):
        state.apply_action(rng.choice(state.legal_actions()))
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    path = tmp_path / "state"
    path.write_text(text)
    code = (
        "import pyspiel, sys; from rulelang.adapters.openspiel import game\n"
        f"game({str(LEDUC)!r}, rewards='margin')\n"
        f"_, state = pyspiel.deserialize_game_and_state(open({str(path)!r}).read())\n"
        "print(state); print(state.information_state_string(0))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines() == [str(state), state.information_state_string(0)]


def test_a_game_that_this_process_has_not_registered_is_told() -> None:
    from rulelang.adapters.openspiel import setup_called

    assert pickle.loads(pickle.dumps(game(KUHN).new_initial_state().course)).inputs == ()
    with pytest.raises(InvalidInput, match=r"call rulelang\.adapters\.openspiel\.game first"):
        setup_called("rulelang_unknown")


@pytest.mark.parametrize("path", rest_long([KUHN, LEDUC], KUHN), ids=lambda path: path.stem)
def test_a_re_deal_is_another_state_that_the_player_cannot_tell_apart(path: Path) -> None:
    rng = random.Random(5)
    other, differ = resampler(rng), 0
    for seed in range(6):
        for state in played(game(path).new_initial_state(), random.Random(seed)):
            for seat in (0, 1):
                dealt = other(state, seat)
                assert dealt.course.dealt is None
                assert dealt.information_state_string(seat) == state.information_state_string(seat)
                assert (dealt.current_player(), dealt.legal_actions()) == (
                    state.current_player(),
                    state.legal_actions(),
                )
                differ += dealt.information_state_string(1 - seat) != state.information_state_string(1 - seat)
    assert differ


def test_a_re_deal_for_which_no_course_is_found_goes_on_all_the_same() -> None:
    rng = random.Random(5)
    states = played(game("outspeed", players=3, at_most=20).new_initial_state(), rng)
    state = states[8]
    seat = state.current_player()
    dealt = resampler(rng, budget=0)(state, seat)
    assert dealt.course.dealt is not None
    assert dealt.information_state_string(seat) == state.information_state_string(seat)
    assert dealt.legal_actions() == state.legal_actions()
    while not dealt.is_terminal():
        dealt.apply_action(rng.choice(dealt.legal_actions()))


def test_search_in_information_sets_runs_on_re_deals() -> None:
    np = pytest.importorskip("numpy")
    leduc = game(LEDUC, rewards="margin")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    bot = ismcts.ISMCTSBot(
        game=leduc, evaluator=evaluator, uct_c=2.0, max_simulations=20, random_state=np.random.RandomState(1)
    )
    bot.set_resampler(resampler(random.Random(1)))
    state = leduc.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert bot.step(state) in state.legal_actions()


def test_an_impossible_number_of_players_is_refused() -> None:
    with pytest.raises(RulelangError, match="Kuhn poker is for 2 players, not 3"):
        game(CLASSICS / "kuhn.rules", players=3)
