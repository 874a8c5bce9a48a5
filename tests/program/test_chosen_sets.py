"""One of several known sets is the whole set that was meant, whatever is done with it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from rulelang import api
from tests.views import variable

RULES = """\
game chosen "Chosen":
  players 2

names p: Player

enum Lane: a, b, c, d

the game has:
  found: set of Lane = {{}}
  size: 0..9 = 0

action go(p, n: 1..2) "Go {{n}}":
  {}

play:
  turns p from first_player:
    p chooses one of go
    finish with winner p
"""
EITHER = "({a, c} if n == 1 else {b, d})"
EXECUTORS = ("generated", "reference", *(("native",) if find_spec("llvmlite") else ()))


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"found = {EITHER} - {{d}}", ["{a, c}", "{b}"]),
        (f"found = {EITHER} + {{d}}", ["{a, c, d}", "{b, d}"]),
        (f"found = {{l in {EITHER}}}", ["{a, c}", "{b, d}"]),
        (f"found = {{l in Lane if l in {EITHER}}}", ["{a, c}", "{b, d}"]),
        (f"found = {{l in {EITHER} - {{a}} if l != d}}", ["{c}", "{b}"]),
        (f"let s = {EITHER}\n  found = s - {{d}}", ["{a, c}", "{b}"]),
        (f"for l in {EITHER} - {{d}}:\n    found += {{l}}", ["{a, c}", "{b}"]),
    ],
)
def test_one_of_two_known_sets_is_that_set(body: str, found: list[str], executor: str, tmp_path: Path) -> None:
    path = tmp_path / "chosen.rules"
    path.write_text(RULES.format(body))
    game = api.load(path)
    for option, wanted in enumerate(found):
        match = game.start(seed=1, executor=executor, traced=False)
        match.play(match.options[option])
        assert variable(match.state, "found").text == wanted
