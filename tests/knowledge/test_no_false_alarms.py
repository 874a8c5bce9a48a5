"""What everybody can tell is no secret: questions that depend on it are not refused, and those beside it are."""

from __future__ import annotations

import pytest

from rulelang import api

HEAD = """\
game t "T":
  players 2..3
  seats red, blue, green
names p, q: Player; n: 0..3; c, d: Card; k: Colour
enum Colour: scarlet, azure
kind Card "card":
  colour: Colour
  v: 1..6
  | colour | v    |
  | Colour | 1..6 |
the game has:
  deck: pile of Card, face down
  pot: 0..99 = 0
each Player has:
  hand: group of Card, seen by owner
  fan: group of Card, seen by {q in players if q != owner}
  slots(n: 1..3): slot for Card, seen by {q in players if q != owner}
  told(n: 1..3): Colour? = none
  team: 0..1 = 0
  mates: 0..9 = 0, seen by {q in players if q.team == owner.team}
  both: 0..9 = 0, seen by {red, blue}
  rest: 0..9 = 0, seen by players - {next(owner)}
  own: 0..9 = 0, seen by {q in players if q == owner or q.team == owner.team}
  secret: 0..9 = 0, seen by owner
  by_turn: 0..9 = 0, seen by mover
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
play:
"""
ASK = "red chooses n in 1..3"
OPEN = {
    "one's own cards, by a name that is worked out": "for p in players: next(p) chooses d in next(p).hand",
    "a team's number": "for p in players:\n    if p.mates > 3: p chooses n in 1..3",
    "a number of two": "if green.both > 3: red chooses n in 1..3",
    "a number of all but one": "if red.rest > 3: red chooses n in 1..3",
    "a number of the owner and others": "if red.own > 3: red chooses n in 1..3",
    "a number of whoever moves": "turns p from red:\n    if p.by_turn > 3: p chooses n in 1..3\n    stop",
    "what was shown": "show({top(deck)}, red)\n  red chooses c in {top(deck)}",
    "open cards of another": "red chooses c in {c in blue.hand if is_face_up(c) and c.v > 3}, or pass",
    "whether there are any": f"if first(c in blue.hand) != none: {ASK}",
    "whether there are any, of all": f"if any(yes for c in blue.hand): {ASK}",
    "the top, where there is one": f"let c = top(deck) if deck != {{}} else none\n  if c != none: {ASK}",
    "the top, or another's first": f"let c = top(deck) if pot > 3 else first(d in blue.hand)\n  if c != none: {ASK}",
    "where it was found": f"let c = top(deck)\n  if c in deck: {ASK}",
    "where it lies": f"for c in red.hand:\n    if c in deck: {ASK}",
    "where it went": f"let c = top(deck)\n  move c to red.hand\n  if c in deck: {ASK}",
    "where it was put": f"let c = top(deck)\n  move c to red.hand\n  if c in red.hand: {ASK}",
    "where it went, while others are drawn": (
        f"let c = top(deck)\n  move c to red.hand\n  move 1 of deck to blue.hand\n  if c in deck: {ASK}"
    ),
    "where a card of a round went": f"for c in red.hand:\n    move c to deck\n    if c in red.hand: {ASK}",
    "where it went in the end": f"let c = top(deck)\n  move c to red.hand\n  move c to box\n  if c in deck: {ASK}",
    "how many a set of all in a zone holds": f"let some = blue.hand\n  for c in some: {ASK}",
    "a part that was shown": f"let c = top(deck)\n  show(c.colour, red)\n  if c.colour == azure: {ASK}",
    "that somebody chose a card": f"blue chooses c in blue.hand, or pass\n  if c != none: {ASK}",
    "how many cards somebody chose": f"blue chooses some in up to 2 of blue.hand\n  if count(some) > 1: {ASK}",
    "what was told of a place": "blue chooses n in {n in 1..3 if blue.told(n) == azure}, or pass",
}
CLOSED = {
    "which card somebody chose": f"blue chooses c in blue.hand, or pass\n  if c.v > 3: {ASK}",
    "that somebody chose in secret": f"blue secretly chooses c in blue.hand, or pass\n  if c != none: {ASK}",
    "the top, where a secret says so": f"let c = top(deck) if blue.secret > 3 else none\n  if c != none: {ASK}",
    "what the top is": f"let c = top(deck) if deck != {{}} else none\n  if c.v > 3: {ASK}",
    "where it went by what it is": f"for c in blue.hand:\n    if c in deck: {ASK}\n    move {{d in blue.hand if d.v > 3}} to deck",
    "what may have gone back": (
        f"let c = top(deck)\n  move c to red.hand\n  move {{d in red.hand if d.v > 3}} to deck\n  if c in deck: {ASK}"
    ),
    "what went by what it is": (
        f"let c = top(deck)\n  move {{d in {{c}} if d.v > 3}} to red.hand\n  if c in deck: {ASK}"
    ),
    "what went where a secret says so": (
        f"let c = top(deck)\n  if blue.secret > 3: move c to red.hand\n  if c in deck: {ASK}"
    ),
    "what went to the hand that a secret names": (
        f"let c = top(deck)\n  move c to (red if blue.secret > 3 else green).hand\n  if c in red.hand: {ASK}"
    ),
    "some of a set": f"let some = {{c in blue.hand if c.v > 3}}\n  for c in some: {ASK}",
    "another part than was shown": f"let c = top(deck)\n  show(c.colour, red)\n  if c.v == 3: {ASK}",
    "a part of another card": f"show(top(deck).colour, red)\n  move top(deck) to box\n  if top(deck).colour == azure: {ASK}",
    "a part that another was shown": f"let c = top(deck)\n  show(c.colour, blue)\n  if c.colour == azure: {ASK}",
    "cards that one does not see": "red chooses c in red.fan, or pass",
    "what may be at its limit in the next round": (
        f"if pot > 0:\n    repeat blue.secret times:\n      pot -= 1, at least 0\n      {ASK}"
    ),
}


def codes(body: str) -> set[str]:
    return {one.code for one in api.check_text(f"{HEAD}  {body}\n  finish with winner red\n").diagnostics}


WHOLE = (
    "{c in Card if c in blue.hand} != {}",
    "{} != {c in Card if c in blue.hand}",
    "first(c in Card if c in blue.hand) != none",
    "first(c in Card by lowest c.v if c in blue.hand) != none",
    "{c in blue.hand + deck if c in blue.hand} != {}",
    "{c in Card if not (c not in blue.hand)} != {}",
    "{c in Card if c in blue.hand and c in blue.hand} != {}",
    "{c in Card if c in {d in Card if d in blue.hand}} != {}",
    "{c for c in Card if c in blue.hand} != {}",
    "{c in Card if c in blue.hand and pot > 3} != {}",
    "blue.hand + {} != {}",
    "{c in Card if c in blue.hand} == blue.hand",
    "count({c in Card if c in blue.hand}) > 1",
    "sum(1 for c in Card if c in blue.hand) > 1",
    "any(count({c in Card if c in q.hand}) > 1 for q in players)",
    "cards_of(blue) != {}",
    "count(held_by(blue)) > 1",
    "first(c in cards_of(blue)) != none",
    "random(c in Card if c in blue.hand) != none",
)
"""Conditions on whether there are any things in a zone, or how many."""
PART = (
    "{c in Card if c in blue.hand and c.v > 3} != {}",
    "{c in {d in Card if d.v > 3} if c in blue.hand} != {}",
    "first(c in Card if c in blue.hand and c.v > 3) != none",
    "first(c in Card if c in blue.hand).v > 3",
    "{c in Card if c in blue.hand} == {c in Card if c.v == 1}",
    "count({c.v for c in Card if c in blue.hand}) > 1",
    "sum(c.v for c in Card if c in blue.hand) > 3",
    "{c in Card if c in first(q in players by highest q.secret).hand} != {}",
    "any(c in blue.hand for c in {d in Card if d.v > 3})",
    "all(c in blue.hand + {d in deck if d.v > 3} if c in blue.hand)",
    "count(c in cards_of(blue) if c.v > 3) > 0",
)
"""Conditions on which things these are."""


def refused(conditions: tuple[str, ...]) -> set[int]:
    """Returns which of some conditions may not decide whether somebody is asked."""
    values = "value cards_of(q) = {c in Card if c in q.hand}\nvalue held_by(q) = q.hand\n"
    head = HEAD.replace("setup:\n", f"{values}setup:\n", 1)
    text = head + "".join(f"  if {one}: {ASK}\n" for one in conditions) + "  finish with winner red\n"
    faults = [fault for fault in api.check_text(text).diagnostics if fault.code == "E0402"]
    return {text.count("\n", 0, fault.primary.span.start) - head.count("\n") for fault in faults}


def test_whether_anything_lies_in_a_hand_is_no_secret_however_it_is_written() -> None:
    assert refused(WHOLE) == set()
    assert refused(PART) == set(range(len(PART)))


@pytest.mark.parametrize("case", OPEN)
def test_what_everybody_can_tell_is_no_secret(case: str) -> None:
    assert not codes(OPEN[case]) & {"E0402", "E0106", "E0201"}


@pytest.mark.parametrize("case", CLOSED)
def test_what_lies_beside_it_is_one(case: str) -> None:
    assert "E0402" in codes(CLOSED[case])


def test_who_holds_a_card_is_no_secret_where_the_owner_sees_all_of_them() -> None:
    own = "".join(line for line in HEAD.splitlines(keepends=True) if "slot" not in line and "fan:" not in line)
    asked = "  red chooses c in {c in Card if holder(c) == WHO}\n  finish with winner red\n"
    found = {
        who: {one.code for one in api.check_text(own + asked.replace("WHO", who)).diagnostics}
        for who in ("red", "blue")
    }
    assert "E0402" not in found["red"]
    assert "E0402" in found["blue"]


def test_whoever_cannot_see_the_cards_is_offered_places() -> None:
    found = api.check_text(f"{HEAD}  {CLOSED['cards that one does not see']}\n  finish with winner red\n").diagnostics
    assert any("by where they lie" in (one.help or "") for one in found)
