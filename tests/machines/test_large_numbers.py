"""Numbers on the way to a result may take more than 32 bits, on every executor; -2147483648 itself is no number."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from rulelang.api import Match
from rulelang.errors import RangeViolation
from tests.games.written import game

HEAD = """\
names p: Player; c: Card
kind Card "card":
  n: 1..64
  | n     |
  | 1..64 |
the game has:
  lowest: -2147483647..2147483647 = -2147483647
  large: 0..2147483647 = 1073741824
  some: 0..9? = 3
  missing: 0..9? = none
  few: 0..9 = 3
value less -> -9..9? = lowest
adjust less: -1
value lifted -> -9..9 = lowest
adjust lifted: -1
adjust lifted: at least 0
value score(p) = few
play:
  first_player chooses one of:
    go "Go":
"""
EXECUTORS = ("reference", "generated", *(["native"] if find_spec("llvmlite") else []))
NO_NUMBER = "a calculation comes to -2147483648: the lowest number is -2147483647"
STOPS = {
    "compared": ("if lowest - 1 < 0: few = 1", NO_NUMBER),
    "compared with none": ("if lowest - 1 == none: few = 1", NO_NUMBER),
    "kept where none may be": ("some = lowest - 1", NO_NUMBER),
    "clamped": ("few = lowest - 1, at least 0", NO_NUMBER),
    "the opposite": ("few = -(large + large), at least 0", NO_NUMBER),
    "multiplied": ("few = large * -2, at least 0", NO_NUMBER),
    "divided": ("few = large * -4 / 2 rounded up, at least 0", NO_NUMBER),
    "summed": ("few = sum(lowest + 0 - c.n % 2 for c in Card if c.n < 3), at least 0", NO_NUMBER),
    "added": ("few -= large + large + 3, at least 0", NO_NUMBER),
    "adjusted": ("some = less", NO_NUMBER),
    "adjusted, and clamped": ("few = lifted", NO_NUMBER),
    "added at once": ("simultaneously for c in Card if c.n < 2: few -= large + large + 3, at least 0", NO_NUMBER),
    "all at once": (
        "simultaneously for c in Card if c.n < 17: few += large * large",
        "`few` would become 18446744073709551619; it holds 0..9",
    ),
    "some at once": ("simultaneously for c in Card if c.n < 3: some -= large + (c.n - 1) * 3", NO_NUMBER),
}
GOES = {
    "far below": ("few = lowest - 2, at least 0", 0),
    "as a number": ("few = 1 if lowest - 2 < lowest else 2", 1),
    "below none": ("few = 1 if lowest - large < missing or missing >= lowest - large else 2", 2),
    "above none": ("few = 1 if lowest - large > missing or missing <= lowest - large else 2", 2),
    "by a number of 62 bits": ("few = large * large / (large * large - 1) rounded up", 2),
    "the rest of a number below the lowest": ("few = (lowest - 7) % (lowest - 2) + 9", 4),
    "over the lowest": ("few = sum(lowest + c.n * large for c in Card if c.n < 5), at most 9", 9),
    "of more than 64 bits": ("few = large * large * large * large / (large * large * large) rounded down % 7", 1),
    "at once": ("simultaneously for c in Card: few += large * large * large * (1 if c.n % 2 == 0 else -1)", 3),
}


def answered(body: str, executor: str, folder: Path) -> Match:
    """A game after a choice that does something."""
    text = f'{HEAD}      {body}\n    stay "Stay": settle\n  first_player chooses one of stay, leave\n'
    ended = '  finish lost\naction stay(p) "Stay": settle\naction leave(p) "Leave": settle\n'
    match = game(text + ended, folder).start(2, seed=1, executor=executor)
    match.play("go")
    return match


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("what", STOPS)
def test_a_result_that_would_read_as_none_stops_the_game(what: str, executor: str, tmp_path: Path) -> None:
    body, message = STOPS[what]
    with pytest.raises(RangeViolation) as stopped:
        answered(body, executor, tmp_path)
    assert stopped.value.message == message


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("what", GOES)
def test_larger_numbers_may_stand_on_the_way_to_a_result(what: str, executor: str, tmp_path: Path) -> None:
    body, few = GOES[what]
    assert answered(body, executor, tmp_path).score(0) == few
