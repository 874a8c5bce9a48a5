"""Statements, choices, verbs: tree -> IR statements and procedures; `statement.lower_statements` is the way in.

    move 2 of bonuses to p.offer     Move(what=Source(pile=bonuses), count=2, to=offer(p))

Invariant: a procedure's id is handed out when its name is declared, so bodies are lowered in any order.
"""
