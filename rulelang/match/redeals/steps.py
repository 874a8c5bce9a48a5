"""A game -> the lines of its rules that could tell a seat something of what it does not see.

    needs not any(d.suit == led for d in p.hand)     told to the others once p has answered
    for c in p.hand if c.colour == k: c.told = k     told to p, who sees the marks

Found once, from the rules alone. All that is not proven to read nothing hidden counts as telling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import attrs

from rulelang.ir.model import (
    Assign,
    Bind,
    Branch,
    Call,
    CallValue,
    Cell,
    Choice,
    Contents,
    Defer,
    Expr,
    InSlot,
    Local,
    Loop,
    Move,
    Op,
    Order,
    OwnerOf,
    Pick,
    PlaceOf,
    Read,
    Source,
    Statement,
    TopOf,
    When,
)
from rulelang.ir.model.traits import Effect, traits
from rulelang.ir.walk import called_values, walk
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility


@attrs.frozen
class ToldByChoice:
    """The parts of one choice that could tell something."""

    at_all: bool
    """Whether that it is asked could tell something."""
    own: bool
    """Whether its options could tell the chooser something."""
    needs: tuple[bool, ...]
    """By branch: whether an answer could tell the others something."""


@attrs.frozen(slots=False, eq=False)
class TellingLines:
    """The lines of a game that could tell something."""

    visibility: Visibility
    secrets: Secrets
    _told: dict[int, tuple[object, bool]] = attrs.field(factory=dict)
    """By the id of a part of the rules, which is kept alive here: whether it could tell something."""
    _choices: dict[int, ToldByChoice] = attrs.field(factory=dict)

    @classmethod
    def of(cls, visibility: Visibility, secrets: Secrets) -> TellingLines:
        """Returns the telling lines of a game, found once."""
        kept = visibility.told_by_steps
        if "steps" not in kept:
            kept["steps"] = cls(visibility, secrets)
        found = kept["steps"]
        assert isinstance(found, TellingLines)
        return found

    @cached_property
    def is_silent(self) -> bool:
        """Whether no thing ever lies hidden."""
        return all(zone.visible == "all" for zone in self.visibility.game.zones)

    def is_told(self, part: object) -> bool:
        """Returns whether a part of the rules reads something hidden, besides pointing at things where they lie."""
        if id(part) not in self._told:
            counts = isinstance(part, Local) and part.id not in self.secrets.things
            plain = isinstance(part, Source | Expr) and not counts and is_plain(part)
            self._told[id(part)] = part, not plain and self.secrets.course.depends(part)
        return self._told[id(part)][1]

    # -------------------------------------------------------------- choices

    def of_choice(self, choice: Choice) -> ToldByChoice:
        """Returns the parts of a choice that could tell something."""
        if choice.id not in self._choices:
            needs = tuple(bool(self._told_in(branch)) for branch in choice.branches)
            asking = any(
                self.is_told(part) for part in (choice.who, choice.source, choice.condition) if part is not None
            )
            own = frozenset(name.id for name in (choice.actor, choice.variable) if name is not None)
            foreign = any(self._is_foreign(part, own) for branch in choice.branches for part in self._told_in(branch))
            skipped = choice.empty == "none" and any(needs)
            self._choices[choice.id] = ToldByChoice(asking or skipped, foreign, needs)
        return self._choices[choice.id]

    def _told_in(self, branch: Branch) -> list[object]:
        """Returns the domains and needs of a branch that could tell something."""
        parts = (*(p.domain for p in branch.parameters), *(need.condition for need in branch.needs))
        return [part for part in parts if self.is_told(part)]

    def _is_foreign(self, part: object, own: frozenset[int]) -> bool:
        """Returns whether a part of a choice reads hidden things that are not the chooser's own."""
        game = self.visibility.game
        for node in walk(part):
            match node:
                case Read(state=state) if game.states[state].visible != "all":
                    hidden, index = game.states[state].visible, node.index
                case Contents(zone=zone) | InSlot(zone=zone) | TopOf(zone=zone) if game.zones[zone].visible != "all":
                    hidden, index = game.zones[zone].visible, node.index
                case CallValue(value=value, arguments=arguments):
                    called = game.values[value]
                    handed = zip(called.parameters, arguments, strict=True)
                    theirs = frozenset(p.id for p, a in handed if isinstance(a, Local) and a.id in own)
                    if (value, theirs) not in self._foreign:
                        self._foreign[value, theirs] = False  # While it is looked at: it may call itself.
                        self._foreign[value, theirs] = self._is_foreign((called.cases, called.adjustments), theirs)
                    if self._foreign[value, theirs]:
                        return True
                    continue
                case Cell() | PlaceOf() | OwnerOf():
                    if self.is_told(node):
                        return True
                    continue
                case _:  # any other node reads through these
                    continue
            first = index[0] if index else None
            if hidden != "owner" or not isinstance(first, Local) or first.id not in own:
                return True
        return False

    @cached_property
    def _foreign(self) -> dict[tuple[int, frozenset[int]], bool]:
        return {}

    def unsure(self, locals: Mapping[int, int], seat: int) -> frozenset[int]:
        """Returns the locals whose values a seat was not told: sealed answers of others, and draws from hidden things."""
        theirs = (
            parameter
            for choice in self._sealed
            if choice.actor is None or locals.get(choice.actor.id) != seat
            for branch in choice.branches
            for parameter in branch.parameters
        )
        return self._drawn | frozenset(parameter.variable.id for parameter in theirs)

    @cached_property
    def _sealed(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.visibility.game.choices if choice.sealed)

    @cached_property
    def _drawn(self) -> frozenset[int]:
        binds = (node for node in self._nodes if isinstance(node, Bind) and self.secrets.draws(node.value))
        return frozenset(node.variable.id for node in binds if node.variable.id in self.secrets.things)

    # -------------------------------------------------------------- lines

    @cached_property
    def _nodes(self) -> tuple[object, ...]:
        game = self.visibility.game
        bodies = tuple((branch.body for branch in choice.branches) for choice in game.choices)
        others = tuple(choice.when_none for choice in game.choices)
        return tuple(walk((game.procedures, tuple(body for some in bodies for body in some), others)))

    @cached_property
    def ways(self) -> dict[int, tuple[tuple[Statement, ...], tuple[tuple[Statement, ...], ...]]]:
        """The statements that a condition lets run and those that run otherwise, by the condition's id."""
        found: dict[int, tuple[tuple[Statement, ...], tuple[tuple[Statement, ...], ...]]] = {}
        for node in self._nodes:
            if isinstance(node, When):
                bodies = [*(body for _, body, _ in node.branches), node.otherwise]
                for at, (condition, body, _) in enumerate(node.branches):
                    found[id(condition)] = body, tuple(bodies[at + 1 :])
            elif isinstance(node, Loop) and node.condition is not None:
                found[id(node.condition)] = node.body, ((),)
        return found

    @cached_property
    def narrow(self) -> bool:
        """Whether any telling line reads a hidden place, so that it could identify a thing there."""
        branches = [branch for choice in self.visibility.game.choices for branch in choice.branches]
        parts = [part for branch in branches for part in self._told_in(branch)]
        for node in self._nodes:
            if isinstance(node, When | Assign | Move):
                parts += [part for part in parts_of(node) if self.is_told(part)]
            elif isinstance(node, Loop) and node.condition is not None and self.is_told(node.condition):
                parts += [node.source, node.condition]
        return any(map(self._looks, parts))

    def _looks(self, part: object) -> bool:
        """Returns whether a part of the rules reads what lies in a hidden place."""
        game = self.visibility.game
        called = (value for id in called_values(game, part) for value in (game.values[id].cases,))
        hidden = {zone.id for zone in game.zones if zone.visible != "all"}
        nodes = walk((part, tuple(called)))
        return any(isinstance(node, Contents | InSlot | TopOf) and node.zone in hidden for node in nodes)

    @cached_property
    def tell(self) -> bool:
        """Whether any line besides the needs and domains of choices could tell something."""
        return bool(self._procedures or self._bodies)

    @cached_property
    def _procedures(self) -> frozenset[int]:
        """The procedures with a telling line, and those that run one in a procedure without a rule of its own."""
        procedures = self.visibility.game.procedures
        found = frozenset(procedure.id for procedure in procedures if self._has_telling(procedure.body))
        while (more := found | {p.id for p in procedures if self._runs_on(p.body, found)}) != found:
            found = more
        return found

    @cached_property
    def _rules(self) -> frozenset[int]:
        """The rules of those procedures."""
        rules = (self.visibility.game.procedures[id].rule for id in self._procedures)
        return frozenset(rule for rule in rules if rule is not None)

    @cached_property
    def _bodies(self) -> frozenset[int]:
        """The choices whose answers run a telling line at once."""
        found = set()
        for choice in self.visibility.game.choices:
            for body in (choice.when_none, *(branch.body for branch in choice.branches)):
                if self._has_telling(body) or self._runs_on(body, self._procedures):
                    found.add(choice.id)
        return frozenset(found)

    def _runs_on(self, body: tuple[Statement, ...], telling: frozenset[int]) -> bool:
        """Returns whether a body calls one of some procedures that has no rule of its own."""
        game = self.visibility.game
        called = (node.procedure for node in walk(body) if isinstance(node, Call | Defer))
        return any(game.procedures[id].rule is None and id in telling for id in called)

    def _has_telling(self, body: tuple[Statement, ...]) -> bool:
        nodes = (node for node in walk(body) if not isinstance(node, Bind | Call | Defer))
        return any(self.is_told(part) for node in nodes for part in parts_of(node))

    def may_run(self, choice: Choice | None, rules: Iterable[int]) -> bool:
        """Returns whether a step could run a telling line, by the choice that it answers and the rules that ran in it."""
        is_body = choice is not None and (choice.id in self._bodies or (choice.sealed and bool(self._bodies)))
        return is_body or not self._rules.isdisjoint(rules)


UNREAD: frozenset[Effect] = frozenset(("shuffles", "ends", "tells"))
"""The effects of statements whose parts tell nothing: nobody thinks on after the end."""


def parts_of(node: object) -> Iterable[object]:
    """Returns the parts of a statement that it reads itself."""
    if not isinstance(node, Statement):
        return ()
    of = traits(node)
    parts = (part.value if isinstance(part, Order) else part for part in (*of.evaluates, *of.each_round))
    return (part for part in parts if part is not None and of.effect not in UNREAD)


def is_plain(part: Expr | Source | None) -> bool:
    """Returns whether an expression names things by the place where they lie, which tells nothing of them."""
    if isinstance(part, Source):
        return is_plain(part.mask) and (part.pile is None or not part.mask)
    if isinstance(part, Op) and part.name == "single":
        return is_plain(part.arguments[0])
    if isinstance(part, Pick):
        return is_plain(part.of)
    return part is None or isinstance(part, Contents | InSlot | TopOf | Local)
