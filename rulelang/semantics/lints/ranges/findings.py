"""Reports expressions whose values may not fit their place.

at = step(at, forward)      W0510, unless an enclosing condition implies that there is a next space
at(n + 1)                   W0511, unless n + 1 is one of the keys
heap = heap + n             W0502
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts
from rulelang.ir.flow.destinations import is_drawn
from rulelang.ir.model.operators import is_calculation
from rulelang.ir.types import NONE, IntType, SetType, Type, offset_of
from rulelang.ir.walk import calls_in, rewrite, walk
from rulelang.semantics.lints.ranges.amounts import FOUND, KEPT, Amount
from rulelang.semantics.lints.ranges.known import KnownRanges
from rulelang.semantics.lints.ranges.reasoner import DEEP, Reasoner
from rulelang.semantics.names.scope import DataName, StateName, World, ZoneName
from rulelang.semantics.names.type_relations import name_of
from rulelang.source import NOWHERE, Span

SOMEBODY = ir.Local(-1_000_000)
"""A name for nobody in particular, far from those of comprehensions."""
Where: TypeAlias = Span | ir.Expr
"""A span, or an expression by whose own place it is found."""


def safe(node: object) -> object:
    """Returns a read in its normal form, with `safe` set, so that equal reads compare equal."""
    if isinstance(node, ir.Read | ir.Column | ir.Contents | ir.InSlot | ir.TopOf) and not node.safe:
        return attrs.evolve(node, safe=True)
    return node


@attrs.define(slots=False)
class Findings:
    """Examines expressions, and reports each risk once."""

    world: World
    game: ir.GameRules
    reasoning: Reasoner
    said: set[tuple[str, int, int]] = attrs.field(factory=set)
    reports: int = 0
    """The number of risks found so far, also those that were reported before."""
    places: dict[ir.Expr, list[Span]] = attrs.field(factory=dict)
    """The places of each expression, in the order of lowering; filled when first needed."""

    # -------------------------------------------------------------- looking through an expression

    def expression(self, e: ir.Expr | None, known: KnownRanges | None, span: Where) -> None:
        """Warns of keys out of bounds and of arithmetic with `none` in an expression."""
        if e is None or known is None or isinstance(e, ir.Const | ir.Local):
            return
        match e:
            case ir.And(arguments=parts) | ir.Or(arguments=parts):
                for part in parts:
                    self.expression(part, known, span)
                    if known is not None:
                        known = self.reasoning.assume(part, known, holds=isinstance(e, ir.And))
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                self.expression(condition, known, span)
                self.expression(then, self.reasoning.assume(condition, known), span)
                self.expression(otherwise, self.reasoning.assume(condition, known, holds=False), span)
            case ir.Over():
                self._over(e, known, span)
            case _:  # any other expression has no risk of its own
                for part in _parts(e):
                    self.expression(part, known, span)
                self._itself(e, known, span)

    def words(self, words: ir.Template | None, known: KnownRanges | None, span: Where) -> None:
        """Examines the holes of words for people."""
        for hole in words.parts if words is not None else ():
            if not isinstance(hole, str):
                self.expression(hole, known, span)

    def source(self, source: ir.Source, known: KnownRanges | None, span: Where) -> None:
        """Examines the source of a loop."""
        self.expression(source.mask, known, span)
        self.expression(source.pile, known, span)

    def _over(self, e: ir.Over, known: KnownRanges, span: Where) -> None:
        inside: KnownRanges | None = known
        for name, source in zip(e.names, e.sources, strict=True):
            self.source(source, inside, span)
            inside = None if inside is None else self.reasoning.entering((name,), (source,), None, inside)
        self.expression(e.condition, inside, span)
        for test in (e.condition, e.value if e.what == "any" else None):
            # Of what is written out in the rules: `next(p)` stands for a comprehension, too.
            if test is not None and self._never_holds(test, ()) and self._place(test, span) is not span:
                self.never(test, span)
        if inside is not None and e.condition is not None:
            inside = self.reasoning.assume(e.condition, inside)
        for key in e.keys:
            self.expression(key.value, inside, span)
        self.expression(e.value, inside, span)
        if e.what == "sum" and e.value is not None and inside is not None:
            self.number(e.value, inside, span, "in a sum")

    def _itself(self, e: ir.Expr, known: KnownRanges, span: Where) -> None:
        match e:
            case ir.Read(state=state, index=index):
                of = self.game.states[state]
                self.keys(of.name, of.dimensions, index, known, span, e)
            case (
                ir.Contents(zone=zone, index=index)
                | ir.InSlot(zone=zone, index=index)
                | ir.TopOf(zone=zone, index=index)
            ):
                held = self.game.zones[zone]
                self.keys(held.name, held.dimensions, index, known, span, e)
            case ir.Cell(data=data, arguments=arguments):
                table = self.game.data[data]
                types = tuple(v.type for v in table.parameters[: table.keys])
                self.keys(table.name, types, arguments[: table.keys], known, span, e)
            case ir.Column(table=number, of=index):
                column = self.game.tables[number]
                self.keys(column.name, column.dimensions, index, known, span, e)
            case ir.CallValue(value=value, arguments=arguments):
                called = self.game.values[value]
                for variable, argument in zip(called.parameters, arguments, strict=True):
                    self.number_fits(argument, variable.type, known, span, f"`{variable.name}` of `{called.name}`")
            case ir.Op(name=name, arguments=arguments) if is_calculation(name):
                for argument in arguments:
                    self.number(argument, known, span, "reckoned with")
            case ir.Roll(times=times) if times is not None:
                self.number(times, known, span, "so many throws")
            case _:  # any other expression has no risk of its own
                pass

    # -------------------------------------------------------------- the three risks

    def amount(self, e: ir.Expr, known: KnownRanges, *, closely: bool) -> Amount:
        """Returns the possible values of an expression; `closely` examines the bodies of the values that it calls."""
        self.reasoning.deep = DEEP if closely else 0
        try:
            return self.reasoning.amount(e, known)
        finally:
            self.reasoning.deep = 0

    def is_none(self, e: ir.Expr, known: KnownRanges) -> bool:
        """Returns whether an expression is `none` for certain."""
        found = self.amount(e, known, closely=False)
        return bool(found.none) and (found.is_none or self.amount(e, known, closely=True).is_none)

    def may_be_none(self, e: ir.Expr, known: KnownRanges, how: int) -> bool:
        """Returns whether an expression may be `none` with this origin or a later one in MISSING, KEPT, FOUND."""
        found = self.amount(e, known, closely=False).none >= how and self.amount(e, known, closely=True).none >= how
        return found and self.reasoning.fuel >= 0

    def may_leave(self, e: ir.Expr, type: IntType, known: KnownRanges) -> Amount | None:
        """Returns the possible values of an expression, if they may leave a range."""
        if self.amount(e, known, closely=False).fits(type.low, type.high):
            return None
        found = self.amount(e, known, closely=True)
        return None if found.fits(type.low, type.high) or self.reasoning.fuel < 0 else found

    def number(self, e: ir.Expr, known: KnownRanges, span: Where, what: str, how: int = FOUND) -> None:
        """Warns if a number may be `none`."""
        if self.is_none(e, known):
            self._report("E0302", "this is `none`, and a number is wanted", e, span, what, "")
        elif self.may_be_none(e, known, how):
            help = "ask first: `if … != none`"
            self._report("W0510", "this may be `none`, and is a number here", e, span, what, help)

    def holds(
        self, e: ir.Expr, type: Type, known: KnownRanges, span: Where, what: str, where: str = "", how: int = FOUND
    ) -> None:
        """Warns if `none` may reach a place that cannot hold it;
        `what` names the place, `where` the declaration to change.
        """
        if type.optional or isinstance(type, SetType) or self._is_named_seat(e):
            return
        let = f", or let {where} hold `{name_of(type.or_none())}`" if where else ""
        help = f"ask first (`if … != none:`){let}"
        if self.is_none(e, known):
            message = f"this is `none`, {what} holds {name_of(type)}"
            self._report("E0301", message, e, span, "always `none`", help)
        elif self.may_be_none(e, known, how):
            message = f"this may be `none`, {what} holds {name_of(type)}"
            self._report("W0510", message, e, span, "`none` does not fit", help)

    def added(self, e: ir.Expr, known: KnownRanges, span: Where, what: str, *, found: bool = True) -> None:
        """Warns if `none` may be added to a set or zone, where it has no effect; inside braces that is intended.

        Without `found`, a search without a result is intended too: `move top(deck) to hand`.
        """
        match e:
            case ir.Op(name="union", arguments=parts):
                for part in parts:
                    self.added(part, known, span, what, found=found)
            case ir.Op(name="single", arguments=(one,)):
                # The test for braces comes last, because finding the place of an expression costs most.
                if self._is_named_seat(one) or not self.may_be_none(one, known, KEPT):
                    return
                is_lost = found or self.amount(one, known, closely=True).none == KEPT
                if is_lost and self._place(e, span) is span:
                    help = "ask first (`if … != none:`), or write `{…}` where it is left out when it is `none`"
                    self._report("W0510", f"this may be `none`, then {what}", one, span, "`none` is left out", help)
            case _:  # any other set adds no member that may be none
                pass

    def number_fits(self, e: ir.Expr, type: Type, known: KnownRanges, span: Where, what: str) -> None:
        """Warns if a number, or one in a set, may be outside its range, unless several varying numbers were combined."""
        if isinstance(type, SetType):
            self._members_fit(e, type, known, span, what)
        if not isinstance(type, IntType):
            return
        found = self.may_leave(e, type, known)
        if found is None:
            return
        written = name_of(type.certain())
        if found.is_outside(type.low, type.high):
            message = f"this is {_written(found)}, {what} is {written}"
            self._report("E0316", message, e, span, "never fits", f"widen {what}")
        elif not found.loose:
            message = f"this may be {_written(found)}, {what} is {written}"
            self._report("W0502", message, e, span, _written(found), f"bound it, or widen {what}")

    def _members_fit(self, e: ir.Expr, type: SetType, known: KnownRanges, span: Where, what: str) -> None:
        if not isinstance(type.element, IntType) or offset_of(type.element):
            return
        match e:
            case ir.Op(name="union", arguments=parts):
                for part in parts:
                    self._members_fit(part, type, known, span, what)
            case ir.Op(name="minus", arguments=(kept, _)):
                self._members_fit(kept, type, known, span, what)
            case ir.Op(name="single", arguments=(one,)):
                self.number_fits(one, type.element, known, span, what)
            case ir.Const() | ir.Op(name="range" | "inter") | ir.Over(what="set" | "best"):
                found = self.reasoning.members(e, known)
                if found.fits(type.element.low, type.element.high) or found.loose:
                    return
                certain = isinstance(e, ir.Const)
                message = f"this {'is' if certain else 'may be'} {_written(found)}, {what} is {name_of(type)}"
                self._report("E0316" if certain else "W0502", message, e, span, _written(found), f"widen {what}")
            case _:  # the members of any other set are of its type
                pass

    def assigned(self, e: ir.Expr, found: Amount, name: str, type: IntType, span: Where) -> None:
        """Warns of a number that may leave the range of the variable it is assigned to."""
        help = f"clamp it: `, at least {type.low}` or `, at most {type.high}`; or widen `{name}`"
        if found.is_outside(type.low, type.high):
            message = f"{_written(found)} never fits into {name_of(type)}"
            self._report("E0316", message, e, span, _written(found), help)
            return
        message = f"this may reach {found.low}..{found.high}, the variable holds {name_of(type)}"
        self._report("W0502", message, e, span, f"{found.low}..{found.high}", help)

    def never(self, test: ir.Expr | None, span: Where, *, unless: Sequence[ir.Expr] = ()) -> None:
        """Warns of a condition that no position fulfils, or none in which `unless` does not hold already; but not of what a
        constant decides."""
        if test is None or any(code.startswith("E") for code, _, _ in self.said):
            return
        if self._never_holds(test, ()):
            help = "compare with what can be there, or take the line away"
            self._report("W0522", "this never holds", test, span, "never true", help)
        elif unless and not is_drawn(self.game, (test, unless)) and self._never_holds(test, unless):
            help = "put the narrower condition first"
            self._report("W0522", "this never holds here", test, span, "then a condition before it holds", help)

    def _never_holds(self, test: ir.Expr, unless: Sequence[ir.Expr]) -> bool:
        """Returns whether a condition holds in no position in which others do not."""
        known, judged = self._counted(test)
        if any(map(self._differs_from_itself, conjuncts(judged))):
            return True
        if self._is_loose(judged) or any(map(self._is_loose, unless)):
            return False
        fuel, way = self.reasoning.fuel, self.reasoning.assume(judged, known)
        for other in unless:
            way = None if way is None else self.reasoning.assume(other, way, holds=False)
        is_sure, self.reasoning.fuel = self.reasoning.fuel >= 0, fuel
        return way is None and is_sure

    def _counted(self, test: ir.Expr) -> tuple[KnownRanges, ir.Expr]:
        """Returns a condition with names for the numbers of players in it, and how many there may be: nobody is left where
        all can be out. Somebody comes next where nobody can be."""
        fewest, most = (0 if self._can_be_out else self.game.players[0]), self.game.players[1]
        known, names = KnownRanges(), dict[ir.Expr, ir.Local]()

        def put(node: object) -> object:
            nonlocal known
            if isinstance(node, ir.Op) and node.name == "==" and self._comes_next(node.arguments[0]):
                return ir.Op("!=", (SOMEBODY, SOMEBODY)) if node.arguments[1] == ir.Const(NONE) else node
            is_all = node == ir.Op("size", (ir.Read(self.game.players_left, ()),))
            if not is_all and not (isinstance(node, ir.Over) and node.what == "count" and self._of_players(node)):
                return node
            assert isinstance(node, ir.Op | ir.Over)
            name = names.setdefault(node, ir.Local(SOMEBODY.id - 1 - len(names)))
            known = known.knowing(name, Amount(fewest if is_all else 0, most))
            return name

        judged: ir.Expr = rewrite(test, put)
        return known, judged

    def _of_players(self, node: ir.Over) -> bool:
        return len(node.sources) == 1 and node.sources[0].mask == ir.Read(self.game.players_left, ())

    def _comes_next(self, e: ir.Expr) -> bool:
        """Returns whether an expression is `next(p)` or `previous(p)` where nobody can be out of the game."""
        match e:
            case ir.Either(
                condition=ir.Op(name="==", arguments=(one, other)), then=ir.Over() as around, otherwise=nearest
            ):
                is_next = one == nearest and other == ir.Const(NONE) and around.condition is None
                return is_next and self._of_players(around) and not self._can_be_out
            case _:  # any other expression may be none
                return False

    @cached_property
    def _can_be_out(self) -> bool:
        """Whether anybody may be eliminated."""
        out = {p.id for p in self.game.procedures if any(isinstance(node, ir.Eliminate) for node in walk(p.body))}
        return any(calls_in(self.game, part) & out for part in (self.game.procedures, self.game.choices))

    def _differs_from_itself(self, test: ir.Expr) -> bool:
        """Returns whether a condition demands that something is another than itself, or more, or less."""
        if not isinstance(test, ir.Op) or test.name not in ("!=", "<", ">"):
            return False
        left, right = test.arguments
        return left == right and not isinstance(left, ir.Const) and not is_drawn(self.game, left)

    def _is_loose(self, test: ir.Expr) -> bool:
        """Returns whether a condition is decided by constants, or asks for what the reasoning takes for granted: that
        somebody plays, and that what is no `T?` is there.
        """
        nothing = ir.Const(NONE)
        if any(all(isinstance(node, ir.Const | ir.Op) for node in walk(part)) for part in conjuncts(test)):
            return True
        return any(
            node == nothing or (isinstance(node, ir.Read) and node.state == self.game.players_left)
            for node in walk(test)
        )

    def adjusted(self, e: ir.Expr, found: Amount, head: str, name: str, type: IntType, span: Where) -> None:
        """Warns of an adjustment with which a value or column may leave its range."""
        message = f"with this `{name}` may be {_written(found)}, and it is {name_of(type)}"
        bound = f"at most {type.high}" if found.high > type.high else f"at least {type.low}"
        help = f"widen `{name}`, or bound it: `adjust {head}: {bound}`"
        self._report("W0502", message, e, span, _written(found), help)

    def keys(
        self,
        name: str,
        types: tuple[Type, ...],
        index: tuple[ir.Expr, ...],
        known: KnownRanges,
        span: Where,
        e: ir.Expr,
    ) -> None:
        """Warns of a key that may be outside the keys of a variable, zone or table."""
        for type, part in zip(types, index, strict=True):
            if not isinstance(type, IntType):
                continue
            found = self.may_leave(part, type, known)
            if found is None:
                continue
            written, labels = name_of(type.certain()), self._declared(name)
            help = f"ask first (`if … in {written}`), or widen `{name}`"
            if found.is_outside(type.low, type.high):
                message = f"`{name}` has no {_written(found)}: it is for {written}"
                self._report("E0316", message, e, span, "outside of its keys", help, labels)
            else:
                message = f"`{name}` may be read at {_written(found)}: it is for {written}"
                self._report("W0511", message, e, span, "a key may lie outside", help, labels)

    def _declared(self, name: str) -> tuple[Label, ...]:
        named = [m for (_, n), m in self.world.owned.items() if n == name]
        meaning = self.world.globals.get(name) or (named[0] if named else None)
        if isinstance(meaning, StateName | ZoneName | DataName) and meaning.span is not NOWHERE:
            return (Label(meaning.span, "declared here"),)
        return ()

    @staticmethod
    def _is_named_seat(e: ir.Expr) -> bool:
        """Returns whether an expression is a named seat that may stay empty, which W0507 covers."""
        named = isinstance(e, ir.Either) and isinstance(e.then, ir.Const) and e.otherwise == ir.Const(NONE)
        return named and isinstance(e, ir.Either) and isinstance(e.condition, ir.Op) and e.condition.name == "in"

    def _report(
        self, code: str, message: str, e: ir.Expr, span: Where, remark: str, help: str, labels: tuple[Label, ...] = ()
    ) -> None:
        self.reports += 1
        place = self._place(e, span)
        key = (code, id(place.source), place.start)
        if key not in self.said:
            self.said.add(key)
            self.world.sink.report(code, message, place, remark, labels=labels, help=help or None)

    def _places(self, e: ir.Expr) -> list[Span]:
        if not self.places:
            for other, place in self.world.places:
                self.places.setdefault(rewrite(other, safe), []).append(place)
        return self.places.get(e, [])

    def _place(self, e: ir.Expr, where: Where) -> Span:
        """Returns the span of an expression within another span; the whole of that span if it is not found there."""
        span = where if isinstance(where, Span) else next(iter(self._places(where)), self.game.sites[0].span)
        for place in self._places(e):
            if place.source is span.source and span.start <= place.start and place.end <= span.end:
                return place
        return span


def _parts(e: ir.Expr) -> list[ir.Expr]:
    """Returns the direct parts of an expression."""
    found: list[ir.Expr] = []
    for field in attrs.fields(type(e)):
        part = getattr(e, field.name)
        for one in part if isinstance(part, tuple) else (part,):
            if isinstance(one, ir.Source):
                found.extend(x for x in (one.mask, one.pile) if x is not None)
            elif type(one) in ir.NODES and not isinstance(one, ir.Seal | ir.Variable):
                found.append(one)
    return found


def _written(amount: Amount) -> str:
    return str(amount.low) if amount.low == amount.high else f"{amount.low}..{amount.high}"
