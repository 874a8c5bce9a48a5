"""Faults in printed code -> errors in the rules' own words, still without their site.

fuel -= n        # raise out_of_range(12, -1): "`fuel` of red would become -1; it holds 0..99"
"""

from __future__ import annotations

from rulelang.errors import NoOption, RangeViolation, RunawayRules, RuntimeRules
from rulelang.ir.model import GameRules, Variable
from rulelang.ir.numbers import Seat, Slot
from rulelang.ir.types import Type
from rulelang.ir.walk import walk
from rulelang.program.layout import Layout
from rulelang.program.values import written
from rulelang.program.violations import fitting, no_key, slot_violation, violation

Values = tuple[int, ...]


def no_number() -> RangeViolation:
    """Returns the error for `none` in arithmetic."""
    return RangeViolation("`none` stands where a number is needed")


def cannot_divide(value: int) -> RangeViolation:
    """Returns the error for a division by 0."""
    return RangeViolation(f"{value} cannot be divided by 0")


def runaway(message: str) -> RunawayRules:
    """Returns the error for rules that do not come to an end."""
    return RunawayRules(message)


def not_at_once() -> RuntimeRules:
    """Returns the error for a statement that a pass of `simultaneously` may not run."""
    return RuntimeRules("this cannot happen while other things happen at once")


class Faults:
    """Errors that name things of the game."""

    def __init__(self, game: GameRules, layout: Layout) -> None:
        self.game, self.layout = game, layout

    def out_of_range(self, slot: Slot, value: int) -> RangeViolation:
        """Returns the error for a value that a variable cannot hold."""
        return slot_violation(self.game, self.layout, slot, value, 0)

    def out_of_local(self, id: int, value: int) -> RangeViolation:
        """Returns the error for a value that a local cannot hold."""
        nodes = walk((self.game.procedures, self.game.choices))
        variable = next(node for node in nodes if isinstance(node, Variable) and node.id == id)
        return violation(variable.name, (), value, variable.type, self.game)

    def out_of_value(self, id: int, value: int, arguments: Values) -> RangeViolation:
        """Returns the error for a result that is not in a value's type."""
        of = self.game.values[id]
        return violation(of.name, _typed(arguments, of.parameters), value, of.type, self.game)

    def out_of_cell(self, id: int, column: int, value: int, arguments: Values) -> RangeViolation:
        """Returns the error for a cell that is not in its column's type."""
        data = self.game.data[id]
        of = data.columns[column]
        return violation(f"{data.name}.{of.name}", _typed(arguments, data.parameters), value, of.type, self.game)

    def no_place(self, state: int, index: Values) -> RangeViolation:
        """Returns the error for writing to a variable at an index that does not exist."""
        of = self.game.states[state]
        return RangeViolation(f"{named(of.name, of.dimensions, index, self.game)} cannot be written to")

    def no_key(self, state: int, index: Values) -> int:
        """Returns NONE; raises RangeViolation for a number outside the range of its key; see `violations.no_key`."""
        of = self.game.states[state]
        return no_key(of.name, of.dimensions, index)

    def zone_key(self, zone: int, position: int, value: int) -> int:
        """Returns a part of a zone's index; raises RangeViolation for a number outside the range of its key."""
        of = self.game.zones[zone]
        no_key(of.name, of.dimensions[position : position + 1], (value,))
        return value

    def row_key(self, data: int, position: int, value: int) -> int:
        """Returns a part of the key of a table's row; raises RangeViolation for a number outside its range."""
        of = self.game.data[data]
        no_key(of.name, (of.parameters[position].type,), (value,))
        return value

    def value_argument(self, id: int, position: int, value: int) -> int:
        """Returns an argument of a value; raises RangeViolation for one outside its parameter's range."""
        return self._argument(self.game.values[id].name, self.game.values[id].parameters[position], value)

    def verb_argument(self, id: int, position: int, value: int) -> int:
        """Returns an argument of a verb; raises RangeViolation for one outside its parameter's range."""
        return self._argument(self.game.procedures[id].name, self.game.procedures[id].parameters[position], value)

    def cell_argument(self, id: int, position: int, value: int) -> int:
        """Returns an argument of a data cell; raises RangeViolation for one outside its parameter's range."""
        return self._argument(self.game.data[id].name, self.game.data[id].parameters[position], value)

    @staticmethod
    def _argument(name: str, parameter: Variable, value: int) -> int:
        return fitting(name, parameter.name, parameter.type, value)

    def no_zone(self, zone: int, index: Values) -> RangeViolation:
        """Returns the error for moving things to a zone that does not exist."""
        of = self.game.zones[zone]
        return RangeViolation(f"there is no {named(of.name, of.dimensions, index, self.game)}")

    def too_deep(self, id: int) -> RunawayRules:
        """Returns the error for a value that calls itself too deep."""
        of = self.game.values[id]
        return RunawayRules(f"`{of.name}` calls itself more than {of.deep} deep", of.site)

    def no_option(self, choice: int, seat: Seat) -> NoOption:
        """Returns the error for a seat that must choose and cannot."""
        name = self.game.seats[seat] if 0 <= seat < len(self.game.seats) else "nobody"
        return NoOption(f"{name} must choose and has nothing to choose from", self.game.choices[choice].site)


def named(name: str, dimensions: tuple[Type, ...], index: Values, game: GameRules) -> str:
    """Returns a variable or zone as the rules call it: "`fuel` of red"."""
    owner = ", ".join(written(i, type, game) for i, type in zip(index, dimensions, strict=True))
    return f"`{name}` of {owner}" if owner else f"`{name}`"


def _typed(arguments: Values, parameters: tuple[Variable, ...]) -> tuple[tuple[int, Type], ...]:
    return tuple((argument, variable.type) for argument, variable in zip(arguments, parameters, strict=False))
