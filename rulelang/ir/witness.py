"""IR -> IR in which a `Witness` stands before each local that words speak of gets its value.

A local is spoken of by a prompt, by why an option is refused, and by the label of an option in place; and so is what it comes
from. Where nothing is hidden, everybody may know all of them, and nothing changes.

    let due = q.debt                                 Witness(due, of=q.debt), then Bind(due)
    p chooses one of: pay "Pay {due}": …             "Pay {due}" is read by those who could see q.debt back then
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import Spliced, read_in, rewrite, walk


def place_witnesses(game: ir.Game) -> ir.Game:
    """Puts the witnesses into procedures and choices, numbered from 0."""
    if all(seen == "all" for seen in (*(s.visible for s in game.states), *(z.visible for z in game.zones))):
        return game
    return _Placing(game, _of_actions(game), _spoken_of(game)).done()


def _of_actions(game: ir.Game) -> frozenset[int]:
    """Gives the procedures of actions: who chose one knows what for, as the rule that is entered says."""
    return frozenset(
        call.procedure
        for choice in game.choices
        for branch in choice.branches
        for call in branch.body
        if isinstance(call, ir.Call) and ir.BeginBody(branch.rule, call.arguments, site=call.site) in branch.body
    )


def _spoken_of(game: ir.Game) -> frozenset[int]:
    """Gives the locals that words read, and those that their values come from."""
    found: set[int] = set()
    for rule in game.rules:
        found |= {variable.id for variable in rule.around}
    for choice in game.choices:
        found |= read_in(choice.prompt, tuple(need.message for branch in choice.branches for need in branch.needs))
    flows: list[tuple[int, set[int]]] = []
    for node in walk((game.procedures, game.choices)):
        if isinstance(node, ir.Stmt):
            seen = node.condition if isinstance(node, ir.Loop) else None
            flows += [(local, read_in(of, seen)) for local, of in _bound_by(game, node)]
    before = -1
    while before != len(found):
        before = len(found)
        for local, reads in flows:
            found |= reads if local in found else set()
    return frozenset(found)


def _bound_by(game: ir.Game, statement: ir.Stmt) -> Iterator[tuple[int, tuple[ir.Expr, ...]]]:
    """Yields the locals that a statement gives their values, and what these come from."""
    match statement:
        case ir.Bind(variable=variable, value=value, least=least, most=most):
            yield variable.id, tuple(part for part in (value, least, most) if part is not None)
        case ir.Loop(variable=variable, source=source, keys=keys):
            yield variable.id, (ir.Over("first", (variable,), (source,), None, None, keys),)
        case ir.BeginBody(rule=rule, around=around):
            yield from ((v.id, (read,)) for v, read in zip(game.rules[rule].around, around, strict=True))
        case ir.Call(procedure=procedure, arguments=arguments):
            parameters = game.procedures[procedure].parameters
            yield from ((p.id, (argument,)) for p, argument in zip(parameters, arguments, strict=True))


@attrs.define
class _Placing:
    game: ir.Game
    actions: frozenset[int]
    spoken: frozenset[int]
    placed: int = 0

    def done(self) -> ir.Game:
        procedures = rewrite(self.game.procedures, self._change)
        return attrs.evolve(self.game, procedures=procedures, choices=rewrite(self.game.choices, self._change))

    def _change(self, node: Any) -> Any:
        is_binding = isinstance(node, ir.Bind | ir.Loop | ir.Call | ir.BeginBody)
        if not is_binding or getattr(node, "procedure", -1) in self.actions:
            return node
        bound = [(local, of) for local, of in _bound_by(self.game, node) if local in self.spoken]
        if isinstance(node, ir.Loop) and bound and node.condition is not None:
            # Whom a turn comes to hangs on the condition, too.
            seen = self._witness(node.variable.id, (ir.Local(node.variable.id), node.condition), node.site)
            node = attrs.evolve(node, body=(seen, *node.body))
        return Spliced((*(self._witness(local, of, node.site) for local, of in bound), node)) if bound else node

    def _witness(self, local: int, of: tuple[ir.Expr, ...], site: int) -> ir.Witness:
        self.placed += 1
        return ir.Witness(self.placed - 1, local, of, tuple(sorted(read_in(of))), site=site)
