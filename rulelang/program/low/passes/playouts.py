"""A program -> the part of it that plays random games, rewritten for speed.

The options of a question are listed once: the look at them, before the question is asked, leaves their list behind.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import groupby

import attrs

from rulelang.program.layout import OUTCOME_VALUE
from rulelang.program.low import model as low
from rulelang.program.low.passes.budgets import paid_at_once
from rulelang.program.low.passes.columns import in_columns
from rulelang.program.low.passes.conditions import apart, threaded, with_choices
from rulelang.program.low.passes.inlining import inlined, joined, reachable
from rulelang.program.low.passes.loops.counting import by_counting, by_words, over_sets
from rulelang.program.low.passes.loops.filters import filtered
from rulelang.program.low.passes.loops.numbering import numbered
from rulelang.program.low.passes.loops.peeling import peeled
from rulelang.program.low.passes.loops.sifting import sifted
from rulelang.program.low.passes.loops.unrolling import unrolled
from rulelang.program.low.passes.ranges.folding import folded
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.recursion import without_tail_calls
from rulelang.program.low.passes.rewriting import Pass, rewritten
from rulelang.program.low.passes.seats import by_seat
from rulelang.program.low.passes.sharing import hoisted, shared
from rulelang.program.low.passes.unused import without_overwritten, without_unused

MOST_STATEMENTS = 1_500
"""The most statements of a program that is rewritten; that of a larger one would take too long."""


def is_plain(program: low.Program) -> bool:
    """Returns whether the passes are made for a program: its words are numbers and small sets; dice are all its chance."""
    orders = [order for function in program.functions for order in function.orders]
    words = [part for order in orders for word in low.words_in(order) for part in word.within]
    return (
        not program.scratch
        and len(orders) <= MOST_STATEMENTS
        and all(slot == OUTCOME_VALUE for slot, _, _ in program.wide)
        and not any(isinstance(order, low.CallInst) and order.goes_on for order in orders)
        and not any(isinstance(part, low.UnaryWord) and part.name == "mixed" for part in words)
        and all(
            isinstance(part.index, low.ConstWord) for part in words if isinstance(part, low.CellWord) and part.words > 1
        )
    )


def asked_for(program: low.Program) -> low.Program:
    """Returns the program with those blocks only that an answer leads to."""
    bodies = {f.name: f.body for f in program.functions}
    names = dict(program.blocks)
    found: set[int] = set()
    waiting = [number for number, name in program.blocks if any(name in q.branches for q in program.questions)]
    for question in program.questions:
        if question.keep:
            waiting += _next(bodies[question.keep], names)
    while waiting:
        number = waiting.pop()
        if number not in found and number in names:
            found.add(number)
            waiting += _next(bodies[names[number]], names)
    return reachable(attrs.evolve(program, blocks=tuple(block for block in program.blocks if block[0] in found)))


def _next(body: tuple[low.Inst, ...], all: Iterable[int]) -> list[int]:
    """Returns the blocks that a block may lead to; all of them, if it reads the next one from the row."""
    ends = [order.value for order in low.orders(body) if isinstance(order, low.ReturnInst)]
    known = [end.value for end in ends if isinstance(end, low.ConstWord)]
    return known if len(known) == len(ends) else list(all)


def for_python() -> tuple[Pass, ...]:
    """Returns the passes over a program that plays random games in Python, in order; `faults` finds nothing after each.

    The last ones are for a printer whose conditions leave out what does not matter.
    """
    return (
        *_passes(PassMemory()),
        partial(folded, is_listed=True, is_lazy=True),
        in_columns,
        without_overwritten,
        without_unused,
    )


def for_llvm() -> tuple[Pass, ...]:
    """Returns the passes for machine code, whose compiler makes branches of choices, and back, as it thinks best."""
    passes = (improve for improve in _passes(PassMemory()) if improve is not peeled and not _makes_choices(improve))
    first, *rest = (improve for improve, _ in groupby(passes))
    return (first, over_sets, *rest, sifted, by_words, by_counting)


def _makes_choices(improve: Pass) -> bool:
    return isinstance(improve, partial) and improve.func is with_choices


def _passes(memory: PassMemory) -> tuple[Pass, ...]:
    fold, choose = partial(folded, memory=memory, is_listed=True), partial(with_choices, memory=memory)
    return (
        joined,
        asked_for,
        without_tail_calls,
        inlined,
        fold,
        by_seat,
        choose,
        fold,
        choose,
        threaded,
        without_unused,
        apart,
        partial(hoisted, memory=memory),
        fold,
        without_unused,
        partial(filtered, memory=memory),
        fold,
        unrolled,
        fold,
        unrolled,
        peeled,
        fold,
        without_unused,
        choose,
        fold,
        choose,
        choose,
        without_unused,
        apart,
        fold,
        threaded,
        partial(shared, memory=memory),
        fold,
        without_unused,
        partial(paid_at_once, memory=memory),
        numbered,
        fold,
        without_unused,
    )


def for_playouts(program: low.Program) -> low.Program:
    """Returns the program that plays on from a question; raises nothing, since what cannot be improved stays."""
    return rewritten(looking_once(program), for_python())


def for_machine_code(program: low.Program) -> low.Program | None:
    """Returns the program that plays on from a question; None for one that the passes are not made for."""
    return rewritten(looking_once(program), for_llvm()) if is_plain(program) else None


def looking_once(program: low.Program) -> low.Program:
    """Returns the blocks behind the answers, with looks at the options that only say that they list them."""
    looks = {question.look: question.options for question in program.questions if question.look}
    functions = tuple(_listing(f, looks[f.name]) if f.name in looks else f for f in program.functions)
    return asked_for(attrs.evolve(program, functions=functions, score=None))


def _listing(function: low.Function, options: str) -> low.Function:
    """Returns a function that stands for a look at options which lists them: how many there are is not known here."""
    many = low.ItemWord(0, low.ConstWord(0))
    body = (low.CallInst(None, options, (low.RegisterWord(0),)), low.ReturnInst(many))
    return attrs.evolve(function, registers=1, body=body, widths=(), arrays=(1,))
