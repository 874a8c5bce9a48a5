"""Edges and corners of squares and hexes are spaces of boards of their own, and are drawn with the board that has them."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from cli.screen import draw
from cli.screen.styles import Styles
from rulelang import api
from rulelang.ir.types import SetType
from rulelang.pages.drawings.board import board
from rulelang.pages.ink import Ink
from rulelang.pages.targets import ClickTarget, Targets
from rulelang.scenarios.run import run_scenarios
from rulelang.screens.model import Map
from rulelang.screens.picture import picture
from rulelang.screens.touched import place_of
from rulelang.semantics.names.scope import ColumnName
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from rulelang.workspace.workspace import Workspace

HEX = ("     . .", "    . . .", "     . .")
SQUARE = ("    . . .", "    . . .")
MAPS = {"hex": HEX, "square": SQUARE}
BOARDS = "board Road: edges of Land\nboard Site: corners of Land\n"


def land(shape: str, rows: tuple[str, ...], more: str = "") -> str:
    drawn = "\n".join(('  map """', *rows, '  """'))
    return (
        f'game isle "Isle":\n  players 2\n  seats red, blue\nnames p: Player; s: Land; r: Road; c, d: Site\n'
        f"{BOARDS}board Land: {shape}\n{drawn}\n"
        "each Road has:\n  owner: Player? = none\neach Site has:\n  town: Player? = none\n"
        'action build(p, r) "Build at {r}":\n  needs r.owner == none  "Taken"\n  r.owner = p\n'
        'action found(p, c) "Found {c}":\n  needs all(d.town == none for d in neighbours(c))  "Too near"\n  c.town = p\n'
        "play:\n  turns p from red:\n    p chooses one of build, found\n"
        f"    if round == 6: finish with ranking p in players by highest count(r in Road if r.owner == p)\n{more}"
    )


def checked(text: str) -> api.Game:
    found = api.check_text(text)
    assert found.game is not None, found.diagnostics
    assert not found.diagnostics
    return found.game


@pytest.mark.parametrize("claim", [
    "count(Road) == 30 and count(Site) == 24 and count(b2.edges) == 6 and count(b2.corners) == 6",
    "a1_east == b1_west and b2_north == a1_southeast and b2_north == b1_southwest",
    "b2_north.spaces == {a1, b1, b2} and b2_north.edges == {a1_east, a1_southeast, b1_southwest}",
    "a1_east.spaces == {a1, b1} and a1_east.corners == {b1_northwest, b1_southwest} and a1_west.spaces == {a1}",
    "neighbours(a1_north) == {a1_northwest, a1_northeast} and distance(a1_north, b2_north) == 2 and distance(a1_north, a3_south) == 7",
    "neighbours(Road.a1_west) == {Road.a1_northwest, Road.a2_northeast, Road.a2_northwest}",
    "all(count(r.corners) == 2 for r in Road) and all(d in neighbours(c) for c in Site, r in c.edges, d in r.corners if d != c)",
    "region(a1_north, b1.corners + {a1_north}) == {a1_north} + b1.corners",
])  # fmt: skip
def test_what_lies_at_the_edges_and_corners_of_hexes(claim: str) -> None:
    outcomes = run_scenarios(checked(land("hex", HEX, f'scenario "so":\n  expect {claim}\n')))
    assert [fault for one in outcomes for fault in one.faults] == []


@pytest.mark.parametrize(
    ("shape", "rows", "holes"),
    [
        ("hex", HEX, 0),
        ("square", SQUARE, 0),
        ("hex", ("    . . .", "     . .", "    . _ ."), 0),
        ("square", ("    . . .", "    . _ .", "    . . ."), 1),
        ("hex", ("     . .", "    . _ .", "     . ."), 1),
    ],
)
def test_corners_edges_and_spaces_are_as_many_as_euler_says(shape: str, rows: tuple[str, ...], holes: int) -> None:
    kinds = {kind.name: kind.size for kind in checked(land(shape, rows)).ir.kinds}
    assert kinds["Site"] - kinds["Road"] + kinds["Land"] == 1 - holes


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        ("board Road: edges of Lamd\n", "no board named `Lamd`"),
        ("board Road: sides of Land\n", "sides"),
        ("board Road: edges of Land\nboard Way: edges of Land\n", "are the spaces of `Road`"),
        ("board Road: edges of Land\nboard End: corners of Road\n", "only squares and hexes have corners"),
        ("board Road: edges of Ring\nboard Ring: ring\n  map \"\"\"\n    . .\n  \"\"\"\n", "only squares and hexes have edges"),
        ('board Road: edges of Land\nmap one of Road """\n  . .\n"""\n', "drawn with"),
        ('board Sea: square\n  | mark |\n  | "."  |\nmap one of Sea """\n  .\n"""\nmap two of Sea """\n  . .\n"""\nboard Road: edges of Sea\n', "several maps"),
        ('board Road: edges\n  map """\n    . .\n  """\n', "the edges of which board?"),
    ],
)  # fmt: skip
def test_boards_without_such_edges_are_refused_in_words(boards: str, told: str) -> None:
    drawn = '  map """\n    . .\n  """\n'
    text = f'game isle "Isle":\n  players 2\nboard Land: square\n{drawn}{boards}play:\n  finish with winner {{}}\n'
    found = api.check_text(text).diagnostics
    assert any(told in one.message for one in found), [one.message for one in found]
    assert all(one.code in ("E0314", "E0201", "W0524") for one in found), found


def test_fmt_keeps_them_and_a_clause() -> None:
    text = "board Road  :  edges of Land [L-1]\nboard Site:corners   of Land\n"
    first, second = format_source(SourceText("isle.rules", text)).splitlines()
    assert (first.split(), second) == (
        ["board", "Road:", "edges", "of", "Land", "[L-1]"],
        "board Site: corners of Land",
    )


@pytest.mark.parametrize("shape", ["hex", "square"])
def test_all_executors_play_the_same_on_them(shape: str) -> None:
    game = checked(land(shape, MAPS[shape]))
    lengths = {
        executor: game.playouts(6, seed=2, executor=executor) for executor in ("reference", "generated", "native")
    }
    assert len({tuple(found.winners) for found in lengths.values()}) == 1
    assert not any(found.faults for found in lengths.values())


SETUP = """
setup:
  a1_east.owner = red
  b2_{0}.town = red
  b2_south{1}.owner = blue
"""
TERMINAL = {
    "hex": """\
          / · \\     / · \\
       ·    a1   ·    b1   ·
       |         r         |
    /  ·  \\   /  r  \\   /  ·  \\
  ·    a2   ·    b2   ·    c2   ·
  |         |         |         |
  · \\     / · b     / · \\     / ·
       ·    a3   ·    b3   ·
       |         |         |
       ·  \\   /  ·  \\   /  ·
            ·         ·
  r = red   b = blue""",
    "square": """\
  ·    -    ·    -    ·    -    ·
  |    a1   r    b1   |    c1   |
  ·    -    ·    -    r    -    ·
  |    a2   |    b2   |    c2   |
  ·    -    ·    b    ·    -    ·
  r = red   b = blue""",
}


@pytest.mark.parametrize(("shape", "corner", "side"), [("hex", "north", "west"), ("square", "northeast", "")])
@pytest.mark.parametrize("screen", ["", 'screen:\n  map Road: "{r.owner}"\n  map Site: "{c.town}"\n'])
def test_they_are_drawn_where_they_are(shape: str, corner: str, side: str, screen: str) -> None:
    match = checked(land(shape, MAPS[shape], SETUP.format(corner, side) + screen)).start(2, seed=1)
    parts = picture(match, None)
    (drawn,) = (part for part in parts if isinstance(part, Map))
    console = Console(file=io.StringIO(), width=80, color_system=None)
    console.print(draw((drawn,), Styles(("red", "blue")), console))
    assert isinstance(console.file, io.StringIO)
    assert "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) == TERMINAL[shape]
    page = board(drawn, "isle", Ink(("red", "blue")), Targets())
    assert page.count('class="border ink-red"') == page.count('class="border ink-blue"') == 1
    assert page.count('class="point"') == len([cell for cell in drawn.borders if len(cell.border) == 1])
    assert 'id="isle-Road-a1_east"' in page
    assert 'data-piece="piece red"' in page


def test_an_edge_that_can_be_chosen_has_a_wider_line_for_the_click() -> None:
    match = checked(land("square", SQUARE)).start(2, seed=1)
    (drawn,) = (part for part in picture(match, None) if isinstance(part, Map))
    places = (place_of(*cell.stands_for) for cell in drawn.borders if cell.stands_for is not None)
    targets = Targets({place: ClickTarget("answer", "Build") for place in places if place is not None})
    page = board(drawn, "isle", Ink(("red", "blue")), targets)
    chosen = re.findall(r'<g [^>]*data-choose="[^>]*>(?:(?!</g>).)*class="reach"', page)
    assert len(chosen) == page.count('class="reach"') == page.count('class="border"') == 17
    assert 'class="reach"' not in board(drawn, "isle", Ink(("red", "blue")), Targets())


def test_a_variant_prints_them_in_cells() -> None:
    kind = 'kind Port "port":\n  at: Road\n  | name | at |\n  | pier | a1_west |\n'
    text = land("hex", HEX, f'{kind}variant other of isle "Other":\n  in Port if at == a1_west: at = b1_east\n')
    game = api.check_text(text + '  scenario "so":\n    expect pier.at == b1_east\n', ("other",)).game
    assert game is not None
    assert all(one.passed for one in run_scenarios(game))


def test_the_sets_of_a_space_are_of_the_other_boards() -> None:
    world = checked(land("hex", HEX)).internals.world
    found = {
        key
        for key, meaning in world.owned.items()
        if isinstance(meaning, ColumnName) and isinstance(meaning.type, SetType)
    }
    assert found == {
        ("Land", "edges"), ("Land", "corners"), ("Road", "spaces"), ("Road", "corners"), ("Site", "spaces"), ("Site", "edges")
    }  # fmt: skip


def test_an_editor_finds_the_board_that_has_them(tmp_path: Path) -> None:
    path = tmp_path / "isle.rules"
    path.write_text(text := land("hex", HEX))
    session = Workspace()
    used = [span.start for span in session.uses(path, path, text.index("Land: hex"))]
    assert text.index("edges of Land") + len("edges of ") in used
