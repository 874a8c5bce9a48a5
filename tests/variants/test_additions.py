"""`add to`: rows of kinds and data, members of enums, that a variant adds to what its game has."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.scenarios.run import run_scenarios
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source

RACE = """
game race "Race":
  players 2
  seats red, blue

names p: Player; c: Card
enum Power: nitro, brake

kind Card "card":
  power: Power
  worth: 0..9 = 1
  | copies | power |
  | 3      | nitro |
  | 2      | brake |

kind Pilot "pilot":
  speed: 1..6
  | name | speed |
  | ann  | 4     |

data pay(lap: 1..4, power: Power):
  gold: 0..9 = 0
  | lap | power | gold |
  | 1   | nitro | 2    |

each Player has:
  zone: 0..30 = 0
  hand: group of Card, seen by owner

to use(p, nitro): p.zone += 2
to use(p, brake): p.zone -= 1, at least 0

setup: move Card to red.hand

play:
  turns p from first_player:
    p chooses one of:
      play_card(c in p.hand) "Play {c}":
        use(p, c.power)
        move c to box
      halt "Halt": finish with winner p
"""


def checked(tmp_path: Path, variant: str, *names: str) -> api.Checked:
    path = tmp_path / "race.rules"
    path.write_text(RACE + variant)
    return api.check(path, names or ("more",))


def codes(result: api.Checked) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in result.diagnostics if d.is_error]


SIPHON = """
variant more of race "More":
  add to enum Power: siphon
  add to Card:
    | power  | copies |
    | siphon | 2      |
  to use(p, siphon): p.zone += 9

  scenario "a siphon takes nine zones":
    given red.hand = {siphon}
    red: play_card(siphon)
    expect red.zone == 9
"""


def test_a_member_without_a_colour_is_added_where_things_have_the_colours_of_theirs(tmp_path: Path) -> None:
    path = tmp_path / "race.rules"
    coloured = RACE.replace("nitro, brake\n", "nitro in red, brake in grey\n", 1)
    coloured = coloured.replace('"card":\n', '"card":\n  colour: "{power}"\n', 1)
    assert coloured.count(" in red") == coloured.count("colour:") == 1
    path.write_text(coloured + SIPHON)
    found = api.check(path, ("more",))
    assert codes(found) == []
    assert found.game is not None
    looks = next(kind.looks for kind in found.game.ir.kinds if kind.name == "Card")
    assert [look.colour for look in looks] == ["red"] * 3 + ["grey"] * 2 + [""] * 2


def test_a_new_token_with_its_effect_takes_a_few_lines(tmp_path: Path) -> None:
    result = checked(tmp_path, SIPHON)
    assert codes(result) == []
    assert result.game is not None
    card = next(kind for kind in result.game.ir.kinds if kind.name == "Card")
    assert card.names == ("nitro",) * 3 + ("brake",) * 2 + ("siphon",) * 2
    assert [r.passed for r in run_scenarios(result.game, executor="both")] == [True]


def test_a_column_that_was_not_written_may_be_added_and_is_blank_in_the_rows_before(tmp_path: Path) -> None:
    result = checked(
        tmp_path,
        "variant more of race:\n  add to Card:\n    | worth | power |\n    | 7     | brake |\n",
    )
    assert codes(result) == []
    assert result.game is not None
    ir = result.game.ir
    card = next(kind for kind in ir.kinds if kind.name == "Card")
    worth = next(table for name, table, _ in card.columns if name == "worth")
    assert ir.tables[worth].values == (1, 1, 1, 1, 1, 7)


def test_rows_of_data_are_added_by_key(tmp_path: Path) -> None:
    result = checked(
        tmp_path,
        "variant more of race:\n  add to pay:\n    | gold | lap | power |\n    | 5    | 2   | brake |\n"
        '  scenario "the second lap pays":\n    expect pay(2, brake).gold == 5 and pay(1, nitro).gold == 2\n',
    )
    assert codes(result) == []
    assert result.game is not None
    assert [r.passed for r in run_scenarios(result.game)] == [True]


@pytest.mark.parametrize(
    ("operation", "code", "words"),
    [
        ("add to Card:\n    | powr |\n    | nitro |\n", "E0604", "`Card` has no column `powr`"),
        ("add to Cart:\n    | power |\n    | nitro |\n", "E0604", "no kind, data or board is named `Cart`"),
        ("add to enum Powr: siphon\n", "E0604", "no enum is named `Powr`"),
        ("add to enum Power: nitro\n", "E0606", "`nitro` of Power exists already"),
        ("add to Pilot:\n    | name | speed |\n    | ann | 2 |\n", "E0606", "`ann` of Pilot exists already"),
        ("add to Card:\n    | power | power |\n    | nitro | brake |\n", "E0202", "the column `power` appears twice"),
        ("add to Card:\n    | power |\n", "E0605", "this changes nothing: no row is added"),
        ("add to Card:\n    | power | worth |\n    | nitro |\n", "E0604", "this row has 1 cells, its columns are 2"),
    ],
)
def test_what_cannot_be_added_is_named_where_it_stands(operation: str, code: str, words: str, tmp_path: Path) -> None:
    result = checked(tmp_path, f"variant more of race:\n  {operation}")
    assert (code, words) in codes(result)
    told = next(d for d in result.diagnostics if d.code == code)
    assert told.span.start >= len(RACE) - 1


def test_a_key_that_data_has_already_is_a_conflict(tmp_path: Path) -> None:
    rows = "variant more of race:\n  add to pay:\n    | lap | power | gold |\n    | 1   | nitro | 5    |\n"
    result = checked(tmp_path, rows)
    assert result.game is None
    assert all(d.span.start >= len(RACE) - 1 for d in result.diagnostics if d.is_error)


def test_two_variants_may_both_add_and_a_replaced_table_is_a_conflict(tmp_path: Path) -> None:
    def one(name: str, power: str) -> str:
        return f"variant {name} of race:\n  add to Card:\n    | power |\n    | {power} |\n"

    both = checked(tmp_path, one("more", "nitro") + one("also", "brake"), "more", "also")
    assert codes(both) == []
    assert both.game is not None
    assert next(kind for kind in both.game.ir.kinds if kind.name == "Card").size == 7
    other = (
        'variant other of race:\n  replace kind Card "card":\n    power: Power\n    worth: 0..9 = 1\n'
        "    | power |\n    | nitro |\n"
    )
    assert "E0607" in [code for code, _ in codes(checked(tmp_path, one("more", "nitro") + other, "more", "other"))]


def test_additions_have_one_form(tmp_path: Path) -> None:
    text = (
        "variant more of race:\n  add to enum Power:  siphon,pump\n  add to Card:\n    |power|copies|\n    |siphon|2|\n"
    )
    formatted = format_source(SourceText("more.rules", text))
    assert formatted == (
        "variant more of race:\n  add to enum Power: siphon, pump\n  add to Card:\n"
        "    | power  | copies |\n    | siphon | 2      |\n"
    )
    assert format_source(SourceText("more.rules", formatted)) == formatted


def test_a_variant_of_a_game_that_counts_with_a_noun_may_add_declarations(tmp_path: Path) -> None:
    path = tmp_path / "sticks.rules"
    path.write_text(
        'game sticks "Sticks":\n  players 2\n  seats red, blue\n\nnames p: Player\nnoun stick "stick", "sticks"\n\n'
        "the game has:\n  heap: 0..9 = 9\n\nplay:\n  turns p from first_player: p chooses one of take\n\n"
        'action take(p, n: 1..2) "Take {n of stick}": heap -= n, at least 0\n\n'
        "whenever heap == 0 as over: finish with winner {mover}\n\n"
        "variant more of sticks:\n  value spare -> 0..9 = heap\n"
    )
    assert api.load(f"{path}+more").id == "sticks"
