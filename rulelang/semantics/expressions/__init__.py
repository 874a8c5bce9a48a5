"""Turns expressions of the tree into IR with a type (`Typed`); the entry point is `expression.lower_expression`.

    crew(z) > 2            Op(">", (CallValue(crew, (Local(z),)), Const(2)))     of type flag

Invariant: a fault is reported once, and a faulty expression becomes `NOTHING`, which fits everywhere.
"""
