"""Saltmarsh, written once more in Python; the example goes in lock step with it. The dice and the good that is lost are chance.

A place goes by its coordinates: spaces, corners and edges are points of one plane, twice as fine as the corners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from typing import TypeAlias

import attrs

Point: TypeAlias = tuple[int, int]
Move: TypeAlias = tuple[str | Point, ...]
Course: TypeAlias = Generator[tuple[int, set[Move]], Move, None]

GOODS = ("peat", "clay", "reed", "fish", "salt")
COSTS = {
    "dyke": ("peat", "clay"), "farm": ("peat", "clay", "reed", "fish"),
    "town": ("fish", "fish", "salt", "salt", "salt"), "deed": ("reed", "fish", "salt"),
}  # fmt: skip
SPACES = {
    f"{letter}{row + 1}": (4 * column + (0 if row == 1 else 2), 6 * row)
    for row, letters in enumerate(("abc", "abcd", "abc"))
    for column, letter in enumerate(letters)
}
CORNERS = {
    "north": (0, -4),
    "northeast": (2, -2),
    "southeast": (2, 2),
    "south": (0, 4),
    "southwest": (-2, 2),
    "northwest": (-2, -2),
}
EDGES = {
    "northeast": (1, -3),
    "east": (2, 0),
    "southeast": (1, 3),
    "southwest": (-1, 3),
    "west": (-2, 0),
    "northwest": (-1, -3),
}
HARBOURS = {"a1_northwest": "salt", "c1_northeast": "fish", "a3_west": "peat", "c3_east": None}
FIELDS = (
    ("peat", 4), ("peat", 9), ("clay", 5), ("clay", 10), ("reed", 6), ("reed", 8), ("fish", 6), ("fish", 3), ("salt", 8),
    ("salt", 11),
)  # fmt: skip
GOAL = 10


def field_named(name: str) -> tuple[str, int]:
    """Returns the field that `Field(4)` or `Field(reed, 6)` names."""
    words = set(name.removeprefix("Field(").rstrip(")").split(", "))
    (found,) = (field for field in FIELDS if words <= {field[0], str(field[1])})
    return found


def point(name: str, sides: dict[str, Point]) -> Point:
    """Returns the place of a corner or an edge, such as `a1_north`."""
    space, _, side = name.rpartition(".")[2].partition("_")
    return SPACES[space][0] + sides[side][0], SPACES[space][1] + sides[side][1]


def around(space: str, sides: dict[str, Point]) -> set[Point]:
    """Returns the corners or the edges of a space."""
    return {point(f"{space}_{side}", sides) for side in sides}


ALL_CORNERS = {corner for space in SPACES for corner in around(space, CORNERS)}
ENDS = {
    edge: [corner for corner in ALL_CORNERS if abs(corner[0] - edge[0]) <= 1 and abs(corner[1] - edge[1]) <= 2]
    for space in SPACES
    for edge in around(space, EDGES)
}
"""By edge: the two corners where it ends."""
AT_HARBOUR = {point(name, EDGES): good for name, good in HARBOURS.items()}


def edges_at(corner: Point) -> list[Point]:
    """Returns the edges that meet in a corner."""
    return [edge for edge, ends in ENDS.items() if corner in ends]


@attrs.define
class Settler:
    """One player."""

    name: str
    stock: Counter[str] = attrs.field(factory=Counter)
    cards: list[str] = attrs.field(factory=list)
    farms: set[Point] = attrs.field(factory=set)
    towns: set[Point] = attrs.field(factory=set)
    dykes: set[Point] = attrs.field(factory=set)
    mills: int = 0

    def affords(self, work: str) -> bool:
        return not Counter(COSTS[work]) - self.stock

    def pay(self, work: str) -> None:
        self.stock.subtract(COSTS[work])

    @property
    def reached(self) -> set[Point]:
        return {corner for dyke in self.dykes for corner in ENDS[dyke]}

    @property
    def longest(self) -> int:
        return max((self._way(corner, frozenset(self.dykes)) for corner in self.reached), default=0)

    def _way(self, corner: Point, left: frozenset[Point]) -> int:
        on = [edge for edge in edges_at(corner) if edge in left]
        return max((1 + self._way(end, left - {edge}) for edge in on for end in ENDS[edge] if end != corner), default=0)

    def rate(self, good: str) -> int:
        goods = {held for edge, held in AT_HARBOUR.items() if self.farms & {*ENDS[edge]}}
        return 2 if good in goods else 3 if None in goods else 4


@attrs.define
class Marsh:
    """One game; the deck is from its top. `thrown` and `lost` are what chance says in the present step."""

    settlers: list[Settler]
    fields: dict[str, tuple[str, int]]
    deck: list[str]
    flood: str = "b2"
    offers: int = 3
    thrown: list[int] = attrs.field(factory=list)
    lost: list[str] = attrs.field(factory=list)
    is_over: bool = False

    def points(self, seat: int) -> int:
        own = self.settlers[seat]
        others = (one.longest for one in self.settlers if one is not own)
        is_longest = own.longest >= 5 and all(other < own.longest for other in others)
        return len(own.farms) + len(own.towns) + own.mills + 2 * is_longest

    def course(self) -> Course:
        """Yields the questions of a game; it is sent the answers."""
        while True:
            for seat in range(len(self.settlers)):
                yield from self._turn(seat)
                if self.is_over:
                    return

    def _turn(self, seat: int) -> Course:
        own, self.offers = self.settlers[seat], 3
        if len(own.farms) < 2:
            _, corner, edge = yield seat, {("begin", c, e) for c in self._roomy(ALL_CORNERS) for e in edges_at(c)}
            own.farms.add(_place(corner))
            own.dykes.add(_place(edge))
            self.is_over = self.points(seat) >= GOAL
            return
        yield from self._harvest(seat)
        while not self.is_over:
            move = yield seat, {("stop",), *self._moves(seat)}
            if move == ("stop",):
                return
            yield from self._play(seat, move)
            self.is_over = self.points(seat) >= GOAL

    def _harvest(self, seat: int) -> Course:
        thrown = sum(self.thrown)
        self.thrown.clear()
        for space in (s for s, (_, number) in self.fields.items() if number == thrown and s != self.flood):
            for settler in self.settlers:
                there = settler.farms & around(space, CORNERS)
                settler.stock[self.fields[space][0]] += len(there) + len(there & settler.towns)
        if thrown == 7:
            yield from self._move_flood(seat)

    def _move_flood(self, seat: int) -> Course:
        (flood,) = yield seat, {(space,) for space in SPACES if space != self.flood}
        self.flood = str(flood)
        wet = around(self.flood, CORNERS)
        victims = {
            one.name: one
            for at, one in enumerate(self.settlers)
            if at != seat and one.farms & wet and one.stock.total()
        }
        if victims:
            (name,) = yield seat, {(victim,) for victim in victims}
            good = self.lost.pop(0)
            victims[str(name)].stock[good] -= 1
            self.settlers[seat].stock[good] += 1

    def _roomy(self, corners: set[Point]) -> set[Point]:
        farms = {farm for one in self.settlers for farm in one.farms}
        near = {end for farm in farms for edge in edges_at(farm) for end in ENDS[edge]}
        return corners - farms - near

    def _free(self, seat: int) -> set[Point]:
        taken = {dyke for one in self.settlers for dyke in one.dykes}
        return {edge for edge, ends in ENDS.items() if edge not in taken and self.settlers[seat].reached & {*ends}}

    def _moves(self, seat: int) -> Iterator[Move]:
        own = self.settlers[seat]
        if own.affords("dyke"):
            yield from (("build_dyke", edge) for edge in self._free(seat))
        if own.affords("farm"):
            yield from (("build_farm", corner) for corner in self._roomy(own.reached))
        if own.affords("town"):
            yield from (("build_town", corner) for corner in own.farms - own.towns)
        if self.deck and own.affords("deed"):
            yield ("buy_card",)
        yield from (("play_card", card) for card in own.cards)
        for good in (one for one in GOODS if own.stock[one]):
            for other in (one for one in GOODS if one != good):
                if own.stock[good] >= own.rate(good):
                    yield "swap", good, other
                if self.offers:
                    for at, settler in enumerate(self.settlers):
                        if at != seat and settler.stock[other]:
                            yield "offer", settler.name, good, other

    def _play(self, seat: int, move: Move) -> Course:
        own = self.settlers[seat]
        match move:
            case ("build_dyke", edge):
                own.pay("dyke")
                own.dykes.add(_place(edge))
            case ("build_farm", corner):
                own.pay("farm")
                own.farms.add(_place(corner))
            case ("build_town", corner):
                own.pay("town")
                own.towns.add(_place(corner))
            case ("buy_card",):
                own.pay("deed")
                own.cards.append(self.deck.pop(0))
            case ("play_card", str(card)):
                own.cards.remove(card)
                yield from self._use(seat, card)
            case ("swap", str(good), str(other)):
                own.stock[good] -= own.rate(good)
                own.stock[other] += 1
            case ("offer", name, str(good), str(other)):
                self.offers -= 1
                to = next(at for at, one in enumerate(self.settlers) if one.name == name)
                if (yield to, {("agree",), ("refuse",)}) == ("agree",):
                    own.stock.update({good: -1, other: 1})
                    self.settlers[to].stock.update({good: 1, other: -1})
            case _:
                raise AssertionError(move)

    def _use(self, seat: int, card: str) -> Course:
        own = self.settlers[seat]
        if card == "harvest":
            (good,) = yield seat, {(one,) for one in GOODS}
            own.stock[str(good)] += 2
        elif card == "dam":
            yield from self._move_flood(seat)
        elif card == "mill":
            own.mills = min(3, own.mills + 1)
        else:
            for _ in range(2):
                if free := self._free(seat):
                    (edge,) = yield seat, {(one,) for one in free}
                    own.dykes.add(_place(edge))


def _place(part: str | Point) -> Point:
    assert not isinstance(part, str)
    return part
