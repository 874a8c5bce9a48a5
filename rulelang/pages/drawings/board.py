"""A map -> a drawing of the board, as SVG: squares, hexes, rooms with doors, graphs and tracks.

board(part, "map-1", ink, targets)      <svg class="board" viewBox="0 0 240 240">…</svg>

Each space is a group with the name of its space; one that can be clicked has its answer as `data-choose`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt

import attrs

from rulelang.ir.model import Look
from rulelang.knowledge.phrase import named, names_in, spliced
from rulelang.pages.drawings.borders import RADIUS, border, reach
from rulelang.pages.drawings.marks import mark_for
from rulelang.pages.drawings.piece import back, heaps, image, is_covered, is_piece, piece
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, rounded, together
from rulelang.pages.targets import ClickTarget, Targets
from rulelang.screens.model import Map, ScreenCell

SIDE = 60.0
"""The width of a space."""
ROOM = (132.0, 84.0)
"""The width and the height of a room with doors."""
LARGEST = 1.9
"""The scale beyond which a small board does not grow."""
FINE = 9
"""The width, in spaces, beyond which a board is fine: names of spaces are then too small for a phone."""
EDGE = 22.0
"""The width of the margin for names of rows and columns."""
EMPTY = (".", "·", "")
"""The texts of a space on which nothing lies."""
LINE = 13.0
"""The distance of lines of text."""
SMALL, LARGE = 7.5, 26.0
"""The sizes between which a text is fitted into a space."""
PER_LETTER = 0.58
"""The width of a letter, in units of its size."""


@attrs.frozen
class Area:
    """A place on a drawing: its middle, its width and its height."""

    x: float
    y: float
    wide: float = SIDE
    high: float = SIDE


def board(part: Map, id: str, ink: Ink, targets: Targets) -> Markup:
    """Returns the drawing of a board; `id` begins the ids of its spaces."""
    cells = [cell for row in part.rows for cell in row if cell is not None]
    if any(cell.doors is not None for cell in cells):
        spots = _rooms(part)
    elif part.shape == "graph":
        spots = _drawn(cells) or _graph(tuple((cell.name, cell.ties) for cell in cells))
    elif part.shape == "ring":
        spots = _ring([cell.name for cell in cells])
    else:
        spots = _grid(part)
    if not spots:
        return Markup("")
    wide = max(spot.x + spot.wide / 2 for spot in spots.values())
    high = max(spot.y + spot.high / 2 for spot in spots.values()) + (12 if part.shape == "graph" else 0)
    ties = _ties(cells, spots) if part.shape == "graph" else ()
    # A room says its name itself.
    has_edges = part.shape != "graph" and not part.coordinates and all(cell.doors is None for cell in cells)
    names = _edges(part, spots) if has_edges else ()
    spaces = (_space(part, cell, spots[cell.name], f"{id}-{cell.name}", ink, targets) for cell in cells)
    return element(
        "svg",
        element("title", part.title),
        ties,
        names,
        spaces,
        (_border(part, cell, id, ink, targets) for cell in part.borders),
        id=id,
        klass=f"board {part.shape}" + (" fine" if wide > FINE * SIDE else ""),
        viewBox=f"0 0 {rounded(wide + 4)} {rounded(high + 4)}",
        width=(wide + 4) * LARGEST,
        role="group",
        aria_label=part.title,
    )


# ------------------------------------------------------------------ where spaces lie


def _grid(part: Map) -> dict[str, Area]:
    """Returns the spots of squares or hexes, shifted by half spaces."""
    down = SIDE * sqrt(3) / 2 if part.shape == "hex" else SIDE
    tall = SIDE * 2 / sqrt(3) if part.shape == "hex" else SIDE
    left = min(part.shifts, default=0)
    return {
        cell.name: Area(
            EDGE + (column + 0.5) * SIDE + (shift - left) * SIDE / 2, EDGE + tall / 2 + row * down, SIDE, tall
        )
        for row, (cells, shift) in enumerate(zip(part.rows, part.shifts, strict=True))
        for column, cell in enumerate(cells)
        if cell is not None
    }


def _ring(names: list[str]) -> dict[str, Area]:
    """Returns the spots of a ring: around a circle, clockwise from the top."""
    radius = max(len(names) * SIDE * 1.1 / (2 * pi), SIDE)
    turns = ((2 * pi * i / len(names) - pi / 2) for i in range(len(names)))
    middle = EDGE + radius + SIDE / 2
    return {
        name: Area(middle + radius * cos(turn), middle + radius * sin(turn))
        for name, turn in zip(names, turns, strict=True)
    }


def _rooms(part: Map) -> dict[str, Area]:
    wide, high = ROOM
    return {
        cell.name: Area(6 + (column + 0.5 + shift / 2) * wide, 6 + (row + 0.5) * high, wide, high)
        for row, (cells, shift) in enumerate(zip(part.rows, part.shifts, strict=True))
        for column, cell in enumerate(cells)
        if cell is not None and cell.doors is not None
    }


def _drawn(cells: list[ScreenCell]) -> dict[str, Area]:
    """Returns the spots of a graph's spaces where the rules draw them; {} if they draw none."""
    places = {cell.name: cell.place for cell in cells if cell.place is not None}
    if not places:
        return {}
    near = [
        max(abs(a[0] - b[0]) / 1.2, abs(a[1] - b[1]))
        for one, a in places.items()
        for other, b in places.items()
        if one < other
    ]
    # The two that are closest are just apart.
    scale = SIDE * 1.15 / max(min(near, default=1), 1)
    left, top = min(x for x, _ in places.values()), min(y for _, y in places.values())
    return {
        name: Area(EDGE + SIDE / 2 + (x - left) * scale, EDGE + SIDE / 2 + (y - top) * scale, SIDE, SIDE * 0.8)
        for name, (x, y) in places.items()
    }


@lru_cache(maxsize=32)
def _graph(ties: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, Area]:
    """Returns spots for the spaces of a graph: on a circle at first, then pulled together by ties and pushed apart."""
    names = [name for name, _ in ties]
    number = {name: i for i, name in enumerate(names)}
    count = len(names)
    at = [(cos(2 * pi * i / count), sin(2 * pi * i / count)) for i in range(count)]
    near = [[number[other] for other in others if other in number] for _, others in ties]
    ideal, rounds = sqrt(4 / count), 120 if count <= 80 else 0
    for turn in range(rounds):
        heat, moved = 0.12 * (1 - turn / rounds), []
        for i, (x, y) in enumerate(at):
            dx = dy = 0.0
            for j, (u, v) in enumerate(at):
                far = max(hypot(x - u, y - v), 1e-3)
                push = ideal * ideal / (far * far) if i != j else 0.0
                pull = far / ideal if j in near[i] else 0.0
                dx, dy = dx + (x - u) * (push - pull), dy + (y - v) * (push - pull)
            step = max(hypot(dx, dy), 1e-6)
            moved.append((x + dx / step * min(step, heat), y + dy / step * min(step, heat)))
        at = moved
    left, top = min((x for x, _ in at), default=0), min((y for _, y in at), default=0)
    scale = SIDE * 1.7 / ideal
    return {
        name: Area(EDGE + SIDE / 2 + (x - left) * scale, EDGE + SIDE / 2 + (y - top) * scale, SIDE, SIDE * 0.8)
        for name, (x, y) in zip(names, at, strict=True)
    }


def _ties(cells: list[ScreenCell], spots: dict[str, Area]) -> Iterator[Markup]:
    for cell in cells:
        for other in cell.ties:
            if other in spots:
                a, b = spots[cell.name], spots[other]
                yield element("line", klass="tie", x1=a.x, y1=a.y, x2=b.x, y2=b.y)


def _edges(part: Map, spots: dict[str, Area]) -> Iterator[Markup]:
    """Yields the names of rows and columns, where spaces are named by both."""
    rows, columns = dict[str, float](), dict[str, float]()
    for row in part.rows:
        for cell in row:
            letters = "" if cell is None else cell.name.rstrip("0123456789")
            if cell is None or not letters.isalpha() or letters == cell.name or len(letters) > 2:
                continue
            digits, spot = cell.name[len(letters) :], spots[cell.name]
            across, down = (digits, letters) if letters.isupper() else (letters, digits)
            if not any(part.shifts):
                columns.setdefault(across, spot.x)
            rows.setdefault(down, spot.y)
    for name, x in columns.items():
        yield element("text", name, klass="edge", x=x, y=EDGE - 8)
    for name, y in rows.items():
        yield element("text", name, klass="edge", x=EDGE / 2 - 2, y=y + 4)


# ------------------------------------------------------------------ one space


def _space(part: Map, cell: ScreenCell, spot: Area, id: str, ink: Ink, targets: Targets) -> Markup:
    target = None if cell.stands_for is None else targets.at(*cell.stands_for)
    shown = spliced(cell.lines, ", ") or cell.text
    words = f"{cell.name}: {shown}" if shown not in EMPTY else cell.name
    # What lies on the corners of a space leaves less of its width.
    room = attrs.evolve(spot, wide=spot.wide - 2 * RADIUS) if part.borders else spot
    inside = _lines(cell, spot, ink) if cell.doors is not None else _contents(cell, room, ink)
    return element(
        "g",
        element("title", words),
        _outline(part, cell, spot),
        inside,
        id=id,
        klass="space" + (" can" if target is not None else ""),
        data_at=mark_for(cell.stands_for),
        **clickable(target, words, cell.name),
    )


def _border(part: Map, cell: ScreenCell, id: str, ink: Ink, targets: Targets) -> Markup:
    """Returns an edge or a corner of spaces that is a space itself."""
    down = SIDE / 2 if part.shape == "square" else SIDE / (2 * sqrt(3))
    top = SIDE / 2 if part.shape == "square" else SIDE / sqrt(3)
    left = EDGE + SIDE / 2 - min(part.shifts, default=0) * SIDE / 2
    points = tuple((left + x * SIDE / 2, EDGE + top + y * down) for x, y in cell.border)
    target = None if cell.stands_for is None else targets.at(*cell.stands_for)
    words = cell.name if cell.is_free else f"{cell.name}: {cell.text}"
    kind = "" if cell.stands_for is None else f"{getattr(cell.stands_for[0], 'name', '')}-"
    return element(
        "g",
        element("title", words),
        border(cell, points, ink),
        None if target is None else reach(points),
        id=f"{id}-{kind}{cell.name}",
        klass="space" + (" can" if target is not None else ""),
        data_at=mark_for(cell.stands_for),
        **clickable(target, words, cell.name),
    )


def clickable(target: ClickTarget | None, words: str, name: str, *, is_drawn: bool = True) -> dict[str, str | None]:
    """Returns the attributes of an element that shows a place: its answer if a click gives one, else what to ask about.

    A drawing is read aloud by a label; other elements, by the text in them.
    """
    if target is None:
        return {"data_why": name}
    label = words if target.label in words else f"{words}. {target.label}"
    return {
        "data_choose": target.answer,
        "data_member": "yes" if target.is_member else None,
        "aria_pressed": ("true" if target.is_picked else "false") if target.is_member else None,
        "role": "button",
        "tabindex": "0",
        "aria_label": label if is_drawn else None,
        "title": target.label if not is_drawn and label != words else None,
    }


def _outline(part: Map, cell: ScreenCell, spot: Area) -> Markup:
    x, y, wide, high = spot.x, spot.y, spot.wide, spot.high
    klass = f"ground tinted ink-{cell.look.colour}" if cell.look is not None and cell.look.colour else "ground"
    if part.shape == "hex" and cell.doors is None:
        corners = ((0, -0.5), (0.5, -0.25), (0.5, 0.25), (0, 0.5), (-0.5, 0.25), (-0.5, -0.25))
        points = " ".join(f"{rounded(x + dx * wide)},{rounded(y + dy * high)}" for dx, dy in corners)
        return element("polygon", klass=klass, points=points)
    inset = 3 if cell.doors is not None else 0
    ground = element(
        "rect",
        klass=klass,
        x=x - wide / 2 + inset,
        y=y - high / 2 + inset,
        width=wide - 2 * inset,
        height=high - 2 * inset,
        rx=8 if part.shape == "graph" else 2,
    )
    return ground if cell.doors is None else together(ground, _doors(cell, spot))


DOORS = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
"""The sides on which doors are drawn."""


def _doors(cell: ScreenCell, spot: Area) -> Iterator[Markup]:
    for side in cell.doors or ():
        dx, dy = DOORS.get(side, (0, 0))
        x, y = spot.x + dx * (spot.wide / 2 - 3), spot.y + dy * (spot.high / 2 - 3)
        wide, high = (26, 7) if dy else (7, 26)
        if dx or dy:
            door = element(
                "rect",
                element("title", f"door {side}"),
                klass="door",
                x=x - wide / 2,
                y=y - high / 2,
                width=wide,
                height=high,
            )
            yield door


def _lines(cell: ScreenCell, spot: Area, ink: Ink) -> Iterator[Markup]:
    """Yields the stacked texts of a room, the name of its space above them."""
    lines = cell.lines or (cell.text,)
    yield element("text", cell.name, klass="corner", x=spot.x - spot.wide / 2 + 9, y=spot.y - spot.high / 2 + 14)
    for number, line in enumerate(lines):
        y = spot.y + (number - (len(lines) - 1) / 2) * LINE + 6
        yield _text(line, spot.x, y, spot.wide - 16, ink, most=12)


def _contents(cell: ScreenCell, spot: Area, ink: Ink) -> Iterator[Markup]:
    """Yields the contents of a space: discs for pieces that have a colour, words for all else."""
    is_ground = cell.is_free and cell.look is not None
    words = [] if is_ground else [word for word in _pieces(cell.text) if word not in EMPTY]
    if is_ground and cell.look is not None:
        yield from _on_ground(cell.look, spot)
    discs = heaps([word for word in words if is_covered(word) or is_piece(word, ink)])
    others = [word for word in words if word not in discs and (not discs or word.strip("(),"))]
    if not words and cell.text in (".", "·"):
        yield element("circle", klass="free", cx=spot.x, cy=spot.y, r=2)
    across = min(len(discs), 3)
    radius = min(SIDE * 0.36 / max(across, 1) ** 0.75, SIDE * 0.2 if others else SIDE)
    for number, word in enumerate(discs):
        x = spot.x + (number % 3 - (across - 1) / 2) * radius * 2.1
        y = spot.y + (number // 3) * radius * 2.1 - (SIDE * 0.16 if others or len(discs) > 3 else 0)
        drawn = back(word, x, y, radius) if is_covered(word) else piece(word, x, y, radius, ink)
        # In brackets stands what this seat alone knows.
        yield element("g", drawn, klass="private") if cell.text.startswith("(") else drawn
    if others and not discs and all(len(word) > 3 for word in others) and len(others) <= 3:
        for number, word in enumerate(others):
            yield _text(word, spot.x, spot.y + (number - (len(others) - 1) / 2) * LINE + 4, spot.wide - 6, ink)
    elif others:
        low = SIDE * 0.26 if discs else 0
        yield _text(spliced(others, " "), spot.x, spot.y + low + 4, spot.wide - 6, ink, most=14 if discs else LARGE)
    if cell.place is not None or cell.ties:
        yield element("text", cell.name, klass="named", x=spot.x, y=spot.y + spot.high / 2 + 9)
    elif cell.text == "":
        yield element("text", cell.name, klass="quiet", x=spot.x, y=spot.y + 4)


def _on_ground(look: Look, spot: Area) -> Iterator[Markup]:
    """Yields the image or the sign that the legend gives a space, which stands there while nothing else does."""
    wide = min(spot.wide, spot.high) * 0.7
    if look.image:
        yield image(look.image, spot.x - wide / 2, spot.y - wide / 2, wide)
    elif look.sign:
        size = wide * 0.7 / max(len(look.sign) * 0.7, 1)
        yield element("text", look.sign, klass="mark", x=spot.x, y=spot.y + size * 0.35, font_size=size)


def _pieces(text: str) -> Iterator[str]:
    """Yields the names in a text, each whole (`black hole` is one piece), and the words between them."""
    at = 0
    for name in names_in(text):
        if name.start >= at:
            before = str(text[at : name.start]).removesuffix("× ")
            yield from before.removesuffix(f"{name.count} " if name.count > 1 else "").split()
            yield named(str(text[name.start : name.end]), name.what, name.of, name.count)
            at = name.end
    yield from str(text[at:]).split()


def _text(words: str, x: float, y: float, wide: float, ink: Ink, *, most: float = LARGE) -> Markup:
    size = max(min(wide / max(len(words), 1) / PER_LETTER, most), SMALL)
    fitting = max(int(wide / size / PER_LETTER + 0.01), 1)
    colour = ink.colour(words)
    shown = words if len(words) <= fitting else f"{words[: fitting - 1]}…"
    return element(
        "text",
        element("title", words) if shown != words else None,
        shown,
        klass=f"mark text-{colour}" if colour else "mark",
        x=x,
        y=y + (size - 11) * 0.32,
        font_size=size,
    )
