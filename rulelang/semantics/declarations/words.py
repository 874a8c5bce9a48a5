"""Lowers names and texts for people, of enums, kinds and seats.

    enum Power "power":                        Enumeration("Power", "power", "powers", ("nitro", "ion cannon"), ...)
      nitro: "One zone forward"
      ion_cannon "ion cannon"

Anything without a name of its own is called by its identifier, with blanks for `_`. Holes in the name of a thing may
read only its printed values; holes in a text may read everything that everybody may see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import get_args

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.vocabulary import Colour
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, KindType, SetType, Type
from rulelang.program.values import article, noun_from, plain, plural
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.names.nouns import raw
from rulelang.semantics.names.scope import Env, World
from rulelang.syntax import nodes

COLOURS: tuple[str, ...] = get_args(Colour)
"""The colours that a seat may have."""


# ------------------------------------------------------------------ names, entered with the declarations


def enter_enum(world: World, node: nodes.EnumDeclaration) -> None:
    """Enters the names of an enum and its members for people; their texts are lowered once all names are known."""
    label = raw(node.label) or noun_from(node.name.text)
    called = tuple(_called(member) for member in node.members)
    clauses = tuple(tuple(c.id for c in _cites(member)) for member in node.members)
    many = raw(node.plural) or plural(label)
    world.enums[node.name.text] = ir.Enumeration(node.name.text, label, many, called, (), clauses)
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
        world.seat_words.append((_called(name), ""))
        colour = name.colour if isinstance(name, nodes.NamedNode) else None
        if colour is not None and colour.text not in COLOURS:
            world.unknown(colour.text, colour.span, "no colour", list(COLOURS))
        elif colour is not None:
            world.seat_words[-1] = (_called(name), colour.text)


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


def _filled(world: World, text: nodes.TextNode, printed: Mapping[str, tuple[int, Type]]) -> str:
    words = ""
    for part in text.parts:
        if isinstance(part, str):
            words += part
        elif isinstance(part.value, nodes.NameExpression) and part.value.text in printed:
            words += said(world, *printed[part.value.text])
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
    return str(value)


# ------------------------------------------------------------------ texts, lowered once all names are known


def lower_texts(world: World, module: nodes.ModuleNode) -> None:
    """Lowers the texts of members and things."""
    for node in module.declarations:
        if isinstance(node, nodes.EnumDeclaration) and node.name.text in world.enums:
            env = Env(name=node.name.text)
            texts = (m.says if isinstance(m, nodes.NamedNode) else None for m in node.members)
            lowered = tuple(template(world, env, text) for text in texts)
            world.enums[node.name.text] = attrs.evolve(world.enums[node.name.text], texts=lowered)
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
