"""Turns a table whose game is over into what comes after it: a kept log, the next table.

    table     ->  keep       its log in the folder of finished games
    table     ->  again      a new table, for the same people and bots

Invariant: the folder holds MOST_KEPT games at most, and a game that is kept is never changed.
"""
