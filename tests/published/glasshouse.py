"""Glasshouse, written once more in Python: what may be done, what comes of it, and who wins; the example goes in lock step with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import attrs

SEEDS = ("rose", "fern", "lily", "iris")
PLANTS = """
dog_rose rose 0 0 1 1 1; rambler rose 0 0 2 0 1; tea_rose rose 1 0 0 4 0; moss_rose rose 2 2 3 0 2; damask rose 3 5 0 0 3
bracken fern 0 1 0 1 1; hart_tongue fern 0 0 0 2 1; polypody fern 1 4 0 0 0; royal_fern fern 2 0 2 2 3; tree_fern fern 3 3 5 0 0
day_lily lily 0 1 1 0 1; arum lily 0 2 1 0 0; tiger_lily lily 1 0 0 0 4; martagon lily 2 3 2 2 0; white_trumpet lily 3 0 3 5 0
flag_iris iris 0 1 1 1 0; dwarf_iris iris 0 0 1 2 0; bearded_iris iris 1 0 4 0 0; water_iris iris 2 2 0 3 2; night_iris iris 3 0 0 3 5
"""
"""By plant: what grows, its points, and what it costs in each of SEEDS."""
GUESTS = {
    "painter": ("rose", "lily"),
    "botanist": ("fern", "iris"),
    "countess": ("rose", "iris"),
    "gardener": ("fern", "lily"),
    "perfumer": ("lily", "iris"),
}
PLACES, ENOUGH, MOST_SEEDS = 5, 15, 10


@attrs.frozen
class Plant:
    """What is printed on a plant."""

    grows: str
    points: int
    cost: dict[str, int]


def _plants() -> dict[str, Plant]:
    found = {}
    for words in (line.split() for line in PLANTS.replace("\n", ";").split(";") if line.strip()):
        name, grows, points, *cost = words
        found[name] = Plant(grows, int(points), dict(zip(SEEDS, map(int, cost), strict=True)))
    return found


KNOWN = _plants()


@attrs.define
class Gardener:
    """What one player has."""

    seeds: Counter[str] = attrs.field(factory=Counter)
    beds: list[str] = attrs.field(factory=list)
    aside: list[str] = attrs.field(factory=list)
    guests: list[str] = attrs.field(factory=list)

    def grown(self, seed: str) -> int:
        return sum(KNOWN[name].grows == seed for name in self.beds)

    def price(self, name: str) -> dict[str, int]:
        return {seed: max(0, cost - self.grown(seed)) for seed, cost in KNOWN[name].cost.items()}

    def affords(self, name: str) -> bool:
        return all(self.seeds[seed] >= much for seed, much in self.price(name).items())

    @property
    def points(self) -> int:
        return sum(KNOWN[name].points for name in self.beds) + 3 * len(self.guests)


@attrs.define
class Glasshouse:
    """One game; `deck` is from its top."""

    players: int
    deck: list[str]
    row: list[str | None]
    hall: list[str]
    gardeners: list[Gardener]
    turn: int = 0
    gives_back: bool = False
    is_over: bool = False

    @classmethod
    def begun(cls, players: int, deck: list[str], row: list[str | None], hall: list[str]) -> Glasshouse:
        return cls(players, deck, row, hall, [Gardener() for _ in range(players)])

    @property
    def own(self) -> Gardener:
        return self.gardeners[self.turn]

    def supply(self, seed: str) -> int:
        return max(0, 3 + 2 * self.players - sum(one.seeds[seed] for one in self.gardeners))

    def options(self) -> Counter[str]:
        """How often each answer is offered; plants of one name that lie in several places are offered singly."""
        if self.gives_back:
            return Counter(seed for seed in SEEDS if self.own.seeds[seed])
        return Counter(self._main())

    def _main(self) -> Iterator[str]:
        there = [seed for seed in SEEDS if self.supply(seed)]
        for some in combinations(there, min(3, len(there))):
            yield f"gather({{{', '.join(some)}}})"
        yield from (f"gather_two({seed})" for seed in SEEDS if self.supply(seed) >= 4)
        if len(self.own.aside) < 3:
            yield from (f"keep({place})" for place, name in enumerate(self.row, start=1) if name is not None)
        names = (*sorted(set(self.own.aside)), *(name for name in self.row if name is not None))
        yield from (f"grow({name})" for name in names if self.own.affords(name))
        yield "pass"

    def play(self, answer: str) -> None:
        if self.gives_back:
            self.own.seeds[answer] -= 1
        else:
            name, _, rest = answer.rstrip(")").partition("(")
            match name:
                case "gather":
                    self.own.seeds.update(seed for seed in rest.strip("{}").split(", ") if seed)
                case "gather_two":
                    self.own.seeds[rest] += 2
                case "keep":
                    kept = self.row[int(rest) - 1]
                    assert kept is not None
                    self.own.aside.append(kept)
                    self.row[int(rest) - 1] = None
                case "grow":
                    self._grow(rest)
                case _:  # pass
                    pass
            self._fill()
        self.gives_back = sum(self.own.seeds.values()) > MOST_SEEDS
        while self.gives_back and len(held := [seed for seed in SEEDS if self.own.seeds[seed]]) == 1:
            self.own.seeds[held[0]] -= 1
            self.gives_back = sum(self.own.seeds.values()) > MOST_SEEDS
        if not self.gives_back:
            self._end_turn()

    def _grow(self, name: str) -> None:
        self.own.seeds.subtract(self.own.price(name))
        if name in self.own.aside:
            self.own.aside.remove(name)
        else:
            self.row[self.row.index(name)] = None
        self.own.beds.append(name)

    def _fill(self) -> None:
        """Cards slide to the front, and new ones come from the deck."""
        lying = [name for name in self.row if name is not None]
        while len(lying) < PLACES and self.deck:
            lying.append(self.deck.pop(0))
        self.row = [*lying, *[None] * (PLACES - len(lying))]

    def _end_turn(self) -> None:
        for guest in (name for name in GUESTS if name in self.hall):
            if all(self.own.grown(seed) >= 3 for seed in GUESTS[guest]):
                self.hall.remove(guest)
                self.own.guests.append(guest)
                break
        is_last = self.turn == self.players - 1
        self.is_over = is_last and (not self.deck or any(one.points >= ENOUGH for one in self.gardeners))
        self.turn = (self.turn + 1) % self.players

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        worth = [(-one.points, len(one.beds)) for one in self.gardeners]
        return tuple(tuple(seat for seat, own in enumerate(worth) if own == best) for best in sorted(set(worth)))
