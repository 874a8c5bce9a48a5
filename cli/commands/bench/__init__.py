"""Turns several ways to play the same game into ratios of their speeds: `rulelang bench`.

race.py     the measurements
races.py    the races: games that ship; classics against hand-written Python and C and OpenSpiel; a game of one's own
bench.py    the command: prints, and compares with stored ratios

Invariant: the contestants run in turns within one process, so a ratio hardly depends on the load of the machine.
"""

from .bench import command

__all__ = ["command"]
