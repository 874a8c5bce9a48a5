"""A game -> what hangs on what not everybody may see: expressions, and variables that are written only if it is so.

    if c.n > 5: p.strong = yes        # who does not see the card cannot say what `p.strong` is, written or not

What cannot be shown to be public is taken for private.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulelang.ir.model import (
    Ask,
    Assign,
    Bind,
    Branch,
    Call,
    CallValue,
    Cell,
    Const,
    Contents,
    Defer,
    FaceUp,
    Game,
    InSlot,
    Local,
    Loop,
    Op,
    Over,
    OwnerOf,
    Pick,
    PlaceOf,
    Read,
    Repeat,
    Return,
    Roll,
    Stmt,
    Stop,
    Together,
    TopOf,
    Variable,
    When,
)
from rulelang.ir.types import KindType, SetType
from rulelang.ir.walk import rewrite, walk
from rulelang.knowledge.visibility import counted


@attrs.frozen
class Private:
    """What is private in a game, by id."""

    states: frozenset[int]
    zones: frozenset[int]
    kinds: frozenset[int]
    """Those of which things may lie where not everybody sees them."""
    locals: frozenset[int]
    values: frozenset[int]
    """Values and, as -1 - id, data."""

    def reads(self, *parts: object, but: Iterable[int] = ()) -> bool:
        """Says whether some expressions look at anything private, `but` for some locals. How many lie in a zone is public."""
        own = frozenset(but)
        if not any(self._tells(node, own) for node in walk(parts)):
            return False
        return any(self._tells(node, own) for node in walk(rewrite(parts, _without_counts)))

    def _tells(self, node: object, own: frozenset[int]) -> bool:
        match node:
            case Local():
                return node.id in self.locals - own
            case Read():
                return node.state in self.states
            case Contents() | InSlot() | TopOf():
                return node.zone in self.zones
            case PlaceOf() | OwnerOf() | FaceUp():
                return node.kind in self.kinds
            case CallValue():
                return node.value in self.values
            case Cell():
                return -1 - node.data in self.values
            case _:
                return False

    def is_open(self, branch: Branch) -> bool:
        """Says whether everybody can tell what a branch offers."""
        own = [parameter.variable.id for parameter in branch.parameters]
        needs = tuple(need.condition for need in branch.needs)
        return not self.reads(branch.parameters, needs, but=own)


def private_of(game: Game, secret: Iterable[int]) -> Private:
    """Gives what is private in a game in which these locals are secrets."""
    kinds = {zone.kind for zone in game.zones if zone.visible != "all"}
    names = {game.kinds[kind].name for kind in kinds}
    zones = {zone.id for zone in game.zones if zone.visible != "all" or (zone.name == "box" and zone.kind in kinds)}
    things = {
        node.id for node in walk((game.procedures, game.choices)) if isinstance(node, Variable) and _is(node, names)
    }
    hidden = frozenset(state.id for state in game.states if state.visible != "all")
    found = Private(hidden, frozenset(zones), frozenset(kinds), frozenset(things) | frozenset(secret), frozenset())
    while True:
        values = {value.id for value in game.values if found.reads(value.cases, value.adjustments)}
        values |= {-1 - data.id for data in game.data if found.reads(data.columns)}
        more = attrs.evolve(found, values=frozenset(values), locals=found.locals | _told(game, found))
        if more == found:
            return found
        found = more


def _is(variable: Variable, names: set[str]) -> bool:
    type = variable.type.element if isinstance(variable.type, SetType) else variable.type
    return isinstance(type, KindType) and type.name in names


def _told(game: Game, private: Private) -> set[int]:
    """Gives the locals that get a private value."""
    told: set[int] = set()
    for node in walk((game.procedures, game.choices)):
        match node:
            case Bind(variable=variable):
                told |= {variable.id} if private.reads(node.value, node.least, node.most) else set()
            case Loop(variable=variable) | Together(variable=variable):
                told |= {variable.id} if private.reads(node.source) else set()
            case Call(procedure=procedure) | Defer(procedure=procedure):
                arguments = zip(game.procedures[procedure].parameters, node.arguments, strict=False)
                told |= {variable.id for variable, argument in arguments if private.reads(argument)}
            case _:
                pass
    return told


def _without_counts(node: object) -> object:
    """Leaves of what is only counted, or compared with nothing, the place alone."""
    match node:
        case Op(name="size", arguments=(Contents(index=index),)):
            return Op("size", index)
        case Op(name="==" | "!=", arguments=(Contents(index=index), Const(value=0))):
            return Op("size", index)
        case Over(what="count", condition=None, names=(_,), value=None) if (zone := counted(node)) is not None:
            return Op("size", zone.index)
        case _:
            return node


def lets(game: Game, private: Private) -> tuple[Bind, ...]:
    """Gives the `let`s of something private, in source order: but for those of things, and what is drawn."""
    found = (node for node in walk((game.procedures, game.choices)) if isinstance(node, Bind))
    movable = {kind.name for kind in game.kinds if kind.movable}
    return tuple(
        node
        for node in found
        if private.reads(node.value, node.least, node.most)
        and not _is(node.variable, movable)
        and not any(isinstance(part, (Roll, Pick)) for part in walk(node.value))
    )


# ------------------------------------------------------------------ what is written, or not


def doubtful(game: Game, private: Private) -> frozenset[int]:
    """Gives the private variables that are written where only some can tell whether they are."""
    return _Writes(game, private).doubtful()


@attrs.define
class _Writes:
    game: Game
    private: Private
    states: set[int] = attrs.field(factory=set)
    dark: set[int] = attrs.field(factory=set)
    """Procedures that are called where only some can tell whether they are."""

    def doubtful(self) -> frozenset[int]:
        before = -1
        while before != len(self.dark):
            before = len(self.dark)
            for procedure in self.game.procedures:
                self._body(procedure.body, procedure.id in self.dark)
        return frozenset(self.states & self.private.states)

    def _body(self, body: tuple[Stmt, ...], dark: bool) -> None:
        for statement in body:
            self._statement(statement, dark)
            # Who cannot tell whether a loop or verb was left there cannot tell whether what follows is done.
            dark = dark or self._may_leave(statement)

    def _statement(self, statement: Stmt, dark: bool) -> None:
        reads = self.private.reads
        match statement:
            case Assign(place=place):
                self.states |= {place.state} if dark else set()
            case Call(procedure=procedure) | Defer(procedure=procedure):
                self.dark |= {procedure} if dark else set()
            case When(branches=branches, otherwise=otherwise):
                dark = dark or reads(tuple(condition for condition, _, _ in branches))
                for part in (*(body for _, body, _ in branches), otherwise):
                    self._body(part, dark)
            case Loop() | Together():
                self._body(statement.body, dark or reads(statement.source, statement.condition))
            case Repeat():
                self._body(statement.body, dark or reads(statement.condition, statement.times))
            case Ask(choice=id):
                choice = self.game.choices[id]
                dark = dark or reads(choice.who, choice.source, choice.condition)
                for branch in choice.branches:
                    self._body(branch.body, dark)
                self._body(choice.when_none, True)
            case _:
                pass

    def _may_leave(self, statement: Stmt) -> bool:
        if not isinstance(statement, (When, Loop, Repeat)):
            return False
        leaves = any(isinstance(node, (Stop, Return)) for node in walk(statement))
        return leaves and any(self.private.reads(condition) for condition in _conditions(statement))


def _conditions(statement: Stmt) -> Iterable[object]:
    for node in walk(statement):
        if isinstance(node, When):
            yield from (condition for condition, _, _ in node.branches)
        elif isinstance(node, (Loop, Together)):
            yield from (node.source, node.condition)
        elif isinstance(node, Repeat):
            yield from (node.condition, node.times)
