"""Many games between bots: who sits where, what is counted, and that nothing hangs on how it is done."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import rulelang
from rulelang.lab.arena import Fixture, Played, lineups, play, schedule, standings
from rulelang.lab.bots import Bot, bot
from rulelang.lab.statistics import Rate
from rulelang.playouts.rng import RandomStream
from tests.games.classics import classic

BOTS = (bot("first"), bot("random"))


def nim(seed: int) -> rulelang.Match:
    return classic("nim").start(2, seed, traced=False)


def games(count: int, bots: tuple[Bot, ...] = BOTS) -> list[Played]:
    return [play(nim, bots, fixture) for fixture in schedule(len(bots), 2, count)]


def test_every_bot_sits_once_in_every_seat_on_each_seed() -> None:
    fixtures = list(schedule(bots=3, players=3, games=6))
    for seed in (0, 1):
        seatings = [fixture.seating for fixture in fixtures if fixture.seed == seed]
        assert len(seatings) == 3
        assert all(sorted(seats) == [0, 1, 2] for seats in zip(*seatings, strict=True))


def test_more_bots_than_seats_meet_in_every_choice_of_them() -> None:
    assert lineups(3, 2) == ((0, 1), (0, 2), (1, 2))
    assert lineups(3, 1) == ((0,), (1,), (2,))
    assert Counter(fixture.lineup for fixture in schedule(3, 2, 10)) == {0: 10, 1: 10, 2: 10}


def test_fewer_bots_than_seats_take_turns() -> None:
    assert lineups(2, 5) == ((0, 1, 0, 1, 0),)


@pytest.mark.parametrize(("bots", "players"), [(1, 2), (2, 4), (2, 3), (3, 2)])
def test_no_game_is_played_twice(bots: int, players: int) -> None:
    fixtures = list(schedule(bots, players, 24))
    assert len({(fixture.lineup, fixture.seed, fixture.seating) for fixture in fixtures}) == len(fixtures)


def test_a_game_hangs_on_its_fixture_alone() -> None:
    fixtures = list(schedule(2, 2, 8))
    forwards = [play(nim, BOTS, fixture) for fixture in fixtures]
    backwards = [play(nim, BOTS, fixture) for fixture in reversed(fixtures)]
    assert forwards == backwards[::-1]


def test_wins_are_counted_by_bot_wherever_it_sat() -> None:
    (standing,) = standings(games(40))
    assert standing.games == 40
    assert [result.rate.games for result in standing.results] == [40, 40]
    assert sum(result.rate.wins for result in standing.results) == 40
    assert sum(count for _, count in standing.ends) == 40
    assert {how for (how, _), _ in standing.ends} == {"winner"}
    assert standing.plies.lowest <= standing.plies.quantile(0.5) <= standing.plies.highest


def test_a_shared_win_counts_as_its_part() -> None:
    def shared(seed: int) -> rulelang.Match:
        return classic("tic_tac_toe").start(2, seed, traced=False)

    played = [play(shared, (bot("random"),), fixture) for fixture in schedule(1, 2, 60)]
    assert {sum(game.won) for game in played} <= {0, 1}
    (standing,) = standings(played)
    assert standing.results[0].rate.games == 120


def test_whoever_ends_alone_with_a_score_has_won_and_the_others_have_lost() -> None:
    game = rulelang.load("exobase")
    day = game.internals.layout.states[next(s.id for s in game.ir.states if s.name == "day")]
    played = play(lambda seed: game.start(1, seed, traced=False), (bot("random"),), Fixture(0, 3, (0,)), (day,))
    assert played.won == (Fraction(0),)
    assert played.end[0] == "lost"
    assert 1 <= played.noted[0] <= 11
    (standing,) = standings([played])
    assert standing.noted == ({played.noted[0]: (1, 0)},)
    assert standing.results[0].score is None


@pytest.mark.long
@pytest.mark.slow
def test_a_planner_wins_games_of_exobase_that_greedy_loses() -> None:
    game = rulelang.load("exobase")
    bots = (bot("planner:200"), bot("greedy"))
    fixtures = schedule(2, 1, 20, first_seed=3)
    found = standings(play(lambda seed: game.start(1, seed, traced=False), bots, fixture) for fixture in fixtures)
    planner, greedy = (standing.results[0].rate.wins for standing in found)
    assert planner > greedy


def test_the_bots_have_a_seed_of_their_own() -> None:
    def taken(bot_seed: int) -> list[tuple[int, tuple[tuple[str, int], ...]]]:
        fixtures = schedule(2, 2, 8, first_seed=3, first_bot_seed=bot_seed)
        both = (bot("random"), bot("random"))
        return [(played.plies, played.taken) for played in (play(nim, both, fixture) for fixture in fixtures)]

    assert taken(1) == taken(1)
    assert taken(1) != taken(2)


def test_the_seats_of_one_seed_are_no_independent_trials() -> None:
    """A bot that wins or loses in all seats of a seed at once has been seen as often as there are seeds."""
    seating = (0, 0, 0, 0)
    simultaneous = [
        Played(Fixture(0, seed, seating), (Fraction(seed % 2),) * 4, (), 1, ("winner", "play")) for seed in range(40)
    ]
    (standing,) = standings(simultaneous)
    (result,) = standing.results
    assert (result.rate.wins, result.rate.games) == (80, 160)
    assert result.rate.worth == pytest.approx(39 * 0.953, abs=0.1), "the variance of forty seeds is an estimate itself"
    wide = Rate(result.rate.wins, result.rate.games)
    assert result.rate.high - result.rate.low > wide.high - wide.low


def test_blocks_that_all_came_out_alike_count_once_each() -> None:
    assert Rate.of_blocks([(2.0, 2)] * 10).worth == 10
    assert Rate.of_blocks([(0.0, 4)] * 10).worth == 10
    assert Rate.of_blocks([]).games == 0


def test_mirrored_seats_never_count_for_more_than_there_are() -> None:
    assert Rate.of_blocks([(1.0, 2)] * 30).worth == 60


@pytest.mark.parametrize("blocks", [8, 60])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_intervals_hold_the_true_rate_as_often_as_they_say(size: int, blocks: int) -> None:
    """Games of a block come out alike, or in two halves: 95 in 100 intervals hold the rate they were drawn with."""
    bot_seed, held = RandomStream(7, "coverage"), 0
    for _ in range(400):
        rate = Rate.of_blocks(
            (sum((size + part) // 2 * (bot_seed.randrange(10) < 3) for part in (0, 1)), size) for _ in range(blocks)
        )
        held += rate.low <= 0.3 <= rate.high
    assert 0.92 <= held / 400 <= 0.995
