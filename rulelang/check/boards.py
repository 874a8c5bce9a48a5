"""Boards: a drawn map becomes spaces, their attributes, and tables of who lies next to whom.

board Space: square         spaces a1, b1, a2, b2 (column letter, row number, the top row is 1);
  map \"\"\"                    `s.row`, `s.column`, neighbours(s), step(s, north), distance(a, b),
    . .                     direction(a, b), opposite(d)
    . .
  \"\"\"
"""

from __future__ import annotations

from collections import deque

import attrs

from rulelang.check.scope import ColumnName, Env, TypeName, World
from rulelang.check.tables import Field, cells_by_name, fields_of, header, spread
from rulelang.check.typing import NOTHING, Typed, name_of
from rulelang.ir import model as ir
from rulelang.ir.types import NONE, BadType, EnumType, IntType, KindType, SetType, Type
from rulelang.source import NOWHERE, Span
from rulelang.syntax import nodes

SHAPES = ("square", "hex", "track", "ring", "graph")
MOST_SPACES = 1000

SQUARE = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
DIAGONAL = {"northeast": (-1, 1), "southeast": (1, 1), "southwest": (1, -1), "northwest": (-1, -1)}
LINE = {"forward": (0, 1), "backward": (0, -1)}
HEX = ("northeast", "east", "southeast", "southwest", "west", "northwest")
OPPOSITE = {
    "north": "south", "east": "west", "south": "north", "west": "east",
    "northeast": "southwest", "southwest": "northeast", "northwest": "southeast", "southeast": "northwest",
    "forward": "backward", "backward": "forward",
}  # fmt: skip


@attrs.frozen
class Spot:
    """A space as drawn: row and column from 1, its mark."""

    row: int
    column: int
    mark: str


def declare_board(world: World, node: nodes.Board) -> None:
    """Enters a board: its spaces, their attributes, the tables of its geometry."""
    shape = node.shape.text
    if shape not in SHAPES:
        world.unknown(shape, node.shape.span, "no shape of board", list(SHAPES))
        return
    spots = _spots(world, node)
    name = node.name.text
    type = KindType(name, len(spots))
    meaning = world.globals.get(name)
    if isinstance(meaning, TypeName):
        meaning.type = type
    fields = fields_of(world, name, node.fields)
    rows = _legend(world, node, fields)
    columns = []
    for i, field in enumerate(fields):
        values = tuple(rows.get(s.mark, [f.default if f.default is not None else 0 for f in fields])[i] for s in spots)
        columns.append(_column(world, name, field.name, type, field.type, values, field.node.span))
    high = max((max(s.row, s.column) for s in spots), default=1)
    for attribute, numbers in (("row", [s.row for s in spots]), ("column", [s.column for s in spots])):
        columns.append(_column(world, name, attribute, type, IntType(1, high), tuple(numbers), node.name.span))
    id = world.kind_ids[name]
    names = tuple(f"{_letters(s.column)}{s.row}" for s in spots)
    label = node.label.raw if node.label is not None else name
    world.kinds[id] = ir.Kind(id, name, label, len(spots), names, tuple(columns), tuple(range(len(spots))), False)
    for i, written in enumerate(names):
        world.things.setdefault(written, (type, i))
    _geometry(world, name, shape, spots, type)
    world.site("board", node.name.span, node.cites)


def _column(
    world: World, board: str, name: str, owner: KindType, type: Type, values: tuple[int, ...], span: Span
) -> tuple[str, int, Type]:
    table = world.table(f"{board}.{name}", (owner,), type, values)
    world.owned[board, name] = ColumnName(board, table, type, span)
    return name, table, type


def _letters(column: int) -> str:
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(97 + rest) + text
    return text


def _spots(world: World, node: nodes.Board) -> list[Spot]:
    """Reads the first map: marks apart by blanks, the rest of the line's blanks being the drawing's own."""
    if not node.maps:
        world.sink.report("E0314", f"`{node.name.text}` has no map", node.name.span, help='draw one: map """ … """')
        return [Spot(1, 1, ".")]
    lines = node.maps[0].lines
    spots: list[Spot] = []
    indent = [len(line) - len(line.lstrip()) for line in lines]
    for r, line in enumerate(lines):
        marks = line.split()
        offset = indent[r] // 2 if node.shape.text != "hex" else 0
        spots.extend(Spot(r + 1, c + 1 + offset, mark) for c, mark in enumerate(marks) if mark != "_")
    if not spots or len(spots) > MOST_SPACES:
        world.sink.report(
            "E0314", f"a board has 1 to {MOST_SPACES} spaces, this map draws {len(spots)}", node.maps[0].span
        )
        return spots[:1] or [Spot(1, 1, ".")]
    return spots


def _legend(world: World, node: nodes.Board, fields: list[Field]) -> dict[str, list[int]]:
    columns = header(world, node.rows, ["mark", *(f.name for f in fields)], f"`{node.name.text}`")
    found: dict[str, list[int]] = {}
    for row in node.rows[1:] if columns else ():
        cells = cells_by_name(world, columns or [], row)
        if cells is None:
            continue
        mark = cells.get("mark")
        if not isinstance(mark, nodes.Text):
            world.sink.report("E0312", 'a mark is written in quotes: `"e"`', row.span)
            continue
        values = []
        for field in fields:
            cell = cells.get(field.name)
            one = spread(world, cell, field.type) if isinstance(cell, nodes.Expression) else None
            values.append(one[0] if one else field.default if field.default is not None else 0)
        found[mark.raw] = values
        world.site("row", row.span, row.cites)
    return found


# ------------------------------------------------------------------ geometry


def _geometry(world: World, board: str, shape: str, spots: list[Spot], type: KindType) -> None:
    directions = _directions(shape)
    steps = [[_step(shape, spots, i, d) for d in directions] for i in range(len(spots))]
    enum = EnumType(f"{board} direction", directions)
    world.globals.setdefault("Direction", TypeName(enum, NOWHERE))
    for i, direction in enumerate(directions):
        world.members[direction] = (*world.members.get(direction, ()), (enum, i))
    near = [{j for d, j in zip(directions, row, strict=True) if j >= 0 and d not in DIAGONAL} for row in steps]
    if shape == "hex":
        near = [{j for j in row if j >= 0} for row in steps]
    put = world.board_tables.__setitem__
    masks = tuple(sum(1 << j for j in n) for n in near)
    put((board, "neighbours"), (world.table(f"{board} neighbours", (type,), SetType(type), masks), SetType(type)))
    flat = tuple(NONE if j < 0 else j for row in steps for j in row)
    put((board, "step"), (world.table(f"{board} step", (type, enum), type.or_none(), flat), enum))
    far = tuple(d for i in range(len(spots)) for d in _distances(near, i))
    distance = IntType(0, len(spots), optional=True)
    put((board, "distance"), (world.table(f"{board} distance", (type, type), distance, far), distance))
    towards = tuple(
        next((d for d, k in enumerate(steps[i]) if k == j), NONE) for i in range(len(spots)) for j in range(len(spots))
    )
    put(
        (board, "direction"), (world.table(f"{board} direction", (type, type), enum.or_none(), towards), enum.or_none())
    )
    back = tuple(directions.index(OPPOSITE[d]) for d in directions)
    put((board, "opposite"), (world.table(f"{board} opposite", (enum,), enum, back), enum))
    world.boards[board] = _picture(world, board, shape, spots, directions)


def _directions(shape: str) -> tuple[str, ...]:
    match shape:
        case "hex":
            return HEX
        case "track" | "ring":
            return tuple(LINE)
        case "graph":
            return ()
    return (*SQUARE, *DIAGONAL)


def _step(shape: str, spots: list[Spot], i: int, direction: str) -> int:
    spot = spots[i]
    if shape == "ring":
        return (i + LINE[direction][1]) % len(spots)
    if shape == "track":
        j = i + LINE[direction][1]
        return j if 0 <= j < len(spots) else -1
    if shape == "hex":
        odd = spot.row % 2 == 0
        dr = {"northeast": -1, "northwest": -1, "southeast": 1, "southwest": 1}.get(direction, 0)
        dc = {"east": 1, "west": -1}.get(direction, 0)
        if dr:
            dc = (1 if odd else 0) if direction.endswith("east") else (0 if odd else -1)
    else:
        dr, dc = {**SQUARE, **DIAGONAL}[direction]
    target = (spot.row + dr, spot.column + dc)
    return next((j for j, s in enumerate(spots) if (s.row, s.column) == target), -1)


def _distances(near: list[set[int]], start: int) -> list[int]:
    far = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in sorted(near[here]):
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return [far.get(i, NONE) for i in range(len(near))]


def _picture(world: World, board: str, shape: str, spots: list[Spot], directions: tuple[str, ...]) -> ir.BoardShape:
    rows, columns = max(s.row for s in spots), max(s.column for s in spots)
    cells = [[-1] * columns for _ in range(rows)]
    for i, spot in enumerate(spots):
        cells[spot.row - 1][spot.column - 1] = i
    marks = tuple(s.mark for s in spots)
    return ir.BoardShape(world.kind_ids[board], shape, tuple(tuple(r) for r in cells), marks, directions)


# ------------------------------------------------------------------ what rules ask


def lower_board_call(world: World, env: Env, name: str, node: nodes.Call) -> Typed:
    """Lowers `neighbours(s)`, `step(s, north)`, `distance(a, b)`, `direction(a, b)`, `opposite(d)`."""
    from rulelang.check.expressions import coerce, lower

    wanted = {"neighbours": 1, "opposite": 1, "step": 2, "distance": 2, "direction": 2}.get(name)
    if wanted is None:
        world.sink.report("E0315", f"`{name}` is not built yet", node.span, "write a value that looks for a way")
        return NOTHING
    if len(node.arguments) != wanted:
        world.sink.report("E0207", f"`{name}` takes {wanted} arguments, found {len(node.arguments)}", node.span)
        return NOTHING
    first = lower(world, env, node.arguments[0])
    board = getattr(first.type, "name", "").removesuffix(" direction")
    if (board, name) not in world.board_tables:
        if not isinstance(first.type, BadType):
            world.sink.report("E0303", f"`{name}` is of a board's space, found {name_of(first.type)}", node.span)
        return NOTHING
    table, other = world.board_tables[board, name]
    type = world.tables[table].type
    if wanted == 1:
        return Typed(ir.Column(table, (first.ir,), not first.type.optional), type)
    second_type = other if name == "step" else first.type.certain()
    second = lower(world, env, node.arguments[1], second_type)
    index = (first.ir, coerce(world, second, second_type.or_none(), node.arguments[1].span))
    return Typed(ir.Column(table, index, not (first.type.optional or second.type.optional)), type)
