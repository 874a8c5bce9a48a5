"""Turns plans into re-deals, and positions into searched trees, by a game's machine code.

    PlannedDeals.of(native, packed, plan, question, forked).deal(rng)      a deal, or None

Invariant: each result is that of the Python it replaces, number for number; what cannot be is left to that.
"""
