"""Loops in which a player may act who is already out of the game: IR -> a warning for each.

for p in players: p chooses one of hit       W0527: an earlier pass can have eliminated p
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.ir import model as ir
from rulelang.ir.walk import closure, walk
from rulelang.semantics.names.scope import World


def check_gone(world: World, game: ir.GameRules) -> None:
    """Warns of a loop over `players` that asks each, where one pass can eliminate a player of a later one."""
    if not any(isinstance(node, ir.Eliminate) for node in walk(game.procedures)):
        return
    for loop in _loops(game):
        parts = _reached(game, loop)
        own = loop.variable.id
        if _asks(game, parts, own) and _eliminates_others(game, parts, own):
            name = loop.variable.name
            message = f"`{name}` may be out of the game when its turn comes, and is asked all the same"
            help_ = (
                f"to skip eliminated players, write `for {name} in players if {name} in players:`; if all are to act, "
                f"name them before the loop (`let those = players`), and loop over `those`"
            )
            span = game.sites[loop.site].span
            world.sink.report("W0527", message, span, "those who play when the loop begins", help=help_)


def _loops(game: ir.GameRules) -> Iterator[ir.Loop]:
    """Yields the loops over all who play that ask nothing when each one's turn comes."""
    left = game.players_left
    for node in walk((game.procedures, game.choices)):
        if isinstance(node, ir.Loop) and node.condition is None:
            if any(_is_left(part, left) for part in walk(node.source)):
                yield node


def _is_left(node: object, left: int) -> bool:
    return isinstance(node, ir.Read) and node.state == left


def _reached(game: ir.GameRules, loop: ir.Loop) -> list[object]:
    """Returns the parts of the rules that a loop can come to: its body, the choices and procedures that it leads to."""

    def after(part: tuple[str, int]) -> Iterator[tuple[str, int]]:
        yield from _leads_to(game, _part(game, part))

    found = closure(_leads_to(game, loop.body), after)
    parts = [loop.body, *(_part(game, one) for one in found)]
    if any(what == "choice" for what, _ in found):
        # A choice ends with the standing rules.
        again = closure([("procedure", rule.procedure) for rule in game.whenevers], after)
        parts += [_part(game, one) for one in again]
    return parts


def _leads_to(game: ir.GameRules, part: object) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for node in walk(part):
        if isinstance(node, ir.Call | ir.Defer):
            found.append(("procedure", node.procedure))
            found += [("procedure", hook.procedure) for hook in game.hooks if hook.of == node.procedure]
        elif isinstance(node, ir.Ask):
            found.append(("choice", node.choice))
    return found


def _part(game: ir.GameRules, part: tuple[str, int]) -> object:
    what, id = part
    return game.procedures[id].body if what == "procedure" else game.choices[id]


def _asks(game: ir.GameRules, parts: list[object], own: int) -> bool:
    """Returns whether the loop's player is asked in its own body."""
    asked = [node.choice for node in walk(parts[0]) if isinstance(node, ir.Ask)]
    return any(game.choices[choice].who == ir.Local(own) for choice in asked)


def _eliminates_others(game: ir.GameRules, parts: list[object], own: int) -> bool:
    """Returns whether somebody else than the loop's player can be eliminated."""
    out = {p.id for p in game.procedures if any(isinstance(n, ir.Eliminate) for n in walk(p.body))}
    actors = {own} | {choice.actor.id for choice in game.choices if choice.actor is not None}
    called = {node.procedure for node in walk(game.procedures) if isinstance(node, ir.Call)}
    actions = (
        node.procedure for node in walk(game.choices) if isinstance(node, ir.Call) and node.procedure not in called
    )
    actors |= {game.procedures[id].parameters[0].id for id in actions if game.procedures[id].parameters}
    return any(
        isinstance(node, ir.Call) and node.procedure in out and not _is_one_of(node.arguments, actors)
        for part in parts
        for node in walk(part)
    )


def _is_one_of(arguments: tuple[ir.Expr, ...], locals: set[int]) -> bool:
    return bool(arguments) and isinstance(arguments[0], ir.Local) and arguments[0].id in locals
