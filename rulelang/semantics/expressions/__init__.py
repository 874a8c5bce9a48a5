"""Expressions: tree -> IR with a type (`Typed`); `expression.lower_expression` is the way in.

    crew(z) > 2            Op(">", (CallValue(crew, (Local(z),)), Const(2)))     of type flag

Invariant: a fault is reported once, and its expression becomes `NOTHING`, which fits everywhere.
"""
