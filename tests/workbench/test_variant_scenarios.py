"""The scenarios of a game under a variant: what holds, what changes and by which operation, what counts as a failure."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from rulelang import api
from rulelang.workbench.changes.edits import Edits
from rulelang.workbench.changes.variant_scenarios import ScenarioRelation, meet, summary

GAME = """
game trip "Trip":
  players 2
  seats red, blue

names p: Player; n: 1..3
constant start = 9                                                   [T-1]
constant fee = 2

each Player has:
  fuel: 0..20 = start
  at: 0..9 = 0

action go(p, n) "{p} goes {n}":
  p.fuel -= fee
  p.at += n

play:
  turns p from first_player:
    p chooses one of go, or pass
    if p.at == 9: finish with winner p

scenario "nine fuel":                                                [T-1]
  expect red.fuel == 9

scenario "going costs two":
  red: go(1)
  expect red.fuel == 7

scenario "going goes":
  red: go(3)
  expect red.at == 3
"""
VARIANTS = """
variant rich of trip "Rich":
  constant start = 15

  scenario "fifteen fuel":
    expect red.fuel == 15

variant both of trip "Both":
  constant start = 10
  constant fee = 1

variant dear of trip "Dear":
  constant fee = 12

variant wrong of trip "Wrong":
  constant start = 8

  scenario "seven fuel":
    expect red.fuel == 7
"""
Run = Callable[..., Result]


@pytest.fixture
def trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    (tmp_path / "trip.rules").write_text(GAME)
    (tmp_path / "more.rules").write_text(VARIANTS)
    (tmp_path / "ten.rules").write_text('variant ten of trip "Ten":\n  constant fee = 3\n')
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, list(words))


def test_a_red_scenario_of_the_game_is_explained_by_the_operation_without_which_it_holds(trip: Run) -> None:
    met = meet(api.load("trip.rules+more.rules+rich"))
    groups = {one.result.name: (one.group, [e.name for e in one.culprits]) for one in met}
    assert groups == {
        "nine fuel": (ScenarioRelation.CHANGED, ["constant start"]),
        "going costs two": (ScenarioRelation.CHANGED, ["constant start"]),
        "going goes": (ScenarioRelation.HOLDS, []),
        "fifteen fuel": (ScenarioRelation.OWN, []),
    }
    assert summary(met) == "1 own pass, 1 hold, 2 changed by: constant start"


def test_where_one_operation_is_not_enough_the_fewest_are_named(trip: Run) -> None:
    met = meet(api.load("trip.rules+more.rules+both"))
    culprits = {one.result.name: [e.name for e in one.culprits] for one in met if one.culprits}
    assert culprits["nine fuel"] == ["constant start"]
    assert culprits["going costs two"] == ["constant start", "constant fee"]


def test_results_are_told_in_three_groups(trip: Run) -> None:
    lines = trip("test", "trip.rules+more.rules+rich").output.splitlines()
    assert [line.partition("  by:")[0] for line in lines[:-1]] == [
        "The variant's own:",
        "ok    fifteen fuel",
        "Of the game, these hold:",
        "ok    going goes",
        "Of the game, these do not:",
        "changed  nine fuel  [T-1]",
        "changed  going costs two",
    ]
    quiet = trip("test", "trip.rules+more.rules+rich", "--quiet").output.splitlines()
    assert len(quiet) == 1, "only what fails, and the last line"
    plain = trip("test", "trip.rules").output
    assert "game, these" not in plain


def test_operations_of_one_kind_are_told_apart(trip: Run) -> None:
    """By what they change, and where that is the same, by where they stand."""
    Path("fine.rules").write_text(
        'variant fine of outspeed "Fine":\n  in Bonus if power == nitro: copies = 4\n  in Bonus if power == forcefield: copies = 4\n'
        "  after pay(p, n): p.fuel += 0\n  after pay(p, n): p.zone += 0\n  replace phase next_tile:\n    move current to box\n"
    )
    assert [edit.name for edit in Edits.of_variants(api.load("outspeed+fine.rules+fine")).all] == [
        "in Bonus if power == nitro: copies",
        "in Bonus if power == forcefield: copies",
        "after pay (fine.rules:4:3)",
        "after pay (fine.rules:5:3)",
        "replace phase next_tile",
    ]


def test_what_is_explained_is_listed_and_is_no_failure_unless_asked_strictly(trip: Run) -> None:
    result = trip("test", "trip.rules+more.rules+rich")
    assert result.exit_code == 0
    assert "changed  nine fuel  [T-1]  by: constant start" in result.output
    assert not [line for line in result.output.splitlines() if line.startswith("FAIL")]
    assert result.output.splitlines()[-1].startswith("1 own pass, 1 hold, 2 changed by: constant start")
    strict = trip("test", "trip.rules+more.rules+rich", "--strict")
    assert strict.exit_code == 1
    assert len([line for line in strict.output.splitlines() if line.startswith("FAIL")]) == 2
    data = json.loads(trip("test", "trip.rules+more.rules+rich", "--json").output)["scenarios"]
    assert [one["group"] for one in data] == ["changed", "changed", "holds", "own"]
    assert data[0]["because"] == ["constant start"]


def test_rules_that_go_wrong_under_a_variant_count_whatever_explains_them(trip: Run) -> None:
    """Twelve of nine fuel: below the range. Taking the operation away helps, and it is a failure all the same."""
    met = {one.result.name: one for one in meet(api.load("trip.rules+more.rules+dear"))}
    assert met["going goes"].group is ScenarioRelation.BROKEN
    assert met["going goes"].counts
    result = trip("test", "trip.rules+more.rules+dear")
    assert result.exit_code == 1
    assert "FAIL  going goes  by: constant fee" in result.output


def test_a_red_scenario_of_the_variants_own_counts(trip: Run) -> None:
    result = trip("test", "trip.rules+more.rules+wrong")
    assert result.exit_code == 1
    assert [line for line in result.output.splitlines() if line.startswith("FAIL")] == ["FAIL  seven fuel"]
    assert "1 of 1 own fail" in result.output


def test_void_prints_the_lines_and_write_puts_them_at_the_end_of_the_variant(trip: Run) -> None:
    printed = trip("test", "trip.rules+more.rules+rich", "--void")
    assert printed.exit_code == 0
    assert printed.output.splitlines() == [
        'void "nine fuel" because "start is 15"',
        'void "going costs two" because "start is 15"',
    ]
    trip("test", "trip.rules+more.rules+rich", "--void", "--write")
    after = trip("test", "trip.rules+more.rules+rich")
    assert after.output.splitlines()[-1].startswith("1 own pass, 1 hold  (")
    text = Path("more.rules").read_text()
    assert text.index("fifteen fuel") < text.index("void") < text.index("variant both")
    again = trip("test", "trip.rules+more.rules+rich", "--void")
    assert again.output == ""


def test_variants_of_further_files_join_in_by_their_paths(trip: Run) -> None:
    game = api.load("trip.rules+more.rules+rich+ten.rules+ten")
    assert game.variants == ("rich", "ten")
    assert {edit.name for one in meet(game) for edit in one.culprits} == {"constant start", "constant fee"}
    quoted = api.load('trip.rules+"ten.rules"+ten')
    assert quoted.rules_hash == api.load("trip.rules+ten.rules+ten").rules_hash
    assert trip("test", "trip.rules+nowhere.rules+ten").exit_code == 3


def test_lines_are_written_into_the_file_of_their_variant_whatever_the_files_are_called(trip: Run) -> None:
    for folder, fee in (("dear", 9), ("cheap", 1)):
        Path(folder).mkdir()
        text = f'variant {folder} of trip "{folder}":\n  constant {"start" if fee == 9 else "fee"} = {fee + 4}\n'
        Path(folder, "trip.rules").write_text(text)
    before = Path("cheap/trip.rules").read_text()
    name = "trip.rules+dear/trip.rules+dear+cheap/trip.rules+cheap"
    assert {edit.span.source.name for one in meet(api.load(name)) for edit in one.culprits} == {
        "dear/trip.rules",
        "cheap/trip.rules",
    }
    trip("test", name, "-k", "nine fuel", "--void", "--write")
    assert Path("cheap/trip.rules").read_text() == before
    assert Path("dear/trip.rules").read_text().endswith('void "nine fuel" because "start is 13"\n')
    assert Path("trip.rules").read_text() == GAME


def test_a_file_that_is_named_twice_is_read_once_and_a_quoted_path_may_hold_a_plus(trip: Run) -> None:
    twice = api.load("trip.rules+more.rules+rich+./more.rules+dear")
    assert twice.variants == ("rich", "dear")
    Path("c++").mkdir()
    Path("c++/ten.rules").write_text(Path("ten.rules").read_text())
    assert api.load('trip.rules+"c++/ten.rules"+ten').rules_hash == api.load("trip.rules+ten.rules+ten").rules_hash


def test_whoever_names_a_file_and_no_variant_of_it_is_told_so(trip: Run) -> None:
    note = "note: no variant is named, so trip.rules+ten.rules is the game without ten; try trip.rules+ten.rules+ten"
    assert note in trip("test", "trip.rules+ten.rules").stderr
    assert "note:" not in trip("test", "trip.rules+ten.rules+ten").stderr
    assert "note:" not in trip("test", "trip.rules+ten.rules", "--all").stderr


def test_an_operation_with_a_long_condition_is_named_on_one_line(tmp_path: Path) -> None:
    game = tmp_path / "map.rules"
    game.write_text(
        'game map "Map":\n  players 1\n'
        "kind Tile:\n  number: 1..9\n  cost: 0..9\n  | number | cost |\n  | 1..9 | 2 |\n"
        'play: finish lost\nscenario "two":\n  expect first(t in Tile).cost == 2\n'
        'variant steep of map "Steep":\n  in Tile if number == 1 and cost == 2: cost = 3\n'
    )
    ((edit,),) = (one.culprits for one in meet(api.load(f"{game}+steep")))
    assert edit.name == "in Tile if number == 1 and cost == 2: cost"
    assert edit.words == "cost of Tile is 3 if number == 1 and cost == 2"


def test_an_error_in_the_games_own_files_is_shown_once_at_the_operation(trip: Run) -> None:
    Path("gone.rules").write_text('variant gone of trip "Gone":\n  remove start\n')
    result = trip("check", "trip.rules+gone.rules+gone", "--concise")
    errors = [line for line in result.output.splitlines() if "error" in line and ".rules:" in line]
    assert len(errors) == 1
    assert errors[0].startswith("gone.rules:2:3: error[E0201]")
    shown = trip("test", "trip.rules+gone.rules+gone")
    assert shown.exit_code == 1
    assert "because of this" in shown.output


def test_errors_in_the_authors_own_file_stay_where_they_are(trip: Run) -> None:
    Path("own.rules").write_text('variant own of trip "Own":\n  after go(p, n): p.fuel += nothing\n')
    result = trip("check", "trip.rules+own.rules+own", "--concise")
    assert "own.rules:2:" in result.output
    assert "nothing named `nothing`" in result.output


def test_eighty_scenarios_that_cannot_be_read_any_more_are_one_warning(tmp_path: Path) -> None:
    path = tmp_path / "none.rules"
    path.write_text('variant none of outspeed "None":\n  in Bonus if power == nitro: copies = 0\n')
    result = CliRunner().invoke(main, ["check", f"{path}+none", "--concise"])
    lines = [line for line in result.output.splitlines() if ": error" in line or ": warning" in line]
    assert len(lines) == 1
    assert lines[0].startswith("none.rules:2:3: warning[W0610]: ")
    assert "scenarios of the game cannot be read any more: " in lines[0]
    assert "alike" not in lines[0], "the fault that most of them have, not one that only follows from it"
    assert result.exit_code == 0, "the test counts them as changed, so the check is no stricter"


@pytest.mark.long
def test_an_operation_that_others_need_is_not_blamed_for_what_another_one_does(tmp_path: Path) -> None:
    """Without the new member its row cannot be checked, so nothing is known of the scenarios: the decoys are not to blame."""
    path = tmp_path / "decoys.rules"
    path.write_text(
        'variant decoys of outspeed "Decoys":\n  add to enum Power: decoy\n  add to Bonus:\n    | copies | power |\n'
        "    | 3      | decoy |\n  to use(p, decoy): p.push += 1\n  in Bonus if power == nitro: copies = 0\n"
    )
    result = CliRunner().invoke(main, ["check", f"{path}+decoys", "--concise"])
    lines = [line for line in result.output.splitlines() if ": error" in line or ": warning" in line]
    assert [line.partition(" scenarios")[0].rpartition(" ")[0].rpartition("/")[2] for line in lines] == [
        "decoys.rules:7:3: warning[W0610]:"
    ]
    assert "no Bonus is written `nitro`" in lines[0]


def test_an_action_that_is_replaced_leaves_a_game_that_checks_and_tests_alike(trip: Run) -> None:
    Path("slow.rules").write_text(
        'variant slow of trip "Slow":\n  replace action go(p) "{p} goes":\n    p.fuel -= fee\n    p.at += 1\n'
    )
    checked = trip("check", "trip.rules+slow.rules+slow", "--concise")
    assert checked.exit_code == 0, checked.output
    assert "warning[W0610]: 2 scenarios of the game cannot be read any more" in checked.output
    tested = trip("test", "trip.rules+slow.rules+slow")
    assert tested.exit_code == 0
    assert tested.output.splitlines()[-1].startswith("0 own pass, 1 hold, 2 changed by: replace action go")


@pytest.mark.long
def test_whoever_removes_a_row_is_told_how(trip: Run) -> None:
    path = Path("row.rules")
    path.write_text('variant row of exobase "Row":\n  remove novak\n')
    result = trip("check", f"{path}+row")
    assert "`novak` is a row of Founder: write `in Founder if name == novak: copies = 0`" in result.output
