"""Turns the typed IR (`model`) of a checked game into plain procedures; checks, prints, digests and encodes it.

    game (hooks, `settle`, `least`)  --weave.PASSES-->  game (plain procedures)
    faults(game)                     ()                 broken invariants, looked for between passes

Invariant: nothing here knows the text, apart from labels and places; equal games give equal IR, byte for byte, and
equal digests.
"""
