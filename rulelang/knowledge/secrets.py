"""The locals of a game that hold secrets: found once, from the rules alone (`knowledge.analysis`), and kept.

A local is secret if it depends on something not everyone may see, or if it is an answer or a roll whose only
destination is hidden (`ir.flow`). For a thing, only the way it was pointed out counts: anyone who knows a thing may
read its name, see `knowledge.knowledge`.

    each Player has: ship: Ship? = none, seen by owner
    each p in players secretly chooses p.ship in Ship        # the answer is p's secret even when all have chosen
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import (
    POINTED,
    Bind,
    Branch,
    Cell,
    Choice,
    Contents,
    Expr,
    GameRules,
    InSlot,
    Kind,
    Over,
    Pick,
    Roll,
    StateVariable,
    TopOf,
    Variable,
    Witness,
)
from rulelang.ir.types import SetType, Type
from rulelang.ir.walk import walk

if TYPE_CHECKING:
    from rulelang.ir.flow.course import FlowWalk


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
    covert: frozenset[tuple[int, int]]
    """The options, by choice and number, of which the chooser alone may know which of a choice's it took."""
    scratch: frozenset[int]
    """The ids of the scratch variables that may hold a secret; no view shows them, so nobody counts as knowing it."""
    game: GameRules = attrs.field(eq=False, repr=False)

    @cached_property
    def course(self) -> FlowWalk:
        """The statements that hidden values flow into."""
        from rulelang.ir.flow.course import information_flow

        return information_flow(self.game)

    def to_data(self) -> tuple[Any, ...]:
        """Returns all results of the analysis as plain numbers, for `from_data`."""
        asked = {state: tuple(sorted(answers)) for state, answers in self.asked.items()}
        sets: tuple[frozenset[Any], ...] = (self.locals, self.covert, self.scratch, self.open)
        plain = (tuple(sorted(numbers)) for numbers in sets)
        return (self.rules, asked, self.constants, self.picks, *plain)

    @staticmethod
    def from_data(data: tuple[Any, ...], game: GameRules) -> Secrets:
        """Returns the secrets of a game as `to_data` wrote them."""
        rules, asked, constants, picks, locals, covert, scratch, open = data
        answers = {state: frozenset(found) for state, found in asked.items()}
        secrets = Secrets(
            frozenset(locals), rules, answers, constants, picks, frozenset(covert), frozenset(scratch), game
        )
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
        from rulelang.ir.flow.destinations import is_drawn

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
    def without_chance(self) -> dict[int, tuple[Expr, ...]]:
        """A cache of what witnesses depend on without chance, by number; see `knowledge.witnesses`."""
        return {}

    @cached_property
    def evident(self) -> frozenset[int]:
        """The numbers of the witnesses whose locals everybody may know in every position."""
        from rulelang.knowledge.common_knowledge import evident_witnesses

        return evident_witnesses(self.game, self.witnesses, {*self.locals, *self.things}, self.scratch)

    @cached_property
    def witnessed(self) -> frozenset[int]:
        """The locals that have a witness wherever they are bound."""
        return frozenset(witness.local for witness in self.witnesses.values())

    @cached_property
    def unwitnessed(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The positions and ids of the parameters that hold a secret and have no witness, by rule."""
        doubtful = self.locals - self.witnessed
        return tuple(
            tuple((at, variable.id) for at, variable in enumerate(rule.parameters) if variable.id in doubtful)
            for rule in self.game.rules
        )

    @cached_property
    def things(self) -> dict[int, Type]:
        """The types of locals that stand for things that move."""
        variables = (node for node in walk(self.game) if isinstance(node, Variable))
        return {v.id: v.type for v in variables if kind_of(v.type, self.game) is not None}

    @cached_property
    def asking(self) -> frozenset[int]:
        """The choices that ask for something that others may not know."""
        return frozenset(
            choice.id
            for choice in self.game.choices
            if any(parameter.variable.id in self.open for branch in choice.branches for parameter in branch.parameters)
        )

    def parameters(self, branch: Branch) -> tuple[bool, ...]:
        """Returns, for each parameter of a branch, whether only the chooser may know it."""
        return tuple(parameter.variable.id in self.locals for parameter in branch.parameters)

    def things_among(self, choice: Choice, number: int) -> tuple[tuple[int, Kind, bool, bool], ...]:
        """Returns the parameters of a branch that are things or sets of things: the position of each in an answer, its
        kind, whether it is a set, and whether only the chooser may know it."""
        found = self._things_among.get((choice.id, number))
        if found is None:
            branch = choice.branches[number]
            kinds = [kind_of(parameter.variable.type, self.game) for parameter in branch.parameters]
            found = self._things_among[choice.id, number] = tuple(
                (at, kind, isinstance(parameter.variable.type, SetType), parameter.variable.id in self.locals)
                for at, (parameter, kind) in enumerate(zip(branch.parameters, kinds, strict=True), start=1)
                if kind is not None
            )
        return found

    @cached_property
    def _things_among(self) -> dict[tuple[int, int], tuple[tuple[int, Kind, bool, bool], ...]]:
        """A cache: the parameters that are things, by choice and number of the branch."""
        return {}


def hides_anything(game: GameRules) -> bool:
    """Returns whether there is anything in a game that not everyone may see."""
    states = any(is_hidden(state) and not state.scratch for state in game.states)
    return states or any(zone.visible != "all" for zone in game.zones)


def is_hidden(state: StateVariable) -> bool:
    """Returns whether not everyone may see a variable."""
    return state.visible != "all"
