"""The reasons why a run of random answers stops, as numbers."""

GOING, ENDED, TRAPPED = range(3)
"""Enough answers, or nothing is asked; the end of the game; a
step that is left to others, before which the row is lost."""
