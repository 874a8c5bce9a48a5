"""Copies of a thing with a name share it: in rules it stands for any of them, and the copies are interchangeable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.written import assert_holds, faults, game

TOOLS = """\
names p: Player; t: Tool
kind Tool "tool":
  price: 1..9
  | copies | name | price |
  | 3      | saw  | 2     |
  | 2      | axe  | 4     |
  |        | jig  | 7     |
the game has:
  shelf: group of Tool
each Player has:
  bag: group of Tool
  worth: 0..99 = 0
setup:
  move Tool to shelf
action take(p, t in shelf) "Take {t}":
  move t to p.bag
  use(p, t)
action rest(p) "Rest": settle
action nap(p) "Nap": settle
to use(p, saw): p.worth += 1
to use(p, axe): p.worth += 10
to use(p, jig): settle
play:
  turns p from first_player: p chooses one of take, rest, nap
"""
TAKEN = """
scenario "two saws, an axe and the jig":
  player1: take(saw)
  player2: take(saw)
  player1: take(axe)
  player2: take(axe)
  player1: take(saw)
  player2: take(jig)
"""


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("value kinds(p: Player) = count(t in p.bag if t == saw)", "kinds(player1) == 2 and kinds(player2) == 1"),
        ("value kinds(p: Player) = count(t in p.bag if t != saw)", "kinds(player1) == 1 and kinds(player2) == 2"),
        (
            "value kinds(p: Player) = count(t in p.bag if t in {axe, jig})",
            "kinds(player1) == 1 and kinds(player2) == 2",
        ),
        ("value kinds(p: Player) = count(t in p.bag if t not in {saw})", "kinds(player1) == 1 and kinds(player2) == 2"),
        ("value has(p: Player) -> flag = saw in p.bag and axe in p.bag", "has(player1) and has(player2)"),
        ("value has(p: Player) -> flag = saw in p.bag and jig not in p.bag", "has(player1) and not has(player2)"),
        ("value has(p: Player) -> flag = p.bag == {saw, axe, jig}", "has(player2) and not has(player1)"),
        ("value has(p: Player) -> flag = p.bag == {saw, axe, saw}", "has(player1) and not has(player2)"),
        ("value is_left(t) -> flag = t == Tool(2) and t in shelf", "count(t in Tool if is_left(t)) == 0"),
        ("value one(p: Player) = first(t in p.bag if t == saw)", "one(player1) == saw and one(player2) == saw"),
        ("value cost = saw.price + axe.price + jig.price", "cost == 13"),
        (
            "value points(saw) = 1\nvalue points(axe) = 5\nvalue points(jig) = 9",
            "sum(points(t) for t in player1.bag) == 7",
        ),
        ("value points(t) -> 0..9 = 1\nadjust points(saw): +2", "sum(points(t) for t in player1.bag) == 7"),
        ("before use(p, saw): p.worth += 20", "player1.worth == 52 and player2.worth == 31"),
        (
            "data worth(t):\n  points: 0..9\n  | t          | points |\n  | saw        | 3      |\n  | {axe, jig} | 4      |",
            "sum(worth(t).points for t in player1.bag) == 10 and sum(worth(t).points for t in player2.bag) == 11",
        ),
    ],
)
def test_the_name_of_copies_is_that_of_any_of_them(rule: str, holds: str, tmp_path: Path) -> None:
    assert_holds(f"{TOOLS}{rule}\n{TAKEN}  expect {holds}\n", tmp_path)


def test_copies_with_a_name_are_one_option(tmp_path: Path) -> None:
    match = game(TOOLS, tmp_path).start()
    assert [str(option) for option in match.options] == ["take(saw)", "take(axe)", "take(jig)", "rest", "nap"]
    match.play("take(saw)")
    match.play("take(saw)")
    assert str(match.options[0]) == "take(saw)"


@pytest.mark.parametrize(
    "rule",
    [
        "to gift(p): move saw to p.bag",
        "to gift(p): use(p, saw)",
        "value first_tool -> Tool = saw",
        "value bags(p) = p.bag + {saw}",
        'kind Crew "crew":\n  first: Tool\n  | first |\n  | saw   |',
    ],
)
def test_a_name_of_copies_where_one_must_stand_is_an_error(rule: str, tmp_path: Path) -> None:
    assert ("E0706", "`saw` is any of 3 things that are alike") in faults(f"{TOOLS}{rule}\n", tmp_path)


def test_things_that_differ_and_share_a_name_are_warned_of(tmp_path: Path) -> None:
    rules = TOOLS.replace("| 3      | saw  | 2     |", "| 3      | saw  | {2, 3} |")
    said = faults(rules, tmp_path)
    assert said == [("W0513", "`saw` and `saw` read alike where one of them is chosen: “saw”")]
