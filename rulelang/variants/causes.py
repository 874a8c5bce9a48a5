"""A warning about a line of the game that only a variant makes possible -> the same warning, at the variant's line.

legs_left = count(stack)        outspeed: 12 tiles. A variant adds three rows: the warning stands at its `add to Tile:`
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

RISKS = frozenset({"W0502", "W0510", "W0511"})
"""The codes of faults that may occur while a game is played."""
STEPS = 6
"""The most declarations that may lie between a line and the change of a variant that it depends on."""


def concerned(found: tuple[Diagnostic, ...], variants: tuple[nodes.VariantDeclaration, ...]) -> tuple[Diagnostic, ...]:
    """Returns the warnings about risks (`RISKS`) whose place lies outside these variants."""
    return tuple(
        d for d in found if d.code in RISKS and not any(_is_inside(d.span, variant.span) for variant in variants)
    )


def stacked(
    variants: tuple[nodes.VariantDeclaration, ...], wanted: tuple[str, ...]
) -> tuple[nodes.VariantDeclaration, ...]:
    """Returns the variants with these names, and those that they build on."""
    by_name = {variant.name.text: variant for variant in variants}
    names = list(wanted)
    for name in names:
        if name in by_name and by_name[name].of.text not in names:
            names.append(by_name[name].of.text)
    return tuple(by_name[name] for name in names if name in by_name)


def placed(
    found: tuple[Diagnostic, ...],
    before: tuple[Diagnostic, ...],
    variants: tuple[nodes.VariantDeclaration, ...],
    module: nodes.ModuleNode,
) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics, with those risks that the game without
    variants does not have moved to the variant that causes them.

    `before` are the diagnostics of the game without variants, `module` is the whole game with its variants.
    """
    known = {(d.code, d.span.source.name, d.span.start) for d in before}
    fresh = {id(d) for d in concerned(found, variants) if (d.code, d.span.source.name, d.span.start) not in known}
    return tuple(_placed(d, variants, module) if id(d) in fresh else d for d in found)


def _placed(d: Diagnostic, variants: tuple[nodes.VariantDeclaration, ...], module: nodes.ModuleNode) -> Diagnostic:
    cause = _cause(d.span, variants, module)
    old = d.primary
    return attrs.evolve(d, primary=Label(cause, "this makes it possible"), labels=(old, *d.labels))


def _cause(span: Span, variants: tuple[nodes.VariantDeclaration, ...], module: nodes.ModuleNode) -> Span:
    """Returns the first line of the operation nearest to what a line reads; without one, the head of the first variant."""
    changed = {name: operation for v in variants for operation in v.operations for name in _changed(operation)}
    declared: dict[str, list[nodes.Declaration]] = {}
    for declaration in module.declarations:
        for name in _declared(declaration):
            declared.setdefault(name, []).append(declaration)
    here = next((d for d in module.declarations if _is_inside(span, d.span)), None)
    near = _names([n for n in walk(here) if _is_inside(n.span, span)]) if here is not None else set()
    reached: set[str] = set()
    for names in (near, _names(list(walk(here))) if here is not None else set()):
        for _ in range(STEPS):
            for name in sorted(names):
                if name in changed:
                    return _first_line(changed[name].span)
            reached |= names
            names = _names([n for name in names for d in declared.get(name, ()) for n in walk(d)]) - reached
        reached = set()
    return _first_line(variants[0].span) if variants else span


def _changed(operation: nodes.Operation) -> Iterator[str]:
    match operation:
        case nodes.AddOperation(declaration=declaration) | nodes.ReplaceOperation(declaration=declaration):
            yield from _declared(declaration)
        case (
            nodes.RemoveOperation(name=name)
            | nodes.ChangeFieldOperation(kind=name)
            | nodes.AddRowsOperation(table=name)
            | nodes.ChangeColumnOperation(table=name)
        ):
            yield name.text
        case nodes.AddMembersOperation(enum=name):
            yield name.text
        case nodes.SetGameLineOperation():
            yield from ("players", "Player")
        case _:  # the other operations are of scenarios, which cause nothing
            pass


def _declared(declaration: nodes.Declaration) -> Iterator[str]:
    if isinstance(declaration, nodes.StateDeclaration):
        for variable in (n for n in walk(declaration) if isinstance(n, nodes.VariableNode)):
            yield variable.name.text
        return
    for part in ("name", "of", "verb"):
        ident = getattr(declaration, part, None)
        if isinstance(ident, nodes.IdentNode):
            yield ident.text


def _names(inside: list[nodes.Node]) -> set[str]:
    return {n.text for n in inside if isinstance(n, nodes.NameExpression | nodes.IdentNode)}


def _is_inside(span: Span, other: Span) -> bool:
    return span.source.name == other.source.name and other.start <= span.start and span.end <= other.end


def _first_line(span: Span) -> Span:
    end = span.source.text.find("\n", span.start, span.end)
    return Span(span.source, span.start, span.end if end < 0 else end)
