"""The typed IR (`model`) and the work on it before it runs: checking invariants, printing, digesting, encoding,
weaving.

    game (hooks, `settle`, `least`)  --weave.PASSES-->  game (plain procedures)
    faults(game)                     ()                 broken invariants, looked for between passes

Invariant: nothing here knows the text, apart from labels and places; equal games give equal IR, byte for byte, and
equal digests.
"""
