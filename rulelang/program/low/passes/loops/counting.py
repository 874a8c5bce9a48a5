"""Loops that count through more members than a word has bits -> loops over a set, which other passes narrow, and back.

r4 = 0; repeat: if (r4 > 80): break; r3 = r4; r4 = (r4 + 1); …        # for r3 in 0x1ffffffffffffffffffff: …

A set of several words is filled word by word.
"""

from __future__ import annotations

from collections import Counter

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import read_in, times_set, with_bodies, with_parts
from rulelang.program.low.words import shifted

Body = tuple[low.Inst, ...]

MOST_MEMBERS = 512
"""The most members of a set that a loop goes over."""


def over_sets(program: low.Program) -> low.Program:
    """Returns the program with loops over sets in place of those that count."""
    return attrs.evolve(program, functions=tuple(map(_over_sets, program.functions)))


def by_counting(program: low.Program) -> low.Program:
    """Returns the program with loops that count in place of those over all members of a set with more than one word."""
    return attrs.evolve(program, functions=tuple(map(_by_counting, program.functions)))


def by_words(program: low.Program) -> low.Program:
    """Returns the program with a loop for each word of a set in place of one that fills all of them."""
    return attrs.evolve(program, functions=tuple(map(_by_words, program.functions)))


def _by_words(function: low.Function) -> low.Function:
    widths = [function.width(register) for register in range(function.registers)]

    def filled(body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            match order:
                case low.WalkInst(
                    register=member,
                    mask=low.ConstWord(value=mask),
                    body=(
                        low.IfInst(
                            condition=condition,
                            then=(
                                low.SetInst(
                                    register=filling,
                                    value=low.BinaryWord(
                                        "|", low.RegisterWord(added), low.BitWord(low.RegisterWord(bit))
                                    ),
                                ),
                            ),
                            otherwise=(),
                        ),
                    ),
                ) if (
                    mask.bit_length() > low.BITS
                    and (added, bit) == (filling, member)
                    and filling not in condition.registers
                ):
                    found += _word_by_word(mask, condition, member, filling, widths)
                case _:  # any other loop or statement
                    found.append(with_bodies(order, filled))
        return tuple(found)

    body = filled(function.body)
    if len(widths) == function.registers:
        return function
    return attrs.evolve(function, body=body, registers=len(widths), widths=tuple(widths))


def _word_by_word(mask: int, condition: low.Word, member: int, filling: int, widths: list[int]) -> Body:
    """Returns a loop over the members in each word of a mask, and the union of what they find."""
    found: list[low.Inst] = []
    for first in range(0, mask.bit_length(), low.BITS):
        here = mask >> first & (1 << low.BITS) - 1
        if not here:
            continue
        word, at, wide = len(widths), low.RegisterWord(len(widths) + 1), low.RegisterWord(len(widths) + 2)
        widths += (1, 1, widths[filling])
        fill = low.BinaryWord("|", low.RegisterWord(word), low.BinaryWord("<<", low.ConstWord(1), at))
        whole = low.BinaryWord("+", at, low.ConstWord(first)) if first else at
        asked = low.IfInst(_put(condition, member, whole), (low.SetInst(word, fill),))
        found += (low.SetInst(word, low.ConstWord(0)), low.WalkInst(at.number, low.ConstWord(here), (asked,)))
        found.append(low.SetInst(wide.number, low.RegisterWord(word)))
        part = shifted("<<", wide, first)
        found.append(low.SetInst(filling, low.BinaryWord("|", low.RegisterWord(filling), part)))
    return tuple(found)


def _put(word: low.Word, register: int, instead: low.Word) -> low.Word:
    """Returns a word with another one in place of a register."""
    if word == low.RegisterWord(register):
        return instead
    return with_parts(word, lambda part: _put(part, register, instead))


def _over_sets(function: low.Function) -> low.Function:
    read, written = read_in(function.orders), times_set(function.body)
    body = _walked(function.body, read, written)
    return function if body == function.body else attrs.evolve(function, body=body)


def _walked(body: Body, read: Counter[int], written: Counter[int]) -> Body:
    found: list[low.Inst] = []
    for order in body:
        inner = with_bodies(order, lambda each: _walked(each, read, written))
        match found[-1:], inner:
            case [low.SetInst(register=counter, value=low.ConstWord(value=first))], low.RepeatInst(
                body=(
                    low.IfInst(
                        condition=low.BinaryWord(">", low.RegisterWord(tested), low.ConstWord(value=last)),
                        then=(low.BreakInst(outer=0),),
                        otherwise=(),
                    ),
                    low.SetInst(register=member, value=low.RegisterWord(taken)),
                    low.SetInst(
                        register=stepped, value=low.BinaryWord("+", low.RegisterWord(added), low.ConstWord(value=1))
                    ),
                    *rest,
                )
            ) if (
                {tested, taken, stepped, added} == {counter}
                and (read[counter], written[counter]) == (3, 2)
                and 0 <= first <= last < first + MOST_MEMBERS
            ):
                found[-1] = low.WalkInst(member, low.ConstWord((2 << last) - (1 << first)), tuple(rest))
            case _:  # no loop that counts
                found.append(inner)
    return tuple(found)


def _by_counting(function: low.Function) -> low.Function:
    registers = [function.registers]

    def counted(body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            inner = with_bodies(order, counted)
            match inner:
                case low.WalkInst(register=member, mask=low.ConstWord(value=mask), body=rest) if (
                    mask.bit_length() > low.BITS and _is_dense(mask)
                ):
                    counter = low.RegisterWord(registers[0])
                    registers[0] += 1
                    first, last = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
                    ends = low.IfInst(low.BinaryWord(">", counter, low.ConstWord(last)), (low.BreakInst(),))
                    step = low.SetInst(counter.number, low.BinaryWord("+", counter, low.ConstWord(1)))
                    loop = low.RepeatInst((ends, low.SetInst(member, counter), step, *rest))
                    found += (low.SetInst(counter.number, low.ConstWord(first)), loop)
                case _:  # any other loop or statement
                    found.append(inner)
        return tuple(found)

    body = counted(function.body)
    if registers[0] == function.registers:
        return function
    more = (1,) * (registers[0] - function.registers)
    widths = (*function.widths, *more) if function.widths else ()
    return attrs.evolve(function, body=body, registers=registers[0], widths=widths)


def _is_dense(mask: int) -> bool:
    low_end = mask & -mask
    return mask + low_end == 1 << mask.bit_length()
