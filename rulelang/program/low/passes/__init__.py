"""Low-level IR -> better low-level IR: the same results and the same steps paid, sooner.

    with_memos(program)       # what is computed over and over in one position is computed once

Invariant: `invariants.faults` finds nothing; a pass never changes what a program does, nor which steps it charges.
"""
