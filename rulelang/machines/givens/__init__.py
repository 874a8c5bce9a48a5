"""Turns givens into the row in which a game begins, or goes on.

    given red.tokens = {nitro} at "bonus#1: p = red"        Row(…)

Invariant: a thing that was given a place stays there, and nothing else than what is given is as somebody has played.
"""
