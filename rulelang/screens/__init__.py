"""A match and a seat -> what its screen shows, as values that a terminal or a page renders.

each Player: "{p}  fuel {p.fuel}"      one row a player, in columns

Invariant: nothing here prints, and nothing is shown that the seat may not see.
"""
