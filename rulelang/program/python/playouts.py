"""A program that plays random games -> a module of Python.

play_on(S, rng, most, draw)      # (answers given, the rng behind them, what stopped it)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import with_bodies, with_parts, with_words
from rulelang.program.packing import members
from rulelang.program.python.folding import folded
from rulelang.program.python.function import PythonPrinter
from rulelang.program.python.legend import table
from rulelang.program.python.memory import MEMORY
from rulelang.program.python.stops import ENDED, GOING, TRAPPED
from rulelang.program.python.words import number
from rulelang.program.randomness import MIXER, OTHER_MIXER, STEP, WORD

LONGEST = 256
"""The most entries of a table that is printed: Python compiles a long one at many times its size."""


def print_playouts(program: low.Program) -> str:
    """Returns the text of the module."""
    program = _with_wide_slots(attrs.evolve(program, functions=folded(program.functions)))
    printer, looks = PythonPrinter(program), {question.look for question in program.questions}
    lines = [f"{', '.join(MEMORY[:4])} = range(4)", *tables(program)]
    for function in program.functions:
        if function.name not in looks:
            lines += ["", "", *printer.lines(function)]
    return "\n".join([*lines, "", "", *dispatch(program), "", "", *_play_on(program)]) + "\n"


def tables(program: low.Program, *, refers: bool = False) -> Iterator[str]:
    """Prints the tables that are read, and the members of the sets in those that are gone through; if it `refers` to
    them, long ones are only named."""
    orders = [order for function in program.functions for order in low.orders(function.body)]
    words = [part for order in orders for word in low.words_in(order) for part in word.within]
    read = Counter(part.table for part in words if isinstance(part, low.EntryWord))
    walked = Counter(o.mask.table for o in orders if isinstance(o, low.WalkInst) and isinstance(o.mask, low.EntryWord))
    for i, values in enumerate(program.tables):
        is_named = refers and len(values) > LONGEST
        if i in walked and is_named:
            yield f"L{i} = [() if value < 0 else members(value) for value in TABLES[{i}]]"
        elif i in walked:
            yield table(f"L{i}", [str(tuple(members(value))) if value >= 0 else "()" for value in values])
        if read[i] > walked[i]:
            yield f"T{i} = TABLES[{i}]" if is_named else table(f"T{i}", [number(value) for value in values])


def long_tables(program: low.Program) -> dict[int, tuple[int, ...]]:
    """Returns the tables of a program that are too long to be printed, by number."""
    return {i: values for i, values in enumerate(program.tables) if len(values) > LONGEST}


def dispatch(program: low.Program) -> Iterator[str]:
    """Prints where each block and each answer is carried out."""
    names = dict(program.blocks)
    yield table("BLOCKS", [names.get(i, "None") for i in range(max(names, default=-1) + 1)])
    yield table("OPTIONS", [question.options for question in program.questions])
    starts = [
        [question.keep] * len(question.answers) if question.owing >= 0 else list(question.branches)
        for question in program.questions
    ]
    yield table("ANSWERS", [f"({', '.join(row)},)" for row in starts])
    yield table("ASKED", [str(max(question.owing, 0)) for question in program.questions])
    yield table("LOOKED", [str(bool(question.look)) for question in program.questions])


def _with_wide_slots(program: low.Program) -> low.Program:
    """Returns the program with wide slots where Python's row has them: in their own place, each as one number."""
    slots = {low.ConstWord(place): low.ConstWord(slot) for slot, place, _ in program.wide}
    upper = {low.ConstWord(place + i) for _, place, many in program.wide for i in range(1, many)}

    def word(of: low.Word) -> low.Word:
        if isinstance(of, low.CellWord) and of.index in slots:
            return low.CellWord(slots[of.index])
        return with_parts(of, word)

    def body(of: tuple[low.Inst, ...]) -> tuple[low.Inst, ...]:
        return tuple(order(each) for each in of if not (isinstance(each, low.StoreInst) and each.index in upper))

    def order(of: low.Inst) -> low.Inst:
        found = with_bodies(with_words(of, word), body)
        if isinstance(found, low.StoreInst) and found.index in slots:
            return low.StoreInst(slots[found.index], found.value)
        return found

    return attrs.evolve(program, functions=tuple(attrs.evolve(f, body=body(f.body)) for f in program.functions))


def _play_on(program: low.Program) -> list[str]:
    questions = program.questions
    seat, start, options = f"S[{program.seat}]", "ANSWERS[number - 1][answer[0]](S, M)", "OPTIONS[number - 1]"
    if any(question.owing >= 0 for question in questions):
        owing = "(S[ASKED[number - 1]] & -S[ASKED[number - 1]]).bit_length() - 1"
        seat = f"{owing} if ASKED[number - 1] else {seat}"
        start = f"{start[:-1]}, {seat}) if ASKED[number - 1] else {start}"
    elif len(questions) == 1:
        options = questions[0].options
        start = "ANSWERS[0][answer[0]](S, M)" if len(questions[0].branches) > 1 else f"{questions[0].branches[0]}(S, M)"
    listed = "M[FOUND] if LOOKED[number - 1] else None" if not all(q.look for q in questions) else "M[FOUND]"
    return f"""\
def play_on(S, rng, most, draw):
    M = [0, None, (), draw]
    answers = 0
    try:
        while answers < most and (number := S[{program.question}]):
            found = {listed}
            if found is None:
                M[LEFT] = {program.half}
                found = {options}(S, M, {seat})
            many = len(found)
            if not 0 < many <= MOST: raise Trap
            next_rng = (rng + {STEP}) & {WORD}
            word = ((next_rng ^ (next_rng >> 30)) * {MIXER}) & {WORD}
            word = ((word ^ (word >> 27)) * {OTHER_MIXER}) & {WORD}
            M[GIVEN] = answer = found[(word ^ (word >> 31)) * many >> 64]
            M[FOUND] = None
            M[LEFT] = {program.half}
            S[{program.question}] = 0
            block = {start}
            while block >= 0:
                block = BLOCKS[block](S, M)
            answers += 1
            rng = next_rng
    except PlayoutOver:
        return answers + 1, next_rng, {ENDED}
    except (Trap, RecursionError):
        return answers, rng, {TRAPPED}
    return answers, rng, {GOING}""".splitlines()
