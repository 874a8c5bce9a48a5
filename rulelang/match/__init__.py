"""Turns a machine and answers into one game under way: questions, options, events, undo, and what each seat may see.

match.options      what can be answered, sorted       match.why_not("take(4)")   the reason, with its clause
match.play("take(2)")                                 events, and a position to take views of

Invariant: everything shown to a seat is computed from what it may know; the same inputs give the same events.
"""
