"""Figures of games whose answers are known exactly, and the honesty of intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.conftest import nim_wins

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from rulelang.studies.figures.comparing import compared  # noqa: E402
from rulelang.studies.figures.estimates import Estimate, mean, quantile, ratio, share  # noqa: E402
from rulelang.studies.figures.metrics import metrics_of  # noqa: E402
from rulelang.studies.figures.tables import tables_of  # noqa: E402
from rulelang.studies.run import begin, run  # noqa: E402
from rulelang.studies.storage import Folder  # noqa: E402
from rulelang.studies.study import Study, read_study  # noqa: E402
from rulelang.studies.workers import Alone  # noqa: E402


def done(study: Study, path: Path) -> Folder:
    """Returns the folder of a study that was played."""
    folder = begin(study, path)
    assert all(run(folder, Alone()))
    return folder


def found(folder: Folder, cell: int) -> dict[str, Estimate]:
    """Returns the metrics of a cell with two seats."""
    tables = tables_of(folder, cell, ("player1", "player2"))
    assert tables is not None
    return metrics_of(tables)


@pytest.mark.long
def test_random_nim_is_won_as_often_as_dynamic_programming_says(nim: Path, tmp_path: Path) -> None:
    sizes = [3, 4, 5, 8]
    study = read_study(f'game = "{nim}"\nbots = "random"\ngames = 1000\nsampled = 0\n[vary]\nsize = {sizes}')
    folder = done(study, tmp_path / "out")
    for cell, size in enumerate(sizes):
        wins = found(folder, cell)["win(first)"]
        assert wins.low is not None
        assert wins.high is not None
        # Four standard errors: one such test in some 4,000 seeds would fail by chance, and this seed is fixed.
        assert abs(wins.estimate - nim_wins(size)) < 2 * (wins.high - wins.low)


@pytest.mark.long
def test_a_coin_is_all_luck_and_has_its_bias(coin: Path, tmp_path: Path) -> None:
    study = read_study(f'game = "{coin}"\nbots = "random"\ngames = 1200\nrepeats = 4\n[vary]\nheads = [50, 80]')
    folder = done(study, tmp_path / "out")
    fair, biased = found(folder, 0), found(folder, 1)
    assert fair["luck_share"].estimate == 1
    # Half of the seeds are won by the first seat whatever the bots do, so the tenths lie as far apart as can be.
    assert fair["luck_span"].estimate == 1
    assert abs(biased["win(first)"].estimate - 0.8) < 0.1
    assert fair["win(first)"].blocks == 300


@pytest.mark.long
def test_a_change_without_effect_is_shown_in_no_study_and_a_planted_one_is(coin: Path, tmp_path: Path) -> None:
    same = 'variant same of coin "Same":\n  replace action call(p, n) "Call {n}":\n    guess = 3 - n\n'
    coin.write_text(coin.read_text() + same)
    study = read_study(f'game = "{coin}"\nbots = "random"\ngames = 500\n[vary]\nsame = ["no", "yes"]\nheads = [60, 75]')
    folder = done(study, tmp_path / "out")
    tables = [tables_of(folder, cell, ("player1", "player2")) for cell in range(4)]
    base, planted, other, _ = tables
    assert base is not None
    assert planted is not None
    assert other is not None
    assert not any(one.is_shown for one in compared(base, other))
    shown = {one.name: one for one in compared(base, planted) if one.is_shown}
    assert set(shown) == {"win(player1)", "win(player2)"}
    assert shown["win(player1)"].low < 0.15 < shown["win(player1)"].high


def test_intervals_hold_the_truth_in_93_to_97_of_100_studies() -> None:
    rng = np.random.default_rng(7)
    blocks, games = 80, 3
    names = np.repeat(np.arange(blocks), games)
    held = dict.fromkeys(("mean", "share", "quantile", "ratio"), 0)
    studies = 1_000
    for _ in range(studies):
        luck = np.repeat(rng.normal(size=blocks), games)
        values = luck + rng.normal(size=blocks * games)
        held["mean"] += _holds(mean(values, names), 0.0)
        won = (luck + rng.normal(size=blocks * games) > 0.6).astype(float)
        held["share"] += _holds(share(won, names), 0.33567)
        alone = rng.exponential(size=150)
        held["quantile"] += _holds(quantile(alone, np.arange(150), 0.5), float(np.log(2)))
        bottom = 1 + rng.poisson(3, size=blocks)
        ratio_ = ratio(rng.binomial(bottom, 0.3).astype(float), bottom.astype(float), np.arange(blocks))
        assert ratio_ is not None
        held["ratio"] += _holds(ratio_, 0.3)
    assert all(930 <= count <= 972 for count in held.values()), held


def _holds(one: Estimate, truth: float) -> bool:
    assert one.low is not None
    assert one.high is not None
    return one.low <= truth <= one.high
