"""Opens the box of games that put nothing hidden into it, or whose rules rely on it.

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
    """Returns a game with an open box if nothing says how things lie there, and nothing hidden comes into it or the rules
    are sound only if it lies open."""
    if world.box is not None:
        return game
    hidden = frozenset(zone.id for zone in game.zones if zone.name == "box" and zone.visible != "all")
    filled = hidden & _filled(game)
    if hidden - filled:
        game = _opened(game, hidden - filled)
    if not filled:
        return game
    faults = _faults(world, game)
    if not faults:
        return game
    opened = _opened(game, filled)
    left = {(fault.primary, fault.message) for fault in _faults(world, opened)}
    mended = [fault for fault in faults if (fault.primary, fault.message) not in left]
    if not mended:
        world.course = None
        return game
    world.relied = mended[0].primary.span
    return opened


def _opened(game: ir.GameRules, boxes: frozenset[int]) -> ir.GameRules:
    zones = tuple(attrs.evolve(zone, visible="all") if zone.id in boxes else zone for zone in game.zones)
    return attrs.evolve(game, zones=zones)


def _filled(game: ir.GameRules) -> frozenset[int]:
    """Returns the zones into which some rule may put things that do not lie open."""
    moves = (node for node in walk((game.procedures, game.choices)) if isinstance(node, ir.Move))
    return frozenset(move.to.zone for move in moves if not _lies_open(game, move.what))


def _lies_open(game: ir.GameRules, what: ir.Source) -> bool:
    """Returns whether what is moved lies in a place that all see."""
    lying: object = what.pile if what.mask is None else what.mask
    if isinstance(lying, ir.Op) and lying.name == "single":
        lying = lying.arguments[0]
    is_place = isinstance(lying, ir.Contents | ir.InSlot | ir.TopOf)
    return is_place and game.zones[lying.zone].visible == "all"  # type: ignore[attr-defined]


def _faults(world: World, game: ir.GameRules) -> list[Diagnostic]:
    probe = attrs.evolve(world, sink=Sink(), course=None)
    check_secrets(probe, game)
    world.course = probe.course
    return [fault for fault in probe.sink.found if fault.is_error]
