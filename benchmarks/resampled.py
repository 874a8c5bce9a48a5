"""How often `mcts` wins liar's dice and Goofspiel from OpenSpiel's `ISMCTSBot`, and how long both think.

    python benchmarks/resampled.py liars_dice --games 400 --bot mcts:200 --simulations 200

Neither game can re-deal itself there, and only the bot that OpenSpiel has in Python can be told how, so that one plays. Each seed is
played twice, with the seats exchanged.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any

import attrs

import rulelang
from rulelang.api.match import Match
from rulelang.lab.bots import Bot, bot
from rulelang.lab.seat_view import SeatView
from rulelang.match.options.option import Option
from rulelang.playouts.rng import RandomStream

ROOT = Path(__file__).parents[1]
EXPLORATION = 1.4
"""That of OpenSpiel's bot, whose rewards lie between -1 and 1; between 0 and 1, as ours do, it would be 0.7."""
DOUBT = 12
"""OpenSpiel's action for calling somebody a liar."""


@attrs.frozen
class Table:
    """A game here and in OpenSpiel.

    rules      the path of its rules
    there      its name in OpenSpiel
    drawn      draws in a match, and returns the same outcome there
    action     the number of an option there
    hides      whether a seat cannot know the move with a number, of so many: its player and the seat are given
    """

    rules: Path
    there: str
    drawn: Callable[[Match, random.Random], int]
    action: Callable[[Option], int]
    hides: Callable[[int, int, int, int], bool]


def thrown(match: Match, rng: random.Random) -> int:
    """Throws a die."""
    face = rng.randrange(6)
    match.play_chance(match.chance[face])
    return face


def offered(match: Match, rng: random.Random) -> int:
    """Returns the prize that lies open: the shuffle at the beginning decides it."""
    (prize,) = next(heap.things for heap in match.view(None).zones if heap.name == "offered")
    return int(str(prize)[len("Prize(") : -1]) - 1


TABLES = {
    "liars_dice": Table(
        ROOT / "tests" / "redeals" / "liars_dice.rules",
        "liars_dice",
        thrown,
        lambda option: DOUBT if option.branch == "doubt" else 6 * (option.answer[1] - 1) + option.answer[2] - 1,
        lambda number, moves, player, seat: number == 1 - seat,
    ),
    "goofspiel": Table(
        ROOT / "benchmarks" / "goofspiel.rules",
        "turn_based_simultaneous_game(game=goofspiel(num_cards=5,points_order=random))",
        offered,
        lambda option: option.answer[1] - 1,
        lambda number, moves, player, seat: number == moves - 1 and player == 1 - seat,
    ),
}


def again(table: Table, state: Any, seat: int, rng: random.Random) -> Any:
    """Returns a state that a seat cannot tell from the present one: what it does not know is drawn anew."""
    found, moves = state.get_game().new_initial_state(), state.full_history()
    for number, move in enumerate(moves):
        is_hidden = table.hides(number, len(moves), move.player, seat)
        found.apply_action(rng.choice(found.legal_actions()) if is_hidden else move.action)
    return found


def opponent(table: Table, there: Any, simulations: int, number: int) -> Any:
    """Returns OpenSpiel's bot for a numbered game, told how to deal anew what a seat does not know."""
    from numpy.random import RandomState
    from open_spiel.python.algorithms import ismcts, mcts

    rollouts, chance = mcts.RandomRolloutEvaluator(1, RandomState(number)), RandomState(number)
    found = ismcts.ISMCTSBot(there, rollouts, EXPLORATION, simulations, random_state=chance)
    resampling = random.Random(number)
    found.set_resampler(lambda state, player: again(table, state, player, resampling))
    return found


def won(
    table: Table,
    rules: rulelang.Game,
    there: Any,
    ours: Bot,
    simulations: int,
    seat: int,
    number: int,
    clock: list[float],
) -> float:
    """Returns what our bot wins in a seat of a numbered game; adds the seconds that both take to a clock."""
    rng, theirs = random.Random(number), opponent(table, there, simulations, number)
    is_thrown = table.drawn is thrown
    match = rules.start(2, number, executor="native", traced=False, lone="asked", explicit_chance=is_thrown)
    state = there.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(table.drawn(match, rng))
            continue
        mover = state.current_player()
        options, since = {table.action(option): option for option in match.options_of(mover)}, process_time()
        assert sorted(options) == state.legal_actions()
        if mover == seat:
            answer = ours.choose(
                SeatView(match, mover, RandomStream("game", number, seat, len(state.history())))
            ).answer
            action = next(action for action, option in options.items() if option.answer == answer)
        else:
            action = int(theirs.step(state))
        clock[int(mover != seat)] += process_time() - since
        state.apply_action(action)
        match.push(options[action])
    returned: float = state.returns()[seat]
    return (1 + returned) / 2


def main() -> None:
    import pyspiel

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=TABLES)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--bot", default="mcts:200")
    parser.add_argument("--simulations", type=int, default=200)
    words = parser.parse_args()
    table, clock = TABLES[words.game], [0.0, 0.0]
    rules, there = rulelang.load(table.rules), pyspiel.load_game(table.there)
    rules.settle("native")
    pairs = [
        fmean(won(table, rules, there, bot(words.bot), words.simulations, seat, number, clock) for seat in range(2))
        for number in range(words.games // 2)
    ]
    error = 1.96 * stdev(pairs) / sqrt(len(pairs))
    print(
        f"{words.bot} wins {100 * fmean(pairs):.0f} % +- {100 * error:.0f}, and takes {clock[0] / clock[1]:.3f} x the time"
    )


if __name__ == "__main__":
    main()
