"""The edges and the corners of a board of squares or hexes -> spaces of boards of their own.

board Land: hex                one space for each edge of `Land`, named by a space and its side: `a1_east`, which is
board Road: edges of Land        `b1_west` too; `a1.edges`, `a1_east.spaces`
board Site: corners of Land    one for each corner: `a1_north`; `a1.corners`, `a1_east.corners`, `a1_north.edges`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import attrs

from rulelang.ir.model import BoardForm
from rulelang.semantics.declarations.boards.maps import Spot

Point: TypeAlias = tuple[int, int]
"""The place of a corner, to the right and down from the middle of the first row's first space: in half spaces; on hexes
in quarters of their height, of which there are three from row to row."""

BorderSort: TypeAlias = Literal["edges", "corners"]
SORTS: tuple[BorderSort, ...] = ("edges", "corners")
_CORNERS: Mapping[str, Mapping[str, Point]] = {
    "hex": {
        "north": (0, -2), "northeast": (1, -1), "southeast": (1, 1),
        "south": (0, 2), "southwest": (-1, 1), "northwest": (-1, -1),
    },
    "square": {"northeast": (1, -1), "southeast": (1, 1), "southwest": (-1, 1), "northwest": (-1, -1)},
}  # fmt: skip
"""By shape and name: the corners of a space, seen from its middle, clockwise."""
_EDGES: Mapping[str, tuple[str, ...]] = {
    "hex": ("northeast", "east", "southeast", "southwest", "west", "northwest"),
    "square": ("east", "south", "west", "north"),
}
"""By shape: the names of the edges, each from one corner to the next."""


@attrs.frozen
class Border:
    """An edge, by its two points, or a corner, by its one: all its names, and the spaces of the board around it."""

    points: tuple[Point, ...]
    names: tuple[str, ...]
    spaces: tuple[int, ...]

    def touches(self, other: Border) -> bool:
        """Returns whether the two have a corner in common."""
        return not set(self.points).isdisjoint(other.points)


def borders(sort: BorderSort, shape: BoardForm, spots: Mapping[int, Spot]) -> tuple[Border, ...]:
    """Returns the edges or the corners of a drawn map, in the order of the spaces, round each of them.

    >>> square = {0: Spot(1, 1, ".", "a1", 1), 1: Spot(1, 2, ".", "b1", 1, 2)}
    >>> [found.names for found in borders("edges", "square", square)][:2]
    [('a1_east', 'b1_west'), ('a1_south',)]
    >>> len(borders("corners", "square", square)), borders("corners", "square", square)[0].spaces
    (6, (0, 1))
    """
    found: dict[tuple[Point, ...], list[tuple[str, int]]] = {}
    for space, spot in spots.items():
        for name, points in _round(sort, shape, spot):
            found.setdefault(points, []).append((f"{spot.name}_{name}", space))
    return tuple(
        Border(points, tuple(name for name, _ in at), tuple(space for _, space in at)) for points, at in found.items()
    )


def spots_of(found: tuple[Border, ...], edges: tuple[Border, ...]) -> list[Spot]:
    """Returns the spots of a graph of borders: edges are next to each other at a corner, corners along an edge."""
    if found is edges:
        ties = [[other.names[0] for other in found if other is not one and one.touches(other)] for one in found]
    else:
        ends = [edge.points for edge in edges]
        near = [{point for points in ends if one.points[0] in points for point in points} for one in found]
        ties = [
            [other.names[0] for other in found if other is not one and other.points[0] in points]
            for one, points in zip(found, near, strict=True)
        ]
    return [
        Spot(i, 1, ".", one.names[0], i, ties=tuple(next_to))
        for i, (one, next_to) in enumerate(zip(found, ties, strict=True), start=1)
    ]


def _round(sort: BorderSort, shape: BoardForm, spot: Spot) -> list[tuple[str, tuple[Point, ...]]]:
    """Returns the edges or corners of one space, by name."""
    step = 3 if shape == "hex" else 2
    right, down = spot.across if shape == "hex" else 2 * (spot.column - 1), step * (spot.row - 1)
    corners = {name: (right + x, down + y) for name, (x, y) in _CORNERS[shape].items()}
    if sort == "corners":
        return [(name, (point,)) for name, point in corners.items()]
    points = list(corners.values())
    return [(name, tuple(sorted((points[i], points[(i + 1) % len(points)])))) for i, name in enumerate(_EDGES[shape])]
