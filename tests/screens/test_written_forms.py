"""What people read has names: no identifier, no call, no thing by its number stands in a sentence, on a screen, in an option."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from random import Random

import pytest
from rich.console import Console

import rulelang
from cli.screen import draw, narrate
from cli.screen.styles import Styles
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.match.refused import refused
from rulelang.screens.picture import picture
from tests.screens.pictures import about

PLAYED = {
    "outspeed": (4, 150),
    "empty_space": (3, 260),
    "empty_space+solo": (1, 150),
    "exobase": (1, 200),
    "exobase+draft": (1, 60),
    "exit_velocity": (5, 200),
    "exit_velocity+untimed": (3, 100),
}
"""Players, and choices at random."""
WRITTEN = re.compile(r"\b[A-Za-z]+_\w+|\b[A-Za-z]{2,}\d+\b|\w\((?!s\))|->|\bforced\b|-\d{6,}|\{|\}")
EVERY = 9
"""Screens are drawn, and refusals asked for, at every so many choices."""


def lines_of(match: BareMatch, seat: int, *, is_drawn: bool) -> Iterator[str]:
    """Yields what a seat that is asked reads."""
    yield match.prompt(seat) or ""
    shows = match.shown(seat)
    for option in match.options_of(seat).first(80):
        yield f"{option.label}   {shows(option)}"
    if is_drawn:
        console = Console(width=140, file=io.StringIO(), color_system=None)
        for looker in (seat, None):
            console.print(draw(picture(match, looker), Styles.of_match(match), console))
        assert isinstance(console.file, io.StringIO)
        yield from console.file.getvalue().splitlines()
        for option, reason in refused(match, Seat(seat)):
            yield option.label
            yield str(reason)


def is_written(line: str, own: frozenset[str]) -> list[str]:
    """Returns the written forms in a line, without the names of spaces and dice, which people use."""
    cited = re.sub(r"\[[^\]]*\]", "", line)
    return [found for found in WRITTEN.findall(cited) if found not in own]


@pytest.mark.long
@pytest.mark.parametrize("game", PLAYED)
def test_nothing_written_stands_where_people_read(game: str) -> None:
    players, choices = PLAYED[game]
    rules = rulelang.load(game) if "+" in game else about(game)
    boards = {board.kind for board in rules.ir.boards}
    own = frozenset(name for kind in rules.ir.kinds if kind.id in boards for name in kind.names) | frozenset(
        die.name for die in rules.ir.dice
    )
    rng, match, faults = Random(11), rules.start(players, 11), dict[str, str]()
    for number in range(choices):
        if not match.to_move:
            break
        for seat in match.to_move[:1]:
            for line in lines_of(match, seat, is_drawn=number % EVERY == 0):
                faults |= dict.fromkeys(is_written(line, own), line)
        match.push(rng.choice(match.options_of(match.to_move[0]).first(60)))
    for viewer in (None, 0):
        for told in narrate(match.events_for(viewer), Styles.of_match(match)):
            faults |= dict.fromkeys(is_written(told.plain, own), told.plain)
    assert not faults, "\n".join(f"{found}   in   {line}" for found, line in faults.items())
