"""The people at one screen: the news for each of them, and whether the screen must be handed over.

    audience.news(0)          the events since seat 0 was last told
    audience.turns_to(1)      True: the secrets of seat 0 were on the screen

A spectator is None.
"""

from __future__ import annotations

import attrs

from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Event
from rulelang.screens.picture import on_screen

PACE = 0.3
"""The seconds between lines when only bots play and people watch."""


@attrs.define
class Audience:
    """The people at one screen."""

    match: BareMatch
    people: tuple[int, ...]
    """The seats that are played from it."""
    told: dict[int | None, int] = attrs.field(factory=dict)
    """By seat: the number of events that it has been told."""
    looking: int | None = None
    """The seat whose secrets may be on the screen."""
    spoken_of: frozenset[str] = attrs.field(init=False)
    """The variables whose changes are told to people."""

    def __attrs_post_init__(self) -> None:
        self.spoken_of = on_screen(self.match.game)

    def news(self, seat: int | None) -> tuple[Event, ...]:
        """Returns the events a seat has seen since it was last told, and marks them as told."""
        already = min(self.told.get(seat, 0), self.match.event_count)
        self.told[seat] = self.match.event_count
        return self.match.events_for(seat, already)

    def catch_up(self) -> None:
        """Notes, for a game that goes on, that each person was told what had happened before their last choice."""
        last = {answer.seat: before for before, answer in self.match.earlier() if answer.seat in self.people}
        self.told.update({seat: before.event_count for seat, before in last.items()})

    def turns_to(self, seat: int) -> bool:
        """Lets a seat look; returns whether another person's secrets were on the screen before."""
        before, self.looking = self.looking, seat
        return len(self.people) > 1 and before not in (None, seat)
