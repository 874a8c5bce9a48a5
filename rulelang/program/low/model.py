"""The low-level IR: functions of plain statements over 64-bit words, and over wide words of several of them.

    r2 = row[13 + r0]                       SetInst(2, CellWord(BinaryWord("+", ConstWord(13), RegisterWord(0))))
    if r2 == none: trap                     IfInst(BinaryWord("==", RegisterWord(2), ConstWord(NONE)), (TrapInst(),), ())
    return 1 if r2 == r1 else 0             ReturnInst(BinaryWord("==", RegisterWord(2), RegisterWord(1)))

Expressions are total: they have no effect, cannot fail and read only cells and entries that exist, so a printer may
evaluate them whenever and as often as it likes. Only statements can fail. `TrapInst` stands for everything that this
program leaves to the woven IR: faults of the rules, a spent budget, numbers that are too large. Its caller restores the
row and runs the step on another executor, which either reports the fault in words or succeeds.

A wide word is a set of many members, or a pile: 16 bits a thing. Constants are as wide as they must be and registers as
wide as the values put in them (`widths`); a narrow word stands for a wide one whose upper bits are 0.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias, assert_never, cast

import attrs

from rulelang.ir.numbers import Slot

BITS = 64
"""The width of a word in bits."""
WIDEST = 4200
"""More bits than any set has."""
FAR = 1 << WIDEST
"""Beyond every number and every set."""

BinaryName: TypeAlias = Literal[
    "+", "-", "*", "min", "max", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "<<", ">>", "div", "mod", "outside", "high"
]  # fmt: skip
UnaryName: TypeAlias = Literal["neg", "flip", "count", "lowest", "mixed"]
TellName: TypeAlias = Literal[
    "enter", "witness", "leave", "set", "set_again", "move", "shuffle", "turn_up", "show", "roll", "pick", "forced",
    "finish", "enter_phase", "begin_moves", "end_moves", "rolled", "picked", "picked_from_pile", "shuffled",
]  # fmt: skip
"""What a trace is told; `telling.TELLS` says with which numbers."""
Still: TypeAlias = tuple[tuple[int, int], ...]
"""Parts of the row, each with its first word and the one behind its last, in order."""
OutcomeForm: TypeAlias = Literal["roll", "pick", "pick from a pile", "shuffle"]

# ------------------------------------------------------------------ expressions


@attrs.frozen
class _Word:
    """A word, with the answers to what passes ask again and again."""

    @cached_property
    def within(self) -> tuple[Word, ...]:
        """The word and all words inside it, each before its parts."""
        found = [cast("Word", self)]
        for part in parts(found[0]):
            found += part.within
        return tuple(found)

    @cached_property
    def registers(self) -> tuple[int, ...]:
        """The registers that it reads, each as often as it stands there."""
        return tuple(part.number for part in self.within if isinstance(part, RegisterWord))


@attrs.frozen(cache_hash=True)
class ConstWord(_Word):
    value: int


@attrs.frozen(cache_hash=True)
class RegisterWord(_Word):
    """Reads a local of the function; its parameters are the first ones."""

    number: int


@attrs.frozen(cache_hash=True)
class CellWord(_Word):
    """Reads a slot of the row, or `words` adjoining ones as a wide word, the lowest first."""

    index: Word
    words: int = 1


@attrs.frozen(cache_hash=True)
class EntryWord(_Word):
    """Reads an entry of a table of the program; all entries of a table are equally wide."""

    table: int
    index: Word
    words: int = 1


@attrs.frozen(cache_hash=True)
class ItemWord(_Word):
    """Reads an entry of an array of the function."""

    array: int
    index: Word


@attrs.frozen(cache_hash=True)
class GivenWord(_Word):
    """Reads the current answer from one of its words on: word 0 is the branch, the parameters follow."""

    position: int
    words: int = 1


@attrs.frozen(cache_hash=True)
class BitWord(_Word):
    """A wide word with one bit set, whose number is below its width."""

    number: Word
    words: int


@attrs.frozen(cache_hash=True)
class HasWord(_Word):
    """Whether a bit of a wide word is set; its number is not negative."""

    mask: Word
    number: Word


@attrs.frozen(cache_hash=True)
class BinaryWord(_Word):
    """`+ - * min max == != < <= > >= & | ^ << >>` on signed words, comparisons giving 1 or 0; a shift is by 0 to 63, `>>` fills with zeros.

    `div` and `mod` round down; the divisor has been checked before. `outside` is whether the first is below 0 or not
    below the second. `high` are the upper 64 bits of the product of two unsigned words.
    """

    name: BinaryName
    left: Word
    right: Word


@attrs.frozen(cache_hash=True)
class UnaryWord(_Word):
    """`neg`, `flip` (each bit), `count` (of the set bits), `lowest` (the number of the lowest set bit; any number for
    0), `mixed` (`program.randomness.mixed`)."""

    name: UnaryName
    of: Word


@attrs.frozen(cache_hash=True)
class SelectWord(_Word):
    """One of two words; both are evaluated."""

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


def parts(word: Word) -> tuple[Word, ...]:
    """Returns the words directly inside a word."""
    match word:
        case BinaryWord(left=left, right=right):
            return left, right
        case ConstWord() | RegisterWord() | GivenWord():
            return ()
        case CellWord(index=index) | EntryWord(index=index) | ItemWord(index=index):
            return (index,)
        case SelectWord(condition=condition, then=then, otherwise=otherwise):
            return condition, then, otherwise
        case UnaryWord(of=of):
            return (of,)
        case BitWord(number=number):
            return (number,)
        case HasWord(mask=mask, number=number):
            return mask, number
        case _:
            assert_never(word)


# ------------------------------------------------------------------ statements


@attrs.frozen
class _Compound:
    """A statement with others inside."""

    @cached_property
    def inside(self) -> tuple[Inst, ...]:
        """The statements inside it, each before those inside it."""
        order = cast("IfInst | RepeatInst | WalkInst", self)
        bodies = (order.then, order.otherwise) if isinstance(order, IfInst) else (order.body,)
        return tuple(each for body in bodies for each in orders(body))


@attrs.frozen
class SetInst:
    register: int
    value: Word


@attrs.frozen
class StoreInst:
    """Writes a slot of the row, or `words` adjoining ones."""

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
class IfInst(_Compound):
    condition: Word
    then: tuple[Inst, ...]
    otherwise: tuple[Inst, ...] = ()


@attrs.frozen
class RepeatInst(_Compound):
    """Repeats its body until a `BreakInst`."""

    body: tuple[Inst, ...]


@attrs.frozen
class WalkInst(_Compound):
    """Runs its body for each bit that is set in a word, from the lowest."""

    register: int
    mask: Word
    body: tuple[Inst, ...]


@attrs.frozen
class BreakInst:
    """Leaves the innermost loop, and as many loops around it as `outer` says."""

    outer: int = 0


@attrs.frozen
class CallInst:
    """Calls a function; the caller ends too if it trapped or the game is over. Its site pays for what has none; see
    `PayInst`."""

    register: int | None
    function: str
    arguments: tuple[Word, ...]
    words: int = 1
    """The width of the result in words."""
    goes_on: bool = False
    """Whether the caller continues after the game has ended, because the call only looks ahead."""
    site: int = 0


@attrs.frozen
class KeepRowInst:
    """Copies the row into an array of the function, without the parts that nobody writes before it is put back."""

    array: int
    still: Still = ()


@attrs.frozen
class PutBackRowInst:
    """Copies an array of the function into the row, without the parts that `KeepRowInst` left out."""

    array: int
    still: Still = ()


def moving_parts(still: Still, size: int) -> list[tuple[int, int]]:
    """Returns the parts of so many words that are not still.

    >>> moving_parts(((3, 5),), 9)
    [(0, 3), (5, 9)]
    """
    firsts, ends = [0, *(end for _, end in still)], [*(first for first, _ in still), size]
    return [(first, end) for first, end in zip(firsts, ends, strict=True) if first < end]


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
    """Takes steps from the budget; traps when they are spent.

    In words of any size it has the site of the line that pays, which the error names; 0 if that is not known.
    """

    steps: Word
    site: Word = ConstWord(0)


@attrs.frozen
class DrawInst:
    """Draws the next 64 bits of a random stream, as `machines.chance.Seeded` does; traps if dice are not rolled from a seed."""

    register: int
    stream: Word


@attrs.frozen
class OutcomeInst:
    """Asks the source of chance, whichever it is, for an outcome; words must be of any size.

    roll               one of the faces `of`
    pick               a member of the set `of`
    pick from a pile   a thing of a pile that is in a set, both in `of`; the source is given them from the top
    shuffle            a pile in its new order; `of` are the pile and the kind of its things
    """

    register: int
    form: OutcomeForm
    stream: Word
    of: tuple[Word, ...]


@attrs.frozen
class OfferInst:
    """Lists an option: its branch and its parameters, with the width of each in words; `()` means one word each."""

    values: tuple[Word, ...]
    widths: tuple[int, ...] = ()


@attrs.frozen
class GiveInst:
    """Makes an answer the current one; see `OfferInst`."""

    values: tuple[Word, ...]
    widths: tuple[int, ...] = ()


@attrs.frozen
class TellInst:
    """Tells the trace something; changes nothing, except that a listener to `enter_phase` may write to the row."""

    tell: TellName
    arguments: tuple[Word, ...]


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
    | OutcomeInst
    | OfferInst
    | GiveInst
    | TellInst
)

# ------------------------------------------------------------------ programs


@attrs.frozen(cache_hash=True)
class Bounds:
    """The values that a word may have: the numbers from `low` to `high`, and perhaps none; FAR means any number."""

    low: int
    high: int
    none: bool = False


@attrs.frozen
class Function:
    """A function: its first registers are its parameters; without a `ReturnInst` it returns 0.

    widths     the number of words of each register; `()` means one each
    result     the number of words that it returns
    arrays     the number of entries of each of its arrays, which hold arbitrary values until they are written
    memo       for each parameter its least value and the number of its values, if results are kept while a `score` is
    computed; else ()
    takes      the bounds of each parameter, as every call keeps them; () if nothing is known
    gives      the bounds of its result; None if nothing is known
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
    takes: tuple[Bounds, ...] = ()
    gives: Bounds | None = None

    @cached_property
    def orders(self) -> tuple[Inst, ...]:
        """Its statements and all statements inside them."""
        return tuple(orders(self.body))

    def width(self, register: int) -> int:
        """Returns the width of a register in words."""
        return self.widths[register] if self.widths else 1


@attrs.frozen
class QuestionFunctions:
    """The functions of a question, which list its options and
    carry out each branch, and the most that listing may cost.

    answers    by branch: the number of words of each parameter
    owing      of a sealed question: the slot of the seats that owe an answer (`keep` keeps one answer); else -1
    look       the function that looks whether there are options, called for the same seat before the seat is asked; else ""
    legal      the function that tells whether the current answer of a seat is legal, where words have any size; else ""
    """

    options: str
    branches: tuple[str, ...]
    budget: int
    answers: tuple[tuple[int, ...], ...] = ()
    owing: int = -1
    keep: str = ""
    look: str = ""
    legal: str = ""


@attrs.frozen
class ScoreFunction:
    """The data for playing by the rules' `score`: the function for a seat's score, and what is needed to call it.

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

    row          the number of words of the row: one for each slot, control state included, then those of wide slots
    scratch      the number of words behind those, which are 0 between steps
    wide         slots that are kept elsewhere, in order: each with its place and its number of words there
    question     the slot of the number of the waiting question, + 1; `seat` is that of the seat asked
    blocks       by block at which a step may begin or continue: its function, which returns the next block, or -1
    half         the steps that one call may take before it traps and another executor checks the full budget
    score        None where the rules define no `score`
    bounds       by slot, what it may hold while the game waits or a step runs; () if that is not known
    counters     the slot with the number of draws from the first random stream; `streams` is the number of streams
    bits         the width of a word: 64, or None for words of any size
    shown        by value that screens call, or by hole of the rules' sentences: its function, which needs only a row; of a
                 program of nothing else
    hides        whether there is anything that not every seat may see
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
    bounds: tuple[Bounds, ...] = ()
    bits: int | None = BITS
    shown: tuple[tuple[int, str], ...] = ()
    hides: bool = False

    @cached_property
    def width(self) -> int:
        """The number of words of the longest answer, which passes leave as it is, since places in memory depend on it."""
        return max((1 + sum(widths) for question in self.questions for widths in question.answers), default=1)


def offers(body: tuple[Inst, ...]) -> list[OfferInst | GiveInst]:
    """Returns the statements in a body that list an option or make an answer the current one."""
    return [order for order in orders(body) if isinstance(order, OfferInst | GiveInst)]


def orders(body: tuple[Inst, ...]) -> list[Inst]:
    """Returns the statements of a body and all statements inside them."""
    found: list[Inst] = []
    for order in body:
        found.append(order)
        if isinstance(order, IfInst | RepeatInst | WalkInst):
            found += order.inside
    return found


def words_in(order: Inst) -> tuple[Word, ...]:
    """Returns the words that a statement reads itself, without those of the statements inside it."""
    match order:
        case SetInst(value=value) | ReturnInst(value=value):
            return (value,)
        case StoreInst(index=index, value=value) | PutInst(index=index, value=value):
            return index, value
        case IfInst(condition=condition):
            return (condition,)
        case WalkInst(mask=mask):
            return (mask,)
        case CallInst(arguments=words) | TellInst(arguments=words):
            return words
        case DrawInst(stream=stream):
            return (stream,)
        case OutcomeInst(stream=stream, of=words):
            return (stream, *words)
        case OfferInst(values=words) | GiveInst(values=words):
            return words
        case PayInst(steps=steps, site=site):
            return (steps,) if site == ConstWord(0) else (steps, site)
        case RepeatInst() | BreakInst() | KeepRowInst() | PutBackRowInst() | TrapInst() | GameOverInst():
            return ()
        case _:
            assert_never(order)
