"""How many chips `mcts` wins a hand of Leduc poker from OpenSpiel's `ISMCTSBot`, and how long both think.

    python benchmarks/ismcts.py --hands 1000 --budget 500 --bot mcts:500 mcts:900

Each deal is played twice, with the seats exchanged. OpenSpiel deals and settles; `tests/redeals/leduc_stakes.rules`, in which a chip
is worth the same everywhere, follows it.
"""

from __future__ import annotations

import argparse
import random
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
from rulelang.playouts.rng import RandomStream

RULES = Path(__file__).parents[1] / "tests" / "redeals" / "leduc_stakes.rules"
RANKS = ("jack", "queen", "king")
ACTIONS = {"fold": 0, "call": 1, "check": 1, "bet": 2, "raise": 2}
"""By option: the number of the same action in OpenSpiel."""
EXPLORATION = 0.7
"""The exploration of OpenSpiel's bot."""


@attrs.define
class Clock:
    """The choices of two bots and the seconds that they took: ours and OpenSpiel's."""

    choices: list[int] = attrs.field(factory=lambda: [0, 0])
    seconds: list[float] = attrs.field(factory=lambda: [0.0, 0.0])

    def took(self, who: int, since: float) -> None:
        """Notes a choice."""
        self.choices[who] += 1
        self.seconds[who] += process_time() - since

    @property
    def milliseconds(self) -> list[float]:
        """The mean time of a choice."""
        return [1e3 * s / max(n, 1) for s, n in zip(self.seconds, self.choices, strict=True)]


def drawn(match: Match, card: int) -> None:
    """Draws a card of OpenSpiel's deck, of which two adjoining ones have the same rank."""
    rank = RANKS[card // 2]
    match.play_chance(next(one for one in match.chance if one.text.endswith(rank)))


def hand(rules: rulelang.Game, state: Any, cards: list[int], ours: Bot, theirs: Any, seat: int, clock: Clock) -> float:
    """Returns the chips that our bot wins in a seat."""
    match = rules.start(2, 1, executor="native", traced=False, explicit_chance=True)
    dealt = iter(cards)
    while not state.is_terminal():
        if state.is_chance_node():
            card = next(dealt)
            state.apply_action(card)
            drawn(match, card)
            continue
        texts = {ACTIONS[option.text]: option.text for option in match.options}
        assert sorted(texts) == state.legal_actions()
        since = process_time()
        if state.current_player() == seat:
            rng = RandomStream("hand", *map(str, cards), seat, len(state.history()))
            action = ACTIONS[ours.choose(SeatView(match, seat, rng)).text]
        else:
            action = theirs.step(state)
        clock.took(int(state.current_player() != seat), since)
        state.apply_action(action)
        match.play(texts[action])
    chips: float = state.returns()[seat]
    return chips


def won(name: str, budget: int, hands: int, clock: Clock) -> list[float]:
    """Returns the chips that a bot wins in each deal, in both seats together."""
    import pyspiel

    rules, rng, found = rulelang.load(RULES), random.Random(7), list[float]()
    rules.settle("native")
    leduc = pyspiel.load_game("leduc_poker")
    by_visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    for number in range(hands // 2):
        cards = rng.sample(range(6), 3)
        both = []
        for seat in range(2):
            rollouts = pyspiel.RandomRolloutEvaluator(1, number)
            theirs = pyspiel.ISMCTSBot(number, rollouts, EXPLORATION, budget, -1, by_visits, False, False)
            both.append(hand(rules, leduc.new_initial_state(), cards, bot(name), theirs, seat, clock))
        found.append(sum(both))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--budget", type=int, default=500)
    parser.add_argument("--bot", nargs="+", default=["mcts:500"])
    words = parser.parse_args()
    for name in words.bot:
        clock = Clock()
        pairs = [chips / 2 for chips in won(name, words.budget, words.hands, clock)]
        ours, theirs = clock.milliseconds
        error = 1.96 * stdev(pairs) / sqrt(len(pairs))
        print(
            f"{name:<12}{fmean(pairs):>8.3f} +- {error:.3f} chips a hand{ours:>8.2f} ms against {theirs:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
