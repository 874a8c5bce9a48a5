"""Several names go over several sets in one loop and in one `count` or `any`: like loops in each other, which `stop` leaves
at once."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source

GAME = """\
game t "T":
  players 3
  seats red, blue, green
names p, q: Player; n, m: 1..4; c: Card
kind Card "card":
  v: 1..6
  | v    |
  | 1..6 |
the game has:
  deck: pile of Card, face up
each Player has:
  hand: group of Card, face up
  gold: 0..99 = 0
  seen: 0..99 = 0
value pits(p) = {n in 1..4 if n < 3}
setup:
  move Card to deck
  for p in players: move 2 of deck to p.hand
play:
"""
SAME = (
    (
        "for p in players, m in pits(p): p.gold += m",
        "for p in players:\n    for m in pits(p): p.gold += m",
    ),
    (
        "for p in players if p != red, c in p.hand if c.v > 3: p.gold += c.v",
        "for p in players if p != red:\n    for c in p.hand if c.v > 3: p.gold += c.v",
    ),
    (
        "for p in players, q in players if p != q, m in 1..3 if m > q.gold: q.gold += 1",
        "for p in players:\n    for q in players if p != q:\n      for m in 1..3 if m > q.gold: q.gold += 1",
    ),
    (
        "for p in players, m in 1..3:\n    p.gold += 1\n    if p == blue: stop\n  red.seen = 5",
        "for p in players if p != green:\n    for m in 1..3 if p == red or m == 1: p.gold += 1\n  red.seen = 5",
    ),
    (
        "for n in 1..2:\n    for p in players, m in 1..2:\n      p.gold += 1\n      if p == blue: stop",
        "for n in 1..2:\n    for m in 1..2: red.gold += 1\n    blue.gold += 1",
    ),
    (
        "for p in players, m in 1..2:\n    p chooses n in m..4, or stop\n    p.gold += n",
        "let t = {red}\n  repeat 1 times:\n    for p in players:\n      red.seen = 0\n      for m in 1..2:\n"
        "        p chooses n in m..4, or pass\n        red.seen = 1 if n == none else 0\n        if n == none: stop\n"
        "        p.gold += n\n      if red.seen == 1: stop\n  red.seen = 0",
    ),
    ("red.gold = count(p in players, q in players if p != q)", "red.gold = 6"),
    ("red.gold = count(p in players, q in players)", "red.gold = 9"),
    (
        "red.gold = count(p in players if p != red, c in p.hand if c.v > 3)",
        "red.gold = sum(count(c in p.hand if c.v > 3) for p in players if p != red)",
    ),
    ("if any(p in players, c in p.hand if c.v == 6): red.gold = 7", "red.gold = 7"),
)


@pytest.mark.parametrize(("short", "long"), SAME, ids=[short.partition("\n")[0] for short, _ in SAME])
def test_several_names_are_loops_in_each_other(short: str, long: str) -> None:
    ends = []
    for body in (short, long):
        checked = api.check_text(f"{GAME}  {body}\n  red chooses n in 1..2\n  finish with winner red\n")
        assert checked.game is not None, checked.diagnostics
        for executor in ("reference", "generated", "native"):
            match = checked.game.start(3, seed=1, executor=executor)
            rounds = 0
            while match.to_move and "n in m" in body and rounds < 5:
                rounds += 1
                match.push(match.options[-1 if rounds == 5 else 0])
            ends.append([(match.view(None)[f"{seat}.gold"], match.view(None)["red.seen"]) for seat in match.seats])
    assert ends == [ends[0]] * 6


def test_an_order_and_simultaneous_passes_are_those_of_one_set() -> None:
    for head, what in (
        ("for p in players, q in players by highest q.gold", "has an order"),
        ("for p in players, q in players in order chosen by red", "has an order"),
        ("simultaneously for p in players, c in p.hand", "is simultaneous"),
    ):
        (fault,) = api.check_text(f"{GAME}  {head}: p.gold += 1\n  finish with winner red\n").diagnostics
        assert (fault.code, fault.message) == ("E0305", f"only a loop over one set {what}")
        assert fault.help == "write `for p in …:`, and the other loop below it"


def test_all_of_nothing_is_told() -> None:
    for condition in ("all(q in players if q.gold > 3)", "all(q in players, c in q.hand if c.v > 3)"):
        (fault,) = api.check_text(f"{GAME}  if {condition}: red.gold = 1\n  finish with winner red\n").diagnostics
        assert (fault.code, fault.message) == ("W0522", "nothing is said of all of them, so this always holds")
        assert fault.help == "write `all(c for x in S)`, where `c` is what holds of each"


def test_they_are_put_into_the_style_as_they_are_written() -> None:
    text = f"{GAME}  for p in players if p != red, m in 1..3 if m > 2: p.gold += count(c in p.hand if c.v > m, q in players)\n"
    for written in (text, text.replace(", m in", "  ,m in").replace("v > m, q", "v>m ,q")):
        assert format_source(SourceText("x.rules", written)) == text
