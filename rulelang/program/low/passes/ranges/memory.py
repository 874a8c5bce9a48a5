"""The answers of range analysis about words and functions, which passes over a program hand on to the next.

    memory.of_word(word).found[what_is_known]      # the word with all put in that is known, and its bounds
    memory.of_function(function).found[around]     # the bounds of its registers, and what it passes and returns

Most passes leave most words and functions as they are, so most questions have been answered before. An answer is kept
under all that it depends on. A memory is for one program and for what passes make of it, whose tables may only grow.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.model import Bounds
from rulelang.program.low.passes.rewriting import set_by

Facts: TypeAlias = tuple[object, ...]
"""All that an answer depends on, in a fixed order."""
Setting: TypeAlias = tuple[int, low.Inst, frozenset[int]]
"""A register, a statement that sets it, and the registers that the statement reads."""


@attrs.frozen(eq=False)
class WordMemory:
    """All answers about a word.

    registers  those that it reads
    slots      those that it reads; None if the word only says at run time which they are
    given      the positions in the current answer that it reads
    found      by what is known of all these at a place: what `Values.word` returns there
    """

    registers: tuple[int, ...]
    slots: tuple[int, ...] | None
    given: tuple[int, ...]
    found: dict[Facts, tuple[low.Word, Bounds]] = attrs.field(factory=dict)

    @classmethod
    def empty(cls, word: low.Word) -> WordMemory:
        """Returns the memory of a word before the first question."""
        cells = [part.index for part in word.within if isinstance(part, low.CellWord) and part.words == 1]
        slots = dict.fromkeys(index.value for index in cells if isinstance(index, low.ConstWord))
        is_known = all(isinstance(index, low.ConstWord) for index in cells)
        given = dict.fromkeys(part.position for part in word.within if isinstance(part, low.GivenWord))
        return cls(tuple(dict.fromkeys(word.registers)), tuple(slots) if is_known else None, tuple(given))


@attrs.define(eq=False)
class FoundBounds:
    """The bounds in a function that is called in one way.

    usual      by register: the bounds of all that is put into it
    passed     what it passes to the functions that it calls: function, parameter, bounds
    returned   the bounds of all that it returns
    """

    usual: dict[int, Bounds]
    passed: list[tuple[str, int, Bounds]] = attrs.field(factory=list)
    returned: list[Bounds] = attrs.field(factory=list)
    is_whole: bool = False
    """Whether `passed` and `returned` are known yet."""


@attrs.frozen(eq=False)
class FunctionMemory:
    """All answers about a function.

    called     the functions that it calls
    setting    its statements that set a register
    found      by its parameters, the results of what it calls and the parts of answers: what it does
    folded     by the same, and what may write to the row: the function without what is known
    """

    function: low.Function
    called: tuple[str, ...]
    setting: tuple[Setting, ...]
    found: dict[Facts, FoundBounds] = attrs.field(factory=dict)
    folded: dict[Facts, low.Function] = attrs.field(factory=dict)

    @classmethod
    def empty(cls, function: low.Function) -> FunctionMemory:
        """Returns the memory of a function before the first question."""
        called = {order.function for order in function.orders if isinstance(order, low.CallInst)}
        setting = ((set_by(order), order) for order in function.orders)
        return cls(
            function,
            tuple(sorted(called)),
            tuple((register, order, _read_by(order)) for register, order in setting if register is not None),
        )


class PassMemory:
    """All answers about the words and the functions of a program, and of those that passes make of it."""

    def __init__(self) -> None:
        self._words: dict[low.Word, WordMemory] = {}
        self._functions: dict[int, FunctionMemory] = {}

    def of_word(self, word: low.Word) -> WordMemory:
        """Returns the answers about a word."""
        found = self._words.get(word)
        if found is None:
            found = self._words[word] = WordMemory.empty(word)
        return found

    def of_function(self, function: low.Function) -> FunctionMemory:
        """Returns the answers about a function; an equal one that was made anew is another one."""
        found = self._functions.get(id(function))
        if found is None:
            # The memory holds the function, so no other one gets its `id`.
            found = self._functions[id(function)] = FunctionMemory.empty(function)
        return found


def _read_by(order: low.Inst) -> frozenset[int]:
    return frozenset(register for word in low.words_in(order) for register in word.registers)
