"""Explicit chance reaches what all ways to throw, pick and shuffle reach, each position with its exact probability."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from rulelang.machines.explicit import Unordered
from tests.fuzz.finding import Finding
from tests.games.written import game
from tests.generators.deals import all_ways, explicit, looked_at

NAMED = """\
game named "Named":
  players 2
  seats red, blue
names c, d: Card; n: 1..2
kind Card "card":
  v: 1..3
  | copies | v |
  | 1      | 1 |
  | 2      | 3 |
the game has:
  hand: group of Card, face up
  deck: pile of Card, face down
  table: group of Card, face up
  waste: pile of Card, face up
  stock: pile of Card, face up, refills from waste
  same: flag = no
  hits: 0..9 = 0
setup:
  move Card to {zone}
  shuffle(deck)
play:
  red chooses n in 1..2
{rules}
  move deck to waste
  blue chooses n in 1..2
to draw(c):
  move 1 of deck to table
  same = c in table
to supply(c):
  move 1 of stock to table
  same = c in table
"""


@pytest.mark.long
def test_explicit_chance_agrees_with_brute_force_on_a_few_deals() -> None:
    found = [looked_at(seed, 60) for seed in range(12)]
    assert sum(one is not None for one in found) > 3


def test_a_draw_that_counts_like_things_once_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def evenly(left: Unordered) -> tuple[tuple[int, Fraction], ...]:
        return tuple((alike[0], Fraction(1, len(left.groups))) for alike in left.groups)

    monkeypatch.setattr(Unordered, "outcomes", property(evenly))
    with pytest.raises(Finding, match="other probabilities"):
        _ = [looked_at(seed, 60) for seed in range(12)]


@pytest.mark.parametrize(
    ("zone", "rules"),
    [
        ("hand", "  let c = random(c in hand)\n  same = random(c in hand) == c"),
        ("hand", "  for d in hand:\n    if random(c in hand) == d: move d to table"),
        ("deck", "  let c = random(c in deck if c.v > 1)\n  move 1 of deck to table\n  same = c in table"),
        ("deck", "  move random(c in deck if c.v > 1) to table"),
        ("deck", "  let c = random(c in deck)\n  same = top(deck) == c"),
        ("deck", "  draw(first(c in Card if c.v > 1))"),
        ("hand", "  move hand to waste\n  supply(first(c in Card if c.v > 1))"),
        ("hand", "  repeat 2 times:\n    if random(c in hand) == random(c in hand): hits += 1"),
        ("hand", "  simultaneously for d in hand:\n    if random(c in hand) == d: hits += 1"),
        ("deck", "  let c = top(deck)\n  shuffle(deck)\n  same = top(deck) == c"),
    ],
)
@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_a_thing_for_which_a_name_stands_is_like_no_other(zone: str, rules: str, executor: str, tmp_path: Path) -> None:
    named = game(NAMED.format(zone=zone, rules=rules), tmp_path)
    assert explicit(named, executor) == all_ways(named, executor, 1000)


@pytest.mark.long
def test_explicit_chance_agrees_with_brute_force() -> None:
    found = [looked_at(seed, 150) for seed in range(100, 120)]
    assert sum(one is not None for one in found) > 6
    assert sum(one or 0 for one in found) > 40
