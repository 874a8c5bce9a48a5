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
_TABLES = frozenset({"enum", "kind", "data", "board"})
"""Those of them with one name of their own in front of the others."""
_HEADS = frozenset({*_NAMED, *_LABELLED, *_NAMELESS, *_LISTING, "board", "map", "include"})
_OF: dict[str, nodes.UnreadPart] = {"variant": "variant", "scenario": "scenario"}
"""By the first word of a declaration: what lacks it, if it is not the game."""
_HOLDERS = (nodes.StateDeclaration, nodes.VariantDeclaration)
"""Declarations whose every line declares something of its own."""
_LISTS = (nodes.GameDeclaration, nodes.EnumDeclaration, nodes.KindDeclaration, nodes.DataDeclaration)
"""Declarations whose every line begins with a name, unless it is a row."""

_AFTER_NAME = re.compile(r"\s*(?:[(:=,\[]|->|(?:as|at|called|deep|each|else|has|of)\b|$)", re.ASCII)
"""What may stand behind the name of a declaration; before anything else, the name may be cut off."""
_AFTER_LINE_NAME = re.compile(r"\s*(?:[(:=,\[]|as\b|$)", re.ASCII)
"""What may stand behind the name with which a line of a declaration begins."""
_SWALLOWED = re.compile(
    rf"\b(?:{'|'.join(sorted({*_NAMED} - {'to'}))})\s+([A-Za-z_]\w*)|\bto\s+([A-Za-z_]\w*)\s*[(:]"
    r"|([A-Za-z_]\w*)(?:\([^()\n]*\))?\s*(?:=(?!=)|->)|^\s+([A-Za-z_]\w*)\s*:",
    re.MULTILINE | re.ASCII,
)
"""The names of declarations, and of lines of them, that may have become part of another one."""
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
    words = frozenset(_WORD.findall(_without_torn(span.text, text)))
    cut = _last_word(text.partition("\n")[0])
    if span.source.position(start)[1] == 1:
        declared = _declared(text)
        return attrs.evolve(declared, cut=declared.cut or cut, span=span)
    holder, part = _holder(module.declarations, start)
    begins = bool(_WORD.match(text))
    torn = _cut_name(holder, text)
    cut = torn or cut
    if isinstance(holder, nodes.StateDeclaration) and not begins:
        return nodes.UnreadNode(words, "a value" if holder.owner is None else "an attribute", cut, part, span=span)
    if holder is None or isinstance(holder, _HOLDERS):
        sort: nodes.UnreadNames = "a name" if torn and ":" not in text.partition("\n")[0] else "nothing"
        return nodes.UnreadNode(words, sort if begins else "anything", cut, part, span=span)
    also: nodes.UnreadNames = "spaces" if isinstance(holder, nodes.BoardDeclaration) else "nothing"
    if not isinstance(holder, (*_LISTS, nodes.BoardDeclaration)):
        # What begins a line in a body may be an option, which a clock may name.
        words = frozenset((*_FIRST.findall(text), *_swallowed(text)))
        also = "a name" if text.lstrip().startswith("->") else also
    elif also == "nothing" and not (begins or text.startswith("|")):
        also = "anything"
    return nodes.UnreadNode(words | _own_names(holder), also, cut, part, holder.span, span=span)


def _without_torn(whole: str, text: str) -> str:
    """Returns a text without what names nothing; of lines with half a text, in which that cannot be told, all is kept."""
    torn = [line for line in whole.split("\n") if line.replace('"""', "").count('"') % 2]
    return "\n".join((text, *torn))


def _cut_name(holder: nodes.Declaration | nodes.Operation | None, text: str) -> str:
    """Returns the word that begins a line on which a name should stand, "" if the name there is whole."""
    found = _FIRST.match(text)
    is_named = isinstance(holder, (nodes.StateDeclaration, nodes.BoardDeclaration, *_LISTS))
    if found is None or not is_named or isinstance(holder, nodes.GameDeclaration):
        return ""
    return "" if _AFTER_LINE_NAME.match(text.partition("\n")[0], found.end()) else found[1]


def _swallowed(text: str) -> frozenset[str]:
    return frozenset(name for found in _SWALLOWED.findall(text) for name in found if name)


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
        if own is None:
            return nodes.UnreadNode(also=_NAMED[head])
        # Lines of another declaration, which lost its own first line, may have come to stand below it.
        return nodes.UnreadNode(frozenset({own[1]}) | _swallowed(text), cut=_cut_behind(first_line, own))
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
    own = re.match(rf"\s*{head}\s+([A-Za-z_]\w*)", first_line) if head in _TABLES else None
    cut = _cut_behind(first_line, own)
    if head in _LISTING and not is_open:
        return nodes.UnreadNode(frozenset(words), cut=cut, of=of)
    if head == "include" or head in _LISTING or is_open:
        return nodes.UnreadNode(frozenset(words), "anything", of=of)
    if head in ("board", "map"):
        return nodes.UnreadNode(frozenset(words), "spaces", cut)
    return nodes.UnreadNode(frozenset(words) | _NAMELESS, "a name")


def _cut_behind(line: str, name: re.Match[str] | None) -> str:
    """Returns the name in a line if it may be cut off, "" if what follows it may follow a whole one."""
    return "" if name is None or _AFTER_NAME.match(line, name.end()) else name[1]


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
