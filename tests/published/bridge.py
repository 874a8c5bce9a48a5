"""A deal of contract bridge, written once more in Python; the example goes in lock step with it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

STRAINS = ("in_clubs", "in_diamonds", "in_hearts", "in_spades", "no_trumps")
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")

Card = tuple[str, str]


def bridge_points(level: int, strain: str, stake: int, tricks: int) -> int:
    """The score of a contract without vulnerability, trick by trick, as score cards print it."""
    needed = level + 6
    if tricks < needed:
        doubled = [100, 200, 200, *[300] * 10]
        return -sum(50 if stake == 1 else doubled[trick] * stake // 2 for trick in range(needed - tricks))
    minor = strain in ("in_clubs", "in_diamonds")
    below = sum(20 if minor else 40 if strain == "no_trumps" and not trick else 30 for trick in range(level)) * stake
    over = sum((20 if minor else 30) if stake == 1 else 100 * stake // 2 for _ in range(tricks - needed))
    slam = {6: 500, 7: 1000}.get(level, 0)
    return below + over + (300 if below >= 100 else 50) + slam + {1: 0, 2: 50, 4: 100}[stake]


@attrs.define
class Deal:
    """One deal; seats are 0 to 3, and partners are two apart."""

    hands: list[list[Card]]
    calls: list[str] = attrs.field(factory=list)
    bids: list[tuple[int, int, int]] = attrs.field(factory=list)
    """The bids so far: level, strain, seat."""
    stake: int = 1
    declarer: int | None = None
    trick: list[tuple[int, Card]] = attrs.field(factory=list)
    turn: int = 0
    """Whose call or card is next; the declarer plays for the dummy."""
    taken: list[int] = attrs.field(factory=lambda: [0] * 4)
    is_over: bool = False

    @property
    def dummy(self) -> int | None:
        return None if self.declarer is None else (self.declarer + 2) % 4

    @property
    def asked(self) -> int:
        return self.declarer if self.declarer is not None and self.turn == self.dummy else self.turn

    def options(self) -> set[str]:
        return {*(self._calls() if self.declarer is None else self._cards())}

    def _calls(self) -> Iterator[str]:
        yield "pass_by"
        best = self.bids[-1][:2] if self.bids else (0, 0)
        yield from (
            f"bid({level}, {strain})"
            for level in range(1, 8)
            for at, strain in enumerate(STRAINS)
            if (level, at) > best
        )
        if self.bids:
            is_ours = (self.bids[-1][2] - self.turn) % 2 == 0
            if self.stake == 1 and not is_ours:
                yield "double"
            if self.stake == 2 and is_ours:
                yield "redouble"

    def _cards(self) -> Iterator[str]:
        hand = self.hands[self.turn]
        led = self.trick[0][1][0] if self.trick else None
        following = [card for card in hand if card[0] == led] or hand
        verb = "play_dummy" if self.turn == self.dummy else "play_card"
        yield from (f"{verb}(Card({suit}, {rank}))" for suit, rank in following)

    def play(self, answer: str) -> None:
        if self.declarer is None:
            self._call(answer)
        else:
            self._card(answer)

    def _call(self, call: str) -> None:
        self.calls.append(call)
        if call.startswith("bid"):
            level, strain = call.removeprefix("bid(").rstrip(")").split(", ")
            self.bids.append((int(level), STRAINS.index(strain), self.turn))
            self.stake = 1
        self.stake = {"double": 2, "redouble": 4}.get(call, self.stake)
        self.turn = (self.turn + 1) % 4
        passes = next((n for n, one in enumerate(reversed(self.calls)) if one != "pass_by"), len(self.calls))
        if passes == 4:
            self.is_over = True
        elif passes == 3 and self.bids:
            _, named, bidder = self.bids[-1]
            self.declarer = next(s for _, one, s in self.bids if one == named and (s - bidder) % 2 == 0)
            self.turn = (self.declarer + 1) % 4

    def _card(self, answer: str) -> None:
        suit, rank = answer.partition("(Card(")[2].rstrip(")").split(", ")
        self.hands[self.turn].remove((suit, rank))
        self.trick.append((self.turn, (suit, rank)))
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            trumps, led = STRAINS[self.bids[-1][1]].removeprefix("in_"), self.trick[0][1][0]
            self.turn, _ = max(
                self.trick, key=lambda one: (one[1][0] == trumps, one[1][0] == led, RANKS.index(one[1][1]))
            )
            self.taken[self.turn] += 1
            self.trick.clear()
            self.is_over = not any(self.hands)

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat, once the last card is played."""
        if self.declarer is None or self.dummy is None:
            return (0,) * 4
        level, strain, _ = self.bids[-1]
        made = bridge_points(level, STRAINS[strain], self.stake, self.taken[self.declarer] + self.taken[self.dummy])
        return tuple(max(0, made if (seat - self.declarer) % 2 == 0 else -made) for seat in range(4))
