"""Maps and positions that are drawn: a fault is shown at the line, or the mark, that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.diagnostics.model import Diagnostic
from rulelang.scenarios.run import lower_all, run_scenarios

SEA = '''\
game sea "Sea":
  players 2

names s: Sea; p: Player

board Sea: square
  first: flag
  | mark | first |
  | "."  |       |
  | "s"  | yes   |

option where: map of Sea = bay

map bay of Sea """
  2: . .
  1: s _
"""
map strait of Sea """
  2: . _
  1: s _
"""

kind Card "card":
  n: 1..4
  | n    |
  | 1..4 |

each Sea has:
  cards: pile of Card, face down

play:
  turns p from first_player:
    p chooses one of:
      wait "Wait": settle
      leave "Leave": stop
  finish lost
'''

MAPS = [
    ('map cove of See """\n  . .\n"""', "E0201", "no board named `See`", "See"),
    ('map bay of Sea """\n  . .\n"""', "E0314", "`bay` is drawn twice", 'map bay of Sea """\n  . .\n"""'),
    ('map cove of Sea """\n  2: . x\n"""', "E0314", "the legend has no mark `x`", "x"),
    ('map cove of Sea """\n  2: . .\n  2: s .\n"""', "E0314", "there are two spaces `a2`", "2: s ."),
    ('map cove of Sea """\n  2: . .\n  s .\n"""', "E0314", "there are two spaces `a2`", "s ."),
]
DRAWN = [
    ("cards from a2", "Card(1) Card(2) Card(3)", "E0703", "`Card(3)` lies beside the map", "Card(3)"),
    ("cards from a1", "Card(1) Card(2)", "E0703", "`Card(2)` lies beside the map", "Card(2)"),
    ("cards from a2", "Card(9)", "E0706", "no Card is written `Card(9)`", "Card(9)"),
    ("crads from a2", "Card(1)", "E0703", "Sea has no zone or variable `crads`", "crads"),
    ("cards from first_player", "Card(1)", "E0703", "a drawing begins on a space", None),
]


def faults(text: str, folder: Path) -> list[Diagnostic]:
    (folder / "sea.rules").write_text(text)
    checked = api.check(folder / "sea.rules")
    return [*checked.diagnostics, *(lower_all(checked.game) if checked.game is not None else ())]


def marked(found: Diagnostic) -> str:
    return found.span.source.text[found.span.start : found.span.end]


def scenario(given: str, line: str) -> str:
    return f'scenario "drawn":\n  given {given} """\n    {line}\n  """\n  expect first(Sea) == a2\n'


@pytest.mark.parametrize(("text", "code", "message", "place"), MAPS, ids=[m[2] for m in MAPS])
def test_a_faulty_map_is_shown_where_it_is_wrong(
    text: str, code: str, message: str, place: str, tmp_path: Path
) -> None:
    (found,) = faults(f"{SEA}\n{text}\n", tmp_path)
    assert (found.code, found.message[: len(message)], marked(found)) == (code, message, place)


@pytest.mark.parametrize(("given", "line", "code", "message", "place"), DRAWN, ids=[d[3] for d in DRAWN])
def test_a_faulty_mark_of_a_drawn_position_is_shown(
    given: str, line: str, code: str, message: str, place: str | None, tmp_path: Path
) -> None:
    found = faults(SEA + "\n" + scenario(given, line), tmp_path)[0]
    assert code == found.code
    assert message in found.message
    assert place is None or marked(found) == place


def test_a_drawing_begins_on_the_map_that_is_played_on(tmp_path: Path) -> None:
    text = scenario("cards from b2", "Card(1)").replace('"drawn"', '"drawn" with where = strait')
    (found,) = faults(SEA + "\n" + text, tmp_path)
    assert (found.code, marked(found)) == ("E0703", "b2")


def test_nothing_may_be_said_to_lie_in_a_hole(tmp_path: Path) -> None:
    text = 'scenario "drawn":\n  given cards from a2 """\n    Card(1) ?Card(2)\n    .       _\n  """\n'
    text += "  expect a2.cards == {Card(1)} and is_face_up(top(a2.cards)) and not is_face_up(top(b2.cards))\n"
    (tmp_path / "sea.rules").write_text(f"{SEA}\n{text}")
    assert [(r.passed, r.faults) for r in run_scenarios(api.load(tmp_path / "sea.rules"))] == [(True, ())]


def test_spaces_of_the_other_map_are_not_there(tmp_path: Path) -> None:
    text = 'scenario "bay":\n  expect count(Sea) == 3 and neighbours(a2) == {b2, a1}\n'
    text += 'scenario "strait" with where = strait:\n  expect count(Sea) == 2 and neighbours(a2) == {a1}\n'
    (tmp_path / "sea.rules").write_text(f"{SEA}\n{text}")
    assert all(r.passed for r in run_scenarios(api.load(tmp_path / "sea.rules")))


def test_a_file_of_ones_own_holds_variants_of_a_game_that_ships(tmp_path: Path) -> None:
    text = 'variant quick of empty_space "Quick":\n  constant hand_limit = 5\n'
    (tmp_path / "quick.rules").write_text(text)
    entry = f"{tmp_path / 'quick.rules'}+quick"
    game = api.load(entry)
    assert (game.id, game.variants) == ("empty_space", ("quick",))
    assert game.rules_hash != api.load("empty_space").rules_hash
    assert api.load(entry).rules_hash == game.rules_hash
    (tmp_path / "quick.rules").write_text('variant quick of nowhere "Quick":\n  constant hand_limit = 5\n')
    checked = api.check(tmp_path / "quick.rules", ("quick",))
    assert checked.game is None


def test_things_that_are_told_apart_by_two_values_are_drawn_as_they_are_written() -> None:
    sea = SEA.replace(
        "  n: 1..4\n  | n    |\n  | 1..4 |\n", "  n: 1..2\n  m: 1..2\n  | n    | m    |\n  | 1..2 | 1..2 |\n"
    )
    text = sea + (
        'scenario "a drawing":\n'
        '  given cards from a2 """\n    Card(1, 2) ?Card(2,1)\n    _          _\n  """\n'
        "  expect a2.cards == {Card(1, 2)} and b2.cards == {Card(2, 1)} and a1.cards == {}\n"
        "  expect is_face_up(top(a2.cards)) and not is_face_up(top(b2.cards))\n"
    )
    checked = api.check_text(text)
    assert checked.game is not None
    (outcome,) = run_scenarios(checked.game)
    assert outcome.passed, outcome.faults
    match = checked.game.start(2, 1, given=checked.game.start(2, 1).as_given())
    assert match.to_move
