"""The rules of a game -> its components on sheets of paper, as one page that needs nothing else: cards, boards, mats.

sheets(game)                        every card as often as the game has it, its back, the boards, a mat for each seat
sheets(variant, base=game)          what the variant prints otherwise, alone
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TypeAlias

from rulelang.api import Game
from rulelang.ir import model as ir
from rulelang.ir.numbers import Thing
from rulelang.ir.types import NONE, FlagType, KindType, SetType, Type, first_of, size_of
from rulelang.knowledge.phrase import named
from rulelang.knowledge.redaction import back, name_of, thing_name
from rulelang.pages.drawings.board import board
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, text, together
from rulelang.pages.targets import Targets
from rulelang.program.values import clean, plain
from rulelang.prose.prose import Prose
from rulelang.prose.words import plain_text
from rulelang.screens.build import NOTHING
from rulelang.screens.formula import Formula
from rulelang.screens.looks import PLAIN
from rulelang.screens.model import Map, ScreenCell

STYLE = """
@page { margin: 8mm 10mm; }
body { font: 10pt/1.35 system-ui, "DejaVu Sans", sans-serif; margin: 0; color: #111; }
h1, h2 { break-after: avoid; margin: 0; font-size: 10pt; } h2 { margin-bottom: 1mm; }
section { break-before: page; }
section:first-of-type { break-before: auto; }
ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; }
.card { box-sizing: border-box; width: 63mm; height: 88mm; padding: 4mm; border: 0.2mm dashed #777; break-inside: avoid;
  overflow: hidden; }
.card h3 { margin: 0 0 2mm; font-size: 12pt; border-bottom: 1mm solid #999; }
.card dl { margin: 0 0 2mm; } .card dl div { display: flex; gap: 2mm; } dt { color: #555; } dd { margin: 0; font-weight: 600; }
.card.wide { width: 94.5mm; height: auto; min-height: 88mm; }
.card table { border-collapse: collapse; font-size: 7pt; line-height: 1.15; margin: 0 0 1.5mm; } .card caption { text-align: left; color: #555; }
.card th, .card td { border: 0.1mm solid #bbb; padding: 0.3mm 0.8mm; text-align: left; font-weight: 400; }
.back { display: grid; place-items: center; text-align: center; background: #dde3ec; font-size: 14pt; }
.token { width: 25mm; height: 25mm; border-radius: 50%; font-size: 8pt; text-align: center; padding: 6mm 2mm; }
.mat { box-sizing: border-box; width: 190mm; min-height: 60mm; border: 0.3mm solid #777; padding: 5mm; margin: 0 0 5mm;
  break-inside: avoid; }
svg { width: 190mm; max-height: 250mm; display: block; }
.ground { fill: #f3f0e6; stroke: #777; } .tie { stroke: #777; } .door { fill: #b98a00; } .free { fill: #999; }
.edge, .quiet, .corner, .mark, .letter { text-anchor: middle; font-size: 10px; fill: #222; } .corner { text-anchor: start; }
.piece { fill: var(--own, #ccc); stroke: #555; } .ground.tinted { fill: color-mix(in srgb, var(--own) 35%, #f3f0e6); }
.card[class*="ink-"] h3 { border-color: var(--own); } .token[class*="ink-"] { border: 1.2mm solid var(--own); padding-top: 5mm; }
.sign { font-size: 24pt; line-height: 1.1; text-align: center; } .token .sign { font-size: 14pt; }
.card img { display: block; max-width: 100%; max-height: 30mm; margin: 0 auto 2mm; } .token img { max-height: 12mm; margin: 0 auto; }
"""
COLOURS = {
    "red": "#d33a3a", "green": "#2f9e44", "blue": "#2b6fe0", "yellow": "#e0b000", "purple": "#8b46c8", "orange": "#e8720c",
    "cyan": "#0aa2b5", "pink": "#e0559a", "white": "#fafafa", "black": "#2a2a2a", "brown": "#8a5a2b", "crimson": "#b0123f",
    "amber": "#d98e04", "ivory": "#e9dfc3", "slate": "#66717f", "grey": "#8d949c",
}  # fmt: skip
"""The colours of things on paper."""
INKS = "".join(f".ink-{name} {{ --own: {colour}; }}\n" for name, colour in COLOURS.items())
IMAGES = {".svg": "svg+xml", ".jpg": "jpeg"}
"""The types of images whose names are not the ends of their files' names."""
SMALL = 12
"""The most letters of a thing that is a token and no card, if nothing is printed on it but its name."""


def sheets(game: Game, base: Game | None = None) -> str:
    """Returns the page of a game's components; with a `base`, of those alone that it has not."""
    parts = tuple(_sections(game))
    if base is not None:
        known = Counter(part for _, some in _sections(base) for part in some)
        parts = tuple((title, tuple(_left(some, known))) for title, some in parts)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("title", game.title),
        element("style", Markup(STYLE + INKS)),
    )
    titled = " + ".join((game.title, *game.variants))
    shown = (element("section", element("h2", title), element("ul", some)) for title, some in parts if some)
    body = element("body", element("h1", titled), tuple(shown) or element("p", "Nothing is printed otherwise."))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}"


def _left(some: tuple[Markup, ...], known: Counter[Markup]) -> Iterator[Markup]:
    """Yields the components of which the base has fewer."""
    for part in some:
        if known[part]:
            known[part] -= 1
        else:
            yield part


def _sections(game: Game) -> Iterator[tuple[str, tuple[Markup, ...]]]:
    rules, prose = game.ir, Prose.of_game(game.ir)
    boards = {shape.kind for shape in rules.boards}
    for kind in rules.kinds[1:]:
        if kind.movable and kind.size and kind.id not in boards:
            faces = tuple(_face(game, prose, kind, thing) for thing in range(kind.size))
            yield plain(clean(kind.plural or kind.label or kind.name)).capitalize(), faces
            is_wide = any('class="card wide' in face for face in faces)
            yield f"Backs: {back(kind)[0]}", tuple(_back(kind, is_wide=is_wide) for _ in range(kind.size))
    ink = Ink(tuple(map(plain, rules.seats)), rules.colours, rules)
    drawn = tuple(
        element("li", board(_map(rules, shape), f"board-{n}", ink, Targets()))
        for n, shape in enumerate(rules.boards)
        if shape.of is None
    )
    yield "Boards", drawn
    yield "Mats", tuple(_mat(rules, seat) for seat in range(len(rules.seats)))


def _face(game: Game, prose: Prose, kind: ir.Kind, thing: int) -> Markup:
    rules, look = game.ir, kind.looks[thing] if kind.looks else PLAIN
    own = kind.texts[thing] if thing < len(kind.texts) else None
    says = plain_text(prose.template(own)) if own is not None else ""
    columns = [column for column in kind.columns if column[0] not in ("name", "called", "text")]
    printed = [(plain(name), _cell(rules, rules.tables[table].values[thing], type)) for name, table, type in columns]
    rows = [element("div", element("dt", name), element("dd", value)) for name, value in printed if value]
    name = thing_name(kind, Thing(thing))
    described = tuple(_described(rules, kind, thing))
    picture, ink = _picture(game, look), f" ink-{look.colour}" if look.colour else ""
    if not rows and not says and not described and len(name) <= SMALL:
        return element("li", picture, name, klass=f"card token{ink}")
    return element(
        "li",
        element("h3", name),
        picture,
        element("dl", rows) if rows else None,
        element("p", says) if says else None,
        described,
        klass=f"card wide{ink}" if described else f"card{ink}",
    )


def _picture(game: Game, look: ir.Look) -> Markup | None:
    """Returns the image of a thing, in the page itself, else its sign; None if it has neither."""
    found = game.internals.image(look.image) if look.image else None
    if found is not None:
        ending = Path(look.image).suffix
        kind, data = IMAGES.get(ending, ending.removeprefix(".")), base64.b64encode(found).decode()
        return element("img", src=f"data:image/{kind};base64,{data}", alt="")
    return element("p", look.sign, klass="sign") if look.sign else None


def _described(rules: ir.GameRules, kind: ir.Kind, thing: int) -> Iterator[Markup]:
    """Yields the tables of the rules whose rows are about a thing, each cut down to these rows."""
    for data in rules.data:
        at = next((i for i, key in enumerate(data.parameters[: data.keys]) if _is_about(kind, key)), None)
        if at is not None and data.name.isidentifier():
            rows = tuple(_rows(rules, data, at, _key(rules, kind, data.parameters[at], thing)))
            kept = [i for i in range(len(data.columns)) if any(cells[i] not in NOTHING for _, cells in rows)]
            if rows:
                yield _printed(rules, data, at, rows, kept)


def _is_about(kind: ir.Kind, key: ir.Variable) -> bool:
    """Returns whether a key of a table says which thing of a kind its row is about: by itself, or by a printed value that
    each has alone."""
    if isinstance(key.type, KindType):
        return key.type.name == kind.name
    return key.name.casefold() == kind.name.casefold() and any(key.type == type for _, _, type in kind.columns)


def _key(rules: ir.GameRules, kind: ir.Kind, key: ir.Variable, thing: int) -> int:
    if isinstance(key.type, KindType):
        return thing
    table = next(table for _, table, type in kind.columns if type == key.type)
    return rules.tables[table].values[thing]


Row: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""A row of a table: its other keys, and its cells."""


def _rows(rules: ir.GameRules, data: ir.DataTable, at: int, wanted: int) -> Iterator[Row]:
    """Yields the rows about a thing."""
    keys = data.parameters[: data.keys]
    values = (
        (wanted,) if i == at else range(first_of(key.type), first_of(key.type) + size_of(key.type))
        for i, key in enumerate(keys)
    )
    for found in product(*values):
        row = data.rows[_position(keys, found)]
        if row >= 0:
            names = {key.id: str(name_of(value, key.type, rules)) for key, value in zip(keys, found, strict=True)}
            formula = Formula(rules, names)
            cells = tuple(str(formula.text(column.cells[row], column.type)) for column in data.columns)
            yield tuple(names[key.id] for i, key in enumerate(keys) if i != at), cells


def _position(keys: tuple[ir.Variable, ...], values: tuple[int, ...]) -> int:
    at = 0
    for key, value in zip(keys, values, strict=True):
        at = at * size_of(key.type) + value - first_of(key.type)
    return at


def _printed(rules: ir.GameRules, data: ir.DataTable, at: int, rows: tuple[Row, ...], kept: list[int]) -> Markup:
    others = [plain(key.name) for i, key in enumerate(data.parameters[: data.keys]) if i != at]
    heads = (*others, *(clean(data.columns[i].called) or plain(data.columns[i].name) for i in kept))
    lines = (
        element(
            "tr",
            (element("th", name, scope="row") for name in names),
            (element("td", "" if cells[i] in NOTHING else cells[i]) for i in kept),
        )
        for names, cells in rows
    )
    return element(
        "table",
        element("caption", plain(data.name)),
        element("thead", element("tr", (element("th", head, scope="col") for head in heads))),
        element("tbody", tuple(lines)),
    )


def _cell(rules: ir.GameRules, value: int, type: Type) -> str:
    if value == NONE or (isinstance(type, FlagType | SetType) and not value):
        return ""
    return "yes" if isinstance(type, FlagType) else str(name_of(value, type, rules))


def _back(kind: ir.Kind, *, is_wide: bool) -> Markup:
    return element("li", text(clean(kind.label or kind.name)), klass="card back wide" if is_wide else "card back")


def _map(rules: ir.GameRules, shape: ir.BoardShape) -> Map:
    """Returns a board as it is printed: its spaces with their marks."""
    kind = rules.kinds[shape.kind]

    def cell(space: int) -> ScreenCell | None:
        if not 0 <= space < kind.size:
            return None
        ties = tuple(kind.names[other] for other in shape.ties[space]) if shape.ties else ()
        return ScreenCell(
            kind.names[space],
            shape.marks[space],
            ties=ties,
            look=shape.looks[space] if shape.looks else None,
            is_free=True,
            place=shape.places[space] if shape.places else None,
        )

    rows = tuple(tuple(map(cell, row)) for row in shape.cells)
    return Map(clean(kind.label or kind.name), shape.shape, rows, shape.shifts)


def _mat(rules: ir.GameRules, seat: int) -> Markup:
    """Returns the mat of a seat: its name, and a place for each thing that the rules let it have."""
    zones = (plain(clean(zone.called) or zone.name) for zone in rules.zones if zone.owner is not None)
    states = (
        plain(clean(state.called) or state.name)
        for state in rules.states
        if state.owner is not None and not state.scratch and not state.untold
    )
    player = rules.kinds[0]
    name = thing_name(player, Thing(seat)) if seat < player.size else named(plain(rules.seats[seat]), "seat")
    return element(
        "li",
        element("h3", name),
        together(element("p", f"{one.capitalize()}: ________") for one in dict.fromkeys((*zones, *states))),
        klass="mat",
    )
