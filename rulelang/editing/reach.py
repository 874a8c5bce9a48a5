"""An edit, and the declarations that a scenario has run -> whether the edit can change the scenario's result.

    ran(game, result.hits)         {4, 7}      the scenario ran something of these declarations
    edited(before, after)          {5}         the edit changed the body of this one, and nothing else
    is_beyond(node)                            whether bodies that never run can still matter to the scenario

An edit that may reach further than bodies is not told apart: then every scenario is run again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

import attrs

from rulelang.api import Game
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk


def ran(game: Game, hits: Iterable[int]) -> frozenset[int]:
    """Returns the declarations of a game, by their numbers, of which a run has met a site."""
    begins: dict[str, list[tuple[int, int]]] = {}
    for number, declaration in enumerate(game.internals.module.declarations):
        begins.setdefault(declaration.span.source.name, []).append((declaration.span.start, number))
    for places in begins.values():
        places.sort()
    found = set()
    for site in hits:
        at_work = game.ir.sites[site]
        if at_work.what == "needs":
            # An option that nobody chose runs nothing but its needs, which `edited` compares.
            continue
        span = at_work.span
        places = begins.get(span.source.name, [])
        at = bisect_right(places, (span.start, len(game.internals.module.declarations))) - 1
        if at >= 0:
            found.add(places[at][1])
    return frozenset(found)


def edited(before: Game, after: Game) -> frozenset[int] | None:
    """Returns the numbers of the declarations of which an edit has changed the body; None if it may have changed more."""
    old, new = before.internals.module.declarations, after.internals.module.declarations
    if len(old) != len(new) or _shape(before) != _shape(after):
        return None
    pairs = {number: pair for number, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]}
    return frozenset(pairs) if all(_is_alike(*pair) for pair in pairs.values()) else None


def is_beyond(scenario: nodes.ScenarioDeclaration) -> bool:
    """Returns whether a scenario says who knows what, which follows from the rules as a whole."""
    return any(isinstance(part, nodes.ExpectStep) and part.form in ("sees", "blind") for part in walk(scenario))


def _is_alike(old: nodes.Declaration, new: nodes.Declaration) -> bool:
    """Returns whether two declarations are verbs or actions that differ in what they do alone."""
    if isinstance(old, nodes.VerbDeclaration) and isinstance(new, nodes.VerbDeclaration):
        return attrs.evolve(new, body=old.body) == old
    if isinstance(old, nodes.ActionDeclaration) and isinstance(new, nodes.ActionDeclaration):
        return attrs.evolve(new, body=old.body) == old
    return False


def _shape(game: Game) -> tuple[object, ...]:
    """Returns the names of the variables, of the zones, and of the streams of chance, which all runs share."""
    rules = game.ir
    states = tuple(one.name for one in rules.states)
    return (game.variants, rules.streams, rules.targets, states, tuple(one.name for one in rules.zones))
