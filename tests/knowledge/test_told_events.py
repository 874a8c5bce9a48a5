"""What a seat may not know leaves no trace in the events it is told: no line, number, clause or sentence of their own, and no gap."""

from __future__ import annotations

import json
from functools import cache

import pytest

from rulelang import api
from rulelang.api import Match

HEAD = """\
game g "G":
  players 2
  seats red, blue
names p, q: Player; n: 0..9
each Player has:
  secret: 0..9 = 0, seen by owner
  bid: 0..9 = 0, seen by owner
  gold: 0..99 = 0
to say(p) "{p} speaks": settle
to enrich(p) "{p} gets gold": p.gold += 1
to attempt(p) "{p} tries", else "{p} fails":
  if p.secret > 5: p.bid = 1                                     [X-1]
to mixed(p) "{p} works":                                         [X-2]
  say(p)
  if p.secret > 5:
    p.bid = 1                                                    [X-3]
  p.gold += 1                                                    [X-4]
to leave_early(p) "{p} is here":
  if p.secret > 5: return
  say(p)
to sift() "All are asked":
  for q in players:
    if q.secret < 5: stop
    say(q)
to lower(p) "{p} lowers it": p.secret -= 3, at least 0
to outer(p) "{p} thinks", else "{p} does not think":
  if p.secret > 5: inner(p)
to inner(p) "{p} thinks twice":
  say(p)
  if p.bid == 0: say(p)
to mark(p) "{p} marks": p.bid = 1
to boast(p) "{p} boasts": p.gold += 1
after boast(p) if p.secret > 5: say(p)
whenever p.secret > 5 and p.bid == 9 for p in players as high: mark(p)
"""
COURSES = (
    "if red.secret > 5: red.bid = 1                              [X-1]",
    "say(red)\n  if red.secret > 5: red.bid = 1\n  enrich(red)",
    "attempt(red)",
    "mixed(red)",
    "if red.secret > 5: say(red)",
    "say(blue)\n  if red.secret > 5: attempt(red)\n  else: say(blue)\n  enrich(red)",
    "leave_early(red)\n  enrich(red)",
    "sift()\n  enrich(red)",
    "for q in players if q.secret > 5: say(q)\n  red.gold += 2",
    "let x = red.secret + 1\n  if x > 6 and red.gold < 9: attempt(red)",
    "repeat while red.secret > 4: lower(red)",
    "outer(red)",
    "simultaneously for p in players if p.secret > 5: mark(p)\n  enrich(blue)",
    "simultaneously for p in players:\n    if p.secret > 5: mark(p)\n  enrich(blue)",
    "boast(red)",
    "let k = 3 if red.secret > 5 else 4\n  repeat 4 - k times: say(red)",
    "for q in players:\n    if q.secret > 5: q.bid = 2\n  enrich(blue)\n  red.gold += 2",
)


@cache
def _game(text: str) -> api.Game:
    checked = api.check_text(text)
    assert checked.game is not None, checked.diagnostics
    assert not checked.diagnostics
    return checked.game


def _played(body: str, secret: int, more: str = "") -> Match:
    text = (
        HEAD
        + more
        + (
            "play:\n  red chooses red.secret in 0..9\n  "
            + body
            + "\n  blue chooses n in 1..2\n  enrich(blue)\n  finish with winner red\n"
        )
    )
    match = _game(text).start(2, seed=1)
    match.push(match.options_of(0)[secret])
    match.push(match.options_of(1)[0])
    return match


@pytest.mark.parametrize("body", COURSES)
@pytest.mark.parametrize("seat", [1, None])
def test_two_courses_that_differ_in_a_secret_have_one_log(body: str, seat: int | None) -> None:
    none, some = (_played(body, secret) for secret in (2, 8))
    assert none.log.for_seat(seat).text == some.log.for_seat(seat).text
    assert none.events_for(seat) == some.events_for(seat)
    assert none.information(seat) == some.information(seat)
    assert none.view(seat) == some.view(seat)


@pytest.mark.parametrize("body", COURSES)
def test_whose_secret_it_is_reads_what_came_of_it(body: str) -> None:
    none, some = (_played(body, secret) for secret in (2, 8))
    assert none.log.for_seat(0).text != some.log.for_seat(0).text


DRAWS = (
    "repeat red.secret times: red.bid = roll(d6)",
    "if red.secret > 5: red.bid = roll(d6)",
    "if red.secret > 5: red.bid = random(1..3)",
    "if red.secret > 5: red.bid = (roll(d6) if red.gold == 0 else 2)",
    "if red.secret > 5:\n    let x = roll(d6)\n    red.bid = x",
    "if red.secret > 5: shuffle(red.mine)",
    "if red.secret > 5: cast(red)",
    "if red.secret > 5: outer_cast(red)",
    "if red.secret > 5: put_in(red, roll(d6))",
    "for q in players if q.secret > 5: q.bid = roll(d6)",
    "repeat while red.secret > 4:\n    red.bid = roll(d6)\n    red.secret -= 1",
    "simultaneously for p in players if p.secret > 5: p.bid = roll(d6)\n  enrich(blue)",
    "let x = random(n in 1..3 if red.secret > 5)\n  if x != none: red.bid = x",
    "boast_by_dice(red)",
    "leave_by_dice(red)\n  enrich(red)",
    "red.bid = roll(d6) if red.secret > 5 else 0",
    "if red.secret > 5 and roll(d6) > 3: red.bid = 1",
    "let x = red.secret < 5 or roll(d6) > 3\n  if x: red.bid = 1",
    "red.bid = roll(d6, red.secret), at most 9",
    "repeat roll(d6, red.secret) times: red.bid = 1",
    "put_in(red, random(1..3) if red.secret > 5 else 0)",
    "red.bid = by_table(red.secret).cost",
    "red.bid = sum(roll(d6) for m in 1..3 if m < red.secret), at most 9",
    "red.bid = count(m in 1..3 if m < red.secret and roll(d6) > 3)",
    "red.bid = count(m in 1..red.secret if roll(d6) > 3)",
    "dip(red, red.secret)",
)
DRAWN = ('"roll"', '"pick"', '"shuffle"')
DRAWING = """\
die d6: 1..6
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |
each Player has:
  mine: pile of Card, face down
setup:
  for p in players: move 3 of Card to p.mine
data by_table(n):
  cost: 0..9 = 0
  | n    | cost     |
  | 0..5 | 1        |
  | 6..9 | roll(d6) |
to cast(p) "{p} casts": p.bid = roll(d6)
to outer_cast(p) "{p} thinks": cast(p)
to put_in(p, n) "{p} puts in {n}": p.bid = n
to dip(p, k: 0..9) at most 12 deep:
  p.bid = roll(d6)
  if k > 0: dip(p, k - 1)
to boast_by_dice(p) "{p} boasts": p.gold += 1
after boast_by_dice(p) if p.secret > 5: p.bid = roll(d6)
to leave_by_dice(p) "{p} is here":
  if p.secret > 5: return
  p.bid = roll(d6)
"""


@pytest.mark.parametrize("body", DRAWS)
@pytest.mark.parametrize("seat", [1, None])
def test_what_is_drawn_under_a_secret_is_told_to_those_alone_who_may_know_that_it_is(
    body: str, seat: int | None
) -> None:
    none, some = (_played(body, secret, DRAWING) for secret in (2, 8))
    assert none.log.for_seat(seat).text == some.log.for_seat(seat).text
    assert none.events_for(seat) == some.events_for(seat)
    assert none.information(seat) == some.information(seat)
    assert none.view(seat) == some.view(seat)
    drawn = [sum(word in match.log.for_seat(0).text for word in DRAWN) for match in (none, some)]
    assert drawn[0] != drawn[1] or "roll" in none.log.for_seat(0).text


def test_a_verb_that_is_given_a_throw_by_a_secret_throws_in_the_open_itself() -> None:
    verb = 'to gamble(p, n) "{p} gambles":\n  p.bid = n\n  p.gold += roll(d6)\n'
    matches = [_played("gamble(red, roll(d6) if red.secret > 5 else 0)", secret, DRAWING + verb) for secret in (2, 8)]
    none, some = (match.log.for_seat(1).text for match in matches)
    assert none == some
    assert none.count('"input":"roll"') == none.count('"face"') == 1


HANDS = """\
game g "G":
  players 2
  seats red, blue
names p: Player; c: Card
die d6: 1..6
kind Card "card":
  v: 1..6
  | v    |
  | 1..6 |
each Player has:
  hand: group of Card, seen by owner
  luck: 0..99 = 0, seen by owner
the game has:
  deck: pile of Card, face down
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
action go(p) "Go":
  BODY
play:
  red chooses one of go
  finish with winner red
"""


@pytest.mark.parametrize(
    "body",
    [
        "for c in p.hand if c.v > 3: p.luck += roll(d6)",
        "for c in p.hand by lowest c.v if c.v > 3: p.luck += roll(d6)",
        "simultaneously for c in p.hand if c.v > 3: p.luck += roll(d6)",
    ],
)
def test_a_loop_over_hidden_cards_tells_nobody_how_many_pass_its_condition(body: str) -> None:
    thrown = [0, 0]
    for seed in range(6):
        match = _game(HANDS.replace("BODY", body)).start(2, seed=seed)
        for seat in (0, 1):
            thrown[seat] += match.log.for_seat(seat).text.count('"input":"roll"')
    assert thrown[0] > 0 == thrown[1]


def test_an_undo_is_numbered_by_what_a_seat_was_told() -> None:
    none, some = (_played("repeat red.secret times: red.bid = roll(d6)", secret, DRAWING) for secret in (2, 8))
    for match in (none, some):
        match.undo()
    assert none.log.for_seat(1).text == some.log.for_seat(1).text
    assert '"to":2' in none.log.for_seat(1).text.replace(" ", "")


def test_a_verb_that_came_to_nothing_for_a_viewer_says_so_to_it() -> None:
    for secret, red in ((2, "red fails"), (8, "red tries")):
        match = _played("attempt(red)", secret)
        said = [[e.sentence for e in match.events_for(seat) if e.rule == "attempt"] for seat in (0, 1, None)]
        assert said == [[(red,)], [("red fails",)], [("red fails",)]]


def test_clauses_are_told_with_the_lines_that_were_seen() -> None:
    match = _played("mixed(red)", 8)
    cited = [[e.clauses for e in match.events_for(seat) if e.rule == "mixed"] for seat in (0, 1)]
    assert cited == [[("X-2",), ("X-3", "X-4")], [("X-2",), ("X-4",)]]


def test_events_are_numbered_and_caused_by_what_a_seat_was_told() -> None:
    match = _played("say(red)\n  if red.secret > 5: red.bid = 1\n  mixed(red)", 8)
    for seat in (0, 1, None):
        events = match.events_for(seat)
        assert [event.number for event in events] == list(range(len(events)))
        assert all(event.cause is None or event.cause < event.number for event in events)
    assert len(match.events_for(1)) < len(match.events_for(0)) == len(match.events)
    named = {event.number: event.rule for event in match.events_for(1)}
    assert [
        named[event.cause] for event in match.events_for(1) if event.rule == "enrich" and event.cause is not None
    ] == ["play"]


def test_what_was_taken_back_leaves_no_gap_in_the_numbers() -> None:
    match = _played("if red.secret > 5: red.bid = 1\n  red.gold += 1\n  mixed(red)", 8)
    match.undo()
    match.push(match.options_of(1)[0])
    lines = [json.loads(line) for line in match.log.for_seat(1).text.splitlines()]
    told = [line["event"] for line in lines if "event" in line]
    assert told[-len(match.events_for(1)[-3:]) :] == [event.number for event in match.events_for(1)[-3:]]
    assert match.events_for(1, match.event_count) == ()


def test_what_was_let_go_is_counted_on_for_each_viewer() -> None:
    body = "if red.secret > 5: red.bid = 1\n  blue chooses n in 1..2\n  enrich(red)"
    matches = []
    for secret in (2, 8):
        match = _played(body, secret)
        match.forget()
        match.push(match.options_of(1)[0])
        matches.append(match)
    one, other = (match.events_for(1, match.event_count - 1) for match in matches)
    assert one == other


def test_what_a_verb_does_in_the_open_is_told_to_those_who_may_not_know_of_it() -> None:
    match = _played("if red.secret > 5: enrich(red)", 8)
    told = [[(e.rule, e.text, [c.text for c in e.changes]) for e in match.events_for(seat)] for seat in (0, 1)]
    assert ("enrich", "red gets gold", ["red.gold: 0 -> 1"]) in told[0]
    assert ("play", "play", ["red.gold: 0 -> 1"]) in told[1]


def test_what_is_told_openly_below_a_condition_is_told_to_all() -> None:
    assert any(e.text == "red speaks" for e in _played("if red.secret > 5 openly: say(red)", 8).events_for(None))


LOVE_LETTER = """\
game letter "Letter":
  players 3
  seats red, blue, green
names p, q: Player; c: Card; n: 0..9
kind Card "card":
  v: 1..9
  | copies | v    |
  | 1      | 1..9 |
the game has:
  deck: pile of Card, face down
  out: group of Card, face up
each Player has:
  hand: group of Card, seen by owner
value strength(p) -> 0..9 = sum(c.v for c in p.hand)
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 1 of deck to p.hand
action baron(p, q in {q in players if q != p}) "Compare with {q}", "{p} compares hands with {q}":
  show(q.hand, p)
  show(p.hand, q)
  if strength(p) > strength(q): knock_out(q)
  elif strength(p) < strength(q): knock_out(p)
  if count(players) == 1: finish with winner first(players)
action rest(p) "Rest": settle
to knock_out(p) "{p} is knocked out":
  sigh(p)
  move p.hand to out
  eliminate(p)
to sigh(p) "{p} sighs": settle
play:
  turns p from first_player: p chooses one of baron, rest
"""


def test_the_baron_compares_in_secret_and_acts_in_the_open() -> None:
    checked = api.check_text(LOVE_LETTER)
    assert checked.game is not None
    assert checked.diagnostics == ()
    match = checked.game.start(3, seed=2)
    match.play("red: baron(blue)")
    assert len(match.to_move) == 1
    rules = [
        [e.rule for e in match.events_for(seat) if e.rule in ("baron", "knock_out", "sigh")] for seat in (0, 1, 2, None)
    ]
    assert rules[0] == rules[1] == ["baron", "knock_out", "sigh", "knock_out"]
    assert rules[2] == rules[3] == ["baron"]
    (said,) = [[c.text for c in e.changes] for e in match.events_for(2) if e.rule == "baron"]
    assert any("-> out" in text for text in said)
    assert any(text.startswith("players") for text in said), said
    while match.to_move:
        match.play(match.options_of(match.to_move[0])[0])
    assert match.outcome is not None
