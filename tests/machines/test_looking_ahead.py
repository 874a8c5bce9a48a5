"""What would be after a verb: the same on all executors, and nothing is changed by looking."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from tests.games.written import assert_holds, faults, game
from tests.seeds import few_of

KING = """\
game king "King":
  players 2
  seats white, black
names p, q: Player
names s, t: Square
enum Man: king, rook
board Square: square with diagonals
  map \"\"\"
    . . . .
    . . . .
    . . . .
    . . . .
  \"\"\"
each Square has:
  man: Man? = none
  owner: Player? = none
the game has:
  quiet: 0..99 = 0
value home(p) -> Square? = first(s in Square if s.man == king and s.owner == p)
value hits(s, t) -> flag = distance(s, t) == 1 if s.man == king else s.row == t.row or s.column == t.column
value in_check(p) -> flag = any(s.owner == next(p) and s.man != none and home(p) != none and hits(s, home(p)) for s in Square)
to shift(s, t):
  t.man = s.man
  t.owner = s.owner
  s.man = none
  s.owner = none
  quiet += 1, at most 99
action move(p, s, t) "Move {s} to {t}":
  needs s.owner == p and t.owner != p and s != t
  needs hits(s, t)
  needs not in_check(p) after shift(s, t)  "That leaves you in check"
  needs (quiet after shift(s, t)) > 0
  shift(s, t)
setup:
  a1.man = king
  a1.owner = white
  d4.man = king
  d4.owner = black
  c3.man = rook
  c3.owner = white
  b4.man = rook
  b4.owner = black
play:
  turns p from white:
    p chooses one of move, or pass
    if round == 12: finish with winner {}

scenario "a king does not walk into check":
  expect white cannot move(a1, b1)
  white: move(a1, a2)
  expect in_check(white) == no and quiet == 1
"""


def test_a_rule_looks_at_what_a_move_leads_to(tmp_path: Path) -> None:
    assert_holds(KING, tmp_path)


@pytest.mark.parametrize("seed", few_of(3, few=1))
def test_all_executors_foresee_the_same(seed: int, tmp_path: Path) -> None:
    rules = game(KING, tmp_path)
    matches = [rules.start(executor=executor) for executor in ("reference", "generated", "native")]
    choose = random.Random(seed)
    # A king sees two answers ahead: a whole game takes seconds on the reference.
    while matches[0].to_move and (seed or matches[0].inputs < 8):
        before = [match.key for match in matches]
        options = [[option.text for option in match.options] for match in matches]
        assert options[0] == options[1] == options[2]
        assert [match.key for match in matches] == before
        answer = choose.choice(options[0])
        for match in matches:
            match.play(answer)
        assert len({match.key for match in matches}) == 1


def test_a_rule_that_ends_the_game_or_fires_afterwards_is_foreseen(tmp_path: Path) -> None:
    text = """
names p: Player; n: 0..4
the game has:
  heap: -9..9 = 3
  spare: 0..9 = 0
whenever heap < 0 as filled:
  heap = 4
  spare += 1, at most 9
whenever heap == 0 as empty: finish with winner {}
to take(k: -2..4): heap -= k, at least -9
to win(): finish with winner first_player
value worst -> -9..9? = min(heap after take(n) for n in -2..2 if (heap after take(n)) < 9)
value ends = heap after win()
value far = (heap + spare) after take(4)
play:
  first_player chooses one of:
    lower(n) "Lower":
      needs heap after take(n - 2) > 1
      take(n - 2)
    rest "Rest": settle
  finish with winner {}
scenario "what would be":
  expect worst == 1 and ends == 3 and far == 5 and heap == 3 and spare == 0
  expect player1 cannot lower(4)
  player1: lower(0)
  expect heap == 5
"""
    assert_holds(text, tmp_path)


def test_a_time_on_a_clock_is_still_read_in_scenarios(tmp_path: Path) -> None:
    text = """
names p: Player
clock sand: 0..60
  | action | seconds |
  | climb  | 20      |
the game has:
  height: 0..9 = 0
action climb(p) "Climb": height += 1
action rest(p) "Rest": settle
play:
  sand = 60
  against sand:
    repeat while height < 3: first_player chooses one of climb, rest
  finish with winner first_player
scenario "seconds":
  player1: climb after 5 * 4
  player1: climb after 30
  expect sand == 10
"""
    assert_holds(text, tmp_path)


def test_looks_ahead_are_printed_as_they_are_written() -> None:
    text = "value a = (x + 1) after take(1)\nvalue b -> flag = not c(p) after take(1) and x after rest == 2\n"
    assert format_source(SourceText("ahead", text)) == text


def test_an_unknown_verb_is_named(tmp_path: Path) -> None:
    found = faults("the game has:\n  n: 0..9 = 0\nto rest(): settle\nvalue m = n after rset()\n", tmp_path)
    assert found == [("E0207", "no verb or action named `rset`")] or "rset" in found[0][1]


def test_a_scenario_looks_ahead_through_a_value(tmp_path: Path) -> None:
    text = "names p: Player\nthe game has:\n  n: 0..9 = 0\nto rise(): n += 1\nvalue then = n after rise()\n"
    text += 'play:\n  first_player chooses one of:\n    go "Go": rise()\n  finish with winner {}\nscenario "a look":\n'
    assert_holds(f"{text}  expect then == 2\n", tmp_path)
    assert ("E0305", "a scenario looks ahead through a value alone") in faults(
        f"{text}  expect (n + 1 after rise()) == 2\n", tmp_path
    )


HEAP = """\
names p: Player; n: 1..3

the game has:
  heap: 0..21 = 21
  turned: 0..99 = 0

value wins(p, n) -> flag = (heap == 0) after take(p, n)
value can_win(p) -> flag = any(wins(p, k) for k in 1..3)
value is_safe(p, n) -> flag = not can_win(next(p)) after take(p, n)
value two_on(p, n) -> flag = any(is_safe(next(p), k) for k in 1..3) after take(p, n)

to take(p, n): heap -= n, at least 0
whenever heap == 13 as thirteen:
  heap = 12
  turned += 1

action draw_off(p, n) "Take {n}":
  needs n <= heap
  needs is_safe(p, n) or heap <= 3 or not any(is_safe(p, k) for k in 1..3)  "That would lose at once"
  take(p, n)

play:
  turns p from first_player:
    if two_on(p, 1) and heap > 9: turned += 1
    p chooses one of draw_off
    if heap == 0: finish with winner p
"""


def test_looks_ahead_stand_inside_each_other_on_all_executors(tmp_path: Path) -> None:
    rules = game(HEAP, tmp_path)
    for seed in range(3):
        matches = [rules.start(seed=seed, executor=name) for name in ("reference", "generated", "native")]
        choose = random.Random(seed)
        while matches[0].to_move:
            options = [[option.text for option in match.options] for match in matches]
            assert options[0] == options[1] == options[2]
            before, answer = matches[0].key, choose.choice(options[0])
            matches[0].play(answer)
            matches[0].undo()
            assert matches[0].key == before
            for match in matches:
                match.play(answer)
            assert len({match.key for match in matches}) == 1
    assert_holds(HEAP + '''
scenario "whoever leaves three or fewer loses at once":
  given heap = 6
  expect is_safe(player1, 2) and not is_safe(player1, 3) and two_on(player1, 1)
  expect player1 cannot draw_off(3)
  player1: draw_off(2)
  expect heap == 4
''', tmp_path)  # fmt: skip
