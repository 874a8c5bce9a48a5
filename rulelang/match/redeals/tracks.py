"""The moves of a step -> the things that a seat can no longer tell apart after each move.

north passes one of three cards that south never saw     the three of them are mixed up, unless all could be the same
shuffle(deck)                                            so are all things of the deck
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import attrs

from rulelang.ir.numbers import Seat
from rulelang.knowledge.knowledge import BOX, Knowledge
from rulelang.match.recording.step_record import Passage


@attrs.frozen
class Tracks:
    """The things that each passage of a step mixes up for a seat."""

    merged: tuple[tuple[int, tuple[int, ...]], ...]
    """By passage: the kind, and the things that are mixed up, if any."""

    @property
    def first_merge(self) -> int:
        """The number of the first passage that mixes things up, or of all passages."""
        return next((at for at, (_, things) in enumerate(self.merged) if things), len(self.merged))

    @property
    def last_merge(self) -> int:
        """The number of the last passage that mixes things up; -1 without one."""
        return next((at for at in reversed(range(len(self.merged))) if self.merged[at][1]), -1)


@attrs.define
class _Tracker:
    before: Knowledge
    after: Knowledge
    seat: Seat
    names: Callable[[int, int], int]
    """By kind and thing: the names that it could have before the step."""
    marks: Callable[[int, int], Hashable]
    """By kind and thing: what a seat sees of it wherever it lies."""
    zones: dict[int, list[list[int]]] = attrs.field(factory=dict)

    def merged(self, passage: Passage) -> tuple[int, ...]:
        """Follows a passage; returns the things that it mixes up."""
        kind, bit = passage.kind, 1 << self.seat
        lying = self.before.kinds[kind]
        assert lying is not None
        zones = self.zones.setdefault(kind, [list(zone) for zone in lying.zones])
        is_seen = bool(passage.knowers & bit)
        if passage.what == "shuffle":
            return () if is_seen or len(zones[passage.source]) < 2 else tuple(zones[passage.source])
        if passage.what == "show":
            at = next(at for at, zone in enumerate(zones) if passage.thing in zone)
            return self._mixed(kind, passage.thing, zones[at], lying.forms[at], is_seen=True) if is_seen else ()
        mixed = self._mixed(kind, passage.thing, zones[passage.source], lying.forms[passage.source], is_seen=is_seen)
        zones[passage.source].remove(passage.thing)
        zones[passage.target].insert(len(zones[passage.target]) if passage.end == "bottom" else 0, passage.thing)
        return mixed

    def _mixed(self, kind: int, thing: int, there: list[int], form: str, *, is_seen: bool) -> tuple[int, ...]:
        if form in (BOX, "slot") or (form == "pile" and thing in (there[0], there[-1])):
            return ()
        if is_seen:
            if self._is_known(self.before, kind, thing):
                return ()
            marks = self.marks(kind, thing)
            found = [t for t in there if self.names(kind, t) >> thing & 1 and self.marks(kind, t) == marks]
        else:
            found = [
                t for t in there if not (self._is_known(self.before, kind, t) and self._is_known(self.after, kind, t))
            ]
        return tuple(found) if len({self.names(kind, t) for t in found}) > 1 else ()

    def _is_known(self, knowledge: Knowledge, kind: int, thing: int) -> bool:
        names = knowledge.guesses(self.seat, kind)[thing]
        return not names & names - 1


def tracked(
    before: Knowledge,
    after: Knowledge,
    passages: Sequence[Passage],
    seat: Seat,
    names: Callable[[int, int], int],
    marks: Callable[[int, int], Hashable],
) -> Tracks:
    """Returns the things that a seat cannot tell apart any more, by the knowledge before and after a step and its passages."""
    tracker = _Tracker(before, after, seat, names, marks)
    return Tracks(tuple((passage.kind, tracker.merged(passage)) for passage in passages))
