"""Which option was taken, passing among them, is its chooser's where no option does anything in the open and none has a sentence."""

from __future__ import annotations

import random

import pytest

from rulelang import api
from rulelang.api import Game, Match
from tests.knowledge.test_where_answers_go import told

HEAD = """\
game t "T":
  players 3
  seats red, blue, green
names p, q: Player; n: 0..3
die d6: 1..6
the game has:
  pot: 0..99 = 0
each Player has:
  secret: 0..99 = 0, seen by owner
  target: Player? = none, seen by owner
  is_bold: flag = no, seen by owner
action high(p): p.secret = 9
action low(p): mark(p, 1)
action throw(p): p.secret = roll(d6)
action pay(p):
  p.secret = 1
  pot += 1
action shout(p) "Shout", "{p} shouts": p.secret = 1
action approve(p) "Approve": p.is_bold = yes
action reject(p) "Reject": p.is_bold = no
action boast(p):
  p.secret = 1
  speak(p)
action leave(p):
  p.secret = 1
  if p.is_bold: return
to mark(p, n): p.secret = n
to speak(p) "{p} speaks": settle
whenever p.secret == 50 for p in players: p.secret = 51
"""
COVERT = {
    "passing beside a target": "red chooses red.target in players, or pass",
    "passing beside a target, all at once": "each p in players secretly chooses p.target in players, or pass",
    "actions": "red chooses one of high, low",
    "actions, or nothing": "red chooses one of high, low, or pass",
    "options with words in the menu": "red chooses one of approve, reject",
    "a ballot": "each p in players secretly chooses one of approve, reject, or pass",
    "options in place": "red chooses one of:\n    strong: red.secret = 5\n    timid: red.is_bold = no",
    "a throw or none": "red chooses one of throw, low",
    "options with answers": "red chooses one of:\n    some(n in 1..2): red.secret = n\n    none_at_all: settle",
    "options all at once": "each p in players secretly chooses one of high, low",
    "options of which nothing is made": "red chooses one of:\n    some(n in 1..2): settle\n    none_at_all: settle",
    "an answer of which nothing is made, or none": "red chooses n in 1..2, or pass",
    "with what always follows": "red chooses one of high, low\n  pot += 1\n  speak(red)",
}
SHOWN = {
    "words in the menu, of which nothing else is made": 'red chooses one of:\n    yea "Yes": settle\n    nay "No": settle',
    "a public write": "red chooses one of pay, low",
    "a sentence": "red chooses one of shout, low",
    "the sentence of a verb": "red chooses one of boast, low",
    "an answer that is shown": "red chooses n in 1..2, or pass\n  if n != none: pot += n",
    "what follows an answer": "red chooses n in 1..2, or pass\n  if n == none: speak(red)",
}


def game_of(body: str) -> Game:
    """Returns the game in which red is asked so."""
    text = f"{HEAD}play:\n  {body}\n  for p in players: p chooses n in 0..3\n  finish with winner red\n"
    checked = api.check_text(text)
    assert checked.game is not None, checked.diagnostics
    return checked.game


def ways_of(body: str, executor: str = "generated") -> list[Match]:
    """Returns the matches after each answer of red's; the others always give the first."""
    game, found = game_of(body), []
    for option in game.start(3, seed=1, executor=executor).options_of(0):
        match = game.start(3, seed=1, executor=executor)
        match.play(f"red: {option.text}")
        while match.choice is not None and match.choice.sealed:
            match.push(match.options_of(match.to_move[0])[0])
        found.append(match)
    return found


@pytest.mark.parametrize("body", COVERT.values(), ids=COVERT)
@pytest.mark.parametrize("executor", ["generated", "reference"])
def test_an_option_that_reaches_hidden_variables_alone_is_its_choosers(body: str, executor: str) -> None:
    first, *others = ways_of(body, executor)
    assert others
    for seat in (1, None):
        for other in others:
            assert told(first, seat) == told(other, seat)
    assert len({str(told(match, 0)[1]) for match in (first, *others)}) == 1 + len(others)


@pytest.mark.parametrize("body", SHOWN.values(), ids=SHOWN)
def test_an_option_that_the_rules_show_is_told(body: str) -> None:
    ways = ways_of(body)
    assert len({str(told(match, 1)[1]) for match in ways}) == len(ways)


@pytest.mark.parametrize("body", COVERT.values(), ids=COVERT)
def test_a_log_of_it_replays(body: str) -> None:
    for match in ways_of(body):
        assert api.replay(match.log, under=game_of(body)).difference is None


def test_what_always_follows_is_told_once_more() -> None:
    for match in ways_of(COVERT["with what always follows"]):
        assert [event.rule for event in match.events_for(1)][-1] == "speak"


def test_a_redeal_takes_any_option() -> None:
    match = ways_of(COVERT["actions"])[0]
    found = {
        str(match.redeal(1, random.Random(seed), budget=budget).view(0)) for seed in range(9) for budget in (0, 90)
    }
    assert len(found) > 1
