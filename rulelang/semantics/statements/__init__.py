"""Turns statements, choices and verbs of the tree into IR; the entry point is `statement.lower_statements`.

    move 2 of bonuses to p.offer     Move(what=Source(pile=bonuses), count=2, to=offer(p))

Invariant: a procedure gets its id when its name is declared, so bodies can be lowered in any order.
"""
