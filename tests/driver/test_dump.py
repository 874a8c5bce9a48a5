"""`rulelang dump`: every stage of the compiler can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion

from cli.commands.authoring.dump import STAGES as NAMES
from cli.main import main
from rulelang.driver.dump import STAGES
from tests.files import CLASSICS, SMALL_GAMES


def dumped(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["dump", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("stage", ["tree", "ir", "woven", "python"])
@pytest.mark.parametrize("game", ["nim", "pig"])
def test_the_dump_of_a_small_game_is_as_it_was(game: str, stage: str, snapshot: SnapshotAssertion) -> None:
    assert dumped(str(CLASSICS / f"{game}.rules"), "--stage", stage) == snapshot


@pytest.mark.parametrize("game", ["nim", "tic_tac_toe"])
def test_the_low_level_form_of_a_small_game_is_as_it_was(game: str, snapshot: SnapshotAssertion) -> None:
    assert dumped(str(CLASSICS / f"{game}.rules"), "--stage", "lir") == snapshot


@pytest.mark.parametrize("game", ["nim", "tic_tac_toe"])
def test_the_code_of_playouts_of_a_small_game_is_as_it_was(game: str, snapshot: SnapshotAssertion) -> None:
    assert dumped(str(CLASSICS / f"{game}.rules"), "--stage", "playouts") == snapshot


def test_a_game_without_code_for_playouts_says_so() -> None:
    result = CliRunner().invoke(main, ["dump", str(CLASSICS / "kuhn.rules"), "--stage", "playouts"])
    assert result.exit_code != 0
    assert "are played step by step" in result.output


@pytest.mark.usefixtures("refuses_histories")
def test_what_the_low_level_form_cannot_say_yet_is_named() -> None:
    result = CliRunner().invoke(main, ["dump", str(SMALL_GAMES / "echo.rules"), "--stage", "lir"])
    assert result.exit_code != 0
    assert "yet: it has positions" in result.output


def test_every_stage_that_can_be_dumped_is_a_choice_of_the_command() -> None:
    assert tuple(stage.name for stage in STAGES) == NAMES


def test_a_stage_is_found_by_the_name_that_it_had_before() -> None:
    nim = str(CLASSICS / "nim.rules")
    assert dumped(nim, "--stage", "low") == dumped(nim, "--stage", "lir")


@pytest.mark.long
def test_a_dump_is_of_the_game_with_its_variants() -> None:
    assert dumped("outspeed", "--stage", "ir") != dumped("outspeed+sprint", "--stage", "ir")


@pytest.mark.parametrize("stage", NAMES[1:])
def test_a_game_with_faults_is_dumped_as_far_as_it_gets(stage: str, tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text((CLASSICS / "nim.rules").read_text().replace("heap -= n", "heap -= m"))
    assert "Assign" in dumped(str(path), "--stage", "tree")
    result = CliRunner().invoke(main, ["dump", str(path), "--stage", stage])
    assert result.exit_code == 1
    assert "E0201" in result.output


@pytest.mark.parametrize(
    ("stage", "line"),
    [("python", "    S[13] = r2  # heap"), ("lir", "  row[13] = r2  # heap"), ("playouts", "    r2 = S[13]  # heap")],
)
def test_a_line_says_what_the_slots_hold_that_it_touches(stage: str, line: str) -> None:
    assert line in dumped(str(CLASSICS / "nim.rules"), "--stage", stage).splitlines()


@pytest.mark.long
def test_a_wide_set_is_called_by_its_name_where_it_lies_behind_the_row() -> None:
    lines = dumped("exit_velocity", "--stage", "lir").splitlines()
    wide = [line for line in lines if re.search(r"row\[\(*\d.* 2 words\]", line)]
    assert wide
    assert all("  # " in line for line in wide)


def test_the_python_that_is_printed_is_python(tmp_path: Path) -> None:
    compile(dumped(str(CLASSICS / "nim.rules"), "--stage", "python"), "nim", "exec")
