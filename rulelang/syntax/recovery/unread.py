"""Unreadable stretches of a text -> nodes with the names that they would have declared, and the declarations lost with them.

    value reach(p) = = 3        UnreadNode(names={"reach"})             the line is a declaration of its own
    to use(p, n):
      p.fuel = = 3              UnreadNode(costs=<to use(p, n): …>)     the line costs the verb that holds it

Only words are looked at, never the grammar, so every text has an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes

_NAMED: dict[str, nodes.UnreadNames] = {
    "to": "a verb",
    "phase": "a verb",
    "action": "an action",
    "value": "a value",
    "constant": "a value",
    "die": "a value",
    "clock": "anything",
    "noun": "anything",
}
"""The words in front of a name, where nothing else is declared; and what that is a name of."""
_LABELLED = frozenset({"adjust", "before", "after", "instead", "whenever"})
"""The words in front of a rule that has a name only behind `as`."""
_NAMELESS = frozenset({"setup", "play", "screen", "aim", "scenario"})
"""The words in front of what has no name."""
_LISTING = frozenset({"names", "enum", "kind", "data", "option", "the", "each", "game", "variant"})
"""The words in front of declarations that may declare every word in them; so may a `board` and a `map`, and spaces."""
_HEADS = frozenset({*_NAMED, *_LABELLED, *_NAMELESS, *_LISTING, "board", "map", "include"})
_OF: dict[str, nodes.UnreadPart] = {"variant": "variant", "scenario": "scenario"}
"""By the first word of a declaration: what lacks it, if it is not the game."""
_HOLDERS = (nodes.StateDeclaration, nodes.VariantDeclaration)
"""Declarations whose every line declares something of its own."""
_LISTS = (nodes.GameDeclaration, nodes.EnumDeclaration, nodes.KindDeclaration, nodes.DataDeclaration)
"""Declarations whose every line begins with a name, unless it is a row."""

_SILENT = re.compile(r'"""|"(?:[^"\\\n]|\\[^\n])*"?|\[[^\[\]\n]*\]|#[^\n]*')
"""What names nothing: texts, clause ids, comments and the marks around a drawing; the drawing itself names spaces."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_FIRST = re.compile(r"^[ \t]*([A-Za-z_]\w*)", re.MULTILINE)


def unread_nodes(module: nodes.ModuleNode, places: Iterable[tuple[int, int]]) -> tuple[nodes.UnreadNode, ...]:
    """Returns a node for each stretch of a module's text that could not be read, given by its start and end.

    >>> from rulelang.source import SourceText
    >>> from rulelang.syntax.parser import parse
    >>> parse(SourceText("nim.rules", "value heap = = 3\\n")).module.unread
    (UnreadNode(names=frozenset({'heap'}), also='nothing', cut='', of='game', costs=None),)
    """
    return tuple(_unread(module, start, end) for start, end in places)


def wholly_unread(span: Span) -> nodes.UnreadNode:
    """Returns the node for an unknown text, which may declare any name."""
    return nodes.UnreadNode(also="anything", span=span)


def _unread(module: nodes.ModuleNode, start: int, end: int) -> nodes.UnreadNode:
    span = Span(module.span.source, start, end)
    text = _SILENT.sub(" ", span.text)
    words = frozenset(_WORD.findall(text))
    cut = _last_word(text.partition("\n")[0])
    if span.source.position(start)[1] == 1:
        return attrs.evolve(_declared(text), cut=cut, span=span)
    holder, part = _holder(module.declarations, start)
    begins = bool(_WORD.match(text))
    if isinstance(holder, nodes.StateDeclaration) and not begins:
        return nodes.UnreadNode(words, "a value" if holder.owner is None else "an attribute", cut, part, span=span)
    if holder is None or isinstance(holder, _HOLDERS):
        return nodes.UnreadNode(words, "nothing" if begins else "anything", cut, part, span=span)
    also: nodes.UnreadNames = "spaces" if isinstance(holder, nodes.BoardDeclaration) else "nothing"
    if not isinstance(holder, (*_LISTS, nodes.BoardDeclaration)):
        # What begins a line in a body may be an option, which a clock may name.
        words = frozenset(_FIRST.findall(text))
    elif also == "nothing" and not (begins or text.startswith("|")):
        also = "anything"
    return nodes.UnreadNode(words | _own_names(holder), also, cut, part, holder.span, span=span)


def _last_word(line: str) -> str:
    """Returns the word with which a line ends, "" if it ends otherwise; in one step back, however long the line is."""
    line = line.rstrip()
    begin = len(line)
    while begin and (line[begin - 1].isalnum() or line[begin - 1] == "_"):
        begin -= 1
    return line[begin:].lstrip("0123456789")


def _declared(text: str) -> nodes.UnreadNode:
    """Returns the node of an unread declaration."""
    words = _WORD.findall(text)
    head = words[0] if words else ""
    of = _OF.get(head, "game")
    first_line = text.partition("\n")[0]
    if head in _NAMED:
        own = re.match(rf"\s*(?:{head}\s+)+([A-Za-z_]\w*)", first_line)
        return nodes.UnreadNode(frozenset({own[1]})) if own else nodes.UnreadNode(also=_NAMED[head])
    if head in _LABELLED:
        labels = frozenset(re.findall(r"\bas\s+(\w+)", text))
        return nodes.UnreadNode(labels, "nothing" if labels or ":" in first_line else "anything")
    if head in _NAMELESS:
        return nodes.UnreadNode(frozenset({head}), of=of)
    if head in _HEADS:
        is_open = len(_WORD.findall(first_line)) < 2 or first_line.rstrip()[-1] in ",;" or text.rstrip()[-1] == ":"
    else:
        # A word alone may be the beginning of any declaration.
        is_open = first_line.strip() == head
    if head in _LISTING and not is_open:
        return nodes.UnreadNode(frozenset(words), of=of)
    if head == "include" or head in _LISTING or is_open:
        return nodes.UnreadNode(frozenset(words), "anything", of=of)
    if head in ("board", "map"):
        return nodes.UnreadNode(frozenset(words), "spaces")
    return nodes.UnreadNode(frozenset(words) | _NAMELESS, "spaces")


def _holder(
    declarations: tuple[nodes.Declaration, ...], start: int
) -> tuple[nodes.Declaration | nodes.Operation | None, nodes.UnreadPart]:
    """Returns the innermost declaration or operation that holds a place, and its parent."""
    holder = next((d for d in reversed(declarations) if d.span.start <= start), None)
    if not isinstance(holder, nodes.VariantDeclaration):
        return holder, "scenario" if isinstance(holder, nodes.ScenarioDeclaration) else "game"
    inner = next((o for o in reversed(holder.operations) if o.span.start <= start <= o.span.end), None)
    declared = inner.declaration if isinstance(inner, nodes.AddOperation) else inner
    return declared or holder, "scenario" if isinstance(declared, nodes.ScenarioDeclaration) else "variant"


def _own_names(holder: nodes.Declaration | nodes.Operation) -> frozenset[str]:
    """Returns the name and the label of a declaration."""
    found = (getattr(holder, field, None) for field in ("name", "label"))
    return frozenset(ident.text for ident in found if isinstance(ident, nodes.IdentNode))
