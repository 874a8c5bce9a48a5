"""Boards: drawn maps -> spaces, their attributes, and tables of neighbours, steps, distances and directions.

board Space: square         spaces a1, b1, a2, b2 (column letter, row number, the top row is 1);
  map \"\"\"                    `s.row`, `s.column`, neighbours(s), step(s, north), distance(a, b),
    . .                     direction(a, b), opposite(d), connected(a, b, S),
    . .                     distance(a, b, S)
  \"\"\"

board City: graph           spaces harbour, market and gate, each next to those it names or is named by
  map \"\"\"
    harbour: market gate
    market: gate
    gate
  \"\"\"

A board with several maps has the spaces of all of them, by name; an option of type `map of Space` selects the map that
is played on, and every table has the map as its first dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import IntType, SetType, Type
from rulelang.semantics.declarations.boards.geometry import geometry_of
from rulelang.semantics.declarations.boards.hex_rows import POSSIBLE, Misdrawn
from rulelang.semantics.declarations.boards.maps import (
    NotDrawn,
    Spot,
    drawn_at,
    read_map,
    read_places,
    row_at,
    shifts_of,
)
from rulelang.semantics.declarations.boards.shapes import (
    MOST_SPACES,
    SHAPES,
    SQUARE,
    BoardTables,
    DrawnMap,
    MapReading,
    add_table,
    directions_of,
    enter_directions,
    enter_names,
)
from rulelang.semantics.declarations.tables import (
    FieldLine,
    called_with_key,
    cells_by_name,
    fields_of,
    header,
    keyed_fields,
    spread,
)
from rulelang.semantics.declarations.words import look
from rulelang.semantics.names.nouns import raw
from rulelang.semantics.names.scope import ColumnName, World
from rulelang.semantics.names.type_relations import BAD
from rulelang.source import Span
from rulelang.syntax import nodes

PLAIN = ir.Look()
MOST_PAIRS = 4_000_000
"""The most pairs of spaces on all maps of a board together, which is the size of its table of distances."""


def enter_spaces(
    world: World, node: nodes.BoardDeclaration, drawings: Sequence[nodes.DrawingDeclaration]
) -> BoardTables | None:
    """Enters a board's directions and spaces; the kinds come later, because spaces may be printed on their things.

    `drawings` are its maps outside the board's block. Returns None, and reports it, if the board's shape is unknown.
    """
    shape, name = node.shape.text, node.name.text
    if shape not in SHAPES:
        world.unknown(shape, node.shape.span, "no shape of board", list(SHAPES))
        return None
    enter_directions(world, name, shape)
    readings = _readings(world, shape, (*node.maps, *drawings))
    if not node.maps and not drawings:
        world.sink.report("E0314", f"`{name}` has no map", node.name.span, help='draw one: map """ … """')
    names, drawn = _spaces(_maps(world, readings) or [("", [Spot(1, 1, ".", "a1", 1)])])
    type = enter_names(world, name, names)
    return BoardTables(name, shape, type, drawn, _near_directions(world, node, shape), tuple(readings))


def _near_directions(world: World, node: nodes.BoardDeclaration, shape: ir.BoardForm) -> frozenset[str]:
    """Returns the directions that lead to a neighbour: on squares the sides, and the corners `with diagonals`."""
    directions = frozenset(directions_of(shape))
    if shape == "square":
        return directions if node.diagonals is not None else frozenset(SQUARE)
    if node.diagonals is not None:
        help = "leave it out: on any other board every direction leads to a neighbour"
        world.sink.report(
            "E0314", "only squares have diagonals", node.diagonals.span, f"a {node.shape.text}", help=help
        )
    return directions


def _readings(
    world: World, shape: ir.BoardForm, maps: Sequence[nodes.MapTextNode | nodes.DrawingDeclaration]
) -> list[MapReading]:
    """Returns a board's maps; reports and leaves out a map with a line that cannot be read."""
    found = []
    for map in maps:
        try:
            found.append(MapReading(map.name, map.lines, map.span, read_map(shape, map.lines)))
        except NotDrawn as line:
            help = "write a space on each line: `market m: harbour gate`, its mark and what lies next to it"
            world.sink.report("E0314", "this line names no space", drawn_at(map.span, str(line)), help=help)
        except Misdrawn as fault:
            world.sink.report("E0318", str(fault), row_at(map.span, fault.row), help=fault.help)
    if shape == "hex":
        for reading in found:
            if not shifts_of(reading.lines).drawn:
                message = "rows that begin one below the other leave open which of them are shifted"
                second = next(row for row, line in enumerate(reading.lines) if row and line.strip())
                remark = "every second row counts as shifted to the right"
                world.sink.report("W0509", message, row_at(reading.span, second), remark, help=POSSIBLE)
    return found


def _maps(world: World, readings: list[MapReading]) -> list[tuple[str, list[Spot]]]:
    """Returns the maps without faults, with their names; reports the others."""
    found: list[tuple[str, list[Spot]]] = []
    for reading in readings:
        name, spots = reading.name, reading.spots
        if not _ties_are_well(world, reading):
            continue
        first = {spot.name: spot for spot in reversed(spots)}
        twice = next((spot for spot in spots if first[spot.name] is not spot), None)
        if not spots or len(spots) > MOST_SPACES:
            message = f"a board has 1 to {MOST_SPACES} spaces; this map draws {len(spots)}"
            world.sink.report("E0314", message, reading.span)
        elif twice is not None:
            message = f"there are two spaces `{twice.name}`: each has a name of its own"
            world.sink.report("E0314", message, drawn_at(reading.span, reading.lines[twice.row - 1]))
        elif any(name is None or name.text == other or not other for other, _ in found):
            again = name is not None and any(name.text == other for other, _ in found)
            message = (
                f"`{name.text}` is drawn twice" if name is not None and again else "of several maps each needs a name"
            )
            world.sink.report("E0314", message, reading.span, help='write `map NAME """ … """`')
        else:
            found.append((name.text if name is not None else "", spots))
    return found


def _ties_are_well(world: World, reading: MapReading) -> bool:
    """Returns whether all ties of a graph lead to its other spaces; reports the first that does not."""
    names = {spot.name for spot in reading.spots}
    for spot in reading.spots:
        for other in spot.ties:
            if other not in names or other == spot.name:
                message = f"`{other}` has no line" if other not in names else f"`{other}` is next to itself"
                near = world.sink.near(other, sorted(names - {spot.name}))
                hint = f"did you mean `{near}`?" if near else None
                place = drawn_at(reading.span, reading.lines[spot.row - 1], other)
                world.sink.report("E0314", message, place, help=hint, fix=near)
                return False
    return True


def _spaces(maps: list[tuple[str, list[Spot]]]) -> tuple[tuple[str, ...], tuple[DrawnMap, ...]]:
    """Returns the names of the spaces of all maps, in the order of the drawn rows, and each map by the spaces' numbers."""
    first = maps[0][1]
    down = -1 if first[0].number > first[-1].number else 1
    every = {spot.name: spot for _, spots in maps for spot in spots}
    names = tuple(spot.name for spot in first)
    if len(maps) > 1:
        names = tuple(sorted(every, key=lambda name: (down * every[name].number, every[name].column)))
    numbers = {name: i for i, name in enumerate(names)}
    return names, tuple(DrawnMap(name, {numbers[spot.name]: spot for spot in spots}) for name, spots in maps)


def declare_board(
    world: World, node: nodes.BoardDeclaration, board: BoardTables, drawings: Sequence[nodes.DrawingDeclaration]
) -> None:
    """Enters the columns of a board's spaces, its maps, and the tables of its geometry."""
    name, type, drawn, names = board.name, board.type, board.maps, world.kinds[world.kind_ids[board.name]].names
    columns = _columns(world, node, board)
    if len(drawn) == 1:
        id = world.kind_ids[name]
        world.kinds[id] = attrs.evolve(world.kinds[id], columns=tuple(columns))
    if len(drawn) > 1:
        world.maps[name] = board.map_type
        for i, one in enumerate(drawn):
            world.members[one.name] = (*world.members.get(one.name, ()), (board.map_type, i))
        here = tuple(sum(1 << space for space in one.spots) for one in drawn)
        world.board_tables[name, "spaces"] = (add_table(world, board, "spaces", (), SetType(type), here), BAD)
    if len(drawn) * len(names) ** 2 > MOST_PAIRS:
        message = f"the maps of `{name}` have {len(drawn) * len(names) ** 2} pairs of spaces"
        world.sink.report("E0313", message, node.name.span, f"at most {MOST_PAIRS}")
        return
    near = geometry_of(world, board)
    looks, places = _looks(world, node), _places(world, node, board, names)
    pictures = (_picture(world, board, i, near[i]) for i in range(len(drawn)))
    world.boards[name] = tuple(
        attrs.evolve(one, places=places, looks=tuple(looks.get(mark, PLAIN) for mark in one.marks) if looks else ())
        for one in pictures
    )
    world.site("board", node.name.span, node.cites)
    for drawing in drawings:
        world.site("map", drawing.span, drawing.cites)


def _columns(world: World, node: nodes.BoardDeclaration, board: BoardTables) -> list[tuple[str, int, Type]]:
    """Returns the columns of a board's attributes: those of its legend, `row` and `column`."""
    fields = fields_of(world, board.name, node.fields, keyed=True)
    rows = _legend(world, node, fields, board.readings)
    blank = [field.default if field.default is not None else 0 for field in fields]
    columns = []
    for i, field in enumerate(fields):

        def legend(spot: Spot | None, i: int = i) -> int:
            return blank[i] if spot is None else rows.get(spot.mark, blank)[i]

        called = called_with_key(field) if field.key else raw(field.node.called)
        columns.append(_column(world, board, field.name, field.type, legend, field.node.span, called))
    for _, at in keyed_fields(fields):
        _enter_keyed(world, board, fields[at[0]], [columns[i][1] for i in at])
    spots = [spot for one in board.maps for spot in one.spots.values()]
    high = max(max(spot.row, spot.number, spot.column) for spot in spots)
    low = min(1, *(spot.number for spot in spots))
    places: tuple[tuple[str, Callable[[Spot | None], int]], ...] = (
        ("row", lambda spot: spot.number if spot else 1),
        ("column", lambda spot: spot.column if spot else 1),
    )
    columns += [_column(world, board, name, IntType(low, high), at, node.name.span) for name, at in places]
    return columns


def _enter_keyed(world: World, board: BoardTables, field: FieldLine, tables: list[int]) -> None:
    """Enters a column that is read with a key, from the tables of the columns for its members."""
    name, key = field.node.name.text, field.key
    values = tuple(
        value for one in zip(*(world.tables[table].values for table in tables), strict=True) for value in one
    )
    called = raw(field.node.called)
    table = world.table(f"{board.name}.{name}", (*world.tables[tables[0]].dimensions, *key), field.type, values, called)
    world.owned[board.name, name] = ColumnName(board.name, table, field.type, field.node.span, key)


def _column(
    world: World,
    board: BoardTables,
    name: str,
    type: Type,
    value: Callable[[Spot | None], int],
    span: Span,
    called: str = "",
) -> tuple[str, int, Type]:
    values = tuple(value(one.spots.get(space)) for one in board.maps for space in range(board.type.size))
    table = add_table(world, board, f".{name}", (board.type,), type, values, called)
    world.owned[board.name, name] = ColumnName(board.name, table, type, span)
    return name, table, type


def _legend(
    world: World, node: nodes.BoardDeclaration, fields: list[FieldLine], readings: Sequence[MapReading]
) -> dict[str, list[int]]:
    known = ["mark", *nodes.LOOKS, *(f.name for f in fields)]
    columns = header(world, node.rows, known, f"`{node.name.text}`")
    found: dict[str, list[int]] = {}
    for row in node.rows[1:] if columns else ():
        cells = cells_by_name(world, columns or [], row)
        if cells is None:
            continue
        mark = cells.get("mark")
        if not isinstance(mark, nodes.TextNode):
            world.sink.report("E0312", 'a mark is written in quotes: `"e"`', row.span)
            continue
        values = []
        for field in fields:
            cell = cells.get(field.name)
            one = spread(world, cell, field.type) if isinstance(cell, nodes.Expression) else None
            if cell is not None and one is not None and len(one) != 1:
                message = f"a mark has one `{field.name}`, this is {len(one) or 'none'}"
                world.sink.report("E0312", message, cell.span, help="give each its own mark")
            values.append(one[0] if one else field.default if field.default is not None else 0)
        found[mark.raw] = values
        world.site("row", row.span, row.cites)
    if columns:
        _check_marks(world, readings, found)
    return found


def _looks(world: World, node: nodes.BoardDeclaration) -> dict[str, ir.Look]:
    """Returns the look of the spaces with each mark of the legend; {} if it says nothing of looks."""
    own = {field.name.text for field in node.fields}
    with world.quiet():  # `_legend` has reported the faults of rows
        columns = header(world, node.rows, ["mark", *nodes.LOOKS, *own], "") or []
        rows = [cells for row in node.rows[1:] if (cells := cells_by_name(world, columns, row)) is not None]
    if own.issuperset(columns) or not set(nodes.LOOKS).intersection(columns):
        return {}
    found: dict[str, ir.Look] = {}
    for cells in rows:
        mark = cells.get("mark")
        said = {w: t for w in nodes.LOOKS if w not in own and isinstance(t := cells.get(w), nodes.TextNode)}
        if isinstance(mark, nodes.TextNode):
            found[mark.raw] = look(world, said, {}, {})
    return found


def _places(
    world: World, node: nodes.BoardDeclaration, board: BoardTables, names: tuple[str, ...]
) -> tuple[tuple[int, int], ...]:
    """Returns the places of a graph's spaces in a picture; () if they are not drawn, or not well, which it reports."""
    if not node.drawn:
        return ()
    drawing, words = node.drawn[0], read_places(node.drawn[0].lines)
    found: dict[str, tuple[int, int]] = {}
    message, place, near = "", drawing.span, None
    if board.shape != "graph":
        message = f"a {board.shape} is drawn by its map; only the spaces of a graph have places of their own"
    elif len(node.drawn) > 1:
        message, place = f"`{board.name}` is drawn twice", node.drawn[1].span
    for word, right, down in words if not message else ():
        line = drawing.lines[down // 4]
        if word not in names:
            near = world.sink.near(word, names)
            message, place = f"`{word}` is no space of `{board.name}`", drawn_at(drawing.span, line, word)
        elif word in found:
            message, place = f"`{word}` is drawn twice", drawn_at(drawing.span, line, word)
        found[word] = (right, down)
    missing = [name for name in names if name not in found]
    if missing and not message:
        message = f"`{missing[0]}` is not drawn"
    if message:
        world.sink.report("E0314", message, place, help=near and f"did you mean `{near}`?", fix=near)
        return ()
    return tuple(found[name] for name in names)


def _check_marks(world: World, readings: Sequence[MapReading], legend: dict[str, list[int]]) -> None:
    """Reports the first mark of each map that the legend lacks; `.` is a plain space and needs no row."""
    for reading in readings:
        spot = next((spot for spot in reading.spots if spot.mark != "." and spot.mark not in legend), None)
        if spot is not None:
            place = drawn_at(reading.span, reading.lines[spot.row - 1], spot.mark)
            help = f'add a row `| "{spot.mark}" | … |`'
            world.sink.report("E0314", f"the legend has no mark `{spot.mark}`", place, help=help)


def _picture(world: World, board: BoardTables, number: int, near: list[set[int]]) -> ir.BoardShape:
    spots = board.maps[number].spots
    rows, columns = max(s.row for s in spots.values()), max(s.column for s in spots.values())
    cells = [[-1] * columns for _ in range(rows)]
    for space, spot in spots.items():
        cells[spot.row - 1][spot.column - 1] = space
    marks = tuple(spots[space].mark if space in spots else "" for space in range(board.type.size))
    shifts = [0] * rows
    for spot in spots.values() if board.shape == "hex" else ():
        shifts[spot.row - 1] = spot.across - 2 * (spot.column - 1)
    map = number if len(board.maps) > 1 else None
    ties = near if board.shape == "graph" else []
    return ir.BoardShape(
        world.kind_ids[board.name],
        board.shape,
        tuple(tuple(r) for r in cells),
        marks,
        directions_of(board.shape),
        map,
        ties=tuple(tuple(sorted(others)) for others in ties),
        shifts=tuple(shifts),
        of=None if board.of is None else world.kind_ids[board.of.name],
        borders=tuple(border.points for border in board.borders),
    )
