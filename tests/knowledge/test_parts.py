"""A part of a thing is shown, not the thing: views, logs, re-deals and bots know as much of it, and no more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.api import Match
from rulelang.ir.numbers import Seat
from rulelang.match.disclosures import learnt_since
from rulelang.match.redeals.redeal import redeal
from rulelang.screens.picture import picture
from tests.games.written import assert_holds
from tests.knowledge.test_boxes import take
from tests.knowledge.test_where_answers_go import told
from tests.views import zone

RULES = """\
game h "H":
  players 3
  seats ann, ben, cleo
names p, q: Player; c: Card; k: Colour
enum Colour: red, blue
kind Card "card":
  colour: Colour
  n: 1..3
  | copies | colour | n    |
  | 2      | Colour | 1..3 |
the game has:
  deck: pile of Card, face down
  discards: pile of Card, face up
each Player has:
  hand: group of Card, seen by {q in players if q != owner}
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 3 of deck to p.hand
action hint(p, q, k) "Tell {q} which are {k}":
  needs q != p  "Not yourself"
  for c in q.hand if c.colour == k: show(c.colour, q)
action count_up(p, q) "Tell {q} their numbers":
  needs q != p  "Not yourself"
  for c in q.hand: show(c.n, q)
action peek(p) "Peek": show(top(deck).n, p)
action mix(p) "Mix": shuffle(deck)
play:
  turns p from ann: p chooses one of hint, count_up, peek, mix, or stop
  finish with winner {}
"""
EXECUTORS = ("reference", "generated", "native")


def started(seed: int = 4, executor: str = "generated") -> Match:
    checked = api.check_text(RULES)
    assert checked.game is not None, checked.diagnostics
    assert not checked.diagnostics
    return checked.game.start(3, seed=seed, executor=executor)


def colours(things: tuple[str | None, ...]) -> list[str]:
    return sorted(str(thing).removeprefix("Card(").split(",")[0] for thing in things)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_hint_stands_beside_the_backs_of_whom_it_was_given_to(executor: str) -> None:
    match = started(executor=executor)
    take(match, "hint(ben, red)")
    red = colours(zone(match.state, "ben.hand").things).count("red")
    seen = zone(match.view(1), "ben.hand")
    assert seen.things == (None,) * 3
    assert sorted(seen.hints) == [""] * (3 - red) + ["colour: red"] * red
    assert None not in zone(match.view(0), "ben.hand").things
    assert not any(zone(match.view(1), "deck").hints)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_who_is_not_shown_a_part_reads_that_it_was_shown_alone(executor: str) -> None:
    one, other = (started(seed, executor) for seed in (3, 4))
    for match in (one, other):
        take(match, "peek")
        shown = [change for event in match.view(None).events for change in event.changes if change.what == "show"]
        assert [(change.subject, change.before, change.after) for change in shown] == [
            (("a card",), ("n: ?",), ("ann",))
        ]
        assert zone(match.view(0), "deck").hints[0].startswith("n: ")
    assert told(one, None) == told(other, None)


def test_every_redeal_keeps_to_what_was_shown() -> None:
    match, rng = started(), random.Random(3)
    take(match, "hint(ben, red)")
    take(match, "peek")
    hand, top = zone(match.state, "ben.hand").things, zone(match.state, "deck").things[0]
    others = [redeal(match, Seat(1), rng).state for _ in range(40)]
    red = colours(hand).count("red")
    assert all(colours(zone(other, "ben.hand").things).count("red") >= red for other in others)
    assert len({zone(other, "ben.hand").things for other in others}) > 3
    tops = [zone(other, "deck").things[0] for other in others]
    assert {str(card).split(", ")[1] for card in tops} == {str(top).split(", ")[1]}
    assert len(set(tops)) == 2


def test_several_parts_of_a_thing_make_it_known() -> None:
    match = started()
    take(match, "count_up(ben)")
    take(match, "peek")
    take(match, "hint(ben, red)")
    take(match, "hint(ben, blue)")
    assert zone(match.view(1), "ben.hand").things == zone(match.state, "ben.hand").things


def test_a_shuffle_forgets_a_part() -> None:
    match = started()
    take(match, "peek")
    take(match, "mix")
    assert not any(zone(match.view(0), "deck").hints)


def test_what_was_shown_in_part_is_not_taken_back() -> None:
    match = started()
    take(match, "peek")
    assert learnt_since(match, match.earlier()[-1][1].number) == match.visibility.bit(Seat(0))


def test_a_log_notes_the_part_and_replays() -> None:
    match = started()
    take(match, "hint(ben, red)")
    take(match, "peek")
    assert '"n: ' in match.log.text
    assert '"colour: red","ben"]' in match.log.text
    assert '"n: ?"' in match.log.for_seat(2).text
    assert api.replay(match.log, under=api.check_text(RULES).game).difference is None


def test_only_what_is_printed_is_a_part() -> None:
    faults = [fault.code for fault in api.check_text(RULES.replace("show(c.n, q)", "show(c.n + 1, q)")).diagnostics]
    assert faults == ["E0309"]


PILES = """
screen:
  line "top {top(deck).colour}"
  each Player: "{p} {sum(c.n for c in p.hand)}"
scenario "one part of one card":
  ann: peek
  expect ann sees top(deck).n
  expect ann cannot see top(deck).colour
  expect ann cannot see top(deck)
  expect ben cannot see top(deck).n
scenario "one part of all cards of a hand":
  ann: count_up(ben)
  expect ben sees sum(c.n for c in ben.hand)
  expect ben sees {c.n for c in ben.hand if c.n > 1}
  expect ben sees any(c.n == 2 for c in ben.hand)
  expect ben cannot see {c.colour for c in ben.hand}
  expect ben cannot see count(c in ben.hand if c.n == 2 and c.colour == red)
  expect ben cannot see first(c in ben.hand if c.n > 0)
  expect ben cannot see best(c in ben.hand by highest c.n)
  expect ben cannot see ben.hand
  expect ben cannot see sum(c.n + count(d in ben.hand if d.colour == c.colour) for c in ben.hand)
  expect cleo sees ben.hand
names d: Card
"""


@pytest.mark.parametrize(
    "form",
    ["group of Card, seen by {q in players if q != owner}", "pile of Card, seen by {q in players if q != owner}"],
)
def test_what_is_worked_out_from_shown_parts_alone_is_known(form: str, tmp_path: Path) -> None:
    assert_holds(RULES.replace("group of Card, seen by {q in players if q != owner}", form) + PILES, tmp_path)


def test_a_screen_reads_what_follows_from_shown_parts() -> None:
    checked = api.check_text(RULES + PILES)
    assert checked.game is not None, checked.diagnostics
    match = checked.game.start(3, seed=4)
    take(match, "count_up(ben)")
    total = sum(int(str(card).split(", ")[1].rstrip(")")) for card in zone(match.state, "ben.hand").things)
    shown = [str(picture(match, seat)) for seat in range(3)]
    assert [f"ben {total}" in one for one in shown] == [True, True, True]
    assert [one.count("a number") for one in shown] == [1, 0, 1]
