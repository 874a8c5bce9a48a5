"""Beacons, written once more in Python; the example goes in lock step with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

CHAINS = ("red", "gold", "green", "blue", "white")
MOST_HINTS, HAND_SIZE, MOST_BLUNDERS = 8, 4, 3

Card = tuple[str, int]


@attrs.define
class Night:
    """One game; the deck is from its top, and a hand has a place for each of its cards."""

    seats: tuple[str, ...]
    deck: list[Card]
    hands: list[list[Card | None]]
    lit: Counter[str] = attrs.field(factory=Counter)
    hints: int = MOST_HINTS
    blunders: int = 0
    turn: int = 0
    turns_left: int | None = None

    @property
    def is_lost(self) -> bool:
        return self.blunders == MOST_BLUNDERS

    @property
    def is_over(self) -> bool:
        return self.is_lost or self.lit.total() == 25 or self.turns_left == 0

    def options(self) -> Iterator[str]:
        others = [seat for seat in range(len(self.seats)) if seat != self.turn]
        if self.hints:
            for seat in others:
                held = [card for card in self.hands[seat] if card is not None]
                yield from (
                    f"tell_chain({self.seats[seat]}, {c})" for c in CHAINS if any(card[0] == c for card in held)
                )
            for seat in others:
                held = [card for card in self.hands[seat] if card is not None]
                yield from (
                    f"tell_number({self.seats[seat]}, {n})" for n in range(1, 6) if any(card[1] == n for card in held)
                )
        places = [place for place, card in enumerate(self.hands[self.turn], start=1) if card is not None]
        yield from (f"light({place})" for place in places)
        if self.hints < MOST_HINTS:
            yield from (f"spend({place})" for place in places)

    def play(self, answer: str) -> None:
        name, _, rest = answer.rstrip(")").partition("(")
        if name in ("light", "spend"):
            self._card(name, int(rest) - 1)
        else:
            self.hints -= 1
        if self.turns_left is not None:
            self.turns_left -= 1
        elif not self.deck:
            self.turns_left = len(self.seats)
        self.turn = (self.turn + 1) % len(self.seats)

    def _card(self, what: str, place: int) -> None:
        card = self.hands[self.turn][place]
        assert card is not None
        chain, number = card
        if what == "spend":
            self.hints += 1
        elif self.lit[chain] + 1 == number:
            self.lit[chain] = number
            self.hints = min(MOST_HINTS, self.hints + (number == 5))
        else:
            self.blunders += 1
        self.hands[self.turn][place] = self.deck.pop(0) if self.deck else None
