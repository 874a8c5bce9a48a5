"""How often `mcts` wins board games from OpenSpiel's `MCTSBot`, and how long both think.

    python benchmarks/mcts.py connect_four --games 100 --bot mcts:1000 --simulations 180

Each seed is played twice, with the seats exchanged.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any

import attrs

import rulelang
from rulelang.lab.bots import Bot, bot
from rulelang.lab.seat_view import SeatView
from rulelang.match.options.option import Option
from rulelang.playouts.rng import RandomStream

CLASSICS = Path(__file__).parents[1] / "tests" / "classics"
EXPLORATION = 1.4
"""That of OpenSpiel's bot, whose rewards lie between -1 and 1; between 0 and 1, as ours do, it would be 0.7."""
PASS = 64
"""OpenSpiel's action for a pass in Othello."""


def column(option: Option) -> int:
    """Returns the number of a move of Connect Four in OpenSpiel."""
    return option.answer[1] - 1


def disc(option: Option) -> int:
    """Returns the same of Othello."""
    return PASS if option.branch == "skip" else 8 * (int(option.text[5]) - 1) + "abcdefgh".index(option.text[4])


def man(option: Option) -> str:
    """Returns a move of breakthrough as OpenSpiel writes it, which counts rows from the other side, without the mark of one that
    takes."""
    start, way = option.text[3:-1].split(", ")
    across = 1 if way.endswith("east") else -1 if way.endswith("west") else 0
    row = 9 - int(start[1])
    return f"{start[0]}{row}{chr(ord(start[0]) + across)}{row + (1 if way.startswith('north') else -1)}"


BOARDS: dict[str, Callable[[Option], int | str]] = {"connect_four": column, "othello": disc, "breakthrough": man}
"""By game: the number or the text of a move in OpenSpiel."""


def actions(state: Any, options: list[Option], named: Callable[[Option], int | str]) -> dict[int, Option]:
    """Returns the options by their numbers in OpenSpiel."""
    by_name = {named(option): option for option in options}
    there = {action: state.action_to_string(action).removesuffix("*") for action in state.legal_actions()}
    found = {action: by_name.get(action) or by_name[text] for action, text in there.items()}
    assert len(found) == len(options)
    return found


@attrs.define
class Clock:
    """The seconds that two bots have taken: ours and OpenSpiel's."""

    ours: float = 0.0
    theirs: float = 0.0


def won(
    rules: rulelang.Game, name: str, ours: Bot, state: Any, theirs: Any, seat: int, number: int, clock: Clock
) -> float:
    """Returns what our bot wins in a seat of a numbered game, which begins in a state of OpenSpiel's."""
    match = rules.start(2, 1, executor="native", traced=False, lone="asked")
    while not state.is_terminal():
        options, since = actions(state, list(match.options), BOARDS[name]), process_time()
        if state.current_player() == seat:
            rng = RandomStream("game", number, seat, len(state.history()))
            answer = ours.choose(SeatView(match, seat, rng)).answer
            clock.ours += process_time() - since
            action = next(action for action, option in options.items() if option.answer == answer)
        else:
            action = theirs.step(state)
            clock.theirs += process_time() - since
        state.apply_action(action)
        match.push(options[action])
    returned: float = state.returns()[seat]
    return (1 + returned) / 2


def main() -> None:
    import pyspiel

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--bot", default="mcts:1000")
    parser.add_argument("--simulations", type=int, default=1000)
    words = parser.parse_args()
    rules, there = rulelang.load(CLASSICS / f"{words.board}.rules"), pyspiel.load_game(words.board)
    rules.settle("native")
    pairs, clock = list[float](), Clock()
    for number in range(words.games // 2):
        both = 0.0
        for seat in range(2):
            state, rollouts = there.new_initial_state(), pyspiel.RandomRolloutEvaluator(1, number)
            theirs = pyspiel.MCTSBot(there, rollouts, EXPLORATION, words.simulations, 1000, True, number, False)
            both += won(rules, words.board, bot(words.bot), state, theirs, seat, number, clock)
        pairs.append(both / 2)
    error = 1.96 * stdev(pairs) / sqrt(len(pairs))
    print(
        f"{words.bot} wins {100 * fmean(pairs):.0f} % +- {100 * error:.0f}, and takes {clock.ours / clock.theirs:.2f} x the time"
    )


if __name__ == "__main__":
    main()
