"""Standing rules that surprise: `whenever` in the IR -> a warning for each.

whenever p.hungry and pot > 0 for p in players: pot -= 1      W0525: of one last meal, everybody who matches eats
whenever not lamp: lamp = yes                                 W0526: these two undo each other without end
whenever lamp: lamp = no
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts
from rulelang.ir.types import first_of, size_of
from rulelang.ir.walk import called_values, reachable, read_in, statements_in, walk, with_arguments
from rulelang.program.operators import operate
from rulelang.semantics.lints.conflicts import exclude_each_other
from rulelang.semantics.names.scope import World
from rulelang.source import Span

MOST_VALUES = 1000
"""The most values of a variable that are tried."""
DEEP = 3
"""The most calls inside each other that are followed."""


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


@attrs.frozen
class _Rule:
    """A `whenever` as far as it can be followed: what it asks for, and the new value of each variable that it assigns
    once. The names that it goes over are numbered from -1 downwards, so those of two rules can be compared.
    """

    tests: tuple[ir.Expr, ...]
    changes: Mapping[int, ir.Expr]
    touched: frozenset[int]
    moves: bool


def _undone(game: ir.GameRules, one: ir.Whenever, other: ir.Whenever) -> int | None:
    """Returns the variable that two rules change to and fro; None if there is none, or other variables decide."""
    first, second = (_followed(game, rule) for rule in (one, other))
    for state in first.changes.keys() & second.changes.keys():
        type = game.states[state].type
        if size_of(type) > MOST_VALUES or not _may_meet(game, first, second, state):
            continue
        tests = [ir.And(tuple(test for test in rule.tests if _reads(test, state))) for rule in (first, second)]
        if not all(test.arguments for test in tests):
            continue
        for value in range(first_of(type), first_of(type) + size_of(type)):
            after = _value(first.changes[state], state, value) if _value(tests[0], state, value) else None
            if after is None or after == value or not _value(tests[1], state, after):
                continue
            if _value(second.changes[state], state, after) == value:
                return state
    return None


def _may_meet(game: ir.GameRules, one: _Rule, other: _Rule, state: int) -> bool:
    """Returns whether what two rules ask for besides a variable can hold for both, and neither changes it."""
    further = [dict.fromkeys(test for test in rule.tests if not _reads(test, state)).keys() for rule in (one, other)]
    for test in further[0] | further[1]:
        values = [game.values[id] for id in called_values(game, test)]
        for node in walk((test, tuple((value.cases, value.adjustments) for value in values))):
            if isinstance(node, ir.Read) and (node.state == state or node.state in one.touched | other.touched):
                return False
            if isinstance(node, ir.Contents | ir.InSlot | ir.TopOf) and (one.moves or other.moves):
                return False
    if not all(_is_simple(test) for test in further[0] ^ further[1]):
        return False
    return not exclude_each_other(ir.And(tuple(further[0])), ir.And(tuple(further[1])))


def _is_simple(test: ir.Expr) -> bool:
    """Returns whether a condition compares variables and numbers, so that what it excludes is plain to see."""
    return all(isinstance(node, ir.Op | ir.Read | ir.Const | ir.Local) for node in walk(test))


def _followed(game: ir.GameRules, rule: ir.Whenever) -> _Rule:
    own = {name.id: ir.Local(-1 - at) for at, name in enumerate(rule.names)}
    parameters = game.procedures[rule.procedure].parameters
    given = own | {variable.id: ir.Local(-1 - at) for at, variable in enumerate(parameters)}
    tests, body = [*conjuncts(with_arguments(rule.condition, own))], game.procedures[rule.procedure].body
    body = _spelled_out(game, with_arguments(body, given))
    while len(body) == 1 and isinstance(body[0], ir.When) and len(body[0].branches) == 1 and not body[0].otherwise:
        test, inner, _ = body[0].branches[0]
        tests, body = [*tests, *conjuncts(test)], _spelled_out(game, inner)
    statements = [s for id in reachable(game, {rule.procedure}) for s in statements_in(game.procedures[id].body)]
    assigned = Counter(s.place.state for s in statements if isinstance(s, ir.Assign))
    touched = {*assigned, *([game.players_left] if any(isinstance(s, ir.Eliminate) for s in statements) else [])}
    changes: dict[int, ir.Expr] = {}
    for s in body:
        if isinstance(s, ir.Assign) and assigned[s.place.state] == 1 and s.least is None and s.most is None:
            old = ir.Read(s.place.state, s.place.index)
            changes[s.place.state] = ir.Op("+", (old, s.value)) if s.operator == "+" else s.value
    return _Rule(tuple(tests), changes, frozenset(touched), any(isinstance(s, ir.Move) for s in statements))


def _spelled_out(game: ir.GameRules, body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    """Returns a body that is nothing but a call of a verb without hooks as that verb's body."""
    for _ in range(DEEP):
        if len(body) != 1 or not isinstance(call := body[0], ir.Call):
            break
        if any(hook.of == call.procedure for hook in game.hooks):
            break
        verb = game.procedures[call.procedure]
        given = {v.id: argument for v, argument in zip(verb.parameters, call.arguments, strict=True)}
        body = with_arguments(verb.body, given)
    return body


def _reads(expr: ir.Expr, state: int) -> bool:
    return any(isinstance(node, ir.Read) and node.state == state for node in walk(expr))


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
