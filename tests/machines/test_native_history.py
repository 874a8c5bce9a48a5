"""Histories on the native machine: past positions are written down, counted and looked ahead to as on the generated one."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Machine
from rulelang.program import low
from tests.files import CLASSICS
from tests.machines.test_history import LOOKED_AHEAD, SUPERKO, shuttle
from tests.machines.test_native import in_lock_step
from tests.program.test_low import lowered

pytest.importorskip("llvmlite")

HOARD = """\
game hoard "Hoard":
  players 2..3
  history of {parts}: at most 60

names p: Player; s: Field
enum Colour: red, green, blue

kind Gem "gem":
  colour: Colour
  | copies | colour |
  | 3      | Colour |
kind Card "card":
  n: 1..12
  | n     |
  | 1..12 |

board Field: square
  map \"\"\"
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
  \"\"\"

the game has:
  heap: group of Gem
  tower: pile of Gem, face up
  row: pile of Card, face up
  left: group of Card
  kept: slot for Card
  marks: set of Field = {{}}
  favoured: Card? = none
  depth: -3..40? = none
  bold: flag = no
  keen: set of Player = {{}}
each Player has:
  gem: slot for Gem
  sum: -9..9 = 0

setup: move Card to left

action raise_it(p, g: Gem) "Raise {{g}}":
  needs g in box
  needs occurrences after raise_it(p, g) < 9
  move g to tower
action give(p) "Give":
  needs tower != {{}} and p.gem == none
  move top(tower) to p.gem
action drop_it(p) "Drop":
  needs p.gem != none
  move p.gem to heap
action clear(p) "Clear": move heap to box
action draw(p, c: Card) "Draw {{c}}":
  needs c in left
  needs occurrences after draw(p, c) == 1
  move kept to row bottom
  move c to kept
  favoured = c if c.n > 6 else none
action back(p) "Back": move row to left
action mark(p, s in {{a1, c3, j7, e5}}) "Mark {{s}}":
  if s in marks: marks = marks - {{s}}
  else: marks += {{s}}
action deepen(p, n: 0..5) "Deepen {{n}}":
  depth = n - 3
  p.sum = n - 3
  bold = n > 3
  if n == 5: keen += {{p}}
action rush(p) "Rush":
  needs occurrences after win(p) < 9
  settle
to win(p):
  p.sum = 9
  finish with winner p

whenever p.sum == 1 for p in players as even: p.sum = 0

play:
  turns p from first_player:
    if occurrences >= 12: finish with winner p
    p chooses one of raise_it, give, drop_it, clear, draw, back, mark, deepen, rush
"""
PARTS = (
    "heap",
    "tower, mover",
    "row, kept",
    "marks",
    "favoured, depth, bold",
    "Player.gem, Player.sum, keen, players",
    "heap, tower, row, left, kept, marks, favoured, depth, bold, keen, Player.gem, Player.sum, mover, players",
)


def machines(text: str) -> tuple[Machine, Machine]:
    checked = api.check_text(text)
    assert checked.game is not None, [d.message for d in checked.diagnostics]
    game = checked.game
    chance = Seeded(1, game.ir, game.internals.layout)
    return game.internals.machine("native")(chance), game.internals.machine("generated")(chance)


@pytest.mark.long
@pytest.mark.parametrize("parts", PARTS)
def test_positions_of_all_kinds_of_parts_are_the_same_on_both(parts: str) -> None:
    text = HOARD.format(parts=parts)
    assert sum(in_lock_step(*machines(text), seed, 70) for seed in range(5)) > 40


@pytest.mark.long
@pytest.mark.parametrize("text", [SUPERKO, shuttle("at"), shuttle("purse, mover"), shuttle("at", 3)])
def test_what_stood_is_counted_alike_until_there_is_no_room(text: str) -> None:
    assert sum(in_lock_step(*machines(text), seed, 60) for seed in range(4)) > 6


def test_a_game_with_a_history_is_played_by_machine_code_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, _ = machines(HOARD.format(parts=PARTS[-1]))
    machine.begin(2, {})
    for step in ("answer", "options"):
        monkeypatch.setattr(GeneratedMachine, step, lambda *_: pytest.fail("the generated machine was asked"))
    for _ in range(20):
        assert machine.pending is not None
        seat = machine.pending.seats[0]
        machine.answer(seat, next(iter(machine.options(seat))))


def test_what_keeps_a_row_has_room_for_it() -> None:
    game = api.load(CLASSICS / "ko.rules")
    program = lowered(game.ir)
    assert low.faults(program) == ()
    assert "row = array0" in low.print_program(program)


SEATS = Seat(0), Seat(1)


def test_a_score_that_looks_ahead_is_the_same_on_both() -> None:
    one, other = machines(LOOKED_AHEAD)
    one.begin(2, {})
    other.begin(2, {})
    for at in (1, 2, 2, 3, 0, 2):
        assert other.pending is not None
        seat = other.pending.seats[0]
        assert [one.score(s) for s in SEATS] == [other.score(s) for s in SEATS]
        for machine in (one, other):
            machine.answer(seat, (0, at))
