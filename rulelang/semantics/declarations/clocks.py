"""Clocks: the variables of a clock, and the table of the time that each answer costs.

clock sand: 0..60               a variable `sand` that begins full, and a hidden one for a person's reading
  | action | seconds |
  | walk   | 1       |
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import LARGEST, NONE, BadType, IntType
from rulelang.semantics.declarations.tables import cells_by_name, header
from rulelang.semantics.names.scope import ClockName, StateName, World
from rulelang.semantics.names.type_relations import name_of
from rulelang.semantics.names.type_syntax import written_type
from rulelang.syntax import nodes

UNITS = {"seconds": 1, "milliseconds": 1000}
"""The columns of time that a clock's table may have, with the number of their units in a second."""


def declare_clock(world: World, node: nodes.ClockDeclaration) -> None:
    """Enters a clock: its variable, the variable for readings, and its table."""
    name = node.name.text
    type = written_type(world, node.type)
    if isinstance(type, BadType):
        return
    if not isinstance(type, IntType) or type.low != 0 or type.optional:
        world.sink.report("E0302", f"a clock runs down to 0, this is {name_of(type)}", node.type.span, "`0..60`")
        return
    site = world.site("variable", node.name.span, node.cites)
    state = world.state(name, None, (), type, site=site)
    # People watch a clock on the screen; they are not told of every tick.
    world.states[state] = attrs.evolve(world.states[state], untold=True)
    number = IntType(0, LARGEST, optional=True)
    reading = world.state(f"reading of {name}", None, (), number, builtin=True, scratch=True)
    for id, value in ((state, type.high), (reading, NONE)):
        world.states[id] = attrs.evolve(world.states[id], initial=ir.Const(value))
    world.declare(node.name, StateName(state, None, (), type, None, node.name.span))
    unit, costs = _costs(world, node)
    world.clocks[name] = ClockName(len(world.clocks), state, reading, unit, costs)


def _costs(world: World, node: nodes.ClockDeclaration) -> tuple[int, dict[str, nodes.Expression]]:
    columns = header(world, node.rows, ["action", *UNITS], f"`{node.name.text}`")
    unit = next((c for c in columns or () if c in UNITS), "seconds")
    costs: dict[str, nodes.Expression] = {}
    for row in node.rows[1:] if columns else ():
        cells = cells_by_name(world, columns or [], row)
        action, cost = (cells or {}).get("action"), (cells or {}).get(unit)
        world.site("row", row.span, row.cites)
        if not isinstance(action, nodes.NameExpression) or not isinstance(cost, nodes.Expression):
            world.sink.report("E0312", "a row names an action, or an option, and its time", row.span)
        elif action.text in costs:
            world.sink.report("E0202", f"`{action.text}` appears twice", action.span)
        else:
            costs[action.text] = cost
    return UNITS[unit], costs


def check_clocks(world: World, module: nodes.ModuleNode) -> None:
    """Reports rows of a clock's table for actions and options that are never chosen against the clock."""
    for node in (n for n in module.declarations if isinstance(n, nodes.ClockDeclaration)):
        clock = world.clocks.get(node.name.text)
        names = [row.cells[0] for row in node.rows[1:] if clock is not None and row.cells]
        for name in names:
            if (
                clock is not None
                and isinstance(name, nodes.NameExpression)
                and name.text in clock.costs.keys() - clock.chosen
            ):
                what = f"nothing chosen against `{node.name.text}` is"
                world.unknown(name.text, name.span, what, sorted(clock.chosen))
