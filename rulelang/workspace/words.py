"""Two declarations -> whether they differ only in texts for people, of which no check reads a word, and in clauses.

needs n <= heap "Only {heap} left"    needs n <= heap "No more than {heap} left"     alike
action rest(p) "Wait"                 action rest(p) "Stay"                          not: two options may read alike now
"""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import rewrite

_D = TypeVar("_D", bound=nodes.Declaration)
_TEXTS: dict[type[nodes.Node], tuple[str, ...]] = {
    nodes.GameDeclaration: ("title",),
    nodes.OptionDeclaration: ("label",),
    nodes.ModifierNode: ("text",),
    nodes.NamedNode: ("says",),
    nodes.ValueDeclaration: ("called", "denied"),
    nodes.ActionDeclaration: ("told",),
    nodes.NeedNode: ("message",),
    nodes.OptionNode: ("told",),
    nodes.ChooseStatement: ("prompt",),
    nodes.ShownFieldNode: ("text",),
    nodes.AimLineNode: ("told",),
}
"""By class: the fields with texts of which checks read the holes alone. Labels of options and names of members are not
among them: they are compared with each other."""


def differ_in_words(old: nodes.Declaration, new: nodes.Declaration) -> bool:
    """Returns whether two declarations are equal but for plain words in texts that no check reads, and for the clauses
    that they cite, which are looked up in the ledger later.

    >>> from rulelang.source import SourceText
    >>> from rulelang.syntax.parser import parse
    >>> def read(text): return parse(SourceText("game", f"option tiles: 1..12 = 6 {text}")).module.declarations[0]
    >>> differ_in_words(read('"How many"'), read('"How many tiles"')), differ_in_words(read('"How many"'), read(""))
    (True, False)
    """
    return type(old) is type(new) and _without_words(old) == _without_words(new)


def _without_words(declaration: _D) -> _D:
    return rewrite(declaration, _bare)


def _bare(node: nodes.Node) -> nodes.Node:
    """Returns a node without the words of its texts for people,
    and a citation without its clause; any other node itself."""
    match node:
        case nodes.CiteNode():
            return attrs.evolve(node, id="")
        case nodes.ToldNode(what=nodes.IdentNode(text="text"), text=text):
            return attrs.evolve(node, text=_blank(text))
        case nodes.KindDeclaration(rows=rows):
            return attrs.evolve(node, rows=_without_descriptions(rows))
        case _:  # the other nodes with such texts are listed
            texts = {name: getattr(node, name) for name in _TEXTS.get(type(node), ())}
            changed: dict[str, Any] = {name: _blank(text) for name, text in texts.items() if text is not None}
            return attrs.evolve(node, **changed) if changed else node


def _without_descriptions(rows: tuple[nodes.RowNode, ...]) -> tuple[nodes.RowNode, ...]:
    """Returns the rows of a kind without the words in the column `text`."""
    head = rows[0].cells if rows else ()
    at = [n for n, cell in enumerate(head) if isinstance(cell, nodes.NameExpression) and cell.text == "text"]
    return tuple(
        attrs.evolve(
            row,
            cells=tuple(
                _blank(cell) if n in at and isinstance(cell, nodes.TextNode) else cell
                for n, cell in enumerate(row.cells)
            ),
        )
        for row in rows
    )


def _blank(text: nodes.TextNode) -> nodes.TextNode:
    """Returns a text with one and the same word in place of each plain piece; blanks stay, since lines are split there."""
    parts = tuple("…" if isinstance(part, str) and part.strip() else part for part in text.parts)
    return attrs.evolve(text, raw="", parts=parts)
