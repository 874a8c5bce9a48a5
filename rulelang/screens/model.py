"""The parts of a screen, as values: for the terminal and for a page alike.

The names in a text are values, too (`knowledge.phrase.Name`): seats, things, spaces and members by kind and number. So a
terminal writes words where a page draws pieces.

track z in 1..9: "{crew(z)}"       Track((ScreenCell("1", "red, blue"), ScreenCell("2", ""), …))
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from rulelang.ir.model import BoardForm, Look
from rulelang.ir.model.vocabulary import FanWay
from rulelang.ir.types import Type


@attrs.frozen
class Words:
    """A line of text."""

    text: str


@attrs.frozen
class ScreenCell:
    """A space, a zone on a track, or an entry: its name and its text, or `lines` if it is stacked."""

    name: str
    text: str
    lines: tuple[str, ...] = ()
    doors: tuple[str, ...] | None = None
    """For a space with a frame: the directions in which it is open."""
    ties: tuple[str, ...] = ()
    """For a space of a graph: the names of its neighbours."""
    stands_for: tuple[Type, int] | None = attrs.field(default=None, eq=False, repr=False)
    """The value that it shows, with its type: an answer may name it."""
    sign: str = attrs.field(default="", eq=False, repr=False)
    """For a space: the signs of all that is on it; "" if something there has none."""
    look: Look | None = attrs.field(default=None, eq=False, repr=False)
    """For a space: the look of its ground, as the legend says it."""
    is_free: bool = attrs.field(default=False, eq=False, repr=False)
    """For a space: whether its text is only its mark in the map."""
    place: tuple[int, int] | None = attrs.field(default=None, eq=False, repr=False)
    """For a space of a graph that is drawn: its place, to the right and down."""
    border: tuple[tuple[int, int], ...] = attrs.field(default=(), eq=False, repr=False)
    """For an edge: the points that it joins; for a corner: its point (`ir.BoardShape.borders`)."""


@attrs.frozen
class Map:
    """A board: `rows` of cells, None for a hole, each shifted to the right by a number of half cells."""

    title: str
    shape: BoardForm
    rows: tuple[tuple[ScreenCell | None, ...], ...]
    shifts: tuple[int, ...]
    coordinates: bool = False
    """Whether the names of its spaces are read along its edges, or in their frames."""
    borders: tuple[ScreenCell, ...] = ()
    """The edges and corners of its spaces that are spaces themselves."""

    @property
    def cells(self) -> tuple[ScreenCell, ...]:
        """Returns all that it shows, edges and corners last."""
        return (*(cell for row in self.rows for cell in row if cell is not None), *self.borders)


@attrs.frozen
class Track:
    """A line of cells."""

    cells: tuple[ScreenCell, ...]


@attrs.frozen
class List:
    """Several lines of text."""

    lines: tuple[ScreenCell, ...]


@attrs.frozen
class Cards:
    """The cards in a zone: the name of each, None for a back; a pile's from its top."""

    title: str
    back: str
    cards: tuple[str | None, ...]
    of: str = attrs.field(default="", eq=False, repr=False)
    """The name of the cards' kind."""
    zone: str = attrs.field(default="", eq=False, repr=False)
    """The written name of the zone."""
    texts: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    """By card: its text, "" for a back or where it has none; () if none has one."""
    fanned: FanWay | Literal[""] = attrs.field(default="", eq=False, repr=False)
    """The way in which they lie, overlapping; "" for side by side."""


@attrs.frozen
class Grid:
    """A table."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@attrs.frozen
class Numbers:
    """Labelled values."""

    entries: tuple[ScreenCell, ...]


@attrs.frozen
class Fold:
    """A part that may be folded to its title if there is little room."""

    title: str
    part: Part


Part: TypeAlias = "Words | Map | Track | List | Cards | Grid | Numbers | Fold"
