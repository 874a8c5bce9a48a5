"""Each change of a variable that lasts until its owner's next turn ends makes it fresh: the present turn does not count.

p.haste = yes      ->      p.haste = yes; p.haste_is_fresh = yes
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.walk import Spliced, rewrite
from rulelang.semantics.names.scope import World


def note_freshness(world: World, game: ir.GameRules) -> ir.GameRules:
    """Returns the game with a note behind each change of such a variable but those that put it back."""
    if not world.fresh:
        return game

    def change(node: object) -> object:
        if not isinstance(node, ir.Assign) or node.place.state not in world.fresh:
            return node
        if game.sites[node.site].what == "variable":
            return node  # It is put back.
        place = ir.Place(world.fresh[node.place.state], node.place.index)
        return Spliced((node, ir.Assign(place, "=", ir.Const(1), site=game.states[node.place.state].site)))

    found: ir.GameRules = rewrite(game, change)
    return found
