"""A log's random outcomes -> chance that gives them again.

Recorded    the log's outcomes, or none: for a log that is played again by its own rules
Led         for other rules: what came once leads, what cannot come is `missed`, the seed gives the rest

    the log threw a 3        a 3 comes, if the die still has one
    a pile has a new card    the others lie as they lay, the new card where the seed puts it
    one throw more           the seed gives it, from a stream of its own while the log goes on

So chance stays the same where it means the same. Outcomes are found by their stream, one answer's after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.log.steps import LogLine
from rulelang.machines.chance import Scripted, Seeded, WantedResult
from rulelang.machines.machine import Chance
from rulelang.program.layout import Layout

BEYOND = "beyond the log"
"""What is added to the seed for draws between those of the log, which have the seed's own."""


class Recorded(Scripted):
    """Chance that gives what a log says for one step, then what the seed says.

    `picks` says by stream what kind of thing it picks (see `ir.picks`).
    """

    def __init__(self, seed: int | str | None, game: GameRules, layout: Layout, picks: Mapping[int, int]) -> None:
        super().__init__(Seeded(0 if seed is None else seed, game, layout), game, layout)
        self.layout = layout
        self._picks = picks

    def lead(self, row: Row, lines: Iterable[LogLine]) -> None:
        """Takes the outcomes of the step that begins at a row; those of the one before are over.

        Raises ImpossibleOutcome for a stream that the game has not.
        """
        self.forget()
        for line in lines:
            if not stream_of(line) or not {"face", "value", "order"} & line.record.keys():
                continue
            self.then(row, stream_of(line), self._wanted(line))

    def gave(self, drawn: Sequence[tuple[str, int, int | tuple[int, ...]]], lines: Iterable[LogLine]) -> bool:
        """Tells whether what was drawn in a step is what its lines tell."""
        told = [line for line in lines if stream_of(line)]
        return len(told) == len(drawn) and all(
            self._game.streams[stream] == stream_of(line)
            and {"face", "value", "order"} & line.record.keys()
            and _fits(self._wanted(line), outcome)
            for line, (_, stream, outcome) in zip(told, drawn, strict=True)
        )

    def _wanted(self, line: LogLine) -> WantedResult:
        """Returns what is to come, as values of this game: things by how they are written."""
        name, record = stream_of(line), line.record
        if line.what == "roll":
            return WantedResult((frozenset((record["face"],)),), str(record["face"]))
        if line.what == "pick":
            return WantedResult((self._picked(name, record["value"]),), record["value"])
        kinds = (zone.kind for zone in self._game.zones if f"shuffle {zone.name}" == name)
        things = tuple(_named(self._game.kinds[kind].names, thing) for kind in kinds for thing in record["order"])
        return WantedResult(things, ", ".join(record["order"]))

    def _picked(self, name: str, value: str) -> frozenset[int]:
        stream = self._game.streams.index(name) if name in self._game.streams else -1
        if stream in self._picks:
            return _named(self._game.kinds[self._picks[stream]].names, value)
        is_number = value.removeprefix("-").isdecimal() and len(value) < 12
        return frozenset((int(value),)) if is_number else frozenset()


class Led(Recorded):
    """Chance that is led by a log. `missed` are outcomes of the step that could not come, in words, as they are met."""

    def __init__(
        self,
        seed: int | str | None,
        game: GameRules,
        layout: Layout,
        picks: Mapping[int, int],
        lines: Iterable[LogLine],
    ) -> None:
        super().__init__(seed, game, layout, picks)
        self._beyond = Seeded(f"{seed} {BEYOND}", game, layout)
        had = Counter(stream_of(line) for line in lines)
        self._had = [had[name] for name in game.streams]
        self.missed: list[str] = []

    def lead(self, row: Row, lines: Iterable[LogLine]) -> None:
        """Takes the outcomes of the answer that is about to be given in a row, but for streams that the game has not."""
        self.missed.clear()
        super().lead(row, (line for line in lines if stream_of(line) in self._game.streams))

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the seed's order, in which the things that the log knows have changed places to lie as they did
        there."""
        wanted = self.wanted(row, stream)
        order = self.otherwise(row, stream).shuffle(row, stream, kind, things)
        known: list[int] = []
        for among in wanted.results if wanted is not None else ():
            known += [thing for thing in order if thing in among and thing not in known][:1]
        places, led = set(known), iter(known)
        return [next(led) if thing in places else thing for thing in order]

    def otherwise(self, row: Row, stream: int) -> Chance:
        """Returns the seed's own chance for draws that the seed had not given the log; another for those between."""
        is_between = self.wanted(row, stream) is None and row[self._counters + stream] < self._had[stream]
        return self._beyond if is_between else self.base

    def refuse(self, stream: int, wanted: WantedResult) -> None:
        """Notes that a result cannot come."""
        self.missed.append(f"`{self._game.streams[stream]}` cannot give {wanted.text}")


def _fits(wanted: WantedResult, outcome: int | tuple[int, ...]) -> bool:
    things = (outcome,) if isinstance(outcome, int) else outcome
    return len(things) == len(wanted.results) and all(map(frozenset.__contains__, wanted.results, things))


def _named(names: tuple[str, ...], name: str) -> frozenset[int]:
    return frozenset(thing for thing, other in enumerate(names) if other == name)


def stream_of(line: LogLine) -> str:
    """Returns the stream that an outcome came from; "" for other lines."""
    if line.what == "roll":
        return str(line.record["die"])
    return str(line.record["stream"]) if line.what in ("pick", "shuffle") else ""
