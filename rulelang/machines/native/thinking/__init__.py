"""Bots' work as machine code: re-deals and tree searches, in memory of their own.

    PlannedDeals.of(native, packed, plan, question, forked).deal(rng)      a deal, or None

Invariant: each result is that of the Python it replaces, number for number; what cannot be is left to that.
"""
