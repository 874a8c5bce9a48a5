"""The bot that imagines games: what it finds, and that its budget and seed alone decide."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.lab import mcts
from rulelang.lab.bots import bot, play_on
from rulelang.lab.seat_view import SeatView
from rulelang.match.match import BareMatch
from rulelang.playouts.rng import RandomStream
from tests.games.classics import classic

DUEL = """\
game duel "Duel":
  players 2
  seats red, blue

names p, q: Player

enum Hand: rock, paper

the game has:
  over: flag = no
each Player has:
  thrown: Hand = rock

action throw(p, h: Hand) "Throw {h}":
  p.thrown = h

play:
  each p in players secretly chooses one of throw
  if red.thrown == paper and blue.thrown == paper: finish with winner players
  if red.thrown == paper: finish with winner red
  if blue.thrown == paper: finish with winner blue
  finish with winner players
"""


def chosen(match: BareMatch, name: str, seed: int = 1) -> str:
    """Returns what a bot takes for the seat that is to move."""
    return bot(name).choose(SeatView(match, match.to_move[0], RandomStream(seed))).text


def after(game: str, *moves: str) -> BareMatch:
    """Returns a match of a classic in which these moves were made."""
    match = classic(game).start(seed=1, traced=False)
    for move in moves:
        match.play(move)
    return match


@pytest.mark.parametrize(
    ("moves", "wins"),
    [
        (("put(a1)", "put(b1)", "put(a2)", "put(b2)"), {"put(a3)"}),
        # Who must, blocks.
        (("put(a1)", "put(c3)", "put(a2)"), {"put(a3)"}),
        # A fork: two lines at once.
        (("put(a1)", "put(b1)", "put(a3)", "put(a2)"), {"put(c1)", "put(b2)", "put(c3)"}),
    ],
)
def test_a_forced_win_of_tic_tac_toe_is_found(moves: tuple[str, ...], wins: set[str]) -> None:
    assert {chosen(after("tic_tac_toe", *moves), "mcts:600", seed) for seed in range(3)} <= wins


def test_connect_four_is_won_at_once_and_blocked_in_time() -> None:
    three = ("drop(1)", "drop(2)", "drop(1)", "drop(2)", "drop(1)")
    assert chosen(after("connect_four", *three, "drop(3)"), "mcts:300") == "drop(1)"
    assert chosen(after("connect_four", *three), "mcts:300") == "drop(1)"


def test_three_in_a_row_open_at_both_ends_is_built_in_connect_four() -> None:
    match = after("connect_four", "drop(3)", "drop(3)", "drop(4)", "drop(4)")
    assert chosen(match, "mcts:1500") in {"drop(2)", "drop(5)"}


def test_who_chooses_at_the_same_time_as_others_takes_what_is_best_whatever_they_take() -> None:
    checked = rulelang.check_text(DUEL)
    assert checked.game is not None, checked.diagnostics
    match = checked.game.start(2)
    for seat in range(2):
        found = bot("mcts:200").choose(SeatView(match, seat, RandomStream(1)))
        assert (found.seat, found.text) == (seat, "throw(paper)")


def test_the_same_seed_imagines_the_same_games() -> None:
    def game(seed: int) -> list[str]:
        match = classic("connect_four").start(seed=4, traced=False)
        return [option.text for option in play_on(match, (bot("mcts:20"),) * 2, seed)]

    assert game(3) == game(3)
    assert game(3) != game(4)


def test_positions_that_are_kept_change_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = rulelang.load("empty_space")
    played: list[list[str]] = []
    for room in (mcts.KEPT, 0):
        monkeypatch.setattr(mcts, "KEPT", room)
        starts = [(classic(name), 80) for name in ("connect_four", "kuhn", "pig")] + [(hidden, 2)]
        for game, budget in starts:
            match = game.start(2, 5, traced=False)
            bots = (bot(f"mcts:{budget}"),) * 2
            played.append([option.text for option in play_on(match, bots, 5, most=4)])
    assert played[:4] == played[4:]


def test_what_it_takes_does_not_hang_on_what_it_cannot_see() -> None:
    match = classic("kuhn").start(seed=4)
    match.play("check")
    twins = [match.redeal(1, RandomStream(seed), traced=True) for seed in range(20)]
    assert len({tuple(twin.position.row) for twin in twins}) > 1
    assert len({chosen(twin, "mcts:40") for twin in twins}) == 1


def test_the_smallest_budget_still_chooses() -> None:
    assert chosen(after("connect_four"), "mcts:0").startswith("drop")
    assert chosen(after("connect_four"), "mcts:1").startswith("drop")


@pytest.mark.parametrize("name", ["outspeed", "empty_space", "exobase", "exit_velocity"])
def test_it_plays_the_games_that_ship(name: str) -> None:
    game = rulelang.load(name)
    match = game.start(seed=1, traced=False)
    steps = play_on(match, (bot("mcts:4"),) * match.players, 1)
    assert all(next(steps) for _ in range(6))


def test_it_beats_random_play_at_connect_four() -> None:
    won = 0
    for seed in range(10):
        match = classic("connect_four").start(seed=seed, traced=False)
        seats = (bot("mcts:60"), bot("random")) if seed % 2 else (bot("random"), bot("mcts:60"))
        for _ in play_on(match, seats, seed):
            pass
        assert match.outcome is not None
        won += match.outcome.winners == ((0,) if seed % 2 else (1,))
    assert won >= 9
