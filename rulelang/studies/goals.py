"""A goal in words -> a function of a cell's metrics, to be made as small as can be.

    goal_of("abs(win(first) - 0.5)")({"win(first)": 0.53, …})        0.03

A goal is made of metrics that are means over blocks, numbers, + - * /, abs, min and max.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import attrs

from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput

FUNCTIONS = {"abs": abs, "min": min, "max": max}
"""The functions of a goal."""
MOST_LETTERS = 500
"""The most letters of a goal."""


@attrs.frozen
class Goal:
    """A formula over metrics."""

    text: str
    tree: ast.expr = attrs.field(eq=False, repr=False)

    def __call__(self, metrics: Mapping[str, float]) -> float:
        """Returns its value; raises InvalidInput for a metric that is not there, or a division by 0."""
        try:
            return _value(self.tree, metrics)
        except ZeroDivisionError:
            raise InvalidInput(f"the goal {self.text} divides by 0") from None


def goal_of(text: str) -> Goal:
    """Returns a goal from its words; raises InvalidInput for anything but a formula over metrics.

    >>> goal_of("abs(win(first) - 0.5) + length / 100")({"win(first)": 0.75, "length": 50})
    0.75
    """
    if len(text) > MOST_LETTERS:
        raise InvalidInput(f"a goal has at most {MOST_LETTERS} letters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidInput(f"the goal {text!r} is no formula; write one such as abs(win(first) - 0.5)") from None
    _check(tree)
    return Goal(text.strip(), tree)


def _check(node: ast.expr) -> None:
    """Raises InvalidInput if a part of a goal is no formula."""
    match node:
        case ast.Constant(value=int() | float()) | ast.Name():
            return
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), left=left, right=right):
            _check(left)
            _check(right)
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in FUNCTIONS and parts:
            for part in parts:
                _check(part)
        case ast.Call(func=ast.Name(), args=[ast.Name()], keywords=[]):
            return
        case _:  # a tree of Python has many more kinds of nodes, none of which belongs into a formula
            raise InvalidInput(f"`{ast.unparse(node)}` has no place in a goal; write one such as abs(win(first) - 0.5)")


def _value(node: ast.expr, metrics: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(operand=operand):
            return -_value(operand, metrics)
        case ast.BinOp(op=op, left=left, right=right):
            a, b = _value(left, metrics), _value(right, metrics)
            return (
                a + b
                if isinstance(op, ast.Add)
                else a - b
                if isinstance(op, ast.Sub)
                else (a * b if isinstance(op, ast.Mult) else a / b)
            )
        case ast.Call(func=ast.Name(id=name), args=parts) if name in FUNCTIONS:
            values = [_value(part, metrics) for part in parts]
            return float(abs(values[0]) if name == "abs" else FUNCTIONS[name](values))  # type: ignore[operator]
        case _:  # a name, or `win(first)`, which `_check` has seen
            name = ast.unparse(node)
            if name not in metrics:
                raise InvalidInput(f"no mean of blocks is called {name!r}{hint(name, metrics)}")
            return metrics[name]
