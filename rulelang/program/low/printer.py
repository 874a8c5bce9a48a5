"""A program of the low-level IR -> text for people: what `rulelang dump GAME --stage low` shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulelang.ir.types import NONE
from rulelang.program.low import model as low

SHOWN = 12
"""So many entries of a table are shown."""


def print_program(program: low.Program) -> str:
    """Returns the text of a whole program.

    >>> print_program(low.Program((low.Function("v0", "", 1, 1, (low.Return(low.Register(0)),)),), (), 2, 0, 1, (), (), 8))
    'row of 2: question 0, seat 1\\nv0(r0):\\n  return r0\\n'
    """
    lines = [f"row of {program.row}: question {program.question}, seat {program.seat}"]
    for number, table in enumerate(program.tables):
        more = f" ... {len(table)} in all" if len(table) > SHOWN else ""
        lines.append(f"table {number} = {' '.join(_number(value) for value in table[:SHOWN])}{more}")
    for function in program.functions:
        parameters = ", ".join(f"r{i}" for i in range(function.parameters))
        lines.append(f"{function.name}({parameters}):" + (f"  # {function.about}" if function.about else ""))
        lines += _body(function.body, 1)
    return "\n".join(lines) + "\n"


def _body(body: tuple[low.Order, ...], level: int) -> Iterator[str]:
    for order in body:
        yield from (f"{'  ' * (level + depth)}{text}" for depth, text in _order(order))


def _order(order: low.Order) -> Iterator[tuple[int, str]]:
    match order:
        case low.Set(register=register, value=value):
            yield 0, f"r{register} = {_word(value)}"
        case low.Store(index=index, value=value):
            yield 0, f"row[{_word(index)}] = {_word(value)}"
        case low.If(condition=condition, then=then, otherwise=otherwise):
            yield 0, f"if {_word(condition)}:"
            yield from _inside(then)
            if otherwise:
                yield 0, "else:"
                yield from _inside(otherwise)
        case low.Repeat(body=body):
            yield 0, "repeat:"
            yield from _inside(body)
        case low.Walk(register=register, mask=mask, body=body):
            yield 0, f"for r{register} in {_word(mask)}:"
            yield from _inside(body)
        case low.Break(outer=outer):
            yield 0, f"break {outer + 1}" if outer else "break"
        case low.Call(register=register, function=function, arguments=arguments):
            to = "" if register is None else f"r{register} = "
            yield 0, f"{to}{function}({_words(arguments)})"
        case low.Return(value=value):
            yield 0, f"return {_word(value)}"
        case low.Trap():
            yield 0, "trap"
        case low.Over():
            yield 0, "over"
        case low.Pay(steps=steps):
            yield 0, f"pay {_word(steps)}"
        case low.Draw(register=register, stream=stream):
            yield 0, f"r{register} = draw from stream {stream}"
        case low.Offer(values=values):
            yield 0, f"offer {_words(values)}"
        case low.Give(values=values):
            yield 0, f"give {_words(values)}"
        case _:
            assert_never(order)


def _inside(body: tuple[low.Order, ...]) -> Iterator[tuple[int, str]]:
    for order in body:
        for depth, text in _order(order):
            yield depth + 1, text
    if not body:
        yield 1, "nothing"


def _words(words: tuple[low.Word, ...]) -> str:
    return ", ".join(map(_word, words))


def _word(word: low.Word) -> str:
    match word:
        case low.Const(value=value):
            return _number(value)
        case low.Register(number=number):
            return f"r{number}"
        case low.Cell(index=index):
            return f"row[{_word(index)}]"
        case low.Entry(table=table, index=index):
            return f"table{table}[{_word(index)}]"
        case low.Given(position=position):
            return f"given[{position}]"
        case low.Binary(name=name, left=left, right=right):
            return f"({_word(left)} {name} {_word(right)})"
        case low.Unary(name=name, of=of):
            return f"{name}({_word(of)})"
        case low.Select(condition=condition, then=then, otherwise=otherwise):
            return f"({_word(then)} if {_word(condition)} else {_word(otherwise)})"
        case _:
            assert_never(word)


def _number(value: int) -> str:
    return "none" if value == NONE else str(value) if abs(value) < 2**20 else hex(value)
