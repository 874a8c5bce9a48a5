"""The races of boards that are searched: random games on machine code against OpenSpiel's rollouts, and amazons in three
wordings against each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ...argument import load
from .race import Contestant, Race, Work

ROLLED_OUT: Mapping[str, tuple[str, Mapping[str, int | str | bool | None]]] = {
    "quoridor": ("quoridor", {"most_turns": 324}),
    "havannah": ("havannah(board_size=4)", {}),
    "pentago": ("pentago", {}),
    "ultimate_tic_tac_toe": ("ultimate_tic_tac_toe", {}),
    "lines_of_action": ("lines_of_action", {}),
}
"""The games of `benchmarks/boards/` that are in OpenSpiel: the name there, and the options by which both end alike."""
WORDINGS = {"amazons": "a value that calls itself", "amazons_needs": "a need", "amazons_connected": "`connected`"}
"""The wordings of amazons, by how they say what a queen reaches; the others are held against the first."""
ROLLOUTS = 50
"""The number of games in one piece of OpenSpiel's work."""
MANY = 200
"""The number of games in one piece of ours, which is one call."""


def board_races(checkout: Path | None, pyspiel: Any) -> Iterator[Race]:
    """Yields the races of boards; they need a checkout, machine code, and for all but one OpenSpiel."""
    if checkout is None:
        return
    folder = checkout / "benchmarks" / "boards"
    for name in ROLLED_OUT if pyspiel is not None else ():
        yield Race(f"boards: {name}", "games", partial(rolled_out, folder, name, pyspiel))
    yield Race("boards: amazons", "games", partial(wordings, folder))


def rolled_out(folder: Path, name: str, pyspiel: Any) -> tuple[Contestant, ...]:
    """Returns the contestants for random games from the rules and by OpenSpiel, neither driven by Python."""
    there, options = ROLLED_OUT[name]
    return (
        Contestant("OpenSpiel's rollouts", _rollouts(pyspiel, there), is_base=True),
        Contestant("playouts, native", _played(str(folder / f"{name}.rules"), options)),
    )


def wordings(folder: Path) -> tuple[Contestant, ...]:
    """Returns the contestants for random games of one game in several wordings."""
    return tuple(
        Contestant(wording, _played(str(folder / f"{name}.rules"), {}), is_base=name == "amazons")
        for name, wording in WORDINGS.items()
    )


def _played(path: str, options: Mapping[str, int | str | bool | None]) -> Work:
    game, seeds = load(path), itertools.count()
    game.settle("native")

    def play() -> int:
        return len(game.playouts(MANY, seed=next(seeds), options=options, executor="native"))

    return play


def _rollouts(pyspiel: Any, name: str) -> Work:
    """Returns a function that has OpenSpiel play random games within one call: a search whose tree hardly grows."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 2, 100, False, 3, False)
    state = game.new_initial_state()

    def play() -> int:
        bot.step(state)
        return 2 * ROLLOUTS

    return play
