"""A trace hears of a native machine what it hears of the generated one: the same calls, each on the same row, and the
same draws."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from rulelang import api
from rulelang.errors import Unsupported
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Seat
from rulelang.ir.types import IntType
from rulelang.machines.chance import Scripted, Seeded, Watched
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Answer, Trace
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import compile_game
from tests.files import TESTS
from tests.games.in_ir import GAMES
from tests.games.written import board_rows
from tests.games.written import game as written
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.machines.attempts import attempt
from tests.program.printed import BOARDS, OTHERS, SHIPPED
from tests.program.test_printed_traces import TOLD
from tests.seeds import rest_long

pytest.importorskip("llvmlite")

from rulelang.machines.native import telling as told
from rulelang.machines.native.code import Native, made
from rulelang.machines.native.machine import NativeMachine

Told = tuple[str, str, int | None, Row, object]
"""A call of a trace: its name, its arguments, the number of the block whose moves are being made, the row of that
moment, and what was drawn until then."""


class Listener:
    """A trace that keeps what it is told by a machine, and writes to its row where it is told of a phase."""

    def __init__(self, machine: GeneratedMachine, edits: dict[int, int]) -> None:
        self.machine, self.edits = machine, edits
        self.told: list[Told] = []
        self.blocks: list[object] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        def tell(*arguments: object) -> None:
            machine, block = self.machine, self.machine.at_once
            if block is not None and all(block is not known for known in self.blocks):
                self.blocks.append(block)
            number = next((i for i, known in enumerate(self.blocks) if known is block), None)
            kept = arguments[:2] if name == "enter_phase" else arguments
            row = machine.row[: machine.layout.size]
            self.told.append((name, repr(kept), number, row, drawn(machine)))
            if name == "enter_phase":
                assert arguments[2] is machine or type(machine) is GeneratedMachine
                for slot, value in self.edits.items():
                    machine.row[slot] = value

        return tell


def listed(machine: GeneratedMachine, seat: Seat) -> list[Answer]:
    return list(machine.options(seat))


def drawn(machine: GeneratedMachine) -> object:
    chance = machine.chance
    return (chance.drawn[:], chance.among, chance.order) if isinstance(chance, Watched) else None


class Pair:
    """A native and a generated machine, which take the same steps; each has a listener."""

    def __init__(self, code: Native, seed: int, edits: dict[int, int] | None = None) -> None:
        compiled = code.compiled
        game, layout = compiled.game, compiled.layout
        self.rng = random.Random(seed)
        self.one = NativeMachine(code, Watched(Seeded(seed, game, layout)))
        self.other = GeneratedMachine(compiled, Watched(Seeded(seed, game, layout)))
        self.machines = self.one, self.other
        self.listeners = [Listener(machine, edits or {}) for machine in self.machines]
        for machine, listener in zip(self.machines, self.listeners, strict=True):
            machine.trace = cast("Trace", listener)
        self.counts: Counter[str] = Counter()

    def play(self, most: int) -> Counter[str]:
        """Takes at most so many steps, up to a fault of the rules; returns what was told."""
        players = self.rng.randint(*self.other.game.players)
        if not self.same("begin", players, {}):
            return self.counts
        for _ in range(most):
            pending = self.other.pending
            if pending is None:
                break
            seat = self.rng.choice(pending.seats)
            found = attempt(listed, self.other, seat)
            if not isinstance(found, list) or not found:
                break
            answer = self.rng.choice(found)
            if not self.same("answer", seat, answer):
                break
        return self.counts

    def same(self, step: str, *given: Any) -> bool:
        """Takes a step on both, and compares all there is; returns whether it succeeded."""
        results = []
        for machine, listener in zip(self.machines, self.listeners, strict=True):
            listener.told.clear()
            listener.blocks.clear()
            assert isinstance(machine.chance, Watched)
            machine.chance.drawn, machine.chance.among, machine.chance.order = [], [], []
            results.append(attempt(getattr(machine, step), *given))
        one, other = self.listeners
        assert one.told == other.told
        assert results[0] == results[1]
        assert self.one.row == self.other.row
        assert drawn(self.one) == drawn(self.other)
        assert (self.one.at_once, self.other.at_once) == (None, None)
        if results[0] is not None:
            return False
        assert self.one.left == self.other.left
        self.counts.update(
            ["steps", *(call[0] for call in one.told), *("at once" for c in one.told if c[2] is not None)]
        )
        return True


@pytest.fixture(autouse=True)
def nothing_is_optimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps code as it was first compiled, for traced steps do not run optimised code."""
    monkeypatch.setattr("rulelang.machines.native.code.Optimising", lambda text, keep: None)


@pytest.fixture
def generated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that native machines left to the generated one."""
    found: list[str] = []
    for step in ("begin", "answer"):
        was = getattr(GeneratedMachine, step)

        def counted(machine: GeneratedMachine, *given: Any, was: Any = was, step: str = step) -> None:
            found.extend([step] if isinstance(machine, NativeMachine) else [])
            was(machine, *given)

        monkeypatch.setattr(GeneratedMachine, step, counted)
    return found


def compared(game: GameRules, seeds: int, most: int) -> Counter[str]:
    """Plays random games; returns what was told in all."""
    code = telling(game)
    return sum((Pair(code, seed).play(most) for seed in range(seeds)), Counter[str]())


def telling(game: GameRules) -> Native:
    """Returns machine code that tells a trace from its first step on."""
    code = made(compile_game(game, lay_out(game)))
    code.told.compile()
    return code


@pytest.mark.long
@pytest.mark.parametrize("name", [*(f"classics/{name}" for name in BOARDS), *OTHERS])
def test_a_game_tells_the_same_on_the_same_rows(name: str, generated: list[str]) -> None:
    counts = compared(api.load(TESTS / f"{name}.rules").ir, 3, 40)
    assert counts["steps"] > 5
    assert counts["enter"] > counts["steps"] / 2
    assert generated == []


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_tells_the_same_on_the_same_rows(name: str, generated: list[str]) -> None:
    counts = compared(api.load(name).ir, 3, 60)
    assert counts["steps"] > 100
    assert min(counts[call] for call in ("enter", "leave", "witness", "set", "move", "enter_phase")) > 10
    assert generated == []


@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_ir_tells_the_same_on_the_same_rows(name: str) -> None:
    assert compared(GAMES[name](), 3, 40)["steps"] > 5


@pytest.mark.parametrize(
    ("text", "calls"),
    TOLD.values(),
    ids=TOLD,
)
def test_what_happens_at_once_by_chance_or_is_only_foreseen_is_told_alike(
    text: str, calls: list[str], tmp_path: Path, generated: list[str]
) -> None:
    counts = compared(written(text, tmp_path).ir, 3, 40)
    assert counts["steps"] > 10
    assert all(counts[call] for call in calls)
    assert generated == []


CORNERS = """\
game corners "Corners":
  players 2
  seats ann, ben
names p: Player; s: Field
board Field: square
  map \"\"\"
{rows}
  \"\"\"
the game has:
  marks: set of Field = {{}}
  n: 0..40 = 0
to mark(p, s) "{{p}} marks {{s}}": marks += s
action corner(p) "corner":
  marks = {{{last}}}
  n = n + 1, at most 40
action all_of_them(p) "all":
  marks = Field
action either(p) "either":
  let corners = {{a1, {last}}} if n % 2 == 0 else {{{last}}}
  for s in corners: mark(p, s)
  if count(corners) > 1: marks = corners
  n = n + 1, at most 40
action more(p) "more": marks = {{s in Field if s == {last} or s in marks}}
action none_of_them(p) "none": marks = {{}}
play:
  turns p from ann:
    p chooses one of corner, all_of_them, either, more, none_of_them
    if n == 40: finish with winner p
"""


@pytest.mark.parametrize(("columns", "rows"), [(7, 9), (8, 8), (9, 9), (8, 16), (13, 10)])
def test_the_last_space_of_a_board_is_told_whatever_its_size(columns: int, rows: int, tmp_path: Path) -> None:
    lines, last = board_rows(columns, rows)
    game = written(CORNERS.format(rows=lines, last=last), tmp_path)
    assert compared(game.ir, 3, 40)["set"] > 40


@pytest.mark.long
def test_random_games_tell_the_same_faults_included() -> None:
    counts = Counter[str]()
    for game in (make(seed) for make in (board_game, random_game, game_in_turns) for seed in range(8)):
        try:
            counts += compared(game, 2, 60)
        except Unsupported:
            continue
    assert counts["steps"] > 60
    assert counts["enter"] > counts["steps"] / 2


@pytest.mark.long
def test_a_listener_that_changes_the_row_changes_what_comes_of_the_step(generated: list[str]) -> None:
    game = api.load("exobase").ir
    code = telling(game)
    state = next(s for s in game.states if isinstance(s.type, IntType) and s.name == "round")
    counts = Pair(code, 1, {code.compiled.layout.states[state.id]: 3}).play(30)
    assert counts["enter_phase"] > 3
    assert counts["steps"] > 10
    assert 0 < len(generated) < counts["steps"]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_step_with_too_many_notes_is_the_generated_machines(
    seed: int, generated: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulelang.machines.native.machine.ROOM", 100)
    counts = Pair(telling(api.load(TESTS / "classics" / "othello.rules").ir), seed).play(30)
    assert counts["steps"] > 20
    assert 0 < len(generated) < counts["steps"]


def test_dice_that_do_not_come_from_a_seed_alone_are_thrown_by_the_generated_machine(generated: list[str]) -> None:
    game = api.load(TESTS / "classics" / "pig.rules").ir
    pair = Pair(telling(game), 3)
    for machine in pair.machines:
        machine.chance = Watched(Scripted(Seeded(3, game, machine.layout), game, machine.layout, rolls={"d6": [6, 2]}))
    assert pair.play(20)["roll"] > 3
    assert len(generated) > 10


@pytest.mark.parametrize(("name", "pays"), [("classics/othello", True), ("classics/pig", False)])
def test_code_that_tells_is_compiled_where_it_pays(name: str, pays: bool, generated: list[str]) -> None:
    game = api.load(TESTS / f"{name}.rules").ir
    code = made(compile_game(game, lay_out(game)))
    assert Pair(code, 1).play(2 * told.TRIED)["steps"] > 1.5 * told.TRIED
    assert (code.told.code is not None) is pays
    assert (generated.count("answer") == told.TRIED) is pays


@pytest.mark.parametrize(
    "name",
    rest_long(
        ["outspeed", "exobase", str(TESTS / "classics/othello.rules"), str(TESTS / "games/tavern.rules")],
        "outspeed",
    ),
)
def test_the_log_of_a_match_and_what_its_listener_hears_are_the_same_bytes(
    name: str, generated: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "WORTH_NOTING", 0)
    monkeypatch.setattr(told, "TRIED", 1)
    game = api.load(name)
    heard: dict[str, list[object]] = {"native": [], "generated": []}
    for is_live in (False, True):
        logs = []
        for executor, told_live in heard.items():
            match, rng = game.start(seed=4, executor=executor), random.Random(4)
            if is_live:
                match.listen(told_live.append)
            for _ in range(40):
                if not match.to_move:
                    break
                match.push(match.options[rng.randrange(len(match.options))])
            logs.append(match.log.text)
        assert logs[0] == logs[1]
    assert heard["native"] == heard["generated"] != []
    assert len(generated) < 4
