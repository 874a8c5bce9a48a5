"""Finds the open choices: their options read nothing hidden, so a lone option may be taken without asking.

p chooses one of take, or pass        Choice(open=True, forced=True)
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.semantics.lints.visibility import tells_secrets
from rulelang.semantics.names.scope import World


def mark_open(world: World, game: ir.GameRules) -> ir.GameRules:
    """Returns a game with `open` set on choices whose lone option is no secret, and `forced` where it is taken."""
    choices = []
    for choice in game.choices:
        is_open = not (choice.sealed or choice.private) and not tells_secrets(world, game, choice)
        choices.append(attrs.evolve(choice, open=is_open, forced=is_open and world.lone == "taken"))
    return attrs.evolve(game, choices=tuple(choices))
