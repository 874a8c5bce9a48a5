"""The questions that rules ask of a set -> additive weights of its members, if there are any.

    needs sum(c.n for c in s) == 15      # of each member: its n; of a set: their sum
    needs all(c.n > 2 for c in s)        # of each member: whether it is above 2; of a set: whether all are
    needs p.hand[s] == ...               # depends on the set as a whole: not additive

The rules cannot distinguish sets of equal weight, so those can be counted together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal, TypeAlias, assert_never

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir import model as ir
from rulelang.ir.types import NONE
from rulelang.ir.walk import parts_of, read_in
from rulelang.machines.evaluate import Locals, sequence
from rulelang.machines.walk import Evaluation

Join: TypeAlias = Literal["+", "|", "&", "min", "max"]
Weight: TypeAlias = tuple[int, ...]
"""The weight of a member or a set: one number for each question."""

MOST_QUESTIONS = 64
MOST_NAMES = 256
"""The most combinations of values of an outer comprehension's names."""

_JOINS: dict[ir.Comprehension, Join] = {
    "sum": "+",
    "count": "+",
    "any": "|",
    "all": "&",
    "set": "|",
    "min": "min",
    "max": "max",
}
"""The operation that combines a comprehension's results for two disjoint sets into that for their union."""


@attrs.frozen
class _Question:
    """An expression in which some locals stand for the set, and the way its values combine."""

    expr: ir.Expr
    locals: Locals
    names: frozenset[int]
    join: Join


class Unweighable(Exception):
    """A question depends on the set as a whole."""


class Weights:
    """The questions that some expressions ask of the set that a local stands for. Raises Unweighable."""

    def __init__(self, parts: list[object], name: int, locals: Locals, look: Evaluation) -> None:
        self._look = look
        self._questions: list[_Question] = []
        for part in parts:
            self._collect(part, frozenset({name}), locals)

    def of(self, mask: int) -> Weight:
        """Returns the weight of a set. Raises Unweighable if evaluating it fails."""
        look = self._look
        try:
            return tuple(look.value(q.expr, {**q.locals, **dict.fromkeys(q.names, mask)}) for q in self._questions)
        except (RuntimeRules, KeyError):
            raise Unweighable from None

    def joined(self, one: Weight, other: Weight) -> Weight:
        """Returns the weight of the union of two disjoint sets."""
        return tuple(_joined(q.join, a, b) for q, a, b in zip(self._questions, one, other, strict=True))

    # -------------------------------------------------------------- collecting the questions

    def _collect(self, part: object, names: frozenset[int], locals: Locals) -> None:
        if not names & read_in(part):
            return
        match part:
            case ir.Local():
                raise Unweighable
            case ir.Op(name="size", arguments=(of,)) if _is_spread(of, names):
                self._ask(part, names, locals, "+")
            case ir.Op(name="==" | "!=", arguments=(of, ir.Const(value=0))) if _is_spread(of, names):
                self._ask(ir.Op("!=", (of, ir.Const(0))), names, locals, "|")
            case ir.Op(name="in", arguments=(one, of)) if _is_spread(of, names) and not names & read_in(one):
                self._ask(part, names, locals, "|")
            case ir.Over():
                self._over(part, names, locals)
            case ir.CallValue():
                self._call(part, names, locals)
            case ir.Foreseen() | ir.Cell():
                raise Unweighable
            case _:  # any other part is searched for questions
                for inner in parts_of(part):
                    self._collect(inner, names, locals)

    def _ask(self, expr: ir.Expr, names: frozenset[int], locals: Locals, join: Join) -> None:
        question = _Question(expr, locals, names, join)
        if question not in self._questions:
            self._questions.append(question)
        if len(self._questions) > MOST_QUESTIONS:
            raise Unweighable

    def _over(self, over: ir.Over, names: frozenset[int], locals: Locals) -> None:
        through = [source for source in over.sources if names & read_in(source)]
        inside = (over.value, over.condition, tuple(key.value for key in over.keys))
        if not through:
            # Each combination of values of its names asks its own questions.
            for own in self._values(over, locals):
                self._collect(inside, names, own)
            return
        (source, *more) = through
        spread = source.pile is None and source.mask is not None and _is_spread(source.mask, names)
        if more or not spread or over.what not in _JOINS or names & read_in(inside):
            raise Unweighable
        self._ask(over, names, locals, _JOINS[over.what])

    def _values(self, over: ir.Over, locals: Locals) -> Iterator[Locals]:
        found = list(islice(self._combined(over, locals, 0), MOST_NAMES + 1))
        if len(found) > MOST_NAMES:
            raise Unweighable
        yield from found

    def _combined(self, over: ir.Over, locals: Locals, at: int) -> Iterator[Locals]:
        if at == len(over.names):
            yield locals
            return
        try:
            among = sequence(over.sources[at], self._look, dict(locals))
        except (RuntimeRules, KeyError):
            raise Unweighable from None
        for value in among:
            yield from self._combined(over, {**locals, over.names[at].id: value}, at + 1)

    def _call(self, call: ir.CallValue, names: frozenset[int], locals: Locals) -> None:
        value = self._look.game.values[call.value]
        if value.deep is not None:
            raise Unweighable
        own, theirs = {}, set()
        for variable, argument in zip(value.parameters, call.arguments, strict=True):
            if isinstance(argument, ir.Local) and argument.id in names:
                theirs.add(variable.id)
                continue
            self._collect(argument, names, locals)
            if names & read_in(argument):
                continue  # Its value depends on the set and stays unbound: a question that reads it is Unweighable.
            try:
                own[variable.id] = self._look.value(argument, dict(locals))
            except (RuntimeRules, KeyError):
                raise Unweighable from None
        if theirs:
            inside = [(case.condition, case.value) for case in value.cases]
            inside += [(a.condition, a.amount) for a in value.adjustments]
            self._collect(tuple(inside), frozenset(theirs), own)


def _is_spread(expr: ir.Expr, names: frozenset[int]) -> bool:
    """Returns whether an expression is the set itself, its intersection with another, or its complement in another."""
    match expr:
        case ir.Local(id=id):
            return id in names
        case ir.Op(name="inter" | "minus", arguments=(one, other)):
            return _is_spread(one, names) and not names & read_in(other)
        case _:  # any other expression may depend on the set as a whole
            return False


def _joined(join: Join, one: int, other: int) -> int:
    match join:
        case "+":
            return one + other
        case "|":
            return one | other
        case "&":
            return one & other
        case "min":
            return min(one, other) if NONE not in (one, other) else max(one, other)
        case "max":
            return max(one, other)
        case _:
            assert_never(join)
