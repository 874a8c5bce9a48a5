"""The journal of a match, entry by entry, and its listeners.

An answer is told as a whole: the entries noted while it is carried out are told at the end. If a listener raises, those
listeners that have a `mark` are set back to it, and the match takes the answer back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, cast

import attrs

from rulelang.match.recording.events import Drawn, Entry, Taken, Undone

Listener: TypeAlias = Callable[[Entry], object]
"""A function that is called with each entry."""


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
    """The entries of one match. `inputs` counts choices, random outcomes and undos, including those before the first
    page."""

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
