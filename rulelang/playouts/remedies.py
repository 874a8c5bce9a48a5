"""A line of the rules that takes many steps -> what to write instead, where its cause is one of a few known ones.

A line is searched together with the values that it asks for; the first cause found is told.

    needs t in reach(s)      # of `go(s in mine, t in Square)`: give `t` a domain that follows from `s`
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.ir import model as ir
from rulelang.ir.counts import HUGE
from rulelang.ir.steps import SMALL, StepCosts
from rulelang.ir.walk import read_in, statements_in, walk

WHOLE = 16
"""The number of candidates from which a domain is as large as a board."""
MUCH = 4 * SMALL
"""The steps from which a value that is asked for each member of a set is worth naming."""


def remedy(steps: StepCosts, site: int) -> str:
    """Returns a sentence about what to write instead of the line with a site; "" if no known cause applies."""
    branches = _branches(steps.game, site)
    for branch in branches:
        if late := _late(steps, branch):
            return late
    parts = _parts(steps, site, branches)
    return next((said for cause in CAUSES for part in parts if (said := cause(steps, part))), "")


# ------------------------------------------------------------------ where to look


@attrs.frozen
class _Part:
    """Nodes to look at, and the value that they belong to ("" for the line itself, which comes first)."""

    nodes: tuple[object, ...]
    value: str
    bound: int
    """The most steps that they can cost."""

    @property
    def where(self) -> str:
        """Its name at the beginning of a sentence."""
        return f"`{self.value}`" if self.value else "this line"


def _branches(game: ir.GameRules, site: int) -> list[ir.Branch]:
    """Returns the ways to answer that a line belongs to: those of a choice, or the one of an action or of a need."""
    return [
        branch
        for choice in game.choices
        for branch in choice.branches
        if site in (branch.site, *(need.site for need in branch.needs))
        or choice.site == site
        or _asks(game, choice, site)
    ]


def _asks(game: ir.GameRules, choice: ir.Choice, site: int) -> bool:
    return any(
        isinstance(statement, ir.Ask) and statement.choice == choice.id and statement.site == site
        for procedure in game.procedures
        for statement in statements_in(procedure.body)
    )


def _parts(steps: StepCosts, site: int, branches: list[ir.Branch]) -> list[_Part]:
    """Returns the line, and the values that can cost much and that it asks for, the dearest first."""
    game = steps.game
    bodies = (*(p.body for p in game.procedures), *(b.body for c in game.choices for b in c.branches))
    nodes: list[object] = [_own(s) for body in bodies for s in statements_in(body) if s.site == site]
    nodes += [(branch.parameters, tuple(need.condition for need in branch.needs)) for branch in branches]
    found, seen = [_Part(tuple(nodes), "", HUGE)], set[int]()
    for part in found:
        for node in walk(part.nodes):
            if isinstance(node, ir.CallValue) and node.value not in seen and steps.is_open(node):
                seen.add(node.value)
                value = game.values[node.value]
                found.append(_Part((value.cases, value.adjustments), value.name, steps.bound(node)))
    return sorted(found, key=lambda part: -part.bound)


def _own(statement: ir.Statement) -> object:
    """Returns the parts that a statement itself evaluates; of a loop over a loop, both."""
    match statement:
        case ir.Loop(body=body):
            return (statement.source, statement.condition, tuple(s for s in body if isinstance(s, ir.Loop)))
        case ir.When(branches=branches):
            return tuple(condition for condition, _, _ in branches)
        case _:  # no other statement has a body of lines that cost much by themselves
            return statement


# ------------------------------------------------------------------ causes


def _late(steps: StepCosts, branch: ir.Branch) -> str:
    """Returns the remedy for a parameter that goes over a whole board, and is compared with an earlier one only by a need."""
    for place, parameter in enumerate(branch.parameters):
        earlier = {p.variable.id: p.variable.name for p in branch.parameters[:place]}
        size = steps.counts.length(parameter.domain)
        if size < WHOLE or not earlier or read_in(parameter.domain) & earlier.keys():
            continue
        for need in branch.needs:
            read = read_in(need.condition)
            first = next((earlier[id] for id in earlier if id in read), "")
            if first and parameter.variable.id in read and not _is_difference(need.condition):
                return _follows(steps.game, branch, need, parameter.variable.name, size, first)
    return ""


def _is_difference(need: ir.Expr) -> bool:
    """Returns whether a need refuses hardly any candidate."""
    return isinstance(need, ir.Op) and need.name == "!="


def _follows(game: ir.GameRules, branch: ir.Branch, need: ir.Need, name: str, size: int, first: str) -> str:
    """Returns the remedy for a parameter that does not follow from the first, and of the need that compares them."""
    lines = game.sites[need.site].span.text.strip().splitlines() or [""]
    text = " ".join(lines[0].split('"')[0].split())
    _, _, domain = text.partition(f"needs {name} in ")
    then = f"give `{name}` a domain that follows from `{first}`"
    if domain and len(lines) == 1 and isinstance(need.condition, ir.Op) and need.condition.name == "in":
        then = f"write `{name} in {domain}` as the parameter"
    return f"`{branch.name or 'the option'}` tries up to {size} `{name}` for each `{first}` before `{text}`: {then}"


def _pairs(steps: StepCosts, part: _Part) -> str:
    """Returns the remedy for a comprehension over pairs of which the second does not follow from the first."""
    for node in walk(part.nodes):
        names = _squared(steps, node)
        if names:
            first, second = names
            return (
                f"{part.where} goes over pairs of `{first}` and `{second}`: let `{second}` go over what follows from "
                f"`{first}` (such as its neighbours), or count once what does not depend on `{first}`"
            )
    return ""


def _squared(steps: StepCosts, node: object) -> tuple[str, str] | None:
    """Returns the names of two large sources, one inside the other, that do not depend on each other."""
    outer = _sources(node)
    for place, (name, source) in enumerate(outer):
        inner = outer[place + 1 :]
        if place + 1 == len(outer):
            inner = [more for below in _below(node) for more in _sources(below)[:1]]
        for other, second in inner:
            sizes = steps.counts.length(source), steps.counts.length(second)
            if min(sizes) >= WHOLE and sizes[0] * sizes[1] > SMALL and not _depends(second, name, node):
                return name.name, other.name
    return None


def _sources(node: object) -> list[tuple[ir.Variable, ir.Source]]:
    match node:
        case ir.Over(names=names, sources=sources):
            return list(zip(names, sources, strict=True))
        case ir.Loop(variable=variable, source=source):
            return [(variable, source)]
        case _:  # nothing else goes over a source
            return []


def _below(node: object) -> Iterator[object]:
    """Yields the nodes that a loop or a comprehension evaluates for each of its members."""
    match node:
        case ir.Over(value=value, condition=condition, keys=keys):
            yield from walk((value, condition, keys))
        case ir.Loop(condition=condition, body=body, keys=keys):
            yield from walk((condition, keys, body))
        case _:  # nothing else goes over a source
            return


def _ways(steps: StepCosts, part: _Part) -> str:
    """Returns the remedy for a way that is searched for each member of a comprehension, through the same spaces."""
    for name, over, node, _ in _for_each(steps, part):
        if isinstance(over, ir.Over) and isinstance(node, ir.Way | ir.DirectedWay) and node.end is not None:
            if not _depends(node.within, name, over):
                return f"{part.where} searches a way for each `{name.name}`: take the `region` once, and test what is in it"
    return ""


def _anew(steps: StepCosts, part: _Part) -> str:
    """Returns the remedy for a value that is asked for each member of a comprehension, though it does not depend on it."""
    for name, over, node, size in _for_each(steps, part):
        # The rounds of a loop may change the things that a value reads.
        if isinstance(over, ir.Over) and isinstance(node, ir.CallValue) and not _depends(node, name, over):
            if size * steps.bound(node) >= MUCH:
                return (
                    f"{part.where} asks `{steps.game.values[node.value].name}` anew for each `{name.name}`, on which it "
                    f"does not depend: compute it once, outside what goes over `{name.name}`"
                )
    return ""


def _asked(steps: StepCosts, part: _Part) -> str:
    """Returns the remedy for a costly value that is asked for each member, and depends on it."""
    for name, _, node, size in _for_each(steps, part):
        if isinstance(node, ir.CallValue) and size * steps.bound(node) >= MUCH:
            return (
                f"{part.where} asks `{steps.game.values[node.value].name}` for each `{name.name}`: "
                f"test what costs less first, or write a value that tells all `{name.name}` at once"
            )
    return ""


def _for_each(steps: StepCosts, part: _Part) -> Iterator[tuple[ir.Variable, object, object, int]]:
    """Yields the nodes that are evaluated for each of many members: the member's name, what goes over them, the node, and
    their number."""
    for over in walk(part.nodes):
        for name, source in _sources(over):
            size = steps.counts.length(source)
            if size >= WHOLE:
                yield from ((name, over, node, size) for node in _below(over))


def _depends(node: object, name: ir.Variable, over: object) -> bool:
    """Returns whether a node inside a comprehension depends on one of its names, or on another that follows from it."""
    following = {name.id}
    for part in (over, *_below(over)):
        following |= {other.id for other, source in _sources(part) if read_in(source) & following}
    return bool(read_in(node) & following)


CAUSES = (_ways, _pairs, _anew, _asked)
"""The causes in the order in which they are looked for."""
