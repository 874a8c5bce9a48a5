"""Machine code runs every game: a step for which it lacks the words is taken by Python, and goes as it does there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.ir.model import Const, Finish, Move, Source
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import compile_game
from tests.files import SMALL_GAMES
from tests.games.in_ir import Build, contents, to
from tests.games.written import board_rows
from tests.games.written import game as written
from tests.machines.attempts import attempt
from tests.machines.test_native import listed
from tests.oracle.reference import ReferenceMachine

pytest.importorskip("llvmlite")
from rulelang.machines.native.code import made
from rulelang.machines.native.machine import NativeMachine

GOALS = """\
game goals "Goals":
  players 2
  seats ann, ben
names p: Player; s: Field
board Field: square
  map \"\"\"
{rows}
  \"\"\"
the game has:
  marks: set of Field = {{}}
  n: 0..40 = 0
action put(p, s):
  needs s in ({{a1, b2, {last}}} if p == ann else {{a2, {last}, b1}} if n % 3 == 0 else {{b1}})
  marks += s
  n = n + 1, at most 40
play:
  turns p from ann:
    p chooses one of put, or pass
    if n == 40: finish with winner p
"""
LARGE = """\
game large "Large":
  players 1
  seats ann
names p: Player
the game has:
  n: 0..99999 = 99990
  k: 0..9 = 0
value owed -> 0..9 = 3
adjust owed: +n * n * n * 4 - n * n * n * 4 if k > 3
action lower(p):
  needs max(-(n * n) * i for i in 1..3) < -2000000000
  k = k + 1, at most 9
action upper(p):
  needs min(n * n * i for i in 1..3) > 2000000000
  n = n + 1, at most 99999
action product(p):
  needs n * n * n * n * (n - k) > 2000000000
  k = k + 2, at most 9
action total(p):
  needs sum(n * n * n * n for i in 1..9, j in 1..9) - n * n * n * n > k
  k = k + 2, at most 9
action divide(p):
  needs n * n * n * n / (k + 1) rounded up > 2000000000 and n * n * n * n % 7 > 0
  n = n - 3
action owe(p):
  needs owed > 2
  k = 0
play:
  repeat 30 times: ann chooses one of lower, upper, product, total, divide, owe
"""

CROWDED = """\
game crowded "Crowded":
  players 2
  seats ann, ben
names p, q: Player; c: Card
kind Card "card":
  n: 1..8
  | n    |
  | 1..8 |
the game has:
  more: 0..3 = 0
each Player has:
  hand: group of Card, at most 3 + more
setup:
  for p in players: move 3 of {c in Card if c in box} to p.hand
action grow(p):
  needs more < 3
  more = more + 1
action swap(p):
  simultaneously for q in players: move q.hand to next(q).hand
action take(p, c):
  needs c in box
  move c to p.hand
play:
  turns p from ann:
    p chooses one of grow, swap, take, or pass
    if turn > 24: finish with winner p
"""

MISSING = """\
game missing "Missing":
  players 2
  seats ann, ben
names p: Player; s, t: Field; g: Sign
board Field: square
  map \"\"\"
{rows}
  \"\"\"
kind Sign "sign":
  area: set of Field
  | name | area     |
  | much | {much}   |
  | one  | {{{last}}} |
  | few  | {{a1, b1}} |
the game has:
  marks: set of Field = {{}}
  shown: Sign?
  is_odd: flag?
  n: 0..40 = 0
value area(g: Sign?) -> set of Field = g.area
value marked(g: Sign?) -> set of Field =
  g.area if n % 2 == 0
  marks if n % 3 == 0
action turn_up(p, g): shown = g
action hide(p): shown = none
action flip(p): is_odd = n % 2 == 1
action forget(p): is_odd = none
action leave(p): marks = Field - shown.area
action unite(p): marks = marks + shown.area + (area(shown) if n > 9 else {{}})
action compare(p):
  let k = shown.area
  if k == area(shown): n = 5
  if marked(shown) == none: n = 6
  if none == k: n = n + 1, at most 40
action count_up(p): n = n + 1 + count(shown.area), at most 40
action guess(p):
  if (yes if is_odd == none else is_odd): n = n + 2, at most 40
  for s in marked(shown): marks = marks + {{t in Field if t.row == s.row}}
play:
  turns p from ann:
    p chooses one of turn_up, hide, flip, forget, leave, unite, compare, count_up, guess
    if n == 40: finish with winner p
"""

NONE_YET = """\
game none_yet "None Yet":
  players 2
  seats ann, ben
enum Power: nitro, brake
kind Token "token":
  power: Power
  | copies | power |
names p: Player; t, u: Token
the game has:
  heap: pile of Token
  mark: Token? = none
  bag: set of Token = {}
  n: 0..9 = 0
each Token has:
  worth: 0..9 = 1
each Player has:
  zone: 0..30 = 0
  tokens: group of Token, seen by owner
  lead: slot for Token
setup: move 4 of Token to ann.tokens
to use(p, nitro): p.zone += 2
to use(p, brake): p.zone -= 1, at least 0
value val(t) -> 0..9 = t.worth + 1
action play_token(p, t in p.tokens) "Play {t}":
  use(p, t.power)
  t.worth += 1
  move t to box
action play_two(p, two in 2 of Token) "Play {two}":
  n = count(two)
action some(p, two in any of Token) "Play {two}":
  bag = two
  n = sum(val(t) for t in two)
  mark = first(t in Token by highest t.worth if t in bag)
  shuffle(heap)
  move top(heap) to p.lead
  move random(t in Token) to heap
  reveal(heap)
  for t in Token by highest t.worth: n += 1, at most 9
  if mark in bag: n = 3
  if mark.worth > 3: mark.worth = 3
  if any(val(t) > 3 for t in heap) or all(t in bag for t in Token): n = 4
  if p.lead != none and top(heap).worth > 3: n = count(Token - bag)
  simultaneously for t in Token: n += t.worth, at most 9
play:
  turns p from ann: p chooses one of play_token, play_two, some, or stop
"""
SEALED = """\
game sealed "Sealed":
  players 2
  seats ann, ben
names p: Player
each Player has:
  bid: 1..6 = 1, seen by owner
  bids: set of 1..6 = {}
play:
  repeat 20 times:
    each p in players secretly chooses p.bid in 1..7
    each p in players secretly chooses p.bids in up to 2 of 1..7
"""


def lock_stepped(game: api.Game, seed: int, most: int = 60) -> int:
    """Returns the number of plies of a random game, which all executors play in lock step."""
    chance, rng = Seeded(seed, game.ir, game.internals.layout), random.Random(seed)
    machines = [game.internals.machine(name)(chance) for name in ("reference", "generated", "native")]
    begun = [attempt(machine.begin, game.players[1], {}) for machine in machines]
    for plies in range(most):
        assert begun == begun[:1] * 3
        rows = [machine.row[: game.internals.layout.size] for machine in machines]
        assert rows == rows[:1] * 3
        pending = machines[0].pending
        if begun[0] is not None or pending is None:
            return plies
        found = [attempt(listed, machine, pending.seats[0]) for machine in machines]
        assert found == found[:1] * 3
        assert isinstance(found[0], list)
        answer = rng.choice(found[0])
        begun = [attempt(machine.answer, pending.seats[0], answer) for machine in machines]
    return most


@pytest.mark.parametrize(("columns", "rows"), [(6, 9), (8, 8), (9, 9), (10, 13)])
def test_one_of_several_known_sets_is_taken_whatever_the_size_of_the_board(
    columns: int, rows: int, tmp_path: Path
) -> None:
    lines, last = board_rows(columns, rows)
    game = written(GOALS.format(rows=lines, last=last), tmp_path)
    assert lock_stepped(game, 7) > 20


@pytest.mark.parametrize(
    ("columns", "rows"), [(8, 8), *(pytest.param(*size, marks=pytest.mark.long) for size in ((6, 9), (9, 9), (8, 16)))]
)
def test_a_set_that_is_none_is_none_of_the_sets_of_its_type(columns: int, rows: int, tmp_path: Path) -> None:
    lines, last = board_rows(columns, rows)
    names = [f"{'abcdefghij'[x]}{y + 1}" for y in range(rows) for x in range(columns)]
    much = f"{{{', '.join(names[31:])}}}"  # as many bits, and the same ones, as none has in as many words
    game = written(MISSING.format(rows=lines, last=last, much=much), tmp_path)
    assert sum(lock_stepped(game, seed) for seed in range(12)) > 200


def test_a_kind_may_have_no_things_yet(tmp_path: Path) -> None:
    assert sum(lock_stepped(written(NONE_YET, tmp_path), seed) for seed in range(6)) > 5


def test_a_secret_answer_that_its_variable_does_not_hold_stops_the_game(tmp_path: Path) -> None:
    assert sum(lock_stepped(written(SEALED, tmp_path), seed) for seed in range(6)) > 20


def test_numbers_that_take_more_than_a_word_are_computed_all_the_same(tmp_path: Path) -> None:
    game = written(LARGE, tmp_path)
    assert sum(lock_stepped(game, seed) for seed in range(4)) > 40


def test_past_positions_are_counted_within_simultaneously() -> None:
    assert lock_stepped(api.load(SMALL_GAMES / "echo.rules"), 1) > 5


def test_zones_may_hold_as_many_as_the_position_says_while_all_change_at_once(tmp_path: Path) -> None:
    assert sum(lock_stepped(written(CROWDED, tmp_path), seed) for seed in range(6)) > 20


@pytest.mark.parametrize("size", [8, 70, 200])
def test_of_a_pile_only_what_is_in_a_known_set_is_moved(size: int) -> None:
    b = Build("pile")
    cards = b.kind("Card", tuple(f"c{i}" for i in range(size)), tuple(range(size)))
    deck, low = b.zone("deck", cards, "pile"), b.zone("low", cards, "group")
    everything, few = Source(Const((1 << size) - 1)), Source(Const(0b1111), contents(deck))
    moves = Move(cards, everything, None, to(deck), "bottom"), Move(cards, few, Const(9), to(low), None)
    game = b.game(b.procedure("play", (), (*moves, Finish("lost", None, 0)), rule=0))
    layout = lay_out(game)
    compiled = compile_game(game, layout)
    for make in (ReferenceMachine, GeneratedMachine, NativeMachine):
        of = {ReferenceMachine: game, GeneratedMachine: compiled, NativeMachine: made(compiled)}[make]
        machine = make(of, Seeded(1, game, layout))  # type: ignore[arg-type]
        machine.begin(1, {})
        assert machine.row[layout.zones[low]] == 0b1111


DEAR = """\
game dear "Dear":
  players 1
names p: Player
the game has:
  n: 0..999 = {many}
value score(p) = sum(1 for i in 1..n, j in 1..2000 if i != j) % 7
action stay(p): n = n
action lower(p): n = max(n - 1, 0)
play:
  turns p from first_player: p chooses one of stay, lower
"""


@pytest.mark.long
@pytest.mark.parametrize(("many", "is_too_dear"), [(10, False), (999, True)])
def test_a_score_may_cost_as_much_on_every_executor(many: int, is_too_dear: bool, tmp_path: Path) -> None:
    game = written(DEAR.format(many=many), tmp_path)
    found = []
    for name in ("reference", "generated", "native"):
        machine = game.internals.machine(name)(Seeded(1, game.ir, game.internals.layout))
        machine.begin(1, {})
        found.append(attempt(machine.score, Seat(0)))
    assert found == found[:1] * 3
    assert isinstance(found[0], tuple) is is_too_dear
