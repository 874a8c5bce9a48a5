"""The edges or the corners of a board -> a board of their own, joined to that one.

board Road: edges of Land      a space for each edge; `r.spaces`, `s.edges`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulelang.ir.types import SetType
from rulelang.semantics.declarations.boards.edges import SORTS, BorderSort, borders, spots_of
from rulelang.semantics.declarations.boards.shapes import (
    MOST_SPACES,
    BoardTables,
    DrawnMap,
    add_table,
    enter_directions,
    enter_names,
)
from rulelang.semantics.names.scope import ColumnName, World
from rulelang.source import Span
from rulelang.syntax import nodes


def enter_borders(
    world: World,
    node: nodes.BoardDeclaration,
    others: Mapping[str, BoardTables | None],
) -> BoardTables | None:
    """Enters the edges or corners of another board as spaces; reports it if that board has none."""
    name, sort = node.name.text, next((sort for sort in SORTS if sort == node.shape.text), None)
    if sort is None:
        world.unknown(node.shape.text, node.shape.span, "no part of a board", list(SORTS))
        return None
    if node.of is None:
        message, help = f"the {sort} of which board?", f"write `board {name}: {sort} of …`"
        world.sink.report("E0314", message, node.shape.span, help=help)
        return None
    if node.of.text not in others:
        world.unknown(node.of.text, node.of.span, "no board", list(others))
        return None
    of = others[node.of.text]
    if of is None:
        return None
    message = _fault(of, sort, others)
    if message:
        world.sink.report("E0314", message, node.of.span)
        return None
    spots = of.maps[0].spots
    edges = borders("edges", of.shape, spots)
    found = edges if sort == "edges" else borders(sort, of.shape, spots)
    names = tuple(border.names[0] for border in found)
    if len(names) > MOST_SPACES:
        world.sink.report("E0314", f"a board has 1 to {MOST_SPACES} spaces; these are {len(names)}", node.of.span)
        return None
    enter_directions(world, name, "graph")
    type = enter_names(world, name, names)
    for space, border in enumerate(found):
        for other in border.names[1:]:
            world.name_thing(other, type, space)
    drawn = DrawnMap("", dict(enumerate(spots_of(found, edges))))
    return BoardTables(name, "graph", type, (drawn,), frozenset(), (), of, sort, found)


def _fault(of: BoardTables, sort: BorderSort, others: Mapping[str, BoardTables | None]) -> str:
    """Returns why the edges or corners of a board cannot be spaces; "" if they can."""
    if of.of is not None or of.shape not in ("square", "hex"):
        return f"only squares and hexes have {sort}"
    if len(of.maps) > 1:
        return f"`{of.name}` has several maps, so its {sort} are not the same in each"
    again = next(
        (board for board in others.values() if board is not None and board.of is of and board.sort == sort), None
    )
    return "" if again is None else f"the {sort} of `{of.name}` are the spaces of `{again.name}`"


def join_borders(world: World, board: BoardTables, others: Sequence[BoardTables], span: Span) -> None:
    """Enters what lies at each edge or corner: `r.spaces` and `r.corners`, and from there `s.edges` and `c.edges`."""
    assert board.of is not None
    assert board.sort is not None

    def enter(of: BoardTables, name: str, to: BoardTables, found: Iterable[Iterable[int]]) -> None:
        masks = tuple(sum(1 << other for other in at) for at in found)
        table = add_table(world, of, f" {name}", (of.type,), SetType(to.type), masks)
        world.owned[of.name, name] = ColumnName(of.name, table, SetType(to.type), span)

    spaces = range(board.of.type.size)
    enter(board, "spaces", board.of, (border.spaces for border in board.borders))
    round_it = ((i for i, border in enumerate(board.borders) if space in border.spaces) for space in spaces)
    enter(board.of, board.sort, board, round_it)
    for other in others:
        if other.of is board.of and other.sort not in (None, board.sort):
            touching = ((i for i, its in enumerate(other.borders) if its.touches(own)) for own in board.borders)
            enter(board, other.sort, other, touching)
