"""The course of a game's scores: what a viewer could know of it, and its drawing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.log.reading import read_log
from rulelang.log.replay import Replay
from rulelang.pages.drawings.plot import plot
from rulelang.pages.ink import Ink
from rulelang.session.after.course import ScoreCourse, course_of

GAME = """\
game pips "Pips":
  players 2
  seats red, blue

names p: Player

each Player has:
  pips: 0..20 = 0SEEN

value score(p) = p.pips

play:
  repeat 2 times:
    for p in Player:
      p chooses one of:
        take "Take two": p.pips += 2
        wait "Wait": p.pips += 0
  finish with winner red
"""


def _played(text: str, folder: Path) -> Replay:
    rules = folder / "pips.rules"
    rules.write_text(text)
    game = api.load(str(rules))
    match = game.start(2, seed=1)
    for answer in ("take", "take", "wait", "take"):
        match.play(answer)
    log = folder / "pips.jsonl"
    match.log.save(log)
    return api.replay(read_log(log), under=game)


@pytest.fixture
def ink() -> Ink:
    """The colours of two seats."""
    return Ink(("Red", "Blue"))


def test_each_seat_has_a_line_with_its_name_and_last_score(ink: Ink) -> None:
    drawn = plot(ScoreCourse((0, 1, 2), ((0, 2, 2), (0, 0, -4))), ("Red", "Blue"), ink)
    assert drawn.count("<polyline") == 2
    assert "Red 2" in drawn
    assert "Blue −4" in drawn
    assert 'aria-label="The course of the scores; at the end: Red 2, Blue -4"' in drawn


def test_a_score_that_was_unknown_for_a_while_leaves_a_gap(ink: Ink) -> None:
    drawn = plot(ScoreCourse((0, 1, 2, 3), ((1, None, 2, 3), (0, 0, 0, 0))), ("Red", "Blue"), ink)
    assert drawn.count("<polyline") == 3


def test_names_at_the_ends_of_lines_do_not_cover_each_other(ink: Ink) -> None:
    drawn = plot(ScoreCourse((0, 1), ((0, 5),) * 6), ("Red", "Blue", "a", "b", "c", "d"), ink)
    heights = {piece.partition('cy="')[2].partition('"')[0] for piece in drawn.split("<circle")[1:]}
    assert len(heights) == 6


def test_a_plot_of_one_position_and_one_score_is_drawn(ink: Ink) -> None:
    assert "nan" not in plot(ScoreCourse((0,), ((0,), (0,))), ("Red", "Blue"), ink)


def test_a_seat_sees_the_scores_that_it_could_follow(tmp_path: Path) -> None:
    again = _played(GAME.replace("SEEN", ""), tmp_path)
    assert course_of(again, 0) == ScoreCourse((0, 1, 2, 3, 4), ((0, 2, 2, 2, 2), (0, 0, 2, 2, 4)))


def test_a_hidden_score_is_no_part_of_anothers_course(tmp_path: Path) -> None:
    again = _played(GAME.replace("SEEN", ", seen by owner"), tmp_path)
    own = course_of(again, 0)
    assert own is not None
    assert own.scores[0] == (0, 2, 2, 2, 2)
    assert set(own.scores[1]) == {None}
    assert course_of(again, None) is None
    everything = course_of(again, None, sees_all=True)
    assert everything is not None
    assert everything.scores[1] == (0, 0, 2, 2, 4)
