"""Turns low-level IR into better low-level IR, which does the same sooner.

    with_loops(program)       # a value that counts by calling itself goes round instead
    with_memos(program)       # marks the values that a score would work out several times

Invariant: `invariants.faults` finds nothing; what a program does, and the steps that it charges, stay the same.
"""
