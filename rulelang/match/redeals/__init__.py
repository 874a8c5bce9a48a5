"""Turns a match and a seat into another match that the seat could not tell from this one.

    match.redeal(0, rng)    drawing.drawn -> listed, chained, or dealt from the seat's knowledge

Invariant: the result agrees with everything that the seat knows, and never falls back on the truth.
"""
