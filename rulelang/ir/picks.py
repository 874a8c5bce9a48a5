"""Finds the kind of thing that each random pick of a game yields, and the die that is thrown from a stream.

move random(t in Tile if t.finish) to stack bottom      # the stream `random stack` picks tiles
red.gold += roll(d6)                                    # the stream `d6 red.gold` throws the die d6
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model import GameRules
from rulelang.ir.types import KindType, SetType, Type
from rulelang.ir.walk import rewrite, walk


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
    named = ((pick, _kind_name(pick.of.pile or pick.of.mask, game, locals)) for pick in picks)
    return {
        pick.stream + cell: numbers[name]
        for pick, name in named
        if name in numbers
        for cell in range(max(pick.cells, 1))
    }


def draws_for_cells(statement: ir.Statement) -> bool:
    """Returns whether a statement draws from a stream of the cell that it changes."""
    return any(isinstance(node, ir.Pick | ir.Roll) and node.cells > 0 for node in walk(statement))


def die_of(game: GameRules, stream: int) -> int | None:
    """Returns the id of the die that is thrown from a stream; None for a stream that is no die's."""
    name = game.streams[stream].partition(" ")[0]
    return next((die.id for die in game.dice if die.name == name), None)


def thrown_from(game: GameRules, die: str) -> frozenset[int]:
    """Returns the streams that a die is thrown from."""
    return frozenset(i for i, name in enumerate(game.streams) if name.partition(" ")[0] == die)


def told_name(game: GameRules, stream: int) -> str:
    """Returns the name of a stream that tells nobody whose the draw is."""
    return (game.targets or game.streams)[stream]


def with_earlier_streams(game: GameRules, format: int) -> GameRules:
    """Returns a game with the streams of logs of format 3 or before:
    one for each die, and those of picks by the names of then."""
    which = 0 if format == 3 else 1
    named = [node.earlier[which] for node in walk(game) if isinstance(node, ir.Pick)]
    piles = (name for name in game.streams if name.startswith("shuffle "))
    streams = tuple(dict.fromkeys((*(die.name for die in game.dice), *piles, *named)))
    ids = {name: number for number, name in enumerate(streams)}

    def change(node: Any) -> Any:
        match node:
            case ir.Pick(earlier=earlier):
                return attrs.evolve(node, stream=ids[earlier[which]], cells=0)
            case ir.Roll():
                return attrs.evolve(node, stream=None, cells=0)
            case _:  # nothing else draws from a stream that it names
                return node

    parts = ("procedures", "choices", "data", "values")
    changed: dict[str, Any] = {part: rewrite(getattr(game, part), change) for part in parts}
    return attrs.evolve(game, streams=streams, targets=(), **changed)


def streams_of(game: GameRules, picks: Mapping[int, int], kind: int | None) -> frozenset[int]:
    """Returns the streams that pick or shuffle things of a kind; for None, those that pick anything else, without dice.

    `picks` is what `pick_kinds` returns.
    """
    piles = {f"shuffle {zone.name}": zone.kind for zone in game.zones if zone.form == "pile"}
    kinds = {stream: piles.get(name, picks.get(stream)) for stream, name in enumerate(game.streams)}
    return frozenset(stream for stream, gives in kinds.items() if gives == kind and die_of(game, stream) is None)


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
