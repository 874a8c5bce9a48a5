"""Turns a change of rules into an account of its effects: in the rules, in logs, in many games between bots.

rulelang diff outspeed outspeed+sprint    diff.command

Invariant: nothing here changes the rules or the logs it compares.
"""
