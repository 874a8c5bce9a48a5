"""What comes unseen into the box stays hidden there; what lay open, was revealed, or lies in an open box is known to all."""

from __future__ import annotations

import random

import pytest

from rulelang import api
from rulelang.api import Match
from rulelang.ir.numbers import Seat
from rulelang.match.redeals.redeal import redeal
from tests.knowledge.test_where_answers_go import told
from tests.views import zone

RULES = """\
game g "G":
  players 3
  seats red, blue, green
names p: Player; c: Card
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |
the game has:
  BOX
  deck: pile of Card, face down
  table: group of Card
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
action drop(p, c in p.hand) "Drop {c}": move c to box
action lay(p, c in p.hand) "Lay {c}":
  move c to table
  move c to box
action turn_up(p, c in p.hand) "Turn {c}":
  reveal(c)
  move c to box
action burn(p) "Burn": move 3 of deck to box
play:
  turns p from red: p chooses one of drop, lay, turn_up, burn, or stop
  finish with winner red
"""
EXECUTORS = ("reference", "generated", "native")


def started(box: str = "box: face down", seed: int = 1, executor: str = "generated") -> Match:
    checked = api.check_text(RULES.replace("BOX", box))
    assert checked.game is not None, checked.diagnostics
    assert not checked.diagnostics
    return checked.game.start(3, seed=seed, executor=executor)


def take(match: Match, name: str) -> None:
    """Takes the first option whose written form begins so."""
    match.push(next(option for option in match.options if str(option).startswith(name)))


def boxed(match: Match, seat: int | None) -> tuple[str | None, ...]:
    return zone(match.view(seat), "box").things


@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_leaves_a_deck_unseen_is_hidden_in_the_box(executor: str) -> None:
    one, other = (started(seed=seed, executor=executor) for seed in (1, 2))
    for match in (one, other):
        take(match, "burn")
    assert one.state["box"] != other.state["box"]
    for match in (one, other):
        assert [boxed(match, seat) for seat in (0, 1, 2, None)] == [(None,) * 3] * 4
    assert told(one, None) == told(other, None)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_whoever_saw_it_leave_knows_what_lies_in_the_box(executor: str) -> None:
    match = started(executor=executor)
    take(match, "drop")
    assert boxed(match, 0) == zone(match.state, "box").things
    assert [boxed(match, seat) for seat in (1, 2, None)] == [(None,)] * 3
    assert match.view(0).events[-2].sentence != match.view(1).events[-2].sentence == ("Drop a card",)


@pytest.mark.parametrize("action", ["lay", "turn_up"])
@pytest.mark.parametrize("executor", EXECUTORS)
def test_what_lay_open_stays_in_sight_beside_what_did_not(action: str, executor: str) -> None:
    match = started(executor=executor)
    take(match, action)
    open = zone(match.state, "box").things
    take(match, "burn")
    for seat in (0, 1, None):
        assert sorted(boxed(match, seat), key=str) == sorted((*open, None, None, None), key=str)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_line_turns_up_what_is_put_back(executor: str) -> None:
    match = started("box: face up", executor=executor)
    take(match, "burn")
    assert [boxed(match, seat) for seat in (0, 1, None)] == [zone(match.state, "box").things] * 3


def test_redeals_know_that_what_lies_in_the_box_is_unknown() -> None:
    match = started()
    take(match, "burn")
    hand, rng = zone(match.state, "red.hand").things, random.Random(5)
    dealt = [redeal(match, Seat(0), rng).state for _ in range(30)]
    assert {zone(other, "red.hand").things for other in dealt} == {hand}
    assert len({zone(other, "box").things for other in dealt}) > 10


def test_undo_forgets_nothing_and_tells_nothing() -> None:
    match = started()
    take(match, "burn")
    before = [match.view(seat) for seat in (0, 1, 2, None)]
    take(match, "drop")
    match.undo()
    assert [match.view(seat) for seat in (0, 1, 2, None)] == before


def test_a_scenario_gives_a_box_in_which_nobody_sees_what_came_hidden() -> None:
    rules = RULES.replace("BOX", "box: face down") + (
        'scenario "a hand that goes":\n  given red.hand = {Card(1)}\n  red: drop(Card(1))\n'
        "  expect Card(1) in box\n  expect red sees box\n  expect blue cannot see box\n"
    )
    checked = api.check_text(rules)
    assert checked.game is not None, checked.diagnostics
    assert not checked.diagnostics


def test_a_game_whose_questions_rely_on_an_open_box_keeps_it_and_is_told() -> None:
    rules = (
        RULES.replace("  BOX\n", "")
        .replace(
            '"Drop {c}": move c to box',
            '"Drop {c}":\n  move c to box\n  if c.v > 3: next(p) chooses c in p.hand, or pass',
        )
        .replace("chooses c in p.hand, or pass", "chooses one of burn, or pass")
    )
    checked = api.check_text(rules)
    assert checked.game is not None, checked.diagnostics
    assert [d.code for d in checked.diagnostics] == ["W0518"]
    match = checked.game.start(3, seed=1)
    take(match, "drop")
    assert boxed(match, 1) == zone(match.state, "box").things


def test_a_box_is_said_once_and_by_the_game() -> None:
    def faults(line: str, holder: str = "the game") -> list[str]:
        text = RULES.replace("  BOX\n", "").replace("each Player has:", f"{holder} has:\n  {line}\neach Player has:", 1)
        return [fault.code for fault in api.check_text(text).diagnostics]

    assert faults("box: face up\n  box: face down") == ["E0202"]
    assert faults("box: face up", "each Player") == ["E0204"]
    assert faults("heap: face up") == ["E0204"]
    assert faults("box: group of Card, face up") != []
