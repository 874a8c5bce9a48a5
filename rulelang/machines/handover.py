"""A step that trapped half-way -> the same step on another machine, whose listeners hear only the rest.

The step is taken again from the row before it. What was drawn is not drawn again, and what the trace has been told is
not told again.

    heard = Heard(chance); …                # outcomes, and edits of listeners, of the step that trapped
    machine.chance, machine.trace = Again(heard), Unheard(trace, told, heard.edits)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from rulelang.ir.numbers import Row, Thing
from rulelang.machines.machine import Chance

if TYPE_CHECKING:
    from rulelang.machines.machine import Machine, Trace

Outcome: TypeAlias = tuple[Any, tuple[int, ...]]
"""A random outcome, and the number of draws from each stream after it."""
Edit: TypeAlias = dict[int, int]
"""What a listener wrote to the row when it was told of a phase, by slot."""


@attrs.frozen
class Heard:
    """A source of chance that remembers its outcomes, and the edits of a listener: all that a step takes from outside."""

    chance: Chance
    counters: slice
    """The slots with the number of draws from each stream."""
    outcomes: list[Outcome] = attrs.field(factory=list)
    edits: list[Edit] = attrs.field(factory=list)

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns a face; see `Chance`."""
        face = self.chance.roll(row, stream, faces)
        self._keep(face, row)
        return face

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns one of the values; see `Chance`."""
        picked = self.chance.pick(row, stream, among)
        self._keep(picked, row)
        return picked

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the things in their new order; see `Chance`."""
        order = self.chance.shuffle(row, stream, kind, things)
        self._keep(order, row)
        return order

    def _keep(self, outcome: object, row: Row) -> None:
        self.outcomes.append((outcome, tuple(row[self.counters])))

    def tell_phase(self, trace: Trace, procedure: int, arguments: tuple[int, ...], machine: Machine) -> None:
        """Tells a trace that a phase begins, and remembers what it writes to the row."""
        before = machine.row[:]
        trace.enter_phase(procedure, arguments, machine)
        row = machine.row
        self.edits.append({} if row == before else {i: row[i] for i, old in enumerate(before) if row[i] != old})


class Again:
    """A source of chance that repeats outcomes before it draws new ones."""

    def __init__(self, heard: Heard) -> None:
        self._chance, self._counters, self._left = heard.chance, heard.counters, deque(heard.outcomes)

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns a face; see `Chance`."""
        return self._repeated(row) if self._left else self._chance.roll(row, stream, faces)

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns one of the values; see `Chance`."""
        return self._repeated(row) if self._left else self._chance.pick(row, stream, among)

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the things in their new order; see `Chance`."""
        return self._repeated(row) if self._left else self._chance.shuffle(row, stream, kind, things)

    def tell_phase(self, trace: Trace, procedure: int, arguments: tuple[int, ...], machine: Machine) -> None:
        """Tells a trace that a phase begins; it repeats the edits by itself."""
        trace.enter_phase(procedure, arguments, machine)

    def _repeated(self, row: Row) -> Any:
        outcome, row[self._counters] = self._left.popleft()
        return outcome


class Unheard:
    """A trace that passes on all calls but the first ones, and repeats the edits of those."""

    def __init__(self, trace: Trace, told: int, edits: list[Edit]) -> None:
        self._trace, self._told, self._edits = trace, told, deque(edits)

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*arguments: Any) -> object:
            if not self._told:
                return getattr(self._trace, name)(*arguments)
            self._told -= 1
            _repeat_edit(name, arguments, self._edits)
            return None

        return call


class Count:
    """A trace that only counts its calls, and repeats the edits of a listener."""

    def __init__(self, edits: list[Edit]) -> None:
        self.calls = 0
        self._edits = deque(edits)

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*arguments: Any) -> None:
            self.calls += 1
            _repeat_edit(name, arguments, self._edits)

        return call


def _repeat_edit(call: str, arguments: tuple[Any, ...], edits: deque[Edit]) -> None:
    """Writes to the row again what a listener wrote when it was told of a phase."""
    if call == "enter_phase" and edits:
        row: Row = arguments[-1].row
        for slot, value in edits.popleft().items():
            row[slot] = value
