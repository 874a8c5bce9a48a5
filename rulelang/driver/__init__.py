"""Turns texts into a game that is laid out and can run: the whole chain in one place (`chain.CHAIN`).

    parse -> patch -> resolve -> lower -> check -> unfold -> weave -> lay out

        chain        the arrows, each a function from one frozen `Unit` to the next, with diagnostics of its own
    dump         a game as text after one of these arrows
    kept         checked games in the cache, and beside the texts of shipped games
    collector    Python's collector of cycles, paused while a game is built

Invariant: nothing below knows the order; nothing here knows how a stage does its work.
"""
