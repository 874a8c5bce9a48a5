"""Re-deals in machine code, and whole choices of `greedy`: those of Python, word for word."""

from __future__ import annotations

from itertools import islice

import pytest

import rulelang
from rulelang.ir.numbers import Seat
from rulelang.lab import greedy
from rulelang.lab.seat_view import SeatView
from rulelang.machines.native.machine import NativeMachine
from rulelang.match.match import BareMatch
from rulelang.match.redeals import redeal
from rulelang.playouts.rng import RandomStream
from rulelang.program.results import RedealPlan
from tests.seeds import rest_long

pytest.importorskip("llvmlite")

GAMES = {"outspeed": 3, "outspeed+sprint": 3, "exobase": 1, "exit_velocity": 2}
"""The games, and how many play."""
PLIES, DEALS = 30, 3


def dealt(match: BareMatch, seat: int, seed: int) -> list[object]:
    """Returns some deals, each with everything that a bot can read of it, and the next random number."""
    rng = RandomStream("deals", seed)
    deals = list(islice(redeal.redeals(match, Seat(seat), rng, thinking=True), DEALS))
    found = []
    for deal in deals:
        seal, machine = deal.position.seal, deal.position.machine
        before = None if seal.before is None else list(seal.before.row)
        options = [[*machine.options(other)] for other in deal.to_move]
        known = deal.position.knowledge if match.is_traced else None
        found.append((list(machine.row), deal.internals.drawn_from.seed, seal.answers, before, options, known))  # type: ignore[attr-defined]
    return [*found, rng.word]


def stopped(name: str, players: int, *, traced: bool) -> list[BareMatch]:
    """Returns a match of a game at every few choices of a random game."""
    game = rulelang.load(name)
    match = game.start(players, 7, executor="native", traced=traced)
    rng, found = RandomStream("stops"), list[BareMatch]()
    for ply in range(PLIES):
        if not match.to_move:
            break
        if ply % 3 == 2:
            found.append(match.fork())
        match.push(match.options.pick(rng.randrange))
    return found


@pytest.mark.long
@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", rest_long(GAMES, "outspeed+sprint"))
def test_machine_code_chooses_as_greedily_as_python(name: str, traced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = stopped(name, GAMES[name], traced=traced)
    asked = [(match, seat) for match in matches for seat in match.to_move]
    chosen = [greedy.choose_greedy(SeatView(match, seat, RandomStream(n))) for n, (match, seat) in enumerate(asked)]
    by_code = [greedy.by_machine(SeatView(match, seat, RandomStream(n))) for n, (match, seat) in enumerate(asked)]
    monkeypatch.setattr(greedy, "by_machine", lambda seen: None)
    monkeypatch.setattr(NativeMachine, "planned", lambda machine, plan: None)
    assert chosen == [
        greedy.choose_greedy(SeatView(match, seat, RandomStream(n))) for n, (match, seat) in enumerate(asked)
    ]
    assert all(by_code)


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", rest_long(GAMES, "outspeed+sprint"))
def test_machine_code_deals_what_python_deals(name: str, traced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = stopped(name, GAMES[name], traced=traced)
    asked = [(match, seat) for match in matches for seat in match.to_move]
    plans: list[RedealPlan] = []
    planned = NativeMachine.planned

    def noted(machine: NativeMachine, plan: RedealPlan) -> object:
        plans.append(plan)
        return planned(machine, plan)

    monkeypatch.setattr(NativeMachine, "planned", noted)
    by_code = [dealt(match, seat, n) for n, (match, seat) in enumerate(asked)]
    monkeypatch.setattr(NativeMachine, "planned", lambda machine, plan: None)
    assert by_code == [dealt(match, seat, n) for n, (match, seat) in enumerate(asked)]
    assert len(plans) > len(asked) / 2
