"""Turns two games into the declarations that differ, the edits
that lead from one to the other, and the games in between.

    outspeed, outspeed+sprint    one edit: the constant `laps` is replaced

Invariant: a game with all edits is the other game.
"""
