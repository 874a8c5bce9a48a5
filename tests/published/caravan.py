"""Caravan, written once more in Python; the example goes in lock step with it. Which cards are drawn is chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from itertools import product
from typing import TypeAlias

import attrs

WARES = {
    "bead": (46, 0, 1, 0), "silver": (30, 3, 2, 0), "gold": (20, 6, 3, 0), "tent": (20, 2, 0, 1), "khan": (8, 5, 0, 3),
    "palace": (8, 8, 0, 6), "sand": (20, 0, 0, -1), "well": (8, 4, 0, 0), "oasis": (8, 3, 0, 0), "fair": (8, 5, 0, 0),
    "mule": (8, 3, 0, 0), "porter": (8, 2, 0, 0), "fire": (8, 2, 0, 0), "smith": (8, 4, 0, 0), "bandits": (8, 4, 0, 0),
    "guard": (8, 2, 0, 0), "gossip": (8, 5, 0, 0), "feast": (8, 5, 0, 0), "barter": (8, 3, 0, 0),
}  # fmt: skip
"""By ware: how many there are, the price, the coins, the points."""
ACTS = tuple(WARES)[7:]


@attrs.frozen
class Asked:
    """A question: the answers to it, or for a set of cards, how many there are."""

    seat: int
    options: frozenset[str] = frozenset()
    many: int = 0


Course: TypeAlias = Generator[Asked, str, None]


def sets_of(hand: Counter[str], fits: Callable[[int], bool]) -> int:
    """How many sets of cards there are in a hand, of the sizes that fit; cards of one ware are alike."""
    return sum(fits(sum(each)) for each in product(*(range(many + 1) for many in hand.values())))


def named(answer: str) -> list[str]:
    """The wares of a set as it is written."""
    return [name for name in answer.strip("{}").split(", ") if name]


@attrs.define
class Trader:
    """One player; what is in the deck is known, but not in which order."""

    deck: Counter[str]
    hand: Counter[str] = attrs.field(factory=Counter)
    played: Counter[str] = attrs.field(factory=Counter)
    discards: Counter[str] = attrs.field(factory=Counter)
    turns: int = 0

    @property
    def points(self) -> int:
        return sum(
            WARES[name][3] for pile in (self.deck, self.hand, self.played, self.discards) for name in pile.elements()
        )


@attrs.define
class Bazaar:
    """One game. `drawn` are the cards that each seat draws in the present step, in order."""

    traders: list[Trader]
    left: Counter[str]
    drawn: list[list[str]]
    actions: int = 1
    purchases: int = 1
    coins: int = 0

    @classmethod
    def begun(cls, hands: list[list[str]]) -> Bazaar:
        left = Counter({name: many for name, (many, *_) in WARES.items()})
        traders = []
        for hand in hands:
            left.subtract({"bead": 7, "tent": 3})
            traders.append(Trader(Counter({"bead": 7, "tent": 3}) - Counter(hand), Counter(hand)))
        return cls(traders, left, [[] for _ in hands])

    def course(self) -> Course:
        """Yields the questions of a game; it is sent the answers."""
        while True:
            for seat in range(len(self.traders)):
                yield from self._turn(seat)
                if not self.left["palace"] or sum(not self.left[name] for name in WARES) >= 3:
                    return

    def _turn(self, seat: int) -> Course:
        own = self.traders[seat]
        self.actions, self.purchases, self.coins = 1, 1, 0
        while self.actions:
            answer = yield Asked(seat, frozenset({"stop", *(f"act({name})" for name in +own.hand if name in ACTS)}))
            if answer == "stop":
                break
            name = answer.removeprefix("act(").rstrip(")")
            own.hand[name] -= 1
            own.played[name] += 1
            self.actions -= 1
            yield from self._use(seat, name)
        self.coins += sum(WARES[name][2] for name in own.hand.elements())
        while self.purchases:
            fits = (name for name in self._for_sale() if WARES[name][1] <= self.coins)
            answer = yield Asked(seat, frozenset({"stop", *(f"buy({name})" for name in fits)}))
            if answer == "stop":
                break
            name = answer.removeprefix("buy(").rstrip(")")
            self.coins -= WARES[name][1]
            self.purchases -= 1
            self._take(seat, name)
        own.turns += 1
        own.discards += own.hand + own.played
        own.hand, own.played = Counter(), Counter()
        self._draw(seat, 5)

    def _for_sale(self) -> list[str]:
        return [name for name in WARES if name != "sand" and self.left[name]]

    def _take(self, seat: int, name: str) -> None:
        if self.left[name]:
            self.left[name] -= 1
            self.traders[seat].discards[name] += 1

    def _draw(self, seat: int, many: int) -> None:
        own = self.traders[seat]
        for _ in range(many):
            if not own.deck.total():
                own.deck, own.discards = own.discards, Counter()
            if not own.deck.total():
                return
            name = self.drawn[seat].pop(0)
            assert own.deck[name] > 0
            own.deck[name] -= 1
            own.hand[name] += 1

    def _others(self, seat: int) -> list[int]:
        """The other seats that a guard does not shield, from the next on."""
        after = [(seat + step) % len(self.traders) for step in range(1, len(self.traders))]
        return [other for other in after if not self.traders[other].hand["guard"]]

    def _use(self, seat: int, name: str) -> Course:
        own = self.traders[seat]
        self.actions += {"oasis": 2, "fair": 2, "mule": 1, "porter": 1}.get(name, 0)
        self.purchases += name in ("fair", "feast")
        self.coins += {"fair": 2, "mule": 1, "bandits": 2}.get(name, 0)
        self._draw(seat, {"well": 3, "oasis": 1, "mule": 1, "guard": 2, "gossip": 2, "feast": 4}.get(name, 0))
        match name:
            case "porter" | "fire":
                most = 4 if name == "fire" else own.hand.total()
                some = named((yield Asked(seat, many=sets_of(+own.hand, lambda size: size <= most))))
                own.hand.subtract(some)
                if name == "porter":
                    own.discards.update(some)
                    self._draw(seat, len(some))
            case "smith":
                burnt = yield Asked(seat, frozenset({"pass", *(+own.hand)}))
                if burnt != "pass":
                    own.hand[burnt] -= 1
                    yield from self._choose_up_to(seat, WARES[burnt][1] + 2)
            case "bandits":
                for other in self._others(seat):
                    theirs = self.traders[other]
                    if (more := theirs.hand.total() - 3) > 0:
                        some = named((yield Asked(other, many=sets_of(+theirs.hand, more.__eq__))))
                        theirs.hand.subtract(some)
                        theirs.discards.update(some)
            case "gossip":
                for other in self._others(seat):
                    self._take(other, "sand")
            case "feast":
                for other in range(len(self.traders)):
                    self._draw(other, int(other != seat))
            case "barter":
                yield from self._choose_up_to(seat, 4)
            case _:  # what only draws, or gives actions, purchases and coins
                pass

    def _choose_up_to(self, seat: int, limit: int) -> Course:
        fits = (name for name in self._for_sale() if WARES[name][1] <= limit)
        answer = yield Asked(seat, frozenset({"pass", *fits}))
        if answer != "pass":
            self._take(seat, answer)

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        worth = [(-one.points, one.turns) for one in self.traders]
        return tuple(tuple(seat for seat, own in enumerate(worth) if own == best) for best in sorted(set(worth)))
