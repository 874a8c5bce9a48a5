"""Turns the low-level IR into Python that plays random games.

    PlainPlay(game, layout, control, shelf).text()      # the text of a module with the function `play_on`

Invariant: it plays as the generated machine would, draw for draw, or traps; no name of the rules is code.
"""
