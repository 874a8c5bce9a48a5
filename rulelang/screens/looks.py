"""A name in a text -> the look that the rules give the value that it names.

look_of(name, game)      Look(sign="♞", shape="disc", colour="black")
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.knowledge.phrase import Name, names_in

PLAIN = ir.Look()
"""The look of whatever the rules say nothing about."""


def look_of(name: Name, game: ir.GameRules) -> ir.Look:
    """Returns the look of the value that a name names, as the rules say it."""
    if name.of is None:
        return PLAIN
    kind = game.kind_called.get(name.of[0])
    looks = kind.looks if kind is not None else next((e.looks for e in game.enums if e.name == name.of[0]), ())
    return looks[name.of[1]] if 0 <= name.of[1] < len(looks) else PLAIN


def signs_in(text: str, game: ir.GameRules) -> str:
    """Returns the signs of all that a text names; "" if it says more than that."""
    signs, rest = "", str(text)
    for name in names_in(text):
        sign = look_of(name, game).sign
        if not sign or name.count > 1:
            return ""
        signs, rest = signs + sign, rest.replace(str(text[name.start : name.end]), "", 1)
    return signs if not rest.strip(" ,") else ""
