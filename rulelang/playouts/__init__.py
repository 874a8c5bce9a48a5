"""Turns a machine and random numbers into random games, one or many, without a match or a log.

playout(machine, RandomStream(7))         51, the number of choices made
played(fresh, game, 1000)         winners, scores and lengths of a thousand games, as arrays
line_costs(game, layout, 2)       the lines of the rules that take the most steps

Invariant: results depend on the game, the players and the seed, not on the executor or the number of threads.
"""
