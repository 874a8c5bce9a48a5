"""A patched game and its scenarios -> one text that stands alone: what the game is with its variants, in one file.

    rulelang expand nim+misere > misere.rules        checks and plays as nim+misere does, in an empty folder

Includes are in it, and the scenarios that hold; those that a variant voids are not. The citations stay, the ledger does not.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.syntax import nodes
from rulelang.syntax.printing.printer import print_module


def expand(module: nodes.ModuleNode, scenarios: tuple[nodes.ScenarioDeclaration, ...] = ()) -> str:
    """Returns a whole game, patched, as one canonical text, with these scenarios behind its rules.

    >>> from rulelang.api import load
    >>> whole = load("outspeed+sprint").whole
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
    """Yields the declarations of a game that has no ledger beside it."""
    for declaration in module.declarations:
        if isinstance(declaration, nodes.GameDeclaration):
            lines = tuple(line for line in declaration.lines if line.what != "rulebook")
            declaration = attrs.evolve(declaration, lines=lines)
        yield declaration


def _is_long(text: str) -> bool:
    return text.count("\n") > 1


def _word(text: str) -> str:
    return text.split(maxsplit=1)[0]
