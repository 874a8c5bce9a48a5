"""What a scenario lets come up first, then another chance.

    roll yellow 3, 1     the next two throws of that die
    draw nitro           the next random pick among tokens gives a nitro, or the next shuffle of tokens brings one to the top

Lines wait in their order, each die and each kind of thing by itself. What cannot come now (another pile is shuffled
first) goes on waiting.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.ir.scenarios import Draw, Throw
from rulelang.machines.machine import Chance, Row
from rulelang.program.layout import Layout


@attrs.define
class _Waiting:
    """A line with what has not come yet: faces, or masks of things."""

    line: Throw | Draw
    left: list[int]


@attrs.define
class Queued:
    """A `Chance` with a queue before it. `kinds` gives, by stream, the kind of things that are picked.

    `open` says that something was left to chance: another seed may give another game.
    """

    base: Chance
    layout: Layout
    streams: tuple[str, ...]
    kinds: Mapping[int, int]
    open: bool = False
    _queue: list[_Waiting] = attrs.field(factory=list)

    def then(self, line: Throw | Draw) -> None:
        """Lets the results of a line come after those that wait already."""
        self._queue.append(_Waiting(line, list(line.faces if isinstance(line, Throw) else line.items)))

    def unused(self) -> list[Throw | Draw]:
        """Returns the lines of which something never came."""
        return [waiting.line for waiting in self._queue if waiting.left]

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the next face that waits for the die, else the base's."""
        for waiting in self._queue:
            if isinstance(waiting.line, Throw) and waiting.line.die == self.streams[stream] and waiting.left:
                self._count(row, stream)
                return waiting.left.pop(0)
        self.open = True
        return self.base.roll(row, stream, faces)

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the lowest of what waits first, else the base's."""
        waiting = self._next(self.kinds.get(stream))
        found = [value for value in among if waiting is not None and value >= 0 and waiting.left[0] >> value & 1]
        if waiting is not None and found:
            self._count(row, stream)
            waiting.left.pop(0)
            return found[0]
        self.open = self.open or len(among) > 1
        return self.base.pick(row, stream, among)

    def shuffle(self, row: Row, stream: int, kind: int, things: list[int]) -> list[int]:
        """Returns the base's order, with what waits first brought to the top."""
        order = self.base.shuffle(row, stream, kind, things)
        self.open = self.open or len(things) > 1
        waiting = self._next(kind)
        top: list[int] = []
        for mask in waiting.left if waiting is not None else ():
            thing = next((t for t in order if mask >> t & 1 and t not in top), None)
            if thing is None:
                return order
            top.append(thing)
        if waiting is not None:
            waiting.left.clear()
        return top + [thing for thing in order if thing not in top]

    def _next(self, kind: int | None) -> _Waiting | None:
        fitting = (w for w in self._queue if isinstance(w.line, Draw) and w.line.kind == kind and w.left)
        return next(fitting, None)

    def _count(self, row: Row, stream: int) -> None:
        row[self.layout.counters + stream] += 1
