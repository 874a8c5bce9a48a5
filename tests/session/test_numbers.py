"""The numbers of a menu stay while a plan is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.ir.numbers import Seat
from rulelang.session.dialogue import Dialogue, Menus, is_planning
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


def test_a_menu_stands_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    late = PLAN.replace("walk, dig, go", "walk, go, dig")
    match = game(late, tmp_path).start(seed=1)
    first = Dialogue.of(match, Seat(0)).question
    match.play("red: walk(3)")
    before = Dialogue.of(match, Seat(0), first).question
    assert [(line.key, line.options[0].branch) for line in before.lines] == [("2", "dig"), ("3", "go")]


def test_numbers_stay_over_a_question_in_between_and_over_an_undo(tmp_path: Path) -> None:
    asking = PLAN.replace("  steps = n\n", '  p chooses m in 1..3 "How fast?"\n  steps = n\n')
    match, menus = game(asking, tmp_path).start(seed=1), Menus()

    def keys() -> list[tuple[str, str]]:
        question = Dialogue.of(match, Seat(0), menus.before(match, 0)).question
        assert match.choice is not None
        menus.give(match, 0, match.choice.name, question)
        return [(line.key, line.label) for line in question.lines]

    first = keys()
    match.play("red: walk(3)")
    keys()
    match.play("red: 2")
    assert keys() == [("2", "Dig …"), ("3", "Go")]
    match.play("red: dig(4)")
    match.undo()
    assert keys() == [("2", "Dig …"), ("3", "Go")]
    match.undo()
    match.undo()
    assert keys() == first


DAYS = """
game days "Days":
  players 1
  seats red
names p: Player
the game has:
  rest: 0..9 = 0
  digs: 0..9 = 0
action sleep(p) "Sleep": rest += 1
action dig(p) "Dig":
  needs rest > 0
  digs += 1
phase work "Work":
  repeat: first_player chooses one of sleep, dig, or stop
play:
  repeat 3 times: work()
  finish with winner players
"""
TURNS = """
game turns "Turns":
  players 1
  seats red
names p: Player
the game has:
  digs: 0..9 = 0
action dig(p) "Dig": digs += 1
action go(p) "Go": settle
play:
  turns p from red: p chooses one of dig, go
"""


@pytest.mark.parametrize(
    ("rules", "answers", "goes_on"),
    [
        (DAYS, ["sleep"], True),
        (DAYS, ["sleep", "dig"], True),
        (DAYS, ["sleep", "stop"], False),  # another phase, another plan
        (DAYS, [], False),
        (TURNS, ["dig"], False),  # another turn
    ],
)
def test_a_plan_ends_with_its_phase_or_turn(rules: str, answers: list[str], goes_on: bool, tmp_path: Path) -> None:
    match = game(rules, tmp_path).start(seed=1)
    for answer in answers:
        match.play(f"red: {answer}")
    assert is_planning(match, 0) is goes_on


def test_others_answers_end_a_plan(tmp_path: Path) -> None:
    match = game(PLAN, tmp_path).start(seed=1)
    match.play("red: walk(3)")
    assert is_planning(match, 0)
    assert not is_planning(match, 1)
