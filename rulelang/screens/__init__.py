"""Turns a match and a seat into the seat's screen, as values that a terminal or a page renders.

each Player: "{p}  fuel {p.fuel}"      one row a player, in columns

Invariant: nothing here prints, and a screen holds nothing that the seat may not see.
"""
