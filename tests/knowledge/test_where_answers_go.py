"""An answer, a throw or a pick that reaches hidden variables alone is told to nobody else, by whatever way it reaches them."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.api import Match

HEAD = """\
game ships "Ships":
  players 2
  seats red, blue
  lone options are asked

names p, q: Player; s, t: Cell; n: 1..6
die d6: 1..6

board Cell: square
  map \"\"\"
    . . .
    . . .
    . . .
  \"\"\"

each Cell has:
  mark: Player? = none, seen by nobody
  flag_of: Player? = none
each Player has:
  ship(s: Cell): flag = no, seen by owner
  pip(n): flag = no, seen by owner
  at: Cell? = none, seen by owner
  marks: set of Cell = {}, seen by owner
  low: flag = no, seen by owner
  luck: 0..99 = 0, seen by owner
  gold: 0..99 = 0
  tmp: 0..99 = 0, scratch
  ticked(n): flag = no, scratch

value tmp_of(p) = p.tmp
to put(p, s) "{p} puts one at {s}": p.ship(s) = yes
to count_on(p, n) "{p} counts on": p.luck += n
"""
HIDDEN = {
    "a key": 'action go(p, s) "Ship at {s}": p.ship(s) = yes',
    "a number as key": 'action go(p, n) "Pip {n}": p.pip(n) = yes',
    "a let": 'action go(p, s) "Ship at {s}":\n  let t = s\n  p.ship(t) = yes',
    "a verb": 'action go(p, s) "Ship at {s}": put(p, s)',
    "a value": 'action go(p, s) "Ship at {s}": p.at = s',
    "a space's variable": 'action go(p, s) "Mine at {s}": s.mark = p',
    "a set": 'action go(p, s) "Mark {s}": p.marks += {s}',
    "a set that is gone through": 'action go(p, s) "Mark {s}":\n  for t in {s}: p.ship(t) = yes',
    "a scratch variable": 'action go(p, n) "Say {n}":\n  p.tmp = n\n  p.luck = p.tmp',
    "a key of a scratch variable": 'action go(p, n) "Say {n}":\n  p.ticked(n) = yes\n  if p.ticked(2): p.luck = 1',
    "a value of a scratch variable": 'action go(p, n) "Say {n}":\n  p.tmp = n\n  p.luck = tmp_of(p)',
    "the answer of a verb": 'to told(p, n) -> 1..6: return n\naction go(p, n) "Say {n}":\n  let x = told(p, n)\n  p.luck = x',
    "the answer of a verb, straight": 'to told(p, n) -> 1..6:\n  if n > 3: return 2\n  return 5\naction go(p, n) "Say {n}": p.luck = told(p, n)',
    "a condition": 'action go(p, n) "Say {n}":\n  if n == 1: p.low = yes',
    "a condition of a verb": 'action go(p, n) "Say {n}":\n  if n > 3: put(p, a1)',
    "how often something is thrown": 'action go(p, n) "Say {n}":\n  repeat n times: p.luck += roll(d6)',
    "how often": 'action go(p, n) "Say {n}":\n  repeat n times: p.luck += 2',
    "by way of a condition and a let": 'action go(p, n) "Say {n}":\n  let x = n + 1\n  if x > 3: count_on(p, 2)',
}
HIDDEN |= {
    "a way out of a verb": 'action go(p, n) "Say {n}":\n  p.gold += 1\n  if n > 3: return\n  p.low = yes',
    "a way out of a loop": 'action go(p, n) "Say {n}":\n  for m in 1..6:\n    if m == n: stop\n    p.pip(m) = yes\n  p.gold += 1',
    "a way out of a loop and of a verb": 'action go(p, n) "Say {n}":\n  for m in 1..6:\n    if m == n: return\n    p.pip(m) = yes',
    "a way out of a verb that is called": """to look(p, n) "{p} looks":
  if n > 1:
    if n < 4: return
  p.low = yes
action go(p, n) "Say {n}":
  look(p, n)
  p.gold += 1""",
}
HIDDEN |= {
    "how deep a verb calls itself": """to dig(p, k: 0..6) at most 9 deep "{p} digs":
  p.luck += 1
  if k > 0: dig(p, k - 1)
action go(p, n) "Say {n}": dig(p, n)""",
    "how deep two verbs call each other": """to dig(p, k: 0..6) at most 9 deep:
  if k > 0: dug(p, k - 1)
  else: p.low = yes
to dug(p, k: 0..6): dig(p, k)
action go(p, n) "Say {n}": dig(p, n)""",
    "how deep a verb calls itself that answers": """to dig(p, k: 0..6) -> 0..99 at most 9 deep:
  if k == 0: return 0
  let x = dig(p, k - 1)
  return x + 1
action go(p, n) "Say {n}": p.luck = dig(p, n)""",
}
NOWHERE = {
    "nothing is made of it": "action go(p, n): settle",
    "a place": "action go(p, s): settle",
    "a let of which nothing is made": "action go(p, n):\n  let x = n + 1\n  settle",
    "a condition of nothing": "action go(p, n):\n  if n > 3: settle",
    "beside a sentence that does not name it": 'action go(p, n) "{p} speaks": settle',
}
OPEN = {
    "a public key": 'action go(p, s) "Flag at {s}":\n  p.ship(s) = yes\n  s.flag_of = p',
    "a public value": 'action go(p, n) "Say {n}":\n  p.luck = n\n  p.gold = n',
    "a public write below a condition": 'action go(p, n) "Say {n}":\n  p.luck = n\n  if n == 1: p.gold += 1',
    "a public loop": 'action go(p, n) "Say {n}":\n  p.luck = n\n  repeat n times: p.gold += 1',
    "a public write of a scratch variable": 'action go(p, n) "Say {n}":\n  p.tmp = n\n  p.luck = p.tmp\n  p.gold = p.tmp',
    "a question about a scratch variable": 'action go(p, n) "Say {n}":\n  p.tmp = n\n  p.luck = p.tmp\n  next(p) chooses n in 0..p.tmp, or pass',
    "the answer of a verb in a public write": 'to told(p, n) -> 1..6: return n\naction go(p, n) "Say {n}":\n  p.luck = n\n  p.gold = told(p, n)',
    "a sentence": 'action go(p, n) "{p} says {n}": settle',
    "a question to another": 'action go(p, n):\n  next(p) chooses n in n..6 "How many?"',
    "that a verb is called": "to hear(p): settle\naction go(p, n):\n  if n > 3: hear(p)",
    "that something is thrown": "action go(p, n):\n  if n > 3:\n    let x = roll(d6)\n    settle",
    "a verb's line": "to hear(p, n): settle\naction go(p, n): hear(p, n)",
    "whether another is asked": 'action go(p, n):\n  if n > 3: next(p) chooses n in 1..6 "How many?"',
}
OPEN |= {
    "a way out in front of a public write": "action go(p, n):\n  if n > 3: return\n  p.gold += 1",
    "the rounds of a loop with a public write": "action go(p, n):\n  for m in 1..6:\n    p.gold += 1\n    if m == n: stop",
    "a way out of a loop in front of a public write": """action go(p, n):
  for m in 1..6:
    if m == n: return
    p.pip(m) = yes
  p.gold += 1""",
    "a way out in front of a question": "action go(p, n):\n  if n > 3: return\n  next(p) chooses n in 1..6",
}
OPEN |= {
    "how deep a verb calls itself that writes in the open": """to dig(p, k: 0..6) at most 9 deep:
  p.gold += 1
  if k > 0: dig(p, k - 1)
action go(p, n): dig(p, n)""",
    "what a verb does in the open at its deepest": """to dig(p, k: 0..6) at most 9 deep:
  if k > 0: dig(p, k - 1)
  else: p.gold += 1
action go(p, n): dig(p, n)""",
}
PICKED = {
    "a pick as a key": 'action go(p) "Somewhere":\n  let s = random(Cell)\n  p.ship(s) = yes',
    "a pick by way of a verb": 'action go(p) "Somewhere": put(p, random(Cell))',
    "a throw as a key": 'action go(p) "Somewhere":\n  let n = roll(d6)\n  p.pip(n) = yes',
    "a throw into a scratch variable": 'action go(p) "Go":\n  p.tmp = roll(d6)\n  p.luck = p.tmp',
    "a throw that a verb answers": 'to cast(p) -> 1..6: return roll(d6)\naction go(p) "Go": p.luck = cast(p)',
    "a throw that decides": 'action go(p) "Somewhere":\n  let n = roll(d6)\n  if n > 3: p.low = yes',
    "a throw in a condition": 'action go(p) "Somewhere":\n  if roll(d6) > 3: p.low = yes',
    "a throw in a later condition": 'action go(p) "Go":\n  if p.gold > 3: p.gold = 1\n  elif roll(d6) > 3: p.low = yes',
    "a throw that counts rounds": 'action go(p) "Somewhere":\n  repeat roll(d6) times: p.luck += 1',
    "a throw before a way out": 'action go(p) "Somewhere":\n  if roll(d6) > 3: return\n  p.low = yes',
    "throws until one is good": 'action go(p) "Go":\n  repeat 3 times:\n    if roll(d6) > 5: stop\n    p.luck += 1',
    "a second throw by a first": 'action go(p) "Go": p.low = roll(d6) > 3 and roll(d6) > 2',
    "a second throw without a first": 'action go(p) "Go":\n  if roll(d6) > 3 or roll(d6) > 2: p.low = yes',
    "one throw or two": 'action go(p) "Go": p.luck = roll(d6) if roll(d6) > 3 else 0',
    "as many throws as a throw": 'action go(p) "Go": p.luck = roll(d6, roll(d6))',
    "throws until one is good, at once": 'action go(p) "Go": p.low = any(roll(d6) > 4 for m in 1..3)',
    "a throw given to a verb, or one": 'action go(p) "Go": count_on(p, roll(d6) if roll(d6) > 3 else 1)',
    "a second throw for a scratch variable": """action go(p) "Go":
  p.tmp = roll(d6) if roll(d6) > 3 else 1
  p.luck = p.tmp""",
    "how deep a verb calls itself by a throw": """to dig(p, k: 0..6) at most 9 deep:
  p.luck += 1
  if k > 0: dig(p, k - 1)
action go(p) "Go": dig(p, roll(d6))""",
    "one of two arguments": """to both(p, n, m: 1..6):
  p.luck = n
  if m > 9: p.gold = m
action go(p) "Go": both(p, roll(d6), 3)""",
}


def after(action: str, answer: str, seed: int = 1, executor: str = "generated") -> Match:
    text = f"{HEAD}{action}\nplay:\n  for p in players: p chooses one of go\n  finish with winner {{}}\n"
    checked = api.check_text(text)
    assert checked.game is not None, checked.diagnostics
    match = checked.game.start(2, seed=seed, executor=executor)
    match.play(f"red: {answer}")
    return match


def told(match: Match, seat: int | None) -> tuple[object, ...]:
    log = match.log.for_seat(seat).text
    return log, match.events_for(seat), match.information(seat), match.view(seat)


@pytest.mark.parametrize("action", [*HIDDEN.values(), *NOWHERE.values()], ids=[*HIDDEN, *NOWHERE])
def test_an_answer_that_reaches_hidden_variables_alone_or_nothing_is_its_choosers(action: str) -> None:
    first, other = ("go(1)", "go(5)") if "(p, n)" in action else ("go(a1)", "go(c3)")
    for executor in ("reference", "generated"):
        one, two = after(action, first, executor=executor), after(action, other, executor=executor)
        for seat in (1, None):
            assert told(one, seat) == told(two, seat)
        assert told(one, 0)[0] != told(two, 0)[0]


@pytest.mark.parametrize("action", OPEN.values(), ids=OPEN)
def test_an_answer_that_the_rules_show_is_told(action: str) -> None:
    first, other = ("go(1)", "go(5)") if "(p, n)" in action else ("go(a1)", "go(c3)")
    one, two = after(action, first), after(action, other)
    assert first in told(one, 1)[0]  # type: ignore[operator]
    assert told(one, 1)[0] != told(two, 1)[0]


@pytest.mark.parametrize("action", PICKED.values(), ids=PICKED)
def test_a_pick_or_throw_that_reaches_hidden_variables_alone_is_told_to_nobody_else(action: str) -> None:
    matches = [after(action, "go", seed) for seed in range(6)]
    for seat in (1, None):
        assert all(told(match, seat)[1] == told(matches[0], seat)[1] for match in matches)
        assert all(told(match, seat)[2:] == told(matches[0], seat)[2:] for match in matches)
    assert len({str(told(match, 0)[1]) for match in matches}) > 1


def test_of_two_throws_that_a_verb_is_given_the_hidden_one_is_told_to_its_owner() -> None:
    verb = "to both(p, n, m: 1..6):\n  p.luck = n\n  p.gold = m\n"
    for seed in range(6):
        match = after(f'{verb}action go(p) "Go": both(p, roll(d6), roll(d6))', "go", seed)
        changes = [change for event in match.events_for(1) for change in event.changes]
        (gold,) = (change.after for change in changes if change.what == "set")
        assert [change.after for change in changes if change.what == "roll"] == [("?",), gold]


NOTHING_MADE = {
    "a throw": 'action go(p) "Go":\n  let n = roll(d6)\n  let m = n + 1\n  p.gold = 3',
    "a pick": 'action go(p) "Go":\n  let s = random(Cell)\n  if s == a1: settle',
    "a throw in a condition": 'action go(p) "Go":\n  if roll(d6) > 3: settle',
    "a second throw by a first": 'action go(p) "Go":\n  if roll(d6) > 3 and roll(d6) > 2: settle',
    "a throw that counts rounds of nothing": 'action go(p) "Go":\n  repeat roll(d6) times: settle',
}


@pytest.mark.parametrize("action", NOTHING_MADE.values(), ids=NOTHING_MADE)
def test_a_throw_or_pick_of_which_nothing_is_made_is_told_to_nobody(action: str) -> None:
    matches = [after(action, "go", seed) for seed in range(6)]
    for seat in (0, 1, None):
        assert len({str(told(match, seat)[1:]) for match in matches}) == 1


def test_a_redeal_puts_a_hidden_key_anywhere() -> None:
    import random

    match = after(HIDDEN["a key"], "go(a1)")
    found = {
        str(match.redeal(1, random.Random(seed), budget=budget).view(0)) for seed in range(9) for budget in (0, 90)
    }
    assert len(found) > 2
