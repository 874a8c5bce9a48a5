"""One game under way: what is asked, what is answered, what came of it, and what each seat may see of it.

match.options      what can be answered, sorted       match.why_not("take(4)")   the reason, with its clause
match.play("take(2)")                                 events, and a position to take views of

Invariant: what a seat is shown is worked out from what it may know; the same inputs give the same events.
"""
