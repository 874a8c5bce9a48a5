"""Turns low-level IR into faster low-level IR that does the same.

    with_loops(program)       # a value that counts by calling itself becomes a loop
    with_memos(program)       # marks the values that a score would compute several times

Invariant: `invariants.faults` finds nothing; what a program does, and the steps that it charges, stay the same.
"""
