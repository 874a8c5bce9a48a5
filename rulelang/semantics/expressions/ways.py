"""Lowers `any(ACTION(…))` and `count(ACTION(…))`: whether, and in how many ways, somebody could take an action.

any(move(p))           CallValue(any(s in men(p) if any(t in reach(p, s) if needs)))
count(move(p, a1))     CallValue(… if a1 in men(p)), a number
"""

from __future__ import annotations

from math import prod
from typing import Literal, TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import LARGEST, IntType, Type
from rulelang.ir.walk import rewrite
from rulelang.semantics.expressions.parameters import locals_in, parameters_of
from rulelang.semantics.expressions.sets import members_of
from rulelang.semantics.names.coercion import arguments_of, condition
from rulelang.semantics.names.scope import ActionName, Env, ValueName, World
from rulelang.semantics.names.type_relations import FLAG, NOTHING, Typed
from rulelang.source import Span
from rulelang.syntax import nodes

Question: TypeAlias = Literal["any", "count"]
"""What is asked of an action: whether it could be taken, or in how many ways."""


def action_in(world: World, node: nodes.Expression) -> ActionName | None:
    """Returns the action that a call names, if it names one."""
    name = node.function if isinstance(node, nodes.CallExpression) else node
    found = world.globals.get(name.text) if isinstance(name, nodes.NameExpression) else None
    return found if isinstance(found, ActionName) else None


def lower_ways(
    world: World, env: Env, asked: Question, action: ActionName, node: nodes.Expression, span: Span
) -> Typed:
    """Lowers a question about an action; its first arguments may be given, and the first of all is who acts."""
    name, arguments = action.node.name.text, node.arguments if isinstance(node, nodes.CallExpression) else ()
    types = tuple(variable.type for variable in action.parameters)
    given = arguments_of(world, env, arguments, types, name, span, least=1)
    if given is None:
        return NOTHING
    key = (asked, name, len(given))
    if key not in world.ways:
        if key in world.asked_ways:
            message = f"whether `{name}` can be taken depends on itself"
            world.declared.report("E0405", message, span, help="test in its `needs` what it alone requires")
            return NOTHING
        world.asked_ways.add(key)
        found = _answer(world, asked, action, len(given), span)
        world.asked_ways.discard(key)
        if found is None:
            return NOTHING
        if world.assembled:
            return _in_place(found, tuple(one.ir for one in given))
        world.ways[key] = _value(world, asked, name, found, span)
    value = world.ways[key]
    return Typed(ir.CallValue(value.id, tuple(one.ir for one in given)), value.type or FLAG)


@attrs.frozen
class _Answer:
    """The answer to a question about an action, in terms of the parameters that are given."""

    given: tuple[ir.Variable, ...]
    type: Type
    expr: ir.Expr


def _answer(world: World, asked: Question, action: ActionName, given: int, span: Span) -> _Answer | None:
    """Returns the answer to a question about an action with some parameters given; None after a fault."""
    node = action.node
    name = node.parameters[0].name.text
    actor = world.variable(name, world.player)
    env = Env(locals={name: actor}, name=node.name.text)
    with world.quiet() as faults:  # the action reports the faults of its own head
        parameters, env = parameters_of(world, env, node.parameters[1:])
        tests = [condition(world, env, need.condition) for need in node.needs]
    if world.assembled and faults.found:
        help = f"declare a `value` for it: `value can_act(p) -> flag = {asked}({node.name.text}(p))`"
        world.sink.report("E0305", "a scenario asks this of an action through a value alone", span, help=help)
        return None
    if any(one.low is not None for one in parameters):
        message = f"the sets that `{node.name.text}` takes are not counted"
        world.sink.report("E0305", message, span, help="say in a `value` when it can be taken: `count(S) >= 2`")
        return None
    own = (actor, *(one.variable for one in parameters[: given - 1]))
    most = prod(members_of(one.variable.type) for one in parameters[given - 1 :])
    type: Type = FLAG if asked == "any" else IntType(0, min(most, LARGEST))
    return _Answer(own, type, _levels(asked, parameters, given - 1, tests))


def _in_place(answer: _Answer, given: tuple[ir.Expr, ...]) -> Typed:
    """Returns an answer with what is given in place of the parameters."""
    by_id = {own.id: one for own, one in zip(answer.given, given, strict=True)}

    def change(part: object) -> object:
        return by_id.get(part.id, part) if isinstance(part, ir.Local) else part

    return Typed(rewrite(answer.expr, change), answer.type)


def _value(world: World, asked: Question, name: str, answer: _Answer, span: Span) -> ValueName:
    """Adds a value with an answer."""
    id, title = len(world.values), f"{asked}({name})" + f" {len(answer.given)}" * (len(answer.given) > 1)
    called, denied = _words(asked, answer.given[0], name)
    case = ir.ValueCase(None, answer.expr)
    body = ir.Value(id, title, answer.given, answer.type, (case,), called=called, denied=denied)
    value = ValueName(id, title, answer.given, [], answer.type, None, span, answer.type, body)
    world.values.append(value)
    return value


def _words(asked: Question, actor: ir.Variable, name: str) -> tuple[ir.Template, ir.Template | None]:
    """Returns the words for what a value answers, and for a condition that does not hold."""
    who, named = ir.Local(actor.id), name.replace("_", " ")

    def said(before: str, after: str) -> ir.Template:
        return ir.Template((before, who, after), (None, actor.type, None))

    if asked == "count":
        return said("number of ways in which ", f" can {named}"), None
    return said("", f" can {named}"), said("", f" cannot {named}")


def _levels(asked: Question, parameters: tuple[ir.Parameter, ...], given: int, tests: list[ir.Expr]) -> ir.Expr:
    """Returns the answer, from the last parameter outwards: each need is tested as soon as what it reads is known."""
    known = [
        max((at + 1 for at, one in enumerate(parameters) if one.variable.id in locals_in(test)), default=0)
        for test in tests
    ]

    def at_level(level: int) -> list[ir.Expr]:
        return [test for test, at in zip(tests, known, strict=True) if max(at, given) == level]

    answer: ir.Expr | None = None
    for level in range(len(parameters), given, -1):
        one, holds = parameters[level - 1], _all(at_level(level))
        if asked == "any":
            inside = _all([*at_level(level), *([] if answer is None else [answer])])
            answer = ir.Over("any", (one.variable,), (one.domain,), inside or ir.Const(1), None)
        elif answer is None:
            answer = ir.Over("count", (one.variable,), (one.domain,), None, holds)
        else:
            answer = ir.Over("sum", (one.variable,), (one.domain,), answer, holds)
    lies = [ir.Op("in", (ir.Local(one.variable.id), _mask(one.domain))) for one in parameters[:given]]
    outside = _all([*lies, *at_level(given)])
    if answer is None:
        return outside or ir.Const(1)
    if outside is None:
        return answer
    return ir.And((outside, answer)) if asked == "any" else ir.Either(outside, answer, ir.Const(0))


def _all(tests: list[ir.Expr]) -> ir.Expr | None:
    """Returns the conjunction of some tests; None without any."""
    return None if not tests else tests[0] if len(tests) == 1 else ir.And(tuple(tests))


def _mask(domain: ir.Source) -> ir.Expr:
    """Returns the members of a domain as a set."""
    if domain.pile is None:
        assert domain.mask is not None
        return domain.mask
    return domain.pile if domain.mask is None else ir.Op("inter", (domain.pile, domain.mask))
