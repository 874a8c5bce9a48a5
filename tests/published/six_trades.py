"""Six Trades, written once more in Python; the example goes in lock step with it."""

from __future__ import annotations

import attrs

TRADES = ("guard", "thief", "merchant", "quarryman", "beggar", "builder")
GOAL, LAST_ROUND = 5, 15


@attrs.define
class Citizen:
    """What one player has."""

    coins: int = 3
    stones: int = 0
    houses: int = 0
    last: str | None = None


@attrs.define
class Town:
    """One game, round by round."""

    citizens: list[Citizen]
    rounds: int = 0

    @property
    def is_over(self) -> bool:
        return self.rounds == LAST_ROUND or any(one.houses == GOAL for one in self.citizens)

    def allowed(self, seat: int) -> list[str]:
        return [trade for trade in TRADES if trade != self.citizens[seat].last]

    def work(self, chosen: list[str]) -> None:
        """Carries out the trades of all, one trade after another, by seat."""
        self.rounds += 1
        for trade in TRADES:
            those = [seat for seat, own in enumerate(chosen) if own == trade]
            for seat in those:
                self._one(seat, trade, len(those), chosen)
        for citizen, trade in zip(self.citizens, chosen, strict=True):
            citizen.last = trade

    def _one(self, seat: int, trade: str, company: int, chosen: list[str]) -> None:
        own = self.citizens[seat]
        match trade:
            case "guard" if "thief" in chosen:
                self._take(seat, "thief", chosen)
            case "guard":
                own.coins += 1
            case "thief" if "guard" not in chosen:
                self._take(seat, "merchant", chosen)
            case "merchant":
                own.coins += 8 // company
            case "quarryman":
                own.stones += 3 if company == 1 else 2
            case "beggar":
                # Who has more is looked at when the turn comes to them: the beggar grows richer on the way.
                for other in self.citizens:
                    if other.coins > own.coins:
                        other.coins -= 1
                        own.coins += 1
            case "builder" if own.stones >= 2 and own.coins >= (wages := 2 if company == 1 else 3):
                own.stones, own.coins, own.houses = own.stones - 2, own.coins - wages, own.houses + 1
            case _:  # a thief where a guard is, or a builder who cannot pay
                pass

    def _take(self, seat: int, trade: str, chosen: list[str]) -> None:
        for other, theirs in enumerate(chosen):
            if theirs == trade:
                paid = min(2, self.citizens[other].coins)
                self.citizens[other].coins -= paid
                self.citizens[seat].coins += paid

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        worth = [(-one.houses, -one.coins) for one in self.citizens]
        return tuple(tuple(seat for seat, own in enumerate(worth) if own == best) for best in sorted(set(worth)))
