"""The typed IR (`model`) and what is done with it before it runs: checked for its promises, printed, digested, kept, woven.

    game (hooks, `settle`, `least`)  --weave.PASSES-->  game (plain procedures)
    faults(game)                     ()                 what `invariants` finds between two passes

Invariant: nothing here knows of text but labels and places; the same game gives the same IR, byte for byte, and the same digest.
"""
