"""Sealed answers <-> slots of the row, where they wait until all are in."""

from __future__ import annotations

from itertools import pairwise

from rulelang.errors import Unsupported
from rulelang.program.blocks import QuestionBlocks
from rulelang.program.low import model as low
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.row import answer_widths
from rulelang.program.low.things.piles import plus


def keeping(lowering: Lowering, question: QuestionBlocks) -> None:
    """Lowers the function that keeps the answer of a seat; it
    returns the next block, or -1 while answers are missing."""
    f = Builder(lowering, f"s{question.id}", "an answer under seal")
    f.parameters = f.fresh() + 1
    seat, slots = low.RegisterWord(0), lowering.slots
    branches = lowering.game.choices[question.choice].branches
    f.add(low.StoreInst(_answer(lowering, question, 0, seat), plus(low.GivenWord(0), 1)))
    for number, branch in enumerate(branches):
        given = answer_widths((branch.parameters,), slots.widths[question.id], lowering.words_of)
        with f.aside() as orders:
            at = 1
            for i in range(1, len(branch.parameters) + 1):
                many = _widths(lowering, question)[i]
                f.add(low.StoreInst(_answer(lowering, question, i, seat), low.GivenWord(at, given[i]), many))
                at += given[i]
        if orders:
            f.add(low.IfInst(low.BinaryWord("==", low.GivenWord(0), low.ConstWord(number)), tuple(orders)))
    owing = lowering.cell(slots.owing[question.id])
    f.store(slots.owing[question.id], low.BinaryWord("^", owing, low.BinaryWord("<<", low.ConstWord(1), seat)))
    waits = (
        low.StoreInst(low.ConstWord(slots.question), low.ConstWord(question.id + 1)),
        low.ReturnInst(low.ConstWord(-1)),
    )
    f.add(low.IfInst(low.BinaryWord("!=", owing, low.ConstWord(0)), waits))
    f.add(low.ReturnInst(low.ConstWord(question.turn)))
    lowering.functions[f.name] = f.finished()


def taken_answer(f: Builder, question: QuestionBlocks, seat: low.Word) -> low.Word:
    """Emits code that makes a kept answer the current one; returns its branch + 1, or 0 where there was no option."""
    lowering, slots = f.lowering, f.lowering.slots
    branch = f.kept(low.CellWord(_answer(lowering, question, 0, seat)))
    widths = _widths(lowering, question)
    for number, of in enumerate(lowering.game.choices[question.choice].branches):
        given = answer_widths((of.parameters,), slots.widths[question.id], lowering.words_of)[: len(of.parameters) + 1]
        values = [
            low.CellWord(_answer(lowering, question, i, seat), given[i]) for i in range(1, len(of.parameters) + 1)
        ]
        give = low.GiveInst((low.ConstWord(number), *values), tuple(given))
        f.add(low.IfInst(low.BinaryWord("==", branch, low.ConstWord(number + 1)), (give,)))
    for i, many in enumerate(widths):
        f.add(low.StoreInst(_answer(lowering, question, i, seat), low.ConstWord(0), many))
    return branch


def _widths(lowering: Lowering, question: QuestionBlocks) -> list[int]:
    branches = tuple(branch.parameters for branch in lowering.game.choices[question.choice].branches)
    return answer_widths(branches, lowering.slots.widths[question.id], lowering.words_of)


def _answer(lowering: Lowering, question: QuestionBlocks, part: int, seat: low.Word) -> low.Word:
    """Returns the slot of a part of a seat's answer."""
    first, width = lowering.slots.answers[question.id], lowering.slots.widths[question.id]
    cells = [lowering.cell(first + of * width + part) for of in range(len(lowering.game.seats))]
    places = [cell.index.value for cell in cells if isinstance(cell.index, low.ConstWord)]
    stride = places[1] - places[0] if len(places) > 1 else 0
    if any(b - a != stride for a, b in pairwise(places)):
        raise Unsupported("answers under seal that are not of one width")
    return plus(low.ConstWord(places[0]), low.BinaryWord("*", seat, low.ConstWord(stride)))
