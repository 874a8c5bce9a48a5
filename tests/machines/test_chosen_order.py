"""Orders that a player chooses: passes, hooks, replacements and standing rules; the same on all executors."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.rulebook.printed.book import book, lowered
from rulelang.rulebook.printed.markdown import markdown
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from tests.games.written import assert_holds, faults, game
from tests.generators.orders import orders
from tests.seeds import few_of

RULES = """
game rites "Rites":
  players 3
  seats ann, ben, cleo

names p, q: Player

the game has:
  pot: 0..99 = 1
  rite: 0..9 = 0
  rest: 0..9 = 0
each Player has:
  took: 0..99 = 0
  marks: 0..9 = 0

to bless(q): q.took += pot, at most 99
after bless(q) if q.marks > 0 in order chosen by ann as doubling: pot = pot * 2, at most 99
after bless(q) if q.marks > 0 in order chosen by ann as growing: pot += 3, at most 99
to strike(q): q.took = 0
instead of strike(q) if q.marks > 0 in order chosen by q as shielded: q.marks -= 1
instead of strike(q) if q.took > 2 in order chosen by q as bribed:
  pot += 1, at most 99
  proceed

whenever q.marks == 9 for q in players in order chosen by mover as full:
  q.marks = 0
  q.took = pot
  pot += 1, at most 99
whenever rite > 4 in order chosen by mover as rites:
  rite = 0
  pot = pot * 2, at most 99
whenever rest > 4 in order chosen by mover as rests:
  rest = 0
  pot += 5, at most 99

play:
  turns p from ann:
    p chooses one of:
      share "Share":
        for q in players in order chosen by p if q.took < 50:
          q.took += pot, at most 99
          pot += 1, at most 99
      mark "Mark":
        for q in players in order chosen by p: q.marks += 1, at most 9
      fill "Fill":
        for q in players if q != p: q.marks = 9
      blessing(q) "Bless {q}": bless(q)
      strike_at(q) "Strike {q}": strike(q)
      tidy "Tidy":
        rite = 5
        rest = 5
    if round == 6: finish with winner best(q in players by highest q.took)
"""

SCENARIOS = (
    """
scenario "one pass after another, as somebody says; the last is not asked for":
  ann: share
  ann: cleo
  ann: ann
  expect cleo.took == 1 and ann.took == 2 and ben.took == 3 and ben is asked
""".replace(" and ben is asked", "")
    + """
scenario "who does not match is not offered":
  given cleo.took = 50
  ann: share
  expect ann cannot cleo
  ann: ben
  expect ben.took == 1 and ann.took == 2 and cleo.took == 50

scenario "nothing is asked where the order cannot matter":
  ann: mark
  expect ann.marks == 1 and cleo.marks == 1
  expect ben is asked

scenario "hooks that apply at once are put in order":
  given ben.marks = 1
  ann: blessing(ben)
  expect ann can growing
  ann: growing
  expect ben.took == 1 and pot == 8

scenario "of replacements that compete, one is chosen by whom they say":
  given ben.marks = 1, ben.took = 5
  ann: strike_at(ben)
  ben: bribed
  expect ben.took == 0 and ben.marks == 1 and pot == 2

scenario "a replacement that alone fits is not asked for":
  given ben.marks = 1
  ann: strike_at(ben)
  expect ben.marks == 0 and pot == 1

scenario "the matches of a standing rule":
  ann: fill
  ann: cleo
  expect cleo.took == 1 and ben.took == 2 and pot == 3

scenario "standing rules that hold at once":
  ann: tidy
  ann: rests
  expect pot == 12 and rite == 0
"""
)


def test_a_player_says_what_comes_first(tmp_path: Path) -> None:
    assert_holds(RULES + SCENARIOS, tmp_path)


@pytest.mark.parametrize("seed", few_of(3, few=1))
def test_all_executors_ask_for_the_same_orders(seed: int, tmp_path: Path) -> None:
    rules = game(RULES, tmp_path)
    matches = [rules.start(seed=seed, executor=executor) for executor in ("reference", "generated", "native")]
    choose, asked = random.Random(seed), set()
    while matches[0].to_move:
        seat = matches[0].to_move[0]
        options = [[option.text for option in match.options_of(seat)] for match in matches]
        assert options[0] == options[1] == options[2]
        asked |= set(options[0])
        answer = choose.choice(options[0])
        for match in matches:
            match.play(answer)
        assert len({match.key for match in matches}) == 1
    assert {"ann", "cleo"} <= asked


@pytest.mark.parametrize("seed", few_of(6, few=2))
def test_random_orders_are_the_same_on_all_executors_with_variants_and_without(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "orders.rules"
    path.write_text(orders(seed), encoding="utf-8")
    asked = 0
    for variant in ("", "+other"):
        rules = api.load(f"{path}{variant}")
        names = ("reference", "generated", "native") if seed == 5 and not variant else ("reference", "generated")
        matches = [rules.start(seed=seed, executor=name) for name in names]
        choose = random.Random(seed)
        while matches[0].to_move:
            options = [[option.text for option in match.options] for match in matches]
            assert options[1:] == options[:-1]
            asked += matches[0].choice is not None and not matches[0].choice.name.startswith("play")
            answer = choose.choice(options[0])
            for match in matches:
                match.play(f"{match.seats[match.to_move[0]]}: {answer}")
            assert len({match.key for match in matches}) == 1
        assert len({match.log.text for match in matches}) == 1
    assert asked or seed


SHORT = """
game rites "Rites":
  players 3
  seats ann, ben, cleo

names p, q: Player

the game has:
  pot: 0..99 = 4
  heat: 0..9 = 5
each Player has:
  marks: 0..9 = 2
  took: 0..9 = 0
  lives: 0..9 = 3, seen by owner

to bless(q): q.took += 1, at most 9
"""
PLAY = """
play:
  turns p from ann:
    p chooses one of:
      blessing(q) "Bless {q}": bless(q)
      wait "Wait": settle
"""


@pytest.mark.parametrize(
    ("rules", "is_asked"),
    [
        # One takes away what the other's condition asks for.
        ("after bless(q) if q.marks > 0{} as a: pot += 1\nafter bless(q) if pot > 3{} as b: q.marks = 0", True),
        ("after bless(q) if q.marks > 0{} as a: pot += 1\nafter bless(q) if heat > 3{} as b: q.took = 0", False),
        # Of replacements one alone is carried out, so it matters which.
        ("instead of bless(q){} as a: pot += 1\ninstead of bless(q){} as b: heat = 0", True),
        ("whenever q.took > 0 for q in players as x: q.took = 0", False),
        ("whenever ben.took == 1 and pot < 9{} as a: pot += 9\nwhenever ben.took == 1 and heat > 0{} as b: heat = 0", False),
        ("whenever ben.took == 1 and pot < 9{} as a: pot += 9\nwhenever ben.took == 1 and pot > 3{} as b: ben.took = 0", True),
    ],
)  # fmt: skip
def test_an_order_is_asked_for_where_it_matters(rules: str, is_asked: bool, tmp_path: Path) -> None:
    match = game(SHORT + rules.replace("{}", " in order chosen by cleo") + PLAY, tmp_path).start(seed=1)
    match.play("ann: blessing(ben)")
    assert [option.text for option in match.options][:2] == (
        ["a", "b"] if is_asked else ["blessing(ann)", "blessing(ben)"]
    )


RICH = """
game rich "Rich":
  players 3

names p, q: Player

the game has:
  order: 0..999 = 0
each Player has:
  gold: 0..9 = 1
  marks: 0..3 = 2

whenever q.gold == 9 for q in players{order} if q.marks > 0 as rich:
  q.gold = 0
  order = order * 10 + number(q), at most 999

play:
  turns p from player2:
    p chooses one of:
      fill "Fill":
        for q in players: q.gold = 9
      wait "Wait": settle
    if round == 3: finish with winner p

scenario "one match after another":
  given player3.marks = 1
  player2: fill
  expect order == {found}
"""


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("", 123),
        (" from mover", 231),
        (" from next(mover)", 312),
        (" by lowest q.marks", 312),
        (" from mover by highest q.marks", 213),
    ],
)
def test_a_standing_rule_goes_over_its_matches_from_somebody_or_by_keys(order: str, found: int, tmp_path: Path) -> None:
    text = RICH.replace("{order}", order).replace("{found}", str(found))
    assert_holds(text, tmp_path)
    assert format_source(SourceText("rich", text.lstrip())) == text.lstrip()


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        # The answer goes into a hidden variable, and by a hook into one that all see: so all are told it.
        ("", False),
        ("after bless(q) if q.marks > 1 in order chosen by ann as c: q.marks = q.marks * 2, at most 9", False),
        ("after bless(q) if q.lives > 1 in order chosen by ann as c: q.marks = q.marks * 2, at most 9", True),
    ],
)
def test_an_order_may_be_asked_for_after_a_hidden_change(rules: str, told: bool, tmp_path: Path) -> None:
    hooks = (
        "\nafter bless(q) in order chosen by ann as a: q.marks += 1, at most 9"
        "\nafter bless(q) in order chosen by ann as b: q.marks += q.marks, at most 9"
    )
    text = SHORT.replace("q.took += 1, at most 9", "q.lives -= 1, at least 0") + hooks + f"\n{rules}" + PLAY
    assert ("E0402" in [code for code, _ in faults(text, tmp_path)]) is told


def test_what_a_hook_alone_hides_is_hidden(tmp_path: Path) -> None:
    text = SHORT + "after bless(q): q.lives -= 1, at least 0\nnames n: 0..9\n"
    text = text.replace("q.took += 1, at most 9", "settle")
    asked = PLAY.replace("bless(q)\n", "\n        bless(q)\n        cleo chooses n in 1..q.marks + 1\n")
    assert [code for code, _ in faults(text + asked, tmp_path) if code == "E0402"]
    public = text.replace("after bless(q):", "after bless(q): q.took = 1\nafter bless(q):")
    assert "E0402" not in [code for code, _ in faults(public + asked, tmp_path)]


@pytest.mark.parametrize("seed", few_of(12, few=4))
def test_random_orders_may_be_chosen_beside_what_is_hidden(seed: int, tmp_path: Path) -> None:
    text = orders(seed).replace("lives: 0..9 = 3", "lives: 0..9 = 3, seen by owner")
    assert "E0402" not in [code for code, _ in faults(text, tmp_path)]


def test_chosen_orders_are_printed_as_they_are_written(tmp_path: Path) -> None:
    text = RULES.lstrip()
    assert format_source(SourceText("rites", text)) == text


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("value v = first(q in players in order chosen by q)", "E0305"),
        ("to v():\n  simultaneously for q in players in order chosen by first_player: q.n += 1", "E0305"),
        ("to v():\n  for q in players in order chosen by 3: q.n += 1", "E0301"),
        (
            "to v(q): q.n = 1\nafter v(q) in order chosen by q: q.n = 2\nafter v(q) in order chosen by q as b: q.n = 3",
            "E0305",
        ),
        (
            "to v(q): q.n = 1\nafter v(q) in order chosen by q as a: q.n = 2\n"
            "after v(q) in order chosen by next(q) as b: q.n = 3",
            "E0305",
        ),
        ("whenever p.n == q.n for p in players, q in players in order chosen by mover as same: p.n = 1", "E0305"),
        (
            "the game has:\n  m: 0..9 = 0\nto v():\n  for q in players in order chosen by first_player: m = q.n\n"
            "value x = m after v()",
            "E0416",
        ),
    ],
)
def test_orders_that_nobody_can_choose_are_refused(rules: str, code: str, tmp_path: Path) -> None:
    text = (
        "names p, q: Player\neach Player has:\n  n: 0..9 = 0\n"
        + rules
        + "\nplay:\n  turns p from first_player: p.n = 2\n"
    )
    assert code in [fault for fault, _ in faults(text, tmp_path)]


def test_the_rulebook_says_who_puts_what_in_order(tmp_path: Path) -> None:
    game(RULES, tmp_path)
    loaded, _ = api.read(str(tmp_path / "sketch.rules"))
    text = markdown(book(lowered(loaded)))
    for line in (
        "For each player *q* whose took is less than 50, in the order that *p* chooses:",
        "In the order that ann chooses:",
        "One of these, as the player chooses:",
        "If the player’s took is more than 2:",
    ):
        assert line.replace("’", "'") in text
