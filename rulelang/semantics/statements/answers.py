"""Verbs that return an answer: it is left in a variable of the engine, and taken from there by who called the verb.

to pick(p) -> Card?: return first(p.hand)      a variable `answer of pick`, which is `none` but on the way back
let c = pick(p)                                 Call(pick), Bind(c, Read(answer of pick)), Assign(answer of pick, none)
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, BadType, EnumType, FlagType, IntType, SetType, Type, first_of
from rulelang.semantics.names.coercion import coerce, lower
from rulelang.semantics.names.scope import DrawTarget, Env, VerbAnswer, VerbName, World
from rulelang.semantics.names.type_relations import Typed
from rulelang.semantics.names.type_syntax import written_type
from rulelang.syntax import nodes

ANSWER = "the answer"
"""The name of an answer in the rest of the line that calls for it; no name is written so."""


def declare_answer(world: World, node: nodes.VerbDeclaration, *, is_replaced: bool) -> VerbAnswer | None:
    """Enters the variable in which a verb leaves its answer; None if it has none. The answer may be `none` unless each
    way through the verb ends in an answer that is no thing, and nothing `is_replaced`."""
    if node.returns is None:
        return None
    type = written_type(world, node.returns)
    if isinstance(type, BadType):
        return None
    is_sure = isinstance(type, IntType | FlagType | EnumType) and not is_replaced and _always_answers(node.body)
    kept = type if is_sure or isinstance(type, SetType) else type.or_none()
    state = world.state(f"answer of {node.name.text}", None, (), kept, builtin=True, scratch=True)
    world.states[state] = attrs.evolve(world.states[state], initial=_nothing(kept))
    return VerbAnswer(state, kept)


def _always_answers(body: tuple[nodes.Statement, ...]) -> bool:
    match body[-1] if body else None:
        case nodes.ReturnStatement(value=value):
            return value is not None
        case nodes.IfStatement(branches=branches, otherwise=otherwise):
            return all(_always_answers(branch.body) for branch in branches) and _always_answers(otherwise or ())
        case _:  # after any other statement the verb comes to its end
            return False


def _nothing(type: Type) -> ir.Const:
    return ir.Const(NONE if type.optional else first_of(type))


def _answer_of(world: World, value: nodes.Expression) -> VerbAnswer | None:
    """Returns the answer of the verb that an expression calls, if it calls one that has an answer."""
    name = value.function if isinstance(value, nodes.CallExpression) else value
    meaning = world.globals.get(name.text) if isinstance(name, nodes.NameExpression) else None
    return meaning.answer if isinstance(meaning, VerbName) else None


def answering(world: World, env: Env, value: nodes.Expression) -> bool:
    """Returns whether an expression is the call of a verb that returns an answer."""
    is_local = isinstance(value, nodes.NameExpression) and value.text in env.locals
    return not is_local and _answer_of(world, value) is not None


def forgotten_answer(world: World, call: nodes.Expression) -> list[ir.Statement]:
    """Returns the statement, of no line, behind a call that drops the verb's answer, if it has one."""
    answer = _answer_of(world, call)
    return [] if answer is None else [ir.Assign(ir.Place(answer.state, ()), "=", _nothing(answer.type))]


def taken_answer(world: World, env: Env, value: nodes.Expression) -> tuple[nodes.CallStatement, Env]:
    """Returns the call of a verb, and the scope behind it, in which ANSWER is what the verb has returned."""
    answer = _answer_of(world, value)
    assert answer is not None
    if env.simultaneous:
        help = "call it before, or work the answer out in a `value`"
        world.sink.report("E0409", "no verb answers while all act at once", value.span, help=help)
    call = nodes.CallStatement(value, span=value.span)
    return call, env.naming(ANSWER, Typed(ir.Read(answer.state, ()), answer.type))


def left_answer(world: World, env: Env, value: nodes.Expression | None, site: int) -> list[ir.Statement]:
    """Returns the statement that leaves the answer of `return e`; none for a plain `return`."""
    if value is None:
        return []
    if env.answer is None:
        help = "say what it answers: `to NAME(…) -> TYPE:`"
        world.sink.report("E0305", "nothing is answered here", value.span, help=help)
        return []
    dicey = attrs.evolve(env, dice=True, draws=DrawTarget(f"{env.name}.answer"))
    found = coerce(world, lower(world, dicey, value, env.answer.type), env.answer.type, value.span)
    return [ir.Assign(ir.Place(env.answer.state, ()), "=", found, site=site)]
