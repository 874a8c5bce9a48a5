"""A page that is open at a table: for one seat, for the spectators, or for several people who share a screen.

page.hand_over(asked={"seat 1"}, hides=True)      the page waits until seat 1 sits down at it
"""

from __future__ import annotations

import asyncio
from collections.abc import Container
from typing import Any

import attrs


@attrs.define(eq=False)
class OpenPage:
    """One page, and the messages that wait for it."""

    seats: tuple[str, ...]
    """Those who sit at it: `seat 0`, or the spectators."""
    present: str
    """The one of them who looks at it now."""
    waits_for: str = ""
    """The one to whom it is to be handed over: until they say so, it shows nothing of the table."""
    shown: str = ""
    queue: asyncio.Queue[dict[str, Any]] = attrs.field(factory=asyncio.Queue)

    @classmethod
    def of(cls, seats: tuple[str, ...]) -> OpenPage:
        """Returns a page at which the first of some people looks."""
        return cls(seats, seats[0])

    def hand_over(self, asked: Container[str], *, hides: bool) -> None:
        """Hands the page over to one of its people who is asked, if the one who looks at it is not.

        Where the game hides nothing, the page turns by itself.
        """
        self.waits_for = ""
        if self.present in asked:
            return
        other = next((seat for seat in self.seats if seat in asked), None)
        if other is not None and hides:
            self.waits_for = other
        elif other is not None:
            self.present = other

    def sit(self) -> None:
        """Lets the one for whom it waits look at it."""
        if self.waits_for:
            self.present, self.waits_for = self.waits_for, ""
