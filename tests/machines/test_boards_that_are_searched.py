"""Boards that are flooded, and needs and values that loops look at once: the same on all executors, step by step of the
budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.errors import RuntimeRules
from rulelang.program.low import faults, lower
from rulelang.program.low import model as low
from rulelang.program.low.passes.tabled import tabled
from rulelang.program.python.compiled import compile_game
from tests.files import ROOT
from tests.fuzz import executors
from tests.games.written import game

pytest.importorskip("llvmlite")

BOARDS = ROOT / "benchmarks" / "boards"
AMAZONS = ("amazons", "amazons_connected", "amazons_needs")

SEARCHES = """
names p: Player; s, t, u: Spot; d: Direction
board Spot: MAP
each Spot has:
  stone: Player? = none
option twice: flag = no
value own(p) -> set of Spot = {s in Spot if s.stone == p}
value free -> set of Spot = {s in Spot if s.stone == none}
value edge -> set of Spot = {s in Spot if count(neighbours(s)) < 4}
value next_to(s) -> set of Spot = {t for t in neighbours(s)}
value group(p, s) -> set of Spot = {t in own(p) if connected(s, t, own(p))}
value seen(s) -> set of Spot = {t in free if any(connected(s, t, free + {s}, {d}) for d in DIRECTIONS)}
value safe(p) -> set of Spot = {s in free if any(connected(s, t, free) for t in edge if t in free)}
value near(p) -> 0..99 = count(u in own(p) if u in edge and not (u in next_to(first(t in Spot))))
value far(s) -> 0..99 = max(distance(s, t, free + {s}) for t in Spot)
action mark(p, t in STARTS):
  needs t in safe(p)
  needs connected(first(u in edge), first(u in free), free - {t} + edge)
  t.stone = p
action put(p, s in STARTS, t in Spot):
  needs s in edge or t in safe(p)
  needs t in seen(s) + next_to(s)
  needs count(u in group(p, t) if u in edge) < 4
  s.stone = p
play:
  turns p from first_player:
    p chooses one of mark, put
    if far(first(s in Spot)) > 7 and near(p) > 2: finish with winner {p}
"""
FIRST = "{first(u in free)}"
SHAPES = {
    "squares": ('square\n  map """\n    . . . .\n    . .   .\n    . . . .\n  """', "{north, east}", "free"),
    "hexes": ('hex\n  map """\n     . . .\n    . . . .\n     . . .\n  """', "Direction", "free"),
    "wide": (
        'square with diagonals\n  map """\n' + "    . . . . . . . . . . . . .\n" * 5 + '  """',
        "{north, southwest}",
        FIRST,
    ),
}


LONG = pytest.mark.long


def play_alike(rules: api.Game, shape: str, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays a game on a board of a shape under a budget of steps: every executor must play the same."""
    monkeypatch.setattr(executors, "STEPS", steps)
    monkeypatch.setattr(executors, "LONGEST", 1 if shape == "wide" else 8)
    played = executors.played_alike("", rules.ir, 4)
    assert played > 0 or steps < 3_000_000


@pytest.mark.long
@pytest.mark.parametrize(
    ("shape", "steps"),
    [
        ("squares", 3_000_000),
        pytest.param("wide", 3_000_000, marks=LONG),
        pytest.param("hexes", 3_000_000, marks=LONG),
        pytest.param("squares", 900, marks=LONG),
        pytest.param("wide", 40_000, marks=LONG),
    ],
)
def test_boards_of_each_shape_are_searched_alike(
    shape: str, steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SEARCHES
    for word, written in zip(("MAP", "DIRECTIONS", "STARTS"), SHAPES[shape], strict=True):
        text = text.replace(word, written)
    rules = game(text, tmp_path)
    play_alike(rules, shape, steps, monkeypatch)


LINES = """
names p: Player; s, t: Spot; d: Direction
board Spot: MAP
each Spot has:
  stone: Player? = none
value run(p, s: Spot?, d) -> 0..20, at most 20 deep = 0 if s == none or s.stone != p else 1 + run(p, step(s, d), d)
value gap(s: Spot?, d) -> 0..20, at most 20 deep =
  gap(step(s, d), d) + 1 if s != none and s.stone == none and any(t.stone == none for t in neighbours(s))
  0 otherwise
value short(p, s: Spot?, d) -> 0..2, at most 20 deep = 0 if s == none or s.stone != p else 1 + short(p, step(s, d), d)
value stones(p) -> set of Spot = {s in Spot if s.stone == p}
value row(p) -> flag = any(run(p, s, d) >= 3 for s in Spot, d in {north, east})
value wide(p) -> set of Spot = {s in Spot if s.stone == p and any(run(p, s, d) > 1 for d in Direction)}
value ends -> 0..99 = count(s in Spot if gap(s, east) > 2 or gap(s, north) >= 2)
action put(p, s in Spot):
  needs s.stone == none
  needs gap(s, west) >= 2 or gap(s, east) > 0
  needs any(run(next(p), t, north) >= 2 for t in neighbours(s)) or ends < 5 or count(stones(p)) < 2
  s.stone = p
  p.crowd = count(wide(p))
each Player has:
  crowd: 0..99 = 0
play:
  turns p from first_player:
    p chooses one of put
    if row(p): finish with winner {p}
    if any(short(next(p), s, d) >= 2 for s in Spot, d in {north}): next(p).crowd = 0
"""


@pytest.mark.parametrize(
    ("shape", "steps"),
    [
        ("squares", 3_000_000),
        pytest.param("squares", 900, marks=LONG),
        pytest.param("wide", 3_000_000, marks=LONG),
        pytest.param("wide", 20_000, marks=LONG),
    ],
)
def test_lines_from_all_spaces_are_followed_alike(
    shape: str, steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = game(LINES.replace("MAP", SHAPES[shape][0]), tmp_path)
    program = lower(rules.ir, rules.internals.layout, compile_game(rules.ir, rules.internals.layout).control)
    called = {o.function for f in program.functions for o in low.orders(f.body) if isinstance(o, low.CallInst)}
    counting = {f.name: f.about for f in program.functions if f.about in ("value run", "value gap", "value short")}
    assert {counting[name] for name in called if name in counting} == {"value short"}
    play_alike(rules, shape, steps, monkeypatch)


FULL = """
names p: Player; s: Spot
board Spot: square
  map \"\"\"
LINES
  \"\"\"
each Spot has:
  stone: Player? = none
action put(p, s in Spot):
  needs s.stone == none
  s.stone = p
play:
  turns p from first_player:
    p chooses one of put
    if all(s.stone != none for s in Spot): finish with winner {p}
"""


def test_a_board_of_more_spaces_than_a_word_has_bits_needs_no_set(tmp_path: Path) -> None:
    rules = game(FULL.replace("LINES", "\n".join("    " + " ".join("." * 9) for _ in range(9))), tmp_path)
    assert list(rules.playouts(2, seed=3, executor="native").lengths) == [80, 80]


UNBOUNDED = """
names p: Player; s: Spot; d: Direction
board Spot: square
  map \"\"\"
    . . .
    . . .
  \"\"\"
each Spot has:
  stone: Player? = none
value run(q: Player?, s: Spot?, d) -> 0..20, at most 20 deep = GOES_ON
action put(p, s in Spot):
  needs s.stone == none
  s.stone = p
play:
  turns p from first_player:
    p chooses one of put
    if any(run(RUN, s, d) >= 2 for s in Spot, d in {north, east}): finish with winner {p}
"""


@pytest.mark.parametrize(
    ("goes_on", "run"),
    [
        ("0 if s.stone != q else 1 + run(q, step(s, d), d)", "none"),
        ("0 if s != none and s.stone != none else 1 + run(q, step(s, d), d)", "p"),
        ("1 + run(q, step(s, d), d) if not (s in {t in Spot if t.stone == q}) else 0", "p"),
    ],
)
@pytest.mark.parametrize("executor", ["reference", "generated", "native"])
def test_a_line_that_goes_on_behind_the_edge_is_too_deep_everywhere(
    goes_on: str, run: str, executor: str, tmp_path: Path
) -> None:
    rules = game(UNBOUNDED.replace("GOES_ON", goes_on).replace("RUN", run), tmp_path)
    match = rules.start(2, seed=1, executor=executor)
    with pytest.raises(RuntimeRules, match="more than 20 deep"):
        match.push(match.options[0])


@pytest.mark.long
@pytest.mark.parametrize("name", ["amazons_connected", "havannah", "ultimate_tic_tac_toe"])
def test_the_boards_that_are_raced_are_played_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "STEPS", 8_000_000)
    monkeypatch.setattr(executors, "LONGEST", 2)
    assert executors.played_alike("", api.load(BOARDS / f"{name}.rules").ir, 2) == 2


@pytest.mark.long
def test_the_wordings_of_a_reach_are_one_game() -> None:
    lengths = [
        list(api.load(BOARDS / f"{name}.rules").playouts(2, seed=3, executor="native", at_most=40).lengths)
        for name in AMAZONS
    ]
    assert lengths[0] == lengths[1] == lengths[2]


def test_values_that_the_rules_alone_determine_are_tables() -> None:
    rules = api.load(BOARDS / "havannah.rules")
    compiled = compile_game(rules.ir, rules.internals.layout)
    program = lower(rules.ir, rules.internals.layout, compiled.control)
    pairs = zip(program.functions, tabled(program).functions, strict=True)
    assert {one.about for one, other in pairs if one is not other} == {
        "value border",
        "value corners",
        "value clockwise",
        "value side",
    }
    assert not faults(tabled(program))
