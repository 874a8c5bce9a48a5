"""Turns statements, choices and verbs of the tree into IR; the entry point is `statement.lower_statements`.

    move 2 of bonuses to p.offer     Move(what=Source(pile=bonuses), count=2, to=offer(p))

Invariant: a procedure's id is handed out when its name is declared, so bodies are lowered in any order.
"""
