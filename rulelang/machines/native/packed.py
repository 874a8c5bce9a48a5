"""A machine whose row lies packed, as machine code left it, and is unpacked into a list on demand.

machine.row      the list; a caller that writes to it asks for it again after each step
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Self

from rulelang.ir.numbers import Row, Seat, Slot
from rulelang.machines.chance import Dice, seeded_in, stream_keys
from rulelang.machines.generated import IDLE, GeneratedMachine
from rulelang.machines.machine import Answer, Chance, Pending, Trace
from rulelang.machines.native.code import Native
from rulelang.machines.native.engine import NativeMemory
from rulelang.program.llvm.frame import BY_STREAM, ENDED, GIVEN, LEFT, STATUS, TOGETHER, TRAPPED
from rulelang.program.packing import members
from rulelang.program.randomness import signed


class PackedMachine(GeneratedMachine):
    """A machine that keeps its row packed between calls of machine code."""

    __slots__ = ("_found", "_packed", "_was", "native")

    def __init__(self, native: Native, chance: Chance, trace: Trace | None = None) -> None:
        self.native = native
        self._packed: array[int] | None = None
        """The row as machine code reads it; None if only the list is right."""
        self._was: Row | None = None
        """What the list held when a caller got it, who may have written to it since."""
        self._found: tuple[array[int], Seat, list[Answer]] | None = None
        """A packed row, and the options of a seat that were listed there: who deals anew asks for them, and so do bots."""
        super().__init__(native.compiled, chance, trace)

    @property
    def row(self) -> Row:
        """The row as a list."""
        if self._packed is not None and self._was is None:
            self._was = self.held[:]
        return self._row if self._is_lent and self._stand_in is None else super().row

    @row.setter
    def row(self, row: Row) -> None:
        self._row, self._is_lent, self._packed, self._was = row, True, None, None

    @property
    def held(self) -> Row:
        """The row as a list, for reading."""
        if not self._row:
            assert self._packed is not None
            self._row = self.native.rows.unpacked(self._packed)
        return self._row

    def _settle(self) -> None:
        """Drops the packed row if a caller has written to the list."""
        if self._was is not None and self._was != self._row:
            self._packed = None
        self._was = None

    def _leave_list(self) -> None:
        """Leaves the row as a list alone, for the generated machine."""
        self._settle()
        self._row, self._packed = self.held, None

    def peek(self, slot: int) -> int:
        """Returns the value of a slot that is neither a set nor a zone."""
        held = self._row or self._packed
        assert held is not None
        return held[slot]

    @property
    def pending(self) -> Pending | None:
        """The choice that the game waits for; None when it is over."""
        held, compiled = self._row or self._packed, self.compiled
        assert held is not None
        number = held[compiled.question]
        if not number:
            return None
        asked = held[compiled.asked[number]]
        return compiled.pending[number].get(asked) or self._pending(number, asked)

    def _seats(self, question: int) -> tuple[Seat, ...]:
        owing = self.compiled.control.slots.owing.get(question)
        return (Seat(self.peek(self.compiled.seat)),) if owing is None else tuple(map(Seat, members(self.peek(owing))))

    def _give(self, words: NativeMemory, question: int, answer: Answer) -> None:
        """Passes an answer to machine code."""
        given = self.native.words_of(question, answer)
        words.frame[GIVEN : GIVEN + len(given)] = given

    def continue_from(self, packed: array[int], *, has_ended: bool = False) -> None:
        """Replaces the row; see `playouts.stepping.StepsMany`."""
        self._packed, self._row, self._is_lent, self._was = packed, [], False, None
        if has_ended:
            self.row[self.layout.size :] = self.compiled.idle

    def fork(self) -> Self:
        """Returns an independent copy with the same chance and no trace."""
        if self._was is not None:
            self._settle()
        copy = type(self).__new__(type(self))
        copy.native, copy.compiled = self.native, self.compiled
        copy._packed, copy._was, copy._found = self._packed, None, self._found
        copy._row, copy._is_lent = self._row[:] if self._is_lent else self._row, False
        copy.chance = self.chance
        copy.trace = copy._stand_in = copy._examiner = copy._too_many = None
        copy.listed, copy._memory = self.listed, IDLE
        copy.left, copy.over = self.compiled.half, 0
        return copy

    def rewritten(self, changes: Mapping[Slot, int]) -> GeneratedMachine:
        """Returns such a copy, with other values in some slots; options that were listed are found there if there are
        none."""
        packed = self._packed_row() if changes and self.native.is_loaded else None
        again = None if packed is None else self.native.rows.rewritten(packed, changes)
        return super().rewritten(changes) if again is None else self._in(again)

    def _in(self, packed: array[int], found: tuple[Seat, list[Answer]] | None = None) -> Self:
        """Returns such a copy in another row, in which a seat has these options."""
        copy = self.fork()
        copy._packed, copy._row, copy._is_lent = packed, [], False
        copy._found = self._found if found is None else (packed, *found)
        return copy

    def _load(self) -> NativeMemory | None:
        """Copies the row to the memory of machine code, and returns it; None if it does not fit, or there is no code
        yet."""
        packed = self._ready()
        return None if packed is None else self.native.laid(packed)

    def _ready(self) -> array[int] | None:
        """Returns the row in words; None if it does not fit, or there is no code yet."""
        native = self.native
        if not native.is_final:
            native.keep_up()
        if not native.is_loaded:
            return None
        return self._packed if self._packed is not None and self._was is None else self._packed_row()

    def _packed_row(self) -> array[int] | None:
        """Returns the row in words, as machine code reads it; None if it does not fit."""
        self._settle()
        if self._packed is None:
            assert self._row
            self._packed = self.native.rows.packed(self._row)
        return self._packed

    def _keys(self, chance: Chance) -> array[int]:
        """Returns the keys of the dice as machine code is given them; `no_keys` unless all dice come from a seed."""
        native = self.native
        if type(chance) is Dice:
            return array("q", [TOGETHER, *[0] * native.shape.streams, signed(chance.key)])
        seeded = seeded_in(chance)
        if seeded is None:
            return native.no_keys
        keys = native.keys.get(seeded.seed)
        if keys is None:
            native.keys.clear()
            keys = native.keys[seeded.seed] = array("q", [BY_STREAM, *stream_keys([seeded.seed], self.game)])
        return keys

    def _hand_keys(self, words: NativeMemory, chance: Chance) -> bool:
        """Passes the keys of the dice to machine code; returns whether all dice come from a seed."""
        native, keys = self.native, self._keys(chance)
        words.frame[native.keys_at : native.keys_at + len(keys)] = keys
        return keys is not native.no_keys

    def _took(self, words: NativeMemory) -> bool:
        """Takes the row from machine code; returns whether it finished."""
        status = words.frame[STATUS]
        if status == TRAPPED:
            return False
        self._packed, self._row, self._is_lent, self._was = words.row[: self.native.behind], [], False, None
        self.left, self.over = words.frame[LEFT], 0
        if status == ENDED:
            self.row[self.layout.size :] = self.compiled.idle
        return True
