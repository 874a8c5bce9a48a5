"""Random programs that check, while they run, what range analysis says of them: passes and printers believe it.

checked(kind, seed)      plays the random program of a seed; returns the number of answers
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import attrs

from rulelang.ir.numbers import Row
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.program.layout import lay_out
from rulelang.program.low import lower
from rulelang.program.low import model as low
from rulelang.program.low.bounds import ANY
from rulelang.program.low.passes.playouts import for_llvm, looking_once
from rulelang.program.low.passes.playouts import for_playouts as for_python
from rulelang.program.low.passes.ranges.facts import may_be
from rulelang.program.low.passes.ranges.folding import Folding
from rulelang.program.low.passes.ranges.here import Here
from rulelang.program.low.passes.ranges.values import Known
from rulelang.program.low.passes.rewriting import rewritten, with_body
from rulelang.program.python import support, words
from rulelang.program.python.compiled import Compiled, compile_game
from tests.fuzz.executors import LONGEST, PROGRAMS, STEPS, listed, stepped_by_playouts
from tests.fuzz.finding import Finding
from tests.machines.attempts import attempt


class Untrue(Exception):
    """A word is not what range analysis says of it."""


@attrs.frozen
class Said:
    """What is said of a word; in a program it stands for the name of an operation that changes nothing."""

    number: int
    bounds: low.Bounds
    where: str

    def of(self, value: int) -> int:
        """Returns a value that is as said; raises Untrue for any other."""
        if not may_be(self.bounds, max(-low.FAR, min(value, low.FAR))):  # FAR stands for all beyond
            raise Untrue(f"{self.where} is {value}, which is not in {self.bounds}")
        return value


class Saying(Folding):
    """Folds a function, and has it check each register that is set and each parameter."""

    def __init__(self, known: Known, function: low.Function, said: list[Said]) -> None:
        super().__init__(known, function)
        self._said = said

    def function(self) -> low.Function:
        """Returns the function that checks itself."""
        given = {i: self.usual[i] for i in range(self.of.parameters)}
        body, _ = self.body(self.of.body, Here(dict(given), {}, {}))
        first = [low.SetInst(i, self._checked(low.RegisterWord(i), bounds)) for i, bounds in given.items()]
        return with_body(self.of, (*first, *body))

    def _set(self, register: int, value: low.Word, here: Here) -> tuple[low.Inst, ...]:
        _, bounds = self.word(value, here)
        found = super()._set(register, value, here)
        return tuple(
            low.SetInst(register, self._checked(order.value, bounds)) if isinstance(order, low.SetInst) else order
            for order in found
        )

    def _checked(self, word: low.Word, bounds: low.Bounds) -> low.Word:
        if isinstance(word, low.ConstWord) or bounds == ANY or bounds.low > bounds.high:
            return word
        self._said.append(Said(len(self._said), bounds, f"a register of {self.of.name}"))
        return low.UnaryWord(self._said[-1], word)  # type: ignore[arg-type]


def saying(program: low.Program, said: list[Said], *, is_listed: bool = False, is_lazy: bool = True) -> low.Program:
    """Returns a program that checks itself, and adds what it says to a list."""
    known = Known(program, is_listed=is_listed, is_lazy=is_lazy)
    functions = tuple(Saying(known, function, said).function() for function in program.functions)
    return attrs.evolve(known.program, functions=functions)


@contextmanager
def checking(*, is_for_python: bool) -> Iterator[None]:
    """Lets all code that is printed in the context check itself; `is_for_python`: playouts after the passes for Python,
    else after those for machine code."""
    said = list[Said]()
    plain_unary, plain_names = words._unary, support.names

    def unary(name: object, of: low.Word) -> str:
        if isinstance(name, Said):
            return f"SAID[{name.number}].of({words.text_of(of)})"
        return plain_unary(name, of)  # type: ignore[arg-type]

    def names() -> dict[str, object]:
        return {**plain_names(), "SAID": said}

    def playouts(program: low.Program) -> low.Program:
        if is_for_python:
            return saying(for_python(program), said, is_listed=True)
        return saying(rewritten(looking_once(program), for_llvm()), said, is_listed=True, is_lazy=False)

    with (
        patch("rulelang.program.python.words._unary", unary),
        patch("rulelang.program.python.compiled.names", names),
        patch("rulelang.program.python.playing.names", names),
        patch("rulelang.program.low.passes.playouts.for_playouts", playouts),
    ):
        yield


def attack(choose: random.Random) -> None:
    """Plays one random program that checks itself; raises Finding where something said is not true."""
    again(f"{choose.choice(tuple(PROGRAMS))} {choose.randrange(10**9)}")


def again(found: str) -> int:
    """Plays what a finding names; returns the number of answers."""
    kind, seed = found.split()
    try:
        return checked(kind, int(seed))
    except Untrue as untrue:
        raise Finding(str(untrue), found) from untrue


def checked(kind: str, seed: int) -> int:
    """Plays a random program as it was lowered, and in all ways that are rewritten; returns the number of answers."""
    game = attrs.evolve(PROGRAMS[kind](seed), steps=STEPS)
    found: list[Compiled | None] = [compile_game(game, lay_out(game))]
    for is_for_python in (True, False):
        with checking(is_for_python=is_for_python):
            found.append(stepped_by_playouts(game))
    return sum(played(compiled, seed) for compiled in found if compiled is not None)


def played(compiled: Compiled, seed: int) -> int:
    """Returns the number of answers of a random game; raises Untrue where a slot holds what it never should."""
    rng, bounds, seats = random.Random(seed), slots(compiled), len(compiled.game.seats)
    machine = GeneratedMachine(compiled, Seeded(seed, compiled.game, compiled.layout))
    begun = attempt(machine.begin, rng.randint(min(2, seats), seats), {})
    for many in range(LONGEST):
        _look_at(machine.row, bounds)
        if begun is not None or machine.pending is None:
            return many
        seat = rng.choice(machine.pending.seats)
        found = attempt(listed, machine, seat)
        if not isinstance(found, list) or not found:
            return many
        begun = attempt(machine.answer, seat, rng.choice(found))
    return LONGEST


def slots(compiled: Compiled) -> Sequence[low.Bounds]:
    """Returns what is said of the slots of a game's row."""
    return lower(compiled.game, compiled.layout, compiled.control, None).bounds


def _look_at(row: Row, bounds: Sequence[low.Bounds]) -> None:
    for slot, (value, said) in enumerate(zip(row, bounds, strict=False)):
        Said(slot, said, f"slot {slot}").of(value)
