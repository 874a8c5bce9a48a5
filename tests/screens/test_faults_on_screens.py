"""A number that left its range, or a key outside, is said on the screen with its place; secrets stay secret."""

from __future__ import annotations

from pathlib import Path

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
    assert "guess ?" in shown
