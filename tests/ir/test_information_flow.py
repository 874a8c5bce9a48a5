"""Secrets that come a long way: the analysis ends, and what it can no longer tell apart counts as hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.ir.flow.course import FlowWalk
from rulelang.ir.flow.reading import Reading
from tests.games.written import faults

HEAD = """\
names p, q: Player; c: Card; k: 0..9
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
the game has:
  deck: pile of Card, seen by nobody
  marked: Card? = none
  row(k): Card? = none
  who(k): Player = player1
  x: 0..99 = 0
each Player has:
  hand: group of Card, seen by owner
  other: group of Card, seen by owner
setup:
  move Card to deck
"""
PLAY = """\
play:
  marked = top(deck)
  turns p from first_player:
    p chooses one of stay, leave
    go(p, next(p))
    finish lost
action stay(p) "Stay": settle
action leave(p) "Leave": settle
"""
HANDED_ON = """\
to go(p, q):
  let c = marked
  if c != none: move c to q.hand
  marked = c
"""
ALONG_A_ROW = """\
to take(k): row(k) = first(c in who(k).hand)
to shift(k): row(k) = row((k + 1) % 10)
to jump(k): row(k) = row((k + 2) % 10)
to leap(k): row(k) = row(9 - k)
to go(p, q):
  take(3)
  shift(3)
  jump(3)
  leap(2)
"""
BY_MANY_WAYS = (
    "to lay(p, c):\n"
    + "".join(f"  if x == {i}: move c to who({i % 10}).other\n" for i in range(30))
    + "to go(p, q):\n  for c in p.hand: lay(p, c)\n"
)
BY_MANY_VALUES = (
    "value v0(p, k) = count(c in p.hand if c.n > k)\n"
    + "".join(
        f"value v{i}(p, k) = {' + '.join(f'v{i - 1}(p, min(k + {j}, 9))' for j in range(14))}\n" for i in range(1, 8)
    )
    + "to go(p, q): x = v7(p, 1), at most 99\n"
)
MOST = 5_000


@pytest.mark.parametrize(
    "rules",
    [HANDED_ON, ALONG_A_ROW, BY_MANY_WAYS, BY_MANY_VALUES],
    ids=["handed on", "along a row", "by many ways", "by many values"],
)
def test_the_analysis_of_secrets_ends(rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0

    def counted(original: object) -> object:
        def call(*given: object, **named: object) -> object:
            nonlocal taken
            taken += 1
            assert taken < MOST, "the analysis goes on and on"
            return original(*given, **named)  # type: ignore[operator]

        return call

    monkeypatch.setattr(FlowWalk, "_secrets", counted(FlowWalk._secrets))
    monkeypatch.setattr(Reading, "_cases", counted(Reading._cases))
    assert faults(HEAD + rules + PLAY, tmp_path) == []


@pytest.mark.parametrize("shown", ["  show(c, p)\n", ""])
def test_who_saw_a_thing_at_first_knows_it_whatever_ways_it_may_have_gone(shown: str, tmp_path: Path) -> None:
    zones = "".join(f"  zone{i}: group of Card, seen by owner\n" for i in range(30))
    moved = "".join(f"  if x == {i}: move c to q.zone{i}\n" for i in range(30))
    verb = f"to go(p, q):\n  let c = top(deck)\n{shown}{moved}  if c.n > 3: p chooses one of stay, leave\n"
    codes = {code for code, _ in faults(HEAD.replace("setup:\n", f"{zones}setup:\n") + verb + PLAY, tmp_path)}
    assert ("E0402" in codes) == (not shown)
