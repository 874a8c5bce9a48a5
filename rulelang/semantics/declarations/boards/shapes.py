"""Boards while their tables are built: their maps, spaces and directions.

BoardTables("Land", "hex", …)      direction_type(world, "Land", "hex")      northeast, east, southeast, …
"""

from __future__ import annotations

from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import EnumType, KindType, Type
from rulelang.semantics.declarations.boards.edges import Border, BorderSort
from rulelang.semantics.declarations.boards.maps import Spot
from rulelang.semantics.names.scope import TypeName, World
from rulelang.source import NOWHERE, Span
from rulelang.syntax import nodes

SHAPES: tuple[ir.BoardForm, ...] = ("square", "hex", "track", "ring", "graph")
MOST_SPACES = 1000
SQUARE = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
DIAGONAL = {"northeast": (-1, 1), "southeast": (1, 1), "southwest": (1, -1), "northwest": (-1, -1)}
LINE = {"forward": (0, 1), "backward": (0, -1)}
HEX = {
    "northeast": (-1, 1), "east": (0, 2), "southeast": (1, 1),
    "southwest": (1, -1), "west": (0, -2), "northwest": (-1, -1),
}  # fmt: skip
"""By direction: rows down, and half spaces to the right."""


@attrs.frozen
class MapReading:
    """A map as written, and the spots that its lines draw."""

    name: nodes.IdentNode | None
    lines: tuple[str, ...]
    span: Span
    spots: list[Spot]


@attrs.frozen
class DrawnMap:
    """One map: its name ("" for a board's only one), and its spots by the number of their space."""

    name: str
    spots: dict[int, Spot]


@attrs.frozen
class BoardTables:
    """A board while its tables are built."""

    name: str
    shape: ir.BoardForm
    type: KindType
    maps: tuple[DrawnMap, ...]
    near: frozenset[str]
    """The directions that lead to a neighbour."""
    readings: tuple[MapReading, ...]
    of: BoardTables | None = None
    """The board whose edges or corners these are."""
    sort: BorderSort | None = None
    """Which of them; None for a board with a map."""
    borders: tuple[Border, ...] = ()
    """By space: the edge or corner that it is."""

    @property
    def map_type(self) -> EnumType:
        """The enum of its maps."""
        return map_type(self.name, tuple(drawn.name for drawn in self.maps))


def map_type(board: str, names: tuple[str, ...]) -> EnumType:
    """Returns the type `map of BOARD`."""
    return EnumType(f"map of {board}", names)


def enter_names(world: World, name: str, names: tuple[str, ...]) -> KindType:
    """Enters the spaces of a board by their names; returns their type."""
    type = KindType(name, len(names))
    meaning = world.globals.get(name)
    if isinstance(meaning, TypeName):
        meaning.type = type
    id = world.kind_ids[name]
    alike, plural = tuple(range(len(names))), world.kinds[id].plural
    label = world.kinds[id].label
    world.kinds[id] = ir.Kind(id, name, label, len(names), names, (), alike, False, plural, names)
    for i, written in enumerate(names):
        world.name_thing(written, type, i)
    return type


def enter_directions(world: World, board: str, shape: ir.BoardForm) -> None:
    """Enters the enum of a board's directions; boards of one shape share it."""
    enum = direction_type(world, board, shape)
    world.shapes[board] = shape
    world.globals.setdefault("Direction", TypeName(enum, NOWHERE))
    for i, direction in enumerate(enum.members):
        known = world.members.get(direction, ())
        world.members[direction] = known if (enum, i) in known else (*known, (enum, i))


def direction_type(world: World, board: str, shape: ir.BoardForm) -> EnumType:
    directions = directions_of(shape)
    first = next((other for other, its in world.shapes.items() if directions_of(its) == directions), board)
    return EnumType(f"{first} direction", directions)


def directions_of(shape: ir.BoardForm) -> tuple[str, ...]:
    match shape:
        case "hex":
            return tuple(HEX)
        case "track" | "ring":
            return tuple(LINE)
        case "graph":
            return ()
        case "square":
            return (*SQUARE, *DIAGONAL)
        case _:
            assert_never(shape)


def add_table(
    world: World,
    board: BoardTables,
    what: str,
    dimensions: tuple[Type, ...],
    type: Type,
    values: tuple[int, ...],
    called: str = "",
) -> int:
    """Adds a table and returns its id; for a board with several maps, `values` are those of each map in turn."""
    around = (board.map_type,) if len(board.maps) > 1 else ()
    return world.table(f"{board.name}{what}", (*around, *dimensions), type, values, called)
