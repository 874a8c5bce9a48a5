"""The low-level IR: functions of plain statements over 64-bit words, and over wide words of several of them.

    r2 = row[13 + r0]                       SetInst(2, CellWord(BinaryWord("+", ConstWord(13), RegisterWord(0))))
    if r2 == none: trap                     IfInst(BinaryWord("==", RegisterWord(2), ConstWord(NONE)), (TrapInst(),), ())
    return 1 if r2 == r1 else 0             ReturnInst(BinaryWord("==", RegisterWord(2), RegisterWord(1)))

Expressions are total: they have no effect, cannot fail and read no cell or entry that is not there, so a printer may work them out
whenever and as often as it likes. What can fail is a statement. `TrapInst` stands for everything that this program leaves to the woven IR:
faults of the rules, a spent budget, numbers that are too large. Whoever runs it puts the row back as it was and runs the
step by another executor, which finds the fault and its words, or gets through.

A wide word is a set of many members, or a pile: 16 bits a thing. Constants are as wide as they must be and registers as what is put
in them (`widths`); a narrow word stands for a wide one with nothing above it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from rulelang.ir.numbers import Slot

BITS = 64
"""How wide a word is."""

BinaryName: TypeAlias = Literal[
    "+", "-", "*", "min", "max", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "<<", ">>", "div", "mod", "outside", "high"
]  # fmt: skip
UnaryName: TypeAlias = Literal["neg", "flip", "count", "lowest", "mixed"]

# ------------------------------------------------------------------ expressions


@attrs.frozen
class ConstWord:
    value: int


@attrs.frozen
class RegisterWord:
    """Reads a local of the function; its parameters are the first ones."""

    number: int


@attrs.frozen
class CellWord:
    """Reads a slot of the row, or so many adjoining ones as a wide word, the lowest first."""

    index: Word
    words: int = 1


@attrs.frozen
class EntryWord:
    """Reads a table of the program, all of whose entries are so wide."""

    table: int
    index: Word
    words: int = 1


@attrs.frozen
class ItemWord:
    """Reads an array of the function."""

    array: int
    index: Word


@attrs.frozen
class GivenWord:
    """Reads the answer that is being carried out, from one of its words on: 0 is its branch, then come its parameters."""

    position: int
    words: int = 1


@attrs.frozen
class BitWord:
    """A wide word with one bit that is set, whose number is below its width."""

    number: Word
    words: int


@attrs.frozen
class HasWord:
    """Whether a bit of a wide word is set; its number is not below 0."""

    mask: Word
    number: Word


@attrs.frozen
class BinaryWord:
    """`+ - * min max == != < <= > >= & | ^ << >>` on signed words, comparisons giving 1 or 0; a shift is by 0 to 63, `>>` fills with zeros.

    `div` and `mod` round down; they stand only where the divisor was looked at. `outside` is whether the first is below 0 or not
    below the second. `high` are the upper 64 bits of the product of two words without a sign.
    """

    name: BinaryName
    left: Word
    right: Word


@attrs.frozen
class UnaryWord:
    """`neg`, `flip` (each bit), `count` (of the bits that are set), `lowest` (the number of the lowest bit that is set; of none, any), `mixed`
    (`program.randomness.mixed`)."""

    name: UnaryName
    of: Word


@attrs.frozen
class SelectWord:
    """One of two words, both of which are worked out."""

    condition: Word
    then: Word
    otherwise: Word


Word: TypeAlias = (
    ConstWord
    | RegisterWord
    | CellWord
    | EntryWord
    | ItemWord
    | GivenWord
    | BitWord
    | HasWord
    | BinaryWord
    | UnaryWord
    | SelectWord
)

# ------------------------------------------------------------------ statements


@attrs.frozen
class SetInst:
    register: int
    value: Word


@attrs.frozen
class StoreInst:
    """Writes a slot of the row, or so many adjoining ones."""

    index: Word
    value: Word
    words: int = 1


@attrs.frozen
class PutInst:
    """Writes an entry of an array of the function, within its size."""

    array: int
    index: Word
    value: Word


@attrs.frozen
class IfInst:
    condition: Word
    then: tuple[Inst, ...]
    otherwise: tuple[Inst, ...] = ()


@attrs.frozen
class RepeatInst:
    """Goes round until a `BreakInst`."""

    body: tuple[Inst, ...]


@attrs.frozen
class WalkInst:
    """Goes over the bits that are set in a word, from the lowest."""

    register: int
    mask: Word
    body: tuple[Inst, ...]


@attrs.frozen
class BreakInst:
    """Leaves loops: the innermost, and so many around it."""

    outer: int = 0


@attrs.frozen
class CallInst:
    """Calls a function; the caller ends too if it trapped or the game is over."""

    register: int | None
    function: str
    arguments: tuple[Word, ...]
    words: int = 1
    """How wide the result is."""
    goes_on: bool = False
    """Whether the caller goes on where the game is over: what was called is only looked ahead to."""


@attrs.frozen
class KeepRowInst:
    """Copies the row into an array of the function."""

    array: int


@attrs.frozen
class PutBackRowInst:
    """Copies an array of the function into the row."""

    array: int


@attrs.frozen
class ReturnInst:
    value: Word


@attrs.frozen
class TrapInst:
    """Ends everything: another executor runs the step."""


@attrs.frozen
class GameOverInst:
    """Ends everything: the game is over."""


@attrs.frozen
class PayInst:
    """Takes steps from the budget; traps when they are spent."""

    steps: Word


@attrs.frozen
class DrawInst:
    """Draws the next 64 bits of a random stream, as `machines.chance.Seeded` does; traps if dice are not rolled from a seed."""

    register: int
    stream: int


@attrs.frozen
class OfferInst:
    """Lists an option: its branch and its parameters, each so wide; `()` is one word each."""

    values: tuple[Word, ...]
    widths: tuple[int, ...] = ()


@attrs.frozen
class GiveInst:
    """Makes an answer the one that is being carried out; see `OfferInst`."""

    values: tuple[Word, ...]
    widths: tuple[int, ...] = ()


Inst: TypeAlias = (
    SetInst
    | StoreInst
    | PutInst
    | IfInst
    | RepeatInst
    | WalkInst
    | BreakInst
    | CallInst
    | KeepRowInst
    | PutBackRowInst
    | ReturnInst
    | TrapInst
    | GameOverInst
    | PayInst
    | DrawInst
    | OfferInst
    | GiveInst
)

# ------------------------------------------------------------------ programs


@attrs.frozen
class Function:
    """A function: its first registers are its parameters; what ends without `ReturnInst` returns 0.

    widths     how many words each register has; `()` is one each
    result     how many words it returns
    arrays     how many entries each of its arrays has; nothing is known of them before they are written
    memo       of one whose results are kept while a `score` is worked out: by parameter the least value, and how many; else ()
    """

    name: str
    about: str
    parameters: int
    registers: int
    body: tuple[Inst, ...]
    widths: tuple[int, ...] = ()
    result: int = 1
    arrays: tuple[int, ...] = ()
    memo: tuple[tuple[int, int], ...] = ()

    def width(self, register: int) -> int:
        """Returns the width of a register in words."""
        return self.widths[register] if self.widths else 1


@attrs.frozen
class QuestionFunctions:
    """The functions of a question: which list its options, and which carry out each branch; and what it may cost to list them.

    answers    by branch: how many words each of its parameters has
    owing      of a sealed question: the slot of the seats that owe an answer, and `keep` what keeps one; else -1
    """

    options: str
    branches: tuple[str, ...]
    budget: int
    answers: tuple[tuple[int, ...], ...] = ()
    owing: int = -1
    keep: str = ""


@attrs.frozen
class ScoreFunction:
    """The parts that steer by the rules' `score`: the function for a seat's score, and the other data it needs.

    budget     the steps that one call may cost
    depth      the slot that counts the steps under way
    choices    the choice of each question
    """

    budget: int
    depth: Slot
    choices: tuple[int, ...]


@attrs.frozen
class Program:
    """A whole game.

    row          how many words the row has: first one for each slot, control state included, then those of wide slots
    scratch      how many words the row has behind those: 0 between steps
    wide         slots that are kept elsewhere: each with its place, and how many words it has there, in order of their places
    question     the slot of the number of the question that waits, + 1; `seat` that of who is asked
    blocks       by block at which a step may go on: its function, which returns the next block, or -1
    half         the budget of a step, of which another executor looks at the rest
    score        where the rules say what a `score` is
    counters     the slot of how often the first random stream was drawn from, of so many `streams`
    """

    functions: tuple[Function, ...]
    tables: tuple[tuple[int, ...], ...]
    row: int
    question: int
    seat: Slot
    blocks: tuple[tuple[int, str], ...]
    questions: tuple[QuestionFunctions, ...]
    half: int
    counters: int = 0
    streams: int = 0
    wide: tuple[tuple[int, int, int], ...] = ()
    scratch: int = 0
    score: ScoreFunction | None = None

    @property
    def width(self) -> int:
        """The width of the longest answer in words."""
        listed = (
            sum(order.widths) or len(order.values) for function in self.functions for order in offers(function.body)
        )
        return max(listed, default=1)


def offers(body: tuple[Inst, ...]) -> list[OfferInst | GiveInst]:
    """Returns the options that a body lists or yields."""
    return [order for order in orders(body) if isinstance(order, OfferInst | GiveInst)]


def orders(body: tuple[Inst, ...]) -> list[Inst]:
    """Returns statements and all that are in them."""
    found: list[Inst] = []
    for order in body:
        found.append(order)
        match order:
            case IfInst(then=then, otherwise=otherwise):
                found += orders(then) + orders(otherwise)
            case RepeatInst(body=inner) | WalkInst(body=inner):
                found += orders(inner)
            case _:  # no other statement has others inside
                pass
    return found
