"""Turns expressions and texts of the IR into words made of names: values, conditions, sentences.

fuel[p] >= least(cost)      ->      the player's fuel is at least the cost

The printed rulebook says rules in these words; refusals and reasons say them of the present position.

Invariant: names and words are data (`words.py`); nothing here knows markup, a position or a seat.
"""
