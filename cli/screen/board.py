"""A map -> lines of text with letters and numbers along its edges; long cells become signs with a legend.

  a  b  c
1 X  .  O
2 .  .  .
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.text import Text

from rulelang.runtime.picture import Cell, Map

from .ink import QUIET, Ink

MOST = 6
"""Cells longer than this become signs when the map would be too wide otherwise."""


def draw_map(part: Map, ink: Ink, width: int) -> Iterator[Text]:
    """Gives a board's lines."""
    cells = [cell for row in part.rows for cell in row if cell is not None]
    texts = {cell.text: cell.text for cell in cells}
    columns = max(len(row) for row in part.rows)
    legend: dict[str, str] = {}
    if columns * (max(len(text) for text in texts) + 2) + 6 > width:
        texts = legend = _signs(list(texts))
    wide = max(len(text) for text in texts.values())
    edge = _letters(part.rows)
    if edge:
        yield Text("     " + "  ".join(letter.center(wide) for letter in edge).rstrip(), QUIET)
    for number, row in enumerate(part.rows, start=1):
        offset = (wide + 2) // 2 if part.shape == "hex" and number % 2 == 0 else 0
        line = Text(f"{number:>3}  {' ' * offset}", QUIET)
        yield _row(line, row, texts, ink)
    for text, sign in legend.items():
        if text != sign:
            yield ink(f"     {sign}  {text}", QUIET)


def _row(line: Text, row: tuple[Cell | None, ...], texts: dict[str, str], ink: Ink) -> Text:
    """Adds the cells of one row to its beginning."""
    wide = max(len(text) for text in texts.values())
    for cell in row:
        text = "" if cell is None else texts[cell.text]
        line.append_text(ink(text.center(wide), QUIET if text in (".", "·") else "")).append("  ")
    line.rstrip()
    return line


def _letters(rows: tuple[tuple[Cell | None, ...], ...]) -> list[str]:
    """Gives the letters of the columns, where spaces are called by letter and number."""
    columns = max(len(row) for row in rows)
    letters = [""] * columns
    for row in rows:
        for i, cell in enumerate(row):
            found = re.fullmatch(r"([a-z]+)\d+", cell.name) if cell is not None else None
            if found:
                letters[i] = found.group(1)
    return letters if any(letters) else []


def _signs(texts: list[str]) -> dict[str, str]:
    """Gives each text a sign of its own, as short as can be.

    >>> _signs(["exoplanet", "universe", "e", "unknown"])
    {'exoplanet': 'ex', 'universe': 'u', 'e': 'e', 'unknown': 'un'}
    """
    signs: dict[str, str] = {text: text for text in texts if len(text) <= 1}
    for text in texts:
        if text not in signs:
            tries = [text[:n] for n in range(1, len(text) + 1)]
            signs[text] = next(t for t in (*tries, f"{text}'") if t not in signs.values())
    return {text: signs[text] for text in texts}
