"""What happens at once, on machine code: blocks within blocks, wide sets in a pass, deferred calls that ask, row by row."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Machine
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from tests.games.at_once import DEALT, DEEP, HEIRS, NESTED, OUT
from tests.machines.test_native import in_lock_step
from tests.seeds import rest_long

pytest.importorskip("llvmlite")


def machines(text: str, folder: Path, seed: int) -> tuple[api.Game, Machine, Machine, Machine]:
    path = folder / f"{text.split()[1]}.rules"
    path.write_text(text, encoding="utf-8")
    game = api.load(path)
    chance = Seeded(seed, game.ir, game.internals.layout)
    return game, *(game.internals.machine(name)(chance) for name in ("native", "generated", "reference"))  # type: ignore[return-value]


def as_the_reference_plays(one: Machine, other: Machine, size: int, seed: int) -> int:
    """Plays a random game on both, comparing variables and options; returns how many answers it took."""
    rng, answers = random.Random(seed), 0
    for machine in (one, other):
        machine.begin(other.game.players[0], {})
    while other.pending is not None:
        assert one.row[:size] == other.row[:size]
        assert one.pending == other.pending
        seat = rng.choice(other.pending.seats)
        options = list(one.options(seat))
        assert options == list(other.options(seat))
        answer = rng.choice(options)
        for machine in (one, other):
            machine.answer(seat, answer)
        answers += 1
    return answers


@pytest.mark.parametrize(
    "text", rest_long([NESTED, DEALT, OUT, DEEP, HEIRS], DEALT, OUT), ids=["nested", "dealt", "out", "deep", "heirs"]
)
def test_what_happens_at_once_goes_row_by_row_as_on_the_other_executors(text: str, tmp_path: Path) -> None:
    for seed in range(3):
        game, one, other, reference = machines(text, tmp_path, seed)
        assert in_lock_step(one.fork(), other, seed) > 3
        assert as_the_reference_plays(one, reference, game.internals.layout.size, seed) > 3


@pytest.mark.parametrize("text", [NESTED, DEALT, OUT], ids=["nested", "dealt", "out"])
def test_what_happens_at_once_needs_no_other_executor(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, machine, _, _ = machines(text, tmp_path, 3)
    for step in ("begin", "answer", "options"):
        monkeypatch.setattr(GeneratedMachine, step, lambda *_: pytest.fail("the generated machine was asked"))
    machine.begin(game.players[0], {})
    assert playout(machine, RandomStream("alone"), 300) > 3
