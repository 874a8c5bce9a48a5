"""A scenario of a game -> the position that its givens lead to, for a match that begins there.

opening(game, "the last heap", seed=7)        the text of a position, for `Game.start(given=…)`
"""

from __future__ import annotations

import attrs

from rulelang.api import Game
from rulelang.api.positions import written_position
from rulelang.diagnostics.suggest import suggest
from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.scenarios.run import began, played_to_fault
from rulelang.seed import Seed
from rulelang.syntax import nodes


@attrs.frozen
class ScenarioOpening:
    """A position to begin from, and its scenario's treatment of lone options."""

    text: str
    players: int
    lone: LoneOptions | None
    fault: str = ""
    """What fails there, if the scenario was run up to that."""


def opening(game: Game, title: str, seed: Seed) -> ScenarioOpening:
    """Returns where a scenario's givens lead: its title, or part of the title of one scenario alone.

    Raises InvalidInput if there is no such scenario or there are several, and RulelangError if it does not come so far.
    """
    scenario, match, faults = began(game, _called(game, title), seed)
    if faults:
        raise RulelangError(f"this scenario leads to no position: {faults[0].message}")
    return ScenarioOpening(written_position(game.internals, match.position), scenario.players, scenario.lone)


def fault_of(game: Game, title: str, seed: Seed) -> ScenarioOpening:
    """Returns the position at the first line of a scenario that fails, with what fails there, or that at its end.

    Raises InvalidInput if there is no such scenario, or nobody is asked there.
    """
    scenario, match, faults = played_to_fault(game, _called(game, title), seed)
    fault = faults[0].message if faults else ""
    return ScenarioOpening(written_position(game.internals, match.position), scenario.players, scenario.lone, fault)


def _called(game: Game, title: str) -> nodes.ScenarioDeclaration:
    titles = {node.title.raw: node for node in game.internals.whole.scenarios}
    near = [name for name in titles if title.casefold() in name.casefold()]
    if title in titles or len(near) == 1:
        return titles[title if title in titles else near[0]]
    if near:
        raise InvalidInput(f"{len(near)} scenarios are called so: {', '.join(map(repr, near[:5]))}")
    meant = suggest(title, titles)
    raise InvalidInput(f"no scenario is called {title!r}" + (f"; did you mean {meant!r}?" if meant else ""))
