"""A match and a seat -> another match that the seat could not tell from this one.

    match.redeal(0, rng)    drawing.drawn -> listed, chained, or dealt by what the seat knows

Invariant: what comes out agrees with all that the seat knows, and never falls back on what is true.
"""
