"""Turns a program of the low-level IR into LLVM IR, as text.

    module.print_llvm(program)    define i64 @v3(ptr noalias %S, ptr noalias %M, i64 %a0) { … }

A row is an array of 64-bit words, `S`. Beside it each run has a frame of words, `M`: whether it trapped, the rest of
the budget, the current answer, the listed options. Registers are printed as memory of the function, which LLVM itself
turns into values. Entry points:

    run_on(S, M, block)              continues from a block to the next stop
    answer(S, M, seat)               carries out the given answer, and continues
    list_options(S, M, seat)         lists the options of the pending question
    play_out(S, M, most)             plays at most `most` random answers; returns how many
    worth_of_each, play_ahead, seat_score
                                     where the rules define a `score`: `policy.ll`
    play_many(S, M, row, found, keys, base, first, many, most, block, left)
                                     plays out `many` times from a row and a block: `playouts.batch.PlaysMany`
                                     in a module of its own that counts rules (`counting.py`), a last argument says in
                                     which columns: `results.ManyGames`
    step(state, pick), restart(state)
                                     step one game, called by Python as functions of its own: `alone.py`
    pick_checked(B), step_many(B)    step many rows at once, with the words of a batch: `playouts.stepping.StepsMany`

Invariant: a call leaves `M[STATUS]` at GOING, ENDED (the game is over) or TRAPPED (the row is invalid; after `play_out`
it is as it was before the answer that trapped).
"""
