"""Single steps by the code of playouts: the same options, rows and faults as by the code that tells faults."""

from __future__ import annotations

import random
from functools import cache

import attrs
import pytest

from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded, Watched
from rulelang.machines.generated import GeneratedMachine
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import Compiled, compile_game
from tests.files import CLASSICS, TESTS
from tests.generators.board_ir import board_game
from tests.machines.attempts import attempt
from tests.seeds import rest_long

SHARED = """\
game shared "Shared":
  players {players}
die d: 1, 2, 3
the game has:
  heap: 0..9 = 0
action take(p: Player, n: 1..3) "Take {{n}}":
  needs n <= heap
  heap -= n
play:
  heap = 4 + roll(d)
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with score {score}
"""
NAMES = ("breakthrough", "connect_four", "nim", "othello", "pig", "tic_tac_toe")


@cache
def prepared(name: str) -> Compiled:
    """Returns a classic with the code of playouts."""
    game = api.load(CLASSICS / f"{name}.rules")
    code = compile_game(game.ir, game.internals.layout)
    assert code.plain.prepare() is not None
    return code


def usual(code: Compiled) -> Compiled:
    """Returns the same game without that code."""
    return compile_game(code.game, code.layout)


def stepped(code: Compiled) -> Compiled:
    """Returns a game with the code of playouts, which single steps use whether or not they gain."""
    found, plain = usual(code), code.plain.prepare()
    found.plain.code = plain and attrs.evolve(plain, is_stepped=True)
    return found


def options(machine: GeneratedMachine, seat: Seat) -> list[tuple[int, ...]]:
    return list(machine.options(seat))


def played_alike(one: Compiled, other: Compiled, seed: int, most: int = 120) -> int:
    """Plays a random game on two machines, comparing all there is; returns the number of answers."""
    rng, game, layout = random.Random(seed), one.game, one.layout
    machines = [GeneratedMachine(code, Seeded(seed, game, layout)) for code in (one, other)]
    begun = [attempt(machine.begin, game.players[0], {}) for machine in machines]
    assert begun[0] == begun[1]
    for plies in range(most):
        a, b = machines
        assert (a.row, a.pending) == (b.row, b.pending)
        if a.pending is None:
            return plies
        seat = a.pending.seats[0]
        found = attempt(options, a, seat)
        assert found == attempt(options, b, seat)
        if not isinstance(found, list):
            return plies
        answer = rng.choice(found)
        if rng.random() < 0.2:
            machines = a, b = [machine.fork() for machine in machines]
        results = [attempt(machine.answer, seat, answer) for machine in machines]
        assert results[0] == results[1]
    return most


@pytest.mark.parametrize("name", rest_long(NAMES, "nim", "pig", "tic_tac_toe"))
def test_steps_of_a_game_of_small_words_are_the_same(name: str) -> None:
    code = prepared(name)
    assert sum(played_alike(stepped(code), usual(code), seed) for seed in range(4)) > 10


@pytest.mark.parametrize("players", [2, 5, 9, 16])
@pytest.mark.parametrize("score", ["7", "-7 - turn"])
def test_a_score_is_the_same_however_many_seats_there_are(players: int, score: str) -> None:
    game = api.check_text(SHARED.format(players=players, score=score)).game
    assert game is not None
    code = stepped(compile_game(game.ir, game.internals.layout))
    assert code.plain.code is not None
    assert sum(played_alike(usual(code), code, seed) for seed in range(4)) > 4


@pytest.mark.long
def test_steps_of_random_games_are_the_same_faults_included() -> None:
    plies = 0
    for seed in range(14):
        game = board_game(seed)
        code = compile_game(game, lay_out(game))
        if code.plain.prepare() is not None:
            plies += sum(played_alike(stepped(code), usual(code), again) for again in range(2))
    assert plies > 50


@pytest.mark.parametrize("name", rest_long(["breakthrough", "othello"], "breakthrough"))
def test_options_that_were_listed_are_not_those_of_another_row(name: str) -> None:
    machines = [
        GeneratedMachine(code(prepared(name)), Seeded(1, prepared(name).game, prepared(name).layout))
        for code in (stepped, usual)
    ]
    for machine in machines:
        machine.begin(2, {})
    first = machines[0].row[:]
    for machine in machines:
        machine.answer(Seat(0), options(machine, Seat(0))[0])
    assert options(machines[0], Seat(1)) == options(machines[1], Seat(1)) != []
    for machine in machines:
        machine.row[:] = first
    assert options(machines[0], Seat(0)) == options(machines[1], Seat(0)) != []


@pytest.mark.parametrize("name", NAMES)
def test_plain_steps_are_taken_by_all_games_of_small_words(name: str) -> None:
    plain = prepared(name).plain.code
    assert plain is not None
    assert plain.is_stepped


def test_plain_steps_are_not_taken_where_answers_are_sealed() -> None:
    game = api.load(TESTS / "redeals" / "guessing.rules")
    plain = compile_game(game.ir, game.internals.layout).plain.prepare()
    assert plain is not None
    assert not plain.is_stepped


def test_draws_of_plain_steps_are_there_when_they_are_read() -> None:
    code = prepared("pig")
    drawn = []
    for one in (stepped(code), usual(code)):
        machine = GeneratedMachine(one, Watched(Seeded(1, code.game, code.layout)))
        machine.begin(2, {})
        for _ in range(6):
            assert machine.pending is not None
            seat = machine.pending.seats[0]
            machine.answer(seat, options(machine, seat)[0])
            assert isinstance(machine.chance, Watched)
            drawn.append(machine.chance.drawn)
    assert drawn[:6] == drawn[6:]
    assert any(drawn)


def test_a_row_that_somebody_has_is_not_shared_with_forks() -> None:
    code = stepped(prepared("nim"))
    machine = GeneratedMachine(code, Seeded(1, code.game, code.layout))
    machine.begin(2, {})
    again = GeneratedMachine(code, Seeded(1, code.game, code.layout))
    again.begin(2, {})
    first, fork = machine.fork().row, machine.fork()
    row = machine.row
    row[code.seat] = 7
    later = machine.fork()
    row[code.seat] = 8
    assert (machine.row[code.seat], later.row[code.seat]) == (8, 7)
    assert fork.row == again.row == first


def test_answers_of_a_match_count_until_the_code_is_worth_printing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulelang.program.python.playing.WORTH_PRINTING", 8)
    code = usual(prepared("breakthrough"))
    machine = GeneratedMachine(code, Seeded(1, code.game, code.layout))
    machine.begin(2, {})
    for there in (*[False] * 7, True):
        seat = Seat(machine.row[code.seat])
        machine.answer(seat, options(machine, seat)[0])
        assert (code.plain.code is not None) is there
