"""Names that stand for several things: two boards, an enum and a board, things and constants; and what a cell may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api.checking import check_text
from rulelang.errors import UnknownOption
from rulelang.match.options.option import read_leniently
from rulelang.match.recording.events import Taken
from tests.files import CLASSICS
from tests.games.written import assert_holds, faults, game

BOARDS = """\
names p: Player; s: First; t: Second; c: Card; d: Direction
kind Card "card":
  n: 1..4
  | n    |
  | 1..4 |
board First: square
  rough: flag
  map \"\"\"
    . x
    . .
  \"\"\"
  | mark | rough |
  | "x"  | yes   |
board Second: square
  map \"\"\"
    . . .
    . . .
    . _ .
  \"\"\"
each First has:
  heat: 0..9 = 0
  card: slot for Card
each Second has:
  gold: 0..9 = 0
  pile: pile of Card
each Player has:
  at: First = a1
  over: Second = b1
the game has:
  marked: Second? = none
  seen: set of Second = {a1, c3}
"""


@pytest.mark.parametrize(
    "claim",
    [
        "red.at == a1 and a1 == red.at and red.over == b1 and b1 == red.over",
        "red.over != Second.a1 and Second.b1 == red.over and First.a1 == red.at",
        "seen == {c3, a1} and {a1, c3} == seen and a1 in seen and First.a1 in First and b1 not in seen",
        "Second.a1 in seen and neighbours(Second.a1) == {b1, a2} and neighbours(First.a1) == {b1, a2}",
        "distance(Second.a1, c2) == 3 and distance(a1, Second.c2) == 3 and distance(c3, a1) == 4",
        "distance(red.at, b2) == 2 and distance(b2, red.at) == 2 and step(red.over, east) == c1",
        "step(Second.b1, east) == c1 and step(First.b1, east) == none and direction(a1, red.over) == east",
        "connected(a1, c3, seen + {b1, c1, c2}) and not connected(a1, c3, seen)",
        "distance(a1, c3, seen + {b1, c1, c2}) == 4",
        "count({a1, b1} + seen) == 3 and count(seen + {a1, b1}) == 3 and seen - {a1} == {c3}",
        "count({a1, c2}) == 2 and c3.row == 3 and First.b1.rough and not First.a1.rough and b1.rough",
        "a1.heat == 0 and a1.gold == 0 and Second.a1.row == 1 and a1.card == none and a1.pile == {}",
        "first(q in Second by highest q.row) == a3 and red.over in {b1, a1} and {a1} != {red.over}",
        "(a1 if red.at == a1 else b1) == red.over or red.over == b1",
        "opposite(north) == south and opposite(step_of(red)) == west",
        "all(x in {a1, b1} for x in {red.over, Second.a1})",
        "worth(a1) == 1 and worth(b1) == 2 and price(a1) == 5 and price(c3) == 7",
    ],
)
def test_of_two_boards_with_the_same_names_the_wanted_type_decides(claim: str, tmp_path: Path) -> None:
    rules = f"""
value step_of(p) -> Direction = east
value worth(s) -> 0..9 = 1 if s == a1 else 2
value price(t) -> 0..9 =
  5 if t == a1
  7 if t in {{c3}}
  6 otherwise
scenario "names":
  players red, blue
  expect {claim}
"""
    header = 'game boards "Boards":\n  players 2\n  seats red, blue\n'
    assert_holds(f"{header}{BOARDS}{rules}", tmp_path)


ACTIONS = """
action fly(p, t) "Fly to {t}":
  needs t != a1  "Not there"
  p.over = t
action walk(p, s) "Walk to {s}":
  needs s in neighbours(p.at)  "Too far"
  p.at = s
action mark(p, x in {Second.a1, c3}) "Mark {x}": marked = x
play:
  turns p from first_player:
    p chooses one of fly, walk, mark, or pass
    p chooses marked in Second
"""


def test_of_two_boards_with_the_same_names_both_are_given_and_chosen(tmp_path: Path) -> None:
    scenarios = """
scenario "answers":
  given marked = a1, player1.over = a2, player1.at = b1, seen = {a1}, a1.gold = 3, a1.heat = 4
  given First.a1.card = Card(1), Second.a1.pile = {Card(2)}
  expect marked == a1 and marked == Second.a1 and marked in seen
  expect a1.gold == 3 and Second.a1.gold == 3 and a1.heat == 4 and First.a1.card == Card(1)
  player1: fly(c2)
  expect event fly(player1, c2)
  player1: Second.a1
  expect player1.over == c2 and marked == Second.a1
  expect player2 can fly(a2)
  expect player2 cannot fly(a1)
  expect player2 cannot walk(First.a1)
  player2: walk(First.b1)
  player2: c3
  expect player2.at == b1 and marked == c3
  player1: mark(a1)
  player1: a2

scenario "drawn":
  given card from a1 \"\"\"
    Card(1) Card(2)
  \"\"\"
  given pile from Second.a1 \"\"\"
    _ Card(3)
  \"\"\"
  expect First.b1.card == Card(2) and Second.b1.pile == {Card(3)} and First.a1.card == Card(1)
"""
    assert_holds(BOARDS + ACTIONS + scenarios, tmp_path)


@pytest.mark.parametrize("qualified", [False, True])
def test_an_answer_may_say_whose_space_it_means(qualified: bool, tmp_path: Path) -> None:
    first, second = ("First.", "Second.") if qualified else ("", "")
    match = game(BOARDS + ACTIONS, tmp_path).start(2, seed=0)
    for answer in (f"fly({second}b2)", f"{second}c3", f"walk({first}b1)", f"{second}a1"):
        match.play(answer)
    assert ["".join(map(str, entry.option)) for entry in match.journal if isinstance(entry, Taken)] == [
        "fly(b2)",
        "c3",
        "walk(b1)",
        "a1",
    ]
    with pytest.raises(UnknownOption):
        match.play("fly(First.b1)")
    assert read_leniently("fly Second.b1", match.options_of(0)).text == "fly(b1)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("value x = neighbours(a1)", "`a1` is a space of `First` and `Second`"),
        ("value x = a1.row", "`a1` is a space of `First` and `Second`"),
        ("value x = count({a1, b1})", "`a1` is a space of `First` and `Second`"),
        ("value x = Third.a1", "nothing named `Third`"),
        ("value x = Second.d4", "Second has no `d4`"),
        ("value x = distance(First.a1, Second.a1)", "expected First?, found Second"),
        ("value x = First.a1 == Second.a1", "First is never equal to Second"),
        ("value x(a1) = 3", "`a1` is a space of `First` and `Second`"),
    ],
)
def test_a_name_of_two_boards_that_nothing_decides_is_an_error(line: str, message: str, tmp_path: Path) -> None:
    assert [m for _, m in faults(f"{BOARDS}{line}\n", tmp_path)][:1] == [message]


def test_a_space_of_one_board_alone_needs_no_more(tmp_path: Path) -> None:
    rules = 'value x = neighbours(c3)\nscenario "one":\n  expect x == {c2} and c2.row == 2 and c2.gold == 0\n'
    assert_holds(BOARDS + rules, tmp_path)


CLASHES = """\
names p: Player; s: Space; t: Threat
enum Mark: a1, b1, red, ace
constant b2 = 7
board Space: square
  map \"\"\"
    . .
    . .
  \"\"\"
kind Threat "threat":
  at: Space
  sign: Mark
  | name | at | sign |
  | ace  | a1 | a1   |
  | king | b2 | b1   |
  | a2   | a2 | ace  |
each Space has:
  heat: 0..9 = 0
each Player has:
  at: Space = a1
  sign: Mark = a1
  foe: Threat = ace
value worth(s) -> 0..9 = 1 if s == a1 else 2
value sum_of(m: Mark) -> 0..9 = 3 if m == a1 else 4
value b2_twice = 2 * b2
"""


@pytest.mark.parametrize(
    "claim",
    [
        "player1.at == a1 and player1.sign == a1 and player1.foe == ace",
        "a1 == player1.at and a1 == player1.sign and ace == player1.foe",
        "worth(a1) == 1 and worth(b1) == 2 and sum_of(a1) == 3 and sum_of(b1) == 4 and sum_of(ace) == 4",
        "Space.a1.heat == 0 and a1.heat == 0 and ace.at == a1 and ace.sign == a1 and king.at == Space.b2 and king.at == b2",
        "b2 == 7 and b2_twice == 14 and Space.b2.row == 2 and player1.at != b2 and distance(player1.at, b2) == 2",
        "Mark.a1 == player1.sign and Space.a1 == player1.at and Threat.ace == player1.foe and Mark.ace == Threat.a2.sign",
        "Threat.a2.at == Space.a2 and Threat.a2.at == a2 and {a1, a2} == {s in Space if s.column == 1}",
        "{a1, b1} == {m in Mark if sum_of(m) == 3} + {b1} and a1 in Mark and Space.a1 in Space",
        "step(player1.at, south) == a2 and step(Space.a1, south) == a2",
    ],
)
def test_names_of_members_spaces_things_and_constants_go_by_what_is_wanted(claim: str, tmp_path: Path) -> None:
    assert_holds(f'{CLASHES}scenario "names":\n  expect {claim}\n', tmp_path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("value x = {a1}", "`a1` is a member of `Mark` and a space of `Space`"),
        ("value x = ace", "`ace` is a member of `Mark` and a thing of `Threat`"),
        ("value x = {a2}", "`a2` is a space of `Space` and a thing of `Threat`"),
        ("value x(a2) = 3", "`a2` is a space of `Space` and a thing of `Threat`"),
    ],
)
def test_a_name_of_several_that_nothing_decides_is_an_error(line: str, message: str, tmp_path: Path) -> None:
    assert [m for _, m in faults(f"{CLASHES}{line}\n", tmp_path)] == [message]


@pytest.mark.parametrize("head", ["before visit(a1)", "instead of visit(a1)", "after visit(a1)"])
def test_the_case_of_a_hook_is_of_the_type_of_its_verb(head: str, tmp_path: Path) -> None:
    rules = f"""
to visit(s): s.heat += 1
{head}: Space.b1.heat = 9
setup:
  visit(b2)
scenario "not there":
  expect Space.b1.heat == 0 and Space.b2.heat == 1
"""
    said = faults(CLASHES + rules.replace("visit(b2)", "visit(Space.b2)"), tmp_path)
    assert not said
    assert_holds(CLASHES + rules.replace("visit(b2)", "visit(Space.b2)"), tmp_path)


def test_cases_of_values_and_verbs_are_of_the_type_of_the_first(tmp_path: Path) -> None:
    rules = """
value cost(king) = 3
value cost(ace) = 4
to warm(b1, n: 0..3): settle
value near(c: Mark) = 2
the game has:
  hot: 0..9 = 0
to scare(king): hot = 1
to scare(ace): hot = 2
to scare(a2): settle
setup:
  scare(ace)
scenario "cases":
  expect cost(ace) == 4 and cost(king) == 3 and hot == 2
"""
    assert_holds(CLASHES + rules.replace("to warm(b1, n: 0..3): settle\n", ""), tmp_path)


@pytest.mark.parametrize("again", ["enum Rank: one", "enum Rank: one, two, three, four, five"])
def test_of_two_enums_with_one_name_the_first_is_meant(again: str) -> None:
    rules = (CLASSICS / "kuhn.rules").read_text()
    first = "enum Rank: jack, queen, king\n"
    found = check_text(rules.replace(first, f"{first}{again}\n")).diagnostics
    assert [one.code for one in found] == ["E0202"]
