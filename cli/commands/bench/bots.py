"""The races of bots: how many choices they make, on each executor and against OpenSpiel's bots."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ...argument import load
from .race import Contestant, Race, Work

GREEDY = {"outspeed": 3, "exobase": 1}
"""The games at which `greedy` chooses, and how many play."""
SEARCHED = {"connect_four": 1000, "breakthrough": 300, "othello": 300, "pig": 300}
"""The classics at which `mcts` is held against OpenSpiel's `MCTSBot`, and the budget of both."""
HIDDEN = {"leduc": 500}
"""The games of `tests/redeals/` at which `mcts` is held against OpenSpiel's `ISMCTSBot`, and the budget of both. That bot needs
re-deals, which OpenSpiel's Goofspiel and liar's dice do not have."""
SCORED = {"outspeed": 20, "exobase": 20}
"""The games by whose score `mcts` searches, and its budget."""
PLANNED = {"outspeed": 300, "exobase": 300}
"""The games at which `planner` chooses, and its budget."""
COMPARED = ("outspeed", "sprint")
"""The game and the variant that `greedy` plays against each other."""
LONGEST = 6
"""The choices of a game before the next begins: later ones of a search are faster, because less is left to play."""
EXPLORATION = 0.7
"""The exploration of OpenSpiel's bot."""


def bot_races(checkout: Path | None, pyspiel: Any) -> Iterator[Race]:
    """Yields the races of bots; those of the classics need a checkout, and OpenSpiel."""
    for name, players in GREEDY.items():
        yield Race(f"bots: {name}", "choices", partial(greedy, name, players))
    yield Race(f"bots: diff {COMPARED[0]}", "games", partial(compared, *COMPARED))
    for name, budget in PLANNED.items():
        yield Race(f"bots: planner, {name}", "choices", partial(planned, name, GREEDY[name], budget))
    for name, budget in SCORED.items():
        yield Race(f"bots: mcts, {name}", "choices", partial(by_score, name, GREEDY[name], budget))
    for name, budget in SEARCHED.items() if checkout is not None and pyspiel is not None else ():
        assert checkout is not None
        path = str(checkout / "tests" / "classics" / f"{name}.rules")
        yield Race(f"bots: {name}", "choices", partial(searched, path, name, budget, pyspiel))
    for name, budget in HIDDEN.items() if checkout is not None and pyspiel is not None else ():
        assert checkout is not None
        path = str(checkout / "tests" / "redeals" / f"{name}.rules")
        yield Race(f"bots: {name}", "choices", partial(dealt, path, f"{name}_poker", budget, pyspiel))


def greedy(name: str, players: int) -> tuple[Contestant, ...]:
    """Returns the contestants for choices of `greedy`: on generated Python, and on whatever is fastest."""
    return (
        Contestant("greedy, generated", chosen(name, players, "greedy", "generated"), is_base=True),
        Contestant("greedy", chosen(name, players, "greedy", "auto")),
        Contestant("greedy, traced", chosen(name, players, "greedy", "auto", traced=True)),
    )


def searched(path: str, name: str, budget: int, pyspiel: Any) -> tuple[Contestant, ...]:
    """Returns the contestants for choices by tree search with equal budgets."""
    return (
        Contestant("OpenSpiel's MCTSBot", open_spiel(pyspiel, name, budget), is_base=True),
        Contestant(f"mcts:{budget}", chosen(path, 2, f"mcts:{budget}", "auto", most=LONGEST)),
    )


def dealt(path: str, name: str, budget: int, pyspiel: Any) -> tuple[Contestant, ...]:
    """Returns the contestants for choices among hidden cards, by tree search with equal budgets."""
    return (
        Contestant("OpenSpiel's ISMCTSBot", open_spiel(pyspiel, name, budget, is_hidden=True), is_base=True),
        Contestant(f"mcts:{budget}", chosen(path, 2, f"mcts:{budget}", "auto")),
    )


def planned(name: str, players: int, budget: int) -> tuple[Contestant, ...]:
    """Returns the contestants for choices of `planner`: on generated Python, and on whatever is fastest."""
    return (
        Contestant("planner, generated", chosen(name, players, f"planner:{budget}", "generated"), is_base=True),
        Contestant(f"planner:{budget}", chosen(name, players, f"planner:{budget}", "auto")),
    )


def compared(name: str, variant: str) -> tuple[Contestant, ...]:
    """Returns the contestants for games of `greedy` that are measured, as `diff --games` does: on generated Python, and by two
    rule sets on whatever is fastest."""
    return (
        Contestant("greedy, generated", measured((name,), "generated"), is_base=True),
        Contestant(f"{name} and {name}+{variant}", measured((name, f"{name}+{variant}"), "auto")),
    )


def measured(names: tuple[str, ...], executor: str) -> Work:
    """Returns a function that plays and measures a game by each of some rule sets, with the same seed."""
    from rulelang.lab.arena import Fixture
    from rulelang.lab.bots import bot
    from rulelang.workbench.comparison import measure

    games, seeds, players = [load(name, quiet=True) for name in names], itertools.count(), GREEDY[names[0]]
    for game in games:
        game.settle(executor)

    def play() -> int:
        fixture = Fixture(0, next(seeds), (0,) * players)
        for game in games:
            measure(partial(game.start, players, executor=executor, traced=False), (bot("greedy"),), fixture)
        return len(games)

    return play


def by_score(name: str, players: int, budget: int) -> tuple[Contestant, ...]:
    """Returns the contestants for choices by tree search and score: on generated Python, and on whatever is fastest."""
    return (
        Contestant("mcts, generated", chosen(name, players, f"mcts:{budget}", "generated"), is_base=True),
        Contestant(f"mcts:{budget}", chosen(name, players, f"mcts:{budget}", "auto")),
    )


def chosen(name: str, players: int, who: str, executor: str, *, traced: bool = False, most: int | None = None) -> Work:
    """Returns a function that has a bot make its next choice, in one game after the other."""
    from rulelang.lab.bots import bot, play_on
    from rulelang.playouts.playout import MOST_CHOICES

    game, bots = load(name), (bot(who),) * players
    game.settle(executor)

    def choices() -> Iterator[int]:
        for seed in itertools.count():
            match = game.start(players, seed, executor=executor, traced=traced)
            for _ in play_on(match, bots, seed, most=most or MOST_CHOICES):
                yield 1

    return partial(next, choices())


def open_spiel(pyspiel: Any, name: str, budget: int, *, is_hidden: bool = False) -> Work:
    """Returns a function that has OpenSpiel's bot make its next choice, in one game after the other."""
    game = pyspiel.load_game(name)

    def choices() -> Iterator[int]:
        for seed in itertools.count():
            rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
            if is_hidden:
                by_visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
                player = pyspiel.ISMCTSBot(seed, rollouts, EXPLORATION, budget, -1, by_visits, False, False)
            else:
                player = pyspiel.MCTSBot(game, rollouts, EXPLORATION, budget, 1000, False, seed, False)
            state = game.new_initial_state()
            plies = 0
            while plies < LONGEST and not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(state.chance_outcomes()[seed % len(state.chance_outcomes())][0])
                    continue
                plies += 1
                state.apply_action(player.step(state))
                yield 1

    return partial(next, choices())
