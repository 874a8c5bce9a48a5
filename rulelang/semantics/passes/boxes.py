"""Opens the box of games whose rules rely on it: what they ask would tell secrets if it were not open.

move c to box; if c.n > 3: q chooses …        all saw the card in the box, before boxes kept what comes hidden into them
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.semantics.lints.visibility import check_secrets
from rulelang.semantics.names.scope import World


def open_boxes(world: World, game: ir.GameRules) -> ir.GameRules:
    """Returns a game with an open box if nothing says how things lie there, and the rules are sound only if they lie
    open."""
    hidden = frozenset(zone.id for zone in game.zones if zone.name == "box" and zone.visible != "all")
    if world.box is not None or not _are_filled(game, hidden):
        return game
    faults = _faults(world, game)
    if not faults:
        return game
    zones = tuple(attrs.evolve(zone, visible="all") if zone.id in hidden else zone for zone in game.zones)
    opened = attrs.evolve(game, zones=zones)
    left = {(fault.primary, fault.message) for fault in _faults(world, opened)}
    mended = [fault for fault in faults if (fault.primary, fault.message) not in left]
    if not mended:
        world.course = None
        return game
    world.relied = mended[0].primary.span
    return opened


def _are_filled(game: ir.GameRules, boxes: frozenset[int]) -> bool:
    """Returns whether any rule puts things into some boxes."""
    bodies = (game.procedures, game.choices)
    return bool(boxes) and any(isinstance(node, ir.Move) and node.to.zone in boxes for node in walk(bodies))


def _faults(world: World, game: ir.GameRules) -> list[Diagnostic]:
    probe = attrs.evolve(world, sink=Sink(), course=None)
    check_secrets(probe, game)
    world.course = probe.course
    return [fault for fault in probe.sink.found if fault.is_error]
