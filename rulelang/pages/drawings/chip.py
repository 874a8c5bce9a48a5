"""A text -> the same with its things drawn as small cards, each with its image, its sign or its name.

with_chips(spliced((named("the ace of spades", "thing", ("Card", 51)), " wins")), ink)      <b class="chip …">A♠</b> wins
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from rulelang.ir.model import GameRules, Kind
from rulelang.knowledge.phrase import Name, names_in
from rulelang.pages.drawings.marks import mark_of
from rulelang.pages.drawings.piece import address_of
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, together
from rulelang.screens.touched import THING

Drawn: TypeAlias = Literal["signed", "cards", "things"]
"""The things of a text that are drawn: those that the rules draw as cards, of these only whose signs say all that their
names do, or all things that lie in zones."""
Clicks: TypeAlias = Callable[[str, str], Mapping[str, str | None]]
"""By the name of a kind and that of a thing: the attributes by which a click on the thing answers, or asks about it."""


def with_chips(words: str, ink: Ink, drawn: Drawn = "cards", clicks: Clicks | None = None) -> Markup:
    """Returns a text with its names marked and coloured, and its things drawn; between two of them stands no comma."""
    parts: list[str] = []
    at, after_chip = 0, False
    for name in names_in(words):
        if name.start < at:
            continue
        before, kind = str(words[at : name.start]), _kind(name, ink.game)
        is_chip = kind is not None and (drawn == "things" or (is_card(kind) and (drawn == "cards" or are_told(kind))))
        parts.append(" " if is_chip and after_chip and before == ", " else before)
        called = str(words[name.start : name.end])
        parts.append(ink.name(called, name) if kind is None or not is_chip else _chip(called, name, kind, ink, clicks))
        at, after_chip = name.end, is_chip
    return together(*parts, str(words[at:]))


def is_card(kind: Kind) -> bool:
    """Returns whether the rules draw the things of a kind as cards."""
    return any(look.shape == "card" or look.image for look in kind.looks)


@lru_cache(maxsize=256)
def are_told(kind: Kind) -> bool:
    """Returns whether the signs of a kind say all that its names do, since each stands for one name alone."""
    signs = {(look.sign, called) for look, called in zip(kind.looks, kind.called or kind.names, strict=False)}
    return bool(signs) and "" not in dict(signs) and len(dict(signs)) == len(signs)


def _kind(name: Name, game: GameRules | None) -> Kind | None:
    """Returns the kind of a thing that lies in zones; None for any other name."""
    kind = game.kind_called.get(name.of[0]) if game is not None and name.of is not None else None
    return kind if kind is not None and kind.movable else None


def _chip(called: str, name: Name, kind: Kind, ink: Ink, clicks: Clicks | None) -> Markup:
    look, colour = ink.look_of(name), ink.ink_of(called, name)
    is_one = name.what == "thing" and name.count == 1
    is_told = is_one and are_told(kind)
    asks = clicks(kind.name, called) if is_one and clicks is not None else {}
    classes = (
        name.what,
        "chip",
        "told" if is_told else "",
        colour and f"ink-{colour}",
        "can" if "data_choose" in asks else "",
    )
    return element(
        "b",
        element("img", src=address_of(look.image), alt="") if look.image else None,
        element("span", look.sign, klass="sign", aria_hidden="true") if look.sign else None,
        element("span", called, klass="called"),
        klass=" ".join(filter(None, classes)),
        data_at=mark_of((THING, called)) if is_one else None,
        **({"title": called} if is_told else {}) | dict(asks),
    )
