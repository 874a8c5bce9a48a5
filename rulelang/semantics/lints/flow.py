"""Checks on how the game runs: loops that may never end, verbs that call each other in a cycle, too many options.

repeat: heap = heap          E0404: neither a choice nor a way out
to a(): b()                  E0405: a -> b -> a
to a(): b()  ... to y(): z() E0406: too many calls inside each other
"""

from __future__ import annotations

from math import comb

from rulelang.ir import model as ir
from rulelang.ir.walk import Called, bodies, called_in, calls_in, closure, reachable, walk
from rulelang.semantics.names.scope import MOST_CALLS, World
from rulelang.source import Span

MOST_OPTIONS = 4096
"""The most options of a choice that people and bots can look through."""


def check_loops(world: World, game: ir.GameRules) -> None:
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


def _leaves(game: ir.GameRules, loop: ir.Repeat) -> bool:
    """Returns whether a statement inside may stop the loop, end the game, or ask a seat."""
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


# ------------------------------------------------------------------ what calls what


def check_calls(world: World, game: ir.GameRules) -> None:
    """Reports recursion without a declared depth, and calls nested too deeply, of verbs, values and data."""
    needs = {called: called_in(body) for called, body in bodies(game).items()}
    calls = _calls(game, needs)
    _check_cycles(world, game, calls)
    _check_values(world, game, needs)
    _check_depth(world, game, calls)


def _check_cycles(world: World, game: ir.GameRules, table: dict[Called, list[Called]]) -> None:
    """Reports verbs and hooks that call each other in a cycle, with the cycle."""
    deep = {("verb", p.id, 0) for p in game.procedures if p.recursion is not None}
    calls = {called: [c for c in calls if c[0] == "verb" and c not in deep] for called, calls in table.items()}
    circle = _circle({called: others for called, others in calls.items() if called not in deep})
    if circle:
        _report_cycle(world, game, [id for _, id, _ in circle])


def _check_values(world: World, game: ir.GameRules, needs: dict[Called, set[Called]]) -> None:
    """Reports values and data that need themselves without a
    declared depth, and adjustments that read what they adjust.
    """
    plain = {**needs, **{("value", v.id, 0): called_in(v.cases) for v in game.values}}
    for value in game.values:
        own = ("value", value.id, 0)
        if value.deep is None and own in closure(plain[own], plain.__getitem__):
            world.sink.report(
                "E0405",
                f"`{value.name}` depends on itself",
                game.sites[value.site].span,
                help="say how deep it goes: `value v(x) -> 0..9, at most 6 deep = …`",
            )
        for adjustment in value.adjustments:
            if own in closure(called_in((adjustment.condition, adjustment.amount)), needs.__getitem__):
                world.sink.report(
                    "E0413",
                    f"this adjustment of `{value.name}` reads `{value.name}`",
                    game.sites[adjustment.site].span,
                    help="test what the value is made of instead",
                )
    _check_columns(world, game, {called: calls for called, calls in needs.items() if not _is_deep(game, called)})


def _check_columns(world: World, game: ir.GameRules, needs: dict[Called, set[Called]]) -> None:
    for data in game.data:
        for number, column in enumerate(data.columns):
            own = ("data", data.id, number)
            if own in closure(needs[own], lambda called: needs.get(called, ())):
                span = game.sites[column.sites[0] if column.sites else 0].span
                world.sink.report("E0405", f"`{data.name}.{column.name}` depends on itself", span, "to work out a cell")


def _check_depth(world: World, game: ir.GameRules, table: dict[Called, list[Called]]) -> None:
    """Reports verbs and values whose calls are nested too deeply."""
    if world.sink.has_errors:
        return
    for called, depth in _depths(table).items():
        if depth == MOST_CALLS + 1:
            name, span = _name_of(game, called)
            help = "what is called may call others in turn; let some of them do more themselves"
            world.sink.report(
                "E0406", f"`{name}` goes through too many calls", span, f"more than {MOST_CALLS}", help=help
            )


def _calls(game: ir.GameRules, needs: dict[Called, set[Called]]) -> dict[Called, list[Called]]:
    """Returns the callees of each procedure, value and column; a hook counts as called by its procedure."""
    calls = {called: sorted(others) for called, others in needs.items()}
    for procedure in game.procedures:
        verbs = [("verb", id, 0) for id in sorted(calls_in(game, procedure.body))]
        asked = [game.choices[node.choice] for node in walk(procedure.body) if isinstance(node, ir.Ask)]
        calls["verb", procedure.id, 0] = [*verbs, *sorted(called_in((procedure.body, asked)))]
    for hook in game.hooks:
        calls["verb", hook.of, 0].append(("verb", hook.procedure, 0))
    return calls


def _is_deep(game: ir.GameRules, called: Called) -> bool:
    return called[0] == "value" and game.values[called[1]].deep is not None


def _name_of(game: ir.GameRules, called: Called) -> tuple[str, Span]:
    what, id, number = called
    if what == "value":
        return game.values[id].name, game.sites[game.values[id].site].span
    if what == "data":
        column = game.data[id].columns[number]
        return f"{game.data[id].name}.{column.name}", game.sites[column.sites[0] if column.sites else 0].span
    rule = game.procedures[id].rule
    return game.procedures[id].name, game.rules[rule].span if rule is not None else game.sites[0].span


def _circle(calls: dict[Called, list[Called]]) -> list[Called]:
    """Returns a cycle of calls; [] if there is none."""
    done: set[Called] = set()
    for start, first in calls.items():
        path, open = ([start], [iter(first)]) if start not in done else ([], [])
        while path:
            following = next(open[-1], None)
            if following is None:
                open.pop()
                done.add(path.pop())
            elif following in path:
                return [*path[path.index(following) :], following]
            elif following not in done:
                path.append(following)
                open.append(iter(calls[following]))
    return []


def _depths(calls: dict[Called, list[Called]]) -> dict[Called, int]:
    """Returns the length of the longest chain of calls from each callee; recursion counts once."""
    depths: dict[Called, int] = {}
    for start, first in calls.items():
        path, open = ([start], [iter(first)]) if start not in depths else ([], [])
        while path:
            following = next(open[-1], None)
            if following is None:
                open.pop()
                called = path.pop()
                depths[called] = 1 + max((depths.get(c, 0) for c in calls[called]), default=0)
            elif following not in depths and following not in path:
                path.append(following)
                open.append(iter(calls[following]))
    return depths


def check_options(world: World, game: ir.GameRules) -> None:
    """Warns of choices that may have more than MOST_OPTIONS options."""
    for choice in game.choices:
        for branch in choice.branches:
            size = 1
            for parameter in branch.parameters:
                size *= _members(parameter)
            if size > MOST_OPTIONS:
                written = str(size) if size < 10**9 else "over 1000000000"
                world.sink.report(
                    "W0505",
                    f"`{branch.name}` may have {written} options",
                    game.sites[branch.site].span,
                    f"more than {MOST_OPTIONS} are slow to look through",
                    help="narrow a domain: `s in neighbours(p.at)` instead of all spaces",
                )


def _members(parameter: ir.Parameter) -> int:
    """Returns the number of values of a parameter; 1 if it is unknown."""
    mask = parameter.domain.mask
    if not isinstance(mask, ir.Const):
        return 1
    size = mask.value.bit_count()
    if parameter.low is None:
        return size
    if parameter.interchange is not None or not isinstance(parameter.low, ir.Const):
        return 1
    high = parameter.high.value if isinstance(parameter.high, ir.Const) else size
    return sum(comb(size, n) for n in range(max(parameter.low.value, 0), min(high, size) + 1))


def _report_cycle(world: World, game: ir.GameRules, cycle: list[int]) -> None:
    names = [game.procedures[i].name for i in cycle]
    rule = next((game.procedures[i].rule for i in cycle if game.procedures[i].rule is not None), None)
    span = game.rules[rule].span if rule is not None else game.sites[0].span
    world.sink.report(
        "E0405",
        f"verbs call each other in a circle: {' -> '.join(names)}",
        span,
        help=f"say how deep one of them goes: `to {names[0]}(…) at most 8 deep: …`",
    )
