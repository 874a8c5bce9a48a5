"""Turns scenarios of the tree into `ir.scenarios`, using the game's checked declarations.

    red: program(left)     Input(0, Sought(…)): whichever choice is asked then that has such an option
    expect red.zone == 4   a condition, with the values shown when it fails

Invariant: a scenario adds nothing to the game; each is lowered by itself, so that a fault in one leaves the others.
"""
