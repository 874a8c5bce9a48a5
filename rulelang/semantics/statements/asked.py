"""Conditions around a choice -> whether they ask for its domain, so that its author knows that it may be empty.

if shown != {}: p chooses c in shown                      asked for
if any(c.n > 3 for c in shown): p chooses c in {c in shown if c.n > 3}     asked for
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts
from rulelang.ir.walk import rewrite, walk


def is_asked_for(domain: ir.Expr, conditions: tuple[ir.Expr, ...]) -> bool:
    """Returns whether conditions around a choice ask for its domain, or for members that pass the same test."""
    wanted = _members_meant(domain)
    return any(
        part == domain or (wanted is not None and _members_meant(part) == wanted)
        for one in conditions
        for part in walk(one)
    )


def _members_meant(expr: object) -> tuple[object, frozenset[object]] | None:
    """Returns the sources of a comprehension with one name and the tests of its members; None for anything else."""
    if not isinstance(expr, ir.Over) or len(expr.names) != 1:
        return None
    own = expr.names[0].id

    def change(node: object) -> object:
        return ir.Local(-1) if isinstance(node, ir.Local) and node.id == own else node

    tests = [] if expr.condition is None else [*conjuncts(expr.condition)]
    if expr.what == "any" and expr.value is not None:
        tests += conjuncts(expr.value)
    return expr.sources, frozenset(rewrite(test, change) for test in tests)
