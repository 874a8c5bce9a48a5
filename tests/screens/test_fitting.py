"""Every choice fits a terminal of 80 columns and 24 rows, with its prompt: what has no room is folded."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import rulelang
from cli.play.asking import question
from cli.play.person import Person
from cli.screen import draw
from rulelang.match.match import Match
from rulelang.screens.picture import picture

GAMES = ("outspeed", "empty_space", "exobase", "exit_velocity")
CHOICES = 12


def rows(match: Match, width: int, height: int) -> int:
    """Returns how many rows the screen and the first question of whoever is to choose take together, with rule and prompt."""
    seat = match.to_move[0]
    console = Console(width=width, height=height, file=io.StringIO(), color_system=None, force_terminal=True)
    person = Person(console, match, (seat,), Path, lambda seat: None)
    choice = match.choice
    assert choice is not None
    asked = person._question(seat, question(match.game, choice, tuple(match.options_of(seat))))
    screen = draw(picture(match, seat), person.ink, console, person._room(asked))
    return 2 + sum(len(console.render_lines(page, console.options, pad=False)) for page in (screen, asked))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_choices_fit_a_small_terminal(game: str) -> None:
    about = rulelang.load(game)
    match = about.start(max(2, about.players[0]) if about.players[1] > 1 else 1, 5)
    for number in range(CHOICES):
        assert rows(match, 80, 24) <= 24, (number, match.choice)
        options = match.options_of(match.to_move[0])
        match.push(options[len(options) // 2])
