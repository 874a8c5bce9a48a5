"""A map -> lines of text with letters and numbers along its edges; long cells become signs with a legend.

  a  b  c
1 X  .  O
2 .  .  .
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from types import MappingProxyType

import attrs
from rich.cells import cell_len
from rich.text import Text

from rulelang.knowledge.phrase import named, names_in, pieces, spliced
from rulelang.screens.model import Map, ScreenCell

from .styles import QUIET, Styles
from .tight import frame_room

FREE = "·"
"""The sign of an empty hex, which makes the shape of the board visible."""
MARGIN = 6
"""The columns of characters beside a board, for the names of rows."""
GAP = 2
"""The number of blanks between columns."""
NARROWEST = 9
"""The columns of characters that the narrowest frame takes."""
PLAIN = (".", FREE, "?")
"""The signs that are drawn in a quiet style."""


def draw_map(part: Map, styles: Styles, width: int, *, dense: bool = False) -> Iterator[Text]:
    """Yields a board's lines; if `dense`, frames below each other share an edge. A board that is too wide is drawn in several
    parts, one below the other."""
    cells = [cell for row in part.rows for cell in row if cell is not None]
    parts = _side_by_side(part, width)
    if len(parts) > 1:
        for number, one in enumerate(parts):
            yield from [Text()] if number else []
            yield from draw_map(one, styles, width, dense=dense)
        return
    if any(cell.doors is not None for cell in cells):
        yield from _frames(part, styles, width, dense=dense and not any(part.shifts))
        return
    if part.shape == "graph":
        yield from _graph(cells, styles, width)
        return
    legend = legend_of(part, width)
    texts = {cell.text: cell.text or (FREE if part.shape == "hex" else "") for cell in cells} | legend
    wide = max(len(text) for text in texts.values())
    edge = _column_names(part.rows)
    if edge:
        margin = " " * (5 + _offset(part.shifts[0], wide + 2))
        yield Text(margin + "  ".join(letter.center(wide) for letter in edge).rstrip(), QUIET)
    for row, edge_name, shift in zip(part.rows, _row_names(part.rows), part.shifts, strict=True):
        line = Text(f"{edge_name:>3}  {' ' * _offset(shift, wide + 2)}", QUIET)
        yield _row(line, row, texts, styles)
    signs = [f"{sign} = {text}" for text, sign in legend.items() if text != sign]
    yield from (styles(f"     {line}", QUIET) for line in filled(signs, width - 5))


def filled(signs: list[str], width: int) -> list[str]:
    """Returns the lines that hold signs beside each other, none of them cut.

    >>> filled(["a = an ace", "k = a king"], 20)
    ['a = an ace', 'k = a king']
    """
    lines: list[str] = []
    for sign in signs:
        if lines and len(lines[-1]) + 3 + len(sign) <= width:
            lines[-1] += f"   {sign}"
        else:
            lines.append(sign)
    return lines


def legend_of(part: Map, width: int) -> dict[str, str]:
    """Returns the sign for each text of a board that the rules
    give one, and for the others if there is no room for them."""
    cells = [cell for row in part.rows for cell in row if cell is not None]
    texts = dict.fromkeys(cell.text for cell in cells)
    columns = max((len(row) for row in part.rows), default=0)
    if part.shape == "graph" or part.borders or any(cell.doors is not None for cell in cells):
        return {}
    given = {cell.text: cell.sign for cell in cells if cell.sign}
    if len(set(given.values())) < len(given) or any(cell_len(sign) != len(sign) for sign in given.values()):
        given = {}  # signs of one form would be told apart by their colours alone
    room = width - MARGIN + GAP  # there is no gap behind the last column
    if columns * (max(map(len, texts), default=0) + GAP) <= room:
        return given
    return signs_of([text for text in texts if text], max(room // columns - GAP, 1), given)


def _side_by_side(part: Map, width: int) -> list[Map]:
    """Returns the parts of a board that fit into a width each: the board itself, if it does."""
    is_framed = any(cell is not None and cell.doors is not None for row in part.rows for cell in row)
    columns = max((len(row) for row in part.rows), default=0)
    room = (width - max(part.shifts, default=0) * (NARROWEST if is_framed else 3) // 2) // NARROWEST
    if not is_framed:
        room = (width - MARGIN - max(part.shifts, default=0) * 3 // 2) // 3
    if part.shape == "graph" or columns <= max(room, 1):
        return [part]
    starts = range(0, columns, max(room, 1))
    cut = (tuple(row[start : start + max(room, 1)] for row in part.rows) for start in starts)
    return [attrs.evolve(part, rows=rows) for rows in cut]


def _offset(shift: int, width: int) -> int:
    """Returns the shift of a row in characters, for a width of cells."""
    return shift * width // 2


def _graph(cells: list[ScreenCell], styles: Styles, width: int) -> Iterator[Text]:
    """Yields a line for each space of a graph: its name, its text, its neighbours."""
    wide = min(max(len(cell.name) for cell in cells), width // 3)
    far = min(max(len(cell.text) for cell in cells), width // 3)
    for cell in cells:
        quiet = cell.text in PLAIN
        line = Text(f"  {cell.name:<{wide}}  ", QUIET)
        line.append_text(styles(cell.text, QUIET if quiet else styles.of(cell.text))).append(
            " " * max(far - len(cell.text), 0)
        )
        yield line.append(f"  next to {', '.join(cell.ties)}" if cell.ties else "", QUIET)


def _frames(part: Map, styles: Styles, width: int, *, dense: bool) -> Iterator[Text]:
    """Yields the lines of spaces that are drawn as frames; a frame is open where it has a door."""
    most = frame_room(part, width)
    texts = [[_inside(cell, most) for cell in row] for row in part.rows]
    wide = min(max((len(line) for row in texts for lines in row for line in lines), default=1), most)
    above: tuple[ScreenCell | None, ...] = ()
    for number, (cells, lines, shift) in enumerate(zip(part.rows, texts, part.shifts, strict=True)):
        high = max(max(map(len, lines), default=0), 1)
        margin = Text(" " * _offset(shift, wide + 4))
        over = above if dense and above else (None,) * len(cells)
        yield margin + Text("").join(
            _edge(upper, wide, "└─┘", "south")
            if _is_open(cell) and upper is not None
            else _edge(cell, wide, "┌─┐" if _is_open(upper) else "├─┤", "north", named=part.coordinates)
            for cell, upper in zip(cells, over, strict=True)
        )
        for n in range(high):
            line = margin.copy()
            for cell, inside in zip(cells, lines, strict=True):
                words = styles(inside[n]) if n < len(inside) else Text()
                words.truncate(wide + 2)
                line.append(_side(cell, "west", n == high // 2), QUIET)
                left = " " * (len(words) < wide + 2)
                line.append(left).append_text(words).append(" " * (wide + 2 - len(left) - len(words)))
                line.append(_side(cell, "east", n == high // 2), QUIET)
            yield line
        above = cells
        if not dense or number == len(part.rows) - 1:
            yield margin + Text("").join(_edge(cell, wide, "└─┘", "south") for cell in cells)


def _is_open(cell: ScreenCell | None) -> bool:
    """Returns whether nothing is drawn in a place."""
    return cell is None or cell.doors is None


def _inside(cell: ScreenCell | None, wide: int) -> list[str]:
    """Returns the lines in a frame, those that are too long on several, broken between words. One that needs the blanks
    beside it has them."""
    return [] if cell is None else [line for text in cell.lines for line in _wrapped(text, wide + 2)]


def _wrapped(text: str, wide: int) -> Iterator[str]:
    """Yields a text in lines of so many characters; its names stay names, and a name that is too long is broken, too.

    >>> list(_wrapped("power station", 12)), list(_wrapped(named("geothermal plant", "thing"), 14))
    (['power', 'station'], ['geothermal', 'plant'])
    """
    line = ""
    for word in (part for piece in pieces(text) for part in (_broken(piece) if len(piece) > wide else (piece,))):
        if line and len(line) + 1 + len(word) > wide:
            yield line
            line = word
        else:
            line = spliced((line, word), " ") if line else word
    yield line


def _broken(piece: str) -> Iterator[str]:
    """Yields the words of a piece, each of them a name if it is one."""
    names = names_in(piece)
    for word in str(piece).split():
        yield named(word, names[0].what) if names else word


def _edge(cell: ScreenCell | None, wide: int, corners: str, side: str, *, named: bool = False) -> Text:
    """Returns an edge of a frame, with its door; the upper edge holds the name of the space if there is room."""
    if cell is None or cell.doors is None:
        return Text(" " * (wide + 4))
    left, line, right = corners[0], corners[1], corners[2]
    edge = line * (wide + 2)
    if side in cell.doors:
        middle = (wide + 2) // 2
        edge = edge[: middle - 1] + "   " + edge[middle + 2 :]
    if named and edge.startswith(line * len(cell.name)):
        edge = cell.name + edge[len(cell.name) :]
    return Text(left + edge + right, QUIET)


def _side(cell: ScreenCell | None, side: str, is_middle: bool) -> str:
    if cell is None or cell.doors is None:
        return " "
    return " " if is_middle and side in cell.doors else "│"


def _row(line: Text, row: tuple[ScreenCell | None, ...], texts: dict[str, str], styles: Styles) -> Text:
    """Adds the cells of one row to a line that begins with the row's name."""
    wide = max(len(text) for text in texts.values())
    for cell in row:
        whole = "" if cell is None else cell.text
        sign = "" if cell is None else texts[whole]
        text = whole if sign == whole else sign
        look = QUIET if text in PLAIN else "" if text is whole else styles.of(whole)
        before = text.center(wide).index(text)
        line.append(" " * before).append_text(styles(text, look)).append(" " * (wide - len(text) - before + GAP))
    line.rstrip()
    return line


def _row_names(rows: tuple[tuple[ScreenCell | None, ...], ...]) -> list[str]:
    """Returns the names of rows: their letter or number if their spaces are named by both; otherwise they are numbered."""
    names = []
    for number, row in enumerate(rows, start=1):
        name = next((cell.name for cell in row if cell is not None), "")
        letters, digits = _coordinates(name)
        names.append((letters if letters.isupper() else digits) or str(number))
    return names


def _column_names(rows: tuple[tuple[ScreenCell | None, ...], ...]) -> list[str]:
    """Returns the names of columns, if spaces are named by column and row (`b7`) or by row and column (`G2`)."""
    names = [""] * max(len(row) for row in rows)
    for row in rows:
        for i, cell in enumerate(row):
            letters, digits = _coordinates("" if cell is None else cell.name)
            names[i] = (digits if letters.isupper() else letters) or names[i]
    return names if any(names) else []


def _coordinates(name: str) -> tuple[str, str]:
    """Returns the letters and the digits of a space's name; both "" for a name of another form.

    >>> _coordinates("b7"), _coordinates("G12"), _coordinates("harbour"), _coordinates("Dock3")
    (('b', '7'), ('G', '12'), ('', ''), ('', ''))
    """
    letters = name.rstrip("0123456789")
    is_both = letters.isascii() and letters.isalpha() and letters != name and (letters.isupper() or letters.islower())
    return (letters, name[len(letters) :]) if is_both else ("", "")


def signs_of(texts: list[str], most: int, given: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Returns a distinct sign for each text, of `most` characters if possible: the one that the rules give it, else the
    beginnings of its words, without an article; the first letters of all, or a number, where that is too long.

    >>> signs_of(["the vixen", "a vole"], 9)
    {'the vixen': 'v', 'a vole': 'vo'}
    >>> signs_of(["exoplanet", "universe", "e", "unknown", "(red)", "red AP"], 9)
    {'exoplanet': 'ex', 'universe': 'u', 'e': 'e', 'unknown': 'un', '(red)': '(r)', 'red AP': 'r AP'}
    >>> signs_of(["winter wheat The Red Baron", "winter rye The Red Baron", "sugar beet"], 5)
    {'winter wheat The Red Baron': 'wwTRB', 'winter rye The Red Baron': 'wrTRB', 'sugar beet': 's b'}
    """
    signs: dict[str, str] = {text: text for text in texts if len(text) <= 1} | dict(given)
    for text in texts:
        if text not in signs:
            first, _, rest = text.partition(" ")
            bare = rest if rest and first in ("the", "a", "an") else text
            tries = [_shortened(bare, letters) for letters in range(1, len(bare) + 1)]
            initials = "".join(word[0] for word in bare.split())
            few = [
                sign
                for sign in (*tries, initials, initials[:most], *map(str, range(1, len(texts) + 1)))
                if len(sign) <= most
            ]
            taken = {*signs.values(), *(one for one in texts if len(one) <= 1)}
            signs[text] = next(sign for sign in (*few, *tries, f"{text}'") if sign not in taken)
    return {text: signs[text] for text in texts}


def _shortened(text: str, letters: int) -> str:
    """Returns a text with only the first letter of each word of more than two.

    >>> _shortened("(red) AP", 1), _shortened("exoplanet", 2)
    ('(r) AP', 'ex')
    """
    short = max(letters + 1, 3)
    runs = ("".join(run) for _, run in groupby(text, str.isalnum))
    return "".join(run[:letters] if run.isalnum() and len(run) >= short else run for run in runs)
