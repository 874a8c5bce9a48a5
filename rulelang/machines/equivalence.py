"""A row and a thing -> what tells it apart from others: equal likenesses, interchangeable things.

Two things are alike when they are so by their print, lie in the same place, on the same face, and every variable of
theirs has the same value. Options, outcomes and keys take alike things as one.

    | copies | power |
    | 2      | nitro |        # the two nitro tokens in one hand are alike
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.model import Game, Kind, StateVariable
from rulelang.ir.types import KindType, SetType, Type
from rulelang.ir.walk import walk
from rulelang.machines.machine import Row
from rulelang.program.layout import Layout


def likeness(game: Game, layout: Layout, row: Row, kind: int, thing: int) -> tuple[int, ...]:
    """Gives a tuple that two things of a kind share if and only if they are interchangeable in this row."""
    things = game.kinds[kind]
    traits = [things.classes[thing]]
    if things.movable:
        traits += (row[layout.places[kind] + thing], row[layout.faces[kind] + thing])
    for state in game.states:
        if is_about(state, things):
            width = layout.state_sizes[state.id] // things.size
            start = layout.states[state.id] + thing * width
            traits += row[start : start + width]
    return tuple(traits)


def is_about(state: StateVariable, kind: Kind) -> bool:
    """Says whether a variable belongs to each thing of a kind: its first dimension is that kind."""
    first = state.dimensions[0] if state.dimensions else None
    return isinstance(first, KindType) and first.name == kind.name


def pick_kinds(game: Game, *, movable: bool = True) -> dict[int, int]:
    """Gives, by stream, the kind of thing that a `random` site picks, where it picks things that may be alike.

    With `movable` false, also where it picks players, spaces and other things that do not move.
    """
    numbers = {kind.name: kind.id for kind in game.kinds if kind.movable or not movable}
    nodes = list(walk(game))
    locals = {node.id: node.type for node in nodes if isinstance(node, ir.Variable)}
    found = {}
    for node in nodes:
        if isinstance(node, ir.Pick):
            name = _kind_name(node.of.pile or node.of.mask, game, locals)
            if name in numbers:
                found[node.stream] = numbers[name]
    return found


def _kind_name(expr: ir.Expr | None, game: Game, locals: dict[int, Type]) -> str:
    """Gives the name of the kind that an expression is a thing or a set of, or ""."""
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
        case _:
            return ""


def _name(type: Type | None) -> str:
    inner = type.element if isinstance(type, SetType) else type
    return inner.name if isinstance(inner, KindType) else ""
