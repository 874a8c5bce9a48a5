"""`rulelang lab …`: what people and programs ask it, and what is on the disk afterwards."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import serve
from cli.commands.lab import report as drawing
from rulelang.log.reading import read_log
from tests.conftest import Run

if TYPE_CHECKING:
    from rulelang.web.hall import Hall

pytest.importorskip("pyarrow")
pytest.importorskip("numpy")


def figures(run: Run, *words: str) -> list[dict[str, Any]]:
    """Returns the cells of a report, from `--json`."""
    result = run("lab", *words, "--json")
    assert result.exit_code == 0, result.output
    cells: list[dict[str, Any]] = json.loads(result.stdout)["cells"]
    return cells


@pytest.mark.long
def test_a_sweep_says_what_each_value_does_and_a_report_says_it_again(run: Run, nim: Path) -> None:
    words = ("sweep", str(nim), "size=4..6", "--bots", "random", "--games", "400", "--out", "out")
    cells = figures(run, *words)
    assert [cell["parameters"] for cell in cells] == [{"size": 4}, {"size": 5}, {"size": 6}]
    for cell in cells:
        for metric in cell["metrics"].values():
            assert metric["low"] <= metric["estimate"] <= metric["high"]
    assert figures(run, "report", "out") == cells
    assert sorted(path.name for path in Path("out/games/cell=0001").iterdir()) == ["all.parquet"]
    told = run("lab", "report", "out").output
    assert "size=5 against size=4: shown: " in told


@pytest.mark.long
def test_cells_are_variants_that_can_be_checked_and_played(run: Run, nim: Path) -> None:
    figures(run, "sweep", str(nim), "size=4..5", "misere=yes,no", "--bots", "random", "--games", "10", "--out", "out")
    assert (
        Path("out/cells/0000.rules").read_text()
        == 'variant cell of misere "size=4, misere=yes":\n  constant size = 4\n'
    )
    assert run("check", f"{nim}+misere+out/cells/0000.rules+cell").exit_code == 0


def test_a_value_that_the_game_has_already_is_the_game_itself(run: Run, nim: Path) -> None:
    cells = figures(run, "sweep", str(nim), "size=9", "--bots", "random", "--games", "10", "--out", "out")
    assert cells[0]["parameters"] == {"size": 9}
    assert not Path("out/cells/0000.rules").exists()


def test_a_bad_cell_is_named_with_its_value_before_any_game(run: Run, nim: Path) -> None:
    result = run("lab", "sweep", str(nim), "size=50..51", "--bots", "random", "--out", "out")
    assert result.exit_code == 2
    assert "the cell size=51 " in result.output
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("siz=1..3",), "did you mean size"),
        (("size=1..3", "--bots", "gredy"), "greedy"),
        (("size=1..3", "size=1..2"), "swept twice"),
        (("size=1..3", "--players", "5"), "is for 2 players"),
        (("size=1..3", "--scheduler", "slurm"), "the scheduler is"),
        (("size=1..3", "--measure", "x=heap +"), "the measure x"),
        (("size=1..3", "--measure", "x=heep"), "the measure x"),
        (("size=1..3", "--measure", "score=heap"), "a measure is not called score"),
        (("size=1..3", "--measure", "x=heap", "--measure", "x=size"), "two measures are called x"),
        (("size=1..3", "--target", "size=3"), "no length is called 'size'"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_in_a_sentence(
    run: Run, nim: Path, words: tuple[str, ...], told: str
) -> None:
    result = run("lab", "sweep", str(nim), *words)
    assert result.exit_code == 2
    assert told in result.output


def test_measures_without_a_name_get_one(run: Run, nim: Path) -> None:
    measures = ("--measure", "heap", "--measure", "last=heap", "--measure", "heap + 1")
    words = ("--bots", "random", "--games", "10", "--sampled", "2", *measures)
    metrics = figures(run, "sweep", str(nim), "size=9", *words)[0]["metrics"]
    assert [metrics[name]["estimate"] for name in ("measured", "last", "measured_2")] == [0, 0, 1]


@pytest.mark.long
def test_what_was_played_is_not_played_again(run: Run, nim: Path) -> None:
    words = ("sweep", str(nim), "size=4..5", "--bots", "random", "--games", "30", "--out", "out")
    cells = figures(run, *words)
    table = Path("out/games/cell=0000/all.parquet")
    before = table.stat().st_mtime_ns, table.read_bytes()
    Path("out/games/cell=0001/all.parquet").unlink()
    assert figures(run, *words) == cells
    assert (table.stat().st_mtime_ns, table.read_bytes()) == before


def test_a_folder_of_another_study_or_with_other_files_is_left_alone(run: Run, nim: Path) -> None:
    figures(run, "sweep", str(nim), "size=4..5", "--bots", "random", "--games", "10", "--out", "out")
    result = run("lab", "sweep", str(nim), "size=4..6", "--bots", "random", "--games", "10", "--out", "out")
    assert result.exit_code == 1
    assert "holds another study" in result.output
    assert not Path("out/cells/0002.rules").exists()
    assert Path("out/cells/0000.rules").read_text().endswith("constant size = 4\n")
    nim.write_text(nim.read_text().replace("n: 1..3", "n: 1..2"))
    result = run("lab", "sweep", str(nim), "size=4..5", "--bots", "random", "--games", "10", "--out", "out")
    assert result.exit_code == 1
    assert "under other rules" in result.output
    Path("full").mkdir()
    Path("full/letter.txt").write_text("Dear")
    result = run("lab", "sweep", str(nim), "size=4..5", "--out", "full")
    assert result.exit_code == 1
    assert "not empty" in result.output
    assert run("lab", "report", "full").exit_code == 3


@pytest.mark.long
def test_any_game_of_a_study_is_played_again_as_a_log(run: Run, nim: Path) -> None:
    from pyarrow import parquet

    for bots in ("random", "random,first"):
        out = Path(f"out-{bots}")
        figures(run, "sweep", str(nim), "size=7", "--bots", bots, "--games", "8", "--out", str(out))
        rows = parquet.read_table(out / "games/cell=0000/all.parquet").to_pylist()
        for game in (0, 5):
            result = run("lab", "show", str(out), str(game))
            assert result.exit_code == 0, result.output
            winner = next(row["seat"] for row in rows if row["game"] == game and row["won"] == 1)
            assert f"won by player{winner + 1}" in result.output
            name = f"{nim}+{out}/cells/0000.rules+cell"
            assert run("replay", str(out / "logs" / f"0000-{game}.jsonl"), "--game", name).exit_code == 0


@pytest.mark.long
def test_a_game_of_a_study_is_looked_at_in_the_browser_by_the_rules_of_its_cell(
    monkeypatch: pytest.MonkeyPatch, run: Run, nim: Path
) -> None:
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    halls: list[Hall] = []
    monkeypatch.setattr(serve, "_serve", lambda hall, *_, **__: halls.append(hall))
    figures(run, "sweep", str(nim), "size=7,9", "--bots", "random", "--games", "4", "--out", "out")
    for cell in ("0", "1"):
        result = run("lab", "show", "out", "2", "--cell", cell, "--web", "--no-open")
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("http://127.0.0.1:")
        (shown,) = halls.pop().logs.values()
        assert shown.beside is None
        assert shown.game is not None
        assert shown.game.rules_hash == read_log(shown.path).header.rules
    # Nim does not ship, so that a log of it is looked at only by rules that are named.
    log = "out/logs/0001-2.jsonl"
    assert f"replay {log} --game {nim}" in run("lab", "show", "out", "2", "--cell", "1").output
    assert run("replay", log, "--web", "--no-open", "--game", f"{nim}+misere").exit_code == 0
    (shown,) = halls.pop().logs.values()
    assert shown.game is not None
    assert shown.game.rules_hash == read_log(shown.path).header.rules
    assert shown.beside is not None
    assert shown.beside.variants == ("misere",)


@pytest.mark.long
def test_a_study_is_described_by_a_file(run: Run, nim: Path) -> None:
    Path("study.toml").write_text(
        'game = "nim.rules"\nbots = "random"\ngames = 20\n[vary]\nsize = [4, 5]\n[measure]\nleft = "heap"'
    )
    result = run("lab", "run", "study.toml", "--out", "out")
    assert result.exit_code == 0, result.output
    metrics = figures(run, "report", "out")[0]["metrics"]
    assert metrics["left"]["estimate"] == 0
    assert "20 of 40" not in run("lab", "watch", "out", "--once").output
    assert "40 of 40 games (100 %)" in run("lab", "watch", "out", "--once").output


@pytest.mark.long
def test_the_figures_so_far_are_those_of_the_first_cell(run: Run, nim: Path) -> None:
    from rulelang.studies.reports.progress import so_far
    from rulelang.studies.run import begin
    from rulelang.studies.storage import Folder
    from rulelang.studies.study import read_study

    cells = figures(run, "sweep", str(nim), "size=4..5", "--bots", "random", "--games", "50", "--out", "out")
    told = so_far(Folder(Path("out")))
    assert told.startswith(f"win(first) {100 * cells[0]['metrics']['win(first)']['estimate']:.1f} % (")
    assert ", length " in told
    assert so_far(begin(read_study(f'game = "{nim}"'), Path("empty"))) == ""


def test_two_games_are_compared_on_the_same_seeds(run: Run, nim: Path) -> None:
    result = run("lab", "compare", str(nim), f"{nim}+misere", "--bots", "random", "--games", "300")
    assert result.exit_code == 0, result.output
    assert f"game={nim}+misere against game={nim}: " in result.output
    assert run("lab", "compare", str(nim), str(nim)).exit_code == 2


@pytest.mark.long
def test_a_ladder_is_a_sweep_of_bots(run: Run, nim: Path) -> None:
    cells = figures(run, "sweep", str(nim), "bots=first/random,mcts:20/random", "--games", "40", "--out", "out")
    assert cells[0]["parameters"] == {"bots": "first/random"}
    assert cells[1]["metrics"]["win(mcts:20)"]["low"] > 0.5
    assert "mcts:20 wins " in run("lab", "report", "out").output
    assert "no bot: 'frist'" in run("lab", "sweep", str(nim), "bots=frist/random").output


@pytest.mark.long
def test_tuning_finds_the_value_that_meets_a_goal_and_tells_it_on_fresh_seeds(run: Run, nim: Path) -> None:
    words = ("tune", str(nim), "--vary", "size=3..6", "--bots", "random", "--games", "400")
    result = run("lab", *words, "--goal", "abs(win(first) - 0.33)")
    assert result.exit_code == 0, result.output
    assert 'variant cell of nim "size=4":\n  constant size = 4\n' in result.output
    assert "on 400 fresh blocks" in result.output
    front = run("lab", *words, "--goal", "length", "--goal", "0 - length").output
    assert [f"size={n}\n" in front for n in range(3, 7)] == [True] * 4


@pytest.mark.parametrize(
    "goal", ["win(nobody)", "length +", "__import__('os')", "length if 1 else 2", "length / 0", "x" * 600]
)
def test_a_goal_that_is_no_formula_of_means_is_refused(run: Run, nim: Path, goal: str) -> None:
    result = run("lab", "tune", str(nim), "--vary", "size=3..4", "--bots", "random", "--games", "20", "--goal", goal)
    assert result.exit_code == 2
    assert "goal" in result.output or "no mean of blocks" in result.output


@pytest.mark.long
def test_a_report_is_a_page_a_table_and_markdown(run: Run, nim: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    figures(run, "sweep", str(nim), "size=4..5", "--bots", "random", "--games", "50", "--out", "out")
    result = run("lab", "report", "out", "--html", "out.html", "--csv", "out.csv", "--markdown", "out.md")
    assert result.exit_code == 0, result.output
    page = Path("out.html").read_text()
    assert page.count("<svg") == 6
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/", "")
    rows = list(csv.reader(Path("out.csv").read_text().splitlines()))
    assert rows[0] == ["size", "metric", "estimate", "low", "high", "blocks", "p"]
    assert [row[:2] for row in rows[1:3]] == [["4", "win(player1)"], ["4", "win(player2)"]]
    written = Path("out.md").read_text()
    assert "How often each seat wins; ┊ is an equal share:\n\n```\n  size=4: player1  " in written
    assert "## Method" in written


@pytest.mark.long
def test_a_terminal_sees_plots_in_letters(monkeypatch: pytest.MonkeyPatch, run: Run, nim: Path) -> None:
    figures(run, "sweep", str(nim), "size=4..5", "--bots", "random", "--games", "50", "--out", "out")
    told = run("lab", "report", "out").output
    assert not {*"●┊█"} & {*told}
    drawn = run("lab", "report", "out", "--plots").output
    assert drawn.startswith(told[: told.index("\n\n")])
    assert {*"●┊█├─┤"} <= {*drawn}
    monkeypatch.setattr(drawing, "can_draw", lambda: True)
    assert run("lab", "report", "out").output == drawn
    assert run("lab", "report", "out", "--no-plots").output == told


@pytest.mark.long
def test_all_that_is_plotted_is_told_to_programs(run: Run, nim: Path) -> None:
    words = ("size=4,6", "misere=no,yes", "--bots", "random", "--games", "40", "--sampled", "5", "--values", "4")
    result = run("lab", "sweep", str(nim), *words, "--measure", "left=heap", "--out", "out", "--json")
    data = json.loads(result.stdout)
    effects = {(one["metric"], one["name"], one["value"]): one for one in data["effects"]}
    assert effects["length", "size", "6"]["estimate"] == -effects["length", "size", "4"]["estimate"] > 0
    assert effects["length", "size", "6"]["shown"]
    cell = data["cells"][3]
    assert sum(bar["games"] for bar in cell["lengths"]) == 40
    assert [one["percent"] for one in cell["over_time"] if one["seat"] == "player1"] == [*range(0, 101, 10)]
    assert any(name.startswith("worth(take(") for name in cell["metrics"])
    assert data["sentences"][0] in run("lab", "report", "out").output
    run("lab", "report", "out", "--csv", "out.csv")
    rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    found = {(row["size"], row["misere"], row["metric"]): row for row in rows}
    assert float(found["6", "", "effect(length)"]["estimate"]) == effects["length", "size", "6"]["estimate"]
    (difference,) = (one for one in cell["against_first"] if one["name"] == "length")
    assert float(found["6", "yes", "difference(length)"]["p"]) == difference["p"]
    assert float(found["4", "no", "over_time(left, player2, 0 %)"]["estimate"]) == 4
