"""Variables that last for a time: they go back by themselves, as a turn or a round ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.machines.chance import Seeded
from rulelang.rulebook.printed.book import book, lowered
from rulelang.rulebook.printed.markdown import markdown
from rulelang.scenarios.run import run_scenarios
from rulelang.screens.what import explained
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from tests.machines.test_generated import play_in_lock_step
from tests.machines.test_native import in_lock_step
from tests.seeds import few_of

RAGE = """game rage "Rage":
  players 2..3
  seats red, blue, green

names p: Player; n: 1..2
enum Suit: cups, coins

the game has:
  storm: flag = no, until round ends
  price(suit: Suit, n): 0..9 = n, until turn ends
each Player has:
  bonus: 0..9 = 0, until turn ends
  shield: flag = no, until turn of owner begins
  haste(n): flag = no, until turn of owner ends, seen by owner

value power(p) -> 0..99 = 2
adjust power(p): +p.bonus
adjust power(p): times 2 if storm

action rage(p) "Rage":
  p.bonus += 2
  p.shield = yes
  next(p).haste(1) = yes
  price(cups, 2) = 7
action storm_up(p) "Storm": storm = yes
action hurry(p, n) "Hurry": p.haste(n) = yes

play:
  turns p from red:
    p chooses one of:
      rage
      storm_up
      hurry
      rest "Rest": settle
      end_it "Enough": stop
    if round == 6: finish with winner p
  first_player chooses one of:
    over "Over": settle
  finish with winner {p in players if not p.shield}

scenario "each goes back at its moment":
  players red, blue, green
  red: rage
  expect red.bonus == 0 and red.shield and blue.haste(1) and price(cups, 2) == 2 and price(coins, 1) == 1
  blue: storm_up
  expect storm and not blue.haste(1) and power(red) == 4
  green: rest
  expect not storm and round == 2 and not red.shield

scenario "the owner's present turn does not count, even where it is set anew":
  players red, blue
  red: hurry(2)
  expect red.haste(2) and not red.haste(1)
  blue: rest
  red: hurry(2)
  expect red.haste(2)
  blue: rest
  red: rest
  expect not red.haste(2)

scenario "where the turns end, turn and round end too":
  players red, blue
  red: storm_up
  expect storm
  blue: end_it
  expect not storm

variant lasting of rage "The storm lasts":
  replace the game has:
    storm: flag = no
"""


def game() -> api.Game:
    checked = api.check_text(RAGE)
    assert checked.game is not None, [f"{d.code} {d.span.place} {d.message}" for d in checked.diagnostics]
    return checked.game


def test_what_lasts_for_a_time_goes_back_by_itself() -> None:
    outcomes = run_scenarios(game(), executor="both")
    assert len(outcomes) == 3
    assert all(one.passed for one in outcomes), [one.faults for one in outcomes]


@pytest.mark.parametrize("seed", few_of(3, few=1))
def test_all_executors_put_back_the_same(seed: int) -> None:
    rage = game()
    assert play_in_lock_step(rage.ir, seed, traced=bool(seed % 2))
    chance = Seeded(seed, rage.ir, rage.internals.layout)
    assert in_lock_step(rage.internals.machine("native")(chance), rage.internals.machine("generated")(chance), seed)


def test_what_is_put_back_is_told_and_undone() -> None:
    match = game().start(players=2, seed=1)
    match.play("red: rage")
    key = match.key
    told = match.play("blue: storm_up")
    changes = [change for event in told for change in event.changes if change.subject == ("storm",)]
    assert [(change.before, change.after) for change in changes] == [(("no",), ("yes",)), (("yes",), ("no",))]
    match.undo(1)
    assert match.key == key


def test_whoever_asks_what_it_is_reads_how_long_it_lasts() -> None:
    match = game().start(players=2, seed=1)
    said = {one.noun: one.facts for one in explained(match, 0, "storm")}
    assert said["variable"][0] == "lasts until the round ends"


def test_others_do_not_learn_what_only_its_owner_sees() -> None:
    hurried, rested = (game().start(players=3, seed=1) for _ in range(2))
    hurried.play("red: hurry(1)")
    rested.play("red: rest")
    views = [match.view(1) for match in (hurried, rested)]
    assert views[0].variables == views[1].variables
    assert hurried.view(0).variables != rested.view(0).variables


def test_the_page_says_how_long_it_lasts_and_the_style_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "rage.rules"
    path.write_text(RAGE)
    page = markdown(book(lowered(*api.read(str(path)))))
    assert "until the owner's next turn ends; seen by the owner alone" in page
    assert "fresh" not in page
    assert format_source(SourceText("rage.rules", RAGE)).strip() == RAGE.strip()


def test_a_position_in_which_something_lasts_reads_back() -> None:
    match = game().start(players=2, seed=1)
    match.play("red: rage")
    again = game().start(given=match.as_given())
    assert again.position.machine.row == match.position.machine.row


def test_a_variant_makes_something_last_and_no_more() -> None:
    checked = api.check_text(RAGE, ("lasting",))
    assert checked.game is not None
    match = checked.game.start(players=2, seed=1)
    for answer in ("red: storm_up", "blue: rest", "red: rest"):
        match.play(answer)
    assert "storm = yes" in match.as_given()


AT_ONCE = """game sim "Sim":
  players 2..4

names p, q: Player

each Player has:
  haste: flag = no, until turn of owner ends
  sum: 0..99 = 0, until turn of owner ends
  target: Player? = none, until turn of owner begins

action all_go(p) "All":
  simultaneously for q in players:
    q.haste = yes
    for r in players if r != q: r.sum += 1
names r: Player

play:
  turns p from first_player:
    p chooses p.target in players
    p chooses one of:
      all_go
      rest "Rest": settle
    if round == 4: finish with winner p

scenario "at once":
  player1: player2
  player1: all_go
  expect player1.haste and player2.haste and player1.sum == 1
  player2: player1
  player2: rest
  expect not player2.haste and player2.sum == 0 and player1.haste and player1.target == none
"""


def test_what_is_changed_at_once_and_by_a_choice_lasts_alike_on_all_executors() -> None:
    checked = api.check_text(AT_ONCE)
    assert checked.game is not None
    assert all(one.passed for one in run_scenarios(checked.game, executor="both"))
    assert play_in_lock_step(checked.game.ir, 1, traced=True)
    chance = Seeded(1, checked.game.ir, checked.game.internals.layout)
    assert in_lock_step(
        checked.game.internals.machine("native")(chance), checked.game.internals.machine("generated")(chance), 1
    )
