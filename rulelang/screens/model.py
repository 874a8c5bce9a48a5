"""The parts of a screen, as values: for the terminal and for a page alike.

track z in 1..9: "{crew(z)}"       Track((ScreenCell("1", "red, blue"), ScreenCell("2", ""), …))
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.ir.model import BoardForm


@attrs.frozen
class Words:
    """A line of text."""

    text: str


@attrs.frozen
class ScreenCell:
    """A space, a zone on a track, an entry: what it is called, and what it shows; `lines` where it is stacked."""

    name: str
    text: str
    lines: tuple[str, ...] = ()
    doors: tuple[str, ...] | None = None
    """Of a space that is drawn with a frame: the directions in which it is open."""
    ties: tuple[str, ...] = ()
    """Of a space of a graph: what the spaces next to it are called."""


@attrs.frozen
class Map:
    """A board: `rows` of cells, None where it has a hole; each is shifted to the right by so many halves of a cell."""

    title: str
    shape: BoardForm
    rows: tuple[tuple[ScreenCell | None, ...], ...]
    shifts: tuple[int, ...]
    coordinates: bool = False
    """What its spaces are called is to be read along its edges, or in their frames."""


@attrs.frozen
class Track:
    """A line of cells."""

    cells: tuple[ScreenCell, ...]


@attrs.frozen
class List:
    """A line of text for each of several."""

    lines: tuple[ScreenCell, ...]


@attrs.frozen
class Cards:
    """The cards in a zone: a name each, None for a back; a pile's from its top."""

    title: str
    back: str
    cards: tuple[str | None, ...]


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
    """A part that may be closed where room is short; its title stays."""

    title: str
    part: Part


Part: TypeAlias = "Words | Map | Track | List | Cards | Grid | Numbers | Fold"
