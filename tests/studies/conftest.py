"""Small games whose figures are known exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

NIM = """\
game nim "Nim":
  players 2

names p: Player; n: 1..3
constant size = 9

the game has:
  heap: 0..50 = size

action take(p, n) "Take {n}":
  needs n <= heap  "Only {heap} are left"
  heap -= n

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p

variant misere of nim "Whoever takes the last one loses":
  replace play:
    turns p from first_player:
      p chooses one of take
      if heap == 0: finish with winner next(p)
"""
COIN = """\
game coin "Coin":
  players 2
constant heads = 60

names p: Player; n: 1..2
the game has:
  guess: 1..2 = 1

action call(p, n) "Call {n}":
  guess = n

play:
  first_player chooses one of call
  if random(1..100) <= heads: finish with winner first_player
  finish with winner next(first_player)
"""
"""A coin that the first player wins with a chance of `heads` percent, whatever anybody does."""


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    """Nim in a file of its own; a random first player wins it with `nim_wins(size)`."""
    path = tmp_path / "nim.rules"
    path.write_text(NIM)
    return path


@pytest.fixture
def coin(tmp_path: Path) -> Path:
    """A biased coin in a file of its own."""
    path = tmp_path / "coin.rules"
    path.write_text(COIN)
    return path


def nim_wins(heap: int) -> float:
    """Returns the chance that whoever moves wins, if both take 1 to 3 at random.

    >>> round(nim_wins(4), 4)
    0.3333
    """
    most = min(3, heap)
    return sum(1.0 if n == heap else 1 - nim_wins(heap - n) for n in range(1, most + 1)) / most
