"""Turns a rulebook's clauses (the ledger) and a game into coverage:
the rules and scenarios of each clause, and unproven lines.

[[clause]] id = "N-2"            coverage: implemented by nim.rules:11, shown by "no more than there are"
the game without nim.rules:11    mutation: a scenario fails, or the line is unproven

Invariant: nothing here changes a game; coverage counts only lines that ran on the interpreter.
"""
