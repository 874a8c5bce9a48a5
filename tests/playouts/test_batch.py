"""Many random games at once: the same ones on every executor and for any number of threads."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from rulelang import api
from rulelang.errors import RulelangError
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.playouts.batch import Playouts, rng_of
from rulelang.playouts.playout import playout
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.playing import WORTH_PRINTING
from rulelang.program.randomness import key_of
from rulelang.program.results import FAULT, FINISHED, UNFINISHED
from tests.files import CLASSICS
from tests.seeds import rest_long

BOARDS = ("breakthrough", "connect_four", "nim", "othello", "tic_tac_toe")
OTHERS = ("kuhn", "pig")


def classic(name: str) -> api.Game:
    return api.load(CLASSICS / f"{name}.rules")


@pytest.mark.long
@pytest.mark.parametrize("name", [*BOARDS, *OTHERS])
def test_playouts_are_the_same_on_every_executor_and_for_any_number_of_threads(name: str) -> None:
    game = classic(name)
    one = game.playouts(12, seed=7, executor="generated")
    assert len(one) == 12
    assert game.playouts(12, seed=7) == one
    assert game.playouts(12, seed=7, threads=5) == one
    assert game.playouts(3, seed=7, executor="reference") == first(one, 3)
    assert game.playouts(12, seed=8) != one


def first(found: Playouts, many: int) -> Playouts:
    columns = (found.lengths, found.ends, found.winners, found.scores, found.kinds)
    return Playouts(*(column[:many] for column in columns), seats=found.seats)


@pytest.mark.parametrize("name", rest_long([*BOARDS, "pig"], "nim", "pig", "tic_tac_toe"))
def test_playouts_are_the_same_before_and_after_their_code_is_printed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", "off")
    look_the_same_when_printed(api.load(CLASSICS / f"{name}.rules"))


ROLLED = """\
game rolled "Rolled":
  players 1

die d: 1, 2, 3

the game has:
  heap: 0..9 = 0

action take(p: Player, n: 1..3) "Take {n}":
  needs n <= heap
  heap -= n

play:
  let face = roll(d)
  heap = 4 + face
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with score 7
"""


def test_playouts_that_roll_before_the_first_choice_are_the_same_when_their_code_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", "off")
    path = tmp_path / "rolled.rules"
    path.write_text(ROLLED)
    look_the_same_when_printed(api.load(path))


def look_the_same_when_printed(game: api.Game) -> None:
    compiled = compiled_of(game)
    before = game.playouts(12, seed=7, executor="generated")
    assert compiled.plain.code is None
    assert compiled.plain.prepare() is not None
    assert game.playouts(12, seed=7, executor="generated") == before
    assert game.playouts(12, seed=7, at_most=3, executor="generated").lengths == array(
        "q", [min(length, 3) for length in before.lengths]
    )


def compiled_of(game: api.Game) -> Compiled:
    machine = game.internals.machine("generated")(Seeded(0, game.ir, game.internals.layout))
    assert isinstance(machine, GeneratedMachine)
    return machine.compiled


def test_more_playouts_than_printing_takes_are_printed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", "off")
    game = api.load(CLASSICS / "nim.rules")
    assert len(game.playouts(WORTH_PRINTING, seed=1, at_most=1, executor="generated")) == WORTH_PRINTING
    assert compiled_of(game).plain.code is not None


@pytest.mark.long
def test_native_playouts_are_those_of_the_reference() -> None:
    pytest.importorskip("llvmlite")
    for name in (*BOARDS, "pig"):
        game = classic(name)
        native = game.playouts(50, seed=7, executor="native", threads=2)
        assert native == game.playouts(50, seed=7, executor="generated")
        assert game.playouts(2, seed=7, executor="reference") == first(native, 2)


def test_the_columns_say_how_a_game_ended() -> None:
    found = classic("tic_tac_toe").playouts(200, seed=1)
    assert set(found.ends) == {FINISHED}
    assert set(found.winners) == {1, 2, 3}
    assert found.wins(Seat(0)) + found.wins(Seat(1)) + found.draws == 200
    assert min(found.lengths) >= 5
    # The last space is a lone option, which nobody chooses.
    assert max(found.lengths) == 8
    ranked = classic("othello").playouts(20, seed=1)
    assert set(ranked.winners) <= {1, 2, 3}
    assert ranked.wins(Seat(0)) + ranked.wins(Seat(1)) + ranked.draws == 20


@pytest.mark.parametrize("executor", ["generated", None])
def test_a_playout_that_is_cut_is_unfinished_and_nobody_has_won_it(executor: str | None) -> None:
    found = classic("connect_four").playouts(5, seed=1, at_most=6, executor=executor)
    assert list(found.lengths) == [6] * 5
    assert set(found.ends) == {UNFINISHED}
    assert found.unfinished == 5
    assert (found.wins(Seat(0)), found.wins(Seat(1)), found.draws, set(found.winners)) == (0, 0, 0, {0})
    none = classic("connect_four").playouts(2, seed=1, at_most=0, executor=executor)
    assert list(none.lengths) == [0, 0]
    assert none.unfinished == 2


def test_a_playout_is_the_bare_game_with_its_rng() -> None:
    game = classic("othello")
    found = game.playouts(3, seed=7)
    machine = game.internals.machine("generated")(Seeded(0, game.ir, game.internals.layout))
    machine.begin(2, {})
    assert playout(machine, rng_of(key_of("7", "playouts"), 2)) == found.lengths[2]


FAULTY = """\
game faulty "Faulty":
  players 1

the game has:
  heap: 0..9 = 4

action take(p: Player, n: 1..3) "Take {n}":
  heap -= n

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with score 7
"""


@pytest.mark.parametrize("executor", ["generated", None])
def test_a_fault_of_the_rules_is_how_one_playout_ends(executor: str | None, tmp_path: Path) -> None:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY)
    game = api.load(path)
    found = game.playouts(60, seed=1, executor=executor)
    assert set(found.ends) == {FINISHED, FAULT}
    if executor == "generated":
        compiled_of(game).plain.prepare()
        assert game.playouts(60, seed=1, executor=executor) == found
    assert found.faults + found.ends.count(FINISHED) == 60
    for length, end, score in zip(found.lengths, found.ends, found.scores, strict=True):
        assert score == (7 if end == FINISHED else 0)
        # The answer that the rules went wrong at is not counted.
        assert length in ((2, 3, 4) if end == FINISHED else (1, 2, 3))


def test_no_playouts_are_empty_columns() -> None:
    assert len(classic("nim").playouts(0)) == 0
    assert list(classic("nim").playouts(0).winners) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 9},
        {"policy": "greedy"},
        {"executor": "quick"},
        {"options": {"nothing": 1}},
        {"threads": 0},
        {"threads": 10**9},
    ],
)
def test_what_there_is_not_is_refused_in_words(wrong: dict[str, object]) -> None:
    with pytest.raises(RulelangError, match=r"\w+ \w+"):
        classic("nim").playouts(1, **wrong)  # type: ignore[arg-type]
    with pytest.raises(RulelangError):
        classic("nim").playouts(-1)
    with pytest.raises(RulelangError):
        classic("nim").playouts("many")  # type: ignore[arg-type]


def test_playouts_begin_before_machine_code_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    # Machine code that an earlier run left would be taken.
    monkeypatch.setenv("RULELANG_CACHE", "off")
    game = api.load(CLASSICS / "nim.rules")
    monkeypatch.setattr("rulelang.machines.native.code.Native.compile", lambda self: None)
    assert game.playouts(60, seed=2) == game.playouts(60, seed=2, executor="generated")


@pytest.mark.long
@pytest.mark.parametrize("name", ["outspeed", str(CLASSICS / "pig.rules"), str(CLASSICS / "kuhn.rules")])
def test_a_match_under_way_is_played_on_the_same_on_every_executor_and_for_any_number_of_threads(name: str) -> None:
    game = api.load(name)
    found = []
    for executor in ("generated", "native", "reference"):
        match = game.start(seed=6, executor=executor)
        match.push(match.options[0])
        before = match.key
        found += [match.playouts(12, seed=5), match.playouts(12, seed=5, threads=3)]
        found += [first(match.playouts(50, seed=5), 12)]
        assert match.key == before
        assert match.playouts(12, seed=6) != found[0]
    assert found == [found[0]] * 9


def test_a_match_played_on_ends_as_one_that_begins_with_the_same_dice() -> None:
    game = classic("tic_tac_toe")
    assert game.start(seed=1).playouts(40, seed=2) == game.playouts(40, seed=2)
    match = game.start(seed=1)
    match.push(match.options[0])
    assert max(match.playouts(40).lengths) <= 8
    while match.to_move:
        match.push(match.options[0])
    assert (match.playouts(2).lengths.tolist(), match.playouts(2).ends.tolist()) == ([0, 0], [FINISHED] * 2)
    for threads in (0, 10**9):
        with pytest.raises(RulelangError):
            match.playouts(2, threads=threads)
    with pytest.raises(RulelangError):
        match.playouts(2, policy="best")
