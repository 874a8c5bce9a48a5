"""Turns rules into output for their author: formatted, checked, tested, covered, printed, or a new game to start from.

rulelang check outspeed    check.command

Invariant: only `new` and `fmt` write files of rules.
"""
