"""Loops whose body asks which members concern it -> loops over those members.

for r4 in 255: if ((r3 >> r4) & 1): …                # for r4 in (255 & r3): …
for r4 in 511: if (table0[r4] == r1): …              # for r4 in table2[r1]: …
for r4 in (255 & r3): r2 = (r2 | (1 << r4))          # r2 = (r2 | (255 & r3))
"""

from __future__ import annotations

import attrs

from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.here import Here
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.rounds import Rounds
from rulelang.program.low.passes.ranges.values import Known, Values, storing
from rulelang.program.low.passes.rewriting import with_bodies, with_body
from rulelang.program.low.widths import width_of
from rulelang.program.packing import members

MOST_VALUES = 64
"""The most values for which the members that have them are listed."""
MOST_MEMBERS = 512
"""The most members that are looked at one by one, for a set that is not known yet."""
Body = tuple[low.Inst, ...]


def filtered(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with loops over those members only that their bodies ask for."""
    filters = _Filters(program, memory)
    functions = tuple(filters.function(f) for f in program.functions)
    return attrs.evolve(program, functions=functions, tables=filters.known.program.tables)


class _Filters:
    def __init__(self, program: low.Program, memory: PassMemory | None) -> None:
        self.known, self.storing = Known(program, memory), storing(program)

    def function(self, function: low.Function) -> low.Function:
        values = Values(self.known, function)
        return with_body(function, self._body(function.body, values))

    def _body(self, body: Body, values: Values) -> Body:
        found: list[low.Inst] = []
        for order in body:
            inner = with_bodies(order, lambda inner: self._body(inner, values))
            found.append(_filled(self._narrowed(inner, values)) if isinstance(inner, low.WalkInst) else inner)
        return tuple(found)

    def _narrowed(self, order: low.WalkInst, values: Values) -> low.WalkInst:
        while True:
            match order.body:
                case (low.IfInst(condition=condition, then=then, otherwise=()),):
                    mask = self._members(condition, order, values)
                    if mask is None:
                        return order
                    members, are_all = mask
                    narrowed = members if are_all else low.BinaryWord("&", order.mask, members)
                    order = low.WalkInst(order.register, narrowed, then)
                case _:  # the body does more than to ask for its members
                    return order

    def _members(self, condition: low.Word, loop: low.WalkInst, values: Values) -> tuple[low.Word, bool] | None:
        """Returns the members for which a condition holds, and whether they are members of the loop's mask already."""
        x, universe = low.RegisterWord(loop.register), _universe(loop.mask, values)
        match condition:
            case low.BinaryWord("&", low.BinaryWord(">>", mask, number), low.ConstWord(value=1)) | low.HasWord(
                mask, number
            ) if number == x and self._is_fixed(mask, loop, values):
                return mask, False
            case low.BinaryWord("==", entry, value) | low.BinaryWord("==", value, entry) if (
                universe is not None
                and self._is_fixed(value, loop, values)
                and not isinstance(value, low.ConstWord)
                and _reads_only(entry, x)
                and self._is_known(entry, loop, values)
            ):
                found = self._by_value(entry, value, x.number, universe, values)
            case _ if universe is not None and _reads_only(condition, x) and self._is_known(condition, loop, values):
                found = _holding(condition, universe, x.number, values)
            case _:  # it asks for more
                return None
        return None if found is None else (found, isinstance(loop.mask, low.ConstWord))

    def _is_known(self, word: low.Word, loop: low.WalkInst, values: Values) -> bool:
        """Returns whether a word exists for every member that a loop's mask may have."""
        return isinstance(loop.mask, low.ConstWord) or values.is_total(word)

    def _is_fixed(self, word: low.Word, loop: low.WalkInst, values: Values) -> bool:
        """Returns whether a word is the same in each round of a loop."""
        return values.is_total(word) and Rounds.of(loop, self.storing).keep(word)

    def _by_value(
        self, entry: low.Word, value: low.Word, register: int, universe: int, values: Values
    ) -> low.Word | None:
        """Returns the members of a universe that have a value, from a table; None if there are too many values."""
        bounds = values.bounds(value)
        size = bounds.high - bounds.low + 1
        if not 0 < size <= MOST_VALUES:
            return None
        masks, without = [0] * size, 0
        for i in members(universe):
            held = _at(entry, register, i, values)
            if held is None:
                return None
            if bounds.low <= held <= bounds.high:
                masks[held - bounds.low] |= 1 << i
            without |= (held == NONE) << i
        words = 1 if self.known.program.bits is None else max(width_of(low.ConstWord(m), ()) for m in (*masks, without))
        at = value if not bounds.low else low.BinaryWord("-", value, low.ConstWord(bounds.low))
        is_none = low.BinaryWord("==", value, low.ConstWord(NONE))
        if bounds.none and words > 1:  # a choice is made between words alone
            at = low.SelectWord(is_none, low.ConstWord(size), at)
            return low.EntryWord(self.known.table((*masks, without)), at, words)
        found = low.EntryWord(self.known.table(tuple(masks)), at, words)
        return low.SelectWord(is_none, low.ConstWord(without), found) if bounds.none else found


def _universe(mask: low.Word, values: Values) -> int | None:
    """Returns a set that holds all members that a mask may have; None if it may have too many."""
    if isinstance(mask, low.ConstWord):
        return mask.value
    bounds = values.bounds(mask)
    if bounds.none or bounds.low < 0 or bounds.high.bit_length() > MOST_MEMBERS:
        return None
    return (1 << bounds.high.bit_length()) - 1


def _holding(condition: low.Word, universe: int, register: int, values: Values) -> low.ConstWord | None:
    """Returns the members of a universe for which a condition on them alone holds; None if nobody can tell."""
    found = 0
    for i in members(universe):
        holds = _at(condition, register, i, values)
        if holds is None:
            return None
        found |= (holds != 0) << i
    return low.ConstWord(found)


def _reads_only(word: low.Word, register: low.RegisterWord) -> bool:
    """Returns whether a word depends on a register alone."""
    found = list(word.within)
    return register in found and not any(
        isinstance(part, low.CellWord | low.ItemWord | low.GivenWord | low.BitWord)
        or (isinstance(part, low.RegisterWord) and part != register)
        for part in found
    )


def _at(word: low.Word, register: int, value: int, values: Values) -> int | None:
    """Returns the value of a word that depends on a register alone; None if nobody can tell."""
    here = Here({register: low.Bounds(value, value)}, {}, {})
    found = values.word(word, here)[0]
    return found.value if isinstance(found, low.ConstWord) else None


def _filled(loop: low.WalkInst) -> low.Inst:
    """Returns a union in place of a loop that adds each member to a set."""
    match loop.body:
        case (
            low.SetInst(
                register=register,
                value=low.BinaryWord(
                    "|",
                    low.RegisterWord(number),
                    low.BinaryWord("<<", low.ConstWord(1), low.RegisterWord(member))
                    | low.BitWord(low.RegisterWord(member)),
                ),
            ),
        ) if register == number and member == loop.register:
            return low.SetInst(register, low.BinaryWord("|", low.RegisterWord(register), loop.mask))
        case _:  # it does more
            return loop
