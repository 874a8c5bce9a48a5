"""A position drawn in a scenario -> the contents of a zone of each space.

    given cards from a2 \"\"\"        a2: red, face up; b2: green, face down
      red ?green                  a1: as it is;     b1: nothing
      .   _
    \"\"\"

A mark is the written form of a thing, `?` before it turns it face down, `.` leaves a space as it is, and `_` empties
it. The first mark stands for the named space, the others for the spaces around it on the map.
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir import scenarios as ready
from rulelang.ir.types import BadType, KindType
from rulelang.semantics.declarations.maps import drawn_at
from rulelang.semantics.names.coercion import lower
from rulelang.semantics.names.scope import World, ZoneName
from rulelang.semantics.scenarios.option_patterns import ScenarioContext
from rulelang.source import Span
from rulelang.syntax import nodes

AS_IT_IS, NOTHING = ".", "_"


def lay_drawing(stage: ScenarioContext, step: nodes.DrawnStep, options: dict[int, int]) -> list[ready.ScenarioLine]:
    """Returns a line for each mark of a drawing, or reports what is wrong with it. `options` are those of the
    scenario."""
    world = stage.world
    name = step.zone.text if isinstance(step.zone, nodes.NameExpression) else ""
    first = lower(world, stage.env, step.first, _board_with(world, name))
    if isinstance(first.type, BadType):
        return []
    board = first.type.name if isinstance(first.type, KindType) else ""
    zone = world.owned.get((board, name))
    if board not in world.boards or not isinstance(first.ir, ir.Const):
        world.sink.report("E0703", "a drawing begins on a space", step.first.span, "not a space of a board")
        return []
    if not isinstance(zone, ZoneName):
        zones = [n for (owner, n), meaning in world.owned.items() if owner == board and isinstance(meaning, ZoneName)]
        near = world.sink.near(name, zones)
        help = f"did you mean `{near}`?" if near else f"there are {', '.join(zones)}" if zones else None
        world.sink.report("E0703", f"{board} has no zone `{step.zone.span.text}`", step.zone.span, help=help)
        return []
    cells = _cells(world, stage.game, board, options)
    at = next(((r, c) for r, row in enumerate(cells) for c, space in enumerate(row) if space == first.ir.value), None)
    if at is None:
        world.sink.report("E0703", "this space is not on the map that is played on", step.first.span)
        return []
    lines: list[ready.ScenarioLine] = []
    for r, line in enumerate(step.lines):
        for c, mark in enumerate(line.split()):
            row, column = at[0] + r, at[1] + c
            space = cells[row][column] if row < len(cells) and column < len(cells[row]) else -1
            if mark != AS_IT_IS and not (mark == NOTHING and space < 0):
                lines += _laid(world, step, zone, space, mark, drawn_at(step.span, line, mark))
    return lines


def _board_with(world: World, zone: str) -> KindType | None:
    """Returns the type of the only board whose spaces have a zone of this name; None if no board or several have one."""
    boards = [name for name in world.boards if isinstance(world.owned.get((name, zone)), ZoneName)]
    return KindType(boards[0], world.kinds[world.kind_ids[boards[0]]].size) if len(boards) == 1 else None


def _cells(world: World, game: ir.GameRules, board: str, options: dict[int, int]) -> tuple[tuple[int, ...], ...]:
    shapes = world.boards[board]
    option = world.map_options.get(board)
    if option is None:
        return shapes[0].cells
    initial = game.states[option].initial
    default = initial.value if isinstance(initial, ir.Const) else 0
    return shapes[options.get(option, default)].cells


def _laid(
    world: World, step: nodes.DrawnStep, zone: ZoneName, space: int, mark: str, at: Span
) -> list[ready.ScenarioLine]:
    if space < 0:
        world.sink.report("E0703", f"`{mark}` lies beside the map", at, "no space there")
        return []
    kind = world.kinds[world.kind_ids[zone.kind.name]]
    form = mark.removeprefix("?")
    mask = sum(1 << thing for thing, name in enumerate(kind.names) if name == form)
    if not mask and mark != NOTHING:
        near = world.sink.near(form, list(dict.fromkeys(kind.names)))
        help = f"did you mean `{near}`?" if near else f"there are {', '.join(dict.fromkeys(kind.names))}"
        world.sink.report("E0706", f"no {kind.name} is written `{form}`", at, help=help)
        return []
    items = (mask,) if mark != NOTHING else ()
    index = (ir.Const(space),)
    clauses = tuple(cite.id for cite in step.cites)
    return [ready.LayLine(kind.id, zone.id, index, items, up=not mark.startswith("?"), span=step.span, clauses=clauses)]
