"""Finds the functions whose results are worth keeping while a `score` is computed.

    value target(c) = first(h in sought(c) by lowest distance(c.at, h))      # asked for by four other values

A `score` changes nothing, so until it is done a function returns the same result for the same arguments. A call that
finds its result pays the steps that the first call paid. A `score` that looks ahead, on a row of its own, keeps
nothing. Listing options uses no memos, for there a look-up costs more than it saves.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import attrs

from rulelang.program.low import model as low

LARGEST = 512
"""The most results that one function keeps."""


def with_memos(program: low.Program) -> low.Program:
    """Returns the program with memos for the functions that contain a loop and that a `score` may call twice."""
    bodies = {function.name: function.orders for function in program.functions}
    ways = _ways("score", bodies) if program.score is not None else {}
    if any(isinstance(order, low.KeepRowInst) for name in ways for order in bodies[name]):
        return attrs.evolve(program, functions=tuple(attrs.evolve(f, memo=()) for f in program.functions))
    functions = tuple(
        attrs.evolve(
            function, memo=function.memo if ways.get(function.name) == MANY and _loops(function.name, bodies) else ()
        )
        for function in program.functions
    )
    return attrs.evolve(program, functions=functions)


def memo_of(bounds: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Returns the memo for arguments within bounds: for each its
    least value and the number of its values; () if too many.

    >>> memo_of([(0, 7), (1, 3)]), memo_of([(0, 600)])
    (((0, 8), (1, 3)), ())
    """
    memo = tuple((least, most - least + 1) for least, most in bounds)
    return memo if prod(many for _, many in memo) <= LARGEST else ()


def in_score(program: low.Program) -> frozenset[str]:
    """Returns the functions that a `score` calls; only their calls look into memos."""
    bodies = {function.name: function.orders for function in program.functions}
    return frozenset(_ways("score", bodies) if program.score is not None else ())


MANY = 2
"""Ways are counted up to this number: being called more than twice makes no difference."""


def _ways(root: str, bodies: dict[str, tuple[low.Inst, ...]]) -> dict[str, int]:
    """Returns, by function, the number of ways in which `root` reaches it, up to `MANY`."""
    found, waiting = {root: 1}, [root]
    while waiting:
        for name in _called(bodies[waiting.pop()]):
            if found.get(name, 0) < MANY:
                found[name] = found.get(name, 0) + 1
                waiting.append(name)
    return found


def _loops(name: str, bodies: dict[str, tuple[low.Inst, ...]]) -> bool:
    """Returns whether a function contains a loop, or calls one that does."""
    return any(
        isinstance(order, low.WalkInst | low.RepeatInst) for reached in _ways(name, bodies) for order in bodies[reached]
    )


def _called(body: tuple[low.Inst, ...]) -> list[str]:
    return [order.function for order in body if isinstance(order, low.CallInst)]
