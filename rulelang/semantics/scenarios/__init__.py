"""Turns scenarios of the tree into `ir.scenarios`, using the game's checked declarations.

    red: program(left)     InputLine(0, OptionPattern(…)): fits any choice with such an option
    expect red.zone == 4   a condition, with the values shown when it fails

Invariant: a scenario adds nothing to the game; each is lowered
on its own, so a fault in one does not affect the others.
"""
