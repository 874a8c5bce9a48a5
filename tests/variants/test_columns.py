"""`in KIND: field: TYPE`: another type for a column, or a new one; and rows of data that lose their key."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.scenarios.run import run_scenarios
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from rulelang.variants.expand import expand

CREW = """
game crew "Crew":
  players 2
  seats red, blue

names p: Player; c: Pilot

kind Pilot "pilot":
  speed: 1..6 = 1
  | name | speed |
  | ann  | 4     |
  | bob  | 2     |
  | cy   | 3     |

data pay(c, lap: 1..3):
  gold: 0..9 = 0
  | c         | lap  | gold |
  | ann       | 1    | 2    |
  | {bob, cy} | 1..2 | 3    |

each Player has:
  zone: 0..30 = 0
  hand: group of Pilot, seen by owner

setup: move Pilot to red.hand

to land(p, c): p.zone += pay(c, 1).gold, at most 30

play:
  turns p from first_player:
    p chooses one of:
      fly(c in p.hand) "Fly {c}":
        land(p, c)
        move c to box
      halt "Halt": finish with winner p
"""


def checked(tmp_path: Path, operations: str, *wanted: str) -> api.Checked:
    path = tmp_path / "crew.rules"
    variant = operations if operations.startswith("variant") else f"variant more of crew:\n{operations}"
    path.write_text(CREW + variant)
    return api.check(path, wanted or ("more",))


def faults(result: api.Checked) -> list[tuple[str, str, str]]:
    return [(d.code, d.message, d.help or "") for d in result.diagnostics if d.is_error]


def passes(result: api.Checked) -> None:
    assert faults(result) == []
    assert result.game is not None
    assert [r.passed for r in run_scenarios(result.game, executor="both")] == [True]


def test_a_column_of_the_game_is_widened_and_keeps_its_default(tmp_path: Path) -> None:
    result = checked(
        tmp_path,
        "  in Pilot: speed: 1..9\n  in pay: gold: 0..20\n  in pay if c == ann: gold = 12\n"
        "  add to Pilot:\n    | name | speed |\n    | dee  | 9     |\n    | eve  |       |\n"
        '  scenario "more of both":\n    expect dee.speed == 9 and eve.speed == 1 and pay(ann, 1).gold == 12\n',
    )
    passes(result)


def test_a_key_of_data_is_widened(tmp_path: Path) -> None:
    result = checked(
        tmp_path,
        "  in pay: lap: 1..5\n  add to pay:\n    | c   | lap | gold |\n    | ann | 5   | 7    |\n"
        '  scenario "the fifth lap pays":\n    expect pay(ann, 5).gold == 7 and pay(cy, 2).gold == 3\n',
    )
    passes(result)


def test_a_new_column_has_its_default_in_the_rows_that_are_there(tmp_path: Path) -> None:
    result = checked(
        tmp_path,
        "  in Pilot: weight: 0..9 = 2\n  in Pilot if name == cy: weight = 5\n"
        "  after land(p, c): p.zone += c.weight, at most 30\n"
        '  scenario "weight counts":\n    red: fly(ann)\n    expect red.zone == 4 and cy.weight == 5\n',
    )
    passes(result)


@pytest.mark.parametrize(
    ("operation", "code", "message", "help"),
    [
        ("in Pilot: speed: 1..6", "E0605", "this changes nothing: `speed` is that already", ""),
        ("in Pilot: speed: 1..6 = 1", "E0605", "this changes nothing: `speed` is that already", ""),
        ("in pay: lap: 1..3", "E0605", "this changes nothing: `lap` is that already", ""),
        (
            "in Pilot: weight: 0..9 = 1",
            "E0605",
            "this changes nothing: the column `weight` is new, and nothing reads it",
            "read it with a point, as in `c.power`",
        ),
        (
            "in Pilot: sped: 0..9 = 1",
            "E0605",
            "this changes nothing: the column `sped` is new, and nothing reads it",
            "did you mean `speed`?",
        ),
        (
            "in Pilot: weight: 0..9",
            "E0604",
            "the rows of Pilot have nothing in the new column `weight`",
            "say what is in them: `weight: … = …`",
        ),
        ("in pay: lap: 1..9 = 1", "E0604", "`lap` is a key of pay, and has no default", "leave `= …` out"),
        ("in Pilt: speed: 1..9", "E0604", "no kind, data or board is named `Pilt`", "did you mean `Pilot`?"),
        (
            "in Pilot: weight = 3",
            "E0604",
            "Pilot has no column `weight`",
            "a new one: `in Pilot: weight: TYPE = …`",
        ),
        (
            "in Pilot if name == ann: speed = 8",
            "E0316",
            "8 is outside of 1..6",
            "`in Pilot: speed: 1..8` widens the column",
        ),
        ("in pay if c == ann: gold = 12", "E0316", "12 is outside of 0..9", "`in pay: gold: 0..12` widens the column"),
        ("in pay if c == ann: lap = 4", "E0316", "4 is outside of 1..3", "`in pay: lap: 1..4` widens the column"),
    ],
)
def test_what_is_wrong_with_a_column_is_said_with_what_to_write(
    operation: str, code: str, message: str, help: str, tmp_path: Path
) -> None:
    assert (code, message, help) in faults(checked(tmp_path, f"  {operation}\n"))


def test_two_variants_that_change_one_column_are_in_conflict_and_two_columns_are_not(tmp_path: Path) -> None:
    def one(name: str, operation: str) -> str:
        return f"variant {name} of crew:\n  {operation}\n"

    same = checked(
        tmp_path, one("more", "in Pilot: speed: 1..7") + one("also", "in Pilot: speed: 1..8"), "more", "also"
    )
    assert [(code, message) for code, message, _ in faults(same)] == [
        ("E0607", "`more` and `also` both change the column `speed` of Pilot")
    ]
    other = checked(
        tmp_path, one("more", "in Pilot: speed: 1..7") + one("also", "in pay: gold: 0..9 = 1"), "more", "also"
    )
    assert faults(other) == []


def test_rows_of_data_go_with_the_thing_that_is_their_key(tmp_path: Path) -> None:
    none = "variant {0} of crew:\n  in Pilot if name == {0}: copies = 0\n"
    result = checked(tmp_path, none.format("ann") + none.format("bob"), "ann", "bob")
    assert faults(result) == []
    assert result.game is not None
    text = expand(result.game.internals.whole.module, result.game.internals.whole.scenarios)
    table = text[text.index("data pay") : text.index("each Player")]
    assert table.splitlines()[2:4] == ["  | c    | lap  | gold |", "  | {cy} | 1..2 | 3    |"]
    assert format_source(SourceText("alone.rules", text)) == text


def test_a_rule_that_names_the_thing_is_still_a_fault(tmp_path: Path) -> None:
    result = checked(
        tmp_path,
        "  in Pilot if name == ann: copies = 0\n  after land(p, c): p.zone += 1 if c == ann else 0, at most 30\n",
    )
    assert [(code, message) for code, message, _ in faults(result)] == [("E0201", "nothing named `ann`")]


def test_the_operation_has_one_form(tmp_path: Path) -> None:
    text = "variant more of crew:\n  in   Pilot:weight:0..9=2   [C-1]\n"
    assert format_source(SourceText("more.rules", text)).split() == [
        "variant",
        "more",
        "of",
        "crew:",
        "in",
        "Pilot:",
        "weight:",
        "0..9",
        "=",
        "2",
        "[C-1]",
    ]
