"""The parts of a seat's picture -> the elements of a page.

parts(picture(match, 0), ink, targets)      a section for each part: boards as drawings, hands as cards, tables as tables
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import assert_never

from rulelang.knowledge.phrase import spliced, split
from rulelang.pages.drawings.board import board, clickable
from rulelang.pages.drawings.chip import Clicks, with_chips
from rulelang.pages.drawings.marks import mark_for, mark_of
from rulelang.pages.drawings.piece import address_of, is_piece
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, together
from rulelang.pages.targets import ClickTarget, Targets
from rulelang.screens.model import Cards, Fold, Grid, List, Map, Numbers, Part, ScreenCell, Track, Words
from rulelang.screens.sights import GAP
from rulelang.screens.touched import THING, ZONE

MOST_BACKS = 3
"""The most backs that are drawn one by one; more are a pile with its number."""
WIDTHS = ((12, "wide"), (7, "roomy"), (0, "dense"))
"""The widths of the cells of a track, each with the letters of its longest line for which it is taken."""


def parts(shown: Iterable[Part], ink: Ink, targets: Targets, name: str = "part") -> Markup:
    """Returns the parts of a picture, from the top; their ids begin with a name, which no other picture of the page has."""
    return together(one for number, part in enumerate(shown) for one in _part(part, f"{name}-{number}", ink, targets))


def _part(part: Part, id: str, ink: Ink, targets: Targets) -> Iterator[Markup]:
    match part:
        case Fold():
            inside = tuple(_part(part.part, f"{id}-in", ink, targets))
            if inside:
                head = element("summary", ink.words(part.title))
                yield element("details", head, inside, id=id, klass="fold", open=True, data_keep="open")
        case Words():
            if part.text.strip():
                # Gaps of blanks stand between texts of one line.
                texts = (with_chips(text, ink, clicks=_clicks(targets)) for text in split(part.text, GAP))
                yield element("p", (element("span", text) for text in texts), id=id, klass="words")
        case Map():
            yield element("figure", board(part, f"{id}-map", ink, targets), id=id, klass="map")
        case Track():
            if part.cells:
                cells = (_station(cell, id, ink, targets) for cell in part.cells)
                longest = max(len(line) for cell in part.cells for line in (*cell.lines, cell.text, cell.name))
                width = next(name for least, name in WIDTHS if longest >= least)
                yield element("div", cells, id=id, klass=f"track {width}", role="group")
        case List():
            if part.lines:
                lines = (_line(cell, id, ink, targets) for cell in part.lines)
                yield element("div", lines, id=id, klass="list", role="group")
        case Cards():
            yield _cards(part, id, ink, targets)
        case Grid():
            yield _grid(part, id, ink, targets)
        case Numbers():
            entries = (
                (element("dt", ink.words(cell.name)), element("dd", ink.words(cell.text))) for cell in part.entries
            )
            yield element("dl", (element("div", pair) for pair in entries), id=id, klass="numbers")
        case _:
            assert_never(part)


def _at(cell: ScreenCell, targets: Targets) -> ClickTarget | None:
    return None if cell.stands_for is None else targets.at(*cell.stands_for)


def _clicks(targets: Targets) -> Clicks:
    return lambda kind, called: clickable(targets.card(kind, called), called, called, is_drawn=False)


def _station(cell: ScreenCell, id: str, ink: Ink, targets: Targets) -> Markup:
    """Returns one cell of a track."""
    target = _at(cell, targets)
    lines = [*cell.lines, *([cell.text] if cell.text else [])]
    tokens = (
        element(
            "b", ink.look(line).sign or str(line), klass=f"token ink-{ink.colour(line)}", data_piece=f"piece {line}"
        )
        if ink.is_seat(line) or is_piece(line, ink)
        else ink.words(line)
        for line in lines
    )
    said = f"{cell.name}: {spliced(lines, ', ')}" if lines else cell.name
    return element(
        "div",
        element("span", ink.words(cell.name), klass="name"),
        element("span", (element("span", token) for token in tokens), klass="there"),
        id=f"{id}-{cell.name}",
        klass="station" + (" can" if target else ""),
        data_at=mark_for(cell.stands_for),
        **clickable(target, said, cell.name, is_drawn=False),
    )


def _line(cell: ScreenCell, id: str, ink: Ink, targets: Targets) -> Markup:
    target = _at(cell, targets)
    # What can be clicked holds nothing else that can.
    clicks = _clicks(targets) if target is None else None
    texts = (element("span", with_chips(text, ink, clicks=clicks)) for text in split(cell.text, GAP))
    return element(
        "div",
        tuple(texts),
        id=f"{id}-{cell.name}",
        klass="entry" + (" can" if target else ""),
        data_at=mark_for(cell.stands_for),
        **clickable(target, str(cell.text), cell.name, is_drawn=False),
    )


def _cards(part: Cards, id: str, ink: Ink, targets: Targets) -> Markup:
    """Returns the cards of a zone: faces by name, backs that are many as a pile with their number."""
    shown = []
    number = 0
    texts = part.texts or ("",) * len(part.cards)
    for name, same in groupby(part.cards):
        some = len(list(same))
        if name is None and some > MOST_BACKS:
            shown.append(
                element("div", element("b", str(some)), id=f"{id}-{number}", klass="card back pile", title=part.back)
            )
            number += some
            continue
        for _ in range(some):
            shown.append(_card(part, name, texts[number], f"{id}-{number}", ink, targets))
            number += 1
    hand = f"hand fanned-{part.fanned}" if part.fanned else "hand"
    inside = element("div", shown, klass=hand) if shown else element("p", "nothing", klass="none")
    return element(
        "section",
        element("h3", ink.words(part.title)),
        inside,
        id=id,
        klass="cards",
        data_at=mark_of((ZONE, part.zone)),
    )


def _card(part: Cards, name: str | None, says: str, id: str, ink: Ink, targets: Targets) -> Markup:
    if name is None:
        return element(
            "div", element("span", part.back, klass="hidden"), id=id, klass="card back", data_piece=f"back {part.of}"
        )
    target = targets.card(part.of, str(name))
    colour = ink.colour(name)
    klass = " ".join(filter(None, ("card", f"ink-{colour}" if colour else "", "can" if target else "")))
    look = ink.look(name)
    return element(
        "div",
        element("span", ink.words(name), klass="title"),
        element("img", src=address_of(look.image), alt="")
        if look.image
        else element("span", look.sign, klass="sign", aria_hidden="true")
        if look.sign
        else None,
        element("small", ink.words(says)) if says else None,
        id=id,
        klass=klass,
        data_at=mark_of((THING, str(name))),
        data_piece=f"card {name}",
        **clickable(target, str(name), str(name), is_drawn=False),
    )


def _grid(part: Grid, id: str, ink: Ink, targets: Targets) -> Markup:
    head = element(
        "thead", element("tr", (element("th", column.replace("_", " "), scope="col") for column in part.columns))
    )
    rows = (
        element(
            "tr",
            element("th", ink.words(row[0]), scope="row"),
            (
                element("td", with_chips(text, ink, "things", _clicks(targets)), data_column=column.replace("_", " "))
                for column, text in zip(part.columns[1:], row[1:], strict=False)
            ),
        )
        for row in part.rows
    )
    caption = element("caption", part.title) if part.title else None
    return element("div", element("table", caption, head, element("tbody", rows)), id=id, klass="grid")
