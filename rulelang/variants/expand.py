"""A patched game and its scenarios -> one text that stands alone: the game with its variants, in a single file.

    rulelang expand nim+misere > misere.rules        checks and plays as nim+misere does, in an empty folder

It contains the included files and the scenarios that still hold, without those that a variant voids. It keeps the
citations but drops the `rulebook` line, since no ledger goes with the text.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.syntax import nodes
from rulelang.syntax.printing.printer import print_module


def expand(module: nodes.ModuleNode, scenarios: tuple[nodes.ScenarioDeclaration, ...] = ()) -> str:
    """Returns a whole patched game as one canonical text, with these scenarios after its rules.

    >>> from rulelang.api import load
    >>> whole = load("outspeed+sprint").internals.whole
    >>> print(expand(whole.module).splitlines()[0])
    game outspeed "Outspeed":
    """
    parts = [print_module(nodes.ModuleNode((d,), span=d.span)) for d in (*_alone(module), *scenarios)]
    text = ""
    for part, before in zip(parts, ["", *parts], strict=False):
        apart = before and (_is_long(part) or _is_long(before) or _word(part) != _word(before))
        text += ("\n" if apart else "") + part
    return text


def _alone(module: nodes.ModuleNode) -> Iterator[nodes.Declaration]:
    """Yields the declarations of a game, without the `rulebook` line of its header."""
    for declaration in module.declarations:
        if isinstance(declaration, nodes.GameDeclaration):
            lines = tuple(line for line in declaration.lines if line.what != "rulebook")
            declaration = attrs.evolve(declaration, lines=lines)
        yield declaration


def _is_long(text: str) -> bool:
    return text.count("\n") > 1


def _word(text: str) -> str:
    return text.split(maxsplit=1)[0]
