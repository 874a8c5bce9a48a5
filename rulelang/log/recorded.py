"""Chance that repeats a log's random outcomes.

Recorded    exactly the log's outcomes: for replaying a log by its own rules
Led         for other rules: recorded outcomes come first, impossible ones are `missed`, the seed supplies the rest

    the log rolled a 3       a 3 comes, if the die still has one
    a pile has a new card    the others keep their order, the seed places the new card
    one more roll            the seed supplies it, from a separate stream while the log goes on

So chance stays the same wherever its meaning does. Outcomes are found by stream, answer by answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.picks import thrown_from
from rulelang.log.steps import LogLine
from rulelang.machines.chance import Scripted, Seeded, WantedResult
from rulelang.machines.machine import Chance
from rulelang.program.layout import Layout

BEYOND = "beyond the log"
"""The name added to the seed for extra draws between those of the log."""


class Recorded(Scripted):
    """Chance that gives a log's outcomes for one step, then the seed's.

    `picks` is the kind of thing that each stream picks (see `ir.picks`).
    """

    def __init__(self, seed: int | str | None, game: GameRules, layout: Layout, picks: Mapping[int, int]) -> None:
        super().__init__(Seeded(0 if seed is None else seed, game, layout), game, layout)
        self.layout = layout
        self._picks = picks

    def lead(self, row: Row, lines: Iterable[LogLine]) -> None:
        """Takes the outcomes of the step that begins at a row; those of the step before are dropped.

        Raises ImpossibleOutcome for a stream that the game does not have.
        """
        self.forget()
        for line in lines:
            if not stream_of(line) or not {"face", "value", "order"} & line.record.keys():
                continue
            self.then(row, stream_of(line), self._wanted(line))

    def gave(self, drawn: Sequence[tuple[str, int, int | tuple[int, ...]]], lines: Iterable[LogLine]) -> bool:
        """Returns whether the draws of a step agree with its lines."""
        told = [line for line in lines if stream_of(line)]
        return len(told) == len(drawn) and all(
            self._game.streams[stream] == stream_of(line)
            and {"face", "value", "order"} & line.record.keys()
            and _fits(self._wanted(line), outcome)
            for line, (_, stream, outcome) in zip(told, drawn, strict=True)
        )

    def _wanted(self, line: LogLine) -> WantedResult:
        """Returns the outcome of a line as values of this game; things are matched by their written names."""
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
    """Chance led by a log. `missed` collects, in words, the outcomes of the step that were impossible."""

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
        """Takes the outcomes of the next answer.

        Throws for what the game does not have wait for throws of that die for what the log does not have; other outcomes
        of such streams are left out.
        """
        self.missed.clear()
        known, others = list[LogLine](), list[LogLine]()
        for line in lines:
            (known if stream_of(line) in self._game.streams else others).append(line)
        super().lead(row, known)
        for line in others:
            if line.what == "roll" and "face" in line.record:
                dice = thrown_from(self._game, line.record["die"])
                new = frozenset(stream for stream in dice if not self._had[stream])
                self.wait(new, (frozenset((line.record["face"],)),))

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the seed's order, with the things that the log knows swapped into their recorded order."""
        wanted = self.wanted(row, stream)
        order = self.otherwise(row, stream).shuffle(row, stream, kind, things)
        known: list[int] = []
        for among in wanted.results if wanted is not None else ():
            known += [thing for thing in order if thing in among and thing not in known][:1]
        places, led = set(known), iter(known)
        return [next(led) if thing in places else thing for thing in order]

    def otherwise(self, row: Row, stream: int) -> Chance:
        """Returns the seed's own chance for draws beyond the log's, and another for extra draws in between."""
        is_between = self.wanted(row, stream) is None and row[self._counters + stream] < self._had[stream]
        return self._beyond if is_between else self.base

    def refuse(self, stream: int, wanted: WantedResult) -> None:
        """Notes that a result is impossible."""
        self.missed.append(f"`{self._game.streams[stream]}` cannot give {wanted.text}")


def _fits(wanted: WantedResult, outcome: int | tuple[int, ...]) -> bool:
    things = (outcome,) if isinstance(outcome, int) else outcome
    return len(things) == len(wanted.results) and all(map(frozenset.__contains__, wanted.results, things))


def _named(names: tuple[str, ...], name: str) -> frozenset[int]:
    return frozenset(thing for thing, other in enumerate(names) if other == name)


def stream_of(line: LogLine) -> str:
    """Returns the stream of an outcome; "" for other lines."""
    if line.what == "roll":
        return " ".join(str(line.record[part]) for part in ("die", "for") if part in line.record)
    return str(line.record["stream"]) if line.what in ("pick", "shuffle") else ""
