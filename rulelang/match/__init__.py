"""Turns a machine and answers into one game in progress: questions, options, events, undo, and each seat's view.

match.options      the legal options, sorted          match.why_not("take(4)")   the reason, with its clause
match.play("take(2)")                                 events, and a new position to view

Invariant: everything shown to a seat is computed from what it may know; the same inputs give the same events.
"""
