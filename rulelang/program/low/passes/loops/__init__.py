"""Turns loops over sets into fewer rounds, or into no loop at all.

for r4 in r3: if (table0[r4] == r1): r2 = (r2 + 1)      # r2 = (r2 + count((r3 & table2[r1])))

Invariant: what a loop did before, in the order in which it did it, is done still, or the step traps as before.
"""
