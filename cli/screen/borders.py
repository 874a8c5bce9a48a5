r"""A map whose edges and corners are spaces too -> lines of text: `·` is a free corner, `/ \ |` a free edge.

  ·   ·
/ a1 \ b1 \
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from rich.text import Text

from rulelang.knowledge.phrase import pieces, spliced
from rulelang.screens.model import Map, ScreenCell

from .board import PLAIN, filled, signs_of
from .styles import QUIET, Styles

WIDEST, NARROWEST = 5, 2
"""The columns of characters of half a space: those that are used if there is room, and the fewest."""
CORNER = "·"
MARGIN = 2


@attrs.frozen
class Canvas:
    """Texts by their line and column."""

    texts: dict[tuple[int, int], tuple[str, str]] = attrs.field(factory=dict)

    def put(self, down: int, middle: int, text: str, style: str) -> None:
        """Writes a text around the middle of a line."""
        self.texts[down, middle - (len(text) - 1) // 2] = (text, style)

    def lines(self, styles: Styles) -> Iterator[Text]:
        """Yields the lines from the top."""
        for down in range(min(at[0] for at in self.texts), max(at[0] for at in self.texts) + 1):
            line, reached = Text(), 0
            for column in sorted(at[1] for at in self.texts if at[0] == down):
                text, style = self.texts[down, column]
                line.append(" " * (column - reached)).append_text(styles(text, style))
                reached = max(column, reached) + len(text)
            yield line


def draw_bordered(part: Map, styles: Styles, width: int) -> Iterator[Text]:
    """Yields the lines of a board with its edges and corners, and what its signs mean."""
    columns = max(point[0] for cell in part.borders for point in cell.border) + 1
    left = min(point[0] for cell in part.borders for point in cell.border)
    wide = max(min((width - 2 * MARGIN) // max(columns - left, 1), WIDEST), NARROWEST)
    canvas, signs = Canvas(), signs_of([cell.text for cell in part.borders if not cell.is_free], 2)

    def across(x: float) -> int:
        return MARGIN + round((x - left) * wide)

    for cell in part.borders:
        (x, y), (u, v) = cell.border[0], cell.border[-1]
        plain = CORNER if (x, y) == (u, v) else _line(part, u - x, v - y)
        text = plain if cell.is_free or not cell.text else signs[cell.text]
        canvas.put((y + v) // 2, across((x + u) / 2), text, QUIET if text == plain else styles.of(cell.text))
    for row, (cells, shift) in enumerate(zip(part.rows, part.shifts, strict=True)):
        for column, space in enumerate(cells):
            if space is not None:
                down = row * (2 if part.shape == "square" else 3)
                _put(canvas, part, space, down, across(2 * column + shift), 2 * wide - 1, styles)
    yield from canvas.lines(styles)
    told = [f"{sign} = {text}" for text, sign in signs.items() if text != sign]
    yield from (styles(f"  {line}", QUIET) for line in filled(told, width - 2))


def _line(part: Map, right: int, down: int) -> str:
    """Returns the sign of a free edge that goes so far to the right and down."""
    if part.shape == "square":
        return "|" if right == 0 else "-"
    return "|" if right == 0 else "/" if (right > 0) != (down > 0) else "\\"


def _put(canvas: Canvas, part: Map, cell: ScreenCell, down: int, middle: int, wide: int, styles: Styles) -> None:
    """Writes the name and the text of a space into its middle: on three lines of a hex, on one of a square, where what
    lies there takes the place of its name."""
    lines = [""]
    for word in pieces(cell.text if cell.text not in PLAIN else ""):
        lines[-1:] = [f"{lines[-1]} {word}".strip()] if len(lines[-1]) + len(word) < wide else [lines[-1], word]
    lines = [line[:wide] for line in lines if line]
    if part.shape == "square":
        text = f"{cell.name} {spliced(lines)}".strip()[:wide] if cell.is_free or not lines else lines[0]
        canvas.put(down, middle, text, QUIET if cell.is_free else styles.of(cell.text))
        return
    canvas.put(down - 1, middle, cell.name[:wide], QUIET)
    for number, line in enumerate(lines[:2]):
        canvas.put(down + number, middle, line, styles.of(cell.text))
