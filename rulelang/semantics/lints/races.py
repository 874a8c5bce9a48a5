"""Checks on `simultaneously`: passes that race.

simultaneously for p in players: leader = p     E0407: every pass writes another value to `leader`
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.walk import calls_in, reachable, walk
from rulelang.semantics.names.scope import World


def check_races(world: World, game: ir.GameRules) -> None:
    """Reports `=` on a variable that is not the pass's own (unless to one constant), and choices, endings and answers in a pass."""
    for block in (n for p in game.procedures for n in walk(p.body) if isinstance(n, ir.Simultaneous)):
        _check_block(world, game, block)
    for block in (n for c in game.choices for b in c.branches for n in walk(b.body) if isinstance(n, ir.Simultaneous)):
        _check_block(world, game, block)


def _check_block(world: World, game: ir.GameRules, block: ir.Simultaneous) -> None:
    for node in walk(block.body):
        if isinstance(node, ir.Assign) and node.operator == "=" and not isinstance(node.value, ir.Const):
            own = bool(node.place.index) and node.place.index[0] == ir.Local(block.variable.id)
            if not own and not _local_index(block, node):
                world.sink.report(
                    "E0407",
                    f"every pass writes `{game.states[node.place.state].name}`: which one counts?",
                    game.sites[node.site].span,
                    "written by each pass at once",
                    help="write `+=` or `-=`, which add up, or write only what belongs to the pass's own",
                )
    reached = reachable(game, calls_in(game, block.body))
    bodies = [block.body, *(game.procedures[i].body for i in sorted(reached))]
    answers = {state.id for state in game.states if state.builtin and state.name.startswith("answer of ")}
    for body in bodies:
        for node in walk(body):
            if isinstance(node, ir.Assign) and node.place.state in answers and node.site:
                help = "call it before, or work the answer out in a `value`"
                span = game.sites[node.site].span
                world.sink.report(
                    "E0409", "no verb answers inside `simultaneously`", span, "reached from a pass", help=help
                )
            if isinstance(node, ir.Ask | ir.Finish):
                what = "be chosen" if isinstance(node, ir.Ask) else "end the game"
                world.sink.report(
                    "E0409",
                    f"nothing can {what} inside `simultaneously`",
                    game.sites[node.site].span,
                    "reached from a pass",
                )


def _local_index(block: ir.Simultaneous, node: ir.Assign) -> bool:
    """Returns whether the index of a write is a local of the body, so that only the run can tell whose thing it is."""
    return bool(node.place.index) and any(isinstance(n, ir.Local) for n in walk(node.place.index))
