"""Python printed from the low-level IR with words of any size, run on rows of the generated machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from rulelang.ir.numbers import Row
from rulelang.machines.machine import Answer
from rulelang.machines.meter import Meter
from rulelang.program.low import lower, model
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.memory import LEFT
from rulelang.program.python.module import print_module
from rulelang.program.python.playouts import long_tables
from rulelang.program.python.support import PlayoutOver, names, no_draw

Draw: TypeAlias = Callable[[Row, int], int]
Start: TypeAlias = Callable[[Row, list[Any]], int]
BOARDS = ("breakthrough", "connect_four", "ko", "kuhn", "nim", "othello", "pig", "tic_tac_toe")
OTHERS = ("redeals/whist", "redeals/passing", "games/tavern", "games/stack", "games/hop", "perft/chess")
SHIPPED = ("empty_space", "exit_velocity", "exobase", "outspeed")


class Printed:
    """The functions of a printed module, run as a machine runs them."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.program: model.Program = lower(compiled.game, compiled.layout, compiled.control, None)
        self.names: dict[str, Any] = {**names(), "TABLES": long_tables(self.program)}
        exec(print_module(self.program), self.names)

    def options(self, row: Row, question: int, seat: int) -> list[Answer]:
        """Returns the options of a seat; raises Trap."""
        longer = [*row, *[0] * self.program.scratch]
        memory = [self.program.questions[question].budget, None, (), no_draw]
        found: list[Answer] = self.names["OPTIONS"][question](longer, memory, seat)
        assert longer == [*row, *[0] * self.program.scratch]
        return found

    def allows(self, row: Row, question: int, seat: int, answer: Answer) -> bool:
        """Returns whether an answer of a seat is legal; raises Trap."""
        of = self.program.questions[question]
        if not answer or not 0 <= answer[0] < len(of.answers) or len(answer) != 1 + len(of.answers[answer[0]]):
            return False
        longer = [*row, *[0] * self.program.scratch]
        found: int = self.names["LEGAL"][question](longer, [of.budget, None, answer, no_draw], seat)
        assert longer == [*row, *[0] * self.program.scratch]
        assert found in (0, 1)
        return bool(found)

    def answer(self, row: Row, seat: int, answer: Answer, draw: Draw, meter: Meter | None = None) -> Row:
        """Returns the row behind an answer; raises Trap, or with a meter RunawayRules where that ends."""
        row, question = row[:], row[self.program.question] - 1
        row[self.program.question] = 0
        seats = (seat,) if self.program.questions[question].owing >= 0 else ()
        start = self.names["ANSWERS"][question][answer[0]]
        return self._run(row, answer, draw, meter, lambda row, memory: start(row, memory, *seats))

    def main(self, row: Row, draw: Draw, meter: Meter) -> Row:
        """Returns the row at the first choice, given the one before the first rule runs."""
        main = self.compiled.control.blocks.entries[self.compiled.game.main]
        return self._run(row, (), draw, meter, lambda row, memory: main)

    def _run(self, row: Row, answer: Answer, draw: Draw, meter: Meter | None, start: Start) -> Row:
        size, longer = len(row), [*row, *[0] * self.program.scratch]
        memory: list[Any] = [self.program.half if meter is None else meter.left, None, answer, draw, meter]
        try:
            block = start(longer, memory)
            while block >= 0:
                block = self.names["BLOCKS"][block](longer, memory)
        except PlayoutOver:
            longer[self.compiled.layout.size :] = [*self.compiled.idle, *[0] * self.program.scratch]
        if meter is not None:
            meter.left = memory[LEFT]
        assert not any(longer[size:])
        return longer[:size]
