"""A random game of the IR -> the same as it would be on a board: no zones, picks, sealed answers or passes.

board_game(7)       a Game of which the low-level IR can say all, but for what its own random numbers make too wide
game_in_turns(7)    a Game with zones and all, but without `simultaneously`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulelang.ir import model as ir
from tests.generators.ir import random_game

AWAY = (ir.Move, ir.Shuffle, ir.Reveal, ir.Show, ir.Stand)
"""Statements that only things in zones have, or a history."""
ALIKE = (ir.PlaceOf, ir.OwnerOf, ir.FaceUp, ir.Way, ir.DirectedWay, ir.InSlot, ir.TopOf, ir.Pick)


def board_game(seed: int, make: Callable[[int], ir.GameRules] = random_game) -> ir.GameRules:
    """Returns a random game without what a board game does without."""
    game = make(seed)
    kinds = tuple(attrs.evolve(kind, movable=False) for kind in game.kinds)
    choices = tuple(_open(choice) for choice in game.choices)
    plain: ir.GameRules = _plain(attrs.evolve(game, kinds=kinds, zones=(), choices=choices))
    return plain


def game_in_turns(seed: int, make: Callable[[int], ir.GameRules] = random_game) -> ir.GameRules:
    """Returns a random game in which nothing happens at once."""
    changed: ir.GameRules = _in_turns(make(seed))
    return changed


def _in_turns(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(map(_in_turns, node))
    match node:
        case ir.Simultaneous():
            loop = ir.Loop(10_000 + node.variable.id, node.variable, node.source, (), node.condition, node.body)
            return _in_turns(attrs.evolve(loop, site=node.site))
        case ir.Defer():
            return ir.Call(node.procedure, _in_turns(node.arguments), site=node.site)
        case _ if attrs.has(type(node)) and type(node) in ir.NODES:
            names = (field.name for field in attrs.fields(type(node)))
            return attrs.evolve(node, **{name.lstrip("_"): _in_turns(getattr(node, name)) for name in names})
        case _:
            return node


def _open(choice: ir.Choice) -> ir.Choice:
    """Returns a choice of one seat, each parameter of which is one thing; interchangeable ones are told apart."""
    kept = [branch for branch in choice.branches if all(p.low is None for p in branch.parameters)]
    branches = tuple(
        attrs.evolve(b, parameters=tuple(attrs.evolve(p, interchange=None) for p in b.parameters)) for b in kept
    ) or (attrs.evolve(choice.branches[0], parameters=(), needs=(), body=()),)
    if not choice.sealed:
        return attrs.evolve(choice, branches=branches)
    assert choice.variable is not None
    return attrs.evolve(choice, branches=branches, sealed=False, who=ir.Const(0), source=None, condition=None)


def _plain(node: Any) -> Any:
    """Returns a part of a game without what needs zones, picks or a copy of the row."""
    if isinstance(node, tuple):
        return tuple(_plain(part) for part in node if not isinstance(part, AWAY))
    match node:
        case ir.Contents():
            return ir.Const(5)
        case ir.Source(pile=pile) if pile is not None:
            return ir.Source(ir.Const(3))
        case ir.Simultaneous():
            loop = ir.Loop(10_000 + node.variable.id, node.variable, node.source, (), node.condition, node.body)
            return _plain(attrs.evolve(loop, site=node.site))
        case ir.Defer():
            return _plain(ir.Call(node.procedure, node.arguments, site=node.site))
        case ir.Loop():
            return _fields(attrs.evolve(node, keys=()))
        case _ if isinstance(node, ALIKE):
            return ir.Const(1)
        case _ if attrs.has(type(node)) and type(node) in ir.NODES:
            return _fields(node)
        case _:
            return node


def _fields(node: Any) -> Any:
    names = (field.name for field in attrs.fields(type(node)))
    return attrs.evolve(node, **{name.lstrip("_"): _plain(getattr(node, name)) for name in names})
