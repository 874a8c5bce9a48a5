"""Drawn boards: which spaces there are, who lies next to whom, and how they look."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.screen.board import draw_map
from cli.screen.styles import Ink
from rulelang import api
from rulelang.scenarios.run import run_scenarios
from rulelang.screens.model import Map
from rulelang.screens.picture import picture

HEAD = """\
game tiny "Tiny":
  players 2

names p: Player

play:
  for p in players:
    p chooses one of:
      wait "Wait": settle

scenario "what lies where":
  players player1, player2
"""
CITY = """\
board City: graph
  map \"\"\"
    porto h: market gate
    market: castle
    castle: gate
    gate
    island
  \"\"\"
"""
SQUARE = """\
board Floor: square
  map \"\"\"
    . . .
    . _ .
    . . .
  \"\"\"
"""
RING = 'board Ring: ring\n  map """\n    . . . .\n  """\n'
TRACK = 'board Track: track\n  map """\n    . . . .\n  """\n'
HEX = 'board Comb: hex\n  map """\n    . . .\n    . . .\n    . . .\n  """\n'


@pytest.mark.parametrize(
    ("board", "claim"),
    [
        (CITY, "neighbours(porto) == {market, gate}"),
        (CITY, "neighbours(gate) == {porto, castle}"),
        (CITY, "distance(porto, castle) == 2"),
        (CITY, "distance(porto, island) == none"),
        (CITY, "connected(porto, castle, City - {market})"),
        (CITY, "not connected(porto, castle, City - {market, gate})"),
        (CITY, "count(City) == 5"),
        (SQUARE, "count(Floor) == 8"),
        (SQUARE, "neighbours(a1) == {b1, a2}"),
        (SQUARE, "distance(a2, c2) == 4"),
        (SQUARE, "step(a1, southeast) == none"),
        (SQUARE, "direction(a1, b1) == east and opposite(east) == west"),
        (RING, "step(d1, forward) == a1 and distance(a1, d1) == 1"),
        (TRACK, "step(d1, forward) == none and distance(a1, d1) == 3"),
        (HEX, "neighbours(b2) == {b1, c1, a2, c2, b3, c3}"),
        (HEX, "step(b1, southwest) == a2 and step(b2, southwest) == b3"),
    ],
)
def test_a_board_knows_what_lies_where(board: str, claim: str, tmp_path: Path) -> None:
    entry = tmp_path / "tiny.rules"
    entry.write_text(f"{HEAD}  expect {claim}\n\n{board}")
    found = api.check(entry)
    assert found.game is not None, [d.message for d in found.diagnostics]
    for executor in ("reference", "generated"):
        (result,) = run_scenarios(found.game, executor=executor)
        assert result.passed, result


@pytest.mark.parametrize(
    ("line", "message", "column"),
    [
        ("gate: markt", "`markt` has no line", 11),
        ("gate: gate", "`gate` is next to itself", 11),
        ("Gate", "this line names no space", 5),
        ("gate: market, harbour", "this line names no space", 5),
    ],
)
def test_a_faulty_line_of_a_graph_is_shown_where_it_stands(
    line: str, message: str, column: int, tmp_path: Path
) -> None:
    entry = tmp_path / "tiny.rules"
    entry.write_text(f'board City: graph\n  map """\n    market\n    {line}\n  """\n{HEAD}')
    fault = api.check(entry).diagnostics[0]
    assert (fault.code, fault.message, fault.span.place) == ("E0314", message, f"tiny.rules:4:{column}")


def test_a_mark_that_the_legend_does_not_have_is_shown_where_it_stands(tmp_path: Path) -> None:
    entry = tmp_path / "tiny.rules"
    legend = '  | mark | wet |\n  | "~"  | yes |\n'
    entry.write_text(f'board Sea: square\n  wet: flag\n  map """\n    . ~ .\n    . w .\n  """\n{legend}{HEAD}')
    (fault,) = api.check(entry).diagnostics
    assert (fault.code, fault.message, fault.span.place) == ("E0314", "the legend has no mark `w`", "tiny.rules:5:7")


def test_maps_that_are_too_large_together_are_refused(tmp_path: Path) -> None:
    entry = tmp_path / "tiny.rules"
    rows = "    . . . . . . . . . . . . . . . . . . . .\n" * 45
    maps = "".join(f'  map m{i} """\n{rows}  """\n' for i in range(5))
    entry.write_text(f"board Sea: square\n{maps}\n{HEAD}")
    fault = api.check(entry).diagnostics[0]
    assert (fault.code, fault.message) == ("E0313", "the maps of `Sea` have 4050000 pairs of spaces")


def test_a_graph_is_drawn_as_a_line_for_each_space(tmp_path: Path) -> None:
    entry = tmp_path / "tiny.rules"
    entry.write_text(f"{HEAD}\n{CITY}")
    match = api.load(entry).start(2, seed=0)
    (drawn,) = [part for part in picture(match, 0) if isinstance(part, Map)]
    assert [line.plain.rstrip() for line in draw_map(drawn, Ink(match.game.seats), 80)] == [
        "  porto   h  next to market, gate",
        "  market  .  next to porto, castle",
        "  castle  .  next to market, gate",
        "  gate    .  next to porto, castle",
        "  island  .",
    ]
