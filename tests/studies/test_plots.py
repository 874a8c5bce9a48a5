"""The plots of a report: the figures that they draw, in tables whose figures are known, and the sentences beside them."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")
pytest.importorskip("altair")
pytest.importorskip("vl_convert")

from rulelang.studies.axes import Axis  # noqa: E402
from rulelang.studies.figures.courses import MOMENTS, over_time  # noqa: E402
from rulelang.studies.figures.effects import effects, extremes, strongest  # noqa: E402
from rulelang.studies.figures.tables import ArrayColumns, CellTables  # noqa: E402
from rulelang.studies.reports.formats import data_of  # noqa: E402
from rulelang.studies.reports.page import COLOURS, GREY, page  # noqa: E402
from rulelang.studies.reports.report import report_of  # noqa: E402
from rulelang.studies.reports.terminal import plots  # noqa: E402
from rulelang.studies.run import begin, run  # noqa: E402
from rulelang.studies.storage import Folder  # noqa: E402
from rulelang.studies.study import read_study  # noqa: E402
from rulelang.studies.workers import Alone  # noqa: E402


def cell(lengths: list[int], scores: tuple[float, float] = (np.nan, np.nan), **tables: ArrayColumns) -> CellTables:
    """Returns the tables of games of two seats, each on a seed of its own, which the first one wins with these scores."""
    many = len(lengths)
    numbers, end = np.repeat(np.arange(many), 2), np.array(["winner"] * 2 * many, dtype=object)
    games = {"game": numbers, "block": numbers, "seat": np.tile([0, 1], many), "won": np.tile([1.0, 0.0], many)}
    games |= {"answers": np.repeat(lengths, 2), "end": end, "score": np.tile(scores, many)}
    return CellTables(("red", "blue"), {"games": games, **tables}, ("fuel",) if "courses" in tables else ())


def test_a_number_over_time_is_in_each_game_the_last_that_was_seen_by_then() -> None:
    rows = [(0, 0, 0, 0), (0, 0, 1, 6), (0, 5, 0, 4), (0, 5, 1, 6), (1, 0, 0, 2), (1, 0, 1, 2)]
    game, answer, seat, score = (np.array(column) for column in zip(*rows, strict=True))
    values = {"game": game, "answer": answer, "seat": seat, "score": score}
    (found,) = over_time(cell([10, 20, 30], (10, 8), values=values))
    assert found.name == "score"
    # The third game was not sampled. Its end does not count; those of the other two do.
    assert [one.estimate for one in found.by_seat["red"]] == [1.0] * 5 + [3.0] * 5 + [10.0]
    assert [one.estimate for one in found.by_seat["blue"]] == [4.0] * 10 + [8.0]
    assert found.by_seat["red"][0].blocks == 2
    assert found.sentence == "score goes from 2.5 to 9.0 on average; at half-time it is 3.5"


def test_what_is_not_known_is_left_out_of_a_number_over_time() -> None:
    rows = [(0, 0, 0, 7.0), (0, 4, 0, np.nan), (0, 8, 0, 9.0), (0, 0, 1, np.nan)]
    game, answer, seat, value = (np.array(column) for column in zip(*rows, strict=True))
    measured = {"game": game, "answer": answer, "seat": seat, "value": value, "measure": np.array(["fuel"] * 4)}
    (found,) = over_time(cell([8], courses=measured))
    assert {seat: [one.estimate for one in told] for seat, told in found.by_seat.items()} == {
        "red": [7.0] * (len(MOMENTS) - 1) + [9.0]
    }
    assert not tuple(over_time(cell([8])))


AXES = (Axis("size", ("4", "5", "6")), Axis("jam", ("yes", "no")), Axis("one", ("1",)))


def test_the_effects_of_a_grid_are_those_of_which_it_is_made() -> None:
    seeds = [20, 35, 50, 41]
    cells = [
        (
            {"size": size, "jam": jam, "one": "1"},
            cell([seed + 3 * int(size) + (1 if jam == "yes" else -1) for seed in seeds]),
        )
        for size in AXES[0].values
        for jam in AXES[1].values
    ]
    found = effects(AXES, cells)
    moved = {(one.metric, one.axis, one.value): one.moved for one in found}
    assert {name: (round(one.low or 0, 9), round(one.high or 0, 9)) for name, one in moved.items()} == {
        ("length", "size", "4"): (-3, -3),
        ("length", "size", "5"): (0, 0),
        ("length", "size", "6"): (3, 3),
        ("length", "jam", "yes"): (1, 1),
        ("length", "jam", "no"): (-1, -1),
    }
    assert list(extremes(found)) == [("length", "size"), ("length", "jam")]
    assert strongest(found) == "length depends most on size (-3.0 with 4, +3.0 with 6)"
    unmoved = [one for one in found if one.value not in ("4", "6")]
    assert list(extremes(unmoved)) == [("length", "jam")]
    # A grid with a hole would lay the blame for one name on another.
    assert effects(AXES, cells[1:]) == ()
    assert effects(AXES[:1], cells) == ()


def captions_of(path: Path, settings: str) -> list[str]:
    """Returns the captions of the plots in the report of a study; every colour in them is one that people tell apart."""
    folder = begin(read_study(settings), path)
    assert all(run(folder, Alone()))
    html = page(report_of(folder))
    plots = re.findall(r"<figure>.*?</figure>", html, re.S)
    colours = {found.upper() for plot in plots for found in re.findall(r"#[0-9A-Fa-f]{6}\b", plot)}
    assert colours <= {colour.upper() for colour in (*COLOURS, GREY, "#000000", "#ffffff")}
    assert all("<svg" in plot for plot in plots)
    return [unescape(found) for found in re.findall(r"<figcaption>(.*?)</figcaption>", html)]


@pytest.mark.long
def test_each_plot_of_a_grid_has_a_sentence_beside_it(tmp_path: Path, nim: Path) -> None:
    study = f'game = "{nim}"\nbots = "random"\ngames = 60\nsampled = 10\n[vary]\nsize = [4, 9]\nmisere = ["no", "yes"]'
    found = captions_of(tmp_path / "grid", f'{study}\n[measure]\nleft = "heap"')
    assert [caption.partition(":")[0].partition(".")[0] for caption in found] == [
        "What each cell does, with intervals of 95 %",
        "How far each swept name moves the mean over all cells",
        "What differs from size=4, misere=no, on the same seeds",
        "How often each seat wins; the line is an equal share",
        "How long games are, in answers",
        "How numbers go over a game of size=4, misere=no",
        "How often each action is taken where it is offered",
    ]
    assert "length depends most on size (-" in found[1]
    assert "size=9, misere=no: shown: length +" in found[2]
    assert "left goes from 4.0 to 0.0 on average; at half-time" in found[5]


@pytest.mark.long
def test_a_variant_is_drawn_in_pairs_with_its_base_and_a_ladder_by_its_rungs(tmp_path: Path, nim: Path) -> None:
    study = f'game = "{nim}"\ngames = 12\nsampled = 0\n[vary]\n'
    found = captions_of(tmp_path / "pairs", f"bots = 'random'\n{study}game = ['{nim}', '{nim}+misere']")
    assert found[-3].startswith(f"How long games on the same seed are under game={nim} and under game={nim}+misere: ")
    assert found[-3].endswith("longer on 0 of 12 seeds, shorter on 0, as long on 12")
    found = captions_of(tmp_path / "ladder", f"{study}bots = ['mcts:2/mcts:1', 'mcts:4/mcts:2']")
    report = report_of(Folder(tmp_path / "ladder"))
    assert [(rung["lower"], rung["higher"]) for rung in data_of(report)["ladder"]] == [(1, 2), (2, 4)]
    drawn = {plot.caption.partition(".")[0]: plot.lines for plot in plots(report)}
    assert [line.split()[:3] for line in drawn["How often the higher one wins; ┊ is an equal share"]] == [
        ["2", "against", "1"],
        ["4", "against", "2"],
    ]
    assert any(
        caption.startswith("How often the higher one wins; ticks are equal shares. More thought wins ")
        for caption in found
    )
