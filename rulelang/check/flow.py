"""Checks on how the game runs: loops that may never end, verbs that call each other in a circle.

repeat: heap = heap          E0404: neither a choice nor a way out
to a(): b()                  E0405: a -> b -> a
"""

from __future__ import annotations

import attrs

from rulelang.check.scope import World
from rulelang.ir import model as ir
from rulelang.ir.walk import calls_in, reachable, walk

MOST_OPTIONS = 4096
"""A choice with more options than this cannot be looked through."""


def part_interrupts(world: World, game: ir.Game) -> ir.Game:
    """Takes the interrupts out of choices that only interrupts lead to: none is offered inside another."""
    interrupts = tuple(branch.body for choice in game.choices for branch in choice.branches if branch.interrupt)
    others = (ir.Call(game.main, ()), *(ir.Call(rule.procedure, ()) for rule in game.whenevers))
    inside = _asked(game, interrupts) - _asked(game, others)
    choices = tuple(
        attrs.evolve(choice, branches=tuple(b for b in choice.branches if not b.interrupt))
        if choice.id in inside
        else choice
        for choice in game.choices
    )
    return attrs.evolve(game, choices=choices) if inside else game


def _asked(game: ir.Game, start: object) -> set[int]:
    """Gives the choices that some statements lead to by another way than through interrupts."""
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


def check_loops(world: World, game: ir.Game) -> ir.Game:
    """Reports `repeat:` without a bound, a choice or a way out."""
    bodies = [p.body for p in game.procedures] + [b.body for c in game.choices for b in c.branches]
    for body in bodies:
        for node in walk(body):
            if (
                isinstance(node, ir.Repeat)
                and node.condition is None
                and node.times is None
                and not _leaves(game, node)
            ):
                world.sink.report(
                    "E0404",
                    "this loop never ends",
                    game.sites[node.site].span,
                    "neither a choice nor a bound",
                    help="add `stop`, a choice, `while …` or `… times`",
                )
    return game


def _leaves(game: ir.Game, loop: ir.Repeat) -> bool:
    """Tells whether something inside may stop the loop, end the game, or ask somebody."""
    inside: list[object] = [loop.body]
    inside += [game.procedures[i].body for i in sorted(reachable(game, calls_in(game, loop.body)))]
    ends = (ir.Ask, ir.Finish)
    if any(isinstance(n, ends) for body in inside for n in walk(body)):
        return True
    if any((isinstance(n, ir.Stop) and n.loop == loop.id) or isinstance(n, ir.Return) for n in walk(loop.body)):
        return True
    settles = any(isinstance(n, ir.Settle) for body in inside for n in walk(body)) or any(
        game.procedures[i].phase for i in calls_in(game, loop.body)
    )
    return settles and any(
        isinstance(n, ends)
        for w in game.whenevers
        for i in reachable(game, {w.procedure})
        for n in walk(game.procedures[i].body)
    )


def check_cycles(world: World, game: ir.Game) -> ir.Game:
    """Reports verbs and hooks that call each other in a circle, with the circle."""
    edges = {p.id: sorted(calls_in(game, p.body)) for p in game.procedures}
    for hook in game.hooks:
        edges[hook.of] = [*edges[hook.of], hook.procedure]
    state: dict[int, int] = {}
    path: list[int] = []

    def visit(id: int) -> bool:
        state[id] = 1
        path.append(id)
        for other in edges[id]:
            if state.get(other) == 1:
                _report_cycle(world, game, [*path[path.index(other) :], other])
                return True
            if other not in state and visit(other):
                return True
        path.pop()
        state[id] = 2
        return False

    for procedure in game.procedures:
        if procedure.id not in state and visit(procedure.id):
            break
    return game


def check_values(world: World, game: ir.Game) -> ir.Game:
    """Reports values that need themselves without saying how deep, and adjustments that read what they adjust."""
    needs = {v.id: _values_in(v.cases, game) for v in game.values}
    for value in game.values:
        if value.deep is None and value.id in _closure(needs, needs[value.id]):
            world.sink.report(
                "E0405",
                f"`{value.name}` needs itself",
                game.sites[value.site].span,
                help="say how deep it goes: `value v(x) -> 0..9, at most 6 deep = …`",
            )
        for adjustment in value.adjustments:
            read = _values_in((adjustment.condition, adjustment.amount), game)
            if value.id in _closure(needs, read):
                world.sink.report(
                    "E0413",
                    f"this adjustment of `{value.name}` reads `{value.name}`",
                    game.sites[adjustment.site].span,
                    help="test what the value is made of instead",
                )
    return game


def _values_in(node: object, game: ir.Game) -> set[int]:
    found: set[int] = set()
    for inner in walk(node):
        if isinstance(inner, ir.CallValue):
            found.add(inner.value)
        elif isinstance(inner, ir.Cell):
            column = game.data[inner.data].columns[inner.column]
            found |= {n.value for n in walk((column.cells, column.adjustments)) if isinstance(n, ir.CallValue)}
    return found


def _closure(needs: dict[int, set[int]], start: set[int]) -> set[int]:
    seen: set[int] = set()
    queue = sorted(start)
    while queue:
        id = queue.pop()
        if id not in seen:
            seen.add(id)
            queue.extend(needs[id] - seen)
    return seen


def check_options(world: World, game: ir.Game) -> ir.Game:
    """Warns of choices that may have more options than can be looked through."""
    for choice in game.choices:
        for branch in choice.branches:
            size = 1
            for parameter in branch.parameters:
                size *= _members(parameter)
            if size > MOST_OPTIONS:
                world.sink.report(
                    "W0505",
                    f"`{branch.name}` may have {size} options",
                    game.sites[branch.site].span,
                    f"more than {MOST_OPTIONS} are slow to look through",
                    help="narrow a domain: `s in neighbours(p.at)` instead of all spaces",
                )
    return game


def _members(parameter: ir.Parameter) -> int:
    if parameter.low is not None or parameter.domain.pile is not None:
        return 1
    mask = parameter.domain.mask
    return mask.value.bit_count() if isinstance(mask, ir.Const) else 1


def _report_cycle(world: World, game: ir.Game, cycle: list[int]) -> None:
    names = [game.procedures[i].name for i in cycle]
    rule = next((game.procedures[i].rule for i in cycle if game.procedures[i].rule is not None), None)
    span = game.rules[rule].span if rule is not None else game.sites[0].span
    world.sink.report(
        "E0405", f"verbs call each other in a circle: {' -> '.join(names)}", span, help="verbs do not call themselves"
    )
