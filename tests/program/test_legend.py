"""The names of slots in printed code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from rulelang import api
from rulelang.program.python.compiled import compile_game
from rulelang.program.python.legend import explained, legend, remark, table
from tests.files import CLASSICS, SMALL_GAMES

GAMES = [*map(Path, api.games()), *sorted(CLASSICS.glob("*.rules")), *sorted(SMALL_GAMES.glob("*.rules"))]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_slot_of_a_game_has_a_name_that_may_stand_in_a_comment(path: Path) -> None:
    game = api.load(path if path.suffix else path.name)
    compiled = compile_game(game.ir, game.internals.layout)
    names = legend(game.ir, game.internals.layout, compiled.control)
    assert sorted(names) == list(range(compiled.control.slots.size))
    assert all(name and name.isascii() and name.isprintable() for name in names.values())


def test_names_change_no_code() -> None:
    game = api.load(CLASSICS / "othello.rules")
    compiled = compile_game(game.ir, game.internals.layout)
    text = compiled.source()
    told = explained(text, legend(game.ir, game.internals.layout, compiled.control))
    assert told != text
    assert ast.dump(ast.parse(told)) == ast.dump(ast.parse(text))


def test_a_long_table_is_printed_in_lines_that_fit() -> None:
    text = table("T1", [str(number) for number in range(500)])
    found: dict[str, object] = {}
    exec(text, found)
    assert found["T1"] == tuple(range(500))
    assert all(len(line) <= 120 for line in text.splitlines())


def test_a_name_of_the_rules_cannot_end_a_comment() -> None:
    assert remark("fuel\nimport os\r\u2028x") == "fuel?import os??x"
