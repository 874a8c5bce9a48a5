"""Studies that stop by themselves are as honest as those that do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.studies.test_lab_command import figures

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from rulelang.studies.figures.estimates import mean  # noqa: E402
from rulelang.studies.figures.sequences import LEAST_BLOCKS, always_valid, sequence  # noqa: E402

LOOKS = range(60, 1200, 60)


@pytest.mark.parametrize("won", [0.5, 0.9])
def test_a_sequence_holds_the_truth_at_all_looks_at_once_where_student_does_not(won: float) -> None:
    rng = np.random.default_rng(11)
    held = {"sequence": 0, "student": 0, "p": 0}
    studies = 400
    for _ in range(studies):
        values = (rng.random(LOOKS[-1]) < won).astype(float)
        looks = [values[:n] for n in LOOKS]
        held["sequence"] += all(_holds(sequence(some, LOOKS[-1]), won) for some in looks)
        held["p"] += all(always_valid(some - won, LOOKS[-1]) > 0.05 for some in looks)
        held["student"] += all(_holds(mean(some, np.arange(len(some))), won) for some in looks)
    assert held["sequence"] >= 0.93 * studies
    assert abs(held["sequence"] - held["p"]) <= 1
    assert held["student"] < 0.88 * studies


def test_an_effect_is_found_early_and_how_large_it_is_stays_honest() -> None:
    rng, stopped, held = np.random.default_rng(5), [], 0
    for _ in range(200):
        values = rng.normal(0.3, 1, size=2_000)
        count = next(n for n in range(LEAST_BLOCKS, 2_000, 20) if not _holds(sequence(values[:n], 2_000), 0.0))
        stopped.append(count)
        held += _holds(sequence(values[:count], 2_000), 0.3)
    assert held >= 0.95 * 200
    assert np.mean(stopped) < 300


def _holds(one: object, truth: float) -> bool:
    low, high = one.low, one.high  # type: ignore[attr-defined]
    return low is None or low <= truth <= high


@pytest.mark.long
def test_a_comparison_stops_once_its_difference_is_shown_or_small(run: Run, coin: Path) -> None:
    coin.write_text(coin.read_text() + 'variant better of coin "Better":\n  constant heads = 90\n')
    words = (
        "compare",
        str(coin),
        f"{coin}+better",
        "--bots",
        "random",
        "--games",
        "200000",
        "--stop",
        "win(first)=0.001",
    )
    cells = figures(run, *words, "--out", "out")
    assert json.loads(Path("out/study.json").read_text())["study"]["stop"] == {"win(first)": 0.001}
    assert cells[1]["games"] < 200_000
    (won,) = (one for one in cells[1]["against_first"] if one["name"] == "win(player1)")
    assert won["shown"]
    assert won["low"] < 0.3 < won["high"]
    assert figures(run, *words, "--out", "out") == cells
    assert "It stopped by win(first) ± 0.001 after" in run("lab", "report", "out").output
    assert run("lab", "watch", "out").exit_code == 0


@pytest.mark.long
def test_a_study_of_one_cell_stops_once_it_is_known_well_enough(run: Run, coin: Path) -> None:
    (cell,) = figures(
        run, "sweep", str(coin), "heads=70", "--bots", "random", "--games", "1000000", "--stop", "win(first)=0.02"
    )
    assert cell["games"] < 1_000_000
    assert cell["metrics"]["win(first)"]["low"] < 0.7 < cell["metrics"]["win(first)"]["high"]


@pytest.mark.parametrize(
    ("stop", "told"),
    [("win(frst)=0.1", "win(first)"), ("length=0", "above 0"), ("length", "above 0"), ("length=x", "above 0")],
)
def test_a_study_that_stops_by_what_is_no_figure_is_refused(run: Run, coin: Path, stop: str, told: str) -> None:
    result = run("lab", "sweep", str(coin), "heads=70", "--bots", "random", "--games", "100", "--stop", stop)
    assert result.exit_code == 2
    assert told in result.output
