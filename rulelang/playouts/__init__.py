"""Random games on bare machines, one or many: no match, no log, nobody who thinks.

playout(machine, Luck(7))         51, the choices that it took
played(fresh, game, 1000)         who won, scores, lengths of a thousand, as arrays

Invariant: what comes out depends on the game, the players and the seed: not on the executor, nor on how many threads there are.
"""
