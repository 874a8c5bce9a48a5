"""Each citing line of a game -> the game without it, to find out whether a scenario notices.


heap -= n           [N-2]         the line is removed
    constant size = 21  [N-1]         constant size = 21 + 1; or 21 - 1
    players 2..4        [N-4]         players 3..4; or 2..3

A mutant fails if a scenario that reached the line fails, or the game no longer checks; scenarios that cite its clauses
are played first. Otherwise it survives: nothing shows what the line is for. If a line can be changed in several ways,
one failing mutant is enough. Lines of an `aim:` have no effect on play, so they have no mutant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang import api
from rulelang.driver.chain import of_module
from rulelang.driver.chain import run as through_chain
from rulelang.ir.model import Site
from rulelang.rulebook.lines import CitingLine, citing_lines
from rulelang.scenarios.run import ScenarioResult, run_scenarios
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import replaced, walk


@attrs.frozen(eq=False)
class Mutant:
    """A game with one citing line removed or changed, in one or several ways."""

    place: str
    clauses: tuple[str, ...]
    modules: tuple[nodes.ModuleNode, ...]
    line: CitingLine


def mutants(module: nodes.ModuleNode, sites: Iterable[Site] = ()) -> Iterator[Mutant]:
    """Yields a mutant for every line of a whole game that cites a clause and affects play, in source order."""
    for line in citing_lines(module, sites):
        if not isinstance(line.node, nodes.AimDeclaration | nodes.AimLineNode):
            yield mutant(module, line)


def mutant(module: nodes.ModuleNode, line: CitingLine) -> Mutant:
    """Returns the mutant of one citing line."""
    return Mutant(line.place, line.clauses, tuple(_without(module, line.node)), line)


def survivors(
    game: api.Game,
    results: Iterable[ScenarioResult],
    base: nodes.ModuleNode | None = None,
) -> tuple[Mutant, ...]:
    """Returns the mutants that no scenario notices.

    `results` are those of the unchanged game; only scenarios that pass there can notice a mutant. Lines that are in
    `base`, too, are left out.
    """
    passing = tuple(result for result in results if result.passed)
    known = {(line.place, line.clauses) for line in citing_lines(base, ())} if base is not None else set()
    tried = (m for m in mutants(game.internals.module, game.ir.sites) if (m.place, m.clauses) not in known)
    return tuple(m for m in tried if not _is_noticed(game, m, passing))


def _is_noticed(game: api.Game, mutant: Mutant, passing: tuple[ScenarioResult, ...]) -> bool:
    citing = [result for result in passing if set(result.clauses) & set(mutant.clauses)]
    reaching = [one for one in passing if one not in citing and mutant.line.ran(one.hits, one.refused)]
    for results in (citing, reaching):
        names = {result.name for result in results}
        scenarios = tuple(s for s in game.internals.whole.scenarios if s.title.raw in names)
        games = [g for module in mutant.modules if (g := _checked(game, module, scenarios)) is not None]
        if not games or any(not result.passed for g in games for result in run_scenarios(g)):
            return True
    return False


def _checked(
    game: api.Game, module: nodes.ModuleNode, scenarios: tuple[nodes.ScenarioDeclaration, ...]
) -> api.Game | None:
    """Returns the game with other rules and a few of its scenarios; None if the rules no longer check."""
    unit = through_chain(of_module(module))
    if unit.woven is None or unit.resolved is None:
        return None
    inside = game.internals
    whole = attrs.evolve(inside.whole, module=module, world=unit.resolved.world, scenarios=scenarios)
    return attrs.evolve(game, internals=attrs.evolve(inside, ir=unit.woven, whole=whole, digests=None))


# ------------------------------------------------------------------ removing lines


def _without(module: nodes.ModuleNode, node: nodes.Node) -> Iterator[nodes.ModuleNode]:
    """Yields the module without a line, in each possible way."""
    match node:
        case nodes.VerbDeclaration() | nodes.FlowDeclaration():
            yield replaced(module, node, attrs.evolve(node, body=()))
        case nodes.BranchNode():
            yield _without_branch(module, node)
        case nodes.OptionNode() if len(_siblings(module, node)) == 1:
            yield replaced(module, _holder(module, node))
        case nodes.CaseNode(value) if len(_siblings(module, node)) == 1:
            yield from _with_other_values(module, value)
        case nodes.ValueDeclaration(cases=(nodes.CaseNode(value),)) | nodes.LetStatement(value=value):
            yield from _with_other_values(module, value)
        case nodes.GameLineNode(what="players", value=nodes.Expression() as value):
            for other in _other_ranges(value):
                yield replaced(module, value, other)
        case nodes.ConstantDeclaration(value=value) | nodes.OptionDeclaration(default=nodes.Expression() as value):
            yield from _with_other_values(module, value)
        case nodes.EnumDeclaration():
            yield replaced(module, node, attrs.evolve(node, members=node.members[:-1]))
        case nodes.DieDeclaration():
            for faces in _other_faces(node.faces):
                yield replaced(module, node, attrs.evolve(node, faces=faces))
        case nodes.VariableNode() if node.modifiers or node.initial is not None:
            for variable in _other_variables(module, node):
                yield replaced(module, node, variable)
        case _:  # any other part of a rule is removed
            yield replaced(module, node)


def _without_branch(module: nodes.ModuleNode, branch: nodes.BranchNode) -> nodes.ModuleNode:
    whole = _holder(module, branch)
    assert isinstance(whole, nodes.IfStatement)
    if len(whole.branches) == 1:
        return replaced(module, whole, *(whole.otherwise or ()))
    return replaced(module, branch)


def _siblings(module: nodes.ModuleNode, node: nodes.OptionNode | nodes.CaseNode) -> tuple[nodes.Node, ...]:
    """Returns the options of a choice, or the cases of a value, among which a node is one."""
    holder = _holder(module, node)
    if isinstance(holder, nodes.ChooseStatement):
        return holder.options
    return holder.cases if isinstance(holder, nodes.ValueDeclaration) else ()


def _holder(module: nodes.ModuleNode, node: nodes.Node) -> nodes.Node:
    """Returns the node that holds a node in a tuple of parts."""
    for holder in walk(module):
        for field in attrs.fields(type(holder)):
            part = getattr(holder, field.name)
            if isinstance(part, tuple) and any(p is node for p in part):
                return holder
    raise LookupError(f"no such node in the game: {node!r}")


# ------------------------------------------------------------------ other values


def _with_other_values(module: nodes.ModuleNode, value: nodes.Expression) -> Iterator[nodes.ModuleNode]:
    """Yields the game with other values in one place."""
    yield from (replaced(module, value, other) for other in _other_values(value))


def _other_values(value: nodes.Expression) -> Iterator[nodes.Expression]:
    """Yields values other than a given one; those of a wrong type do not check and are passed over."""
    one = nodes.NumberExpression(1, span=value.span)
    yield nodes.BinaryExpression("+", value, one, span=value.span)
    yield nodes.BinaryExpression("-", value, one, span=value.span)
    yield nodes.UnaryExpression("not", value, span=value.span)
    yield nodes.BinaryExpression("-", value, value, span=value.span)  # 0, or the empty set


def _other_ranges(value: nodes.Expression) -> Iterator[nodes.Expression]:
    low, high = (value.low, value.high) if isinstance(value, nodes.RangeExpression) else (value, value)
    more, *_ = _other_values(low)
    _, less, *_ = _other_values(high)
    if isinstance(value, nodes.RangeExpression):
        yield attrs.evolve(value, low=more)
        yield attrs.evolve(value, high=less)
    else:
        yield more
        yield less


def _other_faces(faces: tuple[nodes.Expression, ...]) -> Iterator[tuple[nodes.Expression, ...]]:
    for face in dict.fromkeys(faces):
        if isinstance(face, nodes.RangeExpression):
            yield from ((other,) for other in _other_ranges(face))
        elif any(f != face for f in faces):
            yield tuple(f for f in faces if f != face)


def _other_variables(module: nodes.ModuleNode, node: nodes.VariableNode) -> Iterator[nodes.VariableNode]:
    """Yields a variable without each of its modifiers, and with another initial value."""
    for modifier in node.modifiers:
        yield attrs.evolve(node, modifiers=tuple(m for m in node.modifiers if m is not modifier))
    if node.initial is None:
        return
    yield attrs.evolve(node, initial=None)
    for value in (*_other_values(node.initial), *_members(module, node.type)):
        if value != node.initial:
            yield attrs.evolve(node, initial=value)


def _members(module: nodes.ModuleNode, type: nodes.TypeNode) -> Iterator[nodes.Expression]:
    """Yields the values of an enum's type, as written."""
    inner = type.of if isinstance(type, nodes.OptionalTypeNode) else type
    if isinstance(inner, nodes.EnumTypeNode):
        members = inner.members
    else:
        named = inner.name if isinstance(inner, nodes.NamedTypeNode) else ""
        enums = (d for d in module.declarations if isinstance(d, nodes.EnumDeclaration) and d.name.text == named)
        members = tuple(member for enum in enums for member in enum.members)
    yield from (nodes.NameExpression(member.text, span=type.span) for member in members)
