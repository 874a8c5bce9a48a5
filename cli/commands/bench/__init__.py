"""`rulelang bench`: several ways to play the same game, one after the other -> how fast each is, as ratios.

race.py     what is measured, and how
races.py    the races: games that ship, classics against Python and C written by hand and OpenSpiel, a game of one's own
bench.py    the command: prints, and compares with ratios that were kept
"""

from .bench import command

__all__ = ["command"]
