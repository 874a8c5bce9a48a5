"""Verbs that call themselves, as deep as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.errors import RunawayRules
from rulelang.ir.invariants import faults as broken
from tests.games.written import assert_holds, faults, game
from tests.views import variable

OUTBREAKS = """\
names p: Player; c, d: City
board City: graph
  map \"\"\"
    rome: pisa bari
    pisa: rome genoa
    bari: rome
    genoa: milan
    milan
  \"\"\"
each City has:
  cubes: 0..3 = 0
  hit: flag = no
the game has:
  outbreaks: 0..99 = 0
  leaves: 0..20 = 0
to infect(c) at most 8 deep "{c} is infected":
  if c.cubes < 3: c.cubes += 1
  elif not c.hit:
    c.hit = yes
    outbreaks += 1
    let before = outbreaks
    for d in neighbours(c): infect(d)
    if before == outbreaks: leaves += 1
play:
  turns p from first_player:
    p chooses one of:
      attack(c: City) "Infect {c}": infect(c)
      rest "Rest": settle
"""

MUTUAL = """\
names p: Player
the game has:
  evens: 0..99 = 0
  odds: 0..99 = 0
to even(n: 0..30) at most 5 deep:
  evens += 1
  if n > 0: odd(n - 1)
to odd(n: 0..30):
  odds += 1
  if n > 0: even(n - 1)
play:
  turns p from first_player:
    p chooses one of:
      down(n: 0..30) "Down from {n}": even(n)
      up(n: 0..30) "Up from {n}": odd(n)
"""

ASKING = """\
names p: Player
the game has:
  worth: 0..99 = 0
to ask(p, n: 0..9) at most 3 deep:
  for q in players if q == p:
    p chooses one of:
      deeper "Deeper":
        if n > 0: ask(next(p), n - 1)
        worth += n
      up "Up": worth += 10
play:
  turns p from first_player:
    p chooses one of:
      begin(n: 0..9) "Begin with {n}": ask(p, n)
      rest "Rest": settle
"""


def test_a_chain_of_outbreaks_goes_from_city_to_city(tmp_path: Path) -> None:
    assert_holds(
        OUTBREAKS
        + """
scenario "a chain":
  given rome.cubes = 3, pisa.cubes = 3, genoa.cubes = 3, bari.cubes = 2
  player1: attack(rome)
  expect outbreaks == 3 and bari.cubes == 3 and milan.cubes == 1 and pisa.cubes == 3 and leaves == 1
  expect event infect(milan)
""",
        tmp_path,
    )


def test_two_verbs_may_call_each_other_if_one_says_how_deep(tmp_path: Path) -> None:
    assert_holds(
        MUTUAL
        + """
scenario "in turns":
  player1: down(10)
  expect evens == 6 and odds == 5
  player2: up(3)
  expect evens == 8 and odds == 7
""",
        tmp_path,
    )


def test_what_calls_itself_may_ask_in_between(tmp_path: Path) -> None:
    assert_holds(
        ASKING
        + """
scenario "each depth remembers its own":
  player1: begin(2)
  player1: deeper
  player2: deeper
  player1: deeper
  expect worth == 3
  player2: begin(9)
  player2: deeper
  player1: deeper
  player2: up
  expect worth == 30
""",
        tmp_path,
    )


@pytest.mark.parametrize("executor", ["reference", "generated"])
@pytest.mark.parametrize(
    ("text", "answers", "words"),
    [
        (MUTUAL, ["down(12)"], "`even` calls itself more than 5 deep"),
        (MUTUAL, ["up(13)"], "`even` calls itself more than 5 deep"),
        (ASKING, ["begin(9)", "deeper", "deeper", "deeper", "deeper"], "`ask` calls itself more than 3 deep"),
    ],
)
def test_too_deep_is_a_fault_that_names_the_verb(
    text: str, answers: list[str], words: str, executor: str, tmp_path: Path
) -> None:
    match = game(text, tmp_path).start(2, seed=1, executor=executor)
    for answer in answers[:-1]:
        match.play(answer)
    with pytest.raises(RunawayRules, match=words) as stopped:
        match.play(answers[-1])
    assert stopped.value.site


def test_hooks_run_at_every_depth(tmp_path: Path) -> None:
    assert_holds(
        MUTUAL.replace("odds: 0..99 = 0", "odds: 0..99 = 0\n  seen: 0..99 = 0\n  spared: flag = no")
        + """
before even(n): seen += 1
instead of odd(n) if n == 3 as tired: spared = yes

scenario "hooks":
  player1: down(6)
  expect seen == 2 and spared and evens == 2 and odds == 1
""".replace("even(n)", "even(n)"),
        tmp_path,
    )


def test_undo_and_forks_know_how_deep_they_are(tmp_path: Path) -> None:
    played = game(ASKING, tmp_path)
    for executor in ("reference", "generated"):
        match = played.start(2, seed=1, executor=executor)
        for answer in ("begin(3)", "deeper", "deeper"):
            match.play(answer)
        fork = match.fork()
        match.undo(1)
        match.play("up")
        assert variable(match.view(0), "worth").value == 13
        fork.play("deeper")
        fork.play("up")
        assert variable(fork.view(0), "worth").value == 10 + 1 + 2 + 3


def test_a_circle_in_which_no_verb_says_how_deep_is_refused(tmp_path: Path) -> None:
    text = "to a(n: 0..9): b(n)\nto b(n: 0..9): c(n)\nto c(n: 0..9): b(n)\n"
    assert [code for code, _ in faults(text, tmp_path)] == ["E0405"]
    assert faults(text.replace("to b(n: 0..9):", "to b(n: 0..9) at most 3 deep:"), tmp_path) == []


@pytest.mark.parametrize("deep", ["0", "51", "-1"])
def test_how_deep_is_a_small_number(deep: str, tmp_path: Path) -> None:
    assert [code for code, _ in faults(f"to a(n: 0..9) at most {deep} deep: a(n)\n", tmp_path)][:1] == ["E0406"]


def test_too_many_combinations_of_depths_are_refused(tmp_path: Path) -> None:
    verbs = "".join(f"to v{i}(n: 0..9) at most 40 deep:\n  v0(n)\n  v1(n)\n" for i in range(2))
    verbs += "setup:\n  v0(3)\n"
    assert [code for code, _ in faults(verbs, tmp_path)] == ["E0406"]


def test_the_deepest_recursion_runs_on_both_executors(tmp_path: Path) -> None:
    text = """\
names p: Player
the game has:
  deepest: 0..99 = 0
to fall(p, n: 0..99) at most 50 deep:
  deepest = max(deepest, n)
  if n < 50:
    for q in players if q == p:
      repeat 1 times:
        if deepest > -1: land(p, n)
to land(p, n: 0..98):
  if p in players: fall(p, n + 1)
play:
  fall(first_player, 0)
  first_player chooses one of:
    go "Go": settle
    stay "Stay": settle
scenario "down there":
  expect deepest == 50
"""
    assert_holds(text, tmp_path)
    woven = game(text, tmp_path).ir
    assert broken(woven, woven=True) == ()


def test_how_deep_a_verb_goes_is_part_of_what_the_rules_do(tmp_path: Path) -> None:
    first = game(MUTUAL, tmp_path).rules_hash
    assert game(MUTUAL.replace("at most 5 deep", "at most 6 deep"), tmp_path).rules_hash != first
