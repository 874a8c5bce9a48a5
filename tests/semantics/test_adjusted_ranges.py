"""What an adjustment may make of a value, and what a condition can ever be."""

from __future__ import annotations

import pytest

from rulelang.api import check_text

HEAD = """game nim "Nim":
  players 5..7
names p: Player
the game has:
  heap: 0..99 = 5
each Player has:
  coins: 0..20
data share(m: 5..7):
  part: 1..9
  | m | part |
  | 5 | 1    |
  | 6 | 2    |
  | 7 | 3    |
to hit(p): p.coins = 0
play:
  turns p from first_player:
    p chooses one of:
      go "Go": hit(p)
    if heap > 50: finish with winner p
"""


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ("value pay(p) -> 0..9 = 5\nadjust pay(p): +20 if p.coins > 3\n", ["W0502"]),
        ("value pay(p) -> 0..9 = 5\nadjust pay(p): +20 if p.coins > 3\nadjust pay(p): at most 9\n", []),
        ("value pay(p) -> 0..9 = 5\nadjust pay(p): +4 if p.coins > 3\n", []),
        ("value pay(p) -> 0..9 = 0 if p.coins > 3 else 9\nadjust pay(p): +1 if p.coins > 3\n", []),
        ("value pay(p) -> 0..9 = 0 if p.coins > 3 else 9\nadjust pay(p): +1 if p.coins < 3\n", ["W0502"]),
        ("adjust share(m).part: +7 if heap > 3\n", ["W0502"]),
        ("adjust share(m).part: +7 if heap > 3\nadjust share(m).part: at most 9\n", []),
        ("adjust share(m).part: +7 if heap > 3 and m < 7\n", []),
        ("adjust share(m).part: -1 if m == 5\n", ["W0502"]),
        ("adjust share(m).part: -1 if m != 5\n", []),
        ("adjust share(m).part: times 4 if heap > 3\n", ["W0502"]),
        ("value part = share(count(Player)).part\n", []),
        ("value part = share(count(players)).part\n", ["W0511"]),
        ("instead of hit(p) if heap < 30: heap = 1\ninstead of hit(p) if heap >= 30: heap = 2\n", []),
        ("instead of hit(p) if heap < 30: heap = 1\ninstead of hit(p) if heap > 29: heap = 2\n", []),
        ("instead of hit(p) if heap < 30: heap = 1\ninstead of hit(p) if heap >= 29: heap = 2\n", ["W0504"]),
        ("instead of hit(p) if heap < 30: heap = 1\ninstead of hit(p) if heap >= 29: heap = 1\n", []),
        ("instead of hit(p) if heap > 20 and heap < 10: heap = 1\n", ["W0522"]),
        ("value odd -> 0..1 =\n  1 if heap == 3 and heap == 4\n  0 otherwise\n", ["W0522"]),
        ("value odd -> 0..1 =\n  1 if heap == 3 or heap == 4\n  0 otherwise\n", []),
        ("whenever heap == 0 and heap == 1: heap = 2\n", ["W0522"]),
        ("value odd(p) -> 0..1 =\n  1 if p.coins > 20\n  0 otherwise\n", ["W0522"]),
    ],
)
def test_what_may_happen_is_warned_of_and_what_cannot_is_not(rules: str, codes: list[str]) -> None:
    assert [d.code for d in check_text(HEAD + rules).diagnostics] == codes
