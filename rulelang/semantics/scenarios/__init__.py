"""Scenarios: tree -> `ir.scenarios`, against what the check knows of the game.

    red: program(left)     Input(0, Sought(…)): whichever choice is asked then that has such an option
    expect red.zone == 4   a condition, with what is shown when it fails

Invariant: a scenario adds nothing to the game; each is lowered by itself, so that a fault in one leaves the others.
"""
