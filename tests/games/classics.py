"""The classic games under tests/classics, loaded once, and trees and walks over their matches."""

from __future__ import annotations

from functools import cache

from rulelang import api
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.machines.chance import Seeded
from rulelang.machines.machine import Machine
from tests.files import CLASSICS

NAMES = tuple(sorted(p.stem for p in CLASSICS.glob("*.rules")))


@cache
def classic(name: str) -> api.Game:
    return api.load(CLASSICS / f"{name}.rules")


def machine_of(game: api.Game, executor: str, players: int, seed: int = 0, lone: LoneOptions | None = None) -> Machine:
    machine = game.internals.with_lone(lone).machine(executor)(Seeded(seed, game.ir, game.internals.layout))
    machine.begin(players, {})
    return machine


def perft(machine: Machine, depth: int) -> int:
    """Counts the answers at a depth; a machine without options is a leaf that does not count."""
    pending = machine.pending
    if pending is None:
        return 0
    seat = pending.seats[0]
    if depth == 1:
        return sum(1 for _ in machine.options(seat))
    total = 0
    for answer in machine.options(seat):
        child = machine.fork()
        child.answer(seat, answer)
        total += perft(child, depth - 1)
    return total
