"""Drawn boards: which spaces there are, who lies next to whom, and how they look."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.screen.board import draw_map
from cli.screen.styles import Styles
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


NEAR_CORNERS = SQUARE.replace("square", "square with diagonals")
MAPS = """\
board Sea: square{}
  deep: flag
map bay of Sea \"\"\"
  . .
  . .
\"\"\"
map strait of Sea \"\"\"
  . . .
  . _ .
\"\"\"
option where: map of Sea = strait
"""


@pytest.mark.parametrize(
    ("board", "claim"),
    [
        (SQUARE, "neighbours(a1) == {b1, a2} and direction(a1, b1) == east and distance(a1, c3) == 4"),
        (NEAR_CORNERS, "neighbours(b1) == {a1, c1, a2, c2} and distance(a1, c3) == 3 and distance(a2, b1) == 1"),
        (NEAR_CORNERS, "connected(b1, b3, {b1, a2, b3}) and distance(b1, b3, Floor) == 2"),
        (SQUARE, "not connected(b1, b3, {b1, a2, b3})"),
        (SQUARE, "neighbours(a1, {southeast}) == {} and neighbours(b1, {southeast, southwest, north}) == {a2, c2}"),
        (NEAR_CORNERS, "neighbours(b1, {east, west}) == {a1, c1} and neighbours(a1, {}) == {}"),
        (SQUARE, "distance(a1, c3, Floor, Direction) == 3 and distance(a1, c3, Floor, {east, south}) == 4"),
        (SQUARE, "distance(c3, a1, Floor, {east, south}) == none and connected(a1, c3, Floor, {east, south})"),
        (SQUARE, "not connected(c3, a1, Floor, {east, south}) and connected(a1, a1, Floor, {})"),
        (
            SQUARE,
            "distance(b1, b3, {b1, a2, b3}, {southwest, southeast}) == 2 and distance(a1, b1, {a1}, Direction) == none",
        ),
        (SQUARE, "all(neighbours(s, {d}) == {step(s, d)} for s in Floor, d in Direction)"),
        (
            SQUARE,
            "all(neighbours(s, {d in Direction if direction(s, n) == d}) == {n} for s in Floor, n in neighbours(s))",
        ),
        (
            SQUARE,
            "all(distance(s, n, Floor, Direction - {d}) > 1 for s in Floor, n in Floor, d in Direction if step(s, d) == n)",
        ),
        (SQUARE, "all(region(s, Floor - {b1}) == {t in Floor if connected(s, t, Floor - {b1})} for s in Floor)"),
        (SQUARE, "region(a1, {}) == {} and region(a1, {a1, c3}) == {a1} and region(a1, {b1, c1}) == {}"),
        (SQUARE, "region(b1, Floor, {east, south}) == {t in Floor if connected(b1, t, Floor, {east, south})}"),
        (CITY, "region(porto, City - {market, gate}) == {porto} and count(region(porto, City)) == 4"),
        (MAPS.format(""), "region(a1, Sea) == {t in Sea if connected(a1, t, Sea)}"),
        (RING, "neighbours(a1, {forward}) == {b1} and distance(a1, d1, Ring, {forward}) == 3"),
        (TRACK, "neighbours(b1, {backward}) == {a1} and not connected(b1, a1, Track, {forward})"),
        (HEX, "neighbours(b2, {northeast, west}) == {a2, c1} and distance(a1, c1, Comb, {southeast, northeast}) == 4"),
        (MAPS.format(""), "distance(a1, c2) == 3 and direction(a1, b1) == east and direction(a1, c1) == none"),
        (MAPS.format(""), "neighbours(a1, {east, southeast}) == {b1} and connected(a1, c2, Sea, {east, south})"),
        (MAPS.format(""), "not connected(a2, c2, Sea, {east}) and distance(a1, a2, Sea, {east}) == none"),
        (MAPS.format(" with diagonals"), "neighbours(b1) == {a1, c1, a2, c2} and distance(a2, c2) == 2"),
    ],
)
def test_what_lies_next_to_a_space_is_said_by_the_board_or_the_call(board: str, claim: str, tmp_path: Path) -> None:
    holds(claim, board, tmp_path)


@pytest.mark.parametrize("board", [SQUARE, NEAR_CORNERS, MAPS.format(""), HEX, RING])
def test_rules_and_scenarios_say_the_same_of_directions(board: str, tmp_path: Path) -> None:
    name = board.split()[1].rstrip(":")
    rules = f"""
the game has:
  some: set of Direction = {{d in Direction if d != first(Direction)}}
value near(s: {name}) = neighbours(s, some)
value way(s: {name}, t: {name}) = distance(s, t, {name}, some)
value joined(s: {name}, t: {name}) -> flag = connected(s, t, {name}, some)
"""
    claims = (
        f"all(near(s) == {{step(s, d) for d in some}} for s in {name})",
        f"all((way(s, t) != none) == joined(s, t) for s in {name}, t in {name})",
        f"all(way(s, t) == 1 for s in {name}, t in near(s) if t != s)",
        f"all(way(s, t) == distance(s, t, {name}, some) for s in {name}, t in {name})",
    )
    holds(" and ".join(claims), board + rules, tmp_path)


@pytest.mark.parametrize(
    ("rules", "code", "message"),
    [
        (
            'board City: hex with diagonals\n  map """\n    . .\n     . .\n  """\n',
            "E0314",
            "only squares have diagonals",
        ),
        (f"{CITY}value near(s: City) = neighbours(s, {{}})\n", "E0303", "`City` is a graph and has no directions"),
        (f"{SQUARE}value near = neighbours(a1, b1)\n", "E0301", "expected set of Floor direction, found Floor"),
        (
            f"{SQUARE}value near = neighbours(a1, {{b1}})\n",
            "E0301",
            "expected set of Floor direction, found set of Floor",
        ),
        (f"{SQUARE}value near = neighbours()\n", "E0207", "`neighbours` does not take 0 arguments"),
        (f"{SQUARE}value near = connected(a1, b1)\n", "E0207", "`connected` does not take 2 arguments"),
        (
            f"{SQUARE}value near = distance(a1, b1, {{north}})\n",
            "E0301",
            "expected set of Floor, found set of Floor direction",
        ),
        (
            f"{SQUARE}value near = neighbours(north)\n",
            "E0303",
            "`neighbours` takes a board's space, found Floor direction",
        ),
        (f"{SQUARE}value near = opposite(a1)\n", "E0303", "`opposite` takes a direction, found Floor"),
    ],
)
def test_what_a_board_does_not_have_is_refused(rules: str, code: str, message: str, tmp_path: Path) -> None:
    entry = tmp_path / "tiny.rules"
    entry.write_text(f"{rules}{HEAD}")
    assert [(d.code, d.message) for d in api.check(entry).diagnostics] == [(code, message)]


EVEN_SHIFTED = (". . .", " . . .", ". . .")
ODD_SHIFTED = (" . . .", ". . .", " . . .")
RHOMBUS = (". . .", " . . .", "  . . .")
OTHER_RHOMBUS = ("  . . .", " . . .", ". . .")
HEXAGON = ("  . . .", " . . . .", ". . . . .", " . . . .", "  . . .")


def comb(*rows: str, margin: str = "    ", end: str = "\n") -> str:
    """A hex board as it is drawn."""
    return end.join(["board Comb: hex", '  map """', *(margin + row for row in rows), '  """', ""])


def holds(claim: str, rules: str, folder: Path, head: str = HEAD) -> None:
    """Asserts that an expectation holds of some rules, on both executors."""
    entry = folder / "tiny.rules"
    entry.write_bytes(f"{head}  expect {claim}\n\n{rules}".encode())
    found = api.check(entry)
    assert found.game is not None, [d.message for d in found.diagnostics]
    for executor in ("reference", "generated"):
        for result in run_scenarios(found.game, executor=executor):
            assert result.passed, result


@pytest.mark.parametrize(
    ("rows", "claim"),
    [
        (EVEN_SHIFTED, "neighbours(b2) == {b1, c1, a2, c2, b3, c3}"),
        (ODD_SHIFTED, "neighbours(b2) == {a1, b1, a2, c2, a3, b3}"),
        (RHOMBUS, "neighbours(b2) == {b1, c1, a2, c2, a3, b3}"),
        (OTHER_RHOMBUS, "neighbours(b2) == {a1, b1, a2, c2, b3, c3}"),
        (HEXAGON, "neighbours(c3) == {b2, c2, b3, d3, b4, c4} and count(Comb) == 19"),
        (HEXAGON, "neighbours(a3) == {a2, b3, a4} and distance(a1, e3) == 4 and distance(a1, c5) == 4"),
        (RHOMBUS, "distance(a1, c3) == 4 and distance(c1, a3) == 2"),
        (OTHER_RHOMBUS, "distance(a1, c3) == 2 and distance(c1, a3) == 4"),
        (EVEN_SHIFTED, "distance(a1, c3) == 3 and distance(c1, a3) == 3"),
        (RHOMBUS, "step(b1, southwest) == a2 and step(b1, southeast) == b2 and direction(a3, b2) == northeast"),
        (ODD_SHIFTED, "step(b1, southwest) == b2 and step(a1, northwest) == none"),
        (("A: . .", "B:  . .", "C:   . ."), "neighbours(B1) == {A1, A2, B2, C1}"),
        (("3: . .", "2:  . .", "1:   . ."), "neighbours(a2) == {a3, b3, b2, a1}"),
        ((" 9: . .", "10:  . .", "11:   . ."), "neighbours(a10) == {a9, b9, b10, a11}"),
        (("9:  . .", "10:  . .", "11:   . ."), "neighbours(a10) == {a9, b9, b10, a11}"),
        (("9: . .", "10:  . .", "11:   . ."), "neighbours(a10) == {a9, b9, b10, a11}"),
        ((".   .   .", "  .   .   .", "    .   .   ."), "neighbours(b2) == {b1, c1, a2, c2, a3, b3}"),
        ((".  .  .", " .  .  .", "   .  .  .", "    .  .  ."), "neighbours(b2) == {b1, c1, a2, c2, a3, b3}"),
        (("_ . .", " . _ .", "  . . ."), "neighbours(c1) == {b1, c2} and distance(b1, b3) == 3"),
        (("_ _ _", " . . .", "  . . ."), "neighbours(b2) == {a2, c2, a3, b3}"),
        ((". .", "", ". .", " . ."), "neighbours(a3) == {b3, a4} and distance(a1, a3) == none"),
        (("    A: . .", "    B:  . ."), "neighbours(B1) == {A1, A2, B2}"),
    ],
)
def test_a_hex_map_is_read_as_it_is_drawn(rows: tuple[str, ...], claim: str, tmp_path: Path) -> None:
    holds(claim, comb(*rows), tmp_path)


@pytest.mark.parametrize("rows", [EVEN_SHIFTED, ODD_SHIFTED, RHOMBUS, OTHER_RHOMBUS, HEXAGON])
def test_a_hex_map_says_the_same_with_other_line_ends_and_margins(rows: tuple[str, ...], tmp_path: Path) -> None:
    claim = (
        "all(distance(a, b) == 1 and direction(b, a) == opposite(direction(a, b)) for a in Comb, b in neighbours(a))"
    )
    holds(claim, comb(*rows, end="\r\n"), tmp_path)
    holds(claim, comb(*rows, margin="  "), tmp_path)


def test_the_margin_of_a_map_is_no_offset_whatever_ends_its_lines(tmp_path: Path) -> None:
    holds("a1.column == 1 and neighbours(a1) == {b1, a2}", SQUARE.replace("\n", "\r\n"), tmp_path)


def test_each_map_of_a_hex_board_is_read_on_its_own(tmp_path: Path) -> None:
    maps = (("even", EVEN_SHIFTED), ("slanted", RHOMBUS))
    drawn = "".join(
        f'map {name} of Comb """\n' + "".join(f"  {row}\n" for row in rows) + '"""\n' for name, rows in maps
    )
    board = f"board Comb: hex\n  wet: flag\n{drawn}option where: map of Comb = even\n"
    holds("neighbours(b2) == {b1, c1, a2, c2, b3, c3}", board, tmp_path)
    slanted = HEAD.replace('where":', 'where" with where = slanted:')
    holds("neighbours(b2) == {b1, c1, a2, c2, a3, b3} and distance(a1, c3) == 4", board, tmp_path, slanted)
    match = api.load(tmp_path / "tiny.rules").start(2, seed=0, options={"where": "slanted"})
    assert shown(match)[1:] == ["  1  .  .  .", "  2   .  .  .", "  3     .  .  ."]


def shown(match: api.Match) -> list[str]:
    (drawn,) = [part for part in picture(match, 0) if isinstance(part, Map)]
    return [line.plain.rstrip() for line in draw_map(drawn, Styles(match.game.seats), 80)]


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (EVEN_SHIFTED, ["     a  b  c", "  1  .  .  .", "  2   .  .  .", "  3  .  .  ."]),
        (ODD_SHIFTED, ["      a  b  c", "  1   .  .  .", "  2  .  .  .", "  3   .  .  ."]),
        (RHOMBUS, ["     a  b  c", "  1  .  .  .", "  2   .  .  .", "  3     .  .  ."]),
        (OTHER_RHOMBUS, ["        a  b  c", "  1     .  .  .", "  2   .  .  .", "  3  .  .  ."]),
    ],
)
def test_the_screen_shifts_rows_of_hexes_as_the_map_does(
    rows: tuple[str, ...], lines: list[str], tmp_path: Path
) -> None:
    entry = tmp_path / "tiny.rules"
    entry.write_text(f"{HEAD}\n{comb(*rows)}")
    assert shown(api.load(entry).start(2, seed=0)) == lines


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ((". .", "   . ."), 2, "this row begins 3 characters further right than the one above it; a whole space is 2"),
        (("   . .", ". ."), 2, "this row begins 3 characters further left than the one above it; a whole space is 2"),
        ((". .", " . .", " . ."), 3, "this row begins where the one above it does, though others are shifted"),
        ((". .", " . .", "", ". ."), 4, "this row does not interlock with those above the empty line"),
        ((".   .", "  .   .", " .   ."), 3, "this row does not begin where the others of its kind do"),
        ((". . .", " .   .", ". . ."), 2, "this row leaves room for a space in its middle"),
        (("9:  . .", "10: . ."), 2, "labels of different widths leave open how the rows are shifted"),
    ],
)
def test_rows_of_hexes_that_do_not_interlock_are_refused_with_a_picture(
    rows: tuple[str, ...], line: int, message: str, tmp_path: Path
) -> None:
    entry = tmp_path / "tiny.rules"
    entry.write_text(f"{comb(*rows)}\n{HEAD}")
    (fault,) = api.check(entry).diagnostics
    assert (fault.code, fault.message, fault.span.place.split(":")[1]) == ("E0318", message, str(line + 2))
    assert fault.help is not None


def test_rows_of_hexes_one_below_the_other_keep_their_meaning_and_are_warned_of(tmp_path: Path) -> None:
    holds("neighbours(b2) == {b1, c1, a2, c2, b3, c3}", comb(". . .", ". . .", ". . ."), tmp_path)
    warned = api.check(tmp_path / "tiny.rules").diagnostics
    assert [w.code for w in warned if w.code != "W0517"] == ["W0509"]


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
    assert [line.plain.rstrip() for line in draw_map(drawn, Styles(match.game.seats), 80)] == [
        "  porto   h  next to market, gate",
        "  market  .  next to porto, castle",
        "  castle  .  next to market, gate",
        "  gate    .  next to porto, castle",
        "  island  .",
    ]


def test_a_game_may_declare_what_is_called_as_a_later_built_in(tmp_path: Path) -> None:
    holds(
        "region(b1) == 2 and near(a1) == {a1}",
        SQUARE
        + """
value region(s: Floor) = s.column
value near(region: Floor) = {region}
""",
        tmp_path,
    )
