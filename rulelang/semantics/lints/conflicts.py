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

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.semantics.names.scope import World
from rulelang.source import Span


def check_insteads(world: World, game: ir.GameRules) -> None:
    """Warns of two `instead of` for one verb that can both apply: the last declared wins."""
    for one, other in combinations([hook for hook in game.hooks if hook.when == "instead"], 2):
        if one.of == other.of and not _exclude(one.condition, other.condition):
            world.sink.report(
                "W0504",
                f"two `instead of {game.procedures[one.of].name}` can meet",
                _span(game, other),
                "this one wins where both fit",
                labels=(Label(_span(game, one), "the other one"),),
            )


def check_bounds(world: World, game: ir.GameRules) -> None:
    """Warns of a floor above a ceiling of one number if both can apply: the ceiling wins."""
    for name, adjustments in _adjusted(game):
        floors = [a for a in adjustments if a.what == "least"]
        for floor in floors:
            for ceiling in (a for a in adjustments if a.what == "most"):
                if _can_cross(floor.amount, ceiling.amount) and not _exclude(floor.condition, ceiling.condition):
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


def _exclude(one: ir.Expr | None, other: ir.Expr | None) -> bool:
    """Returns whether two conditions obviously exclude each other: `x == a` and `x == b`, or `c` and `not c`."""
    return any(_clash(a, b) or _clash(b, a) for a in _parts(one) for b in _parts(other))


def _clash(a: ir.Expr, b: ir.Expr) -> bool:
    match a, b:
        case ir.Op("not", (inner,)), _:
            return inner == b
        case ir.Op("==", (x, ir.Const(one))), ir.Op("==", (y, ir.Const(other))):
            return x == y and one != other
    return False


def _parts(condition: ir.Expr | None) -> Iterator[ir.Expr]:
    """Yields the conjuncts of a condition."""
    if isinstance(condition, ir.And):
        for argument in condition.arguments:
            yield from _parts(argument)
    elif condition is not None:
        yield condition


def _span(game: ir.GameRules, hook: ir.Hook) -> Span:
    rule = game.procedures[hook.procedure].rule
    return game.rules[rule].span if rule is not None else game.sites[0].span
