"""A position -> what one seat may know of it: a value that can be compared, and nothing else to look at.

    red's view       red.tokens: nitro, fuel_tank      blue.tokens: 2 backs      bonuses: 11 backs

Two positions that differ only in what a seat may not know give that seat equal views.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.runtime.events import Event, Outcome
from rulelang.runtime.option import Option


@attrs.frozen
class Seen:
    """A variable and its value, as number and in words; no value where only its name is known."""

    name: str
    value: int | None
    text: str


@attrs.frozen
class Heap:
    """A zone and what lies in it: the name of each thing that is known, None for a back; a pile's from the top."""

    name: str
    kind: str
    form: str
    things: tuple[str | None, ...]

    @property
    def count(self) -> int:
        """How many things lie there: public."""
        return len(self.things)


@attrs.frozen
class View:
    """What a seat may know (None: what a spectator may)."""

    seat: int | None
    seats: tuple[str, ...]
    to_move: tuple[int, ...]
    prompt: str
    options: tuple[Option, ...]
    answered: tuple[int, ...]
    """Seats whose answers lie sealed."""
    answer: str | None
    """This seat's own sealed answer."""
    variables: tuple[Seen, ...]
    zones: tuple[Heap, ...]
    events: tuple[Event, ...]
    outcome: Outcome | None

    def __getitem__(self, name: str) -> Seen | Heap:
        """Gives a variable or zone by its written name: `view["red.fuel"]`; KeyError where it is not in sight."""
        for part in self._named():
            if part.name == name:
                return part
        raise KeyError(name)

    def _named(self) -> Iterator[Seen | Heap]:
        yield from self.variables
        yield from self.zones
