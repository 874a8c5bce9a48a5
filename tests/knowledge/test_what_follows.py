"""What a seat has seen, and what follows from it: sealed answers in any order, cards that are left over, audiences that hold the
owner, faults."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rulelang.errors import RuntimeRules
from rulelang.knowledge.redaction import read
from rulelang.match.match import BareMatch
from rulelang.session.seats import seated
from rulelang.session.table import begin
from tests.games.written import faults, game
from tests.views import zone

BIDS = """\
game bids "Bids":
  players 3
  seats ann, ben, cleo
names p, q: Player
each Player has:
  bid: 0..3 = 0
  plan: 0..3 = 0, seen by owner
play:
  repeat 2 times: each p in players secretly chooses p.bid in 0..3
  each p in players secretly chooses p.plan in 0..3
  finish with winner ann
"""


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_the_order_in_which_others_seal_their_answers_is_no_information(seat: int | None, tmp_path: Path) -> None:
    played, seen, halfway = game(BIDS, tmp_path), set(), set()
    for order in permutations(range(3)):
        match = played.start(3, seed=1)
        for _ in range(2):
            for other in order:
                match.play(f"{match.seats[other]}: {other}")
        for other in order[:2]:
            match.play(f"{match.seats[other]}: {other}")
        if order[2] == 1:
            halfway.add(match.information(seat))
        match.play(f"{match.seats[order[2]]}: {order[2]}")
        seen.add(match.information(seat))
    assert len(seen) == len(halfway) == 1


def test_what_was_chosen_under_seal_is_information(tmp_path: Path) -> None:
    played = game(BIDS, tmp_path)
    known = []
    for answers in ("012", "112", "011"):
        match = played.start(3, seed=1)
        for seat, answer in zip(match.seats, answers, strict=True):
            match.play(f"{seat}: {answer}")
        known.append(match.information(0))
    assert len(set(known)) == 3


LEFT_OVER = """\
game left "Left over":
  players 2
  seats ann, ben
names p, q: Player; c, d: Card
kind Card "card":
  v: 1..5
  | v    |
  | 1..5 |
the game has:
  deck: pile of Card, face down
  open: group of Card, face up
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
action flip(p) "Turn":
  needs deck != {}  "none"
  move 1 of deck to open
action tell(p) "{p} tells of {sum(c.v for c in next(p).hand)}": settle
play:
  turns p from ann: p chooses one of flip, tell, or pass
"""


def test_cards_that_are_left_over_are_shown_as_a_lone_one_is(tmp_path: Path) -> None:
    match = game(LEFT_OVER, tmp_path).start(2, seed=1)
    assert zone(match.view(0), "ben.hand").things == (None, None)
    match.play("tell")
    assert "a number" in sentences(match, 0)[-1]
    match.play("flip")
    truth = zone(match.state, "ben.hand").things
    assert zone(match.view(0), "ben.hand").things == truth
    assert zone(match.view(None), "ben.hand").things == (None, None)
    match.play("pass")
    match.play("tell")
    assert "a number" not in sentences(match, 0)[-1]
    assert "a number" in sentences(match, None)[-1]


def sentences(match: BareMatch, seat: int | None) -> list[str]:
    """Returns the sentences that a seat has read."""
    return [read(event.sentence) for event in match.events_for(seat) if event.sentence]


TEAMS = """\
game teams "Teams":
  players 4
  seats ann, ben, cleo, dora
names p, q: Player; n: 0..3
enum Team: cats, dogs
each Player has:
  team: Team = cats
  secret: 0..3 = 1, seen by {q in Player if q == owner or q.team == owner.team}
play:
  for p in players: p chooses n in {n in 0..3 if n <= p.secret} "Up to your secret?"
  finish with winner ann
"""


@pytest.mark.parametrize(
    "audience",
    [
        "{q in Player if q == owner or q.team == owner.team}",
        "{q in players if owner == q or q.team == dogs}",
        "{q in Player if q.team == owner.team or q.team == dogs or q == owner}",
        "{q in Player if q == owner or (q.team == dogs and q != owner)}",
    ],
)
def test_an_audience_that_names_its_owner_holds_it(audience: str, tmp_path: Path) -> None:
    text = TEAMS.replace("{q in Player if q == owner or q.team == owner.team}", audience)
    assert [code for code, _ in faults(text, tmp_path) if code.startswith("E")] == []


def test_an_audience_that_may_leave_its_owner_out_does_not(tmp_path: Path) -> None:
    text = TEAMS.replace("q == owner or q.team == owner.team", "q == owner and q.team == dogs")
    assert "E0402" in {code for code, _ in faults(text, tmp_path)}


FAULTY = """\
game faulty "Faulty":
  players 2
  seats ann, ben
names p: Player
the game has:
  sum_up: 0..12 = 10, HIDDEN
action add(p) "Add": sum_up += 3
play:
  turns p from ann: p chooses one of add, or pass
"""


@pytest.mark.parametrize(("seen", "told"), [("seen by nobody", False), ("untold", True)])
def test_a_fault_names_nothing_that_its_reader_may_not_see(seen: str, told: bool, tmp_path: Path) -> None:
    played = game(FAULTY.replace("HIDDEN", seen), tmp_path)
    table = begin(played, "faulty", 2, seated(("all=me",), played.ir.seats, False), seed=1)
    with pytest.raises(RuntimeRules) as caught:
        table.take(table.match.option("add"))
    said = table.fault_said(caught.value)
    assert "sketch.rules:7" in said
    assert ("13" in said) == ("sum_up" in said) == told
