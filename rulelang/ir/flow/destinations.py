"""Tracks the destinations of answers and rolls: one that is only written to hidden variables is itself secret.

p.secret = roll(d6)                    only those who see p.secret see the roll
p chooses p.bid in 0..5                only those who see p.bid, and p, see the answer
let n = roll(d6) … p.gold += n         everyone sees the result, so everyone sees the roll
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.secret import LARGEST, NOTHING, FlowLabel, Secret
from rulelang.ir.walk import is_larger, rewrite, statements_in, walk


@attrs.define
class Destinations:
    """The destinations of each local's value: `hidden` variables, and whether it is also used in the `open`."""

    hidden: dict[int, FlowLabel] = attrs.field(factory=dict)
    open: set[int] = attrs.field(factory=set)

    def of(self, local: int) -> FlowLabel:
        """Returns the hidden variables that a local is written to; none if it is also used where everyone sees it."""
        return NOTHING if local in self.open else self.hidden.get(local, NOTHING)


def destinations_of(game: ir.GameRules) -> Destinations:
    """Returns the destinations of all locals, directly or through other locals and verbs."""
    found = Destinations()
    statements = list(statements_in((game.procedures, game.choices)))
    flows: dict[int, list[tuple[int, Mapping[int, ir.Expr]]]] = {}
    for statement in statements:
        _note(game, statement, found, flows)
    changed = True
    while changed:
        changed = False
        for local, targets in flows.items():
            for target, given in targets:
                if target in found.open and local not in found.open:
                    found.open.add(local)
                    changed = True
                more = frozenset(in_terms_of(s, given) for s in found.hidden.get(target, NOTHING))
                before = found.hidden.get(local, NOTHING)
                if not more <= before:
                    found.hidden[local] = before | more
                    changed = True
    return found


def _note(
    game: ir.GameRules,
    statement: ir.Statement,
    found: Destinations,
    flows: dict[int, list[tuple[int, Mapping[int, ir.Expr]]]],
) -> None:
    match statement:
        case ir.Assign(place=place):
            state = game.states[place.state]
            read = locals_in((statement.value, statement.least, statement.most))
            if state.visible == "all":
                found.open |= read
            else:
                secret = Secret(state.id, None, place.index, site=statement.site)
                for local in read:
                    found.hidden[local] = found.hidden.get(local, NOTHING) | {secret}
        case ir.Bind(variable=variable):
            for local in locals_in((statement.value, statement.least, statement.most)):
                flows.setdefault(local, []).append((variable.id, {}))
        case ir.Call(procedure=procedure, arguments=arguments) | ir.Defer(procedure=procedure, arguments=arguments):
            parameters = game.procedures[procedure].parameters
            given = {p.id: argument for p, argument in zip(parameters, arguments, strict=False)}
            for parameter, argument in zip(parameters, arguments, strict=False):
                for local in locals_in(argument):
                    flows.setdefault(local, []).append((parameter.id, given))
        case ir.Loop(source=source, keys=keys, condition=condition):
            found.open |= locals_in((source, keys, condition))
        case ir.Simultaneous(source=source, condition=condition):
            found.open |= locals_in((source, condition))
        case ir.Repeat(condition=condition, times=times):
            found.open |= locals_in((condition, times))
        case ir.When() | ir.Ask() | ir.BeginBody() | ir.EndBody() | ir.Witness():
            pass
        case (
            ir.Move()
            | ir.Shuffle()
            | ir.Reveal()
            | ir.Show()
            | ir.Eliminate()
            | ir.Finish()
            | ir.Stop()
            | ir.Return()
            | ir.Settle()
            | ir.Proceed()
            | ir.Fail()
            | ir.Stand()
        ):
            found.open |= locals_in(statement)
        case _:
            assert_never(statement)


def locals_in(node: object) -> set[int]:
    """Returns the ids of the locals that a node reads."""
    return {n.id for n in walk(node) if isinstance(n, ir.Local)}


def in_terms_of(secret: Secret, given: Mapping[int, ir.Expr]) -> Secret:
    """Returns a secret with parameters replaced by the arguments of a call."""
    if not given or secret.index is None:
        return secret
    index = rewrite(secret.index, lambda n: given.get(n.id, n) if isinstance(n, ir.Local) else n)
    return attrs.evolve(secret, index=None if is_larger(index, LARGEST) else index)


def is_drawn(game: ir.GameRules, nodes: Iterable[object] | object) -> bool:
    """Returns whether evaluating these expressions draws on chance."""
    for node in walk(nodes):
        if isinstance(node, ir.Roll | ir.Pick):
            return True
        if isinstance(node, ir.Cell) and is_drawn(game, game.data[node.data].columns[node.column].cells):
            return True
    return False
