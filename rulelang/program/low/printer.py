"""A program of the low-level IR -> text for people: what `rulelang dump GAME --stage lir` shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulelang.ir.types import NONE
from rulelang.program.low import model as low

SHOWN = 12
"""The number of entries of a table that are shown."""


def print_program(program: low.Program) -> str:
    """Returns the text of a whole program.

    >>> print_program(low.Program((low.Function("v0", "", 1, 1, (low.ReturnInst(low.RegisterWord(0)),)),), (), 2, 0, 1, (), (), 8))
    'row of 2: question 0, seat 1\\nv0(r0):\\n  return r0\\n'
    """
    lines = [f"row of {program.row}: question {program.question}, seat {program.seat}"]
    for number, table in enumerate(program.tables):
        more = f" ... {len(table)} in all" if len(table) > SHOWN else ""
        lines.append(f"table {number} = {' '.join(_number(value) for value in table[:SHOWN])}{more}")
    for function in program.functions:
        parameters = ", ".join(f"r{i}" for i in range(function.parameters))
        about = [*filter(None, [function.about]), *(["kept"] if function.memo else [])]
        lines.append(f"{function.name}({parameters}):" + (f"  # {', '.join(about)}" if about else ""))
        lines += _body(function.body, 1)
    return "\n".join(lines) + "\n"


def _body(body: tuple[low.Inst, ...], level: int) -> Iterator[str]:
    for order in body:
        yield from (f"{'  ' * (level + depth)}{text}" for depth, text in _order(order))


def _order(order: low.Inst) -> Iterator[tuple[int, str]]:
    match order:
        case low.SetInst(register=register, value=value):
            yield 0, f"r{register} = {_word(value)}"
        case low.StoreInst(index=index, value=value, words=words):
            yield 0, f"row[{_word(index)}{_wide(words)}] = {_word(value)}"
        case low.PutInst(array=array, index=index, value=value):
            yield 0, f"array{array}[{_word(index)}] = {_word(value)}"
        case low.IfInst(condition=condition, then=then, otherwise=otherwise):
            yield 0, f"if {_word(condition)}:"
            yield from _inside(then)
            if otherwise:
                yield 0, "else:"
                yield from _inside(otherwise)
        case low.RepeatInst(body=body):
            yield 0, "repeat:"
            yield from _inside(body)
        case low.WalkInst(register=register, mask=mask, body=body):
            yield 0, f"for r{register} in {_word(mask)}:"
            yield from _inside(body)
        case low.BreakInst(outer=outer):
            yield 0, f"break {outer + 1}" if outer else "break"
        case low.CallInst(register=register, function=function, arguments=arguments):
            to = "" if register is None else f"r{register} = "
            yield 0, f"{to}{function}({_words(arguments)})" + (", goes on" if order.goes_on else "")
        case low.KeepRowInst(array=array):
            yield 0, f"array{array} = row"
        case low.PutBackRowInst(array=array):
            yield 0, f"row = array{array}"
        case low.ReturnInst(value=value):
            yield 0, f"return {_word(value)}"
        case low.TrapInst():
            yield 0, "trap"
        case low.GameOverInst():
            yield 0, "over"
        case low.PayInst(steps=steps):
            yield 0, f"pay {_word(steps)}"
        case low.DrawInst(register=register, stream=stream):
            yield 0, f"r{register} = draw from stream {_word(stream)}"
        case low.OutcomeInst(register=register, form=form, stream=stream, of=of):
            yield 0, f"r{register} = {form} by stream {_word(stream)}: {_words(of)}"
        case low.OfferInst(values=values):
            yield 0, f"offer {_words(values)}"
        case low.GiveInst(values=values):
            yield 0, f"give {_words(values)}"
        case low.TellInst(tell=tell, arguments=arguments):
            yield 0, f"tell {tell} {_words(arguments)}".rstrip()
        case _:
            assert_never(order)


def _inside(body: tuple[low.Inst, ...]) -> Iterator[tuple[int, str]]:
    for order in body:
        for depth, text in _order(order):
            yield depth + 1, text
    if not body:
        yield 1, "nothing"


def _words(words: tuple[low.Word, ...]) -> str:
    return ", ".join(map(_word, words))


def _word(word: low.Word) -> str:
    match word:
        case low.ConstWord(value=value):
            return _number(value)
        case low.RegisterWord(number=number):
            return f"r{number}"
        case low.CellWord(index=index, words=words):
            return f"row[{_word(index)}{_wide(words)}]"
        case low.EntryWord(table=table, index=index):
            return f"table{table}[{_word(index)}]"
        case low.ItemWord(array=array, index=index):
            return f"array{array}[{_word(index)}]"
        case low.GivenWord(position=position, words=words):
            return f"given[{position}{_wide(words)}]"
        case low.BitWord(number=number, words=words):
            return f"bit({_word(number)} of {words} words)"
        case low.HasWord(mask=mask, number=number):
            return f"({_word(number)} in {_word(mask)})"
        case low.BinaryWord(name=name, left=left, right=right):
            return f"({_word(left)} {name} {_word(right)})"
        case low.UnaryWord(name=name, of=of):
            return f"{name}({_word(of)})"
        case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
            return f"({_word(then)} if {_word(condition)} else {_word(otherwise)})"
        case _:
            assert_never(word)


def _wide(words: int) -> str:
    return f", {words} words" if words > 1 else ""


def _number(value: int) -> str:
    return "none" if value == NONE else str(value) if abs(value) < 2**20 else hex(value)
