"""An expression of the rules, read by a seat that does not know all things -> a formula on the names of those.

    not any(d.suit == led for d in p.hand)     all of: each thing in p's hand is one of the names of another suit

What the seat may see has its value; a hidden thing stands for all names that it could have. What an expression makes of
several hidden things at once is a formula where it is a condition, a set or a count; anything else is unsaid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Literal, TypeAlias

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.facts import kind_of
from rulelang.ir.model import (
    And,
    CallValue,
    Column,
    Const,
    Contents,
    Either,
    Expr,
    FaceUp,
    GameRules,
    InSlot,
    Kind,
    Local,
    Op,
    Or,
    Over,
    OwnerOf,
    PlaceOf,
    Read,
    Source,
    TopOf,
    Value,
)
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.types import NONE, SetType, Type
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.evaluate import contents
from rulelang.machines.walk import Evaluation
from rulelang.match.redeals.formulas import UNSAID, Formula, IsOneOf, Unsaid, all_of, any_of, negated
from rulelang.program.layout import Layout, flat
from rulelang.program.operators import operate
from rulelang.program.packing import mask_of, members

Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]

FLIPPED: dict[Comparison, Comparison] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparison with its sides exchanged."""
DEPTH, MOST = 12, 2000
"""The most values that call each other, and the most combinations that a comprehension goes over."""


@attrs.frozen
class UnknownThing:
    """A thing whose place the seat sees, but not its name."""

    kind: int
    thing: int


@attrs.frozen
class NumberByName:
    """A number that depends on the name of one hidden thing."""

    kind: int
    thing: int
    by_name: tuple[tuple[int, int], ...]
    """Each name that the thing could have, and the number."""


@attrs.frozen
class ThingSet:
    """A set of things: each with the formula under which it is a member."""

    kind: int
    parts: tuple[tuple[int, Formula], ...]


@attrs.frozen
class FormulaCount:
    """The number of formulas that hold."""

    parts: tuple[Formula, ...]


@attrs.frozen
class NumberCases:
    """One of several numbers, each under a formula; no two of these hold together."""

    parts: tuple[tuple[Formula, int], ...]


Term: TypeAlias = int | UnknownThing | NumberByName | ThingSet | FormulaCount | NumberCases | Formula
"""The value of an expression as a seat may work it out; True and False are conditions."""

Passing: TypeAlias = tuple[tuple[Term, ...], Formula, dict[int, Term]]
"""What a comprehension goes over: the values of its names, the formula under which they pass, and all locals."""


@attrs.define
class SeatReading:
    """Reads expressions in one row with the eyes of one seat."""

    visibility: Visibility
    secrets: Secrets
    row: Row
    bit: int
    could: Callable[[int, int], int]
    """By kind and thing: the mask of the names that it could have; 0 if nobody can follow it."""
    unsure: frozenset[int] = frozenset()
    """The locals that the seat was not told."""
    depth: int = 0

    @property
    def game(self) -> GameRules:
        """The rules."""
        return self.visibility.game

    @property
    def layout(self) -> Layout:
        """The layout of the row."""
        return self.visibility.layout

    def locals(self, values: Mapping[int, int]) -> dict[int, Term]:
        """Returns the values of locals as the seat may know them."""
        return {id: self._local(id, value) for id, value in values.items()}

    def _local(self, id: int, value: int) -> Term:
        if id in self.unsure:
            return UNSAID
        type = self.secrets.things.get(id)
        if type is not None:
            return self._typed(type, value)
        return UNSAID if id in self.secrets.locals else value

    def _typed(self, type: Type, value: int) -> Term:
        """Returns the value of a variable or local that the seat sees: of a thing, it sees which one is meant."""
        kind = kind_of(type, self.game)
        if kind is None or value == NONE:
            return value
        if isinstance(type, SetType):
            return ThingSet(kind.id, tuple((thing, True) for thing in members(value)))
        return self.thing(kind.id, value)

    def thing(self, kind: int, thing: int) -> Term:
        """Returns a thing that is pointed at: itself if the seat knows it."""
        names = self.could(kind, thing)
        if not names:
            return UNSAID
        classes = self.game.kinds[kind].classes
        return thing if len({classes[name] for name in members(names)}) == 1 else UnknownThing(kind, thing)

    # -------------------------------------------------------------- conditions

    def formula(self, expr: Expr | None, locals: dict[int, Term]) -> Formula:
        """Returns the formula for a condition to hold; none always does."""
        return True if expr is None else self.as_formula(self.term(expr, locals))

    def as_formula(self, term: Term) -> Formula:
        """Returns the formula for a term to hold: to be greater than 0."""
        match term:
            case bool() | IsOneOf() | Unsaid():
                return term
            case int():
                return term > 0
            case NumberByName(kind=kind, thing=thing, by_name=by_name):
                return self._one_of(kind, thing, (name for name, value in by_name if value > 0))
            case NumberCases(parts=parts):
                return any_of(formula for formula, value in parts if value > 0)
            case UnknownThing() | ThingSet() | FormulaCount():
                return UNSAID
            case _:  # all other formulas
                return term

    def _one_of(self, kind: int, thing: int, names: Iterable[int]) -> Formula:
        mask, all, about = mask_of(names), self.could(kind, thing), self.game.kinds[kind]
        if about.has_copies and _classes(about, all & mask) & _classes(about, all & ~mask):
            return UNSAID  # Nobody can tell which of several copies it is.
        return True if not all & ~mask else IsOneOf(kind, thing, mask) if all & mask else False

    # -------------------------------------------------------------- terms

    def term(self, expr: Expr, locals: dict[int, Term]) -> Term:
        """Returns the value of an expression as the seat may work it out."""
        match expr:
            case Const(value=value):
                return value
            case Local(id=id):
                return locals.get(id, UNSAID)
            case And(arguments=parts):
                return all_of(self._until(parts, locals, False))
            case Or(arguments=parts):
                return any_of(self._until(parts, locals, True))
            case Op():
                return self._operation(expr, [self.term(part, locals) for part in expr.arguments])
            case Column():
                return self._column(expr, [self.term(part, locals) for part in expr.of])
            case Read():
                return self._read(expr, [self.term(part, locals) for part in expr.index])
            case Contents() | InSlot() | TopOf():
                return self._lying(expr, [self.term(part, locals) for part in expr.index])
            case PlaceOf() | OwnerOf() | FaceUp():
                return self._whereabouts(expr, self.term(expr.thing, locals))
            case Either():
                condition = self.formula(expr.condition, locals)
                ways = (expr.then, True), (expr.otherwise, False)
                return self._either(
                    condition, *(self.term(way, locals) if condition is not (not taken) else 0 for way, taken in ways)
                )
            case Over():
                return self._over(expr, locals)
            case CallValue():
                return self._call(self.game.values[expr.value], [self.term(part, locals) for part in expr.arguments])
            case _:  # what is drawn, and what is seldom said of hidden things
                return self._plain(expr, locals)

    def _until(self, parts: tuple[Expr, ...], locals: dict[int, Term], end: bool) -> Iterator[Formula]:
        for part in parts:
            formula = self.formula(part, locals)
            yield formula
            if formula is end:
                return

    def _plain(self, expr: Expr, locals: dict[int, Term]) -> Term:
        """Returns the value of an expression that reads nothing hidden."""
        known = {id: int(value) for id, value in locals.items() if isinstance(value, int)}
        if self.secrets.draws(expr) or self.secrets.course.depends(expr, but=known):
            return UNSAID
        try:
            return Evaluation(self.row, self.game, self.layout).value(expr, known)
        except (RuntimeRules, KeyError):
            return UNSAID

    def _column(self, expr: Column, of: list[Term]) -> Term:
        table = self.game.tables[expr.table]

        def printed(index: tuple[int, ...]) -> int:
            at = flat(table.dimensions, index)
            return table.values[at] if at >= 0 else NONE

        return self._by_name(of, printed)

    def _by_name(self, parts: list[Term], value: Callable[[tuple[int, ...]], int]) -> Term:
        """Returns the result of a function of terms, by the name of the only hidden thing among them."""
        things = {(part.kind, part.thing) for part in parts if isinstance(part, UnknownThing | NumberByName)}
        if any(not isinstance(part, int | UnknownThing | NumberByName) for part in parts) or len(things) > 1:
            return UNSAID
        try:
            if not things:
                return value(tuple(int(part) for part in parts if isinstance(part, int)))
            ((kind, thing),) = things
            found = []
            for name in members(self.could(kind, thing)):
                found.append((name, value(tuple(_when_called(part, name) for part in parts))))
        except RuntimeRules:
            return UNSAID
        numbers = {number for _, number in found}
        return numbers.pop() if len(numbers) == 1 else NumberByName(kind, thing, tuple(found))

    def _read(self, expr: Read, index: list[Term]) -> Term:
        state = self.game.states[expr.state]
        own = [self._pointed(part, type) for part, type in zip(index, state.dimensions, strict=True)]
        if None in own:
            return UNSAID
        at = flat(state.dimensions, tuple(part for part in own if part is not None))
        if at < 0:
            return NONE
        if not self.visibility.who_knows(state, at, self.row, None) & self.bit:
            return UNSAID
        return self._typed(state.type, self.row[self.layout.states[state.id] + at])

    def _pointed(self, part: Term, type: Type) -> int | None:
        """Returns the number of a thing or member whose own variable or zone is meant; None if that is not known."""
        kind = kind_of(type, self.game)
        if isinstance(part, UnknownThing):
            return part.thing
        if not isinstance(part, int):
            return None
        return (
            int(part) if kind is None or part < 0 or not isinstance(self.thing(kind.id, part), UnknownThing) else None
        )

    def _lying(self, expr: Contents | InSlot | TopOf, index: list[Term]) -> Term:
        zone = self.game.zones[expr.zone]
        own = [self._pointed(part, type) for part, type in zip(index, zone.dimensions, strict=True)]
        if None in own:
            return UNSAID
        at = flat(zone.dimensions, tuple(part for part in own if part is not None))
        things = contents(self.row, self.layout, zone, at) if at >= 0 else list[Thing]()
        if isinstance(expr, Contents):
            if not all(self.could(zone.kind, thing) for thing in things):
                return UNSAID
            return ThingSet(zone.kind, tuple((thing, True) for thing in things))
        return self.thing(zone.kind, things[0]) if things else NONE

    def _whereabouts(self, expr: PlaceOf | OwnerOf | FaceUp, thing: Term) -> Term:
        if isinstance(thing, int) and thing >= 0 and isinstance(self.thing(expr.kind, thing), UnknownThing | Unsaid):
            return UNSAID  # It is a name, and nobody knows where the thing lies that has it.
        if not isinstance(thing, UnknownThing | int):
            return UNSAID
        number = thing.thing if isinstance(thing, UnknownThing) else int(thing)
        return Evaluation(self.row, self.game, self.layout).value(attrs.evolve(expr, thing=Const(number)), {})

    def _either(self, condition: Formula, then: Term, otherwise: Term) -> Term:
        if isinstance(condition, bool):
            return then if condition else otherwise
        if isinstance(then, ThingSet) or isinstance(otherwise, ThingSet):
            return self._merged(condition, then, otherwise)
        if _is_condition(then) and _is_condition(otherwise):
            one, other = self.as_formula(then), self.as_formula(otherwise)
            return any_of([all_of([condition, one]), all_of([negated(condition), other])])
        found: list[tuple[Formula, int]] = []
        for when, term in ((condition, then), (negated(condition), otherwise)):
            cases = term.parts if isinstance(term, NumberCases) else self._cases(term)
            if cases is None:
                return UNSAID
            found += [(all_of([when, formula]), value) for formula, value in cases]
        return NumberCases(tuple((formula, value) for formula, value in found if formula is not False))

    def _cases(self, term: Term) -> tuple[tuple[Formula, int], ...] | None:
        if isinstance(term, NumberByName):
            values = sorted({value for _, value in term.by_name})
            names = {value: [name for name, number in term.by_name if number == value] for value in values}
            return tuple((self._one_of(term.kind, term.thing, names[value]), value) for value in values)
        return ((True, int(term)),) if isinstance(term, int) else None

    def _merged(self, condition: Formula, then: Term, otherwise: Term) -> Term:
        """Returns the set that is one of two."""
        one, other = self._members(then, otherwise), self._members(otherwise, then)
        if one is None or other is None:
            return UNSAID
        two, nots = dict(other.parts), negated(condition)
        parts = {thing: all_of([condition, formula]) for thing, formula in one.parts}
        for thing, formula in two.items():
            parts[thing] = any_of([parts.get(thing, False), all_of([nots, formula])])
        for thing, formula in one.parts:
            if formula is True and two.get(thing) is True:
                parts[thing] = True
        return ThingSet(one.kind, tuple(parts.items()))

    def _members(self, term: Term, like: Term) -> ThingSet | None:
        """Returns a set of things; the names of a set of known ones are those things."""
        if isinstance(term, ThingSet):
            return term
        if not isinstance(term, int) or not isinstance(like, ThingSet):
            return None
        names = members(int(term)) if term > 0 else []
        known = all(isinstance(self.thing(like.kind, name), int) for name in names)
        return ThingSet(like.kind, tuple((name, True) for name in names)) if known else None

    # -------------------------------------------------------------- operators

    def _operation(self, expr: Op, parts: list[Term]) -> Term:
        match expr.name, parts:
            case "not", [part]:
                return negated(self.as_formula(part))
            case "single", [UnknownThing(kind=kind, thing=thing)]:
                return ThingSet(kind, ((thing, True),))
            case "size", [ThingSet(parts=of)]:
                return FormulaCount(tuple(formula for _, formula in of))
            case "in", [x, ThingSet() as among]:
                return self._is_in(x, among)
            case (("union" | "minus" | "inter"), [one, other]) if isinstance(one, ThingSet) or isinstance(
                other, ThingSet
            ):
                return self._combined(expr.name, one, other)
            case (("==" | "!=" | "<" | "<=" | ">" | ">="), [one, other]):
                return self._compared(expr.name, one, other)
            case _:  # all other operators work on numbers alone
                return self._by_name(parts, lambda values: operate(expr.name, values))

    def same(self, term: Term, value: int) -> Formula:
        """Returns the formula for a term to have a value."""
        return self.as_formula(self._compared("==", term, value))

    def _compared(self, name: Comparison, one: Term, other: Term) -> Formula:
        if not isinstance(other, int) and isinstance(one, int):
            return self._compared(FLIPPED[name], other, one)
        if isinstance(one, ThingSet) and other == 0 and name in ("==", "!="):
            any = any_of(formula for _, formula in one.parts)
            return any if name == "!=" else negated(any)
        if isinstance(one, FormulaCount) and isinstance(other, int):
            return _counted(name, one.parts, int(other))
        if isinstance(one, NumberCases) and isinstance(other, int):
            return any_of(formula for formula, value in one.parts if operate(name, (value, int(other))))
        if _is_formula(one) and isinstance(other, int) and name in ("==", "!="):
            same = self.as_formula(one) if other == 1 else negated(self.as_formula(one)) if other == 0 else False
            return same if name == "==" else negated(same)
        compared = self._by_name([one, other], lambda values: operate(name, values))
        return self.as_formula(compared)

    def _is_in(self, x: Term, among: ThingSet) -> Formula:
        if isinstance(x, UnknownThing):
            return next((formula for thing, formula in among.parts if thing == x.thing), False)
        if not isinstance(x, int):
            return UNSAID
        if x < 0:
            return False
        # A name says where the thing lies only to those who know that.
        there = int(x) if isinstance(self.thing(among.kind, x), int) else NONE
        return any_of(
            all_of([formula, thing == there or self._one_of(among.kind, thing, [int(x)])])
            for thing, formula in among.parts
        )

    def _combined(self, name: str, one: Term, other: Term) -> Term:
        first, second = self._members(one, other), self._members(other, one)
        if first is None or second is None:
            return UNSAID
        left, right = dict(first.parts), dict(second.parts)
        match name:
            case "union":
                parts = {t: any_of([left.get(t, False), right.get(t, False)]) for t in {**left, **right}}
            case "inter":
                parts = {t: all_of([formula, right.get(t, False)]) for t, formula in left.items()}
            case _:  # the one left is `minus`
                parts = {t: all_of([formula, negated(right.get(t, False))]) for t, formula in left.items()}
        return ThingSet(first.kind, tuple((t, formula) for t, formula in parts.items() if formula is not False))

    # -------------------------------------------------------------- comprehensions and values

    def _sequence(self, source: Source, locals: dict[int, Term], type: Type) -> list[tuple[Term, Formula]] | None:
        """Returns the values that a source goes over, each with the formula under which it is there."""
        pile = None if source.pile is None else self.term(source.pile, locals)
        mask = None if source.mask is None else self.term(source.mask, locals)
        if pile is not None and mask is not None:
            return None
        over = mask if pile is None else pile
        if isinstance(over, ThingSet):
            return [(self.thing(over.kind, thing), formula) for thing, formula in over.parts]
        if not isinstance(over, int):
            return None
        kind = kind_of(type, self.game)
        values = members(int(over)) if over > 0 else []
        if kind is not None and any(isinstance(self.thing(kind.id, value), UnknownThing | Unsaid) for value in values):
            return None
        return [(value, True) for value in values]

    def passing(self, over: Over, locals: dict[int, Term]) -> list[Passing] | None:
        """Returns the combinations that a comprehension goes over, each with the formula under which it passes."""
        sources = [self._sequence(s, locals, n.type) for s, n in zip(over.sources, over.names, strict=True)]
        size = 1
        for source in sources:
            size *= MOST + 1 if source is None else len(source)
        if size > MOST:
            return None
        found: list[Passing] = []
        for combination in product(*(source for source in sources if source is not None)):
            inner = {**locals, **{n.id: value for n, (value, _) in zip(over.names, combination, strict=True)}}
            there = all_of(formula for _, formula in combination)
            if there is not False:
                there = all_of([there, self.formula(over.condition, inner)])
            if there is not False:
                found.append((tuple(value for value, _ in combination), there, inner))
        return found

    def _over(self, over: Over, locals: dict[int, Term]) -> Term:
        if over.names and any(name.id in locals for name in over.names):
            locals = {id: value for id, value in locals.items() if all(id != name.id for name in over.names)}
        passing = self.passing(over, locals)
        if passing is None:
            return self._plain(over, locals)
        match over.what:
            case "any":
                return any_of(all_of([there, self.formula(over.value, inner)]) for _, there, inner in passing)
            case "all":
                return all_of(any_of([negated(there), self.formula(over.value, inner)]) for _, there, inner in passing)
            case "count":
                tally = FormulaCount(tuple(there for _, there, _ in passing))
                return len(passing) if all(there is True for there in tally.parts) else tally
            case "set" if len(over.names) == 1:
                return self._set(over, passing)
            case "first" if not over.keys:
                return self._first(passing)
            case _:  # sums, bests and firsts of what is known
                return self._plain(over, locals)

    def _first(self, passing: list[Passing]) -> Term:
        found: list[tuple[Formula, int]] = []
        before: Formula = True
        for (value,), there, _ in passing:
            if not isinstance(value, int):
                return UNSAID
            found.append((all_of([before, there]), int(value)))
            before = all_of([before, negated(there)])
        sure = [value for formula, value in [*found, (before, NONE)] if formula is True]
        return sure[0] if sure else NumberCases((*((f, value) for f, value in found if f is not False), (before, NONE)))

    def _set(self, over: Over, passing: list[Passing]) -> Term:
        kind = kind_of(over.names[0].type, self.game)
        parts: list[tuple[int, Formula]] = []
        for (value,), there, _ in passing:
            if not isinstance(value, int | UnknownThing):
                return UNSAID
            parts.append((value.thing if isinstance(value, UnknownThing) else int(value), there))
        if kind is not None:
            return ThingSet(kind.id, tuple(parts))
        return mask_of(value for value, _ in parts) if all(there is True for _, there in parts) else UNSAID

    def _call(self, value: Value, arguments: list[Term]) -> Term:
        if self.depth >= DEPTH:
            return UNSAID
        call = CallValue(value.id, tuple(Local(parameter.id) for parameter in value.parameters))
        locals: dict[int, Term] = {
            parameter.id: argument for parameter, argument in zip(value.parameters, arguments, strict=True)
        }
        if value.adjustments:
            return self._plain(call, locals)
        self.depth += 1
        try:
            return self._case(value, 0, locals)
        finally:
            self.depth -= 1

    def _case(self, value: Value, at: int, locals: dict[int, Term]) -> Term:
        if at == len(value.cases):
            return NONE
        case = value.cases[at]
        condition = self.formula(case.condition, locals)
        if condition is False:
            return self._case(value, at + 1, locals)
        then = self.term(case.value, locals)
        return then if condition is True else self._either(condition, then, self._case(value, at + 1, locals))


def _classes(kind: Kind, names: int) -> set[int]:
    return {kind.classes[name] for name in members(names)}


def _when_called(part: Term, name: int) -> int:
    match part:
        case UnknownThing():
            return name
        case NumberByName(by_name=by_name):
            return dict(by_name)[name]
        case _:  # anything else here is a number
            assert isinstance(part, int)
            return int(part)


def _is_formula(term: Term) -> bool:
    return not isinstance(term, UnknownThing | NumberByName | ThingSet | FormulaCount | NumberCases) and (
        isinstance(term, bool) or not isinstance(term, int)
    )


def _is_condition(term: Term) -> bool:
    """Returns whether a term is a formula, or a number that one could stand for."""
    return _is_formula(term) or (isinstance(term, int) and term in (0, 1))


def _counted(name: Comparison, parts: tuple[Formula, ...], number: int) -> Formula:
    """Returns the formula for a count to compare so with a number.

    >>> _counted(">=", (True, IsOneOf(0, 3, 1)), 2)
    IsOneOf(kind=0, thing=3, mask=1)
    """
    left = [part for part in parts if not isinstance(part, bool)]
    sure = sum(part is True for part in parts)
    fits = {many for many in range(len(left) + 1) if operate(name, (sure + many, number))}
    if len(fits) in (0, len(left) + 1):
        return bool(fits)
    none, every = all_of(map(negated, left)), all_of(left)
    for wanted, formula in (({0}, none), ({len(left)}, every)):
        if fits == wanted:
            return formula
        if fits == set(range(len(left) + 1)) - wanted:
            return negated(formula)
    return UNSAID
