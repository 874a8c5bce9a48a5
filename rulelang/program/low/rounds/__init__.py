"""Turns what loops look at into fewer rounds: loops over sources, what their rounds do not change, and sets by a condition.

for t in Square if t in reach(s)      ->  walk r5 in (r4 & 0xff)
{t in Cell if t in border}            ->  r6 = v3() in the first round that needs it

Invariant: all that a loop pays is paid as if it went through every round.
"""
