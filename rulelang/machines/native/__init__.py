"""Turns a game's low-level IR into machine code, and runs positions and whole batches of games with it.

    machine.native(game, layout)(chance)      a machine, like the others in `machines`

Invariant: a step that machine code cannot take leaves the row as it was; the generated machine takes it instead.
"""
