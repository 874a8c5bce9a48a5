"""`rulelang check --speed` names the lines that take far more steps than lines do, and what to write instead."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from rulelang.machines.chance import Seeded
from rulelang.playouts.line_costs import LineCosts, PayingMachine, line_costs
from rulelang.playouts.rng import RandomStream
from rulelang.program.python.compiled import compile_game
from tests.conftest import Run
from tests.files import CLASSICS
from tests.games.written import game
from tests.loaded import load
from tests.oracle.reference import ReferenceMachine

SPACES = "\n".join("    " + " ".join("." * 12) for _ in range(12))
JUMPS = f"""\
game jumps "Jumps":
  players 2
names p: Player; s, t, u: Space
board Space: square
  map \"\"\"
{SPACES}
  \"\"\"
each Space has:
  mark: flag = no
the game has:
  turns_taken: 0..30 = 0
setup: a1.mark = yes
DECLARATIONS
play:
  turns p from first_player:
    if turns_taken == 30: finish with winner {{}}
    turns_taken += 1
    p chooses one of jump
"""
"""A game on 144 spaces, without the action `jump`."""

LATE = """
value near(s) -> set of Space = {t in neighbours(s) if not t.mark or s.mark}
action jump(p, s in {a1, f6}, t in Space) "{s} to {t}":
  needs count({u in near(s) if u in near(t) or u == t}) >= 1
  t.mark = yes
"""
SOON = LATE.replace("t in Space)", "t in near(s))")
MEMBER = """
value north_of(s: Space?) -> set of Space, at most 13 deep =
  {} if step(s, north) == none
  {step(s, north)} + north_of(step(s, north)) otherwise
action jump(p, s in Space, t in Space) "{s} to {t}":
  needs t in north_of(s)
  t.mark = yes
"""
PAIRS = """
value close -> 0..20736 = count({s in Space if any(s.row == t.row and t.mark for t in Space)})
action jump(p, t in Space) "{t}":
  needs close >= 0
  t.mark = yes
"""
WAYS = """
value marked -> set of Space = {s in Space if s.mark}
value group -> set of Space = {s in Space if connected(a1, s, Space - marked + {a1})}
action jump(p, t in Space) "{t}":
  t.mark = yes
  if group == {}: finish with winner p
"""
ANEW = """
value marked -> set of Space = {s in Space if s.mark}
value lonely -> set of Space = {s in marked if all(not t.mark for t in neighbours(s))}
action jump(p, t in {s in Space if count(lonely) < 140 or s in lonely}) "{t}": t.mark = yes
"""
ASKED = """
value foremost(s) -> flag = all(t.row >= s.row and sum(1 for u in neighbours(t) if u.mark) >= 0 for t in Space)
value front -> set of Space = {s in Space if foremost(s) or s.mark}
action jump(p, t in Space) "{t}":
  t.mark = yes
  if front == {}: finish with winner p
"""


def costs(action: str, folder: Path) -> LineCosts:
    played = game(JUMPS.replace("DECLARATIONS", action), folder)
    return line_costs(played.ir, played.internals.layout, 2)


def test_a_quadratic_game_is_told_its_line_and_what_to_write(run: Run, snapshot: SnapshotAssertion) -> None:
    Path("jumps.rules").write_text(JUMPS.replace("DECLARATIONS", LATE))
    result = run("check", "jumps.rules", "--speed")
    assert result.exit_code == 0
    assert result.output == snapshot
    assert run("check", "jumps.rules", "--speed").output == result.output


def test_a_good_game_is_told_so_in_a_sentence(run: Run, snapshot: SnapshotAssertion) -> None:
    Path("othello.rules").write_text((CLASSICS / "othello.rules").read_text())
    assert run("check", "othello.rules", "--speed").output == snapshot


def test_faulty_rules_are_not_played(run: Run) -> None:
    Path("jumps.rules").write_text(JUMPS.replace("DECLARATIONS", LATE.replace("t.mark", "t.makr")))
    result = run("check", "jumps.rules", "--speed")
    assert result.exit_code == 1
    assert "steps" not in result.output
    assert run("check", "jumps.rules", "--speed", "--json").exit_code == 2


def test_what_is_written_instead_costs_little(tmp_path: Path) -> None:
    late, soon = costs(LATE, tmp_path), costs(SOON, tmp_path)
    assert len(late.dear) == 1
    assert not soon.dear
    assert late.steps > 10 * soon.steps


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (MEMBER, "before `needs t in north_of(s)`: write `t in north_of(s)` as the parameter"),
        (LATE, ">= 1`: give `t` a domain that follows from `s`"),
        (PAIRS, "`close` goes over pairs of `s` and `t`"),
        (WAYS, "`group` searches a way for each `s`: take the `region` once"),
        (ANEW, "asks `lonely` anew for each `s`, on which it does not depend"),
        (ASKED, "asks `foremost` for each `s`"),
    ],
    ids=["a late membership", "a late comparison", "pairs", "ways", "anew", "asked for each"],
)
def test_each_cause_is_known(action: str, said: str, tmp_path: Path) -> None:
    found = costs(action, tmp_path)
    assert found.dear
    assert said in " ".join(line.instead for line in found.dear), found.dear


def test_rules_that_run_for_ever_are_told_their_line(tmp_path: Path) -> None:
    endless = "action jump(p, t in Space): \n  for a in 1..4000:\n    for b in 1..4000: t.mark = yes\n"
    found = costs(endless, tmp_path)
    assert "more than 8,000,000 steps without a choice" in found.trouble
    assert "for b in 1..4000" in found.dear[0].text


def test_every_step_that_the_reference_pays_for_is_counted() -> None:
    outspeed = load("outspeed")
    chance, paid, rng = Seeded("7", outspeed.ir, outspeed.internals.layout), Counter[int](), RandomStream(7)
    machine = PayingMachine(compile_game(outspeed.ir, outspeed.internals.layout), chance, paid)
    reference = ReferenceMachine(outspeed.ir, chance, outspeed.internals.layout)
    machine.begin(3, {})
    reference.begin(3, {})
    for _ in range(12):
        assert machine.pending == reference.pending
        assert machine.pending is not None
        seat = machine.pending.seats[0]
        answers = list(machine.options(seat))
        answer, before = answers[rng.randrange(len(answers))], paid.total()
        machine.answer(seat, answer)
        reference.answer(seat, answer)
        assert paid.total() - before == reference.meter.spent
