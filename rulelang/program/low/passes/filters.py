"""Loops whose body asks which members concern it -> loops over those members.

for r4 in 255: if ((r3 >> r4) & 1): …                # for r4 in (255 & r3): …
for r4 in 511: if (table0[r4] == r1): …              # for r4 in table2[r1]: …
"""

from __future__ import annotations

import attrs

from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.here import Here
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.values import Known, Values, stores, storing
from rulelang.program.low.passes.rewriting import set_by, with_bodies, with_body

MOST_VALUES = 64
"""The most values for which the members that have them are listed."""
Body = tuple[low.Inst, ...]


def filtered(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with loops over those members only that their bodies ask for."""
    filters = _Filters(program, memory)
    functions = tuple(filters.function(f) for f in program.functions)
    return attrs.evolve(program, functions=functions, tables=tuple(filters.tables))


class _Filters:
    def __init__(self, program: low.Program, memory: PassMemory | None) -> None:
        self.known, self.storing = Known(program, memory), storing(program)
        self.tables = dict.fromkeys(program.tables)
        self.count = {table: i for i, table in enumerate(self.tables)}

    def function(self, function: low.Function) -> low.Function:
        values = Values(self.known, function)
        return with_body(function, self._body(function.body, values))

    def _body(self, body: Body, values: Values) -> Body:
        found: list[low.Inst] = []
        for order in body:
            inner = with_bodies(order, lambda inner: self._body(inner, values))
            found.append(self._narrowed(inner, values) if isinstance(inner, low.WalkInst) else inner)
        return tuple(found)

    def _narrowed(self, order: low.WalkInst, values: Values) -> low.WalkInst:
        while True:
            match order.body:
                case (low.IfInst(condition=condition, then=then, otherwise=()),):
                    mask = self._members(condition, order, values)
                    if mask is None:
                        return order
                    both = mask if mask[1] else low.BinaryWord("&", order.mask, mask[0])
                    order = low.WalkInst(order.register, mask[0] if mask[1] else both, then)  # type: ignore[arg-type]
                case _:  # the body does more than to ask for its members
                    return order

    def _members(self, condition: low.Word, loop: low.WalkInst, values: Values) -> tuple[low.Word, bool] | None:
        """Returns the members for which a condition holds, and whether they are members of the loop's mask already."""
        x = low.RegisterWord(loop.register)
        match condition:
            case low.BinaryWord("&", low.BinaryWord(">>", mask, number), low.ConstWord(value=1)) | low.HasWord(
                mask, number
            ) if number == x and self._is_fixed(mask, loop, values):
                return mask, False
            case low.BinaryWord("==", entry, value) if (
                isinstance(loop.mask, low.ConstWord)
                and self._is_fixed(value, loop, values)
                and not isinstance(value, low.ConstWord)
                and _reads_only(entry, x)
            ):
                return self._by_value(entry, value, loop, values)
            case _ if isinstance(loop.mask, low.ConstWord) and _reads_only(condition, x):
                return low.ConstWord(self._holding(condition, loop.mask.value, x.number, values)), True
            case _:  # it asks for more
                return None

    def _is_fixed(self, word: low.Word, loop: low.WalkInst, values: Values) -> bool:
        """Returns whether a word is the same in each round of a loop."""
        orders = low.orders((loop,))
        changed = {set_by(order) for order in orders}
        if not values.is_total(word):
            return False
        for part in word.within:
            if isinstance(part, low.RegisterWord) and part.number in changed:
                return False
            if isinstance(part, low.ItemWord | low.GivenWord):
                return False
            if isinstance(part, low.CellWord) and stores(orders, self.storing):
                return False
        return True

    def _holding(self, condition: low.Word, mask: int, register: int, values: Values) -> int:
        members = 0
        for i in range(mask.bit_length()):
            if mask >> i & 1 and _at(condition, register, i, values) != 0:
                members |= 1 << i
        return members

    def _by_value(
        self, entry: low.Word, value: low.Word, loop: low.WalkInst, values: Values
    ) -> tuple[low.Word, bool] | None:
        bounds = values.bounds(value)
        size = bounds.high - bounds.low + 1
        if bounds.none or not 0 < size <= MOST_VALUES:
            return None
        assert isinstance(loop.mask, low.ConstWord)
        masks = [0] * size
        for i in range(loop.mask.value.bit_length()):
            held = _at(entry, loop.register, i, values) if loop.mask.value >> i & 1 else NONE
            if bounds.low <= held <= bounds.high:
                masks[held - bounds.low] |= 1 << i
        if max(masks).bit_length() > low.BITS:
            return None
        number = self.count.setdefault(tuple(masks), len(self.count))
        self.tables.setdefault(tuple(masks))
        index = value if not bounds.low else low.BinaryWord("-", value, low.ConstWord(bounds.low))
        return low.EntryWord(number, index), True


def _reads_only(word: low.Word, register: low.RegisterWord) -> bool:
    """Returns whether a word depends on a register alone."""
    found = list(word.within)
    return register in found and not any(
        isinstance(part, low.CellWord | low.ItemWord | low.GivenWord | low.BitWord)
        or (isinstance(part, low.RegisterWord) and part != register)
        for part in found
    )


def _at(word: low.Word, register: int, value: int, values: Values) -> int:
    """Returns the value of a word that depends on a register alone."""
    here = Here({register: low.Bounds(value, value)}, {}, {})
    found = values.word(word, here)[0]
    return found.value if isinstance(found, low.ConstWord) else 1
