"""The parts of a picture -> renderables of Rich, from top to bottom.

Words  a line                Track  boxes in a row           Cards  boxes with a name or a back
Map    a map with its edges  List   a line for each          Grid   a table        Numbers  labels and values
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import assert_never

import attrs
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rulelang.screens.model import Cards, Fold, Grid, List, Map, Numbers, Part, ScreenCell, Track, Words

from .board import FREE, draw_map, legend_of
from .borders import draw_bordered
from .hanging import Hanging
from .styles import QUIET, Styles
from .tight import listed, packed

HANGING = 4
"""The hanging indent of a long line of a list, in columns."""
BACK = "░░░"
"""The sign of a card's back."""


def signified(parts: tuple[Part, ...], sign: str, width: int) -> str | None:
    """Returns the text for which a sign stands on a map of so many columns, "" for a space without one; None if it is
    no such sign."""
    boards = [p for part in parts if isinstance(p := part.part if isinstance(part, Fold) else part, Map)]
    if sign == FREE:
        return "" if any(board.shape == "hex" for board in boards) else None
    legend = ((text, short) for board in boards for text, short in legend_of(board, width).items())
    return next((text for text, short in legend if short.casefold() == sign.casefold() and text != short), None)


def draw(parts: tuple[Part, ...], styles: Styles, console: Console, rows: int | None = None) -> RenderableType:
    """Returns a whole screen, in a number of rows if possible:
    cards go on one line, then parts are folded, the last first; then frames hold their text on as few lines as they can;
    a map that is still too high becomes a list. In no rows at all it stays a map."""
    parts = tuple(part for part in parts if not (isinstance(part, Fold) and _is_empty(part.part)))
    if rows is None:
        return _page(parts, styles, console.width)
    drawn = [_Drawn.of(part, styles, console) for part in parts]
    if sum(one.rows for one in drawn) <= rows:
        # Only parts that fit when drawn densely can fit with gaps between them.
        page = _page(parts, styles, console.width)
        return page if _height(page, console) <= rows else Group(*(piece for one in drawn for piece in one.pieces))
    page = _folded(drawn, styles, console, rows)
    for smaller in (packed, listed) if rows else (packed,):
        if _height(page, console) <= rows:
            break
        fewer = [_Drawn.of(smaller(part, console.width), styles, console) for part in parts]
        page = _folded(fewer, styles, console, rows)
    return page


@attrs.frozen(eq=False)
class _Drawn:
    """A part drawn densely, so that its height does not depend on the part above it."""

    part: Part
    pieces: tuple[RenderableType, ...]
    console: Console

    @classmethod
    def of(cls, part: Part, styles: Styles, console: Console) -> _Drawn:
        """Draws a part."""
        return cls(part, tuple(_pieces(part, styles, console.width, dense=True)), console)

    @cached_property
    def rows(self) -> int:
        return sum(_height(piece, self.console) for piece in self.pieces)

    @property
    def title(self) -> str:
        """The title under which it folds; "" if it does not fold."""
        return self.part.title.partition(" (")[0] if isinstance(self.part, Fold) else ""


def _folded(drawn: list[_Drawn], styles: Styles, console: Console, rows: int) -> RenderableType:
    """Returns the parts with as few folded as fit the page, and a line of the folded titles; folds all if none fit."""
    room = rows - sum(one.rows for one in drawn)
    shut: list[_Drawn] = []
    line = Text()
    for one in (one for one in reversed(drawn) if one.title):
        room += one.rows
        shut.insert(0, one)
        line = styles("\n".join(_filled([f"▸ {closed.title}" for closed in shut], console.width)), QUIET)
        if _height(line, console) <= room:
            break
    pieces = [piece for one in drawn if one not in shut for piece in one.pieces]
    return Group(*pieces, *([line] if shut else []))


def _filled(titles: list[str], width: int) -> Iterator[str]:
    """Yields rows of titles, as many in each as fit without breaking one.

    >>> list(_filled(["▸ Plan", "▸ Your ship", "▸ Signs"], 20))
    ['▸ Plan  ▸ Your ship', '▸ Signs']
    """
    row = titles[0]
    for title in titles[1:]:
        if len(row) + 2 + len(title) > width:
            yield row
            row = title
        else:
            row += f"  {title}"
    yield row


def _is_empty(part: Part) -> bool:
    """Returns whether a part that folds shows nothing at all."""
    match part:
        case List(lines=cells) | Track(cells=cells):
            return not cells
        case Map(rows=rows):
            return not any(rows)
        case Words(text=text):
            return not text
        case Cards(cards=cards):
            return not cards
        case _:  # other parts are never empty
            return False


def _height(piece: RenderableType, console: Console) -> int:
    return len(console.render_lines(piece, console.options, pad=False))


def _page(parts: tuple[Part, ...], styles: Styles, width: int) -> RenderableType:
    """Returns all parts below each other, with gaps between them."""
    drawn: list[RenderableType] = []
    for part in parts:
        if isinstance(part, Words) and drawn and _is_blank(drawn[-1]):
            drawn.pop()
        drawn += _pieces(part, styles, width, dense=False)
    if drawn and _is_blank(drawn[-1]):
        drawn.pop()
    return Group(*drawn)


def _pieces(part: Part, styles: Styles, width: int, *, dense: bool) -> Iterator[RenderableType]:
    """Yields a part as drawn, below its title if it folds."""
    if isinstance(part, Fold) and isinstance(part.part, Words):
        yield styles(f"{part.title}: ", "bold").append_text(styles(part.part.text))
        return
    if isinstance(part, Fold) and not isinstance(part.part, Cards):
        # Cards have a title of their own.
        yield styles(part.title, "bold")
    yield from (piece for piece in _part(part, styles, width, dense) if not (dense and _is_blank(piece)))


def _is_blank(piece: RenderableType) -> bool:
    return isinstance(piece, Text) and not piece.plain


def _part(part: Part, styles: Styles, width: int, dense: bool) -> Iterator[RenderableType]:
    match part:
        case Words():
            yield styles(part.text, "bold")
        case Map() if part.borders:
            yield from draw_bordered(part, styles, width)
        case Map(rows=(row,)):
            yield from _track([cell for cell in row if cell is not None], styles, width, dense=dense)
        case Map():
            yield from draw_map(part, styles, width, dense=dense)
        case Track():
            yield from _track(list(part.cells), styles, width, dense=dense)
        case List():
            yield from (Hanging(_line(cell, styles), HANGING) for cell in part.lines)
            if part.lines:
                yield Text("")
        case Cards():
            yield from _dense_cards(part, styles) if dense else _cards(part, styles, width)
        case Grid():
            yield from _grid(part, styles)
        case Numbers():
            yield _numbers(part, styles)
        case Fold():
            yield from _part(part.part, styles, width, dense)
        case _:
            assert_never(part)


def _line(cell: ScreenCell, styles: Styles) -> Text:
    return styles("  ").append_text(styles(cell.text))


# ------------------------------------------------------------------ tracks


def _track(cells: list[ScreenCell], styles: Styles, width: int, *, dense: bool) -> Iterator[RenderableType]:
    """Yields rows of equal boxes, each with its name in its edge, in as many rows as the terminal needs.

    If `dense`, rows share an edge.
    """
    if not cells:
        return
    lines = [list(cell.lines) or [cell.text] for cell in cells]
    wide = max(max(len(cell.name) + 1, *map(len, texts), 1) for cell, texts in zip(cells, lines, strict=True))
    wide = min(wide, max(width - 4, 1))
    fits = max((width - 1) // (wide + 3), 1)
    rows = -(-len(cells) // fits)
    length = -(-len(cells) // rows)
    for start in range(0, len(cells), length):
        here, is_last = slice(start, start + length), start + length >= len(cells)
        above = length if dense and start else 0
        yield _boxed(cells[here], lines[here], wide, styles, above=above, is_closed=is_last or not dense)


def _boxed(
    cells: list[ScreenCell], lines: list[list[str]], wide: int, styles: Styles, *, above: int, is_closed: bool
) -> Text:
    """Returns one row of boxes below a row of `above` boxes; with a lower edge if it `is_closed`."""
    corners = "├┼┤" if above else "┌┬┐"
    top, bottom = Text(corners[0], QUIET), Text("└", QUIET)
    for i, cell in enumerate(cells):
        name = styles(cell.name, QUIET)
        name.truncate(wide)
        right = i == len(cells) - 1
        top.append("─ ", QUIET).append_text(name).append(
            f" {'─' * (wide - len(name) - 1)}{corners[2 if right and above <= len(cells) else 1]}", QUIET
        )
        bottom.append("─" * (wide + 2) + ("┘" if right else "┴"), QUIET)
    for i in range(len(cells), above):
        top.append("─" * (wide + 2) + ("┘" if i == above - 1 else "┴"), QUIET)
    found = [top]
    for n in range(max(1, *map(len, lines))):
        line = Text("│", QUIET)
        for texts in lines:
            words = styles(texts[n]) if n < len(texts) else Text()
            words.truncate(wide, pad=True)
            line.append(" ").append_text(words).append(" │", QUIET)
        found.append(line)
    return Text("\n").join([*found, bottom] if is_closed else found)


# ------------------------------------------------------------------ cards


def _cards(part: Cards, styles: Styles, width: int) -> Iterator[RenderableType]:
    count = len(part.cards)
    title = styles(part.title.replace("_", " "), "bold").append(f"  {count or 'none'}", QUIET)
    yield title
    faces = [_face(name, len(list(same)), styles) for name, same in groupby(part.cards)]
    while faces:
        taken, used = 1, len(faces[0]) + 5
        while taken < len(faces) and used + len(faces[taken]) + 5 <= width:
            used += len(faces[taken]) + 5
            taken += 1
        yield _boxes(faces[:taken])
        faces = faces[taken:]


def _dense_cards(part: Cards, styles: Styles) -> Iterator[RenderableType]:
    line = styles(f"{part.title.replace('_', ' ')}: ", "bold")
    names = (styles(name or part.back).append(f" × {n}" if n > 1 else "") for name, n in _counted(part.cards))
    yield line.append_text(Text(", ").join(names) if part.cards else Text("none", QUIET))


def _counted(cards: tuple[str | None, ...]) -> Iterator[tuple[str | None, int]]:
    return ((name, len(list(same))) for name, same in groupby(cards))


def _face(name: str | None, count: int, styles: Styles) -> Text:
    face = Text(BACK, QUIET) if name is None else styles(name)
    return face.append(f" × {count}", QUIET) if count > 1 else face


def _boxes(faces: list[Text]) -> Text:
    """Returns cards side by side."""
    top, middle, bottom = Text(), Text(), Text()
    for face in faces:
        top.append(f"╭{'─' * (len(face) + 2)}╮ ", QUIET)
        middle.append("│ ", QUIET).append_text(face).append(" │ ", QUIET)
        bottom.append(f"╰{'─' * (len(face) + 2)}╯ ", QUIET)
    for line in (top, middle, bottom):
        line.rstrip()
    return Text("\n").join((top, middle, bottom))


# ------------------------------------------------------------------ tables, numbers


def _grid(part: Grid, styles: Styles) -> Iterator[RenderableType]:
    if part.title:
        yield styles(part.title, "bold")
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", border_style=QUIET, pad_edge=False, show_edge=False)
    for i, name in enumerate(part.columns):
        numeric = all(row[i].lstrip("-").isdigit() or not row[i] for row in part.rows)
        table.add_column(styles(name.replace("_", " ")), justify="right" if numeric and i else "left")
    for row in part.rows:
        table.add_row(*(styles(text) if text else Text("·", QUIET) for text in row))
    yield table
    yield Text("")


def _numbers(part: Numbers, styles: Styles) -> Text:
    entries = (styles(f"{c.name.replace('_', ' ')} ", QUIET).append_text(styles(c.text, "bold")) for c in part.entries)
    return Text("   ").join(entries)
