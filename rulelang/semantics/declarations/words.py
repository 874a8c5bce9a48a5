"""Lowers names and texts for people, of enums, kinds and seats.

    enum Power "power":                        Enumeration("Power", "power", "powers", ("nitro", "ion cannon"), ...)
      nitro: "One zone forward"
      ion_cannon "ion cannon"

Anything without a name of its own is called by its identifier, with blanks for `_`. Holes in the name of a thing may
read only its printed values; holes in a text may read everything that everybody may see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.vocabulary import Colour, PieceShape
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, KindType, SetType, Type
from rulelang.program.values import article, noun_from, plain, plural
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.names.nouns import raw
from rulelang.semantics.names.scope import Env, World
from rulelang.source import Span
from rulelang.syntax import nodes

COLOURS: tuple[str, ...] = get_args(Colour)
"""The colours that a seat, a member or a thing may have."""
SHAPES: tuple[str, ...] = get_args(PieceShape)
LONGEST_SIGN = 3
"""The most characters of a sign."""
IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".svg")
"""The files that may be the image of a thing."""


# ------------------------------------------------------------------ names, entered with the declarations


def enter_enum(world: World, node: nodes.EnumDeclaration) -> None:
    """Enters the names of an enum and its members for people; their texts are lowered once all names are known.

    Of two enums with one name, the first is meant.
    """
    if node.name.text in world.enums:
        return
    label = raw(node.label) or noun_from(node.name.text)
    called = tuple(_called(member) for member in node.members)
    clauses = tuple(tuple(c.id for c in _cites(member)) for member in node.members)
    many = raw(node.plural) or plural(label)
    looks = tuple(_look(world, member) for member in node.members)
    looks = looks if any(look.colour or look.shape or look.sign for look in looks) else ()
    world.enums[node.name.text] = ir.Enumeration(node.name.text, label, many, called, (), clauses, looks)
    for member in node.members:
        if isinstance(member, nodes.NamedNode) and member.cites:
            world.site("member", member.span, member.cites)


def _called(name: nodes.IdentNode) -> str:
    return (raw(name.called) if isinstance(name, nodes.NamedNode) else "") or plain(name.text)


def _cites(name: nodes.IdentNode) -> tuple[nodes.CiteNode, ...]:
    return name.cites if isinstance(name, nodes.NamedNode) else ()


def enter_seats(world: World, names: Iterable[nodes.IdentNode]) -> None:
    """Enters the names and colours of seats; reports an unknown colour."""
    for name in names:
        world.seat_words.append((_called(name), _look(world, name)))


def _look(world: World, name: nodes.IdentNode) -> ir.Look:
    """Returns the look that stands behind the name of a member or a seat; reports unknown words in it."""
    if not isinstance(name, nodes.NamedNode):
        return ir.Look()
    colour, drawn = name.colour, name.shape
    shape, sign = (drawn, None) if isinstance(drawn, nodes.IdentNode) else (None, drawn)
    return ir.Look(
        colour="" if colour is None else known_word(world, colour.text, colour.span, "no colour", COLOURS),
        shape="" if shape is None else known_word(world, shape.text, shape.span, "no shape", SHAPES),
        sign="" if sign is None else _checked(world, "sign", raw(sign).strip(), sign.span),
    )


def known_word(world: World, word: str, span: Span, what: str, words: Sequence[str]) -> Any:
    """Returns a word if it is one of some; "", and reports it, if it is not."""
    if word not in words:
        world.unknown(word, span, what, list(words))
        return ""
    return word


def name_things(
    world: World,
    node: nodes.KindDeclaration,
    written: tuple[str, ...],
    said: list[nodes.TextNode | None],
    rows: list[tuple[int, ...]],
    columns: list[tuple[str, int, Type]],
) -> tuple[str, ...]:
    """Returns the names of a kind's things: from their rows, else from the kind's `called:`, else the name that the
    rules write, else what is printed on it."""
    usual = next((line.text for line in node.told if line.what.text == "called"), None)
    described = _described(world, node, rows, columns)
    names: list[str] = []
    for n, form in enumerate(written):
        # A kind with faults has fewer rows than things.
        own, row = (said[n], rows[n]) if n < min(len(said), len(rows)) else (None, ())
        text = own or usual
        printed = {name: (value, type) for (name, _, type), value in zip(columns, row, strict=False)}
        if text is not None:
            names.append(_filled(world, text, printed))
        else:
            is_nameless = form.partition("(")[0] == node.name.text and row in described
            names.append(described[row] if is_nameless else plain(form))
    return tuple(names)


def _described(
    world: World, node: nodes.KindDeclaration, rows: list[tuple[int, ...]], columns: list[tuple[str, int, Type]]
) -> dict[tuple[int, ...], str]:
    """Returns the names that things without one get from what is printed on them, by row: `silk lot`, `silk lot 20`, or
    `a lot` if nothing tells it from others; with the names of the columns where there are several numbers, or where two
    things would be called alike."""
    noun, copies = raw(node.label) or noun_from(node.name.text), Counter(rows)
    differing = [i for i in range(len(columns)) if len({row[i] for row in copies}) > 1] or [*range(len(columns))]
    sorts = Counter(columns[i][2] for i in differing)
    leading = [i for i in differing if isinstance(columns[i][2], FlagType)]
    leading += [i for i in differing if isinstance(columns[i][2], EnumType) and sorts[columns[i][2]] == 1]

    def adjective(row: tuple[int, ...], i: int) -> str:
        if isinstance(columns[i][2], FlagType):
            return plain(columns[i][0]) if row[i] > 0 else ""
        return said(world, row[i], columns[i][2]) if row[i] != NONE else ""

    def name(row: tuple[int, ...], front: list[int]) -> str:
        words = " ".join([*filter(None, (adjective(row, i) for i in front)), noun])
        rest = [i for i in differing if i not in front and row[i] != NONE]
        if len(rest) == 1 and isinstance(columns[rest[0]][2], IntType):
            return f"{words} {row[rest[0]]}"
        details = ", ".join(f"{plain(columns[i][0])} {said(world, row[i], columns[i][2])}" for i in rest)
        if details:
            return f"{words} ({details})"
        return words if words != noun else f"{article(noun)}{noun}"

    names = {row: name(row, leading) for row in copies}
    shared = Counter(names.values())
    return {row: found if shared[found] == 1 else name(row, []) for row, found in names.items()}


def _filled(
    world: World,
    text: nodes.TextNode,
    printed: Mapping[str, tuple[int, Type]],
    say: Callable[[World, int, Type], str] | None = None,
) -> str:
    words = ""
    for part in text.parts:
        if isinstance(part, str):
            words += part
        elif isinstance(part.value, nodes.NameExpression) and part.value.text in printed:
            words += (say or said)(world, *printed[part.value.text])
        else:
            help = f"there are: {', '.join(printed)}" if printed else "nothing is printed on these things"
            world.sink.report("E0331", "a name is filled in from what is printed on its thing", part.span, help=help)
    return words


def said(world: World, value: int, type: Type) -> str:
    """Returns a printed value in words for people."""
    if value == NONE:
        return "none"
    match type:
        case EnumType(name=name, members=members):
            known = world.enums.get(name)
            return known.called[value] if known is not None else plain(members[value])
        case FlagType():
            return "yes" if value else "no"
        case KindType(name=name):
            kind = world.kinds[world.kind_ids[name]]
            return (kind.called or kind.names)[value]
        case SetType(element=element):
            return ", ".join(said(world, i, element) for i in range(value.bit_length()) if value >> i & 1)
        case _:  # any other type is a number
            return str(value)


# ------------------------------------------------------------------ looks: words for pictures


def looks_of(
    world: World,
    node: nodes.KindDeclaration,
    said: Mapping[str, list[nodes.TextNode | None]],
    rows: list[tuple[int, ...]],
    columns: list[tuple[str, int, Type]],
    classes: Sequence[int],
) -> tuple[ir.Look, ...]:
    """Returns the look of each thing of a kind, as its row says, else the kind's lines; () if they say nothing.

    Things that are interchangeable look alike, so that no picture tells them apart.
    """
    usual = {line.what.text: line.text for line in node.told}
    if not any(word in usual or any(said.get(word, ())) for word in nodes.LOOKS):
        return ()
    looks: list[ir.Look] = []
    known: dict[tuple[object, ...], str] = {}
    for thing, alike in enumerate(classes):
        if alike < thing:
            looks.append(looks[alike])
            continue
        printed = {name: (value, type) for (name, _, type), value in zip(columns, rows[thing], strict=False)}
        own = {word: said[word][thing] or usual.get(word) for word in nodes.LOOKS}
        looks.append(look(world, own, printed, known))
    return tuple(looks)


def look(
    world: World,
    own: Mapping[str, nodes.TextNode | None],
    printed: Mapping[str, tuple[int, Type]],
    known: dict[tuple[object, ...], str],
) -> ir.Look:
    """Returns the look that some texts say; reports words that no picture can show, once for those in `known`."""
    found: dict[str, Any] = {}
    for word, text in own.items():
        if text is None:
            continue
        filled = _filled(world, text, printed, FILLING.get(word, _drawn)).strip()
        key = (word, id_of(text), filled)
        if key not in known:
            known[key] = _checked(world, word, filled, text.span)
        found[word] = known[key]
    return ir.Look(**found)


def _drawn(world: World, value: int, type: Type) -> str:
    """Returns a printed value in a word for pictures; "" for none."""
    return "" if value == NONE else said(world, value, type)


def _colour_of(world: World, value: int, type: Type) -> str:
    """Returns the colour of a printed member or thing, as the rules say it, else its name; "" where the rules say the
    colours of others and its name is none, as of a member that a variant adds."""
    looks = _looks(world, type)
    own, name = looks[value].colour if 0 <= value < len(looks) else "", _drawn(world, value, type)
    is_said = any(one.colour for one in looks)
    return own or (name if not is_said or name in COLOURS else "")


def _sign_of(world: World, value: int, type: Type) -> str:
    """Returns the sign of a printed member or thing, else its name; "" where the rules say the signs of others, as of a
    member that a variant adds."""
    looks = _looks(world, type)
    if any(one.sign for one in looks):
        return looks[value].sign if 0 <= value < len(looks) else ""
    return _drawn(world, value, type)


def _looks(world: World, type: Type) -> tuple[ir.Look, ...]:
    """Returns the looks of the members of an enum or the things of a kind; () where the rules say nothing of them."""
    if isinstance(type, EnumType):
        return world.enums[type.name].looks if type.name in world.enums else ()
    return world.kinds[world.kind_ids[type.name]].looks if isinstance(type, KindType) else ()


FILLING = {"colour": _colour_of, "sign": _sign_of}
"""By word for pictures whose holes are not filled with names: what a printed value puts there."""


def _checked(world: World, word: str, filled: str, span: Span) -> str:
    """Returns a word for a picture; "", and reports it, if no picture can show it."""
    if not filled:
        return ""
    match word:
        case "colour":
            return str(known_word(world, filled, span, "no colour", COLOURS))
        case "shape":
            return str(known_word(world, filled, span, "no shape", SHAPES))
        case "sign":
            is_well, help = len(filled) <= LONGEST_SIGN, f"a sign has at most {LONGEST_SIGN} characters"
        case _:  # the only other word is `image`
            parts = filled.split("/")
            is_well = filled.endswith(IMAGES) and not {"", ".", ".."}.intersection(parts) and "\\" not in filled
            help = f"an image is a file below the folder of the game, and its name ends in {', '.join(IMAGES)}"
    if not is_well:
        world.sink.report("E0332", f"`{filled}` can be no {word}", span, help=help)
        return ""
    return filled


# ------------------------------------------------------------------ texts, lowered once all names are known


def lower_texts(world: World, module: nodes.ModuleNode) -> None:
    """Lowers the texts of members and things."""
    for node in module.declarations:
        if isinstance(node, nodes.EnumDeclaration) and node.name.text in world.enums:
            env = Env(name=node.name.text)
            texts = (m.says if isinstance(m, nodes.NamedNode) else None for m in node.members)
            lowered = tuple(template(world, env, text) for text in texts)
            known = world.enums[node.name.text]
            world.enums[node.name.text] = attrs.evolve(known, texts=known.texts or lowered)
        elif isinstance(node, nodes.KindDeclaration):
            _lower_kind(world, node)


def _lower_kind(world: World, node: nodes.KindDeclaration) -> None:
    id = world.kind_ids[node.name.text]
    kind = world.kinds[id]
    usual = next((line.text for line in node.told if line.what.text == "text"), None)
    own = world.thing_texts.get(node.name.text, [None] * kind.size)
    if usual is None and not any(own):
        return
    kept: dict[tuple[object, ...], ir.Template | None] = {}
    texts: list[ir.Template | None] = []
    for thing, text in zip(range(kind.size), own, strict=False):
        printed = tuple(world.tables[table].values[thing] for _, table, _ in kind.columns)
        key = (id_of(text or usual), *printed)
        if key not in kept:
            env = Env(
                name=node.name.text,
                aliases={name: ir.Const(v) for (name, _, _), v in zip(kind.columns, printed, strict=True)},
                alias_types={name: type for name, _, type in kind.columns},
            )
            kept[key] = template(world, env, text or usual)
        texts.append(kept[key])
    world.kinds[id] = attrs.evolve(kind, texts=tuple(texts))


def id_of(text: nodes.TextNode | None) -> tuple[int, str]:
    """Returns a key that identifies a written text."""
    return (-1, "") if text is None else (text.span.start, text.raw)
