"""An expression of the rules, given on the command line -> its value for each seat, at the end of a game and on the way.

    measure_of(game, "fuel", "p.fuel").value(match, 3)         [4, 0, 12]
    measure_of(game, "spread", "max(p.fuel for p in players)")  the same number for every seat
    MeasuredCourse(measures).rows()                             the same as rounds go by

`p` is the seat; what it is called otherwise in the rules does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.model import Const, Expr
from rulelang.ir.types import NONE
from rulelang.machines.walk import evaluate

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
        raise InvalidInput(f"the measure {name} is not an expression: {faults[0].message if faults else text!r}")
    world, found = game.internals.world, []
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


ROUNDS = ("round", "rounds")
"""The variables that may count rounds: the one of `turns`, or one of the rules."""
MOST_MOMENTS = 200
"""The most positions of a game at which measures are taken."""


class MeasuredCourse:
    """The values of measures as a game goes on: at the first position of each round, or at each position where the rules
    count no rounds, and at the end. If there are too many, every other one goes, and from now on half as many come.
    """

    def __init__(self, measures: Sequence[Measure]) -> None:
        self._measures = measures
        self._moments: list[tuple[int, list[list[float | None]]]] = []
        self._round: tuple[int, ...] = ()
        self._passed, self._step = 0, 1

    def at(self, answer: int, match: BareMatch, *, is_over: bool = False) -> None:
        """Looks at a position before an answer, or at the last one."""
        if not self._measures:
            return
        rounds = _rounds(match)
        if self._moments and rounds and rounds == self._round and not is_over:
            return
        self._round, passed = rounds, self._passed
        self._passed += 1
        if passed % self._step and not is_over:
            return
        self._moments.append((answer, [measure.value(match, match.players) for measure in self._measures]))
        if len(self._moments) > MOST_MOMENTS:
            self._moments, self._step = self._moments[::2], 2 * self._step

    def rows(self) -> Iterator[tuple[int, int, str, float | None]]:
        """Yields each value with the number of the answer before which it was taken, its seat, and its measure."""
        for answer, values in self._moments:
            for measure, by_seat in zip(self._measures, values, strict=True):
                for seat, value in enumerate(by_seat):
                    yield answer, seat, measure.name, value


def _rounds(match: BareMatch) -> tuple[int, ...]:
    """Returns the values of the variables that count rounds; () where there is none, or none counts."""
    row, layout = match.position.row, match.position.layout
    found = tuple(
        row[layout.states[state.id]] for state in match.game.states if state.name in ROUNDS and not state.owner
    )
    return found if any(found) else ()


def rounds_of(match: BareMatch) -> int | None:
    """Returns the number of rounds that the rules have counted; None where they count none."""
    return max(_rounds(match), default=None)
