"""The nouns with which things are counted: `{n of Token}` is "1 token" or "3 tokens".

kind Die "die", "dice"         noun_of(world, Die) == ("die", "dice")
noun fuel "fuel", "fuel"       noun_of(world, fuel) == ("fuel", "fuel")
"""

from __future__ import annotations

from rulelang.program.values import noun_from, plural
from rulelang.semantics.names.scope import TypeName, World
from rulelang.syntax import nodes


def raw(text: nodes.TextNode | None) -> str:
    """Returns a text without holes as a string; "" for None."""
    return "" if text is None else "".join(part for part in text.parts if isinstance(part, str))


def noun_of(world: World, name: nodes.IdentNode) -> tuple[str, str] | None:
    """Returns the singular and plural for a noun, a kind or an enum; reports any other name."""
    known = world.nouns.get(name.text)
    if known is not None:
        return known
    if name.text in world.enums:
        enum = world.enums[name.text]
        return enum.label, enum.plural
    meaning = world.globals.get(name.text)
    if isinstance(meaning, TypeName) and name.text in world.kind_ids:
        kind = world.kinds[world.kind_ids[name.text]]
        return kind.label or noun_from(kind.name), kind.plural or plural(kind.label or noun_from(kind.name))
    world.unknown(name.text, name.span, "no noun", [*world.nouns, *world.enums, *world.kind_ids])
    return None
