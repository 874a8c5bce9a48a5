"""Standing rules that surprise: `whenever` in the IR -> a warning for each.

whenever p.hungry and pot > 0 for p in players: pot -= 1      W0525: of one last meal, everybody who matches eats
whenever not lamp: lamp = yes                                 W0526: these two undo each other without end
whenever lamp: lamp = no
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts
from rulelang.ir.types import first_of, size_of
from rulelang.ir.walk import reachable, read_in, statements_in, walk
from rulelang.program.operators import operate
from rulelang.semantics.names.scope import World
from rulelang.source import Span

MOST_VALUES = 1000
"""The most values of a variable that are tried."""


# ------------------------------------------------------------------ used up by the first match


def check_used_up(world: World, game: ir.GameRules) -> None:
    """Warns of a `whenever` with several matches whose body changes what its condition reads for all of them alike."""
    for rule in game.whenevers:
        if not rule.names:
            continue
        own = {name.id for name in rule.names}
        body = game.procedures[rule.procedure].body
        changed = _written(game, rule.procedure)
        for read in _shared(rule.condition, own):
            if _place_of(read) in changed and not _asks_again(body, read):
                message = "each of several matches is carried out, though the first may leave nothing for the others"
                help_ = (
                    "to look again at each, begin the block with `if …:`; if all are meant, let the rule match once: "
                    f"`whenever … : for {rule.names[0].name} in {{…}}:`"
                )
                span = _span(game, rule)
                world.sink.report("W0525", message, span, f"{_called(game, read)} is changed by it", help=help_)
                break


def _shared(condition: ir.Expr, own: set[int]) -> Iterator[ir.Read | ir.Contents | ir.InSlot | ir.TopOf]:
    """Yields the variables and zones that a condition reads for all matches alike."""
    for node in walk(condition):
        if isinstance(node, ir.Read | ir.Contents | ir.InSlot | ir.TopOf) and not read_in(node.index):
            yield node


def _place_of(read: ir.Read | ir.Contents | ir.InSlot | ir.TopOf) -> tuple[str, int]:
    return ("states", read.state) if isinstance(read, ir.Read) else ("zones", read.zone)


def _written(game: ir.GameRules, procedure: int) -> set[tuple[str, int]]:
    """Returns the variables and zones that a procedure, or one that it calls, takes something from."""
    found: set[tuple[str, int]] = set()
    for id in reachable(game, {procedure}):
        for statement in statements_in(game.procedures[id].body):
            if isinstance(statement, ir.Assign):
                found.add(("states", statement.place.state))
            elif isinstance(statement, ir.Move):
                zones = [n for n in walk(statement.what) if isinstance(n, ir.Contents | ir.InSlot | ir.TopOf)]
                found |= {("zones", zone.zone) for zone in zones}
    return found


def _asks_again(body: tuple[ir.Statement, ...], read: object) -> bool:
    """Returns whether a body asks for what it changes before it goes on."""
    return any(
        isinstance(statement, ir.When) and any(node == read for test, _, _ in statement.branches for node in walk(test))
        for statement in statements_in(body)
    )


def _called(game: ir.GameRules, read: ir.Read | ir.Contents | ir.InSlot | ir.TopOf) -> str:
    what, id = _place_of(read)
    return f"`{getattr(game, what)[id].name}`"


# ------------------------------------------------------------------ undone by each other


def check_undone(world: World, game: ir.GameRules) -> None:
    """Warns of two `whenever` each of which brings about what the other undoes."""
    for one, other in combinations(game.whenevers, 2):
        state = _undone(game, one, other)
        if state is not None:
            world.sink.report(
                "W0526",
                f"two `whenever` undo each other: they change `{game.states[state].name}` back and forth without end",
                _span(game, other),
                "this one makes the other's condition true again",
                labels=(Label(_span(game, one), "the other one"),),
                help="let one of them wait for something else, too",
            )


def _undone(game: ir.GameRules, one: ir.Whenever, other: ir.Whenever) -> int | None:
    """Returns the variable that two rules change to and fro; None if there is none, or other variables decide."""
    first, second = (_changes(game, rule) for rule in (one, other))
    for state in first.keys() & second.keys():
        type = game.states[state].type
        if size_of(type) > MOST_VALUES:
            continue
        tests = [_test(rule, state) for rule in (one, other)]
        if None in tests:
            continue
        for value in range(first_of(type), first_of(type) + size_of(type)):
            after = _value(first[state], state, value) if _value(tests[0], state, value) else None
            if after is None or after == value or not _value(tests[1], state, after):
                continue
            if _value(second[state], state, after) == value:
                return state
    return None


def _changes(game: ir.GameRules, rule: ir.Whenever) -> dict[int, ir.Expr]:
    """Returns the new value of each variable that a rule assigns once, for itself or for what it goes over."""
    found: dict[int, ir.Expr] = {}
    assigned = [s for s in game.procedures[rule.procedure].body if isinstance(s, ir.Assign)]
    for statement in assigned:
        state = statement.place.state
        if statement.least is not None or statement.most is not None or state in found:
            continue
        old = ir.Read(state, statement.place.index)
        found[state] = ir.Op("+", (old, statement.value)) if statement.operator == "+" else statement.value
    return found


def _test(rule: ir.Whenever, state: int) -> ir.Expr | None:
    """Returns the condition of a rule if it reads one variable alone."""
    parts = [*conjuncts(rule.condition)]
    about = [part for part in parts if any(isinstance(n, ir.Read) and n.state == state for n in walk(part))]
    return rule.condition if about and len(about) == len(parts) else None


def _value(expr: ir.Expr | None, state: int, value: int) -> int | None:
    """Returns the value of an expression where a variable has a value; None if more would have to be known."""
    match expr:
        case ir.Const(value=number):
            return number
        case ir.Read(state=read) if read == state:
            return value
        case ir.Op(name=name, arguments=arguments):
            parts = [_value(argument, state, value) for argument in arguments]
            known = tuple(part for part in parts if part is not None)
            return operate(name, known) if len(known) == len(parts) else None
        case ir.And(arguments=arguments):
            parts = [_value(argument, state, value) for argument in arguments]
            return 0 if 0 in parts else None if None in parts else 1
        case ir.Or(arguments=arguments):
            parts = [_value(argument, state, value) for argument in arguments]
            return next((1 for part in parts if part), None if None in parts else 0)
        case ir.Either(condition=condition, then=then, otherwise=otherwise):
            decided = _value(condition, state, value)
            return None if decided is None else _value(then if decided else otherwise, state, value)
        case _:  # an expression that can have any value
            return None


def _span(game: ir.GameRules, rule: ir.Whenever) -> Span:
    own = game.procedures[rule.procedure].rule
    return game.sites[rule.site].span if own is None else game.rules[own].span
