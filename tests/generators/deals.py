"""A source of chance -> a small game of few cards and throws, and all that can come of it: by explicit chance, and by brute force.

sketched(choose)             shuffles, picks, throws, refills, and tests of what they gave
explicit(match), all_ways(game, executor)      by the key of each position that may be reached: its exact probability
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from fractions import Fraction
from itertools import count
from math import prod

import attrs

from rulelang import api
from rulelang.api import Match
from rulelang.ir.numbers import Row, Thing
from rulelang.program.layout import Layout
from tests.fuzz.finding import Finding

HEAD = """\
game deal "Deal":
  players 2
  seats red, blue
names p: Player; c, d: Card; n: 0..9
die d3: 1, 1, 2
kind Card "card":
  v: 1..3
  | copies | v |
CARDS
each Card has:
  worn: 0..2 = 0
the game has:
  waste: pile of Card, face up
  deck: pile of Card, face down, refills from waste
  table: group of Card, face up
  pointed: Card? = none
  kept: 0..9 = 0
  odd: flag = no
each Player has:
  hand: group of Card, seen by owner
  own: pile of Card, face down
"""
CARDS = (
    "  | 2 | 1 |\n  | 1 | 2 |",
    "  | 3 | 1 |\n  | 1 | 2 |",
    "  | 2 | 1 |\n  | 2 | 2 |",
    "  | 1 | 1 |\n  | 1 | 2 |\n  | 1 | 3 |",
    "  | 1 | 1 |\n  | 2 | 3 |",
)
DRAWS = (
    "shuffle(deck)",
    "shuffle(waste)",
    "move random(c in deck) to HAND",
    "move random(c in table) to waste",
    "move random(c in deck if c.v > 1) to table",
    "move random(c in Card if c in box or c in HAND) to table",
    "pointed = random(c in deck)",
    "pointed = random(c in HAND + table)",
    "kept = roll(d3)",
    "kept += random(1..2), at most 9",
    "odd = random({p in players if p != blue or kept > 1}) == blue",
    "if deck != {}:\n  let X = random(c in deck)\n  X.worn = roll(d3)",
    "for p in players: kept += roll(d3), at most 9",
    "shuffle(OWN)",
    "pointed = random(c in OWN)",
)
MOVES = (
    "move 1 of deck to HAND",
    "move 2 of deck to table",
    "move 1 of deck to waste",
    "move deck to waste",
    "move HAND to deck",
    "move table to deck bottom",
    "move pointed to table",
    "move pointed to waste",
    "pointed = top(deck)",
    "if deck != {}: top(deck).worn = 1",
    "if pointed != none: pointed.worn = 2",
    "move 2 of deck to OWN",
    "move OWN to deck",
    "move 1 of OWN to table",
    "move pointed to deck bottom",
    "pointed = first(c in deck if c.v > 1)",
    "kept = min(9, count(c in deck if c.v > 1))",
    "for c in deck if c.v > 1: move c to HAND",
    "if deck != {}: show(top(deck), red)",
    "if OWN != {}: reveal(top(OWN))",
    "if pointed != none: show(pointed, blue)",
)
LOCALS = (
    "let X = random(c in deck)\nmove 1 of deck to table\nif X in table: kept = min(9, kept + X.v)",
    "let X = random(c in deck if c.v > 1)\nmove 1 of deck to HAND\nmove X to waste",
    "let X = random(c in HAND + table)\nlet Xb = random(c in HAND + table)\nodd = X == Xb",
    "let X = random(c in HAND + table)\nmove random(c in HAND + table) to waste\nif X in waste: kept = 2",
    "let X = random(c in deck)\nif X in deck and top(deck) == X: odd = yes",
    "let X = {c in Card if c in deck and c.v > 1}\nlet Xb = random(c in deck)\nodd = Xb in X",
    "let X = top(deck)\nshuffle(deck)\nif deck != {} and top(deck) == X: kept = 6",
    "let X = random(c in deck)\nlet Xb = random(c in deck)\nif X != Xb: move Xb to HAND\nmove X to table",
    "let X = random(c in deck)\nput(X)",
)
TESTS = (
    "if kept > 1:",
    "if odd:",
    "if deck != {} and top(deck).v > 1:",
    "if pointed in deck:",
    "if count(table) > 1:",
    "if any(c.v > 1 for c in OWN):",
)


def sketched(choose: random.Random) -> str:
    """Returns the text of a game."""

    numbers = count()

    def filled(some: tuple[str, ...]) -> str:
        seat = choose.choice(("red", "blue"))
        return choose.choice(some).replace("HAND", f"{seat}.hand").replace("OWN", f"{seat}.own")

    def statements(indent: str, number: int) -> list[str]:
        lines = list[str]()
        for _ in range(number):
            if len(indent) < 4 and choose.random() < 0.25:
                lines += [indent + filled(TESTS), *statements(indent + "  ", 1)]
            else:
                some = choose.choices((DRAWS, MOVES, LOCALS), (11, 8, 5))[0]
                lines += (indent + line for line in filled(some).replace("X", f"x{next(numbers)}").split("\n"))
        return lines

    lines = [HEAD.replace("CARDS", choose.choice(CARDS)) + "setup:", "  move Card to deck", "  shuffle(deck)"]
    lines += [*statements("  ", choose.randint(1, 3)), "play:", "  red chooses n in 1..2"]
    # In the end all cards lie open, so that the order of each pile is asked for.
    verb = ["to put(c):", "  move 1 of deck to table", "  if c in table: kept = 7", "  else: move c to table"]
    end = ["  move deck to waste", "  for p in players: move p.own to waste", "  blue chooses n in 1..2\n"]
    return "\n".join([*lines, *statements("  ", choose.randint(1, 3)), *end, *verb, ""])


# ------------------------------------------------------------------ all that can come of it


@attrs.define
class EachWay:
    """Chance that gives one way of all draws, and then the next: each face of a die, each thing, and each order counts."""

    layout: Layout
    digits: list[int] = attrs.field(factory=list)
    sizes: list[int] = attrs.field(factory=list)
    at: int = 0

    def _one(self, size: int) -> int:
        if self.at == len(self.digits):
            self.digits.append(0)
            self.sizes.append(size)
        assert self.sizes[self.at] == size, "the same way leads to the same draws"
        self.at += 1
        return self.digits[self.at - 1]

    def _count(self, row: Row, stream: int) -> None:
        row[self.layout.counters + stream] += 1

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        self._count(row, stream)
        return faces[self._one(len(faces))]

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        self._count(row, stream)
        return among[self._one(len(among))]

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        self._count(row, stream)
        left = list(things)
        return [left.pop(self._one(len(left))) for _ in things]

    def is_another(self) -> bool:
        """Returns whether there is another way, which is then the one to give."""
        self.at = 0
        while self.digits and self.digits[-1] == self.sizes[-1] - 1:
            self.digits.pop()
            self.sizes.pop()
        if self.digits:
            self.digits[-1] += 1
        return bool(self.digits)


def all_ways(game: api.Game, executor: str, most: int) -> dict[Hashable, Fraction] | None:
    """Returns the probability of each position that is reached by the answers 1 and 1; None if there are more ways."""
    chance, found = EachWay(game.internals.layout), dict[Hashable, Fraction]()
    for _ in range(most):
        match = game.start(2, chance=chance, executor=executor, traced=False)
        match.play("red: 1")
        found[match.key] = found.get(match.key, Fraction(0)) + Fraction(1, prod(chance.sizes))
        if not chance.is_another():
            return found
    return None


def explicit(game: api.Game, executor: str) -> dict[Hashable, Fraction]:
    """Returns the same by explicit chance. Raises Finding where the probabilities of a draw do not add up to 1."""
    match = game.start(2, explicit_chance=True, executor=executor, traced=False)
    assert isinstance(match, Match)
    waiting, found = [(match, Fraction(1), False)], dict[Hashable, Fraction]()
    while waiting:
        one, likely, is_answered = waiting.pop()
        if not one.chance and is_answered:
            found[one.key] = found.get(one.key, Fraction(0)) + likely
            continue
        if not one.chance:
            one.play("red: 1")
            waiting.append((one, likely, True))
            continue
        if sum(possible.probability for possible in one.chance) != 1:
            raise Finding("the probabilities of a draw do not add up to 1", str(one.chance))
        for possible in one.chance:
            copy = one.fork()
            copy.play_chance(possible)
            waiting.append((copy, likely * possible.probability, is_answered))
    return found


def looked_at(seed: int, most: int) -> int | None:
    """Returns the number of positions that a game may reach; None if that takes too many ways, or it does not check.

    Raises Finding with the seed where explicit chance differs from brute force.
    """
    checked = api.check_text(sketched(random.Random(seed)))
    if checked.game is None:
        return None
    executors = ("reference", "generated", "native")
    ways = all_ways(checked.game, executors[seed % 3], most)
    if ways is None:
        return None
    if explicit(checked.game, executors[seed // 3 % 3]) != ways:
        raise Finding("explicit chance gives other probabilities than all ways", f"{seed}")
    return len(ways)


def attack(choose: random.Random) -> None:
    """Looks at one game."""
    looked_at(choose.randrange(10**9), 2000)
