"""The tree of a game and the variants wanted -> the tree of another whole game (`patch`), or its text (`expand`).

    constant starting_fuel = 12  +  variant sprint: constant starting_fuel = 9   ->   constant starting_fuel = 9

Invariant: what comes after has never heard of variants; every node keeps the place where it was written.
"""
