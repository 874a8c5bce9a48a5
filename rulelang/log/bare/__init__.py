"""Turns a log and a bare machine into the log's inputs, if the machine reproduces the log's lines.

    played_bare(log, begun, chance, phrases, compares=True)     [PlayedAnswer(seat=0, answer=(0, 2), elapsed=None), ...]

Invariant: lines that agree here agree in a match too; any doubt raises `Unlike`, and a match decides.
"""
