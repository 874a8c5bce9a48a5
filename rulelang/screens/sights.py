"""A word -> the places on a screen that it names, and what they show.

sights(picture(match, 0), "a7")        Sight("a7", "space", ("green",))             a space of a map
sights(picture(match, 0), "cost")      Sight("cost", "column", ("left: 1", …))      a column of a table
sights(picture(match, 0), "ships")     Sight("Ships", "part of the screen", …)      a part that folds
lines(picture(match, 0), "legs")       "Tile 5 … 11 legs to go after it"            anything else
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

import attrs

from rulelang.knowledge.phrase import spliced, trimmed
from rulelang.screens.model import Cards, Fold, Grid, List, Map, Numbers, Part, ScreenCell, Track, Words

EMPTY = "nothing is shown there"
LINE = "line"
"""The noun for a line of the screen about a thing with whose name it begins."""
GAP = "   "
"""The gap between the texts of a line."""


@attrs.frozen
class Sight:
    """A named place on a screen: its name, the noun for such a place, and the lines that it shows."""

    name: str
    noun: str
    shown: tuple[str, ...]
    is_whole: bool = False
    """Whether it has everything that the screen says about the name."""


def sights(parts: Iterable[Part], wanted: str) -> Iterator[Sight]:
    """Yields the places with a name (in lower case); a part that folds is also found by the beginning of its title."""
    for part in parts:
        match part:
            case Fold():
                title = part.title.partition(" (")[0]
                if title.casefold() == wanted:
                    yield Sight(title, "part of the screen", tuple(said(part.part)), is_whole=True)
                yield from _about(part.part, wanted, f"{part.title}: ")
                yield from sights((part.part,), wanted)
            case Map():
                yield from _cells(part.cells, wanted, part.title or "space")
            case Track():
                yield from _cells(part.cells, wanted, "place")
            case List(lines=entries) | Numbers(entries=entries):
                for cell in entries:
                    if cell.name.casefold() == wanted:
                        yield Sight(cell.name, "entry", (cell.text,))
            case Grid():
                yield from _grid(part, wanted)
            case Cards() | Words():
                pass
            case _:
                assert_never(part)


def lines(parts: Iterable[Part], wanted: str) -> tuple[str, ...]:
    """Returns the texts of a screen that contain a word, those that begin with it first; a legend explains a sign before a
    number (`d: its target die` for d1)."""
    sign = wanted.rstrip("0123456789") + ": "
    found = (line for part in parts for line in (*_titles(part), *said(part)))
    # A line may have several texts with gaps between them. Texts that begin with the word are most likely about it.
    texts = dict.fromkeys(
        trimmed(text)
        for line in found
        for text in line.split(GAP)
        if _says(text.casefold(), wanted) or text.casefold().startswith(sign)
    )
    if len(texts) > 1:
        texts.pop(wanted, None)
    return tuple(sorted(texts, key=lambda text: not text.casefold().startswith((wanted, sign))))


def _titles(part: Part) -> Iterator[str]:
    """Yields the words in brackets of the title of a part that folds."""
    if isinstance(part, Fold) and part.title.endswith(")"):
        yield part.title.partition(" (")[2].removesuffix(")")


def _says(text: str, wanted: str) -> bool:
    """Returns whether a text contains a word, or several, as whole words.

    >>> _says("9 legs to go", "legs"), _says("9 legs to go", "leg"), _says("♥5/6", "♥")
    (True, False, True)
    """
    at = text.find(wanted)
    while at >= 0:
        before, after = text[max(at - 1, 0) : at], text[at + len(wanted) :][:1]
        # A sign such as ♥ may stand right beside a number.
        if not (before.isalnum() and wanted[:1].isalnum()) and not (after.isalnum() and wanted[-1:].isalnum()):
            return True
        at = text.find(wanted, at + 1)
    return False


def said(part: Part) -> Iterator[str]:
    """Yields the lines of a part, as text."""
    match part:
        case Fold():
            yield from said(part.part)
        case Words(text=text):
            if text:
                yield text
        case Cards(title=title, back=back, cards=cards):
            yield spliced((title, ": ", spliced([card or back for card in cards], ", ") or "none"))
        case List(lines=cells):
            yield from (cell.text for cell in cells)
        case Track(cells=cells) | Numbers(entries=cells):
            yield from (spliced((cell.name, ": ", _inside(cell))) for cell in cells if _inside(cell))
        case Map():
            yield from (spliced((cell.name, ": ", _inside(cell))) for cell in part.cells if _inside(cell))
        case Grid():
            for row in part.rows:
                texts = [f"{name} {text}" for name, text in zip(part.columns[1:], row[1:], strict=True) if text]
                yield spliced((row[0], ": ", spliced(texts, ", ")))
        case _:
            assert_never(part)


def _about(part: Part, wanted: str, title: str) -> Iterator[Sight]:
    """Yields the lines of a part that begin with a name and go on with texts about it, below the title of the part."""
    for line in said(part) if isinstance(part, List) else ():
        name, _, rest = line.partition(GAP)
        if rest and name.casefold() == wanted:
            yield Sight(name, LINE, (f"{title}{', '.join(rest.split(GAP))}",))


def _inside(cell: ScreenCell) -> str:
    return spliced(cell.lines, ", ") or cell.text


def _cells(cells: Iterable[ScreenCell], wanted: str, noun: str) -> Iterator[Sight]:
    for cell in cells:
        if cell.name.casefold() == wanted:
            doors = (f"doors {', '.join(cell.doors)}",) if cell.doors else ()
            ties = (f"next to {', '.join(cell.ties)}",) if cell.ties else ()
            yield Sight(cell.name, noun, (*(cell.lines or (cell.text or EMPTY,)), *doors, *ties))


def _grid(part: Grid, wanted: str) -> Iterator[Sight]:
    """Yields the columns and rows of a table with a name."""
    for i, column in enumerate(part.columns):
        if column.replace("_", " ").casefold() == wanted and i > 0:
            yield Sight(
                column.replace("_", " "),
                "column",
                tuple(f"{row[0]}: {row[i] or '–'}" for row in part.rows),
                is_whole=True,
            )
    for row in part.rows:
        if row[0].casefold() == wanted:
            texts = (f"{name.replace('_', ' ')} {text}" for name, text in zip(part.columns, row, strict=True) if text)
            yield Sight(row[0], "row", tuple(texts)[1:], is_whole=True)
