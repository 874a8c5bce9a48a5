"""How long games are, what leads and who is left with nothing to decide: figures of games that are written down by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from rulelang.studies.figures.choosing import actions, choices, reach  # noqa: E402
from rulelang.studies.figures.courses import courses  # noqa: E402
from rulelang.studies.figures.lengths import lengths  # noqa: E402
from rulelang.studies.figures.tables import CellTables  # noqa: E402
from rulelang.studies.figures.tension import tension  # noqa: E402
from rulelang.studies.reports.report import report_of  # noqa: E402
from rulelang.studies.reports.sentences import sentences  # noqa: E402
from rulelang.studies.run import begin, run  # noqa: E402
from rulelang.studies.study import read_study  # noqa: E402
from rulelang.studies.workers import Alone  # noqa: E402


def columns(**given: Any) -> dict[str, Any]:
    return {name: np.array(values) for name, values in given.items()}


def games(*answers: int, rounds: Any = None, won: Any = None, seats: int = 2) -> dict[str, Any]:
    """Returns the table of games of these lengths; the first seat wins each, unless `won` says who does."""
    numbers = np.repeat(np.arange(len(answers)), seats)
    won = np.tile(np.eye(seats)[0], len(answers)) if won is None else np.array(won, dtype=float)
    found = columns(game=numbers, block=numbers, seat=np.tile(np.arange(seats), len(answers)), won=won)
    found |= columns(answers=np.repeat(answers, seats), score=np.full(len(numbers), np.nan))
    return found | columns(rounds=np.repeat([np.nan] * len(answers) if rounds is None else rounds, seats))


def test_answers_decisions_and_rounds_are_counted_alike_with_targets_and_caps() -> None:
    decisions = columns(game=[0, 0, 0, 1, 1], answer=[0, 1, 2, 0, 1], options=[3, 1, 2, 2, 4])
    tables = {"games": games(3, 2, rounds=[2.0, 5.0]), "decisions": decisions}
    goals = {"length": 4.0, "rounds": 2.0}, {"decisions": 1.0, "rounds": 4.0}
    found = dict(lengths(CellTables(("a", "b"), tables, (), *goals)))
    told = {name: one.estimate for name, one in found.items()}
    assert (told["length"], told["decisions"], told["rounds"]) == (2.5, 2.0, 3.5)
    assert (told["distance(length)"], told["distance(rounds)"]) == (1.5, 1.5)
    assert (told["above(decisions)"], told["above(rounds)"]) == (1.0, 0.5)
    assert (told["rounds_median"], told["rounds_p90"], round(told["rounds_spread"], 3)) == (3.5, 4.7, 0.429)


def test_only_decisions_of_those_who_do_not_win_are_dead_time_and_turnovers_are_told_per_100_of_all() -> None:
    # Seat 0 wins, and its value stays at 0.9 from answer 2 on; of what is left, answers 3 and 5 are seat 1's, one of them a decision.
    first = [0.5, 0.2, 0.95, 1.0, 0.95, 1.0]
    values = columns(
        game=[0] * 12,
        answer=np.repeat(np.arange(6), 2),
        seat=[0, 1] * 6,
        value=np.array([[one, 1 - one] for one in first]).ravel(),
        error=np.zeros(12),
        score=np.full(12, np.nan),
    )
    decisions = columns(game=[0] * 6, answer=range(6), seat=[0, 1] * 3, options=[2, 2, 3, 2, 1, 1])
    found = dict(tension(CellTables(("a", "b"), {"games": games(6), "values": values, "decisions": decisions})))
    assert found["decided_at"].estimate == pytest.approx(2 / 6)
    assert found["decided_left"].estimate == 1
    assert (found["turnovers"].estimate, found["turnovers_per_100"].estimate) == (1, 25)


def test_a_lead_that_several_share_from_the_start_is_no_leader_who_loses_it() -> None:
    # Three seats: a and b lead together, then c alone, then b alone.
    values = np.array([[0.45, 0.45, 0.1], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1]])
    rows = columns(
        game=[0] * 9, answer=np.repeat([0, 1, 2], 3), seat=[0, 1, 2] * 3, value=values.ravel(), error=[0] * 9
    )
    rows["score"] = np.full(9, np.nan)
    decisions = columns(game=[0] * 3, answer=range(3), seat=[0, 1, 2], options=[2] * 3)
    tables = {"games": games(3, seats=3, won=[0, 1, 0]), "values": rows, "decisions": decisions}
    assert dict(tension(CellTables(("a", "b", "c"), tables)))["turnovers"].estimate == 1


def test_the_number_of_options_the_margin_and_what_is_hidden_have_a_course() -> None:
    decisions = columns(game=[0] * 3, answer=range(3), seat=[0, 1, 0], options=[2, 5, 4], margin=[0.0, 3.0, 1.0])
    decisions |= columns(repeated=[0, 0, 1], leader=[np.nan, 1, 1])
    looks = columns(game=[0, 0], answer=[0, 2], seat=[0, 0], hidden=[4, 1], cells=[8, 8])
    cell = CellTables(("a", "b"), {"games": games(3), "decisions": decisions, "looks": looks})
    found = {name: one.estimate for name, one in (*courses(cell), *choices(cell))}
    assert (found["options.rise"], found["margin.highest"], found["margin.slope"]) == (3, 3, 0.5)
    assert (found["hidden.change"], found["hidden.mean"]) == (-0.375, 0.3125)


def test_an_action_that_nobody_takes_has_an_upper_bound_by_how_often_it_was_offered() -> None:
    rows = columns(game=[0, 0, 1, 1], seat=[0, 0, 0, 0], action=["go", "jump"] * 2, offered=[40, 3, 60, 2])
    rows |= columns(taken=[40, 0, 60, 0], won=[1.0, 1.0, 0.0, 0.0])
    found = dict(actions(CellTables(("a", "b"), {"games": games(40, 60), "actions": rows})))
    assert (found["offered(jump)"].estimate, found["taken(go)"].estimate) == (2.5, 50)
    assert found["won_with(go)"].estimate == 0.5
    assert found["use(jump)"].estimate == 0
    assert found["use(jump)"].high is not None
    assert found["use(jump)"].high > 0.3


def test_a_rule_is_reached_if_it_began_in_any_game() -> None:
    count = 400
    rows = columns(game=np.repeat(np.arange(count), 2), rule=["rare", "never"] * count, times=[0] * 2 * count)
    rows["times"][0] = 1
    found = dict(reach(CellTables(("a", "b"), {"games": games(*[4] * count), "rules": rows})))["reach"]
    assert (found.estimate, found.low, found.high) == (0.5, 0.5, 0.5)


def test_a_study_says_how_far_its_games_are_from_what_is_wanted(tmp_path: Path, nim: Path) -> None:
    text = f'game = "{nim}"\nbots = "random"\ngames = 60\nsampled = 60\n[target]\nlength = 6\nrounds = 3\n[cap]\nlength = 7'
    folder = begin(read_study(text), tmp_path / "out")
    assert all(run(folder, Alone()))
    report = report_of(folder)
    metrics = report.cells[0].metrics
    assert 0 <= metrics["rounds"].estimate - metrics["length"].estimate / 2 <= 1
    told = [sentence for sentence in sentences(report) if " of a game is " in sentence or " is above " in sentence]
    assert len(told) == 3
    assert report.study == read_study(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[target]\nlenght = 6", "no length is called 'lenght'; did you mean length?"),
        ('[cap]\nlength = "long"', "length is a number above 0, such as length=40; not 'long'"),
    ],
)
def test_a_length_that_is_none_is_refused(text: str, told: str) -> None:
    from rulelang.errors import InvalidInput

    with pytest.raises(InvalidInput, match=told):
        read_study(f'game = "nim"\n{text}')


def test_a_bot_may_play_the_games_that_value_a_position(tmp_path: Path, nim: Path) -> None:
    """From any heap but 4 and 8, whoever leaves a multiple of 4 wins for certain against one who does the same."""
    (tmp_path / "mine.py").write_text(
        "def best(seen):\n    heap = seen.view()['heap'].value\n"
        "    return f'take({heap % 4})' if heap % 4 else seen.options.first(1)[0]\n"
    )
    values = f'values = 4\nvalues_by = "{tmp_path / "mine.py"}:best"\n[vary]\nsize = [7]'
    folder = begin(read_study(f'game = "{nim}"\nbots = "random"\ngames = 8\nsampled = 8\n{values}'), tmp_path / "out")
    assert all(run(folder, Alone()))
    found = folder.table("values", 0).to_pylist()
    assert {row["value"] for row in found} == {0.0, 1.0}
    assert all(row["value"] == (row["seat"] == 0) for row in found if row["answer"] == 0)
    worths = {row["action"] for row in folder.table("worths", 0).to_pylist() if row["worth"] == 1.0}
    assert worths == {"take(1)", "take(2)", "take(3)"}
