"""Lock step with OpenSpiel: the same moves, the same options, the same end."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable

import pytest

from rulelang import api
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from tests.files import ROOT, TESTS
from tests.games.classics import classic
from tests.seeds import few_of

REQUIRED = os.environ.get("RULELANG_REQUIRE_OPENSPIEL") == "1"
try:
    import pyspiel
except ImportError:
    if REQUIRED:
        raise
    pytest.skip("OpenSpiel has no build for this machine", allow_module_level=True)

BETS = {"check": 0, "fold": 0, "bet": 1, "call": 1}
ACTIONS: dict[str, tuple[str, Callable[[Option], int]]] = {
    "tic_tac_toe": ("tic_tac_toe", lambda option: option.answer[1]),
    "connect_four": ("connect_four", lambda option: option.answer[1] - 1),
    "kuhn": ("kuhn_poker", lambda option: BETS[option.branch]),
    "pig": ("pig", lambda option: 0 if option.branch == "throw" else 1),
}


def _chance(match: BareMatch, state: object, choose: random.Random) -> None:
    """Draws one outcome there and the same one here."""
    outcomes = match.chance
    i = choose.randrange(len(outcomes))
    theirs = state.legal_actions()  # type: ignore[attr-defined]
    assert len(theirs) == len(outcomes)
    match.play_chance(outcomes[i])
    state.apply_action(theirs[i])  # type: ignore[attr-defined]


DIRECTIONS = ("north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest")


def written(option: Option) -> str:
    """Returns a move of breakthrough as OpenSpiel writes it, without the mark of one that takes: there a1 lies at the bottom."""
    _, start, direction = option.answer
    column, row = start % 8, start // 8
    across = {"east": 1, "west": -1}.get(DIRECTIONS[direction].removeprefix("north").removeprefix("south"), 0)
    down = -1 if DIRECTIONS[direction].startswith("north") else 1
    return f"{'abcdefgh'[column]}{8 - row}{'abcdefgh'[column + across]}{8 - row - down}"


@pytest.mark.parametrize("seed", range(10))
def test_a_random_game_of_breakthrough_goes_the_same_way_here_and_in_openspiel(seed: int) -> None:
    state = pyspiel.load_game("breakthrough").new_initial_state()
    match = classic("breakthrough").start(lone="asked")
    choose = random.Random(seed)
    while not state.is_terminal():
        theirs = {state.action_to_string(action).removesuffix("*"): action for action in state.legal_actions()}
        options = {written(option): option for option in match.options}
        assert set(options) == set(theirs)
        move = choose.choice(sorted(options))
        match.play(options[move])
        state.apply_action(theirs[move])
    assert match.outcome is not None
    assert [state.returns()[seat] for seat in match.outcome.winners] == [1.0]


STEPS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)} | {
    f"{down}{across}": (x, y) for down, y in (("north", -1), ("south", 1)) for across, x in (("east", 1), ("west", -1))
}
"""By direction: the columns and the rows that a step goes."""


def _start_and_way(move: str) -> tuple[str, tuple[int, int]]:
    """Returns where a move of lines of action begins, and its direction: `b1-d3`, or `b1xd3` if it takes."""
    start, end = move[:2], move[3:]
    far = ord(end[0]) - ord(start[0]), int(end[1]) - int(start[1])
    return start, tuple((way > 0) - (way < 0) for way in far)  # type: ignore[return-value]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_of_lines_of_action_goes_the_same_way_here_and_in_openspiel(seed: int) -> None:
    state = pyspiel.load_game("lines_of_action").new_initial_state()
    match = api.load(ROOT / "benchmarks" / "boards" / "lines_of_action.rules").start(traced=False)
    choose = random.Random(seed)
    while not state.is_terminal():
        theirs = {_start_and_way(state.action_to_string(action)): action for action in state.legal_actions()}
        words = {option.text[len("go(") : -1]: option for option in match.options}
        options = {(text[:2], STEPS[text[4:]]): option for text, option in words.items()}
        assert set(options) == set(theirs)
        move = choose.choice(sorted(options))
        match.play(options[move])
        state.apply_action(theirs[move])
    assert match.outcome is not None
    assert list(match.outcome.winners) == [seat for seat, won in enumerate(state.returns()) if won > 0]


@pytest.mark.parametrize("name", ACTIONS)
@pytest.mark.parametrize("seed", few_of(10))
def test_a_random_game_goes_the_same_way_here_and_in_openspiel(name: str, seed: int) -> None:
    theirs, action = ACTIONS[name]
    state = pyspiel.load_game(theirs).new_initial_state()
    match = classic(name).start(explicit_chance=True)
    choose = random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            _chance(match, state, choose)
            continue
        legal = state.legal_actions()
        options = list(match.options) if match.to_move == (state.current_player(),) else []
        if len(legal) == 1:  # a lone option is taken without asking, there of the rules' making, here of the board's
            for option in options:
                if action(option) == legal[0]:
                    match.play(option)
                    break
            state.apply_action(legal[0])
            continue
        assert sorted(action(o) for o in options) == sorted(legal)
        assert match.to_move == (state.current_player(),)
        option = choose.choice(options)
        match.play(option)
        state.apply_action(action(option))
    assert match.outcome is not None
    returns = state.returns()
    best = tuple(seat for seat in range(2) if returns[seat] == max(returns))
    assert match.outcome.winners == best


SPACES = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        pytest.param("phantom_tic_tac_toe", "phantom_ttt(obstype=reveal-nothing)", marks=pytest.mark.long),
        ("dark_hex", "dark_hex(num_rows=3,num_cols=3,obstype=reveal-nothing)"),
    ],
)
def test_whoever_places_a_stone_unseen_knows_as_much_here_as_in_openspiel(name: str, theirs: str) -> None:
    game, openspiel = api.load(TESTS / "published" / f"{name}.rules"), pyspiel.load_game(theirs)
    here: dict[object, set[object]] = {}
    there: dict[object, set[object]] = {}
    choose = random.Random(name)
    for _ in range(40):
        match, state = game.start(2), openspiel.new_initial_state()
        while not state.is_terminal():
            seat = state.current_player()
            assert match.to_move == (seat,)
            assert {option.text for option in match.options} == {SPACES[move] for move in state.legal_actions()}
            # OpenSpiel's dark hex counts all attempts in its string, the hidden ones of the other among them.
            mine, other = match.information(seat), re.sub(r"\n\d+\n", "\n", state.information_state_string(seat))
            here.setdefault((seat, mine), set()).add(other)
            there.setdefault((seat, other), set()).add(mine)
            move = choose.choice(state.legal_actions())
            match.play(SPACES[move])
            state.apply_action(move)
        assert match.outcome is not None
        assert match.outcome.winners == tuple(seat for seat in range(2) if state.returns()[seat] > 0)
    assert all(len(sets) == 1 for sets in (*here.values(), *there.values()))
