"""A step that waits for chance -> the possible outcomes with their probabilities, in words.

roll(d6)      Possible(1, 1/6, "d6 -> 1") … Possible(6, 1/6, "d6 -> 6")

A shuffle that is settled late was recorded when nobody had asked what lies where: in any order. What is read of the record
later is as it has come out since, so that a log plays again in a match that deals all cards when it shuffles.

shuffle deck -> a b c d       c was drawn since: shuffle deck -> c b a d
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import attrs

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row
from rulelang.ir.picks import told_name
from rulelang.machines.explicit import NeedsChance
from rulelang.match.recording.events import Drawn, Entry
from rulelang.match.recording.step_record import Trail
from rulelang.program.equivalence import OpenOrders
from rulelang.program.layout import Layout


@attrs.frozen
class Possible:
    """A possible random outcome and its probability."""

    outcome: int
    probability: Fraction
    text: str


def possible(needs: NeedsChance, game: GameRules, picks: Mapping[int, int]) -> tuple[Possible, ...]:
    """Returns the possible outcomes; `picks` are the kinds of things that streams pick (see `ir.picks`)."""
    name = told_name(game, needs.stream)
    kinds = {f"shuffle {zone.name}": zone.kind for zone in game.zones if zone.form == "pile"}
    kind = kinds.get(name, picks.get(needs.stream))

    def text(outcome: int) -> str:
        return f"{name} -> {outcome if kind is None else game.kinds[kind].names[outcome]}"

    return tuple(Possible(outcome, likely, text(outcome)) for outcome, likely in needs.outcomes)


def as_settled(
    entries: tuple[Entry, ...], orders: OpenOrders, game: GameRules, row: Row, layout: Layout, ahead: int = 0
) -> tuple[Entry, ...]:
    """Returns the entries of a journal, the last draw of each stream being the last that the row has counted; the last
    draws, `ahead` of them, are not counted in it yet."""
    if not orders.shuffles:
        return entries
    streams = {name: stream for stream, name in enumerate(game.streams)}
    kinds = {streams[f"shuffle {z.name}"]: z.kind for z in game.zones if f"shuffle {z.name}" in streams}
    drawn = [streams.get(entry.stream, -1) for entry in entries if isinstance(entry, Drawn)]
    numbers = iter(_numbers(drawn, row, layout, ahead))
    found: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Drawn):
            stream = streams.get(entry.stream, -1)
            order = orders.shuffles.get((stream, next(numbers)))
            if order is not None:
                names = game.kinds[kinds[stream]].names
                entry = attrs.evolve(entry, values=tuple(names[thing] for thing in order))
        found.append(entry)
    return tuple(found)


def trails_settled(trails: Sequence[Trail], orders: OpenOrders, row: Row, layout: Layout) -> list[Trail]:
    """Returns the trails of all steps, likewise."""
    if not orders.shuffles:
        return list(trails)
    numbers = iter(_numbers([draw.stream for trail in trails for draw in trail.draws], row, layout))
    settled: list[Trail] = []
    for trail in trails:
        draws = (
            attrs.evolve(draw, value=orders.shuffles.get((draw.stream, next(numbers)), draw.value))
            for draw in trail.draws
        )
        settled.append(attrs.evolve(trail, draws=tuple(draws)))
    return settled


def _numbers(streams: Sequence[int], row: Row, layout: Layout, ahead: int = 0) -> list[int]:
    """Returns the number of earlier draws of its stream for each of some draws; the last `ahead` of them are not counted in
    the row yet."""
    left, numbers = Counter(streams[: len(streams) - ahead]), list[int]()
    for stream in streams:
        numbers.append(row[layout.counters + stream] - left[stream] if stream >= 0 else -1)
        left[stream] -= 1
    return numbers
