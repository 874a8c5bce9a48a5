"""Turns words whose value is known into that value, from the bounds of all that they read.

    folded(program)                        # checks that cannot fail are gone
    Values(Known(program), function)       # the bounds of any word of a function

Invariant: the bounds of a word hold every value that it can have.
"""
