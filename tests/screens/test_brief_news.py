"""Where there is little room for news, what happens once is told before what happens again in a later phase."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from cli.play.person import Person
from cli.screen.styles import Styles
from cli.screen.summary import summary
from rulelang.session.table import GameTable
from tests.games.written import game

RULES = """game mine "Mine":
  players 1..1
  seats red "Red"

names p: Player

each Player has:
  gold: 0..99 = 0
  lamps: 0..9 = 9
  shifts: 0..9 = 0, untold

action dig(p, n: 1..9) "Dig {n}", "{p} digs {n}": p.gold += n

to go_dark(p) "The lamp of {p} goes out": p.lamps -= 1

phase shift "A shift":
  red chooses one of dig
  red chooses one of dig
  if red.shifts == 0: go_dark(red)
  red.shifts += 1

play:
  repeat while red.shifts < 8: shift()
  finish with winner red
"""


def test_what_happened_once_is_told_before_what_happened_again(tmp_path: Path) -> None:
    match = game(RULES, tmp_path).start(1, seed=1)
    for _ in range(2):
        for choice in ("dig(1)", "dig(2)"):
            match.play(choice)
    told = summary(match.view(0).events, Styles(("Red",)), 40, 2, frozenset())
    assert [line.plain for line in told] == [
        "A shift: The lamp of Red goes out.",
        "A shift: Red digs 1, digs 2.",
    ]


def test_the_news_and_the_screen_fit_the_window(tmp_path: Path) -> None:
    rules = game(RULES, tmp_path)
    match = rules.start(1, seed=1)
    for choice in ("dig(1)", "dig(2)"):
        match.play(choice)
    with (tmp_path / "shown").open("w+", encoding="utf-8") as file:
        console = Console(width=60, height=24, file=file, force_terminal=True, color_system=None)
        Person(console, GameTable(rules, "mine", match, match.header, (None,)))._present(0, 5)
        file.seek(0)
        shown = file.read().splitlines()
    assert len(shown) <= 6, "\n".join(shown)
    assert "The lamp of Red goes" in shown[0]


def test_what_one_did_again_and_again_is_listed_in_few_words(tmp_path: Path) -> None:
    rules = game(RULES.replace('"{p} digs {n}"', '"{p} goes on down to gallery {n}"'), tmp_path)
    match = rules.start(1, seed=1)
    for choice in ("dig(1)", "dig(4)"):
        match.play(choice)
    assert [line.plain for line in summary(match.view(0).events, Styles(("Red",)), 50, 2, frozenset())] == [
        "A shift: Red goes on down to gallery 1, 4. The lamp of Red goes out."
    ]
