"""Under the Ice, written once more in Python; the example goes in lock step with it."""

from __future__ import annotations

from itertools import combinations

import attrs

MOST_REFUSED, LAST_DIVE, DECISIVE = 5, 5, 3


@attrs.define
class Station:
    """One game: a leader names a team, all vote, and a team that most are for dives."""

    seats: tuple[str, ...]
    saboteurs: frozenset[str]
    leader: int
    dive: int = 1
    refused: int = 0
    mended: int = 0
    spoilt: int = 0

    @property
    def divers(self) -> int:
        many = len(self.seats) > 6
        return {1: 3 if many else 2, LAST_DIVE: 5 if many else 3}.get(self.dive, 4 if many else 3)

    def teams(self) -> list[str]:
        return [f"{{{', '.join(team)}}}" for team in combinations(self.seats, self.divers)]

    def voted(self, in_favour: int) -> bool:
        """Notes a vote; returns whether the team dives."""
        self.leader = (self.leader + 1) % len(self.seats)
        dives = 2 * in_favour > len(self.seats)
        self.refused = 0 if dives else self.refused + 1
        return dives

    def worked(self, cuts: int) -> None:
        self.spoilt, self.mended = self.spoilt + (cuts > 0), self.mended + (cuts == 0)
        self.dive = min(self.dive + 1, LAST_DIVE)

    @property
    def winners(self) -> frozenset[str] | None:
        """Who has won; None while nobody has."""
        if self.mended == DECISIVE:
            return frozenset(self.seats) - self.saboteurs
        return self.saboteurs if self.spoilt == DECISIVE or self.refused == MOST_REFUSED else None
