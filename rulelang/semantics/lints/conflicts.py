"""Exceptions that can apply together: IR -> a warning for each pair whose order matters.

    instead of hit(p) if p.shield: …       W0504: if both apply, the one declared last wins
    instead of hit(p) if p.ghost: …
    adjust reach(p): at least 3 if p.long    W0506: if both apply, the ceiling wins
    adjust reach(p): at most 2 if p.lame

The order of sums does not matter. Pairs whose conditions exclude each other never apply together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import inf
from typing import assert_never

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts
from rulelang.ir.model.operators import INVERSE
from rulelang.ir.walk import rewrite
from rulelang.semantics.names.scope import World
from rulelang.source import Span


def check_insteads(world: World, game: ir.GameRules) -> None:
    """Warns of two `instead of` for one verb that can both apply and do not do the same: the last declared wins."""
    for one, other in combinations([hook for hook in game.hooks if hook.when == "instead"], 2):
        if one.of != other.of or exclude_each_other(one.condition, other.condition) or _say_the_same(game, one, other):
            continue
        world.sink.report(
            "W0504",
            f"two `instead of {game.procedures[one.of].name}` can meet",
            _span(game, other),
            "this one wins where both fit",
            labels=(Label(_span(game, one), "the other one"),),
        )


def _say_the_same(game: ir.GameRules, one: ir.Hook, other: ir.Hook) -> bool:
    """Returns whether the bodies of two hooks do the same, so that it does not matter which wins."""
    return _normal(game.procedures[one.procedure]) == _normal(game.procedures[other.procedure])


def _normal(procedure: ir.Procedure) -> object:
    """Returns a body with its names numbered in order, and without the places of its lines and what names it."""
    numbers = {variable.id: -1 - at for at, variable in enumerate(procedure.parameters)}

    def plain(node: object) -> object:
        if isinstance(node, ir.Local) and node.id in numbers:
            return ir.Local(numbers[node.id])
        return attrs.evolve(node, site=0) if isinstance(node, ir.Stmt) and node.site else node

    return rewrite(procedure.body, plain)


def check_bounds(world: World, game: ir.GameRules) -> None:
    """Warns of a floor above a ceiling of one number if both can apply: the ceiling wins."""
    for name, adjustments in _adjusted(game):
        floors = [a for a in adjustments if a.what == "least"]
        for floor in floors:
            for ceiling in (a for a in adjustments if a.what == "most"):
                if _can_cross(floor.amount, ceiling.amount) and not exclude_each_other(
                    floor.condition, ceiling.condition
                ):
                    world.sink.report(
                        "W0506",
                        f"a floor and a ceiling of `{name}` can meet",
                        game.sites[ceiling.site].span,
                        "this one wins where both fit",
                        labels=(Label(game.sites[floor.site].span, "the floor"),),
                    )


def _adjusted(game: ir.GameRules) -> Iterator[tuple[str, tuple[ir.Adjustment, ...]]]:
    """Yields the values and columns of a game: the name and the adjustments of each."""
    yield from ((value.name, value.adjustments) for value in game.values)
    yield from ((f"{data.name}.{column.name}", column.adjustments) for data in game.data for column in data.columns)


def _can_cross(floor: ir.Expr, ceiling: ir.Expr) -> bool:
    """Returns whether a floor may be above a ceiling; True unless both are constants."""
    if isinstance(floor, ir.Const) and isinstance(ceiling, ir.Const):
        return floor.value > ceiling.value
    return True


def exclude_each_other(one: ir.Expr | None, other: ir.Expr | None) -> bool:
    """Returns whether two conditions obviously exclude each other: `x < 3` and `x >= 3`, or `c` and `not c`."""
    return any(_clash(a, b) or _clash(b, a) for a in _parts(one) for b in _parts(other))


def _clash(a: ir.Expr, b: ir.Expr) -> bool:
    match a, b:
        case ir.Op("not", (inner,)), _:
            return inner == b
        case ir.Op(one, (x, ir.Const(low))), ir.Op(other, (y, ir.Const(high))) if one in INVERSE and other in INVERSE:
            return x == y and not _overlap(_reach(one, low), _reach(other, high))
        case ir.Op(one, (x, z)), ir.Op(other, (y, w)) if one in INVERSE:
            return (x, z) == (y, w) and INVERSE[one] == other
        case _:  # any other two may both hold
            return False


def _reach(name: ir.Comparison, value: int) -> tuple[float, float]:
    """Returns the numbers between which something lies that compares so with a value."""
    match name:
        case "==":
            return value, value
        case "<":
            return -inf, value - 1
        case "<=":
            return -inf, value
        case ">":
            return value + 1, inf
        case ">=":
            return value, inf
        case "!=":
            return -inf, inf
        case _:
            assert_never(name)


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return max(one[0], other[0]) <= min(one[1], other[1])


def _parts(condition: ir.Expr | None) -> Iterator[ir.Expr]:
    """Yields the conjuncts of a condition."""
    if condition is not None:
        yield from conjuncts(condition)


def _span(game: ir.GameRules, hook: ir.Hook) -> Span:
    rule = game.procedures[hook.procedure].rule
    return game.rules[rule].span if rule is not None else game.sites[0].span
