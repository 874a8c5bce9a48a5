"""What becomes of an answer or a throw: if all that it is for is to be written where not everybody sees it, it is a secret itself.

p.secret = roll(d6)                    nobody sees the throw but who sees p.secret
p chooses p.bid in 0..5                nor the answer but who sees p.bid, and whoever gave it
let n = roll(d6) … p.gold += n         what everybody sees in the end, they see as it falls
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.secret import LARGEST, NOTHING, Label, Secret
from rulelang.ir.walk import is_larger, rewrite, statements_in, walk


@attrs.define
class Destinations:
    """Where the values of locals go: by local the hidden variables, and the locals that go anywhere else as well."""

    hidden: dict[int, Label] = attrs.field(factory=dict)
    open: set[int] = attrs.field(factory=set)

    def of(self, local: int) -> Label:
        """Returns the hidden variables that a local is written into; none where it also goes where all see it."""
        return NOTHING if local in self.open else self.hidden.get(local, NOTHING)


def destinations_of(game: ir.GameRules) -> Destinations:
    """Returns where the values of all locals of a game go, through other locals and verbs."""
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
        case ir.Together(source=source, condition=condition):
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
    """Returns the ids of the locals that are read in a node."""
    return {n.id for n in walk(node) if isinstance(n, ir.Local)}


def in_terms_of(secret: Secret, given: Mapping[int, ir.Expr]) -> Secret:
    """Returns a secret in terms of the arguments for the parameters that it names."""
    if not given or secret.index is None:
        return secret
    index = rewrite(secret.index, lambda n: given.get(n.id, n) if isinstance(n, ir.Local) else n)
    return attrs.evolve(secret, index=None if is_larger(index, LARGEST) else index)


def is_drawn(game: ir.GameRules, nodes: Iterable[object] | object) -> bool:
    """Tells whether chance is asked in working out some expressions."""
    for node in walk(nodes):
        if isinstance(node, ir.Roll | ir.Pick):
            return True
        if isinstance(node, ir.Cell) and is_drawn(game, game.data[node.data].columns[node.column].cells):
            return True
    return False
