"""Finds the kind of thing that each random pick of a game yields.

move random(t in Tile if t.finish) to stack bottom      # the stream `play#1` picks tiles
"""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.ir import model as ir
from rulelang.ir.model import GameRules
from rulelang.ir.types import KindType, SetType, Type
from rulelang.ir.walk import walk


def pick_kinds(game: GameRules, *, movable: bool = True) -> dict[int, int]:
    """Returns, by stream, the id of the kind whose things a `random` picks.

    Only movable kinds count, unless `movable` is false: then
    players, spaces and other things that do not move count too.
    """
    numbers = {kind.name: kind.id for kind in game.kinds if kind.movable or not movable}
    locals: dict[int, Type] = {}
    picks: list[ir.Pick] = []
    for node in walk(game):
        if isinstance(node, ir.Variable):
            locals[node.id] = node.type
        elif isinstance(node, ir.Pick):
            picks.append(node)
    named = ((pick.stream, _kind_name(pick.of.pile or pick.of.mask, game, locals)) for pick in picks)
    return {stream: numbers[name] for stream, name in named if name in numbers}


def streams_of(game: GameRules, picks: Mapping[int, int], kind: int | None) -> frozenset[int]:
    """Returns the streams that pick or shuffle things of a kind; for None, those that pick anything else, without dice.

    `picks` is what `pick_kinds` returns.
    """
    piles = {f"shuffle {zone.name}": zone.kind for zone in game.zones if zone.form == "pile"}
    dice = {die.name for die in game.dice}
    kinds = {stream: piles.get(name, picks.get(stream)) for stream, name in enumerate(game.streams) if name not in dice}
    return frozenset(stream for stream, gives in kinds.items() if gives == kind)


def _kind_name(expr: ir.Expr | None, game: GameRules, locals: dict[int, Type]) -> str:
    """Returns the kind that an expression yields a thing or a set of; "" for anything else."""
    match expr:
        case ir.Contents() | ir.InSlot() | ir.TopOf():
            return game.kinds[game.zones[expr.zone].kind].name
        case ir.Local():
            return _name(locals.get(expr.id))
        case ir.Read():
            return _name(game.states[expr.state].type)
        case ir.Column():
            return _name(game.tables[expr.table].type)
        case ir.CallValue():
            return _name(game.values[expr.value].type)
        case ir.Cell():
            return _name(game.data[expr.data].columns[expr.column].type)
        case ir.Op():
            return next((name for a in expr.arguments if (name := _kind_name(a, game, locals))), "")
        case ir.Either():
            return _kind_name(expr.then, game, locals) or _kind_name(expr.otherwise, game, locals)
        case ir.Over():
            return _kind_name(expr.value, game, locals) or _name(expr.names[0].type)
        case _:  # anything else yields no things
            return ""


def _name(type: Type | None) -> str:
    inner = type.element if isinstance(type, SetType) else type
    return inner.name if isinstance(inner, KindType) else ""
