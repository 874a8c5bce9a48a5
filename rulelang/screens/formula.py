"""An expression -> a formula as rulebooks print it, for cells of tables without a fixed number: `1 + yellow die`.

    Op("+", (Const(1), Roll(yellow)))       1 + yellow die
    Either(alone(p), 0, 1)                  0 if alone (p) else 1

An expression without a short form is `…`: formulas are for people and never read back.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import OPERATORS, is_called
from rulelang.ir.types import Type
from rulelang.knowledge.redaction import name_of, said_value
from rulelang.program.values import clean, plain

UNSAID = "…"
"""An expression that has no short form."""


@attrs.frozen
class Formula:
    """Prints the expressions of one game; `names` are the names of its locals."""

    game: ir.GameRules
    names: Mapping[int, str]

    def text(self, expr: ir.Expr, type: Type | None = None) -> str:
        """Returns an expression as a rulebook prints it; `type` is the type of its value."""
        match expr:
            case ir.Const():
                return name_of(expr.value, type, self.game)
            case ir.Local():
                return self.names.get(expr.id, UNSAID)
            case ir.Read():
                state = self.game.states[expr.state]
                return self._of(clean(state.called) or plain(state.name), state.owner, expr.index, state.dimensions)
            case ir.Contents() | ir.InSlot() | ir.TopOf():
                zone = self.game.zones[expr.zone]
                name = self._of(clean(zone.called) or plain(zone.name), zone.owner, expr.index, zone.dimensions)
                return f"top of {name}" if isinstance(expr, ir.TopOf) else name
            case ir.Column():
                table = self.game.tables[expr.table]
                name = clean(table.called) or plain(table.name.rpartition(".")[2])
                return f"{self.text(expr.of[0])}'s {name}" if len(expr.of) == 1 else UNSAID
            case ir.CallValue():
                value = self.game.values[expr.value]
                if value.called is not None:
                    pairs = zip(expr.arguments, value.parameters, strict=True)
                    return said_value(value, (self.text(argument, key.type) for argument, key in pairs))
                return self._call(value.name, expr.arguments, tuple(v.type for v in value.parameters))
            case ir.Cell():
                data = self.game.data[expr.data]
                row = self._call(data.name, expr.arguments, tuple(v.type for v in data.parameters))
                return f"{row}: {clean(data.columns[expr.column].called) or plain(data.columns[expr.column].name)}"
            case ir.Roll():
                return self._roll(expr)
            case ir.Op():
                return self._op(expr)
            case ir.And() | ir.Or():
                word = " and " if isinstance(expr, ir.And) else " or "
                return word.join(self.text(argument) for argument in expr.arguments)
            case ir.Either():
                then, otherwise = self.text(expr.then, type), self.text(expr.otherwise, type)
                return f"{then} if {self.text(expr.condition)} else {otherwise}"
            case _:  # a formula has no short form of anything else
                return UNSAID

    def _of(self, name: str, owner: str | None, index: tuple[ir.Expr, ...], types: tuple[Type, ...]) -> str:
        parts = [self.text(i, type) for i, type in zip(index, types, strict=True)]
        front = f"{parts.pop(0)}'s " if owner is not None and parts else ""
        return front + name + (f" ({', '.join(parts)})" if parts else "")

    def _call(self, name: str, arguments: tuple[ir.Expr, ...], types: tuple[Type, ...]) -> str:
        parts = [self.text(argument, type) for argument, type in zip(arguments, types, strict=False)]
        return f"{plain(name)} ({', '.join(parts)})" if parts else plain(name)

    def _roll(self, roll: ir.Roll) -> str:
        die = self.game.dice[roll.die.value].name if isinstance(roll.die, ir.Const) else self.text(roll.die)
        return f"{plain(die)} die" if roll.times is None else f"{self.text(roll.times)} × {plain(die)} die"

    def _op(self, op: ir.Op) -> str:
        if (sign := OPERATORS[op.name].formula) and len(op.arguments) == 2:
            left, right = (self._within(argument) for argument in op.arguments)
            return f"{left} {sign} {right}"
        if op.name in ("min", "max") or is_called(op.name):
            return f"{op.name}({', '.join(self.text(argument) for argument in op.arguments)})"
        match op.name:
            case "neg":
                return f"-{self._within(op.arguments[0])}"
            case "not":
                return f"not {self._within(op.arguments[0])}"
            case "size":
                return f"number of {self.text(op.arguments[0])}"
            case _:  # a formula has no short form of anything else
                return UNSAID

    def _within(self, expr: ir.Expr) -> str:
        text = self.text(expr)
        is_signed = isinstance(expr, ir.Op) and bool(OPERATORS[expr.name].formula) and expr.name != "*"
        is_loose = is_signed or isinstance(expr, (ir.And, ir.Or, ir.Either))
        return f"({text})" if is_loose else text
