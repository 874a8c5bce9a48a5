"""What may lie outside of keys and ranges, or be `none` where none is held, is warned of unless something in front rules it out; what
is certain is an error."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from rulelang import api
from tests.files import TESTS
from tests.games.written import faults

HEAD = """\
names p, q: Player; s: Lane; c: Card
enum Colour: red, green, blue
board Lane: track
  map \"\"\"
    . . . .
  \"\"\"
board Round: ring
  map \"\"\"
    . . . .
  \"\"\"
kind Card "card":
  n: 1..6
  | n    |
  | 1..6 |
the game has:
  row(n: 1..4): 0..9 = 3
  shelf(n: 1..4): group of Card
  i: 1..4 = 1
  big: 0..20 = 0
  at: Lane = a1
  maybe: Lane? = a1
  round_at: Round = a1
  seen: set of Lane = {}
  favourite: Card? = none
  more: 0..9? = none
  some: set of 1..4 = {}
  colour: Colour = red
  count_to: 0..9 = 0
  deck: pile of Card
each Player has:
  gold: 0..9 = 3
  home: Lane = a1
data cost(n: 1..4):
  gold: 0..9 = 0
  | n      | gold |
  | {1, 2} | 3    |
value ahead(s) = step(s, forward)
value is_near(n: 0..20) -> flag = n >= 1 and n < 5
value within(x: set of 1..4) -> flag = 3 in x
to walk(s): at = s
to look(n: 1..4): big = row(n)
"""

RISKS = [
    ("if i == 5: big = row(i)", ["W0522"]),
    ("if i > 3 and i < 4: big = 1", ["W0522"]),
    ("if big != big: big = 1", ["W0522"]),
    ("if big < 9 and i > i: big = 1", ["W0522"]),
    # Keys
    ("big = row(i + 1)", ["W0511"]),
    ("big = row(big)", ["W0511"]),
    ("row(i + 1) = 3", ["W0511"]),
    ("let x = i + 1\nbig = row(x)", ["W0511"]),
    ("big = count(shelf(i + 1))", ["W0511"]),
    ("move shelf(i - 1) to box", ["W0511"]),
    ("move Card to shelf(i + 1)", ["W0511"]),
    ("big += cost(i + 1).gold", ["W0511"]),
    ("for n in 0..4: big = row(n)", ["W0511"]),
    ("big += sum(row(n) for n in 1..5)", ["W0511"]),
    ("if i < 4: settle\nbig = row(i + 1)", ["W0511"]),
    ("if i < 4:\n  i += 1\n  big = row(i + 1)", ["W0511"]),
    ("if i < 4 or big > 3: big = row(i + 1)", ["W0511"]),
    ("p chooses n in 1..5\nbig = row(n)", ["W0511"]),
    # none
    ("at = step(at, forward)", ["W0510"]),
    ("at = ahead(at)", ["W0510"]),
    ("let x = step(at, forward)\nat = x", ["W0510"]),
    ("walk(step(at, forward))", ["W0510"]),
    ("walk(ahead(at))", ["W0510"]),
    ("at = maybe", ["W0510"]),
    ("walk(maybe)", []),
    ("colour = next(colour)", ["W0510"]),
    ("p.gold = first(n in 1..9 if n > big)", ["W0510"]),
    ("count_to = min(q.gold for q in players if q != p)", ["W0510"]),
    ("big = 1 + max(q.gold for q in players if q != p)", ["W0510"]),
    ("big = top(deck).n", ["W0510"]),
    ("big += min(q.gold for q in players if q.gold > 3)", ["W0510"]),
    ("big = random(n in 1..4 if n > big)", ["W0510"]),
    ("big = cost(i).gold", ["W0510"]),
    # numbers
    ("p.gold = p.gold + 1", ["W0502"]),
    ("i = big", ["W0502"]),
    ("look(i + 1)", ["W0502"]),
    ("p.gold = 2 * p.gold, at most 12", ["W0502"]),
    ("let x = p.gold + 1\np.gold = x", ["W0502"]),
    # none that is left out
    ("seen += maybe", ["W0510"]),
    ("seen = maybe", ["W0510"]),
    ("let x = maybe\nseen += x", ["W0510"]),
    ("seen += step(at, forward)", ["W0510"]),
    ("seen += {maybe}", []),
    ("move favourite to deck", ["W0510"]),
    ("p chooses favourite in deck\nmove favourite to box", ["W0510"]),
    ("move {favourite} to deck", []),
    ("move top(deck) to box", []),
    ("move first(c in deck if c.n > 3) to box", []),
    ("big += more", ["W0510"]),
    ("big -= more", ["W0510"]),
    # sets of numbers
    ("some += i + 1", ["W0502"]),
    ("some = {i, big}", ["W0502"]),
    ("some = {q.gold for q in players}", ["W0502"]),
    ("if within({big}): settle", ["W0502"]),
]

CERTAIN = [
    # none
    ("at = none", "E0301"),
    ("walk(none)", "E0301"),
    ("look(none)", "E0301"),
    ("eliminate(none)", "E0301"),
    ("if is_near(none): settle", "E0301"),
    ("maybe = ahead(none)", "E0301"),
    ("let x = none\nwalk(x)", "E0301"),
    ("big = row(none)", "E0301"),
    ("row(none) = 3", "E0301"),
    ("big = cost(none).gold", "E0301"),
    ("move Card to shelf(none)", "E0301"),
    ("move none to box", "E0309"),
    ("let y = none\nmove y to box", "E0309"),
    ("if none < 3: settle", "E0303"),
    ("for q in players by none: settle", "E0303"),
    ("for q in players by {q}: settle", "E0303"),
    ("if all(none for n in 1..3): settle", "E0301"),
    ("big = count(n - 1 for n in 1..3)", "E0301"),
    ("big = max({})", "E0303"),
    ("at = step(Lane.d1, forward)", "E0301"),
    ("walk(step(Lane.d1, forward))", "E0301"),
    ("colour = next(blue)", "E0301"),
    ("if maybe == none: at = maybe", "E0301"),
    ("maybe = none\nwalk(maybe)", "E0301"),
    ("if more == none: big = 1 + more", "E0302"),
    ("big = cost(3).gold", "E0301"),
    # numbers and keys
    ("look(9)", "E0316"),
    ("look(0)", "E0316"),
    ("if is_near(21): settle", "E0316"),
    ("if i == 4: big = row(i + 1)", "E0316"),
    ("if big > 10: look(big)", "E0316"),
    ("if big > 10: i = big", "E0316"),
    ("p.gold += 12", "E0316"),
    ("p.gold -= 10", "E0316"),
    ("if i > 3: i += 1", "E0316"),
    ("some += 9", "E0316"),
    ("some = {1, 9}", "E0316"),
    ("if within(1..9): settle", "E0316"),
]

FINE = [
    "if i < 4: big = row(i + 1)",
    "if not i == 4: big = row(i + 1)",
    "if i < 4 openly: big = row(i + 1)",
    "if not i == 4 openly: big = row(i + 1)",
    "if i + 1 in 1..4: big = row(i + 1)",
    "if i != 4: big = row(i + 1)",
    "if i == 4: stop_it()\nelse: big = row(i + 1)",
    "if i >= 4: return\nbig = row(i + 1)",
    "if i == 4 or big == 0: return\nbig = row(i + 1)",
    "big = row(i + 1) if i < 4 else 0",
    "big = row(min(i + 1, 4))",
    "let x = i + 1, at most 4\nbig = row(x)",
    "if is_near(big): big = row(big)",
    "if big >= 1 and is_near(big): big = count(shelf(big))",
    "for n in 0..9 if n in 1..4: big = row(n)",
    "big += sum(row(n) for n in 0..9 if is_near(n))",
    "repeat while i < 4:\n  big = row(i + 1)\n  i += 1",
    "for n in 1..4: big = row(n)",
    "if cost(i) != none: big = cost(i).gold",
    "if i <= 2: big = cost(i).gold",
    "row(5 - i) = 3",
    "if at != d1: at = step(at, forward)",
    "round_at = step(round_at, forward)",
    "if ahead(at) != none: at = ahead(at)",
    "if at != none and step(at, forward) in {b1, c1}: at = step(at, forward)",
    "let x = step(at, forward)\nif x != none: at = x",
    "let x = step(at, forward)\nat = x if x != none else at",
    "if step(at, forward) == none: return\nwalk(step(at, forward))",
    "maybe = step(at, forward)",
    "if maybe != none: at = maybe",
    "if colour != blue: colour = next(colour)",
    "colour = next(colour) if next(colour) != none else red",
    "p.gold = max(q.gold for q in players)",
    "if any(q.gold > 3 for q in players): count_to = min(q.gold for q in players if q.gold > 3)",
    "if deck != {}: big = top(deck).n",
    "if count(deck) > 0: big = top(deck).n",
    "p.gold += 1",
    "p.gold -= 1",
    "p.gold = p.gold + 1, at most 9",
    "if p.gold < 9: p.gold = p.gold + 1",
    "if p.gold >= 3: p.gold = p.gold - 3",
    "if p.gold >= count_to: p.gold = p.gold - count_to",
    "if big in 1..4: i = big",
    "if big in 1..4: look(big)",
    "if big % 2 == 0: settle\nbig = big % 4\nbig = row(big + 1)",
    "if maybe != none: seen += maybe",
    "if favourite != none: move favourite to deck",
    "if deck != {}:\n  p chooses favourite in deck\n  move favourite to box",
    "big += more if more != none else 0",
    "simultaneously for q in players:\n  p.gold += 12\n  p.gold -= 12",
    "p.gold += 12, at most 9",
    "big = count(1 for n in 1..3)",
    "some += i",
    "if big in 1..4: some += big",
    "some = {n in 0..9 if n in 1..4}",
    "some -= 9",
]


def _rules(body: str) -> str:
    lines = "".join(f"  {line}\n" for line in body.split("\n"))
    return f"{HEAD}to stop_it(): settle\nplay:\n  act(first_player)\n  finish lost\nto act(p):\n{lines}"


@pytest.mark.parametrize(("body", "codes"), RISKS)
def test_a_risk_is_warned_of(body: str, codes: list[str], tmp_path: Path) -> None:
    assert [code for code, _ in faults(_rules(body), tmp_path)] == codes


@pytest.mark.parametrize("body", FINE)
def test_what_something_in_front_rules_out_is_not_warned_of(body: str, tmp_path: Path) -> None:
    assert faults(_rules(body), tmp_path) == []


WORDS = [
    ('to say(n: 1..4) "Say {row(n + 1)}": settle', "say(i)", ["W0511"]),
    ('to say(n: 1..4) "Say {row(n + 1)}": settle', "if i < 4: say(i)", []),
    ('to say(n: 1..4) "Say {n}", else "Not {row(big)}": settle', "say(i)", ["W0511"]),
    ('phase dusk "Dusk {row(big)}": settle', "dusk()", ["W0511"]),
    ('action take(p, n: 1..4) "Take {row(n + 1)}": settle', "p chooses one of take", ["W0511"]),
    ('action take(p, n: 1..4) "Take {row(n + 1)}":\n  needs n < 4\n  settle', "p chooses one of take", []),
    ('action take(p, n: 1..4) "Take":\n  shows "{row(n + 1)}"\n  settle', "p chooses one of take", ["W0511"]),
    ('action take(p, n: 1..4) "Take":\n  shows "{row(n + 1)}" if n < 4\n  settle', "p chooses one of take", []),
    ('action take(p, n: 1..4) "Take":\n  needs n > 3  "not {row(n + 1)}"\n  settle', "p chooses one of take", []),
    (
        'action take(p, n: 1..4) "Take":\n  needs n < 3  "not {row(n + 1)}"\n  settle',
        "p chooses one of take",
        ["W0511"],
    ),
    ("", 'p chooses one of:\n  hop(n in 1..4) "Hop {row(n + 1)}": settle', ["W0511"]),
    ("", 'p chooses one of:\n  hop(n in 1..3) "Hop {row(n + 1)}": settle', []),
    ("", 'p chooses n in 1..3 "Which of {row(big)}?"', ["W0511"]),
    ("", 'p chooses one of:\n  a "{1 + max(q.gold for q in players if q != p)}": settle\n  b "B": settle', ["W0510"]),
    ('screen:\n  line "{row(big)}"', "settle", ["W0511"]),
    ('screen:\n  line "{row(big)}" if big in 1..4', "settle", []),
    ('kind Deed "deed":\n  n: 1..4\n  text: "{row(big)} coins"\n  | n |\n  | 1 |', "settle", ["W0511"]),
]


@pytest.mark.parametrize(("declared", "body", "codes"), WORDS)
def test_what_is_filled_into_words_is_looked_at(declared: str, body: str, codes: list[str], tmp_path: Path) -> None:
    assert [code for code, _ in faults(f"{_rules(body)}{declared}\n", tmp_path)] == codes


@pytest.mark.parametrize(("body", "code"), CERTAIN)
def test_what_is_certain_is_an_error(body: str, code: str, tmp_path: Path) -> None:
    assert [code for code, _ in faults(_rules(body), tmp_path)] == [code]


KEPT = [path for room in ("classics", "games", "perft", "redeals") for path in sorted((TESTS / room).glob("*.rules"))]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_games_that_tests_play_check_without_a_word(path: Path) -> None:
    assert api.check(path).diagnostics == ()


VARIED = """\
game sketch "Sketch":
  players 2

names p: Player

constant tiles = 9
enum Power: nitro, brake
kind Tile "tile":
  power: Power
  | copies | power |
  | 3      | Power |

the game has:
  heap: 0..tiles = tiles
  legs: 0..9 = 0
  stack: group of Tile
  price(n: 1..9): 0..9 = 1

value legs_left -> 0..6 = count(stack)
value dearest -> 0..9 = price(max(1, heap))

play:
  legs = heap
  finish lost

variant more of sketch "More":
  constant tiles = 12

variant rows of sketch "More tiles":
  add to Tile:
    | copies | power |
    | 2      | nitro |

variant same of sketch "Words":
  replace play:
    finish lost
"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("more", [("W0502", "constant tiles = 12"), ("W0511", "constant tiles = 12")]),
        ("rows", [("W0502", "add to Tile:")]),
        ("same", []),
    ],
)
def test_what_a_variant_makes_possible_is_warned_of_at_its_line(
    variant: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    entry = tmp_path / "sketch.rules"
    entry.write_text(VARIED)
    assert api.check(entry).diagnostics == ()
    found = api.check(entry, (variant,)).diagnostics
    assert [(d.code, d.span.text) for d in found] == expected
    assert all(d.labels for d in found)


def test_conditions_inside_each_other_take_time_by_their_size(tmp_path: Path) -> None:
    test = "i > 1"
    for depth in range(14):
        test = f"({test} or big > {depth}) and (i < 4 or big < {depth + 1})"
    text = f"{HEAD}value deep -> flag = {test}\nplay:\n  if deep: big = row(i)\n  finish lost\n"
    started = process_time()
    assert faults(text, tmp_path) == []
    assert process_time() - started < 5
