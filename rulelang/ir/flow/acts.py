"""Statements that everybody sees to be carried out, because they certainly change something that all see.

gold += 1                    an act
lives -= 1, at least 0       an act where `lives > 0` is known
k = 0                        an act where `k != 0` is known
move 1 of deck to p.hand     an act where `deck != {}` is known: all see how many cards lie where
shuffle(deck)                none: where a secret decides whether it happens, others are not told of it
if strong(q): …              none by itself
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts, declared_type, mirrored
from rulelang.ir.flow.secret import next_to
from rulelang.ir.flow.writes import Writes, writes_of
from rulelang.ir.model.traits import MOVED, bodies, is_act
from rulelang.ir.types import LARGEST, NONE, IntType, Type
from rulelang.ir.walk import rewrite, walk

Facts = tuple[ir.Expr, ...]

DEEPEST = 6
"""The depth of nested calls up to which the bodies of verbs are searched for acts."""


@attrs.frozen(slots=False)
class Acts:
    """Tells the acts among a game's statements."""

    game: ir.GameRules
    written: Writes

    @cached_property
    def types(self) -> dict[int, Type]:
        """The types of all locals."""
        return {v.id: v.type for v in walk((self.game.procedures, self.game.choices)) if isinstance(v, ir.Variable)}

    @cached_property
    def replaced(self) -> frozenset[int]:
        """The procedures that a hook may run something instead of."""
        return frozenset(hook.of for hook in self.game.hooks if hook.when == "instead")

    # -------------------------------------------------------------- statements

    def is_one(self, statement: ir.Statement, facts: Facts, depth: int = 0) -> bool:
        """Returns whether a statement is an act where some conditions hold."""
        match statement:
            case ir.Ask(choice=id) if (choice := self.game.choices[id]).private:
                return all(self.are_in(branch.body, (), depth) for branch in choice.branches)
            case ir.Ask() | ir.Finish():
                return True
            case ir.Assign() if is_act(self.game, statement):
                return self._changes(statement, facts)
            case ir.Move():
                return self._moves(statement, facts)
            case ir.Reveal(things=ir.Op(name="single", arguments=(thing,))):
                return any(_lies_face_down(fact, thing) for fact in _parts(facts))
            case ir.Eliminate(who=who):
                playing = ir.Op("in", (who, ir.Read(self.game.players_left, ())))
                return next_to(who, self.game) is not None or playing in _parts(facts)
            case ir.Call(procedure=procedure, arguments=arguments) if (
                depth < DEEPEST and procedure not in self.replaced
            ):
                called = self.game.procedures[procedure]
                given = {p.id: argument for p, argument in zip(called.parameters, arguments, strict=False)}
                body = rewrite(called.body, lambda n: given.get(n.id, n) if isinstance(n, ir.Local) else n)
                return self.are_in(body, facts, depth + 1)
            case ir.When():
                inside = bodies(self.game, statement)
                known = along(statement, facts)
                return all(self.are_in(body, known[i], depth) for i, body in enumerate(inside))
            case _:  # everyone may miss any other statement
                return False

    def are_in(self, body: Iterable[ir.Statement], facts: Facts, depth: int = 0) -> bool:
        """Returns whether there is an act on every path through a body."""
        for statement in body:
            if self.is_one(statement, facts, depth):
                return True
            if isinstance(statement, ir.Return | ir.Stop) or any(
                isinstance(n, ir.Return | ir.Stop) for n in walk(bodies(self.game, statement))
            ):
                return False
            facts = still(facts, writes_of((statement,), self.game, self.written))
        return False

    def silent(self, statement: ir.When, known: tuple[Facts, ...]) -> frozenset[int]:
        """Returns, by `id`, the statements that do not reveal which branch was taken, because what is seen of another
        branch may begin with the same; `known` holds the conditions at the beginning of each branch.
        """
        shown = [
            list(self._shown(body, facts)) for body, facts in zip(bodies(self.game, statement), known, strict=True)
        ]
        found: set[int] = set()
        for i, some in enumerate(shown):
            others = shown[:i] + shown[i + 1 :]
            before: list[ir.Statement] = []
            for one, is_certain in some:
                like = attrs.evolve(one, site=0)
                if any(_may_begin_with([*before, like], other) for other in others):
                    found.add(id(one))
                before += [like] if is_certain else []
        return frozenset(found)

    def _shown(self, body: Iterable[ir.Statement], facts: Facts) -> Iterator[tuple[ir.Statement, bool]]:
        """Yields the statements of a body that all may see, and whether each is certain to be seen."""
        for statement in body:
            inside = bodies(self.game, statement)
            if inside and (not isinstance(statement, ir.Ask) or self.game.choices[statement.choice].private):
                yield from ((one, False) for inner in inside for one, _ in self._shown(inner, ()))
            elif isinstance(statement, ir.Call) or is_act(self.game, statement):
                yield statement, self.is_one(statement, facts)
            facts = still(facts, writes_of((statement,), self.game, self.written))

    # -------------------------------------------------------------- changes

    def _changes(self, statement: ir.Assign, facts: Facts) -> bool:
        """Returns whether an assignment certainly leaves another value."""
        before, value, known = ir.Read(statement.place.state, statement.place.index), statement.value, _parts(facts)
        if statement.operator == "+":
            # A number that is not at the limit either goes its way or is brought to it.
            low, high = self._bounds(value)
            return (low > 0 and _differ(before, statement.most, known)) or (
                high < 0 and _differ(before, statement.least, known)
            )
        return statement.least is None and statement.most is None and _differ(before, value, known)

    def _bounds(self, value: ir.Expr) -> tuple[int, int]:
        """Returns bounds of a number, from its type and from dice; those of all numbers if there are none."""
        match value:
            case ir.Const(value=number):
                return number, number
            case ir.Roll(die=ir.Const(value=die), times=None):
                faces = self.game.dice[die].faces
                return min(faces), max(faces)
            case ir.Op(name="neg", arguments=(inner,)):
                low, high = self._bounds(inner)
                return -high, -low
            case _:  # any other value has the bounds of its type
                pass
        type = declared_type(value, self.game, self.types)
        return (type.low, type.high) if isinstance(type, IntType) and not type.optional else (-LARGEST, LARGEST)

    def _moves(self, statement: ir.Move, facts: Facts) -> bool:
        """Returns whether a move certainly takes something from another place."""
        if statement.count is not None and self._bounds(statement.count)[0] < 1:
            return False
        known = _parts(facts)
        match statement.what:
            case ir.Source(mask=None, pile=ir.Contents() as lying) | ir.Source(mask=ir.Contents() as lying, pile=None):
                return lying.zone != statement.to.zone and any(_is_inhabited(fact, lying) for fact in known)
            case ir.Source(mask=ir.Local() | ir.Op(name="single", arguments=(ir.Local(),)) as mask):
                thing = mask if isinstance(mask, ir.Local) else mask.arguments[0]
                return any(_lies_elsewhere(fact, thing, statement.to.zone) for fact in known)
            case _:  # any other things may lie where they go
                return False


# ------------------------------------------------------------------ facts


def along(statement: ir.When, facts: Facts) -> tuple[Facts, ...]:
    """Returns the conditions that hold at the beginning of each branch, the last one being `otherwise`."""
    found: list[Facts] = []
    passed = facts
    for condition, _, _ in statement.branches:
        found.append((*passed, *conjuncts(condition)))
        passed = (*passed, *conjuncts(ir.Op("not", (condition,))))
    return (*found, passed)


def still(facts: Facts, written: frozenset[int]) -> Facts:
    """Returns the conditions that still hold after writes to some variables."""
    return tuple(f for f in facts if not reads_any(f, written)) if written else facts


def reads_any(fact: ir.Expr, written: frozenset[int]) -> bool:
    return any(
        (isinstance(n, ir.Read) and n.state in written)
        or (MOVED in written and isinstance(n, ir.Lying))
        or isinstance(n, ir.CallValue | ir.Cell)
        for n in walk(fact)
    )


def _parts(facts: Facts) -> frozenset[ir.Expr]:
    return frozenset(part for fact in facts for part in conjuncts(fact))


def _may_begin_with(acts: list[ir.Statement], other: list[tuple[ir.Statement, bool]]) -> bool:
    """Returns whether what is seen of a body may begin with some acts."""
    waiting = acts[::-1]
    for one, is_certain in other:
        if attrs.evolve(one, site=0) == waiting[-1]:
            waiting.pop()
            if not waiting:
                return True
        elif is_certain:
            return False
    return False


def _differ(expr: ir.Expr, other: ir.Expr | None, known: frozenset[ir.Expr]) -> bool:
    """Returns whether two values certainly differ; nothing is at no limit."""
    match other:
        case None:
            return True
        case ir.Const(value=value):
            return any(_excludes(fact, expr, value) for fact in known)
        case _:  # of values that are not in the rules, only a fact says so
            return any(_compared(fact, expr) in {("!=", other), ("<", other), (">", other)} for fact in known)


def _compared(fact: ir.Expr, expr: ir.Expr) -> tuple[str, ir.Expr] | None:
    """Returns the comparison of an expression in a fact, and its other side."""
    for one in (fact, mirrored(fact)):
        match one:
            case ir.Op(name=name, arguments=(left, right)) if left == expr:
                return name, right
            case _:  # any other fact compares something else
                pass
    return None


def _excludes(fact: ir.Expr, expr: ir.Expr, value: int) -> bool:
    """Returns whether an expression certainly has another value where a fact holds."""
    if expr in (fact, *_denied_by(fact)):
        return value == (0 if fact == expr else 1)
    match _compared(fact, expr):
        case "!=", ir.Const(value=other):
            return value == other
        case "==", ir.Const(value=other):
            return value != other
        case "<", ir.Const(value=other):
            return value >= other
        case "<=", ir.Const(value=other):
            return value > other
        case ">", ir.Const(value=other):
            return value <= other
        case ">=", ir.Const(value=other):
            return value < other
        case _:  # any other fact allows the value
            return False


def _denied_by(fact: ir.Expr) -> tuple[ir.Expr, ...]:
    return fact.arguments if isinstance(fact, ir.Op) and fact.name == "not" else ()


def _is_inhabited(fact: ir.Expr, lying: ir.Contents) -> bool:
    """Returns whether a fact says that something lies in a zone."""
    top = ir.TopOf(lying.zone, lying.index)
    return (
        (isinstance(fact, ir.Op) and fact.name == "in" and fact.arguments[1] == lying)
        or _excludes(fact, ir.Op("size", (lying,)), 0)
        or _compared(fact, lying) == ("!=", ir.Const(0))
        or _compared(fact, top) == ("!=", ir.Const(NONE))
    )


def _lies_elsewhere(fact: ir.Expr, thing: ir.Expr, zone: int) -> bool:
    """Returns whether a fact says that a thing lies in another zone."""
    match fact:
        case ir.Op(name="in", arguments=(one, ir.Contents(zone=lying))):
            return one == thing and lying != zone
        case _:  # any other fact leaves the place open
            return False


def _lies_face_down(fact: ir.Expr, thing: ir.Expr) -> bool:
    return any(isinstance(one, ir.FaceUp) and one.thing == thing for one in _denied_by(fact))
