"""Text -> markup: the only place in which a text becomes part of a page.

element("p", "fuel < 3", klass="words")      <p class="words">fuel &lt; 3</p>
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import TypeAlias

VOID = ("br", "hr", "img", "input", "link", "meta")
"""The elements without an end tag. (Those of a drawing have one: in HTML an open one would take in what follows.)"""
CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))
"""The control characters, which a page leaves out …"""
TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\N{REPLACEMENT CHARACTER}")
"""… and those that turn the direction of text, which could make a label read as another."""
REPLACED = CONTROL | TURNING
SPECIAL = re.compile(f"[&<>\"'{''.join(re.escape(chr(code)) for code in REPLACED)}]")
"""The characters that do not stand for themselves in a page."""


class Markup(str):
    """A text that is markup already."""

    __slots__ = ()


Content: TypeAlias = "str | Iterable[Content] | None"


def text(words: str) -> Markup:
    """Returns a text as markup, without control characters.

    >>> text("<b> & \\x07")
    '&lt;b&gt; &amp; '
    """
    if isinstance(words, Markup):
        return words
    # Most texts hold nothing that would have to be escaped, and pages are made of thousands of them.
    return Markup(escape(str(words).translate(REPLACED)) if SPECIAL.search(words) else str(words))


def together(*content: Content) -> Markup:
    """Returns contents one after another; None is left out."""
    return Markup("".join(_parts(content)))


def element(tag: str, *content: Content, klass: str = "", **attributes: str | int | float | bool | None) -> Markup:
    """Returns an element; an attribute that is None or False is left out, one that is True stands alone.

    >>> element("button", "Take <2>", klass="choice", data_choose='take("2")', disabled=False)
    '<button class="choice" data-choose="take(&quot;2&quot;)">Take &lt;2&gt;</button>'
    """
    said = [_attribute(_written(name), value) for name, value in attributes.items()]
    own = _attribute("class", klass) if klass else ""
    opened = f"<{tag}{own}{''.join(said)}"
    return Markup(f"{opened}>" if tag in VOID else f"{opened}>{''.join(_parts(content))}</{tag}>")


@cache
def _written(name: str) -> str:
    """Returns the name of an attribute as a page writes it.

    >>> _written("data_choose"), _written("for_")
    ('data-choose', 'for')
    """
    return name.rstrip("_").replace("_", "-")


def _attribute(name: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    said = rounded(value) if isinstance(value, float) else str(value)
    return f" {name}" if value is True else f' {name}="{text(said)}"'


def rounded(number: float) -> str:
    """Returns a coordinate of a drawing, with one decimal at most.

    >>> rounded(12.0), rounded(12.34), rounded(-0.01)
    ('12', '12.3', '0')
    """
    return f"{round(number, 1) or 0.0:.1f}".removesuffix(".0")


def _parts(content: Iterable[Content]) -> Iterable[str]:
    for one in content:
        if isinstance(one, str):
            yield text(one)
        elif one is not None:
            yield from _parts(one)
