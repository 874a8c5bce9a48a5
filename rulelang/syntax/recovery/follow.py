"""Faults that merely follow from lines that could not be read.

value reach(p) = = 3
let n = reach(p)            E0201 "no value named `reach`": left out
let m = raech(p)            E0201 "no value named `raech`": told
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from rulelang.diagnostics.model import Diagnostic
from rulelang.source import Span
from rulelang.syntax import nodes

_UNKNOWN = frozenset({"E0201", "E0205", "E0208", "E0210", "E0602", "E0604"})
"""The codes of faults that are told at a name that nothing declares."""
_OF_THE_WHOLE = frozenset({"W0520"})
"""The codes of faults that only a whole game can have."""
_TABLES = (nodes.EnumDeclaration, nodes.KindDeclaration, nodes.BoardDeclaration, nodes.DataDeclaration)
"""Declarations that are given up as a whole for a fault in one of their lines."""
_SPACE = re.compile("[A-Za-z]+[0-9]+")
"""The names of the spaces of a board that has no other names for them."""
_WORD = re.compile(r"\w+")


def without_followers(
    found: Iterable[Diagnostic], unread: tuple[nodes.UnreadNode, ...], declarations: tuple[nodes.Declaration, ...] = ()
) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics without those that follow from unread lines.

    These are names that an unread line may declare, and all faults inside a declaration that has lost a line. A table
    with a fault that follows is lost with the names in it.
    """
    kept, lost = tuple(found), unread
    given_up: set[Span] = set()
    while lost:
        dropped = [d for d in kept if any(_follows(d, one) for one in lost)]
        if any(one.also == "a name" for one in lost):
            dropped += _of_one_name([d for d in kept if d not in dropped])
        kept = tuple(d for d in kept if d not in dropped)
        costly = [one.costs for one in lost if one.costs is not None]
        lost = tuple(_given_up(declarations, [*costly, *(d.span for d in dropped)], given_up))
    return kept


def _of_one_name(found: list[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics of unknown names if they are all about the same one: a line without its beginning may have
    declared that, but not several."""
    unknown = [d for d in found if d.code in _UNKNOWN]
    return unknown if len({_name_at(d) for d in unknown}) == 1 else []


def _name_at(d: Diagnostic) -> str:
    """Returns the name that is unknown at a diagnostic's place, which may be the head of a call."""
    found = _WORD.search(d.span.text)
    return found[0] if found else ""


def _given_up(
    declarations: tuple[nodes.Declaration, ...], spans: list[Span], before: set[Span]
) -> Iterator[nodes.UnreadNode]:
    """Yields a node for each table that holds one of the spans, and was not given up before."""
    for table in declarations:
        if isinstance(table, _TABLES) and table.span not in before and any(table.span.holds(span) for span in spans):
            before.add(table.span)
            also: nodes.UnreadNames = "spaces" if isinstance(table, nodes.BoardDeclaration) else "nothing"
            yield nodes.UnreadNode(frozenset(_WORD.findall(table.span.text)), also, span=table.span)


def _follows(d: Diagnostic, lost: nodes.UnreadNode) -> bool:
    if lost.span.holds(d.span) or (lost.costs is not None and lost.costs.holds(d.span)):
        return True
    if d.code in _OF_THE_WHOLE:
        return True
    if d.code == "E0314":
        return lost.also in ("anything", "spaces", "a name") or d.span.text in lost.names
    if d.code == "E0212":
        return lost.also == "anything" or "play" in lost.names
    if d.code in _UNKNOWN and _is_of_sort(d, lost.also):
        return True
    return any(_may_declare(lost, word) for word in _names_at(d))


def _is_of_sort(d: Diagnostic, sort: nodes.UnreadNames) -> bool:
    """Returns whether a name that is unknown may be one of the sort that could not be read."""
    match sort:
        case "nothing" | "spaces" | "a name":
            return False
        case "anything":
            return True
        case "an attribute":
            return d.code in ("E0205", "E0604")
        case "a verb":
            return d.code in ("E0210", "E0604") or d.message.startswith(("no verb", "no phase"))
        case "an action":
            return d.code == "E0604" or d.message.startswith("no action")
        case "a value":
            return d.code in ("E0201", "E0604") and not d.message.startswith(("no verb", "no action"))
        case _:
            assert_never(sort)


def _names_at(d: Diagnostic) -> list[str]:
    """Returns the names that a fault is told for, if it may follow from the loss of one."""
    if d.code in _UNKNOWN:
        return _WORD.findall(d.span.text)
    if d.code in ("E0202", "E0410"):
        # Cases for things that are lost are no different cases.
        source = d.span.source
        return _WORD.findall(source.line(source.position(d.span.start)[0]).partition("(")[2])
    # A name that is lost may still be that of something else, and then its type is wrong.
    return [d.span.text]


def _may_declare(lost: nodes.UnreadNode, name: str) -> bool:
    """Returns whether unread lines may declare a name, which may be cut off there or run together with another."""
    if name in lost.names or (lost.also in ("spaces", "a name") and _SPACE.fullmatch(name)):
        return True
    owner = name[:1].upper() + name[1:]
    if owner in lost.names:
        return True  # the owner of a variable, named after its kind
    # A line may have lost its beginning as well as its end; a letter alone ends too many names.
    is_cut = bool(lost.cut) and (name.startswith(lost.cut) or owner.startswith(lost.cut))
    is_cut = is_cut or (len(lost.cut) > 1 and name.endswith(lost.cut))
    return is_cut or any(word.startswith(name) or word.endswith(name) for word in lost.names)
