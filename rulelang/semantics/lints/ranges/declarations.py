"""The check of ranges in what is declared: values, data, initial values of variables, texts and the screen.

value left -> 0..9 = heap - 1       W0502, if nothing says that heap is more than 0
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import IntType, SetType, Type
from rulelang.semantics.lints.ranges.amounts import KEPT, Amount
from rulelang.semantics.lints.ranges.findings import Findings, Where
from rulelang.semantics.lints.ranges.known import KnownRanges
from rulelang.semantics.lints.ranges.parts import PartMemory
from rulelang.semantics.lints.ranges.reasoner import DEEP, ENOUGH
from rulelang.semantics.names.scope import World
from rulelang.semantics.names.type_relations import name_of
from rulelang.source import Span


@attrs.define
class DeclarationRanges:
    """Checks values, data, initial values of variables, and the screen."""

    world: World
    game: ir.GameRules
    find: Findings
    parts: PartMemory

    def check(self) -> None:
        """Reports what is found in all of them."""
        last, self.parts.sound = self.parts.sound, {}
        for value in self.game.values:
            self._unless_sound(value, last.get(value.id))
        for data in self.game.data:
            for column in data.columns:
                for cell, site in zip(column.cells, column.sites, strict=True):
                    self._result(cell, column.type, f"`{data.name}.{column.name}`", KnownRanges(), self._span(site))
                self._adjustments(column.adjustments)
                self._adjusted_column(data, column)
        for state in self.game.states:
            if state.initial is not None and not state.option and not state.builtin:
                span = self._span(state.site)
                self.find.expression(state.initial, KnownRanges(), span)
                self.find.holds(state.initial, state.type, KnownRanges(), span, f"`{state.name}`", how=KEPT)
                self.find.number_fits(state.initial, state.type, KnownRanges(), span, f"`{state.name}`")
        for texts in (*(kind.texts for kind in self.game.kinds), *(enum.texts for enum in self.game.enums)):
            for text in texts:
                self._text(text)
        for state in self.game.states:
            self._text(state.text)
        for line in self.game.screen:
            self._screen_line(line)
        if self.game.aim is not None:
            self._aim(self.game.aim)

    def _span(self, site: int) -> Span:
        """Returns the span of a site, and renews the fuel, which each line has of its own."""
        self.find.reasoning.fuel = ENOUGH
        return self.game.sites[site].span

    def _unless_sound(self, value: ir.Value, last: tuple[ir.Value, object, int] | None) -> None:
        """Examines a value, unless it would go as the last time, and that had nothing to report."""
        declared, memory = self.world.values[value.id].declared, self.find.reasoning.memory
        if last is None or last[0] is not value or last[1] != declared or last[2] & memory.changed:
            reports, found = self.find.reports, len(self.world.sink.found)
            self._value(value)
            if self.find.reports > reports or len(self.world.sink.found) > found:
                return
            last = value, declared, memory.reading(value)
        self.parts.sound[value.id] = last

    def _value(self, value: ir.Value) -> None:
        declared = self.world.values[value.id].declared
        known: KnownRanges | None = KnownRanges()
        for case in value.cases:
            if known is None:
                return
            span = self._span(case.site or value.site)
            self.find.expression(case.condition, known, span)
            self.find.never(case.condition, span)
            way = known if case.condition is None else self.find.reasoning.assume(case.condition, known)
            if way is not None:
                self._result(case.value, declared, f"`{value.name}`", way, span)
            known = None if case.condition is None else self.find.reasoning.assume(case.condition, known, holds=False)
        if known is not None and declared is not None and value.cases:
            self._no_case(value, declared)
        self._adjustments(value.adjustments)
        if value.adjustments and isinstance(declared, IntType):
            self._adjusted(value, declared)

    def _adjusted(self, value: ir.Value, declared: IntType) -> None:
        """Reports a value that its adjustments take out of its range, or one of them by itself may."""
        span = self._span(value.site)
        reasoning = self.find.reasoning
        found = reasoning.worked_out(value, KnownRanges())
        if found.is_outside(declared.low, declared.high):
            self.find.assigned(value.cases[0].value, found, value.name, declared, span)
            return
        unadjusted = attrs.evolve(value, adjustments=())
        self._each_adjustment(
            value.adjustments,
            lambda way: reasoning.worked_out(unadjusted, way),
            f"{value.name}(…)",
            value.name,
            declared,
        )

    def _adjusted_column(self, data: ir.DataTable, column: ir.DataColumn) -> None:
        """Reports a column that one of its adjustments may take out of its range."""
        if column.adjustments and isinstance(column.type, IntType):
            printed = attrs.evolve(column, adjustments=())
            self._each_adjustment(
                column.adjustments,
                lambda way: self.find.reasoning.printed(data, printed, way),
                f"{data.name}(…).{column.name}",
                f"{data.name}.{column.name}",
                column.type,
            )

    def _each_adjustment(
        self,
        adjustments: tuple[ir.Adjustment, ...],
        unadjusted: Callable[[KnownRanges], Amount],
        head: str,
        name: str,
        declared: IntType,
    ) -> None:
        """Reports each adjustment with which a number that fits its range without may leave it."""
        reasoning = self.find.reasoning
        bounds = tuple(one for one in adjustments if one.what in ("least", "most"))
        reasoning.deep = DEEP
        try:
            if not unadjusted(KnownRanges()).fits(declared.low, declared.high):
                return
            for one in (one for one in adjustments if one not in bounds):
                span = self._span(one.site)
                way = KnownRanges() if one.condition is None else reasoning.assume(one.condition, KnownRanges())
                if way is None:
                    continue
                reached = reasoning.adjusted(unadjusted(way), (one, *bounds), way)
                if not reached.fits(declared.low, declared.high) and not reached.loose:
                    self.find.adjusted(one.amount, reached, head, name, declared, span)
        finally:
            reasoning.deep = 0

    def _no_case(self, value: ir.Value, declared: Type) -> None:
        if declared.optional or isinstance(declared, SetType):
            return
        self.world.sink.report(
            "W0510",
            f"where no case applies, `{value.name}` is `none`, but its type is {name_of(declared)}",
            self._span(value.site),
            "not every case is covered",
            help=f"add a case with `otherwise`, or say `-> {name_of(declared.or_none())}`",
        )

    def _result(self, e: ir.Expr, type: Type | None, what: str, known: KnownRanges, span: Span) -> None:
        self.find.expression(e, known, span)
        if type is not None:
            self.find.holds(e, type, known, span, what, how=KEPT)
            # The members that a set is built from are not checked, like numbers combined from several others.
            if not (isinstance(type, SetType) and isinstance(e, ir.Over)):
                self.find.number_fits(e, type, known, span, what)

    def _adjustments(self, adjustments: tuple[ir.Adjustment, ...]) -> None:
        for one in adjustments:
            span = self._span(one.site)
            self.find.expression(one.condition, KnownRanges(), span)
            self.find.never(one.condition, span)
            way = KnownRanges() if one.condition is None else self.find.reasoning.assume(one.condition, KnownRanges())
            self.find.expression(one.amount, way, span)
            if way is not None:
                self.find.number(one.amount, way, span, "added")

    def _text(self, text: ir.Template | None) -> None:
        for hole in text.parts if text is not None else ():
            if not isinstance(hole, str):
                self.find.expression(hole, KnownRanges(), self._screen(hole))

    def _aim(self, aim: ir.Aim) -> None:
        for line in (aim.about, aim.lasts, aim.progress):
            self._fields(line.fields, KnownRanges())
        for ending in aim.endings:
            self._fields((ending.goal,), KnownRanges())
            self._text(ending.told)

    def _screen_line(self, line: ir.ScreenLine) -> None:
        known: KnownRanges | None = KnownRanges()
        for part in (line.source.mask, line.source.pile) if line.source is not None else ():
            if part is not None:
                self.find.expression(part, known, self._screen(part))
        if line.variable is not None and line.source is not None:
            known = self.find.reasoning.entering((line.variable,), (line.source,), None, KnownRanges())
        self._text(line.text)
        self._fields(line.fields, known)

    def _fields(self, fields: tuple[ir.ShownField, ...], known: KnownRanges | None) -> None:
        for field in fields:
            way = self._shown(field, known)
            for hole in field.text.parts:
                if not isinstance(hole, str):
                    self.find.expression(hole, way, self._screen(hole))

    def _shown(self, field: ir.ShownField, known: KnownRanges | None) -> KnownRanges | None:
        if known is None or field.condition is None:
            return known
        self.find.expression(field.condition, known, self._screen(field.condition))
        return self.find.reasoning.assume(field.condition, known)

    def _screen(self, part: ir.Expr) -> Where:
        """Returns a part of the screen as its own place, and renews the fuel."""
        self.find.reasoning.fuel = ENOUGH
        return part
