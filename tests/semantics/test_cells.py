"""What a column may hold: each type in cells of kinds, data and legends, in `given`, `expect`, options and variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.written import assert_holds, assert_variant_holds, faults, game

BASE = """\
game cells "Cells":
  players 2
  seats red, blue
names p: Player; s: Space
enum Mark: sun, moon, a1
die d6: 1..6
board Space: square
  rough: flag
  map \"\"\"
    . x
    . .
  \"\"\"
  | mark | rough |
  | "x"  | yes   |
kind Coin "coin":
  worth: 1..3
  | copies | worth |
  | 2      | 1     |
  | 1      | 3     |
kind Crew "crew":
  | name |
  | ann  |
  | bob  |
"""
SINGLE = {
    "Space": ("b1", "a2"),
    "Player": ("red", "blue"),
    "Mark": ("sun", "a1"),
    "Crew": ("ann", "bob"),
    "Direction": ("north", "southwest"),
    "0..9": ("3", "4"),
    "-3..3": ("-2", "2"),
    "flag": ("yes", "no"),
    "Coin": ("Coin(3)", "Coin(3)"),
    "Die": ("d6", "d6"),
}
OPTIONAL = {f"{type}?": (first, "none") for type, (first, _) in SINGLE.items()}
SETS = {
    "set of Space": ("{a1, b2}", "{}"),
    "set of Player": ("{red}", "{red, blue}"),
    "set of Mark": ("{a1}", "{sun, moon}"),
    "set of Crew": ("{ann}", "{bob}"),
    "set of Direction": ("{north, east}", "{}"),
    "set of 1..5": ("1..3", "{5}"),
    "set of flag": ("{yes}", "{no}"),
    "set of Coin": ("{Coin(3)}", "{}"),
}
EVERY = [(type, *cells) for type, cells in {**SINGLE, **OPTIONAL, **SETS, "enum(lo, hi)": ("lo", "hi")}.items()]
KEYS = [(type, *cells) for type, cells in SINGLE.items() if cells[0] != cells[1]]


@pytest.mark.parametrize(("type", "first", "second"), EVERY)
def test_a_column_of_a_kind_holds_what_its_type_says(type: str, first: str, second: str, tmp_path: Path) -> None:
    rules = f"""
kind Card "card":
  x: {type}
  | name | x |
  | one  | {first} |
  | two  | {second} |
scenario "printed":
  expect count(Card) == 2 and one.x == {first} and two.x == {second}
"""
    assert_holds(BASE + rules, tmp_path)


@pytest.mark.parametrize(("type", "first", "second"), EVERY)
def test_things_are_named_by_what_is_printed_on_them(type: str, first: str, second: str, tmp_path: Path) -> None:
    rules = f"""
kind Card "card":
  x: {type}
  n: 1..2
  | x | n |
  | {first} | 1 |
  | {second} | 2 |
the game has:
  deck: group of Card
  picked: Card = Card(1)
each Player has:
  hand: group of Card
setup: move Card to deck
action take(p, c: Card) "Take {{c}}": move c to p.hand
play:
  turns p from first_player: p chooses one of take, or stop
scenario "taken":
  given picked = Card({second}, 2)
  expect Card({first}, 1) in deck and picked == Card(2)
  expect red can take(Card({second}, 2))
  red: take(Card({first}, 1))
  expect red.hand == {{Card({first}, 1)}} and deck == {{Card({second}, 2)}} and picked == Card({second}, 2)
  expect event take(red, Card({first}, 1))
"""
    assert_holds(BASE + rules, tmp_path)


@pytest.mark.parametrize(("type", "first", "second"), EVERY)
def test_data_and_legends_hold_what_their_columns_say(type: str, first: str, second: str, tmp_path: Path) -> None:
    rules = f"""
data worth(n: 1..2):
  x: {type}
  | n | x |
  | 1 | {first} |
  | 2 | {second} |
board Sea: square
  x: {type}
  map \"\"\"
    u v
  \"\"\"
  | mark | x |
  | "u"  | {first} |
  | "v"  | {second} |
scenario "printed":
  expect worth(1).x == {first} and worth(2).x == {second}
  expect Sea.a1.x == {first} and Sea.b1.x == {second}
"""
    if type != "enum(lo, hi)":
        assert_holds(BASE + rules, tmp_path)


@pytest.mark.parametrize(("type", "first", "second"), KEYS)
def test_keys_are_of_every_type(type: str, first: str, second: str, tmp_path: Path) -> None:
    rules = f"""
data worth(k: {type}):
  x: 0..9
  | k | x |
  | {first} | 1 |
  | {second} | 2 |
data alike(k: {type}):
  x: 0..9
  | k | x |
  | {{{first}, {second}}} | 3 |
scenario "found":
  expect worth({first}).x == 1 and worth({second}).x == 2
  expect alike({first}).x == 3 and alike({second}).x == 3
"""
    assert_holds(BASE + rules, tmp_path)


@pytest.mark.parametrize(("type", "first", "second"), [key for key in KEYS if key[0] != "-3..3"])
def test_parameters_are_given_expected_and_chosen_in_every_type(
    type: str, first: str, second: str, tmp_path: Path
) -> None:
    rules = f"""
the game has:
  x: {type} = {first}
  several: set of {type} = {{{second}}}
to put(z: {type}): x = z
action choose(p, z: {type}) "Choose {{z}}": put(z)
play:
  turns p from first_player: p chooses one of choose, or stop
scenario "chosen":
  given x = {second}, several = {{{first}, {second}}}
  expect x == {second} and {first} in several and several == {{{second}, {first}}}
  expect red can choose({first})
  red: choose({first})
  expect x == {first}
  expect event put({first})
  expect event choose(red, {first})
"""
    assert_holds(BASE + rules, tmp_path)


THREATS = """\
kind Threat "threat":
  level: 1..3
  at: Space
  | level | at |
  | 1     | a1 |
  | 2     | b1 |
  | 3     | b1 |
names t: Threat
the game has:
  current: Threat = Threat(2)
  seen: set of Threat = {Threat(1), Threat(3)}
  maybe: Threat? = none
value grim(t) -> flag = t == Threat(3)
data text(t):
  x: 0..9
  | t             | x |
  | Threat(1)     | 1 |
  | Threat(2)     | 2 |
  | Threat(3, b1) | 3 |
each Threat has:
  hits: 0..3 = 0
to hit(t): t.hits += 1
action face(p, t) "Face {t}": current = t
play:
  hit(Threat(1))
  maybe = random(t in Threat)
  turns p from first_player: p chooses one of face, or stop
"""


def test_a_thing_that_no_zone_holds_goes_by_its_written_form(tmp_path: Path) -> None:
    scenarios = """
scenario "given and chosen":
  draw Threat(2)
  given current = Threat(1), seen = {Threat(2)}, Threat(2).hits = 2
  expect current == Threat(1) and maybe == Threat(2) and seen == {Threat(2)}
  expect Threat(2) in seen and Threat(1) not in seen and Threat(2).at == b1
  expect Threat(2).hits == 2 and Threat(1).hits == 1
  expect red can face(Threat(2))
  red: face(Threat(3))
  expect current == Threat(3) and grim(current) and grim(Threat(3)) and not grim(Threat(1))
  expect event face(red, Threat(3))
  expect text(current).x == 3 and text(Threat(1)).x == 1

scenario "as it begins":
  draw Threat(1)
  expect event hit(Threat(1))
  expect current == Threat(2) and seen == {Threat(1), Threat(3)} and maybe == Threat(1)
"""
    assert_holds(BASE + THREATS + scenarios, tmp_path)
    match = game(BASE + THREATS, tmp_path).start(2, seed=0)
    match.play("face(Threat(3))")
    assert match.view(None)["current"].text == "Threat(3)"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("value x = Threat(4)", "E0706", "there is no Threat(4)"),
        ("value x = Coin(1)", "E0706", "`Coin(1)` is any of 2 things that are alike"),
        ("value x = Threat(b1)", "E0706", "`Threat(b1)` could be Threat(2), Threat(3)"),
        ("value x = Threat(2) == ann", "E0303", "Threat is never equal to Crew"),
        ("value x = Space(1)", "E0305", "`Space` takes no arguments"),
        ('scenario "s":\n  given current = Threat(7)', "E0706", "there is no Threat(7)"),
        ('scenario "s":\n  expect seen == {Threat(7)}', "E0706", "there is no Threat(7)"),
    ],
)
def test_a_written_form_that_is_no_one_thing_is_told(line: str, code: str, message: str, tmp_path: Path) -> None:
    assert (code, message) in faults(f"{BASE}{THREATS}{line}\n", tmp_path)


def test_a_cell_may_name_a_thing_by_the_word_that_tells_it_apart(tmp_path: Path) -> None:
    rules = """
enum Power: nitro, tank
kind Bonus "bonus":
  power: Power
  | power |
  | nitro |
  | tank  |
kind Card "card":
  gives: Bonus?
  all: set of Bonus
  power: Power = tank
  | name  | gives        | all           | power |
  | one   | tank         | {nitro, tank} | nitro |
  | two   | Bonus(nitro) | {Bonus(tank)} | tank  |
  | three |              |               |       |
scenario "printed":
  expect one.gives == tank and two.gives == nitro and three.gives == none and one.power == nitro
  expect one.all == {nitro, tank} and two.all == {tank} and one.gives.power == tank
"""
    assert_holds(BASE + rules, tmp_path)


def test_a_column_may_be_of_its_own_kind(tmp_path: Path) -> None:
    rules = """
kind Stop "stop":
  next: Stop?
  near: set of Stop
  | copies | name | next | near     |
  |        | ka   | kb   | {kb, kc} |
  |        | kb   | kc   | {ka}     |
  |        | kc   |      | {}       |
scenario "printed":
  expect ka.next == kb and ka.next.next == kc and kc.next == none and ka.near == {kb, kc} and kb.near == {ka}
"""
    assert_holds(BASE + rules, tmp_path)


def test_boards_are_printed_on_each_other(tmp_path: Path) -> None:
    rules = """
board Sky: square
  below: Space
  to: Sky?
  who: set of Crew
  map \"\"\"
    u v
  \"\"\"
  | mark | below    | to     | who   |
  | "u"  | a1       | b1     | {ann} |
  | "v"  | Space.b2 | Sky.a1 |       |
scenario "printed":
  expect Sky.a1.below == a1 and Sky.b1.below == b2 and Sky.a1.to == b1 and Sky.b1.to.to == b1 and Sky.a1.who == {ann}
"""
    assert_holds(BASE + rules, tmp_path)


@pytest.mark.parametrize(
    ("row", "code", "message"),
    [
        ("| {1, 7} |", "E0316", "7 is outside of 1..3"),
        ("| 1..9 |", "E0316", "9 is outside of 1..3"),
        ("| 0..2 |", "E0316", "0 is outside of 1..3"),
        ("| {none, 2} |", "E0301", "expected 1..3, found none"),
        ("| {ann, 2} |", "E0301", "expected 1..3, found Crew"),
        ("| 1..900000 |", "E0316", "900000 is outside of 1..3"),
    ],
)
@pytest.mark.parametrize("table", ['kind Card "card":\n  n: 1..3\n', "data worth(n: 1..3):\n  x: 0..9 = 0\n"])
def test_several_numbers_in_a_cell_are_each_in_range(
    table: str, row: str, code: str, message: str, tmp_path: Path
) -> None:
    assert (code, message) in faults(f"{BASE}{table}  | n |\n  {row}\n", tmp_path)


def test_a_mark_says_one_value(tmp_path: Path) -> None:
    rules = 'board Sea: square\n  n: 1..3\n  map """\n    u\n  """\n  | mark | n |\n  | "u" | {1, 2} |\n'
    assert faults(BASE + rules, tmp_path) == [("E0312", "a mark has one `n`, this is 2")]


PRINTED = """\
kind Card "card":
  at: Space
  who: Player
  way: Direction
  crew: Crew
  n: 0..9
  on: set of Space
  | name | at       | who         | way   | crew | n | on       |
  | one  | a1       | red         | north | ann  | 1 | {a1, b2} |
  | two  | Space.b1 | Player.blue | south | bob  | 2 | {}       |
"""


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        ("at == a1", {"one"}),
        ("at == Space.a1", {"one"}),
        ("at == b1", {"two"}),
        ("at in {b1, b2}", {"two"}),
        ("at != b2", {"one", "two"}),
        ("who == red", {"one"}),
        ("who == Player.blue", {"two"}),
        ("way == south", {"two"}),
        ("crew == Crew.ann", {"one"}),
        ("on == {a1, b2}", {"one"}),
    ],
)
def test_a_variant_tells_rows_apart_by_any_column(condition: str, fits: set[str], tmp_path: Path) -> None:
    claims = [f"{name}.n == {9 if name in fits else n}" for name, n in (("one", 1), ("two", 2))]
    variant = f'variant other of cells "Other":\n  in Card if {condition}: n = 9\n  scenario "rows":\n    expect {" and ".join(claims)}\n'
    assert_variant_holds(BASE + PRINTED + variant, "other", tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("at", "b2"), ("at", "Space.b1"), ("who", "blue"), ("way", "west"), ("crew", "bob"), ("on", "{b1}")],
)
def test_a_variant_prints_values_of_every_type(field: str, value: str, tmp_path: Path) -> None:
    variant = f'variant other of cells "Other":\n  in Card if name == one: {field} = {value}\n  scenario "rows":\n    expect one.{field} == {value}\n'
    assert_variant_holds(BASE + PRINTED + variant, "other", tmp_path)
