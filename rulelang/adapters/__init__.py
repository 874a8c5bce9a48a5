"""Turns games into environments of the libraries that train agents: fixed numbers for actions, arrays for observations.

    rulelang.adapters.pettingzoo.env("outspeed", players=3)      an AEC environment of PettingZoo
    rulelang.adapters.openspiel.game("kuhn.rules")               a game of OpenSpiel

Each library is imported by the module that is named after it, and by no other; the core does not know of them.

Invariant: a number of an action means the same in every match of a game, and an observation depends only on what its seat
may see.
"""
