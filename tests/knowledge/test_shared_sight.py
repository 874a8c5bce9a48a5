"""`seen by` with the owner's name, and sets of players that change: views, logs, what stays known, re-deals."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeal
from tests.games.written import assert_holds, faults, game
from tests.seeds import rest_long
from tests.views import variable, zone

HANABI = """\
game fans "Fans":
  players 3
  seats ann, ben, cleo

names p, q: Player; c: Card
enum Colour: red, blue
kind Card "card":
  colour: Colour
  n: 1..3
  | copies | colour | n    |
  | 2      | Colour | 1..3 |
the game has:
  deck: pile of Card, face down
  discards: pile of Card, face up
  told: 0..9 = 0
each Player has:
  hand: group of Card, seen by {q in players if q != owner}
  mood: 0..5 = 2, seen by {q in players if q != owner}
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 3 of deck to p.hand
action hint(p, q, k: Colour) "Tell {q} of {k}":
  needs q != p  "Not yourself"
  needs any(c.colour == k for c in q.hand)  "{q} has none"
  told += 1
  for c in q.hand if c.colour == k: show(c, q)
action drop(p, c in p.hand) "Drop {c}": move c to discards
play:
  turns p from first_player:
    p chooses one of hint, drop
    if told == 9: finish with winner players
"""

COUNCIL = """\
game council "Council":
  players 3
  seats ann, ben, cleo

names p, q: Player; c: Card
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
the game has:
  deck: pile of Card, face down
  members: set of Player = {}
  file: group of Card, seen by members
  secret: 0..99 = 50, seen by members
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  move 2 of deck to file
play:
  turns p from first_player:
    p chooses one of:
      join "Join": members += {p}
      leave "Leave": members = members - {p}
      rest "Rest": settle
      add "Add": move 1 of deck to file
      note "Note", "{p} notes": secret += 1
      take "Take": move random(c in file) to p.hand
"""


def test_who_does_not_see_a_hand_cannot_choose_from_it(tmp_path: Path) -> None:
    said = faults(HANABI, tmp_path)
    # The options of `drop` would tell the chooser's own hand.
    assert [code for code, _ in said] == ["E0402"]


FANS = HANABI.replace(
    'action drop(p, c in p.hand) "Drop {c}": move c to discards',
    'action drop(p) "Drop one": move random(c in p.hand) to discards',
)


def test_views_and_scenarios_show_a_hand_to_all_but_its_owner(tmp_path: Path) -> None:
    assert_holds(
        FANS
        + """
scenario "a hand of fans":
  given ann.hand = {Card(red, 1), Card(red, 2), Card(blue, 3)}
  expect ben sees ann.hand
  expect cleo sees ann.hand
  expect ann cannot see ann.hand
  expect ann sees ben.hand
  expect ann cannot see ann.mood
  expect ben sees ann.mood
  expect ann cannot hint(ann, red)
  ann: drop
  ben: hint(ann, red)
  expect ann cannot see ann.mood
""",
        tmp_path,
    )
    for executor in ("reference", "generated"):
        match = game(FANS, tmp_path).start(3, seed=4, executor=executor)
        assert zone(match.view(0), "ann.hand").things == (None,) * 3
        assert None not in zone(match.view(1), "ann.hand").things
        assert None not in zone(match.view(0), "ben.hand").things


@pytest.mark.parametrize(
    ("line", "is_well"),
    [
        ("needs any(c.n == 3 for c in q.hand)", False),
        ("needs q != p\n  needs any(c.n == 3 for c in q.hand)", True),
        ("needs q != p and any(c.n == 3 for c in q.hand)", True),
        ("needs any(c.n == 3 for q in players, c in q.hand if q != p)", True),
        ("needs any(c.n == 3 for q in players if q != p, c in q.hand)", True),
        ("needs any(c.n == 3 for q in players, c in q.hand)", False),
        ("needs any(c.n == 3 for c in p.hand)", False),
        ("needs count(p.hand) > 1", True),
        ("needs q.mood == 2", False),
        ("needs q == p or q.mood == 2", True),
    ],
)
def test_options_must_not_tell_what_the_chooser_does_not_see(line: str, is_well: bool, tmp_path: Path) -> None:
    text = FANS.replace("needs q != p", line, 1).replace('  "Not yourself"\n', "\n", 1)
    text = text.replace('  needs any(c.colour == k for c in q.hand)  "{q} has none"\n', "")
    assert [code for code, _ in faults(text, tmp_path)] == ([] if is_well else ["E0402"])


def test_the_game_itself_has_no_owner(tmp_path: Path) -> None:
    text = "names q: Player\nthe game has:\n  x: 0..9 = 0, seen by {q in players if q != owner}\n"
    assert [code for code, _ in faults(text, tmp_path)] == ["E0402"]


def test_a_declared_name_and_a_parameter_win_over_the_owner(tmp_path: Path) -> None:
    assert_holds(
        """\
game held "Held":
  players 2
  seats ann, ben
names p, q: Player
the game has:
  owner: Player = ben
each Player has:
  hidden: 0..9 = 3, seen by {q in players if q != owner}
scenario "the game's owner is meant":
  expect ann sees ben.hidden
  expect ann sees ann.hidden
  expect ben cannot see ann.hidden
""",
        tmp_path,
    )


def test_whoever_joins_sees_and_whoever_leaves_remembers(tmp_path: Path) -> None:
    assert_holds(
        COUNCIL
        + """
scenario "the file":
  expect ann cannot see file
  expect ann cannot see secret
  ann: join
  expect ann sees file
  expect ann sees secret
  expect ben cannot see file
  ben: rest
  cleo: rest
  ann: leave
  expect ann sees file
  expect ann sees secret
  ben: add
  expect ann cannot see file
  cleo: note
  expect ann cannot see secret
  ann: join
  expect ann sees file
  expect ann sees secret
""",
        tmp_path,
    )


def test_whoever_leaves_remembers_no_number_that_may_change_without_their_noticing(tmp_path: Path) -> None:
    assert_holds(
        COUNCIL.replace(', "{p} notes"', "")
        + """
scenario "a note that nobody notices":
  ann: join
  expect ann sees secret
  ben: rest
  cleo: note
  ann: leave
  expect ann sees file
  expect ann cannot see secret
""",
        tmp_path,
    )


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_what_is_seen_by_joining_is_told_in_that_seats_log_alone(executor: str, tmp_path: Path) -> None:
    match = game(COUNCIL, tmp_path).start(3, seed=4, executor=executor)
    match.play("join")
    told = [c.text for e in match.events_for(0) for c in e.changes if c.what == "show"]
    assert len(told) == 3
    assert any(text.startswith("show secret = 50 -> ann") for text in told)
    assert all("Card(" in text or "secret" in text for text in told)
    others = [c.text for e in match.events_for(1) for c in e.changes if c.what == "show"]
    assert others == ["show a card -> ann", "show a card -> ann"]


@pytest.mark.parametrize("text", [FANS, COUNCIL])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_cannot_tell_a_redeal_from_the_truth(text: str, seat: int, tmp_path: Path) -> None:
    played = game(text, tmp_path)
    different = 0
    for seed in range(6):
        match, rng = played.start(3, seed=seed), random.Random(seed)
        for _ in range(rng.randrange(1, 12)):
            if match.outcome is not None:
                break
            options = list(match.options)
            match.play(options[rng.randrange(len(options))])
        other = redeal(match, Seat(seat), rng, traced=True)
        assert _seen(match, seat) == _seen(other, seat)
        different += other.position.row != match.position.row
    assert different


def _seen(match: BareMatch, seat: int) -> tuple[object, ...]:
    view = match.view(seat)
    return (
        [(v.name, v.text) for v in view.variables],
        [(z.name, z.things) for z in view.zones],
        sorted(str(o) for o in match.options_of(seat)),
    )


SPYING = """\
names p, q: Player
kind Card "card":
  n: 1..6
  | n    |
  | 1..6 |
the game has:
  deck: pile of Card, face down
  pit: group of Card, seen by {q in players if q.spies}
each Player has:
  spies: flag = no, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  move 2 of deck to pit
play:
  turns p from first_player:
    p chooses p.spies in {yes, no}
    if round == 2: finish with winner p
"""


@pytest.mark.parametrize("executor", ["generated", "reference"])
def test_who_has_come_to_see_by_a_secret_is_told_to_nobody_else(executor: str, tmp_path: Path) -> None:
    logs = []
    for answer in ("yes", "no"):
        match = game(SPYING, tmp_path).start(2, seed=1, executor=executor)
        match.play(answer)
        assert ("show" in match.log.for_seat(0).text) == (answer == "yes")
        logs.append(match.log.for_seat(1).text)
    assert logs[0] == logs[1]


SETTING = """\
names p, q: Player; n: 0..3
the game has:
  setter: Player = first_player
  number: 0..3 = 0, seen by setter
each Player has:
  kept: 0..3 = 0, seen by owner
  points: 0..9 = 0
play:
  repeat 2 times:
    setter chooses number in 0..3 "Your number?"
    let q = next(setter)
    q chooses n in 0..3 "Guess"
    if n == number: q.points += 1
    setter = q
  for p in players: p chooses p.kept in 0..3
  finish with winner first_player
"""
"""Rules under which what a seat has seen is written over unseen."""


@pytest.mark.parametrize("executor", rest_long(["generated", "reference", "native"], "generated", "reference"))
def test_an_unseen_write_is_forgotten_whatever_it_wrote(executor: str, tmp_path: Path) -> None:
    seen = set()
    for number in range(4):
        match = game(SETTING, tmp_path).start(2, seed=1, executor=executor)
        first = match.to_move[0]
        for answer in ("2", "0"):
            match.play(answer)
        names = {v.name: v.text for v in match.view(first).variables}
        assert names["number"] == "2"
        match.play(str(number))
        seen.add((match.view(first), match.log.for_seat(first).text, match.information(first)))
    assert len(seen) == 1


@pytest.mark.parametrize("executor", ["generated", "reference", "native"])
def test_a_write_that_a_secret_decides_on_is_forgotten_whether_it_happens_or_not(executor: str, tmp_path: Path) -> None:
    """Whoever had seen the number read that nobody had written it."""
    rules = SETTING.replace("    if n == number", "    if n > 1: number = 2\n    if n == number")
    rules = rules.replace("    setter = q\n", "").replace("    q chooses n", "    setter = q\n    q chooses n")
    rules = rules.replace("    if n == number: q.points += 1\n", "")
    seen = set()
    for answer in ("0", "3"):
        match = game(rules, tmp_path).start(2, seed=1, executor=executor)
        first = match.to_move[0]
        match.play("2")
        match.play(answer)
        seen.add((match.view(first), match.log.for_seat(first).text, match.information(first)))
    assert len(seen) == 1


@pytest.mark.parametrize("executor", ["generated", "reference", "native"])
def test_a_hidden_number_that_was_given_its_first_value_again_is_not_known_in_redeals(
    executor: str, tmp_path: Path
) -> None:
    match = game(SETTING, tmp_path).start(2, seed=1, executor=executor)
    for answer in ("2", "0", "1", "0", "0"):
        match.play(answer)
    (me,) = match.to_move
    name = f"{match.seats[1 - me]}.kept"
    deals = (redeal(match, me, random.Random(seed), traced=True) for seed in range(20))
    kept = {variable(deal.state, name).text for deal in deals}
    assert kept == {"0", "1", "2", "3"}
