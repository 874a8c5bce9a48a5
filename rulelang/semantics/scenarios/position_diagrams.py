"""A position drawn in a scenario -> the contents of a zone of each space, or the values of a variable.

    given cards from a2 \"\"\"        a2: red, face up; b2: green, face down
      red ?green                  a1: as it is;     b1: nothing
      .   _
    \"\"\"

A mark is the written form of a thing, `?` before it turns it face down, `.` leaves a space as it is, and `_` empties
it. The first mark stands for the named space, the others for the spaces around it on the map. Marks of a variable are
its values in their written form, `_` is none.
"""

from __future__ import annotations

import re

from rulelang.errors import UnknownOption
from rulelang.ir import model as ir
from rulelang.ir import scenarios as ready
from rulelang.ir.types import BadType, KindType
from rulelang.program.values import read_value, within
from rulelang.semantics.declarations.boards.maps import drawn_at
from rulelang.semantics.names.coercion import lower
from rulelang.semantics.names.scope import StateName, World, ZoneName
from rulelang.semantics.scenarios.option_patterns import ScenarioContext
from rulelang.source import Span
from rulelang.syntax import nodes

AS_IT_IS, NOTHING = ".", "_"
MARK = re.compile(r"[^\s()]+\([^()]*\)|\S+")
"""Matches a mark, such as `red` or `?Card(red, 1)`."""


def lay_drawing(stage: ScenarioContext, step: nodes.DrawnStep, options: dict[int, int]) -> list[ready.ScenarioLine]:
    """Returns a line for each mark of a drawing, or reports what is wrong with it. `options` are those of the
    scenario."""
    world = stage.world
    name = step.zone.text if isinstance(step.zone, nodes.NameExpression) else ""
    first = lower(world, stage.env, step.first, _board_with(world, name))
    if isinstance(first.type, BadType):
        return []
    board = first.type.name if isinstance(first.type, KindType) else ""
    part = world.owned.get((board, name))
    if board not in world.boards or not isinstance(first.ir, ir.Const):
        world.sink.report("E0703", "a drawing begins on a space", step.first.span, "not a space of a board")
        return []
    if not _is_drawable(part):
        parts = [n for (owner, n), meaning in world.owned.items() if owner == board and _is_drawable(meaning)]
        near = world.sink.near(name, parts)
        help = f"did you mean `{near}`?" if near else f"there are {', '.join(parts)}" if parts else None
        message = f"{board} has no zone or variable `{step.zone.span.text}` that can be drawn"
        world.sink.report("E0703", message, step.zone.span, help=help)
        return []
    cells = _cells(world, stage.game, board, options)
    at = next(((r, c) for r, row in enumerate(cells) for c, space in enumerate(row) if space == first.ir.value), None)
    if at is None:
        world.sink.report("E0703", "this space is not on the map that is played on", step.first.span)
        return []
    lines: list[ready.ScenarioLine] = []
    for r, line in enumerate(step.lines):
        for c, mark in enumerate(MARK.findall(line)):
            row, column = at[0] + r, at[1] + c
            space = cells[row][column] if row < len(cells) and column < len(cells[row]) else -1
            if mark != AS_IT_IS and not (mark == NOTHING and space < 0):
                at_mark = drawn_at(step.span, line, mark)
                if space < 0:
                    world.sink.report("E0703", f"`{mark}` lies beside the map", at_mark, "no space there")
                elif isinstance(part, ZoneName):
                    lines += _laid(world, step, part, space, mark, at_mark)
                elif isinstance(part, StateName):
                    lines += _written(stage, step, part, space, mark, at_mark)
    return lines


def _is_drawable(part: object) -> bool:
    """Returns whether a space has one of a zone or variable."""
    return isinstance(part, ZoneName) or (isinstance(part, StateName) and len(part.dimensions) == 1)


def _board_with(world: World, zone: str) -> KindType | None:
    """Returns the type of the only board whose spaces have a zone or variable of this name; None if no board or several
    have one."""
    boards = [name for name in world.boards if _is_drawable(world.owned.get((name, zone)))]
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
    kind = world.kinds[world.kind_ids[zone.kind.name]]
    form = mark.removeprefix("?")
    mask = sum(1 << thing for thing, name in enumerate(kind.names) if _bare(name) == _bare(form))
    if not mask and mark != NOTHING:
        near = world.sink.near(form, list(dict.fromkeys(kind.names)))
        help = f"did you mean `{near}`?" if near else f"there are {', '.join(dict.fromkeys(kind.names))}"
        world.sink.report("E0706", f"no {kind.name} is written `{form}`", at, help=help)
        return []
    items = (mask,) if mark != NOTHING else ()
    index = (ir.Const(space),)
    clauses = tuple(cite.id for cite in step.cites)
    return [ready.LayLine(kind.id, zone.id, index, items, up=not mark.startswith("?"), span=step.span, clauses=clauses)]


def _bare(form: str) -> str:
    return form.replace(" ", "")


def _written(
    stage: ScenarioContext, step: nodes.DrawnStep, state: StateName, space: int, mark: str, at: Span
) -> list[ready.ScenarioLine]:
    text = "none" if mark == NOTHING else mark
    try:
        values = read_value(stage.game, text, state.type)
    except UnknownOption as error:
        stage.world.sink.report("E0706", str(error), at)
        return []
    if len(values) != 1 or not within(state.type, values[0]):
        stage.world.sink.report("E0706", f"`{mark}` is no value of `{step.zone.span.text}`", at)
        return []
    clauses = tuple(cite.id for cite in step.cites)
    place = ir.Place(state.id, (ir.Const(space),))
    return [ready.WriteLine(place, ir.Const(values[0]), span=step.span, clauses=clauses)]
