"""Verbs that return an answer: alike on all executors, hidden as what it comes from, refused where nobody takes it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulelang
from rulelang.knowledge.redaction import read
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source

AUCTION = """\
game auction "Auction":
  players 2..3

names p, q: Player; c: Card
die d6: 1..6

kind Card "card":
  n: 1..3
  | copies | n    |
  | 4      | 1..3 |

the game has:
  box: face up
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner
  coins: 0..99 = 5

setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 4 of deck to p.hand

to throw_two() -> 2..12 untold:
  return roll(d6) + roll(d6)
to highest_bid(p, start: 1..9) -> 0..9 at most 3 deep:
  p chooses bid in start..9, or pass
  if bid == none: return 0
  if bid < 5:
    let other = highest_bid(next(p), bid)
    if other > bid: return other
  return bid
to card_of(p) -> Card?:
  p chooses c in p.hand, or pass "Which?"
  return c
to some_of(p) -> set of Card:
  if p.coins > 3:
    p chooses some in up to 2 of p.hand
    return some
to tell(c) "It was {c}": settle
to pay(p, price: 0..12) "{p} pays {price}": p.coins -= price, at least 0
instead of throw_two if count(players) == 3 as fixed: return 7

play:
  turns p from first_player:
    let thrown = throw_two()
    if thrown != none: pay(p, thrown)
    p.coins += highest_bid(p, 1), at most 99
    let c = card_of(p)
    tell(c)
    if c != none: move c to deck bottom
    move some_of(p) to box
    let lost = some_of(next(p))
    move lost to box
    throw_two()
    if round == 3: finish with ranking q in players by highest q.coins
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("auction") / "auction.rules"
    found.write_text(AUCTION.replace("    move some_of(p) to box\n", ""), encoding="utf-8")
    return found


def played(match: rulelang.Match, seed: int) -> rulelang.Match:
    rng = random.Random(seed)
    while match.to_move:
        match.play(rng.choice([option.text for option in match.options]))
    return match


@pytest.mark.parametrize("players", [2, 3])
def test_all_executors_take_the_same_answers(path: Path, players: int) -> None:
    game = rulelang.load(path)
    assert [one.code for one in game.diagnostics if one.code != "W0521"] == []
    for seed in range(3):
        one, *others = (
            played(game.start(players, seed, executor=name), seed) for name in ("reference", "generated", "native")
        )
        assert one.log.text == others[0].log.text == others[1].log.text
        again = game.start(players, seed)
        key = again.key
        again.play(again.options[0])
        again.undo()
        assert again.key == key


def test_an_answer_is_as_hidden_as_what_it_comes_from(path: Path) -> None:
    match = played(rulelang.load(path).start(2, 5), 5)
    told = {seat: [read(one.sentence) for one in match.log.events_for(seat) if one.rule == "tell"] for seat in (0, 1)}
    for own, others in (told[0], told[1]), (told[1], told[0]):
        assert any("It was card" in said for said in own)
        assert any(said == "It was a card" for said in others)
    assert "answer of" not in match.log.for_seat(0).text


def refused(path: Path, old: str, new: str) -> list[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    assert old in text
    other = path.with_name("other.rules")
    other.write_text(text.replace("game auction", "game other").replace(old, new), encoding="utf-8")
    return [(one.code, one.message) for one in rulelang.check(other).diagnostics if one.is_error]


def test_what_a_hidden_answer_decides_is_told_to_nobody_unawares(path: Path) -> None:
    ((code, _),) = refused(path, "    tell(c)\n", "    if c.n == 1: next(p) chooses n in 1..3\n")
    assert code == "E0402"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("let thrown = throw_two()", "let thrown = 1 + throw_two()", "E0305"),
        ("    if thrown != none: pay(p, thrown)\n", "    return 3\n", "E0305"),
        ("  return c\n", "  return 3\n", "E0301"),
        ("    throw_two()\n", "    simultaneously for q in players: q.coins = throw_two()\n", "E0409"),
        ("to throw_two() -> 2..12", "to throw_two() -> Nothing", "E0201"),
    ],
)
def test_an_answer_that_nobody_can_take_is_refused(path: Path, old: str, new: str, code: str) -> None:
    assert code in [found for found, _ in refused(path, old, new)]


def test_no_verb_answers_in_a_verb_that_passes_call_at_once(path: Path) -> None:
    nested = "    simultaneously for q in players: fetch(q)\n    p.coins += 0\nto fetch(q):\n  let c = card_at_top()\n"
    nested += "to card_at_top() -> Card?: return top(deck)\n"
    text = path.read_text(encoding="utf-8")
    at = text.index("    let lost")
    other = path.with_name("other.rules")
    other.write_text(text[:at].replace("game auction", "game other") + nested, encoding="utf-8")
    assert "E0409" in [one.code for one in rulelang.check(other).diagnostics]


def test_a_number_that_is_always_answered_is_never_none(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("game auction", "game other")
    text = "\n".join(line for line in text.split("\n") if not line.startswith("instead of"))
    path.with_name("other.rules").write_text(text.replace("    if thrown != none: pay", "    pay"), encoding="utf-8")
    assert {one.code for one in rulelang.load(path.with_name("other.rules")).diagnostics} == {"W0521"}


def test_a_variant_replaces_a_verb_that_answers(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("game auction", "game other")
    variant = """
variant lucky of other "Lucky":
  replace to throw_two() -> 2..12 untold: return 12
  remove fixed

  scenario "twelve is thrown":
    players player1, player2
    expect event pay(player1, 12)
    player1: pass
    expect player1.coins == 0
"""
    path.with_name("other.rules").write_text(text + variant, encoding="utf-8")
    game = rulelang.load(f"{path.with_name('other.rules')}+lucky")
    one, other = (played(game.start(2, 3, executor=name), 3) for name in ("reference", "generated"))
    assert one.log.text == other.log.text
    assert {read(event.call) for event in one.events if event.rule == "pay"} == {
        f"pay({seat}, 12)" for seat in one.seats
    }


def test_it_is_printed_as_it_is_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_source(SourceText("auction", text)) == text
