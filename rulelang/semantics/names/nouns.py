"""The nouns with which things are counted: `{n of Token}` is "1 token" or "3 tokens".

kind Die "die", "dice"         noun_of(world, Die) == ("die", "dice")
noun fuel "fuel", "fuel"       noun_of(world, fuel) == ("fuel", "fuel")
"""

from __future__ import annotations

from rulelang.semantics.names.scope import TypeName, World
from rulelang.syntax import nodes


def plain(identifier: str) -> str:
    """Returns an identifier in words for people.

    >>> plain("ion_cannon")
    'ion cannon'
    """
    return identifier.replace("_", " ").strip() or identifier


def noun_from(identifier: str) -> str:
    """Returns the noun for the name of a kind or enum.

    >>> noun_from("SpaceCraft")
    'space craft'
    """
    return plain("".join(f" {c.lower()}" if c.isupper() else c for c in identifier))


def raw(text: nodes.TextNode | None) -> str:
    """Returns a text without holes as a string; "" for None."""
    return "" if text is None else "".join(part for part in text.parts if isinstance(part, str))


def plural(one: str) -> str:
    """Returns the regular plural of a word.

    >>> plural("token"), plural("class"), plural("galaxy")
    ('tokens', 'classes', 'galaxies')
    """
    if one.endswith(("s", "x", "ch", "sh")):
        return f"{one}es"
    return f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in tuple("aeiou") else f"{one}s"


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
