"""Turns a log and a machine alone into the inputs of the log, where the machine writes the lines that the log has.

    played_bare(log, begun, chance, phrases, compares=True)     [PlayedAnswer(seat=0, answer=(0, 2), elapsed=None), ...]

Invariant: what is said to agree here agrees in a match too; whatever is in doubt raises `Unlike`, and a match decides.
"""
