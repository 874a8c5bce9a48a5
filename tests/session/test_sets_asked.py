"""A question for several things says how many: on a terminal and on a page, listed whole or asked for piece by piece."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from cli.play.person import Person
from rulelang import api
from rulelang.errors import UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.match.options.option import read_leniently
from rulelang.session.dialogue import Dialogue
from rulelang.session.table import GameTable
from rulelang.web.sitting import Sitting
from tests.games.written import game
from tests.seeds import rest_long

SOME = """\
game some "Some":
  players 2
  seats red, blue
names p: Player; c: Card
kind Card "card":
  n: 1..{cards}
  | n    |
  | 1..{cards} |
each Player has:
  hand: group of Card
setup: move Card to red.hand
action lay(p, c in {domain}) "Lay {{c}}":
{need}  move c to box
play:
  turns p from red: p chooses one of lay{more}
"""
SUM = '  needs sum(d.n for d in c) > 2  "Three at least"\n'
FEW, MANY = 5, 32
ASKED: dict[str, tuple[int, str, str, str, str]] = {
    "two of few": (FEW, "2 of p.hand", "", "2 numbers, such as 1 3.", "Pick 2: none picked"),
    "two of many": (MANY, "2 of p.hand", "", "2 numbers, such as 1 3.", "Pick 2: none picked"),
    "three of many": (MANY, "3 of p.hand", "", "3 numbers, such as 1 3 4.", "Pick 3: none picked"),
    "up to two of few": (FEW, "up to 2 of p.hand", "", "At most 2 numbers, such as 1 3, or none.", "Take: nothing"),
    "up to three of many": (MANY, "up to 3 of p.hand", "", "At most 3 numbers, such as 1 3, or none.", "Take: nothing"),
    "any of few": (FEW, "any of p.hand", "", "Several numbers, such as 1 3, or none.", "Take: nothing"),
    "any of many": (MANY, "any of p.hand", "", "Several numbers, such as 1 3, or none.", "Take: nothing"),
    "two or three of few": (
        FEW,
        "up to 3 of p.hand",
        '  needs count(c) > 1  "Two at least"\n',
        "2 or 3 numbers, such as 1 3.",
        "Pick 2 or 3: none picked",
    ),
    "two or three of many": (
        MANY,
        "up to 3 of p.hand",
        '  needs count(c) > 1  "Two at least"\n',
        "2 or 3 numbers, such as 1 3.",
        "Pick 2 or 3: none picked",
    ),
    "one at least of few": (
        FEW,
        "any of p.hand",
        '  needs c != {}  "One at least"\n',
        "Several numbers, such as 1 3.",
        "Pick 1–5: none picked",
    ),
    "two at least of many": (
        MANY,
        "any of p.hand",
        '  needs count(c) >= 2  "Two at least"\n',
        "At least 2 numbers, such as 1 3.",
        "Pick 2–32: none picked",
    ),
}
"""Cards in hand, the domain, a need, the sentence below the question at a terminal, and the button or the sentence on a page."""


def started(case: str, folder: Path, more: str = "") -> tuple[api.Game, api.Match]:
    cards, domain, need, _, _ = ASKED[case]
    rules = game(SOME.format(cards=cards, domain=domain, need=need, more=more), folder)
    match = rules.start(2, seed=1)
    assert isinstance(match, api.Match)
    return rules, match


def sitting(rules: api.Game, match: api.Match) -> Sitting:
    """Returns red's seat at a table with pages."""
    found = Sitting(GameTable(rules, "some", match, match.header, (None, None)), Seat(0), "Some", {})
    found.renew()
    return found


def at_a_terminal(rules: api.Game, match: api.Match, asked: Sitting) -> str:
    console = Console(width=100, file=io.StringIO(), color_system=None)
    assert asked.dialogue is not None
    console.print(Person(console, asked.table)._question(0, asked.dialogue.question))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("case", rest_long(ASKED, *(case for case in ASKED if "two" not in case or "few" in case)))
def test_none_is_named_only_where_nothing_may_be_taken(case: str, tmp_path: Path) -> None:
    rules, match = started(case, tmp_path)
    asked, (*_, sentence, button) = sitting(rules, match), ASKED[case]
    assert sentence in [line.strip() for line in at_a_terminal(rules, match, asked).splitlines()]
    assert button in asked.frame()
    assert ("data-done" in asked.frame()) == button.startswith("Take")
    assert asked.dialogue is not None
    if not button.startswith("Take"):
        with pytest.raises(UnknownOption):
            asked.dialogue.answer("none")
    else:
        assert asked.dialogue.answer("none") == match.option("red: lay({})")


def test_a_button_comes_when_enough_are_picked_and_goes_when_there_are_too_many(tmp_path: Path) -> None:
    for case in ("two of few", "two of many"):
        asked = sitting(*started(case, tmp_path))
        assert asked.dialogue is not None
        first, second, third, *_ = asked.dialogue.question.members
        asked.toggle(first)
        assert "Pick 2: 1 picked" in asked.frame()
        asked.toggle(second)
        assert "Take: 2 picked" in asked.frame()
        asked.toggle(third)
        assert "Pick 2: 3 picked" in asked.frame()
        asked.toggle(first)
        assert asked.done() is not None


def test_a_set_that_may_be_passed_over_says_so_by_pass_alone(tmp_path: Path) -> None:
    rules, match = started("two of few", tmp_path, ", or pass")
    asked = sitting(rules, match)
    assert asked.dialogue is not None
    assert [line.label for line in asked.dialogue.question.lines][-1] == "pass"
    asked.dialogue.answer("1")
    assert asked.dialogue.question.note == "2 numbers, such as 1 3."


COLOURS = """\
game colours "Colours":
  players 2
names p: Player; c: Card
kind Card "card":
  | name  |
  | green |
  | blue  |
  | red   |
each Player has:
  hand: group of Card
setup: move Card to player1.hand
action lay(p, c in 2 of p.hand, a: 1..4, b: 3..9) "Lay {c} from {a} to {b}": move c to box
play:
  turns p from first_player: p chooses one of lay, or pass
"""


def test_an_answer_names_the_things_of_a_set_in_any_order_and_all_else_in_its_own(tmp_path: Path) -> None:
    match = game(COLOURS, tmp_path).start(2, 1)
    for said in ("lay blue green 1 3", "green, blue 1 3", "LAY {blue, green}, 1, 3", "bl gr 1 3"):
        assert Dialogue.of(match, Seat(0)).answer(said) == match.option("player1: lay({green, blue}, 1, 3)")
    with pytest.raises(UnknownOption):
        read_leniently("blue green 9 1", match.options)
