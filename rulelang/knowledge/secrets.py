"""Finds the locals of a game that hold secrets: computed once, from the rules alone.

A local is secret if it depends on something not everyone may see, or if it is an answer or a roll whose only
destination is hidden (`ir.flow`). For a thing, only the way it was pointed out counts: anyone who knows a thing may
read its name, see `knowledge.knowledge`.

    each Player has: ship: Ship? = none, seen by owner
    each p in players secretly chooses p.ship in Ship        # the answer is p's secret even when all have chosen
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import attrs

from rulelang.ir.flow.course import FlowWalk, information_flow
from rulelang.ir.flow.destinations import is_drawn, locals_in
from rulelang.ir.model import (
    Assign,
    BeginBody,
    Bind,
    Branch,
    Call,
    Cell,
    Const,
    Contents,
    Defer,
    GameRules,
    InSlot,
    Local,
    Op,
    Over,
    Pick,
    Roll,
    StateVariable,
    TopOf,
    Variable,
    Witness,
)
from rulelang.ir.picks import pick_kinds
from rulelang.ir.types import Type
from rulelang.ir.walk import walk
from rulelang.ir.witness import POINTED
from rulelang.knowledge.evident import evident_witnesses
from rulelang.knowledge.redaction import kind_of


@attrs.frozen(slots=False)
class Secrets:
    """The secrets of a game."""

    locals: frozenset[int]
    """The ids of the locals that hold a secret."""
    rules: tuple[tuple[bool, ...], ...]
    """By rule: for each parameter, whether it holds a secret."""
    asked: dict[int, frozenset[int]] = attrs.field(eq=False)
    """By state: the parameters (variables' ids) whose answers are secret and written into it unchanged."""
    constants: dict[tuple[int, int], bool] = attrs.field(eq=False)
    """By site and state: whether the line writes only values that are in the rules."""
    picks: dict[int, int] = attrs.field(eq=False)
    """By stream that picks things: their kind."""
    scratch: frozenset[int]
    """The ids of the scratch variables that may hold a secret; no view shows them, so nobody counts as knowing it."""
    game: GameRules = attrs.field(eq=False, repr=False)

    @cached_property
    def course(self) -> FlowWalk:
        """The statements that hidden values flow into."""
        return information_flow(self.game)

    def to_data(self) -> tuple[Any, ...]:
        """Returns all results of the analysis as plain numbers, for `from_data`."""
        asked = {state: tuple(sorted(answers)) for state, answers in self.asked.items()}
        plain = (tuple(sorted(numbers)) for numbers in (self.locals, self.scratch, self.open))
        return (self.rules, asked, self.constants, self.picks, *plain)

    @staticmethod
    def from_data(data: tuple[Any, ...], game: GameRules) -> Secrets:
        """Returns the secrets of a game as `to_data` wrote them."""
        rules, asked, constants, picks, locals, scratch, open = data
        answers = {state: frozenset(found) for state, found in asked.items()}
        secrets = Secrets(frozenset(locals), rules, answers, constants, picks, frozenset(scratch), game)
        secrets.__dict__["open"] = frozenset(open)
        return secrets

    @cached_property
    def open(self) -> frozenset[int]:
        """Parameters whose answers are secret but whose domains are public."""
        secret, found = frozenset[int]().union(*self.asked.values()), set[int]()
        for branch in (branch for choice in self.game.choices for branch in choice.branches):
            parameters = {parameter.variable.id for parameter in branch.parameters}
            offered = (branch.parameters, tuple(need.condition for need in branch.needs))
            if parameters & secret and not self.course.depends(offered, but=parameters):
                found |= parameters & secret
        return frozenset(found)

    @cached_property
    def doubtful(self) -> frozenset[int]:
        """Hidden variables whose writing others may not even notice."""
        return frozenset(self.course.doubtful)

    @cached_property
    def lets(self) -> tuple[Bind, ...]:
        """The `let`s of secret values, except things and values drawn at random."""
        found = (node for node in walk((self.game.procedures, self.game.choices)) if isinstance(node, Bind))
        return tuple(
            node
            for node in found
            if self.course.locals.get(node.variable.id)
            and kind_of(node.variable.type, self.game) is None
            and not is_drawn(self.game, node.value)
        )

    @cached_property
    def witnesses(self) -> dict[int, Witness]:
        """The witnesses of the game's locals, by number."""
        return {node.id: node for node in walk((self.game.procedures, self.game.choices)) if isinstance(node, Witness)}

    @cached_property
    def looked_up(self) -> dict[int, Contents | InSlot | TopOf]:
        """The places in which witnesses find things, by number of the witness; those that name things, or draw, are
        missing."""
        found: dict[int, Contents | InSlot | TopOf] = {}
        for number, witness in self.witnesses.items():
            part = witness.of[0] if witness.of else None
            # A loop binds another thing in each turn, and points at each of them.
            is_turn = isinstance(part, Over) and any(name.id == witness.local for name in part.names)
            lying = next((node for node in walk(part) if isinstance(node, Contents | InSlot | TopOf)), None)
            points = witness.local == POINTED or witness.local in self.things
            if lying is not None and points and not is_turn and not self.draws(part):
                found[number] = lying
        return found

    def draws(self, part: object) -> bool:
        """Returns whether an expression draws at random, a cell's column included."""
        cells = (self.game.data[node.data].columns[node.column] for node in walk(part) if isinstance(node, Cell))
        return any(isinstance(node, Roll | Pick) for node in walk((part, tuple(cells))))

    @cached_property
    def evident(self) -> frozenset[int]:
        """The numbers of the witnesses whose locals everybody may know in every position."""
        return evident_witnesses(self.game, self.witnesses, {*self.locals, *self.things}, self.scratch)

    @cached_property
    def witnessed(self) -> frozenset[int]:
        """The locals that have a witness wherever they are bound."""
        return frozenset(witness.local for witness in self.witnesses.values())

    @cached_property
    def things(self) -> dict[int, Type]:
        """The types of locals that stand for things that move."""
        variables = (node for node in walk(self.game) if isinstance(node, Variable))
        return {v.id: v.type for v in variables if kind_of(v.type, self.game) is not None}

    def parameters(self, branch: Branch) -> tuple[bool, ...]:
        """Returns, for each parameter of a branch, whether only the chooser may know it."""
        return tuple(parameter.variable.id in self.locals for parameter in branch.parameters)


def is_hidden(state: StateVariable) -> bool:
    """Returns whether not everyone may see a variable."""
    return state.visible != "all"


def secrets_of(game: GameRules) -> Secrets:
    """Returns the secrets of a game."""
    course = information_flow(game)
    locals = frozenset(course.secret_locals)
    found = list(walk((game.procedures, game.choices)))
    asked = _asked(game, course, found)
    constants: dict[tuple[int, int], bool] = {}
    for node in found:
        if isinstance(node, Assign):
            key = (node.site, node.place.state)
            plain = node.operator == "=" and all(isinstance(n, (Const, Op)) for n in walk(node.value))
            constants[key] = constants.get(key, True) and plain
    rules = _by_rule(game, locals, found)
    scratch = frozenset(state for state, label in course.scratch.items() if label)
    secrets = Secrets(locals, rules, asked, constants, pick_kinds(game, movable=False), scratch, game)
    secrets.__dict__["course"] = course
    return secrets


def _asked(game: GameRules, course: FlowWalk, statements: list[object]) -> dict[int, frozenset[int]]:
    """Returns, by hidden variable, the answers written into it unchanged and nowhere else, through any depth of verbs."""
    parameters = {p.variable.id for choice in game.choices for branch in choice.branches for p in branch.parameters}
    handed: dict[int, set[int]] = {}
    changed = True
    while changed:
        changed = False
        for node in statements:
            if isinstance(node, (Call, Defer)):
                for variable, argument in zip(game.procedures[node.procedure].parameters, node.arguments, strict=False):
                    if isinstance(argument, Local):
                        whole = handed.setdefault(variable.id, {variable.id})
                        more = handed.get(argument.id, {argument.id})
                        changed |= not more <= whole
                        whole |= more
    found: dict[int, frozenset[int]] = {}
    for node in statements:
        if isinstance(node, Assign) and is_hidden(game.states[node.place.state]) and isinstance(node.value, Local):
            origins = handed.get(node.value.id, {node.value.id}) & parameters
            origins = {origin for origin in origins if course.destinations.of(origin)}
            found[node.place.state] = found.get(node.place.state, frozenset()) | origins
    return {state: origins for state, origins in found.items() if origins}


def _by_rule(game: GameRules, secret: frozenset[int], statements: list[object]) -> tuple[tuple[bool, ...], ...]:
    flags = [[parameter.id in secret for parameter in rule.parameters] for rule in game.rules]
    for procedure in game.procedures:
        if procedure.rule is not None:
            for i, variable in enumerate(procedure.parameters[: len(flags[procedure.rule])]):
                flags[procedure.rule][i] |= variable.id in secret
    for node in statements:
        if isinstance(node, BeginBody):
            for i, argument in enumerate(node.arguments[: len(flags[node.rule])]):
                flags[node.rule][i] |= bool(secret & locals_in(argument))
    return tuple(tuple(row) for row in flags)
