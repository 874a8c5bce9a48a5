"""Expressions of the IR -> Python that works them out, with what is known of their bounds.

fuel[p] + 1        Fragment("S[4 + x1] + 1", low=1, high=10)

Invariant: what is printed twice is named first, so each part of an expression is worked out once.
"""
