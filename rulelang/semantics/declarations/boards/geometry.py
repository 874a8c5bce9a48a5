"""The geometry of a board -> tables of neighbours, steps, distances and directions.

board Space: square         neighbours(s), step(s, north), distance(a, b), direction(a, b), opposite(d)
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, IntType, SetType, Type
from rulelang.program.packing import members
from rulelang.semantics.declarations.boards.maps import Spot
from rulelang.semantics.declarations.boards.shapes import (
    DIAGONAL,
    HEX,
    LINE,
    SQUARE,
    BoardTables,
    add_table,
    direction_type,
    directions_of,
)
from rulelang.semantics.names.scope import World

OPPOSITE = {
    "north": "south", "east": "west", "south": "north", "west": "east",
    "northeast": "southwest", "southwest": "northeast", "northwest": "southeast", "southeast": "northwest",
    "forward": "backward", "backward": "forward",
}  # fmt: skip


def geometry_of(world: World, board: BoardTables) -> list[list[set[int]]]:
    """Adds the tables of a board's geometry; returns, by map and space, the neighbours.

    A board with several maps has tables of distances and directions only if the rules mention them.
    """
    directions = directions_of(board.shape)
    enum, type, size = direction_type(world, board.name, board.shape), board.type, board.type.size
    steps = [_steps(board.shape, one.spots, directions) for one in board.maps]
    near = [
        _ties(one.spots, size) if board.shape == "graph" else [_near(board.near, ways.get(i, {})) for i in range(size)]
        for one, ways in zip(board.maps, steps, strict=True)
    ]

    def put(name: str, dimensions: tuple[Type, ...], result: Type, values: tuple[int, ...], other: Type) -> None:
        world.board_tables[board.name, name] = (
            add_table(world, board, f" {name}", dimensions, result, values),
            other,
        )

    masks = tuple(sum(1 << j for j in n) for one in near for n in one)
    put("neighbours", (type,), SetType(type), masks, SetType(type))
    flat = tuple(one.get(i, {}).get(d, NONE) for one in steps for i in range(size) for d in directions)
    put("step", (type, enum), type.or_none(), flat, enum)
    if len(board.maps) == 1 or "distance" in world.mentioned:
        distance = IntType(0, size, optional=True)
        far = tuple(chain.from_iterable(_distances(masks[at * size : (at + 1) * size]) for at, _ in enumerate(near)))
        put("distance", (type, type), distance, far, distance)
    if len(board.maps) == 1 or "direction" in world.mentioned:
        towards = tuple(chain.from_iterable(_towards(one, size, directions) for one in steps))
        put("direction", (type, type), enum.or_none(), towards, enum.or_none())
    back = tuple(directions.index(OPPOSITE[d]) for d in directions)
    world.board_tables[board.name, "opposite"] = (world.table(f"{board.name} opposite", (enum,), enum, back), enum)
    return near


def _steps(shape: ir.BoardForm, spots: dict[int, Spot], directions: tuple[str, ...]) -> dict[int, dict[str, int]]:
    """Returns, by space and direction, the next space in that direction."""
    at = {(spot.row, spot.across if shape == "hex" else spot.column): space for space, spot in spots.items()}
    order = list(spots)
    found: dict[int, dict[str, int]] = {}
    for number, (space, spot) in enumerate(spots.items()):
        ways = {d: _beyond(shape, spot, number, d, at, order) for d in directions}
        found[space] = {d: there for d, there in ways.items() if there is not None}
    return found


def _beyond(
    shape: ir.BoardForm, spot: Spot, number: int, direction: str, at: dict[tuple[int, int], int], order: list[int]
) -> int | None:
    if shape in ("ring", "track"):
        j = number + LINE[direction][1]
        return order[j % len(order)] if shape == "ring" or 0 <= j < len(order) else None
    if shape == "hex":
        down, right = HEX[direction]
        return at.get((spot.row + down, spot.across + right))
    down, right = {**SQUARE, **DIAGONAL}[direction]
    return at.get((spot.row + down, spot.column + right))


def _towards(steps: dict[int, dict[str, int]], size: int, directions: tuple[str, ...]) -> list[int]:
    """Returns, for each pair of spaces, the first direction in
    which one step leads from the first to the second, or NONE.
    """
    found: list[int] = []
    for i in range(size):
        ways = steps.get(i, {})
        row = [NONE] * size
        for d in range(len(directions) - 1, -1, -1):
            if directions[d] in ways:
                row[ways[directions[d]]] = d
        found += row
    return found


def _near(near: frozenset[str], ways: dict[str, int]) -> set[int]:
    return {there for direction, there in ways.items() if direction in near}


def _ties(spots: dict[int, Spot], size: int) -> list[set[int]]:
    """Returns, by space of a graph, its neighbours; a tie holds both ways."""
    numbers = {spot.name: space for space, spot in spots.items()}
    near: list[set[int]] = [set() for _ in range(size)]
    for space, spot in spots.items():
        for other in spot.ties:
            near[space].add(numbers[other])
            near[numbers[other]].add(space)
    return near


@lru_cache(16)  # The same maps are measured again with each variant of a game, and after each edit of its other texts.
def _distances(near: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the distance for each pair of spaces, NONE without a path; `near` are the masks of neighbours."""
    found: list[int] = []
    for start in range(len(near)):
        far = [NONE] * len(near)
        edge, seen, steps = 1 << start, 1 << start, 0
        while edge:
            beyond = 0
            for here in members(edge):
                far[here] = steps
                beyond |= near[here]
            edge = beyond & ~seen
            seen |= edge
            steps += 1
        found += far
    return tuple(found)
