"""Rewrites the choices at which interrupts are offered.

No interrupt is offered inside another, or at a choice made in secret. Before
each other choice, the other seats are asked for interrupts `at any choice`.
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import Spliced, rewrite, walk
from rulelang.semantics.names.scope import World


def part_interrupts(world: World, game: ir.GameRules) -> ir.GameRules:
    """Returns a game without interrupts in the choices that only interrupts lead to: none is offered inside another."""
    others = (ir.Call(game.main, ()), *(ir.Call(rule.procedure, ()) for rule in game.whenevers))
    inside = _asked(game, _interrupts(world, game)) - _asked(game, others)
    choices = tuple(
        attrs.evolve(choice, branches=tuple(b for b in choice.branches if not b.interrupt))
        if choice.id in inside
        else choice
        for choice in game.choices
    )
    return attrs.evolve(game, choices=choices) if inside else game


def _asked(game: ir.GameRules, start: object) -> set[int]:
    """Returns the choices that can be reached from some statements without an interrupt."""
    choices: set[int] = set()
    procedures: set[int] = set()
    waiting = [start]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, ir.Ask) and node.choice not in choices:
                choices.add(node.choice)
                choice = game.choices[node.choice]
                waiting += [choice.when_none, *(branch.body for branch in choice.branches if not branch.interrupt)]
            elif isinstance(node, ir.Call | ir.Defer) and node.procedure not in procedures:
                procedures.add(node.procedure)
                hooks = tuple(ir.Call(hook.procedure, ()) for hook in game.hooks if hook.of == node.procedure)
                waiting += [game.procedures[node.procedure].body, hooks]
    return choices


def ask_others_first(world: World, game: ir.GameRules) -> ir.GameRules:
    """Returns a game that asks the other seats for interrupts
    before each choice, except secret ones and those in interrupts.
    """
    first = world.others_first
    if first is None:
        return game
    inside = _asked(game, _interrupts(world, game))

    def change(node: object) -> object:
        if not isinstance(node, ir.Ask):
            return node
        choice = game.choices[node.choice]
        if choice.sealed or choice.private or choice.id in inside or choice.who is None:
            return node
        return Spliced((ir.Call(first, (choice.who,), site=node.site), node))

    return attrs.evolve(
        game,
        procedures=rewrite(game.procedures, change),
        choices=rewrite(game.choices, change),
    )


def _interrupts(world: World, game: ir.GameRules) -> tuple[object, ...]:
    """Returns the statements of interrupts, including those that ask the other seats."""
    first = () if world.others_first is None else (ir.Call(world.others_first, ()),)
    return (*first, *(branch.body for choice in game.choices for branch in choice.branches if branch.interrupt))
