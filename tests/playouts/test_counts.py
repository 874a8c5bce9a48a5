"""How often rules begin in many random games: the same numbers on every executor, and no other games."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulelang import api
from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.machines.executors import Runnable, executor_called
from rulelang.machines.native import counting
from rulelang.machines.native.optimiser import OPTIMISED, PLAIN, object_code
from rulelang.playouts.batch import Playouts, played
from rulelang.program.layout import lay_out
from rulelang.program.results import FAULT, FINISHED
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.generators.lasting_ir import lasting_game
from tests.playouts.test_batch import FAULTY, classic

FASTEST = "native" if find_spec("llvmlite") else "generated"
COUNTED = {
    "outspeed": ("advance", "kept", "out_of_fuel", "after eliminate", "eliminate", "bonus"),
    "exobase": ("station", "gain"),
    "empty_space": ("setup",),
}


@pytest.mark.long
@pytest.mark.parametrize("name", COUNTED)
def test_rules_that_begin_are_counted_alike_on_every_executor_and_change_no_game(name: str) -> None:
    game, counts = api.load(name), COUNTED[name]
    found = game.playouts(6, seed=3, counts=counts, executor=FASTEST)
    assert list(found.counts) == list(counts)
    assert any(map(any, found.counts.values()))
    assert attrs.evolve(found, counts={}) == game.playouts(6, seed=3)
    assert game.playouts(6, seed=3, counts=counts, executor=FASTEST, threads=4) == found
    # Two games of Empty Space take the reference ten seconds.
    for executor, many in (("reference", 1), ("generated", 3)):
        again = game.playouts(many, seed=3, counts=counts, executor=executor, at_most=30)
        short = game.playouts(many, seed=3, counts=counts, at_most=30, executor=FASTEST)
        assert again == short


def test_an_option_without_alternative_counts_too() -> None:
    # The last counter of nim is taken without asking.
    nim = classic("nim")
    found = nim.playouts(20, seed=7, counts=["take"])
    assert {taken - length for taken, length in zip(found.counts["take"], found.lengths, strict=True)} == {0, 1}
    match = nim.start(seed=1)
    match.push(match.options[0])
    assert match.playouts(2, seed=2, counts=["take", "take"]).counts["take"][0] > 0


@pytest.mark.parametrize("executor", ["reference", "generated", None])
def test_an_answer_that_the_rules_go_wrong_at_counts_for_nothing(executor: str | None, tmp_path: Path) -> None:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY)
    found = api.load(path).playouts(60, seed=1, executor=executor, counts=["take", "play"])
    assert set(found.ends) == {FINISHED, FAULT}
    assert found.counts["take"] == found.lengths
    assert found.counts["play"] == array("q", [1] * 60)


def counted(game: GameRules, executor: str, many: int = 8) -> Playouts:
    """Returns random games of a game in which all rules with a name are counted."""
    layout = lay_out(game)
    fresh = executor_called(executor).prepare(Runnable(game, layout))
    names = tuple(dict.fromkeys(rule.name for rule in game.rules))
    return played(game, layout, fresh, fresh, game.players[0], many, most=25, counts=names)


@pytest.mark.long
@pytest.mark.parametrize("make", [board_game, random_game, game_in_turns, partial(board_game, make=lasting_game)])
def test_random_rules_are_counted_alike(make: Callable[[int], GameRules]) -> None:
    pytest.importorskip("llvmlite")
    for seed in range(4):
        game = attrs.evolve(make(seed), steps=20_000)
        assert counted(game, "native") == counted(game, "generated")


def test_machine_code_counts_by_itself_and_is_optimised_for_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("RULELANG_CACHE", "off")
    monkeypatch.setattr("rulelang.playouts.batch.RuleCounts", lambda *_: pytest.fail("stepped"))
    monkeypatch.setattr(counting, "WORTH_OPTIMISING", 40)
    efforts = []

    def noted(text: bytes, effort: int) -> bytes:
        efforts.append(effort)
        return object_code(text, effort)

    monkeypatch.setattr(counting, "object_code", noted)
    game = api.load("tests/classics/nim.rules")
    found = [game.playouts(many, seed=7, counts=["take"], executor="native") for many in (8, 8, 50, 8)]
    assert efforts == [PLAIN, OPTIMISED]
    assert found[2].counts["take"][:8] == found[0].counts["take"] == found[1].counts["take"] == found[3].counts["take"]


@pytest.mark.parametrize("counts", ["take", 5, [5], ["tak"], None])
def test_what_is_no_rule_is_not_counted(counts: Any) -> None:
    with pytest.raises(RulelangError, match=r"list of names|no rule is called"):
        classic("nim").playouts(1, counts=counts)
