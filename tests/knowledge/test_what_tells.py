"""Questions and `show`s that depend on what is hidden: what tells is said, and what its reader may see is no fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.written import faults

HEAD = """\
game sketch "Sketch":
  players 2..4
names p, q: Player; c, d: Card; n: 1..3
enum Team: north, south
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
the game has:
  deck: pile of Card, face down
each Player has:
  team: Team = north
  hand: group of Card, seen by owner
  secret: 0..9 = 0, seen by owner
  mates: 0..9 = 0, seen by {q in players if q.team == owner.team}
  theirs: 0..9 = 0, seen by players - {next(owner)}
  pair: 0..9 = 0, seen by {player1, player2}
  now: 0..9 = 0, seen by mover
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
play:
  turns p from first_player:
    let q = next(p)
"""


def said(body: str, folder: Path, head: str = HEAD) -> list[str]:
    """Returns what is said of secrets in the body of a turn of `p`, in which `q` comes next."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return [code for code, _ in faults(head + lines, folder) if code in ("E0402", "W0512")]


SEEN = {
    "one's own hand, where the next player is asked": "next(p) chooses d in next(p).hand, or pass",
    "the sight of one's team": "p chooses n in {n in 1..3 if n > p.mates}, or pass",
    "all but the next player": "p chooses n in {n in 1..3 if n > p.theirs}, or pass",
    "two that are named": "player1 chooses n in {n in 1..3 if n > p.pair}, or pass",
    "the mover's sight in a turn": "p chooses n in {n in 1..3 if n > q.now}, or pass",
    "a card that was shown where it lies": "show({top(deck)}, p)\np chooses c in {top(deck)}, or pass",
    "cards that lie open in another's hand": "p chooses c in {c in q.hand if is_face_up(c) and c.n > 3}, or pass",
    "the cards that one holds": "p chooses c in {c in Card if holder(c) == p}, or pass",
    "whether a hand has a first card": "if first(c in q.hand) != none: p chooses n in 1..3",
    "whether a hand has any card": "if any(yes for c in q.hand): p chooses n in 1..3",
    "the cards that one holds, the other way round": "p chooses c in {c in Card if p == holder(c)}, or pass",
    "the cards that the next player holds": "next(p) chooses c in {c in Card if next(p) == holder(c)}, or pass",
    "the cards that whoever is asked holds": "next(p) chooses c in {c in Card if holder(c) == next(p)}, or pass",
    "whether a hand has a first card, the other way round": "if none != first(c in q.hand): p chooses n in 1..3",
    "whether a pile has a top": "if none != top(deck): p chooses n in 1..3",
    "what lies open, in an `any`": "if any(is_face_up(c) and c.n > 3 for c in q.hand): p chooses n in 1..3",
    "what lies open, tested last": "if any(c.n > 3 and is_face_up(c) for c in q.hand): p chooses n in 1..3",
    "what lies open, in an `all`": "if all(not is_face_up(c) or c.n > 3 for c in q.hand): p chooses n in 1..3",
    "what lies open, in a count": "if count(c in q.hand if is_face_up(c) and c.n > 3) > 1: p chooses n in 1..3",
    "what lies open, in a sum": "if sum(c.n if is_face_up(c) else 0 for c in q.hand) > 1: p chooses n in 1..3",
    "how much lies open": "if count(c in q.hand if is_face_up(c)) > 1: p chooses n in 1..3",
    "what lies open, in a loop": "for c in q.hand if is_face_up(c) and c.n > 3: p chooses n in 1..3",
    "what lies open, in the set of a loop": "for c in {c in q.hand if is_face_up(c) and c.n > 3}: p chooses n in 1..3",
    "what no card of a hand is read for": "if any(q.team == north for c in q.hand): p chooses n in 1..3",
    "how many of all cards a hand has": "if count(c in Card if c in q.hand) > 1: p chooses n in 1..3",
    "each of all cards that a hand has": "for c in Card if c in q.hand: p chooses n in 1..3",
    "each card of the set of all that a hand has": "for c in {c in Card if c in q.hand}: p chooses n in 1..3",
    "a hand that was shown": "show(q.hand, p)\np chooses c in q.hand, or pass",
}
HIDDEN = {
    "the hand of another": "next(p) chooses d in p.hand, or pass",
    "the sight of a team that may be another": "p chooses n in {n in 1..3 if n > q.mates}, or pass",
    "all but the next player, who is asked": "q chooses n in {n in 1..3 if n > p.theirs}, or pass",
    "two that are named, of whom one may not be asked": "p chooses n in {n in 1..3 if n > p.pair}, or pass",
    "the mover's sight, by another": "q chooses n in {n in 1..3 if n > q.now}, or pass",
    "a card shown before a shuffle": "show({top(deck)}, p)\nshuffle(deck)\np chooses c in {top(deck)}, or pass",
    "a card shown to another": "show({top(deck)}, q)\np chooses c in {top(deck)}, or pass",
    "a card shown before it was drawn": "show({top(deck)}, p)\nmove 1 of deck to q.hand\np chooses c in {top(deck)}, or pass",
    "cards that may lie open in another's hand": "p chooses c in {c in q.hand if is_face_up(c) or c.n > 3}, or pass",
    "the cards that another holds": "p chooses c in {c in Card if holder(c) == q}, or pass",
    "the first card of another's hand": "if first(c in q.hand if c.n > 3) != none: p chooses n in 1..3",
    "whether any card of a hand is such": "if any(c.n > 3 for c in q.hand): p chooses n in 1..3",
    "another card than the one that lies open": "if any(is_face_up(c) and d.n > 3 for c in q.hand, d in q.hand): p chooses n in 1..3",
    "what lies open or not": "if any(is_face_up(c) or c.n > 3 for c in q.hand): p chooses n in 1..3",
    "what does not lie open": "if all(is_face_up(c) or c.n > 3 for c in q.hand): p chooses n in 1..3",
    "whether the highest card lies open": "if is_face_up(first(c in q.hand by highest c.n)): p chooses n in 1..3",
    "a hand with nothing more": "if any(c.n > 3 for c in q.hand + {}): p chooses n in 1..3",
    "a hand with nothing less": "p chooses c in q.hand - {}, or pass",
    "the hand that has the lowest card": "if first(Card) in q.hand: p chooses n in 1..3",
    "the cards of a hand that was shown to another": "show(p.hand, q)\nnext(q) chooses c in p.hand, or pass",
    "the cards of a hand that was shown before it was drawn to": "show(q.hand, p)\nmove 1 of deck to q.hand\np chooses c in q.hand, or pass",
    "whether one card is in a hand": "if count(c in {Card(1)} if c in q.hand) > 0: p chooses n in 1..3",
    "whether any of two cards is in a hand": "if any(c in q.hand for c in {Card(1), Card(2)}): p chooses n in 1..3",
    "how many of all cards but one a hand has": "if count(c in Card - {Card(1)} if c in q.hand) > 1: p chooses n in 1..3",
    "each of two cards that a hand has": "for c in {Card(1), Card(2)} if c in q.hand: p chooses n in 1..3",
    "which cards come while others go": "for c in Card if c in q.hand:\n  p chooses n in 1..3\n  move random(q.hand) to deck",
    "what a loop takes of a hand": "for c in {c in q.hand if c.n > 3}: p chooses n in 1..3",
}


@pytest.mark.parametrize("body", SEEN.values(), ids=SEEN.keys())
def test_a_question_may_depend_on_what_the_asked_seat_sees(body: str, tmp_path: Path) -> None:
    assert said(body, tmp_path) == []


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN.keys())
def test_a_question_may_not_depend_on_what_the_asked_seat_does_not_see(body: str, tmp_path: Path) -> None:
    assert set(said(body, tmp_path)) == {"E0402"}


def test_the_next_player_may_be_oneself_once_others_can_be_out(tmp_path: Path) -> None:
    body = SEEN["all but the next player"]
    assert said(f"{body}\neliminate(q)", tmp_path) == ["E0402"]


def test_the_mover_may_be_another_after_the_turn_has_passed(tmp_path: Path) -> None:
    body = "turns q from p:\n  q chooses n in 1..3\n  if n == 1: stop\n" + SEEN["the mover's sight in a turn"]
    assert said(body, tmp_path) == ["E0402"]


TELLING = {
    "to whom": "show(p.hand, {q in players if q.secret > 3})",
    "whether": "if p.secret > 3: show(p.hand, p)",
    "how often": "repeat p.secret times: show(p.hand, p)",
    "behind a return": "if p.secret > 3: return\n  show(p.hand, p)",
}
OPEN = {
    "to all": "show(p.hand, players)",
    "to the next": "show(p.hand, next(p))",
    "openly": "for q in players if q.secret > 3 openly: show(p.hand, q)",
}


@pytest.mark.parametrize("body", TELLING.values(), ids=TELLING.keys())
def test_a_show_tells_by_its_audience_and_by_being_done(body: str, tmp_path: Path) -> None:
    verb = HEAD.replace("play:\n", f"to flash(p):\n  {body}\nplay:\n")
    assert set(said("flash(p)", tmp_path, verb)) == {"W0512"}


@pytest.mark.parametrize("body", OPEN.values(), ids=OPEN.keys())
def test_a_show_whose_audience_all_may_know_tells_nothing(body: str, tmp_path: Path) -> None:
    assert said(body, tmp_path) == []
