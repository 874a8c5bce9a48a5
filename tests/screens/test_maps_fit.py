"""Maps fit a terminal of 80 columns: long cells become signs, wide boards several parts; what has a direction says it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from cli.screen import draw
from cli.screen.styles import Styles
from rulelang import api
from rulelang.screens.picture import picture

HEAD = "game g:\n  players 2\nnames p: Player; s: Field; d: Direction\nboard Field: {}\n  map {}\n"
PLAY = (
    "play:\n  turns p from first_player:\n    p chooses s in Field, or pass\n    if round == 3: finish with winner {}\n"
)
QUOTES = '"""'


def screen(shape: str, rows: list[str], rest: str) -> list[str]:
    drawn = "\n".join([QUOTES, *(f"    {row}" for row in rows), f"  {QUOTES}"])
    text = HEAD.format(shape, drawn).replace("game g:", 'game g "G":') + rest + PLAY
    checked = api.check_text(text)
    assert checked.game is not None, checked.diagnostics
    match = checked.game.start(2, seed=1)
    console = Console(file=io.StringIO(), width=80, color_system=None)
    console.print(draw(picture(match, None), Styles.of_match(match), console))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


CROPS = """\
enum Crop: wheat "winter wheat of the north", rye "winter rye of the north", beet "sugar beet"
each Field has:
  crop: Crop? = none
setup:
  a1.crop = wheat
  b1.crop = rye
  c1.crop = beet
"""


@pytest.mark.parametrize("columns", [9, 19, 26])
def test_long_cells_and_wide_boards_fit(columns: int) -> None:
    lines = screen("square", [" ".join("." * columns)] * 2, CROPS)
    assert max(map(len, lines)) <= 80
    assert {name for line in lines for name in line.split()} >= set("abcdefghijklmnopqrstuvwxyz"[:columns])
    assert any("= winter wheat of the north" in line for line in lines)
    signs = [
        part.partition(" = ")[0].strip() for line in lines if " = " in line for part in line.split("   ") if "=" in part
    ]
    assert len(signs) == len(set(signs)) == 3


def test_what_lies_between_hexes_says_on_which_side() -> None:
    rest = "each Field has:\n  road(d): Player? = none\n  wall(d): flag = no\nsetup:\n  a1.road(east) = player1\n  b2.wall(west) = yes\n"
    drawn = "\n".join(screen("hex", [". . .", " . . ."], rest))
    assert "east player 1" in drawn
    assert "wall west" in drawn


MARKED = """
  kind: enum(forest, fields)
  | mark | kind   |
  | "f"  | forest |
  | "g"  | fields |
each Field has:
  n: 0..9 = 0
setup:
  for s in Field: s.n = 8
"""


def test_what_is_printed_on_a_space_stays_to_be_read_when_something_lies_there() -> None:
    lines = screen("square", ["f g", "g f"], MARKED.lstrip("\n"))
    assert [line.split() for line in lines[1:3]] == [["1", "f", "8", "g", "8"], ["2", "g", "8", "f", "8"]]
    assert "f: forest   g: fields" in lines


def test_a_board_of_squares_with_edges_shows_its_marks() -> None:
    rest = MARKED.replace("setup:\n  for s in Field: s.n = 8\n", "").lstrip("\n") + "board Wall: edges of Field\n"
    rest += "each Wall has:\n  built: flag = no\n"
    assert any("|   a1 f  |   b1 g  |" in line for line in screen("square", ["f g", "g f"], rest))
