"""Bots: what they see, what they choose, and what many games say."""

from __future__ import annotations

from pathlib import Path

import pytest
from classics_games import classic

import rulelang
from rulelang.lab.bots import BOTS, SeatView, bot, play_on
from rulelang.lab.luck import Luck
from rulelang.lab.playout import playout
from rulelang.lab.statistics import Rate, win_rates
from rulelang.runtime.random import Seeded

STEERED = """\
game steered "Steered":
  players 2
  seats red, blue

names p: Player; n: 1..3

the game has:
  heap: 0..12 = 12

action take(p, n) "Take {n}":
  needs n <= heap  "Only {heap} left"
  heap -= n

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p

value score(p) = 1 if heap % 4 == 0 else 0
"""


@pytest.fixture
def steered(tmp_path: Path) -> rulelang.Game:
    path = tmp_path / "steered.rules"
    path.write_text(STEERED)
    return rulelang.load(path)


@pytest.mark.parametrize("name", [bot.name for bot in BOTS])
@pytest.mark.parametrize("players", [3, 6])
def test_every_bot_plays_a_whole_game(name: str, players: int) -> None:
    match = rulelang.load("outspeed").start(players, 1, traced=name != "greedy")
    for _ in play_on(match, (bot(name),) * players, 1):
        pass
    assert match.outcome is not None


def test_the_same_seed_makes_bots_choose_the_same() -> None:
    def game(seed: int) -> list[str]:
        match = rulelang.load("outspeed").start(4, seed)
        return [option.text for option in play_on(match, (bot("random"),) * 4, seed)]

    assert game(3) == game(3)
    assert game(3) != game(4)


def test_greedy_takes_what_scores_best(steered: rulelang.Game) -> None:
    match = steered.start(2)
    match.play("take(1)")
    assert bot("greedy").choose(SeatView(match, 1, Luck(1))).text == "take(3)"


def test_greedy_takes_a_win_at_once(steered: rulelang.Game) -> None:
    match = steered.start(2)
    for option in ("take(3)", "take(3)", "take(3)"):
        match.play(option)
    assert bot("greedy").choose(SeatView(match, 1, Luck(1))).text == "take(3)"


def test_greedy_without_a_score_takes_anything() -> None:
    match = classic("nim").start(2)
    chosen = {bot("greedy").choose(SeatView(match, 0, Luck(seed))).text for seed in range(30)}
    assert chosen == {"take(1)", "take(2)", "take(3)"}


def test_a_bot_is_given_what_its_seat_sees_and_nothing_more() -> None:
    match = classic("kuhn").start(2, 7)
    seen = SeatView(match, 0, Luck(1))
    assert seen.view() == match.view(0)
    hands = {str(deal.view(None).zones) for deal in (seen.redeal() for _ in range(1))}
    assert hands
    others = {str(deal.row) for deal in (seen.redeal() for _ in range(20))}
    assert len(others) > 1
    assert all(seen.redeal().view(0)["first.hand"] == match.view(0)["first.hand"] for _ in range(5))
    assert all(option._label is None for option in seen.options)


def test_a_greedy_choice_does_not_depend_on_what_is_hidden() -> None:
    game = rulelang.load("outspeed")
    match = game.start(3, 5)
    seen = SeatView(match, 0, Luck(2))
    other = SeatView(seen.redeal(), 0, Luck(9))
    assert {option.text for option in other.options} == {option.text for option in seen.options}


def test_a_playout_ends_and_counts_its_answers() -> None:
    game = classic("connect_four")
    machine = game.machine()(Seeded(1, game.ir, game.layout))
    machine.begin(2, {})
    assert 7 <= playout(machine, Luck(1)) <= 42
    assert machine.pending is None


def test_luck_is_even_and_depends_on_its_names_alone() -> None:
    luck = Luck("a", 1)
    counts = [0] * 6
    for _ in range(6000):
        counts[luck.randrange(6)] += 1
    assert min(counts) > 850
    assert [Luck("a").randrange(1000) for _ in range(2)] == [Luck("a").randrange(1000)] * 2
    assert [Luck("a", "b").randrange(10**9)] != [Luck("ab").randrange(10**9)]


def test_a_rate_says_how_sure_it_is() -> None:
    assert Rate(50, 100).low < 0.5 < Rate(50, 100).high
    assert Rate(500, 1000).high - Rate(500, 1000).low < Rate(50, 100).high - Rate(50, 100).low
    assert (Rate(0, 0).low, Rate(0, 0).high) == (0.0, 1.0)


def test_greedy_beats_random_where_the_score_leads_to_a_win(steered: rulelang.Game) -> None:
    red, blue = win_rates(lambda seed: steered.start(2, seed, traced=False), (bot("random"), bot("greedy")), 40)
    assert blue.low > red.high
    assert red.wins + blue.wins == 40
