"""What happens at once, on machine code: blocks within blocks, wide sets in a pass, deferred calls that ask, row by row."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Machine
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from tests.machines.test_native import in_lock_step

pytest.importorskip("llvmlite")

NESTED = """\
game volleys "Volleys":
  players 3

names p, q, r: Player; n: 0..9

each Player has:
  fuel: 0..999 = 40
  marks: set of 1..90
  last: 0..9 = 0
the game has:
  pot: -9999..9999 = 0
  mark: 0..9 = 0

to volley(p):
  simultaneously for q in players if q != p:
    q.fuel -= p.last, at least 0
    q.fuel -= 1, at least 0
    pot += q.last
    simultaneously for r in players:
      r.fuel += 2
      pot -= 1
  p.fuel += 1
  mark = 4

action fire(p, n: 1..9) "Fire {n}":
  p.last = n
  simultaneously for q in players:
    q.marks += {9 * n}
    volley(q)
    if q.fuel > 30: q.last = n - 1

play:
  repeat 12 times:
    for p in players: p chooses one of fire
"""

DEALT = """\
game dealt "Dealt":
  players 3

names p, q: Player; n: 0..9

kind Card "card":
  n: 1..70
  | n     |
  | 1..70 |
names c: Card

each Player has:
  hand: group of Card
  heap: pile of Card
  done: 0..99 = 0
the game has:
  stack: pile of Card, seen by nobody

setup:
  move {c in Card} to stack
  shuffle(stack)
  for p in players: move 9 of stack to p.hand

action keep(p, n: 1..3) "Keep {n}": p.done += n

action hand_on(p) "Hand on":
  simultaneously for q in players:
    move q.hand to next(q).hand
    move 2 of stack to q.heap
    move q.heap to q.hand

play:
  repeat 5 times:
    for p in players: p chooses one of keep, hand_on
"""

OUT = """\
game out "Out":
  players 4

names p, q: Player; n: 0..9

each Player has:
  life: -99..99 = 8
  cried: 0..9 = 0

action hit(p, q in players, n: 1..4) "Hit {q}":
  q.life -= n
  simultaneously for q in players if q.life <= 5: eliminate(q)

action cry(p, n: 1..3) "Cry": p.cried += n

after eliminate(q):
  q chooses one of cry

play:
  repeat:
    for p in players: p chooses one of hit
    if count(players) < 3: finish with winner first_player
"""

DEEP = """\
game deep "Deep":
  players 3

names p, q: Player; n: 0..9

the game has:
  pot: 0..9999 = 0

action go(p, n: 1..2) "Go {n}":
  simultaneously for q in players:
    simultaneously for q in players:
      simultaneously for q in players:
        simultaneously for q in players:
          pot += n

play:
  repeat 4 times:
    for p in players: p chooses one of go
"""


def machines(text: str, folder: Path, seed: int) -> tuple[api.Game, Machine, Machine, Machine]:
    path = folder / f"{text.split()[1]}.rules"
    path.write_text(text, encoding="utf-8")
    game = api.load(path)
    chance = Seeded(seed, game.ir, game.layout)
    return game, *(game.machine(name)(chance) for name in ("native", "generated", "reference"))  # type: ignore[return-value]


def as_the_reference_plays(one: Machine, other: Machine, size: int, seed: int) -> int:
    """Plays a random game on both, comparing variables and options; returns how many answers it took."""
    rng, answers = random.Random(seed), 0
    for machine in (one, other):
        machine.begin(other.game.players[0], {})
    while other.pending is not None:
        assert one.row[:size] == other.row[:size]
        assert one.pending == other.pending
        seat = rng.choice(other.pending.seats)
        options = list(one.options(seat))
        assert options == list(other.options(seat))
        answer = rng.choice(options)
        for machine in (one, other):
            machine.answer(seat, answer)
        answers += 1
    return answers


@pytest.mark.parametrize("text", [NESTED, DEALT, OUT, DEEP], ids=["nested", "dealt", "out", "deep"])
def test_what_happens_at_once_goes_row_by_row_as_on_the_other_executors(text: str, tmp_path: Path) -> None:
    for seed in range(3):
        game, one, other, reference = machines(text, tmp_path, seed)
        assert in_lock_step(one.fork(), other, seed) > 3
        assert as_the_reference_plays(one, reference, game.layout.size, seed) > 3


@pytest.mark.parametrize("text", [NESTED, DEALT, OUT], ids=["nested", "dealt", "out"])
def test_what_happens_at_once_needs_no_other_executor(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, machine, _, _ = machines(text, tmp_path, 3)
    for step in ("begin", "answer", "options"):
        monkeypatch.setattr(GeneratedMachine, step, lambda *_: pytest.fail("the generated machine was asked"))
    machine.begin(game.players[0], {})
    assert playout(machine, RandomStream("alone"), 300) > 3
