"""What dice have shown since one's last choice is told apart: whose throw it was, and whether all saw it."""

from __future__ import annotations

from pathlib import Path

from cli.screen.styles import Styles
from cli.screen.summary import summary
from tests.games.written import game

RULES = """\
game luck "Luck":
  players 2
  seats red, blue

names p: Player
die d6: 1..6

each Player has:
  gold: 0..99 = 0
  hunch: 0..6 = 0, seen by owner

action dig(p) "{p} digs": p.gold += roll(d6)
action dream(p) "{p} dreams": p.hunch = roll(d6)

play:
  turns p from red: p chooses one of dig, dream
  finish with winner red

"""


def told(choices: tuple[str, ...], seat: int, folder: Path) -> str:
    """Returns what is told to a seat of some choices, in one paragraph."""
    match = game(RULES, folder).start(2, seed=1)
    for choice in choices:
        match.play(choice)
    styles = Styles(("Red", "Blue"))
    return "\n".join(text.plain for text in summary(match.view(seat).events, styles, 200, 20, frozenset()))


def test_throws_of_several_seats_say_whose_they_are(tmp_path: Path) -> None:
    assert "Red: the d6 shows 3; Blue too" in told(("red: dig", "blue: dig"), 0, tmp_path)


def test_a_throw_that_one_does_not_see_is_not_among_the_others(tmp_path: Path) -> None:
    assert "Red: the d6 shows ?. Blue: the d6 shows 3" in told(("red: dream", "blue: dig"), 1, tmp_path)


def test_throws_of_one_seat_need_no_name(tmp_path: Path) -> None:
    assert "Red: the d6" not in told(("red: dig",), 0, tmp_path)
