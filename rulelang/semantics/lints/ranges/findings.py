"""What is said of an expression that may be more than fits where it stands.

at = step(at, forward)      W0510, unless a condition in front says that there is a next space
at(n + 1)                   W0511, unless n + 1 is one of the keys
heap = heap + n             W0502
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import NONE, IntType, SetType, Type
from rulelang.ir.walk import rewrite
from rulelang.semantics.lints.ranges.amounts import FOUND, Amount
from rulelang.semantics.lints.ranges.known import Known
from rulelang.semantics.lints.ranges.reasoner import DEEP, NUMBERS, Reasoner
from rulelang.semantics.names.scope import DataName, StateName, World, ZoneName
from rulelang.semantics.names.type_relations import name_of
from rulelang.source import NOWHERE, Span


def safe(node: object) -> object:
    """Returns a read as it is written: whether it needs to be looked at is another matter."""
    if isinstance(node, ir.Read | ir.Column | ir.Contents | ir.InSlot | ir.TopOf) and not node.safe:
        return attrs.evolve(node, safe=True)
    return node


@attrs.define
class Findings:
    """Looks at expressions, and reports each risk once."""

    world: World
    game: ir.Game
    reasoning: Reasoner
    said: set[tuple[str, int, int]] = attrs.field(factory=set)
    places: dict[ir.Expr, tuple[Span, ...]] = attrs.field(init=False)
    """Where each expression stands, in the order in which they were lowered."""

    def __attrs_post_init__(self) -> None:
        found: dict[ir.Expr, list[Span]] = {}
        for e, place in self.world.places:
            found.setdefault(rewrite(e, safe), []).append(place)
        self.places = {e: tuple(places) for e, places in found.items()}

    # -------------------------------------------------------------- looking through an expression

    def expression(self, e: ir.Expr | None, known: Known | None, span: Span) -> None:
        """Looks for keys that may lie outside and for `none` that is reckoned with, in an expression."""
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
            case _:
                for part in _parts(e):
                    self.expression(part, known, span)
                self._itself(e, known, span)

    def source(self, source: ir.Source, known: Known | None, span: Span) -> None:
        """Looks through what is gone over."""
        self.expression(source.mask, known, span)
        self.expression(source.pile, known, span)

    def _over(self, e: ir.Over, known: Known, span: Span) -> None:
        inside: Known | None = known
        for name, source in zip(e.names, e.sources, strict=True):
            self.source(source, inside, span)
            inside = None if inside is None else self.reasoning.entering((name,), (source,), None, inside)
        self.expression(e.condition, inside, span)
        if inside is not None and e.condition is not None:
            inside = self.reasoning.assume(e.condition, inside)
        for key in e.keys:
            self.expression(key.value, inside, span)
        self.expression(e.value, inside, span)
        if e.what == "sum" and e.value is not None and inside is not None:
            self.number(e.value, inside, span, "in a sum")

    def _itself(self, e: ir.Expr, known: Known, span: Span) -> None:
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
            case ir.CallValue(value=value, arguments=arguments):
                called = self.game.values[value]
                for variable, argument in zip(called.parameters, arguments, strict=True):
                    self.number_fits(argument, variable.type, known, span, f"`{variable.name}` of `{called.name}`")
            case ir.Op(name=name, arguments=arguments) if name in NUMBERS:
                for argument in arguments:
                    self.number(argument, known, span, "reckoned with")
            case ir.Roll(times=times) if times is not None:
                self.number(times, known, span, "so many throws")

    # -------------------------------------------------------------- the three risks

    def amount(self, e: ir.Expr, known: Known, *, closely: bool) -> Amount:
        """Returns what an expression can be, with a look into the values it asks where it matters."""
        self.reasoning.deep = DEEP if closely else 0
        try:
            return self.reasoning.amount(e, known)
        finally:
            self.reasoning.deep = 0

    def may_be_none(self, e: ir.Expr, known: Known, how: int) -> bool:
        """Tells whether `none` may come about in such a way, or one that is worse."""
        found = self.amount(e, known, closely=False).none >= how and self.amount(e, known, closely=True).none >= how
        return found and self.reasoning.fuel >= 0

    def may_leave(self, e: ir.Expr, type: IntType, known: Known) -> Amount | None:
        """Returns what an expression can be, where that is more than a range."""
        if self.amount(e, known, closely=False).fits(type.low, type.high):
            return None
        found = self.amount(e, known, closely=True)
        return None if found.fits(type.low, type.high) or self.reasoning.fuel < 0 else found

    def number(self, e: ir.Expr, known: Known, span: Span, what: str) -> None:
        """Warns where `none` may stand in place of a number."""
        if self.may_be_none(e, known, FOUND):
            help = "ask first: `if … != none`"
            self._report("W0510", "this may be `none`, and is a number here", e, span, what, help)

    def holds(
        self, e: ir.Expr, type: Type, known: Known, span: Span, what: str, where: str = "", how: int = FOUND
    ) -> None:
        """Warns where `none` may come to what holds none; `what` names that, `where` says what to let hold it."""
        if type.optional or isinstance(type, SetType) or self._is_named_seat(e) or not self.may_be_none(e, known, how):
            return
        let = f", or let {where} hold `{name_of(type.or_none())}`" if where else ""
        message = f"this may be `none`, {what} holds {name_of(type)}"
        self._report("W0510", message, e, span, "`none` does not fit", f"ask first (`if … != none:`){let}")

    def number_fits(self, e: ir.Expr, type: Type, known: Known, span: Span, what: str) -> None:
        """Warns where a number may be outside of a range; several things that vary together are left to the game."""
        if not isinstance(type, IntType):
            return
        found = self.may_leave(e, type, known)
        if found is not None and not found.loose:
            written = name_of(type.certain())
            message = f"this may be {_written(found)}, {what} is {written}"
            self._report("W0502", message, e, span, _written(found), f"bound it, or widen {what}")

    def assigned(self, e: ir.Expr, found: Amount, name: str, type: IntType, span: Span) -> None:
        """Warns of a number that may leave the range of the variable it is assigned to."""
        help = f"clamp it: `, at least {type.low}` or `, at most {type.high}`; or widen `{name}`"
        message = f"this may reach {found.low}..{found.high}, the variable holds {name_of(type)}"
        self._report("W0502", message, e, span, f"{found.low}..{found.high}", help)

    def keys(
        self, name: str, types: tuple[Type, ...], index: tuple[ir.Expr, ...], known: Known, span: Span, e: ir.Expr
    ) -> None:
        """Warns where a key may lie outside of a variable's, a zone's or a table's."""
        for type, part in zip(types, index, strict=True):
            if not isinstance(type, IntType):
                continue
            found = self.may_leave(part, type, known)
            if found is not None:
                written = name_of(type.certain())
                help = f"ask first (`if … in {written}`), or widen `{name}`"
                message = f"`{name}` may be read at {_written(found)}: it is for {written}"
                self._report("W0511", message, e, span, "a key may lie outside", help, self._declared(name))

    def _declared(self, name: str) -> tuple[Label, ...]:
        named = [m for (_, n), m in self.world.owned.items() if n == name]
        meaning = self.world.globals.get(name) or (named[0] if named else None)
        if isinstance(meaning, StateName | ZoneName | DataName) and meaning.span is not NOWHERE:
            return (Label(meaning.span, "declared here"),)
        return ()

    @staticmethod
    def _is_named_seat(e: ir.Expr) -> bool:
        """Tells whether it is a seat by its name, which may stay empty: W0507 speaks of that."""
        named = isinstance(e, ir.Either) and isinstance(e.then, ir.Const) and e.otherwise == ir.Const(NONE)
        return named and isinstance(e, ir.Either) and isinstance(e.condition, ir.Op) and e.condition.name == "in"

    def _report(
        self, code: str, message: str, e: ir.Expr, span: Span, remark: str, help: str, labels: tuple[Label, ...] = ()
    ) -> None:
        place = self._place(e, span)
        key = (code, id(place.source), place.start)
        if key not in self.said:
            self.said.add(key)
            self.world.sink.report(code, message, place, remark, labels=labels, help=help)

    def _place(self, e: ir.Expr, span: Span) -> Span:
        """Returns where an expression stands in a stretch of source, or all of that."""
        for place in self.places.get(e, ()):
            if place.source is span.source and span.start <= place.start and place.end <= span.end:
                return place
        return span


def _parts(e: ir.Expr) -> list[ir.Expr]:
    """Returns the expressions that an expression is made of."""
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
