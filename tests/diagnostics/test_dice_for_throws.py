"""Whoever writes a die where a throw of it is meant is told so, whatever becomes of it."""

from __future__ import annotations

from rulelang import api
from rulelang.semantics.lints.unused import check_unused

HEAD = """\
game t "T":
  players 2
names p: Player; n: 1..9; c: Card
die d6: 1..6
die d8: 1..8
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |
the game has:
  pot: 0..99 = 0
  hot: flag = no
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
to hear(p, n): pot = n
play:
"""
REFUSED = (
    "pot = d6",
    "pot += 3 * d6",
    "if d6 > 3: pot = 1",
    "if d6 == 3: pot = 1",
    "if d6 in 4..6: pot = 1",
    "repeat d6 times: pot = 1",
    "move d6 of deck to p.hand",
    "for n in 1..d6: pot = 1",
    "hear(p, d6)",
    "pot = max(d6, 3)",
    "pot = max(d6 for n in 1..3)",
    "pot = d6 if hot else 0",
    "hot = d6",
)


def test_a_die_is_no_number() -> None:
    body = "".join(
        f"  for p in players: {line}\n" if line.startswith(("pot", "hot", "move", "hear")) else f"  {line}\n"
        for line in REFUSED
    )
    faults = [fault for fault in api.check_text(HEAD + body).diagnostics if fault.code.startswith("E")]
    lines = [(HEAD + body).count("\n", 0, fault.primary.span.start) - HEAD.count("\n") for fault in faults]
    assert lines == list(range(len(REFUSED)))
    assert {fault.help for fault in faults} == {"a throw of it is written `roll(…)`"}


def test_a_let_that_is_a_die_which_nothing_rolls_is_told() -> None:
    lets = "  red chooses n in 1..3\n  let x = d6\n  let y = d6 if hot else d8\n  let z = y\n  let r = d8\n  pot = roll(r)\n"
    checked = api.check_text(HEAD.replace("players 2", "players 2\n  seats red, blue") + lets)
    assert checked.game is not None, checked.diagnostics
    faults = check_unused(checked.game.ir, checked.game.internals.loaded.module, ())
    told = [fault for fault in faults if "die" in fault.message]
    assert [(fault.code, fault.message.split("`")[1]) for fault in told] == [("W0524", "x"), ("W0524", "z")]
    assert told[0].help == "write `let x = roll(…)` for a throw of it"
