"""A program of the low-level IR -> LLVM IR as text.

    print_llvm(program)      define i64 @v3(ptr noalias %S, ptr noalias %M, i64 %a0) { … }

A row is an array of 64-bit words, `S`. Beside it each run has a frame of words, `M`: whether it trapped, what is left of the budget,
the answer that is carried out, the options that were listed. Registers are printed as memory of the function, which LLVM itself
turns into values. What is called from outside:

    run_on(S, M, block)              goes on from a block to the next stop
    answer(S, M, seat)               carries out the answer that is given, and goes on
    list_options(S, M, seat)         lists the options of the question that waits
    play_out(S, M, most)             plays random answers to the end, or so many; returns how many
    play_many(S, M, row, found, keys, base, first, many, most, block, left)
                                     plays out from a row and a block so many times: `playouts.batch.PlaysMany`

Invariant: a call leaves `M[STATUS]` at GOING, ENDED (the game is over) or TRAPPED (the row is not to be used; after `play_out` it is
as it was before the answer that could not be carried out).
"""

from rulelang.program.llvm.frame import (
    COUNT,
    ENDED,
    GIVEN,
    GOING,
    LEFT,
    LUCK,
    STATUS,
    TRAPPED,
    frame_size,
    luck_at,
    offers_at,
)
from rulelang.program.llvm.module import print_llvm

__all__ = [
    "COUNT",
    "ENDED",
    "GIVEN",
    "GOING",
    "LEFT",
    "LUCK",
    "STATUS",
    "TRAPPED",
    "frame_size",
    "luck_at",
    "offers_at",
    "print_llvm",
]
