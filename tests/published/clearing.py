"""Clearing, written once more in Python; the example goes in lock step with it. Which card a cuckoo takes is chance."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

import attrs

CARDS = {
    "bramble": ("plant", 1, 0), "hazel": ("plant", 3, 1), "clover": ("plant", 0, 0), "oak": ("plant", 5, 3),
    "ivy": ("plant", 2, 1), "willow": ("plant", 3, 2), "nettle": ("plant", 1, 1), "elder": ("plant", 2, 0),
    "moss_bed": ("plant", 1, 0), "orchid": ("plant", 4, 4), "hedgehog": ("beast", 2, 1), "fox": ("beast", 3, 2),
    "badger": ("beast", 4, 2), "hare": ("beast", 1, 0), "mole": ("beast", 2, 1), "squirrel": ("beast", 2, 0),
    "deer": ("beast", 5, 3), "mouse": ("beast", 0, 0), "weasel": ("beast", 3, 1), "boar": ("beast", 4, 1),
    "owl": ("bird", 4, 2), "jay": ("bird", 2, 1), "wren": ("bird", 1, 1), "robin": ("bird", 1, 0),
    "cuckoo": ("bird", 3, 0), "heron": ("bird", 3, 2), "kestrel": ("bird", 4, 3), "swallow": ("bird", 2, 0),
    "crow": ("bird", 2, 1), "nuthatch": ("bird", 2, 1),
}  # fmt: skip
"""By card: its sort, its price, its points."""
FULL = 9
"""The cards of a clearing with which the last round has come."""
SORTS = ("plant", "beast", "bird")
CHEAPER = {"plant": "ivy", "beast": "badger", "bird": "wren"}

Question: TypeAlias = tuple[int, set[str]]
Course: TypeAlias = Generator[Question, str, None]


@attrs.define
class Grower:
    """One player."""

    name: str
    hand: list[str]
    clearing: list[str] = attrs.field(factory=list)
    seeds: int = 3

    def all_of(self, sort: str) -> int:
        return sum(CARDS[card][0] == sort for card in self.clearing)

    @property
    def forages(self) -> int:
        more = self.all_of("plant") // 2 if "squirrel" in self.clearing else 0
        return 2 + ("bramble" in self.clearing) + ("hazel" in self.clearing) + more

    @property
    def points(self) -> int:
        has = self.clearing.__contains__
        worth = sum(CARDS[card][2] for card in self.clearing)
        worth += self.all_of("bird") * has("oak") + self.all_of("plant") * has("deer") + self.seeds // 2 * has("crow")
        worth += 2 * (has("nuthatch") and all(self.all_of(sort) >= 3 for sort in SORTS))
        return worth + 2 * (has("moss_bed") and not self.all_of("beast"))


@attrs.define
class Wood:
    """One game; the deck is from its top, and `picked` is the card that a cuckoo takes in the present step."""

    growers: list[Grower]
    deck: list[str]
    actions: int = 2
    picked: str = ""

    def course(self) -> Course:
        """Yields the questions of a game; it is sent the answers."""
        while True:
            for seat in range(len(self.growers)):
                yield from self._turn(seat)
            if not self.deck or any(len(one.clearing) >= FULL for one in self.growers):
                return

    def price(self, seat: int, card: str) -> int:
        sort, price, _ = CARDS[card]
        price -= CHEAPER[sort] in self.growers[seat].clearing
        others = (one for at, one in enumerate(self.growers) if at != seat)
        return max(0, price + (sort == "beast" and any("kestrel" in one.clearing for one in others)))

    def _turn(self, seat: int) -> Course:
        own, self.actions = self.growers[seat], 2
        while self.actions:
            self.actions -= 1
            grows = {f"let_grow({card})" for card in own.hand if self.price(seat, card) <= own.seeds}
            answer = yield seat, {"forage", *grows, *(["search"] if self.deck else [])}
            if answer == "forage":
                own.seeds += own.forages
            elif answer == "search":
                self._draw(seat, 2 + ("owl" in own.clearing))
            else:
                card = answer.removeprefix("let_grow(").rstrip(")")
                own.seeds -= self.price(seat, card)
                own.hand.remove(card)
                own.clearing.append(card)
                yield from self._begin(seat, card)
                self._set_off(seat, card)

    def _draw(self, seat: int, many: int) -> None:
        self.growers[seat].hand += self.deck[:many]
        del self.deck[:many]

    def _others(self, seat: int) -> list[int]:
        return [(seat + step) % len(self.growers) for step in range(1, len(self.growers))]

    def _begin(self, seat: int, card: str) -> Course:
        """What a card does as it comes."""
        own, others = self.growers[seat], self._others(seat)
        self._draw(seat, {"willow": 2, "mole": 3}.get(card, 0))
        match card:
            case "clover":
                own.seeds += 3
            case "nettle":
                for other in others:
                    self.growers[other].seeds = max(0, self.growers[other].seeds - 1)
            case "fox":
                rich = max(others, key=lambda other: self.growers[other].seeds)
                much = min(2, self.growers[rich].seeds)
                self.growers[rich].seeds -= much
                own.seeds += much
            case "hare":
                self.actions += 1
            case "mole" if own.hand:
                back = yield seat, {*own.hand}
                own.hand.remove(back)
                self.deck.append(back)
            case "weasel":
                for other in others:
                    if self.growers[other].hand:
                        self.growers[other].hand.remove((yield other, {*self.growers[other].hand}))
            case "cuckoo":
                names = {self.growers[other].name: other for other in others if self.growers[other].hand}
                if names:
                    self.growers[names[(yield seat, {*names})]].hand.remove(self.picked)
                    own.hand.append(self.picked)
            case "heron":
                own.seeds += 2 * sum(own.all_of(sort) > 0 for sort in SORTS)
            case _:  # all others work from outside
                pass

    def _set_off(self, seat: int, card: str) -> None:
        """What other cards do once a card has come."""
        own, sort = self.growers[seat], CARDS[card][0]
        has = own.clearing.__contains__
        own.seeds += (sort == "bird" and has("elder")) + (sort == "plant" and has("hedgehog"))
        self.actions += sort == "bird" and has("swallow") and card != "swallow"
        self._draw(seat, int(sort == "plant" and has("jay")))
        self._draw(seat, int(sort == "beast" and has("mouse") and card != "mouse"))
        for other in self._others(seat):
            theirs = self.growers[other]
            theirs.seeds += sort == "bird" and "robin" in theirs.clearing
            theirs.seeds += 3 * (len(own.clearing) == 6 and "boar" in theirs.clearing)

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        worth = [(-one.points, -one.seeds) for one in self.growers]
        return tuple(tuple(seat for seat, own in enumerate(worth) if own == best) for best in sorted(set(worth)))
