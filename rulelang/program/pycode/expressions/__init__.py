"""Turns expressions of the IR into Python expressions with the bounds of their values.

fuel[p] + 1        Fragment("S[4 + x1] + 1", low=1, high=10)

Invariant: a part that is printed twice is named first, so each part of an expression is evaluated once.
"""
