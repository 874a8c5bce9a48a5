"""The journal of a match, entry by entry, its listeners, and its entries in seat order.

An answer is told as a whole: the entries noted while it is carried out are told at the end. If a listener raises, those
listeners that have a `mark` are set back to it, and the match takes the answer back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, cast

import attrs

from rulelang.match.recording.events import Drawn, Entry, Taken, Undone

Listener: TypeAlias = Callable[[Entry], object]
"""A function that is called with each entry."""


def unheard(entry: Entry) -> None:
    """Hears an entry that nobody waits for."""


class Revocable(Protocol):
    """A listener that can forget entries."""

    def mark(self) -> Any:
        """Returns a mark of its present state."""

    def back_to(self, mark: Any) -> None:
        """Forgets the entries heard since a mark."""


@attrs.frozen(eq=False)
class Page:
    """One entry, linked to the one before it, so that forks share their past."""

    previous: Page | None
    entry: Entry
    inputs: int
    """The number of inputs up to this entry."""


@attrs.define(eq=False)
class Journal:
    """The entries of one match. `inputs` counts choices, random
    outcomes and undos, including those before the first page."""

    page: Page | None = None
    inputs: int = 0
    listeners: list[Listener] = attrs.field(factory=list)
    _told: Page | None = None

    def note(self, entry: Entry) -> None:
        """Adds an entry, which is told later."""
        self.inputs += isinstance(entry, (Taken, Drawn, Undone))
        self.page = Page(self.page, entry, self.inputs)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, in order."""
        return self._since(None)

    @property
    def taken(self) -> Taken | None:
        """The last answer; None if there is none."""
        page = self.page
        while page is not None and not isinstance(page.entry, Taken):
            page = page.previous
        return page.entry if page is not None and isinstance(page.entry, Taken) else None

    def tell(self) -> None:
        """Tells all listeners the entries noted since the last time. If a listener raises, the error is passed on, and
        nobody has heard."""
        news = self._since(self._told) if self.listeners else ()
        # `isinstance` with a protocol would take as long as all the rest.
        found = [one for one in self.listeners if hasattr(one, "mark") and hasattr(one, "back_to")] if news else []
        marks = [(one, one.mark()) for one in cast("list[Revocable]", found)]
        try:
            for entry in news:
                for listener in self.listeners:
                    listener(entry)
        except BaseException:
            for one, mark in marks:
                one.back_to(mark)
            raise
        self._told = self.page

    def back_to(self, page: Page | None, inputs: int) -> None:
        """Removes the entries noted after a page, which have not been told."""
        self.page, self.inputs = page, inputs

    def cut(self, number: int) -> None:
        """Removes an input and all entries after it."""
        while self.page is not None and self.page.inputs >= number:
            self.page = self.page.previous
        self.inputs = number - 1

    def fork(self) -> Journal:
        """Returns a journal with the same entries and no listeners."""
        return Journal(self.page, self.inputs, [], self.page)

    def forget(self) -> None:
        """Tells the last entries and drops all; counting continues."""
        self.tell()
        self.page = self._told = None

    def emptied(self) -> Journal:
        """Returns a journal without entries or listeners that continues to count."""
        return Journal(None, self.inputs)

    def _since(self, told: Page | None) -> tuple[Entry, ...]:
        entries: list[Entry] = []
        page = self.page
        while page is not None and page is not told:
            entries.append(page.entry)
            page = page.previous
        return tuple(reversed(entries))


def in_seat_order(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Returns the entries of a journal with the answers of each sealed round in seat order, so that what is made of them for
    one seat does not tell in which order the others answered.

        blue: 2, red: 1, green: 3               ->  red: 1, blue: 2, green: 3
        blue: 2, red: 1, undo blue's, blue: 3   ->  blue: 2, undo blue's, red: 1, blue: 3

    An answer that was taken back under seal comes before those that stand.
    """
    order, number = _SeatOrder(), 0
    for entry in entries:
        number += isinstance(entry, (Taken, Drawn, Undone))
        if isinstance(entry, Taken) and entry.sealed:
            order.seal(number, entry)
        elif not (isinstance(entry, Undone) and order.takes_back(entry.to)):
            order.end_round()
            order.note(number, entry)
    order.end_round()
    return tuple(order.entries)


@attrs.define
class _SeatOrder:
    """The entries so far, apart from the round of sealed answers that is under way."""

    entries: list[Entry] = attrs.field(factory=list)
    inputs: int = 0
    numbers: dict[int, int] = attrs.field(factory=dict)
    """By input of the journal: its number here; of an answer of a round: that of the round's first."""
    before: dict[int, list[tuple[int, Taken]]] = attrs.field(factory=dict)
    """By answer of a round: those that were given before it in the same round."""
    waiting: list[tuple[int, Taken]] = attrs.field(factory=list)
    """The answers of the round that is under way, with their inputs."""
    dropped: list[Taken] = attrs.field(factory=list)
    """Those of the same round that were taken back."""

    def seal(self, number: int, taken: Taken) -> None:
        """Adds an answer to the round that is under way, or begins one."""
        if any(other.choice != taken.choice or other.seat == taken.seat for _, other in self.waiting):
            self.end_round()
        self.waiting.append((number, taken))

    def takes_back(self, number: int) -> bool:
        """Takes back the answers from an input on if it is one of the round that is under way; returns whether it is."""
        at = next((at for at, (other, _) in enumerate(self.waiting) if other == number), None)
        if at is None:
            return False
        self.dropped += (taken for _, taken in self.waiting[at:])
        self.waiting = self.waiting[:at]
        return True

    def end_round(self) -> None:
        """Tells the round that is under way."""
        given, dropped, self.waiting, self.dropped = self.waiting, self.dropped, [], []
        standing = {taken.seat: taken for _, taken in given}
        for seat in sorted({taken.seat for taken in dropped}):
            mine = [taken for taken in dropped if taken.seat == seat]
            # Given again as it was, it was never another.
            for taken, later in zip(mine, [*mine[1:], standing.get(seat)], strict=True):
                if later is None or later.option != taken.option:
                    self.entries += (taken, Undone(self.inputs + 1))
                    self.inputs += 2
        for at, (number, _) in enumerate(given):
            self.numbers[number], self.before[number] = self.inputs + 1, given[:at]
        self.entries += (standing[seat] for seat in sorted(standing))
        self.inputs += len(standing)

    def note(self, number: int, entry: Entry) -> None:
        """Adds an entry of no round; if it goes back into an earlier one, this is under way again."""
        if isinstance(entry, Undone):
            self.waiting = list(self.before.get(entry.to, ()))
            entry = attrs.evolve(entry, to=self.numbers.get(entry.to, entry.to))
        if isinstance(entry, (Taken, Drawn, Undone)):
            self.inputs += 1
            self.numbers[number] = self.inputs
        self.entries.append(entry)
