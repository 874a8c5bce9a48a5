"""A log's random outcomes -> chance for a game by other rules: what came once leads, the seed gives the rest.

    the log threw a 3        a 3 comes, if the die still has one
    a pile has a new card    the others lie as they lay, the new card where the seed puts it
    one throw more           the seed gives it, from a stream of its own while the log goes on

So chance stays the same where it means the same. Outcomes are found by their stream, one answer's after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rulelang.ir.model import Game
from rulelang.log.steps import Line
from rulelang.machines.chance import Seeded
from rulelang.machines.machine import Row
from rulelang.program.layout import Layout

BEYOND = "beyond the log"
"""What is added to the seed for draws between those of the log, which have the seed's own."""


class Recorded:
    """Chance that is led by a log. `missed` are outcomes of the log that could not come, in words, as they are met."""

    def __init__(self, seed: int | str | None, game: Game, layout: Layout, lines: Iterable[Line]) -> None:
        self._game, self._layout = game, layout
        self._counters = layout.counters
        self._seeded = Seeded(0 if seed is None else seed, game, layout)
        self._beyond = Seeded(f"{seed} {BEYOND}", game, layout)
        had = Counter(stream_of(line) for line in lines if line.what in ("roll", "pick", "shuffle"))
        self._had = [had[name] for name in game.streams]
        self._now: dict[tuple[int, int], Mapping[str, Any]] = {}
        self.missed: list[str] = []

    def lead(self, row: Row, lines: Iterable[Line]) -> None:
        """Takes the outcomes of the answer that is about to be given in a row; those of the one before are over."""
        self._now.clear()
        self.missed.clear()
        counts: Counter[int] = Counter()
        for line in lines:
            name = stream_of(line)
            if name in self._game.streams and {"face", "value", "order"} & line.record.keys():
                stream = self._game.streams.index(name)
                self._now[stream, row[self._counters + stream] + counts[stream]] = line.record
                counts[stream] += 1

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the face of the log, else one from the seed."""
        record = self._record(row, stream)
        if record is not None and record.get("face") in faces:
            row[self._counters + stream] += 1
            return int(record["face"])
        self._miss(record, "face")
        return self._rest(row, stream, record).roll(row, stream, faces)

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns what the log picked, else what the seed does."""
        record = self._record(row, stream)
        if record is not None:
            kind = self._layout.picked.get(stream)
            names = self._game.kinds[kind].names if kind is not None else ()
            for value in among:
                if record.get("value") == (names[value] if 0 <= value < len(names) else str(value)):
                    row[self._counters + stream] += 1
                    return value
        self._miss(record, "value")
        return self._rest(row, stream, record).pick(row, stream, among)

    def shuffle(self, row: Row, stream: int, kind: int, things: list[int]) -> list[int]:
        """Returns the seed's order, in which the things that the log knows have changed places to lie as they did
        there."""
        record = self._record(row, stream)
        order = self._rest(row, stream, record).shuffle(row, stream, kind, things)
        if record is None:
            return order
        names, by_name = self._game.kinds[kind].names, dict[str, list[int]]()
        for thing in order:
            by_name.setdefault(names[thing], []).append(thing)
        known = [by_name[name].pop(0) for name in record.get("order", ()) if by_name.get(name)]
        places, led = set(known), iter(known)
        return [next(led) if thing in places else thing for thing in order]

    def _record(self, row: Row, stream: int) -> Mapping[str, Any] | None:
        return self._now.get((stream, row[self._counters + stream]))

    def _rest(self, row: Row, stream: int, record: Mapping[str, Any] | None) -> Seeded:
        """Returns the seed's own chance for draws that the seed had not given the log; another for those between."""
        is_between = record is None and row[self._counters + stream] < self._had[stream]
        return self._beyond if is_between else self._seeded

    def _miss(self, record: Mapping[str, Any] | None, field: str) -> None:
        if record is not None:
            self.missed.append(f"`{record.get('die') or record.get('stream')}` cannot give {record.get(field)}")


def stream_of(line: Line) -> str:
    """Returns the stream that an outcome came from; "" for other lines."""
    if line.what == "roll":
        return str(line.record["die"])
    return str(line.record["stream"]) if line.what in ("pick", "shuffle") else ""
