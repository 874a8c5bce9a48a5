"""An expression of the rules, given on the command line -> its value for each seat at the end of a game.

    measure_of(game, "fuel", "p.fuel").value(match, 3)         [4, 0, 12]
    measure_of(game, "spread", "max(p.fuel for p in players)")  the same number for every seat

`p` is the seat; what it is called otherwise in the rules does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.model import Const, Expr
from rulelang.ir.types import NONE
from rulelang.machines.evaluate import evaluate

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.match.match import BareMatch


@attrs.frozen
class Measure:
    """A named expression, lowered for each seat that may play."""

    name: str
    text: str
    by_seat: tuple[Expr, ...] = attrs.field(repr=False)

    def value(self, match: BareMatch, players: int) -> list[float | None]:
        """Returns its value for each seat; None where the rules go wrong, or it is `none`."""
        found: list[float | None] = []
        for expression in self.by_seat[:players]:
            try:
                value = evaluate(expression, match.position.row, {}, match.game, match.position.layout)
            except RulelangError:
                value = NONE
            found.append(None if value == NONE else float(value))
        return found


def measure_of(game: Game, name: str, text: str) -> Measure:
    """Returns the measure that an expression of the rules describes; raises InvalidInput, with what is wrong in it."""
    from rulelang.diagnostics.model import Sink
    from rulelang.semantics.expressions.expression import lower_expression
    from rulelang.semantics.names.scope import Env
    from rulelang.source import SourceText
    from rulelang.syntax.parser import parse_expression

    if not name.isidentifier():
        raise InvalidInput(f"a measure is named by one word, not {name!r}")
    tree, faults = parse_expression(SourceText(f"measure {name}", text), 0, len(text))
    if tree is None or faults:
        raise InvalidInput(f"the measure {name} is no expression: {faults[0].message if faults else text!r}")
    world, found = game.world, []
    before, world.sink = world.sink, Sink()
    try:
        for seat in range(game.players[1]):
            found.append(lower_expression(world, Env(seats={"p": Const(seat)}, forms=True), tree, None).ir)
        told = world.sink.sorted()
    finally:
        world.sink = before
    if errors := [fault for fault in told if fault.is_error]:
        raise InvalidInput(f"the measure {name}: {errors[0].message}")
    return Measure(name, text, tuple(found))
