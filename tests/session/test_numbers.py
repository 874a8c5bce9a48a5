"""The numbers of a menu stay while a plan is made."""

from __future__ import annotations

from pathlib import Path

from rulelang.ir.numbers import Seat
from rulelang.session.dialogue import Dialogue
from tests.games.written import game

PLAN = """
game plans "Plans":
  players 2
  seats red, blue
names p: Player; n: 1..9
the game has:
  steps: 0..9 = 0
  digs: 0..9 = 0
action walk(p, n) "Walk {n}":
  needs steps == 0
  steps = n
action dig(p, n) "Dig {n}":
  needs digs == 0
  digs = n
action go(p) "Go":
  needs steps + digs > 0
  settle
play:
  turns p from red:
    repeat while steps == 0 or digs == 0: p chooses one of walk, dig, go
    finish with winner p
"""


def test_kinds_of_answers_keep_their_numbers_and_new_ones_get_the_next(tmp_path: Path) -> None:
    match = game(PLAN, tmp_path).start(seed=1)
    first = Dialogue.of(match, Seat(0)).question
    assert [(line.key, line.label) for line in first.lines] == [("1", "Walk …"), ("2", "Dig …")]
    match.play("red: walk(3)")
    again = Dialogue.of(match, Seat(0), first)
    assert [(line.key, line.options[0].branch) for line in again.question.lines] == [("2", "dig"), ("3", "go")]
    assert again.mentioned("3").offered[0].branch == "go"
