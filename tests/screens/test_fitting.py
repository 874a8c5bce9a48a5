"""Every choice fits a terminal of 80 columns and 24 rows, with its prompt: what has no room is folded."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import rulelang
from cli.play.person import Person
from cli.screen import draw
from rulelang.lab.bots import bot
from rulelang.screens.picture import picture
from rulelang.session.question import question
from rulelang.session.table import GameTable, begin

GAMES = ("outspeed", "empty_space", "exobase", "exit_velocity")
CHOICES = 12


def rows(table: GameTable, width: int, height: int) -> int:
    """Returns how many rows the screen and the first question of whoever is to choose take together, with rule and prompt."""
    match, seat = table.match, table.match.to_move[0]
    console = Console(width=width, height=height, file=io.StringIO(), color_system=None, force_terminal=True)
    person = Person(console, table)
    choice = match.choice
    assert choice is not None
    asked = person._question(seat, question(match.game, choice, tuple(match.options_of(seat))))
    screen = draw(picture(match, seat), person.styles, console, person._room(asked))
    return 2 + sum(len(console.render_lines(page, console.options, pad=False)) for page in (screen, asked))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_choices_fit_a_small_terminal(game: str) -> None:
    about = rulelang.load(game)
    players = max(2, about.players[0]) if about.players[1] > 1 else 1
    table = begin(about, game, players, (None,) + (bot("random"),) * (players - 1), seed=5)
    match = table.match
    for number in range(CHOICES):
        assert rows(table, 80, 24) <= 24, (number, match.choice)
        options = match.options_of(match.to_move[0])
        match.push(options[len(options) // 2])
