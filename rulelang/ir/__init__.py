"""Turns the typed IR (`model`) of a checked game into plain procedures; also analyses, prints, digests and encodes it.

game (hooks, `settle`, `least`)  --weave.WEAVE-->   game (plain procedures)
faults(game)                     ()                 broken invariants, looked for between passes

Invariant: nothing here depends on the text of the rules, apart from labels and places; equal games have equal IR,
byte for byte, and equal digests.
"""
