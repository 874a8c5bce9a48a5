"""A number that left its range, or a key outside, is said on the screen with its place; secrets stay secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.screens.picture import picture
from tests.games.written import faults, game

RULES = """\
names p: Player
the game has:
  heap: 0..9 = 5
  price(n: 1..4): 0..9 = 3
  hidden: 0..9 = 7, seen by nobody
value left -> 0..3 = heap
value next_price = price(heap)
value guess -> 0..3 = hidden
screen:
  line "left {left}"
  line "price {next_price}"
  line "guess {guess}"
  line "heap {heap}"
play:
  turns p from first_player: p chooses one of wait, or stop
action wait(p) "Wait": settle
"""


def test_a_screen_says_what_is_at_fault_and_where(tmp_path: Path) -> None:
    codes = [code for code, _ in faults(RULES, tmp_path)]
    assert codes == ["W0502", "W0511", "W0502"]
    match = game(RULES, tmp_path).start(2, seed=1)
    shown = str(picture(match, 0))
    assert "left (at fault: `left` would become 5; it holds 0..3, sketch.rules:" in shown
    assert "price (at fault: `price` has no 5: it is for 1..4, sketch.rules:" in shown
    assert "heap 5" in shown
    assert "guess a number" in shown


SHAPES = """\
names p, q: Player; s: Space
kind Card "card":
  n: 1..6
  | n    |
  | 1..6 |
board Space: square
  kind_of: 0..3 = 0
  map \"\"\"
    0 1
    2 3
  \"\"\"
  | mark | kind_of |
  | "0"  | 0       |
  | "1"  | 1       |
  | "2"  | 2       |
  | "3"  | 3       |
the game has:
  heap: 0..9 = 7
  at: Space? = none
  price(n: 1..4): 0..9 = 3
  shelf(n: 1..4): group of Card
  hidden: 0..9 = 7, seen by nobody
each Player has:
  gold: 0..9 = 7
data fare(n: 1..9, p):
  coins: 0..9 = 1
  | n    | coins |
  | 1..4 | n     |
adjust fare(n, p).coins: +1 if price(heap) > 0
value near -> 0..3 = heap
value ways(s) -> set of Direction = {east} if price(heap) > 1
screen:
  {line}
play:
  turns p from first_player: p chooses one of wait, or stop
action wait(p) "Wait": settle
"""

NO_KEY = "at fault: `price` has no 7: it is for 1..4, sketch.rules:"
NO_VALUE = "at fault: `near` would become 7; it holds 0..3, sketch.rules:"

LINES = {
    "a line's condition": ('line "rich" if price(heap) > 2', NO_KEY),
    "the condition of one text of several": ('line "heap {heap}", "rich" if near > 2', NO_VALUE),
    "the set of an each": ('each {q in players if price(heap) > 2}: "{q} is here"', NO_KEY),
    "the set of an each, by a value": ('each 1..near: "row"', NO_VALUE),
    "the condition of an each": ('each Player: "{p}", "poor" if price(p.gold) < 2', NO_KEY),
    "none in the condition": (
        'line "far" if 1 + distance(at, a1) > 2',
        "at fault: `none` stands where a number is needed",
    ),
    "the set of a track": ('track z in 1..near: "{z}"', NO_VALUE),
    "the condition of a track": ('track z in 1..3: "{z}" if price(z + heap - 1) > 2', NO_KEY),
    "the set of a map": ('map Space: "{s}" if price(heap) > 2', NO_KEY),
    "the condition of a map": ('map Space: "{s}" if near > 2', NO_VALUE),
    "the condition of a framed map": ('map Space: "{s}" if near > 2 doors ways(s)', NO_VALUE),
    "the doors of a map": ('map Space: "{s}" doors ways(s)', NO_KEY),
    "a group of sets": ('map Space: "{s}{{ {ways(s)} }}"', NO_KEY),
    "cards at a key": ('cards shelf(heap) "Shelf"', "at fault: `shelf` has no 7: it is for 1..4, sketch.rules:"),
    "a table's arguments": ("table fare(near, viewer) by p", NO_VALUE),
    "an adjustment of a table": ("table fare(n, viewer) by n", NO_KEY),
    "a folded part": ('fold "More": each {q in players if price(heap) > 2}: "{q}"', NO_KEY),
}


@pytest.mark.parametrize("what", LINES)
def test_a_set_or_condition_at_fault_is_said_where_it_stands(what: str, tmp_path: Path) -> None:
    line, said = LINES[what]
    match = game(SHAPES.replace("{line}", line), tmp_path).start(2, seed=1)
    shown = " ".join(str(picture(match, 0)).split())
    assert said in shown
    assert "sketch.rules:" in shown


def test_what_nobody_may_know_is_not_said_by_a_condition_at_fault(tmp_path: Path) -> None:
    for line in ('line "rich" if price(hidden) > 2', 'each {q in players if price(hidden) > 2}: "{q} is here"'):
        match = game(SHAPES.replace("{line}", line), tmp_path).start(2, seed=1)
        assert "at fault" not in str(picture(match, 0))
