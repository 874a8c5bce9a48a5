"""Range analysis: words with a single possible value become that value, and checks that cannot fail go.

    if (r3 outside 64): trap                # goes, where r3 is a square
    row[13 + r3 if (r3 outside 64) == 0 else 13] if (r3 outside 64) == 0 else none      # row[13 + r3]

What a register may hold is known from what is put into it, from the bounds of slots, tables and parameters, and from
the conditions around; a slot that was written or read just now is not read again.
"""

from __future__ import annotations

from functools import reduce

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.bounds import ANY, NEVER, hull
from rulelang.program.low.passes.ranges import facts
from rulelang.program.low.passes.ranges.facts import exactly, is_flag, only
from rulelang.program.low.passes.ranges.here import Here
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.values import NOUGHT, ONE, ROUNDS, Known, Values, negated, stores, walked
from rulelang.program.low.passes.rewriting import set_by, times_set, with_body, with_words

FEW = 4
"""The most bits of a mask that are asked for one by one."""
MOST_TRIED = 1
"""The most loops around a place whose rounds are tried in each other; each multiplies what the innermost takes."""
Body = tuple[low.Inst, ...]


def folded(
    program: low.Program, memory: PassMemory | None = None, *, is_listed: bool = False, is_lazy: bool = False
) -> low.Program:
    """Returns the program without words and checks whose values are known.

    `is_listed`: all answers are options that this program listed. `is_lazy`: whoever evaluates `&` and `|` of
    conditions, and a `Select`, leaves out what does not matter, so that it need not be possible either.
    """
    known = Known(program, memory, is_listed=is_listed, is_lazy=is_lazy)
    return attrs.evolve(program, functions=tuple(Folding(known, f).function() for f in program.functions))


class Folding(Values):
    """Folds one function."""

    def __init__(self, known: Known, function: low.Function) -> None:
        super().__init__(known, function)
        self.left: list[list[Here]] = []
        """By loop around the place: what is known where it is left."""
        self._tried = 0
        """The number of loops around the place whose bodies are being tried."""

    def function(self) -> low.Function:
        """Returns the folded function."""
        memory = self.known.functions[self.of.name]
        writing = self.known.storing.intersection(memory.called)
        around = *self.known.around(self.of.name), writing
        found = memory.folded.get(around)
        if found is None:
            here = Here({i: self.usual[i] for i in range(self.of.parameters)}, {}, {})
            body, _ = self.body(self.of.body, here)
            found = memory.folded[around] = with_body(self.of, body)
        return found

    # -------------------------------------------------------------- statements

    def body(self, body: Body, here: Here) -> tuple[Body, Here | None]:
        """Returns a folded body, and what is known behind it; None if nothing behind it runs."""
        found: list[low.Inst] = []
        now: Here | None = here
        for order in body:
            assert now is not None
            more, now = self.order(order, now)
            found += more
            if now is None:
                break
        return tuple(found), now

    def order(self, order: low.Inst, here: Here) -> tuple[Body, Here | None]:
        match order:
            case low.IfInst():
                return self._if(order, here)
            case low.RepeatInst(body=body):
                return self._repeat(body, here)
            case low.BreakInst(outer=outer):
                self.left[-1 - outer].append(here)
                return (order,), None
            case low.WalkInst():
                return self._walk(order, here)
            case low.PayInst(steps=steps):
                word = self.word(steps, here)[0]
                return ((attrs.evolve(order, steps=word),) if word != NOUGHT else ()), here
            case low.SetInst(register=register, value=value):
                return self._set(register, value, here), here
            case low.StoreInst():
                return self._store(order, here), here
            case _:  # any other statement stays
                found = with_words(order, lambda word: self.word(word, here)[0])
                self._after(order, here)
                ends = isinstance(order, low.ReturnInst | low.TrapInst | low.GameOverInst)
                return (found,), None if ends else here

    def _after(self, order: low.Inst, here: Here) -> None:
        if stores((order,), self.known.storing):
            here.cells.clear()
        register = set_by(order)
        if register is not None:
            here.forget(register, self.put_by(order))

    def _set(self, register: int, value: low.Word, here: Here) -> Body:
        word, bounds = self.word(value, here)
        if word == low.RegisterWord(register):
            return ()
        here.forget(register, bounds)
        if isinstance(word, low.RegisterWord):
            here.copies[register] = word
        match word:
            case low.CellWord(index=low.ConstWord(value=slot), words=1):
                here.cells[slot] = low.RegisterWord(register)
            case _:  # it is no copy of a slot
                pass
        return (low.SetInst(register, word),)

    def _store(self, order: low.StoreInst, here: Here) -> Body:
        (index, place), (value, _) = self.word(order.index, here), self.word(order.value, here)
        first, last = facts.numeric(place)
        if isinstance(index, low.ConstWord) and order.words == 1 and here.cells.get(index.value) == value:
            return ()
        here.forget_cells(first, last + order.words - 1)
        if (
            isinstance(index, low.ConstWord)
            and order.words == 1
            and isinstance(value, low.ConstWord | low.RegisterWord)
        ):
            here.cells[index.value] = value
        return (low.StoreInst(index, value, order.words),)

    def _if(self, order: low.IfInst, here: Here) -> tuple[Body, Here | None]:
        condition, bounds = self.word(order.condition, here)
        if facts.compared("!=", bounds, exactly(0)) is not None:
            return self.body(order.then if only(bounds) != 0 else order.otherwise, here)
        one, other = here.copy(), here.copy()
        self.learn(condition, one, holds=True)
        self.learn(condition, other, holds=False)
        then, after = self.body(order.then, one)
        otherwise, behind = self.body(order.otherwise, other)
        if not then and not otherwise:
            return (), here
        if not then and is_flag(bounds):
            condition, then, otherwise = self.word(negated(condition), here)[0], otherwise, ()
        if after is None or behind is None:
            return (low.IfInst(condition, then, otherwise),), behind if after is None else after
        return (low.IfInst(condition, then, otherwise),), after.merged(behind)

    def _looped(self, body: Body, here: Here) -> Here:
        """Returns the knowledge that holds in each round of a loop, and behind it."""
        inside = here.copy()
        orders = low.orders(body)
        for register in {register for order in orders if (register := set_by(order)) is not None}:
            inside.forget(register, self.usual.get(register, NEVER))
        for order in orders:
            match order:
                case low.StoreInst(index=index, words=words):
                    first, last = facts.numeric(self.bounds(index))
                    inside.forget_cells(first, last + words - 1)
                case _ if stores((order,), self.known.storing):
                    inside.cells.clear()
                case _:  # it writes no slot
                    pass
        return inside

    def _repeat(self, body: Body, here: Here) -> tuple[Body, Here | None]:
        inside = self._each_round(body, here)
        self.left.append([])
        found, _ = self.body(body, inside)
        left = self.left.pop()
        return (low.RepeatInst(found),), reduce(Here.merged, left) if left else None

    def _each_round(self, body: Body, here: Here) -> Here:
        """Returns the knowledge that holds whenever a round of a loop begins."""
        inside = self._looped(body, here)
        held = {r: here.bounds[r] for r in times_set(body) if r in here.bounds}
        for _ in range(ROUNDS if self._tried < MOST_TRIED else 0):
            trial = inside.copy()
            trial.bounds.update(held)
            begun, end = trial.copy(), self._try(body, trial)
            kept = {r: b for r, b in held.items() if end is None or hull(b, end.bounds.get(r, ANY)) == b}
            if kept == held:
                return begun
            held = kept
        return inside

    def _try(self, body: Body, here: Here) -> Here | None:
        """Returns the knowledge behind a round of a loop that begins with some; None if nothing behind it runs."""
        self.left.append([])
        self._tried += 1
        _, end = self.body(body, here)
        self._tried -= 1
        self.left.pop()
        return end

    def _walk(self, order: low.WalkInst, here: Here) -> tuple[Body, Here]:
        mask, bounds = self.word(order.mask, here)
        after = self._looped((order,), here)
        if mask == NOUGHT:
            return (), here
        inside = after.copy()
        inside.bounds[order.register] = walked(bounds)
        self.left.append([])
        body, _ = self.body(order.body, inside)
        self.left.pop()
        if not body:
            return (), after
        if isinstance(mask, low.RegisterWord) and 0 < bounds.high < 1 << FEW and not bounds.none and not bounds.low:
            if set_by_any(body, mask.number):
                return (low.WalkInst(order.register, mask, body),), after
            bit = low.BinaryWord("&", mask, low.BinaryWord("<<", ONE, low.RegisterWord(order.register)))
            body = (low.IfInst(low.BinaryWord("!=", bit, NOUGHT), body),)
            mask = low.ConstWord((1 << bounds.high.bit_length()) - 1)
        return (low.WalkInst(order.register, mask, body),), after


def set_by_any(body: Body, register: int) -> bool:
    """Returns whether some statement of a body sets a register."""
    return any(set_by(order) == register for order in low.orders(body))
