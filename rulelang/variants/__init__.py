"""Turns the tree of a game and some of its variants into the tree of a patched game (`patch`), or its text (`expand`).

    constant starting_fuel = 12  +  variant sprint: constant starting_fuel = 9   ->   constant starting_fuel = 9

Invariant: no later stage knows of variants; every node keeps the place where it was written.
"""
