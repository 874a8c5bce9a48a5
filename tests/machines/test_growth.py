"""What twice as much costs: the work of checking, starting and playing grows with what is written, and what is done is let go.

Work is counted in calls of Python functions, which no busy machine changes.
"""

from __future__ import annotations

import gc
import linecache
import sys
import tracemalloc
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import FrameType

import pytest

from rulelang import api
from rulelang.program.python.compiled import compile_game
from tests.games.written import faults, game

HEADER = 'game sketch "Sketch":\n  players 2\n\nnames p: Player\n'
PLAY = "\nplay:\n  turns p from player1: p chooses one of {}, or stop\n"
STATE = "the game has:\n  x: 0..9 = 0\n"


def _map(shape: str, rows: list[str]) -> str:
    board = f'board City: {shape}\n  map """\n' + "".join(f"    {row}\n" for row in rows) + '  """\nnames s: City\n'
    start = "a1" if shape == "square" else "s0"
    move = f"each Player has:\n  at: City = {start}\naction go(p, s in neighbours(p.at)): p.at = s\n"
    return HEADER + board + move + PLAY.format("go")


def _spaces(n: int) -> str:
    return _map("square", [". " * 25] * (n // 25))


def _edges(n: int) -> str:
    return _map(
        "graph", [f"s{i}: {' '.join(f's{i + j}' for j in range(1, n + 1) if i + j < 60)}" for i in range(59)] + ["s59"]
    )


def _actions(n: int) -> str:
    acts = "".join(f"action a{i}(p): x = {i % 9}\n" for i in range(n))
    return HEADER + STATE + acts + PLAY.format(", ".join(f"a{i}" for i in range(n)))


def _members(n: int) -> str:
    enum = f"enum Many: {', '.join(f'm{i}' for i in range(n))}\nnames m: Many\n"
    return HEADER + enum + "the game has:\n  x: Many = m0\naction a(p, m): x = m\n" + PLAY.format("a")


def _rows(n: int) -> str:
    kind = 'kind Card "card":\n  n: 0..9999\n  | n |\n' + "".join(f"  | {i} |\n" for i in range(n))
    return HEADER + "names c: Card\n" + kind + STATE + "action a(p): x = 1\n" + PLAY.format("a")


def _scenarios(n: int) -> str:
    each = "".join(f'\nscenario "number {i}":\n  player1: a\n  expect x == 1\n' for i in range(n))
    return HEADER + STATE + "action a(p): x = 1\n" + PLAY.format("a") + each


def _text(n: int) -> str:
    return HEADER + STATE + f'action a(p) "{"word " * n}": x = 1\n' + PLAY.format("a")


def _lines(n: int) -> str:
    return HEADER + STATE + "action a(p):\n" + "".join(f"  x = {i % 9}\n" for i in range(n)) + PLAY.format("a")


def calls(work: Callable[[], object]) -> int:
    """Returns how many Python functions are called."""
    count = 0

    def heard(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(heard)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.long
@pytest.mark.parametrize(
    ("written", "many"),
    [
        (_spaces, 250),
        (_edges, 20),
        (_actions, 150),
        (_members, 300),
        (_rows, 200),
        (_scenarios, 100),
        (_text, 1000),
        (_lines, 300),
    ],
)
def test_twice_as_much_is_checked_and_started_at_little_more_than_twice_the_work(
    written: Callable[[int], str], many: int, tmp_path: Path
) -> None:
    def work(n: int) -> Callable[[], object]:
        # A text that was read before is not read again.
        return lambda: game(f"{written(n)}\n# {next(fresh)}\n", tmp_path).start(2, 1).options.first(3)

    fresh = count()

    assert not faults(written(25), tmp_path)
    work(many)()
    once, twice = calls(work(many)), calls(work(2 * many))
    assert twice < 2.5 * once


def test_distances_on_a_board_of_many_ties_are_not_walked_tie_by_tie(tmp_path: Path) -> None:
    rows = [f"s{i}: {' '.join(f's{j}' for j in range(i + 1, 150))}" for i in range(149)]
    ties, spaces = 150 * 149 // 2, 150
    assert calls(lambda: api.check(_entry(_map("graph", [*rows, "s149"]), tmp_path))) < 6 * ties + 1000 * spaces


def test_a_long_table_is_not_printed_into_the_generated_code(tmp_path: Path) -> None:
    small, large = (len(_printed(game(_spaces(n), tmp_path))) for n in (100, 400))
    assert large < 2 * small


def test_the_printed_functions_of_a_game_go_with_it(tmp_path: Path) -> None:
    gc.collect()
    before = {name for name in linecache.cache if name.startswith("<rules ")}
    played = game(_actions(7), tmp_path)
    played.start(2, 1).options.first(1)
    mine = {name for name in linecache.cache if name.startswith("<rules ")} - before
    assert mine
    del played
    gc.collect()
    assert not mine & set(linecache.cache)


def _entry(text: str, folder: Path) -> Path:
    entry = folder / "sketch.rules"
    entry.write_text(text)
    return entry


def _printed(played: api.Game) -> str:
    return compile_game(played.ir, played.internals.layout).source()


@pytest.mark.long
def test_a_choice_of_many_actions_is_compiled_in_memory_that_its_text_explains(tmp_path: Path) -> None:
    def peak(n: int) -> float:
        played = game(_actions(n), tmp_path)
        text = len(_printed(played))
        tracemalloc.start()
        try:
            compile_game(played.ir, played.internals.layout).untraced
            return tracemalloc.get_traced_memory()[1] / text
        finally:
            tracemalloc.stop()

    assert peak(1500) < 90, "bytes for each character of the printed Python"


def test_actions_that_ask_nothing_are_legal_by_their_number_alone(tmp_path: Path) -> None:
    small, large = (_printed(game(_actions(n), tmp_path)) for n in (20, 200))
    looks = [text[text.index("def l0(") : text.index("\n\n\n", text.index("def l0("))] for text in (small, large)]
    assert len(looks[0].splitlines()) == len(looks[1].splitlines())
