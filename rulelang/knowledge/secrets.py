"""A game -> which of its locals hold what not everybody may know: worked out once, from the rules alone.

A local is secret when its value comes straight from a hidden variable, or when it is asked for only to be written into
one. Things are not counted here: whoever knows a thing may read its name, see `runtime.knowledge`.

    each Player has: ship: Ship? = none, seen by owner
    each p in players secretly chooses p.ship in Ship        # the answer is p's secret even when all have chosen
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import attrs

from rulelang.ir.model import (
    Assign,
    BeginBody,
    Bind,
    Branch,
    Call,
    CallValue,
    Cell,
    Const,
    Defer,
    Game,
    Local,
    Loop,
    Op,
    Read,
    StateVariable,
    Stmt,
    Variable,
    Witness,
)
from rulelang.ir.picks import pick_kinds
from rulelang.ir.types import Type
from rulelang.ir.walk import walk
from rulelang.knowledge.private import Private, doubtful, lets, private_of
from rulelang.knowledge.redaction import kind_of


@attrs.frozen(slots=False)
class Secrets:
    """The secrets of a game."""

    locals: frozenset[int]
    """Ids of the variables that hold one."""
    rules: tuple[tuple[bool, ...], ...]
    """By rule: which of its parameters hold one."""
    asked: dict[int, int] = attrs.field(eq=False)
    """By state: the parameter (a variable's id) whose answers are written into it, where there is one."""
    constants: dict[tuple[int, int], bool] = attrs.field(eq=False)
    """By site and state: whether all that the line writes there is in the rules."""
    picks: dict[int, int] = attrs.field(eq=False)
    """By stream: the kind of things that it picks, where it picks things."""
    game: Game = attrs.field(eq=False, repr=False)

    @cached_property
    def private(self) -> Private:
        """What hangs on what not everybody may see."""
        return private_of(self.game, self.locals)

    @cached_property
    def open(self) -> frozenset[int]:
        """Parameters whose answers are secret, but not what there is to choose from."""
        secret, found = set(self.asked.values()), set[int]()
        for branch in (branch for choice in self.game.choices for branch in choice.branches):
            own = {parameter.variable.id for parameter in branch.parameters} & secret
            found |= own if own and self.private.is_open(branch) else set()
        return frozenset(found)

    @cached_property
    def doubtful(self) -> frozenset[int]:
        """Hidden variables of which others cannot even tell when they are written."""
        return doubtful(self.game, self.private)

    @cached_property
    def lets(self) -> tuple[Bind, ...]:
        """The `let`s of something else than things, of which not everybody can tell the value."""
        return lets(self.game, self.private)

    @cached_property
    def witnesses(self) -> dict[int, Witness]:
        """The witnesses of its locals, by their numbers."""
        return {node.id: node for node in walk((self.game.procedures, self.game.choices)) if isinstance(node, Witness)}

    @cached_property
    def witnessed(self) -> frozenset[int]:
        """The locals that have a witness wherever they get their values."""
        return frozenset(witness.local for witness in self.witnesses.values())

    @cached_property
    def things(self) -> dict[int, Type]:
        """By local that stands for things that move: its type."""
        variables = (node for node in walk(self.game) if isinstance(node, Variable))
        return {v.id: v.type for v in variables if kind_of(v.type, self.game) is not None}

    def parameters(self, branch: Branch) -> tuple[bool, ...]:
        """Says of each parameter of a branch whether it is a secret of who chose it."""
        return tuple(parameter.variable.id in self.locals for parameter in branch.parameters)


def is_hidden(state: StateVariable) -> bool:
    """Says whether a variable is not for everybody."""
    return state.visible != "all"


def secrets_of(game: Game) -> Secrets:
    """Gives the secrets of a game."""
    hidden = {state.id for state in game.states if is_hidden(state)}
    found = list(walk((game.procedures, game.choices)))
    asked, constants = _written(game, hidden, found)
    locals = _tainted(game, hidden, found, set(asked.values())) if hidden else set[int]()
    rules, picks = _by_rule(game, locals, found), pick_kinds(game, movable=False)
    return Secrets(frozenset(locals), rules, asked, constants, picks, game)


def _written(
    game: Game, hidden: set[int], statements: list[object]
) -> tuple[dict[int, int], dict[tuple[int, int], bool]]:
    """Gives what is written into hidden variables: which parameter's answers, and where only what the rules say."""
    from_where = _flows(game, statements)
    asked: dict[int, int] = {}
    constants: dict[tuple[int, int], bool] = {}
    public: set[int] = set()
    parameters = {p.variable.id for choice in game.choices for branch in choice.branches for p in branch.parameters}
    for node in statements:
        if isinstance(node, Assign):
            read = set(_locals_in(node.value))
            key = (node.site, node.place.state)
            plain = node.operator == "=" and all(isinstance(n, (Const, Op)) for n in walk(node.value))
            constants[key] = constants.get(key, True) and plain
            if node.place.state in hidden and isinstance(node.value, Local):
                for origin in from_where.get(node.value.id, {node.value.id}) & parameters:
                    asked[node.place.state] = origin
            else:
                public |= read
    for node in statements:
        if isinstance(node, Stmt) and not isinstance(node, (Assign, Call, Defer, BeginBody, Witness)):
            public |= {n.id for n in _own_expressions(node)}
    spilt = {origin for local in public for origin in from_where.get(local, {local})}
    return {state: origin for state, origin in asked.items() if origin not in spilt}, constants


def _flows(game: Game, statements: list[object]) -> dict[int, set[int]]:
    """Gives, for each parameter of a procedure, the locals that callers hand to it as they are, through any depth."""
    flows: dict[int, set[int]] = {}
    changed = True
    while changed:
        changed = False
        for node in statements:
            if isinstance(node, (Call, Defer)):
                for variable, argument in zip(game.procedures[node.procedure].parameters, node.arguments, strict=False):
                    if isinstance(argument, Local):
                        found = flows.setdefault(variable.id, {variable.id})
                        more = flows.get(argument.id, {argument.id})
                        changed |= not more <= found
                        found |= more
    return flows


def _tainted(game: Game, hidden: set[int], statements: list[object], secret: set[int]) -> set[int]:
    """Gives the locals that come from hidden variables or from other secrets, through binds and calls."""
    telling = _telling_values(game, hidden)

    def tells(node: object) -> bool:
        return any(n.id in secret if isinstance(n, Local) else _tells(n, hidden, telling) for n in walk(node))

    before = -1
    while before != len(secret):
        before = len(secret)
        for node in statements:
            if isinstance(node, (Bind, Loop)) and tells(node.value if isinstance(node, Bind) else node.source):
                secret.add(node.variable.id)
            elif isinstance(node, (Call, Defer)):
                parameters = game.procedures[node.procedure].parameters
                secret |= {v.id for v, a in zip(parameters, node.arguments, strict=False) if tells(a)}
            elif isinstance(node, BeginBody):
                secret |= {v.id for v, a in zip(game.rules[node.rule].around, node.around, strict=False) if tells(a)}
    return secret


def _telling_values(game: Game, hidden: set[int]) -> set[int]:
    """Gives the values (and, as -1 - id, the data) that read hidden variables, themselves or through others."""
    telling: set[int] = set()
    before = -1
    while before != len(telling):
        before = len(telling)
        for number, node in [(v.id, v) for v in game.values] + [(-1 - d.id, d) for d in game.data]:
            if any(_tells(n, hidden, telling) for n in walk(node)):
                telling.add(number)
    return telling


def _tells(node: object, hidden: set[int], telling: set[int]) -> bool:
    """Says whether an expression by itself reads a hidden variable, or a value or data that does."""
    match node:
        case Read():
            return node.state in hidden
        case CallValue():
            return node.value in telling
        case Cell():
            return -1 - node.data in telling
        case _:
            return False


def _by_rule(game: Game, secret: set[int], statements: list[object]) -> tuple[tuple[bool, ...], ...]:
    flags = [[parameter.id in secret for parameter in rule.parameters] for rule in game.rules]
    for procedure in game.procedures:
        if procedure.rule is not None:
            for i, variable in enumerate(procedure.parameters[: len(flags[procedure.rule])]):
                flags[procedure.rule][i] |= variable.id in secret
    for node in statements:
        if isinstance(node, BeginBody):
            for i, argument in enumerate(node.arguments[: len(flags[node.rule])]):
                flags[node.rule][i] |= bool(secret & set(_locals_in(argument)))
    return tuple(tuple(row) for row in flags)


def _locals_in(node: object) -> Iterator[int]:
    return (n.id for n in walk(node) if isinstance(n, Local))


def _own_expressions(node: Stmt) -> Iterator[Local]:
    """Yields the locals that a statement reads itself, not those that statements inside of it read."""
    for field in attrs.fields(type(node)):
        if field.name not in ("body", "branches", "otherwise", "span"):
            yield from (n for n in walk(getattr(node, field.name)) if isinstance(n, Local))
