"""ExoBase on a terminal: one screen of 100 x 40 shows all of it, narrower ones fold it."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

import rulelang
from cli.screen import draw
from cli.screen.styles import Styles
from rulelang.match.match import BareMatch
from rulelang.screens.ending import ending
from rulelang.screens.picture import picture
from tests.snapshots import TextFile

SEED = 1
ANSWERS = (Path(__file__).parent / "exobase_answers.txt").read_text().splitlines()
"""A whole game, an answer a line."""
MOMENTS = {"start": 0, "middle": 45, "end": len(ANSWERS)}


@cache
def after(answers: int) -> BareMatch:
    # The answers were found with the dice of that format.
    match = rulelang.Game(rulelang.load("exobase").internals.of_format(3)).start(1, SEED)
    for text in ANSWERS[:answers]:
        match.play(text)
    return match


def printed(match: BareMatch, width: int) -> list[str]:
    console = Console(width=width, color_system=None, markup=False, highlight=False, file=io.StringIO(), record=True)
    console.print(draw(picture(match, 0), Styles.of_match(match), console, 40))
    return [line.rstrip() for line in console.export_text().splitlines()]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("width", [100, 80])
def test_the_whole_state_is_on_one_screen(moment: str, width: int, snapshot: SnapshotAssertion) -> None:
    lines = printed(after(MOMENTS[moment]), width)
    assert "\n".join(lines) + "\n" == snapshot(extension_class=TextFile)
    assert max(map(len, lines)) <= width
    if width == 100:
        assert len(lines) <= 40


@pytest.mark.long
def test_no_moment_of_a_game_needs_more_than_forty_lines() -> None:
    match = after(0).fork()
    for text in ANSWERS:
        assert len(printed(match, 100)) <= 40, match.inputs
        match.play(text)


def test_the_log_names_the_task_card_that_is_kept() -> None:
    sentences = [event.sentence for event in after(len(ANSWERS)).events_for(None) if event.rule == "learn"]
    assert sentences == [("Li keeps the card of the deep mine",), ("Duarte keeps the card of the solar array",)]


@pytest.mark.parametrize("width", [60, 30])
def test_a_narrow_terminal_folds_it_and_cuts_no_edge(width: int) -> None:
    lines = printed(after(MOMENTS["middle"]), width)
    assert max(map(len, lines)) <= width
    assert any("greenhouse"[:5] in line for line in lines)


def test_a_lost_game_says_how_near_it_came() -> None:
    match, rng = rulelang.load("exobase").start(1, 3), Random(3)
    while match.to_move:
        match.push(rng.choice(match.options_of(0).first(60)))
    over = ending(match, 0)
    assert over is not None
    assert over.who == "The game is lost"
    assert re.search(r"[0-5] of 5 goods are at their goal, and the power station is at level [0-3] of 3", over.why)
