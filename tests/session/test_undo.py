"""Undo that tells nothing: what a seat has been told since cannot be taken back, sealed rounds keep the others' answers,
clocks give no time back."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import rulelang
from rulelang.errors import IllegalOption
from rulelang.log.format import Log
from rulelang.session.seats import seated
from rulelang.session.table import GameTable, begin
from rulelang.session.undo import Unfair
from tests.games.written import game

TURNS = """\
game turns "Turns":
  players 2..3
  seats ann, ben, cleo
names p, q: Player; c, d: Card; n: 0..6
die d6: 1..6
kind Card "card":
  v: 1..6
  | v    |
  | 1..6 |
the game has:
  deck: pile of Card, face down
  open: group of Card, face up
  vault: group of Card, seen by nobody
  pot: 0..99 = 0
  hot: flag = no
  judge: Player = ben
  verdict: 0..9 = 0, seen by judge
  bag: 0..9 = 0, seen by nobody
each Player has:
  hand: group of Card, seen by owner
  secret: 0..9 = 3, seen by owner
  note: 0..9 = 0, seen by owner
  coins: 0..9 = 5
  pile: pile of Card, face down
setup:
  move Card to deck
  shuffle(deck)
  move 2 of deck to open
  for p in players: move 1 of deck to p.hand
  verdict = roll(d6)
  for p in players: p.secret = roll(d6)
action act(p) "Act":
BODY
play:
  turns p from ann: p chooses one of act, or pass
"""

TELLING = [
    "pot += roll(d6)",
    "p.note = roll(d6)",
    "pot += random(1..6)",
    "move random(c in open) to p.hand",
    "move 1 of deck to p.hand",
    "move 1 of deck to open",
    "show(top(deck), p)\nshuffle(deck)",
    "p.note = next(p).secret",
    "let n = next(p).secret\nif n > 3: hot = yes",
    "if next(p).secret > 3: hot = yes",
    "if next(p).secret > 9: hot = yes",
    "if bag > 3: hot = yes\nelse: p.coins = 1",
    "judge = p",
    "repeat next(p).secret times: p.coins += 1, at most 9",
    "for q in players if q.secret > 3: q.coins = 0",
    "for q in players by highest q.secret: p.coins = 1",
    "if next(p).secret > 9: return\nhot = yes",
    "if any(d.v > 5 for d in next(p).hand): hot = yes",
    "move {d in next(p).hand if d.v > 3} to vault",
    "if top(deck).v > 3: finish with winner p",
    "let c = top(deck)\npot = c.v",
    "let c = top(deck)\nif c.v > 9: hot = yes",
    "for c in deck: pot += c.v",
    "eliminate(first(q in players by highest q.secret))",
    "let q = first(q in players by highest q.secret)\neliminate(q)",
    "skip_turn(first(q in players by highest q.secret))",
    "extra_turn(first(q in players by highest q.secret))",
    "shuffle(first(q in players by highest q.secret).pile)",
    "move 1 of first(q in players by highest q.secret).pile to vault",
    "move first(q in players by highest q.secret).pile to vault",
    "show(top(first(q in players by highest q.secret).pile), cleo)",
    "for c in first(q in players by highest q.secret).pile: move c to vault",
]
QUIET = [
    "p.coins -= 1, at least 0",
    "shuffle(deck)",
    "p.note = p.secret",
    "if p.secret > 3: hot = yes",
    "next(p).note = next(p).secret",
    "bag = next(p).secret",
    "if next(p).secret > 3: next(p).note = 2",
    "if next(p).secret > 3: bag = 2",
    "next(p).secret = roll(d6)",
    "move 1 of deck to vault",
    "move 1 of deck to next(p).hand",
    "show(top(deck), next(p))",
    "move p.hand to open",
    "for c in open: p.coins = c.v",
    "for c in p.hand: show(c, next(p))",
    "judge = next(p)",
    "let c = top(deck)\nmove c to vault",
    "for c in deck: move c to vault",
    "eliminate(next(p))",
    "shuffle(next(p).pile)",
    "move 1 of next(p).pile to vault",
    "extra_turn(p)",
]


def acted(body: str, folder: Path, *, executor: str = "generated") -> GameTable:
    """Returns a table at which ann, the only person, has acted."""
    lines = "".join(f"  {line}\n" for line in body.splitlines())
    played = game(TURNS.replace("BODY\n", lines), folder)
    seats = seated(("ann=me", "ben=first", "cleo=first"), played.ir.seats[:3], False)
    table = begin(played, "turns", 3, seats, seed=3)
    if executor == "reference":
        table.match = played.start(3, seed=3, executor=executor)
    table.take(table.match.option("ann: act"))
    return table


@pytest.mark.parametrize("body", TELLING)
def test_what_a_seat_was_told_since_cannot_be_taken_back(body: str, tmp_path: Path) -> None:
    table = acted(body, tmp_path)
    assert not table.can_undo(0)
    with pytest.raises(Unfair, match="hidden things"):
        table.take_back(0)
    table.allow_undo = True
    assert table.can_undo(0)
    table.take_back(0)


@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize("body", QUIET)
def test_what_tells_a_seat_nothing_can_be_taken_back(body: str, executor: str, tmp_path: Path) -> None:
    table = acted(body, tmp_path, executor=executor)
    row = list(table.match.earlier()[0][0].position.row[: table.match.internals.layout.size])
    assert table.can_undo(0)
    table.take_back(0)
    assert table.match.position.row[: table.match.internals.layout.size] == row


def test_nothing_to_take_back_cannot_be_taken_back(tmp_path: Path) -> None:
    table = acted("settle", tmp_path)
    assert table.can_undo(0)
    assert not table.can_undo(1)
    assert not table.can_undo(0, times=2)


SEALED = """\
game bids "Bids":
  players 3
  seats ann, ben, cleo
names p, q: Player
each Player has:
  bid: 0..3 = 0
play:
  repeat 2 times: each p in players secretly chooses p.bid in 0..3
  finish with winner ann
"""


def sealed(folder: Path, *who: str) -> GameTable:
    played = game(SEALED, folder)
    return begin(played, "bids", 3, seated(who, played.ir.seats[:3], False), seed=3)


def test_in_a_sealed_round_ones_own_is_taken_back_and_the_others_stay(tmp_path: Path) -> None:
    table = sealed(tmp_path, "all=me")
    for answer in ("ann: 1", "ben: 2"):
        table.take(table.match.option(answer))
    assert table.can_undo(0)
    table.take_back(0)
    assert table.match.to_move == (0, 2)
    assert table.match.view(1).answer == "2"
    for answer in ("cleo: 3", "ann: 0"):
        table.take(table.match.option(answer))
    assert [table.match.state[f"{seat}.bid"].value for seat in table.match.seats] == [0, 2, 3]  # type: ignore[union-attr]


def test_no_seats_log_tells_in_which_order_others_sealed_or_took_back(tmp_path: Path) -> None:
    told: set[str] = set()
    for at, order in enumerate(permutations(range(3))):
        (folder := tmp_path / str(at)).mkdir()
        table = sealed(folder, "all=me")
        names = table.match.seats
        for seat in order[: 1 + order.index(1)]:
            table.take(table.match.option(f"{names[seat]}: 1"))
        if order[2] != 1:  # While somebody has still to answer, he takes his back.
            table.take_back(1)
            table.take(table.match.option("ben: 2"))
        for seat in order[1 + order.index(1) :]:
            table.take(table.match.option(f"{names[seat]}: 1"))
        for seat in order:
            table.take(table.match.option(f"{names[seat]}: 3"))
        assert [one.seat for one in table.steps(0)][-3:] == list(order)  # Steps count as the whole log does.
        if order[2] != 1:
            log = Log.of(table.header, table.match)
            told.add("".join(log.for_seat(seat).text for seat in (0, 1, 2, None)))
    assert len(told) == 1
    assert told.pop().count('"input":"undo"') == 4
    assert rulelang.replay(Log.of(table.header, table.match), under=table.game).difference is None


def test_once_the_seal_is_broken_nothing_goes_back(tmp_path: Path) -> None:
    table = sealed(tmp_path, "ann=me", "ben=first", "cleo=first")
    table.take(table.match.option("ann: 1"))
    while table.asked != 0:
        table.take(table.bot_option())
    assert not table.can_undo(0)
    with pytest.raises(IllegalOption, match="hidden things"):
        table.take_back(0)


TIMED = """\
game timed "Timed":
  players 1
names p: Player; n: 1..3
clock sand: 0..60
the game has:
  pot: 0..99 = 0
action go(p, n) "Go {n}": pot += n
play:
  against sand:
    repeat 6 times: first_player chooses one of go
  finish with score pot
"""


def test_a_clock_gets_no_time_back(tmp_path: Path) -> None:
    played = game(TIMED, tmp_path)
    table = begin(played, "timed", 1, (None,), seed=3)
    table.take(table.match.options[0], elapsed=20)
    assert table.match.time_left == 40
    table.take_back(0, elapsed=5)
    timer = table.timer(lambda: 100.0)
    assert timer is not None
    assert (timer.left, timer.elapsed(), timer.remaining()) == (60, 25, 35)
    table.take(table.match.options[1], elapsed=timer.elapsed() + 1)
    assert table.match.time_left == 34
    timer = table.timer(lambda: 100.0)
    assert timer is not None
    assert timer.elapsed() == 0
    assert rulelang.replay(Log.of(table.header, table.match), under=played).difference is None


def test_sealed_answers_are_told_in_words_each_at_its_own_step(tmp_path: Path) -> None:
    rules = SEALED.replace("play:\n", 'action bid(p, n: 0..3) "Bid {n}", "{p} bids {n}": p.bid = n\nplay:\n')
    played = game(rules.replace("chooses p.bid in 0..3", "chooses one of bid"), tmp_path)
    table = begin(played, "bids", 3, seated(("all=me",), played.ir.seats[:3], False), seed=3)
    for answer in ("ann: bid(1)", "ben: bid(2)", "cleo: bid(3)"):
        table.take(table.match.option(answer))
    assert [one.said for one in table.steps(0)] == ["ann bids 1", "ben bids 2", "cleo bids 3"]
