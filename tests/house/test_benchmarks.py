"""What is written by hand in `benchmarks/` plays the same games as the rules it is held against."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Hashable
from pathlib import Path

import pytest

from cli.commands.bench import api as api_races
from cli.commands.bench import boards, bots
from cli.commands.bench.races import BOARDS, by_hand_in
from rulelang import Option, api
from rulelang.api.match import Match
from rulelang.lab.bots import bot
from tests.files import ROOT, TESTS
from tests.games.classics import classic

SOURCE = ROOT / "benchmarks" / "boards.c"


@pytest.mark.parametrize("name", BOARDS)
def test_python_by_hand_has_as_many_moves_and_ends_as_the_rules_say(name: str) -> None:
    rng = random.Random(name)
    for seed in range(6):
        game = by_hand_in(ROOT / "benchmarks" / f"{name}.py").Game()
        match = classic(name).start(seed=seed, traced=False, lone="asked")
        while match.to_move:
            assert not game.is_over
            moves, options = game.legal_moves(), list(match.options)
            assert len(moves) == len(options)
            at = rng.randrange(len(moves))
            game.play(moves[at])
            match.push(options[_same(name, moves, options, at)])
        assert game.is_over


def _same(name: str, moves: list[object], options: list[Option], at: int) -> int:
    """Returns which of the options a move by hand is: both are in an order of their own."""
    texts = [option.text for option in options]
    match moves[at]:
        case None:
            return texts.index("skip")
        case int(number):
            return texts.index(f"drop({number + 1})") if name == "connect_four" else at
        case (int(x), int(y)):
            return texts.index(f"put({'abcdefgh'[x]}{y + 1})")
        case (int(x), int(y), int(to), _):
            across = {-1: "west", 0: "", 1: "east"}[to - x]
            down = "south" if any("south" in text for text in texts) else "north"
            return texts.index(f"go({'abcdefgh'[x]}{y + 1}, {down}{across})")
    raise AssertionError(moves[at])


@pytest.mark.long
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler for C")
def test_c_by_hand_plays_games_as_long_as_python_does(tmp_path: Path) -> None:
    program = tmp_path / "boards"
    subprocess.run(["cc", "-O2", "-o", str(program), str(SOURCE)], check=True)
    for name in BOARDS:
        many = 300 if name == "othello" else 3000
        said = subprocess.run([str(program), name, str(many), "7"], check=True, capture_output=True, text=True).stdout
        playout, rng = by_hand_in(ROOT / "benchmarks" / f"{name}.py").playout, random.Random(7)
        mean = sum(playout(rng) for _ in range(many)) / many
        assert int(said.split()[0]) / many == pytest.approx(mean, rel=0.05)


def test_the_picture_of_strength_shows_the_table_beside_it() -> None:
    strength = by_hand_in(ROOT / "benchmarks" / "strength.py")
    table = strength.rows((ROOT / "docs" / "strength.md").read_text(encoding="utf-8"))
    assert len(table) > 2
    assert strength.drawn(table) == (ROOT / "docs" / "strength.svg").read_text(encoding="utf-8")


def test_exploitability_finds_that_a_random_player_can_be_beaten() -> None:
    found = by_hand_in(ROOT / "benchmarks" / "exploitability.py")
    asked: dict[Hashable, Match] = {}
    root = found.grown(classic("kuhn").start(2, 1, explicit_chance=True), asked)
    assert len(asked) == 12
    assert found.exploitability(root, found.strategy(asked, bot("random"), 2)) > 0


@pytest.mark.long
def test_even_play_of_leduc_for_stakes_is_as_exploitable_as_is_published() -> None:
    found = by_hand_in(ROOT / "benchmarks" / "exploitability.py")
    asked: dict[Hashable, Match] = {}
    rules = api.load(TESTS / "redeals" / "leduc_stakes.rules")
    root = found.grown(rules.start(2, 1, explicit_chance=True), asked)
    assert len(asked) == 288
    even = {known: {option.text: 1 / len(match.options) for option in match.options} for known, match in asked.items()}
    # OpenSpiel, `leduc_poker`, uniform play: NashConv 4.747222 chips, half of it for each seat.
    assert 26 * found.exploitability(root, even) == pytest.approx(4.747222 / 2, abs=1e-6)


def test_bots_are_raced_choice_by_choice() -> None:
    nim = str(TESTS / "classics" / "nim.rules")
    rivals = bots.greedy(nim, 2)
    assert [rival.name for rival in rivals] == ["greedy, generated", "greedy", "greedy, traced"]
    rivals += bots.planned(nim, 2, 5)
    assert {rival.work() for rival in rivals for _ in range(30) if rival.work is not None} == {1}
    spiel = pytest.importorskip("pyspiel")
    tic_tac_toe = str(TESTS / "classics" / "tic_tac_toe.rules")
    searched = bots.searched(tic_tac_toe, "tic_tac_toe", 4, spiel)
    dealt = bots.dealt(str(TESTS / "redeals" / "leduc.rules"), "leduc_poker", 4, spiel)
    assert {rival.work() for rival in (*searched, *dealt) for _ in range(10) if rival.work is not None} == {1}
    assert [race.name for race in bots.bot_races(None, spiel)] == [
        *("bots: outspeed", "bots: exobase", "bots: diff outspeed", "bots: planner, outspeed"),
        *("bots: planner, exobase", "bots: mcts, outspeed", "bots: mcts, exobase"),
    ]


def test_leduc_poker_follows_the_hands_that_openspiel_deals() -> None:
    pytest.importorskip("pyspiel")
    pytest.importorskip("llvmlite")
    found = by_hand_in(ROOT / "benchmarks" / "ismcts.py")
    clock = found.Clock()
    assert all(-26 <= chips <= 26 for chips in found.won("mcts:3", 3, 8, clock))
    assert min(clock.choices) > 3


@pytest.mark.parametrize("board", ["connect_four", "othello", "breakthrough"])
def test_bots_of_both_make_the_same_moves_on_a_board(board: str) -> None:
    spiel = pytest.importorskip("pyspiel")
    pytest.importorskip("llvmlite")
    found, there = by_hand_in(ROOT / "benchmarks" / "mcts.py"), spiel.load_game(board)
    theirs = spiel.MCTSBot(there, spiel.RandomRolloutEvaluator(1, 7), 1.4, 2, 10, False, 7, False)
    won = found.won(classic(board), board, bot("mcts:2"), there.new_initial_state(), theirs, 0, 1, found.Clock())
    assert won in (0, 0.5, 1)


@pytest.mark.parametrize("name", ["liars_dice", "goofspiel"])
def test_openspiels_bot_thinks_in_redeals_of_ours(name: str) -> None:
    spiel = pytest.importorskip("pyspiel")
    pytest.importorskip("llvmlite")
    found = by_hand_in(ROOT / "benchmarks" / "resampled.py")
    table, clock = found.TABLES[name], [0.0, 0.0]
    rules, there = api.load(table.rules), spiel.load_game(table.there)
    won = [found.won(table, rules, there, bot("mcts:2"), 3, seat, 1, clock) for seat in range(2)]
    assert set(won) <= {0, 0.5, 1}
    assert min(clock) > 0


def test_draws_that_are_asked_for_are_raced_with_a_trace_and_without() -> None:
    for rival in api_races.outcomes():
        assert rival.timed is not None
        assert min(rival.timed(0)) > 0


@pytest.mark.long
def test_boards_are_raced_game_by_game() -> None:
    pytest.importorskip("llvmlite")
    spiel = pytest.importorskip("pyspiel")
    folder = ROOT / "benchmarks" / "boards"
    rivals = boards.rolled_out(folder, "ultimate_tic_tac_toe", spiel)
    assert [rival.work() for rival in rivals if rival.work is not None] == [2 * boards.ROLLOUTS, boards.MANY]
    assert {f"{name}.rules" for name in (*boards.ROLLED_OUT, *boards.WORDINGS)} == {p.name for p in folder.iterdir()}
    assert [race.name for race in boards.board_races(None, spiel)] == []
