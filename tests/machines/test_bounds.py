"""What is as large as the language allows plays on both executors; one more is refused with a place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.games.written import faults, game
from tests.seeds import rest_long

HEAD = """\
game sketch "Sketch":
  players 2
names p: Player
kind Card "card":
  c: 1..3
  | c    |
  | 1..3 |
each Player has:
  m: 0..9 = 1
the game has:
  n: 0..9 = 0
"""


def with_parameters(many: int) -> str:
    """Options whose last need goes over three sets more than Python nests loops."""
    given = ", ".join(f"a{i}: 0..0" for i in range(many))
    return (
        f'play:\n  first_player chooses one of:\n    go({given}) "Go":\n'
        "      needs any(b + a1 == d for b in 0..1, d in 0..3 if any(e == b for e in 0..1))\n"
        '      n = 1\n    stay "Stay": settle\n'
    )


def with_names(many: int) -> str:
    return f"play:\n  n = sum(1 for {', '.join(f'a{i} in 0..0' for i in range(many))})\n"


def with_branches(many: int) -> str:
    more = "".join(f"  elif n == {i % 9} and n > {i}: n = 2\n" for i in range(1, many))
    return f"play:\n  if n == 1: n = 3\n{more}  else: n = 7\n"


def with_loops(many: int, inside: str) -> str:
    return (
        "play:\n" + "".join("  " * (i + 1) + f"for a{i} in 0..0:\n" for i in range(many)) + "  " * (many + 1) + inside
    )


BOUNDS: dict[str, tuple[Callable[[int], str], int, str]] = {
    "parameters": (with_parameters, 20, "an option has at most 20 parameters, not 21"),
    "names": (with_names, 20, "at most 20 names go over sets at once, not 21"),
    "branches": (with_branches, 2000, "an `if` has at most 2000 branches, not 2001"),
    "blocks": (lambda many: with_loops(many, "n = 1\n"), 19, "blocks are nested too deeply here"),
}


@pytest.mark.parametrize("what", rest_long(BOUNDS, *set(BOUNDS) - {"branches"}))
def test_what_is_as_large_as_it_may_be_plays_on_both_executors(what: str, tmp_path: Path) -> None:
    rules, most, _ = BOUNDS[what]
    played = game(HEAD + rules(most), tmp_path)
    rows = []
    for executor in ("generated", "reference"):
        match = played.start(2, executor=executor)
        if match.options:
            match.play(match.options[0])
        rows.append(match.position.row[: played.internals.layout.size])
    assert rows[0] == rows[1]
    assert rows[0][played.internals.layout.states[next(s.id for s in played.ir.states if s.name == "n")]] > 0


@pytest.mark.parametrize("what", BOUNDS)
def test_what_is_larger_is_refused_with_a_place(what: str, tmp_path: Path) -> None:
    rules, most, message = BOUNDS[what]
    assert ("E0104", message) in faults(HEAD + rules(most + 1), tmp_path)


INSIDE = {
    "many names": "n = sum(a1 + 1 for " + ", ".join(f"b{i} in 0..0" for i in range(20)) + ")\n",
    "sets of sets": "n = count({k in Card if any(k.c == a1 + i for i in 1..3 if all(i >= j for j in {1, a2}))})\n",
    "a value that loops": "n = far(a3) + max(far(z) for z in 0..1)\n",
    "an order": "n = first(q in players by highest q.m + count(r in players if r.m > q.m)).m\n",
}


@pytest.mark.parametrize("inside", INSIDE)
def test_loops_in_the_deepest_block_play_alike(inside: str, tmp_path: Path) -> None:
    far = "value far(t: 0..9) = count(x in 0..3 if any(x == y + t for y in 0..3 if any(y == u for u in 0..2)))\n"
    played = game(HEAD + far + with_loops(18, INSIDE[inside]), tmp_path)
    rows = [
        played.start(2, executor=executor).position.row[: played.internals.layout.size]
        for executor in ("generated", "reference")
    ]
    assert rows[0] == rows[1]
    assert rows[0][played.internals.layout.states[next(s.id for s in played.ir.states if s.name == "n")]] > 0
