"""Tells the authors of games that rely on a box in which everybody sees what lies there.

action drop(p, c in p.hand) "Drop {c}": move c to box     W0518: the others read `Drop a card`
gold = count(c in Card if c in box and c.n > 3)           W0518: all learn what was dropped
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.ir import model as ir
from rulelang.ir.flow.destinations import said_in
from rulelang.ir.walk import walk
from rulelang.semantics.lints.visibility import course_of
from rulelang.semantics.names.scope import World

LINE = "say `box: face up` in `the game has:` if all may see what lies in the box"


def check_boxes(world: World, game: ir.GameRules) -> None:
    """Warns of rules that rely on an open box, where no line says how things lie there."""
    if world.box is not None:
        return
    if world.relied is not None:
        message = "what is asked here would tell secrets, if the box did not lie open"
        world.sink.report("W0518", message, world.relied, "so it lies open in this game", help=LINE)
        return
    course = course_of(world, game)
    if course.told_of_boxes:
        message = "what lies hidden in the box decides this, and all see what becomes of it"
        help = f"{LINE}, and `box: face down` if no more than this is to be told"
        world.sink.report("W0518", message, game.sites[min(course.told_of_boxes)].span, "this tells it", help=help)
        return
    named = _handed(game, set(_named(game))) if course.boxed else set()
    for move, hidden in course.boxed.values():
        if hidden & named:
            message = "what comes hidden into the box stays hidden: the others do not read its name in the sentence"
            help = f"{LINE}, and `box: face down` if not"
            world.sink.report("W0518", message, game.sites[move.site].span, help=help)
            return


def _named(game: ir.GameRules) -> Iterator[int]:
    """Yields the parameters of options and verbs that stand in a sentence."""
    for choice in game.choices:
        for branch in choice.branches:
            yield from said_in(game.rules[branch.rule], [parameter.variable for parameter in branch.parameters])
    for procedure in game.procedures:
        if procedure.rule is not None:
            yield from said_in(game.rules[procedure.rule], procedure.parameters)


def _handed(game: ir.GameRules, locals: set[int]) -> set[int]:
    """Returns some locals, and the parameters of verbs to which they are handed over."""
    found, calls = set(locals), [n for n in walk((game.procedures, game.choices)) if isinstance(n, ir.Call)]
    before = -1
    while before != len(found):
        before = len(found)
        for call in calls:
            for parameter, argument in zip(game.procedures[call.procedure].parameters, call.arguments, strict=False):
                if isinstance(argument, ir.Local) and argument.id in found:
                    found.add(parameter.id)
    return found
