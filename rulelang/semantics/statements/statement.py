"""Statements: tree -> IR.

move 2 of bonuses to p.offer     Move(what=Source(pile=bonuses), count=2, to=offer(p))
p.fuel -= n, at least 0          Assign(fuel(p), "+", neg n, least=0)
stop                             EndBody for each body of a choice that it leaves, then Stop(loop)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rulelang.diagnostics.foreign_names import MEMBERS
from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import BadType, IntType, KindType, NoneType, SetType, Type
from rulelang.semantics.expressions import sets
from rulelang.semantics.expressions.draws import target_of
from rulelang.semantics.expressions.lvalues import place_of
from rulelang.semantics.names import seats
from rulelang.semantics.names.coercion import (
    arguments_of,
    coerce,
    condition,
    demand_number,
    lower,
    lower_body,
    number_of,
    want,
)
from rulelang.semantics.names.negatives import bind_member
from rulelang.semantics.names.scope import BUILTIN_CHANGES, ActionName, DrawTarget, Env, VerbName, World, ZoneName
from rulelang.semantics.names.type_relations import BAD, Typed, fits, name_of
from rulelang.semantics.statements import choices, ordering, turns
from rulelang.semantics.statements.answers import ANSWER, answering, forgotten_answer, left_answer, taken_answer
from rulelang.semantics.statements.clocks import lower_against
from rulelang.source import Span
from rulelang.syntax import nodes

MOST_BRANCHES = 2000
"""The most branches of an `if`."""
LEAVING = (ir.Stop, ir.Return, ir.Finish)
"""Statements after which a block does not continue."""


def lower_statements(world: World, env: Env, body: Iterable[nodes.Statement]) -> tuple[ir.Statement, ...]:
    """Lowers statements in order; the name of a `let` or a choice is in scope in those after it."""
    lowered: list[ir.Statement] = []
    for node in body:
        statements, env = lower_statement(world, env, node)
        lowered.extend(statements)
    return tuple(lowered)


def lower_statement(world: World, env: Env, node: nodes.Statement) -> tuple[list[ir.Statement], Env]:
    """Lowers one statement; returns its IR, and the scope after it."""
    site = world.site("statement", node.span, node.cites)
    match node:
        case nodes.LetStatement(value=value) | nodes.AssignStatement(value=value) if answering(world, env, value):
            call, inner = taken_answer(world, env, value)
            simple = attrs.evolve(node, value=nodes.NameExpression(ANSWER, span=value.span))
            rest, after = lower_statement(world, inner, simple)
            return [*_call(world, env, call, site), *rest, *forgotten_answer(world, value)], after
        case nodes.LetStatement():
            return _let(world, env, node, site)
        case nodes.ChooseStatement():
            return choices.lower_choose(world, env, node, site)
        case nodes.AssignStatement():
            return _assign(world, env, node, site), env
        case nodes.MoveStatement():
            return _move(world, env, node, site), env
        case nodes.CallStatement():
            return [*_call(world, env, node, site), *forgotten_answer(world, node.call)], env
        case nodes.IfStatement():
            return _if(world, env, node, site)
        case nodes.ForStatement():
            return _for(world, env, node, site), env
        case nodes.RepeatStatement():
            return _repeat(world, env, node, site), env
        case nodes.TurnsStatement():
            return turns.lower_turns(world, env, node, site), env
        case nodes.FinishStatement():
            return _finish(world, env, node, site), env
        case nodes.StopStatement():
            return _stop(world, env, node, site), env
        case nodes.ReturnStatement(value=value):
            return [*left_answer(world, env, value, site), *_leave(env.bodies, site), ir.Return(site=site)], env
        case nodes.SettleStatement():
            return [ir.Settle(site=site)], env
        case nodes.ProceedStatement():
            if not env.instead:
                world.sink.report("E0408", "`proceed` stands only inside `instead of`", node.span)
            return [ir.Proceed(site=site)], env
        case nodes.AgainstStatement():
            return lower_against(world, env, node, site), env
        case _:  # the parser makes no other statement
            raise AssertionError(node)


def _leave(rules: tuple[int, ...], site: int) -> list[ir.Statement]:
    return [ir.EndBody(rule, site=site) for rule in reversed(rules)]


# ------------------------------------------------------------------ names and numbers


def _clamps(
    world: World, env: Env, clamps: tuple[nodes.ClampNode, ...], type: Type
) -> tuple[ir.Expr | None, ir.Expr | None, tuple[int | None, int | None]]:
    """Lowers the clamps of a value of a type; reports those of anything but a number."""
    demand_number(world, clamps, type)
    least = most = None
    low = high = None
    for clamp in clamps:
        value = number_of(world, env, clamp.value)
        if clamp.least:
            least, low = value.ir, value.type.low if isinstance(value.type, IntType) else None
        else:
            most, high = value.ir, value.type.high if isinstance(value.type, IntType) else None
    return least, most, (low, high)


def _let(world: World, env: Env, node: nodes.LetStatement, site: int) -> tuple[list[ir.Statement], Env]:
    value = lower(world, attrs.evolve(env, dice=True, draws=DrawTarget(f"{env.name}.{node.name.text}")), node.value)
    least, most, (low, high) = _clamps(world, env, node.clamps, value.type)
    sets.hides(world, env, node.name)
    if node.name.text in env.locals:
        world.sink.report(
            "E0202", f"`{node.name.text}` is in use here already", node.name.span, "names are not reassigned"
        )
    type = value.type
    if isinstance(type, IntType):
        type = attrs.evolve(
            type,
            low=max(type.low, low) if low is not None else type.low,
            high=max(type.low, min(type.high, high)) if high is not None else type.high,
        )
        type = attrs.evolve(type, high=max(type.low, type.high))
    if value.row is not None:
        world.sink.report("E0305", "a data row is read at once: `let cost = route(…).cost`", node.value.span)
        return [], env
    world.note_local(node.name.span, type)
    variable = world.variable(node.name.text, type)
    return [ir.Bind(variable, value.ir, least, most, site=site)], env.bind(variable)


def _assign(world: World, env: Env, node: nodes.AssignStatement, site: int) -> list[ir.Statement]:
    found = place_of(world, env, node.target)
    dicey = attrs.evolve(env, dice=True)
    if found is None:
        lower(world, dicey, node.value)
        return []
    place, type = found
    dicey = attrs.evolve(dicey, draws=target_of(world, world.states[place.state]))
    seats.warn_empty(world, env, place.index, "no player has this variable", node.target.span)
    least, most, (low, high) = _clamps(world, env, node.clamps, type)
    if node.operator == "=":
        result = lower(world, dicey, node.value, type)
        value = coerce(world, result, type, node.value.span)
        if not type.optional and not isinstance(type, SetType):
            seats.warn_empty(world, env, (value,), f"`none` does not fit into {name_of(type)}", node.value.span)
        _refuse_range(world, result, type, node, low, high)
        return [ir.Assign(place, "=", value, least, most, site=site)]
    if isinstance(type, SetType):
        result = lower(world, dicey, node.value, type)
        other = coerce(world, result, type, node.value.span)
        name: ir.SetOperator = "union" if node.operator == "+=" else "minus"
        return [ir.Assign(place, "=", ir.Op(name, (ir.Read(place.state, place.index), other)), site=site)]
    if not isinstance(type, IntType):
        world.sink.report("E0302", f"only numbers and sets go up and down, this is {name_of(type)}", node.target.span)
        return []
    amount = number_of(world, dicey, node.value).ir
    if node.operator == "-=":
        amount = ir.Const(-amount.value) if isinstance(amount, ir.Const) else ir.Op("neg", (amount,))
    return [ir.Assign(place, "+", amount, least, most, site=site)]


def _refuse_range(
    world: World, value: Typed, type: Type, node: nodes.AssignStatement, low: int | None, high: int | None
) -> None:
    """Reports a number that never fits; the check of ranges warns of one that may not fit."""
    if not isinstance(type, IntType) or not isinstance(value.type, IntType):
        return
    bottom = value.type.low if low is None else max(value.type.low, low)
    top = value.type.high if high is None else min(value.type.high, high)
    if bottom > type.high or top < type.low:
        world.sink.report(
            "E0316", f"{name_of(value.type)} never fits into {name_of(type)}", node.value.span, name_of(value.type)
        )


# ------------------------------------------------------------------ moving things


def _move(world: World, env: Env, node: nodes.MoveStatement, site: int) -> list[ir.Statement]:
    target = _zone_target(world, env, node.to)
    there = world.zones[target.zone[0]] if target is not None and target.zone is not None else None
    dicey = attrs.evolve(
        env, dice=True, draws=DrawTarget(f"{env.name} to box") if there is None else target_of(world, there)
    )
    if target is not None and target.zone is not None:
        seats.warn_empty(world, env, target.zone[1], "nothing can lie there", node.to.span)
    source, element = _what_moves(world, dicey, node)
    if source is None or target is None:
        return []
    if isinstance(element, NoneType):
        return []
    kind = target.kind if target.zone is not None else getattr(element, "name", None)
    if not isinstance(element, KindType) or element.name != kind:
        world.sink.report(
            "E0309",
            f"{name_of(element)} does not go into a zone of {kind}",
            node.span,
            labels=(Label(node.what.span, name_of(element)), Label(node.to.span, f"holds {kind}")),
        )
        return []
    if element.name not in world.boxes:
        if world.is_whole:
            world.sink.report("E0309", f"{element.name} cannot be moved", node.what.span, "no zone holds such things")
        return []
    count = None
    if node.what.quantity is not None:
        low, high = node.what.quantity.low, node.what.quantity.high
        if low is None or high is None or (low is not high and low != high):
            world.sink.report("E0305", "`move` takes all, or `n of`", node.what.span, "somebody has to choose first")
            return []
        count = number_of(world, dicey, high).ir
    to = ir.Target(world.boxes[element.name], ()) if target.zone is None else ir.Target(*target.zone)
    if node.end is not None and world.zones[to.zone].form != "pile":
        world.sink.report("E0309", f"only a pile has a {node.end}", node.to.span)
    return [ir.Move(world.kind_ids[element.name], source, count, to, node.end, site=site)]


@attrs.frozen
class _ZoneTarget:
    zone: tuple[int, tuple[ir.Expr, ...]] | None
    """The zone and its index; None stands for the box."""
    kind: str


def _zone_target(world: World, env: Env, node: nodes.Expression) -> _ZoneTarget | None:
    if isinstance(node, nodes.NameExpression) and node.text == "box" and "box" not in env.locals:
        return _ZoneTarget(None, "")
    value = lower(world, env, node)
    if isinstance(value.type, BadType):
        return None
    if value.zone is None:
        zones = [n for n, m in world.globals.items() if isinstance(m, ZoneName)]
        near = world.sink.near(node.text, zones) if isinstance(node, nodes.NameExpression) else None
        world.sink.report(
            "E0309",
            "things move to a zone",
            node.span,
            f"this is {name_of(value.type)}",
            help=f"did you mean `{near}`?" if near else None,
        )
        return None
    return _ZoneTarget(value.zone, world.kinds[world.zones[value.zone[0]].kind].name)


def _what_moves(world: World, env: Env, node: nodes.MoveStatement) -> tuple[ir.Source | None, Type]:
    value = lower(world, env, node.what.of)
    if isinstance(value.type, BadType):
        return None, value.type
    if isinstance(value.type, NoneType):
        world.sink.report("E0309", "things are moved, found none", node.what.span, "nothing moves")
        return None, value.type
    if isinstance(value.type, SetType):
        domain = sets.source_of(world, env, node.what.of) if not _random_inside(value.ir) else None
        if domain is not None:
            return domain.source, domain.element
        return ir.Source(value.ir), value.type.element
    return ir.Source(ir.Op("single", (value.ir,))), value.type.certain()


def _random_inside(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Pick)


# ------------------------------------------------------------------ verbs


def _call(world: World, env: Env, node: nodes.CallStatement, site: int) -> list[ir.Statement]:
    call = node.call
    name, arguments, span = _callee(call)
    if name is None:
        said = call.function if isinstance(call, nodes.CallExpression) else call
        help = MEMBERS.get(said.name.text) if isinstance(said, nodes.AttributeExpression) else None
        world.sink.report(
            "E0305", "this line does nothing", node.span, "a value is worked out and forgotten", help=help
        )
        return []
    meaning = world.globals.get(name)
    if name in BUILTIN_CHANGES and name != "eliminate":
        return _builtin_change(world, env, name, arguments, span, site)
    if name == "eliminate":
        meaning = world.eliminate
    if isinstance(meaning, VerbName):
        dicey = attrs.evolve(env, dice=True)
        dicey = attrs.evolve(dicey, draws=DrawTarget(f"{name}()"))
        lowered = arguments_of(world, dicey, arguments, tuple(v.type for v in meaning.parameters), name, span)
        if lowered is None:
            return []
        seats.warn_empty(world, env, tuple(a.ir for a in lowered), f"`{name}` needs a player in the game", span)
        return [ir.Call(meaning.procedure, tuple(a.ir for a in lowered), site=site)]
    if isinstance(meaning, ActionName):
        world.sink.report(
            "E0210", f"`{name}` is an action: it is chosen, not called", span, help=f"`p chooses one of {name}`"
        )
        return []
    if meaning is not None or name in env.locals:
        world.sink.report("E0305", "this line does nothing", node.span, f"`{name}` is a value, not something to do")
        return []
    verbs = [n for n, m in world.globals.items() if isinstance(m, VerbName)]
    world.unknown(name, span, "no verb", sorted([*verbs, *BUILTIN_CHANGES]))
    return []


def _callee(call: nodes.Expression) -> tuple[str | None, tuple[nodes.Expression, ...], Span]:
    if isinstance(call, nodes.CallExpression) and isinstance(call.function, nodes.NameExpression):
        return call.function.text, call.arguments, call.function.span
    if isinstance(call, nodes.NameExpression):
        return call.text, (), call.span
    return None, (), call.span


def _builtin_change(
    world: World, env: Env, name: str, arguments: tuple[nodes.Expression, ...], span: Span, site: int
) -> list[ir.Statement]:
    wanted = 2 if name == "show" else 1
    if len(arguments) != wanted:
        world.sink.report("E0207", f"`{name}` takes {wanted} arguments, found {len(arguments)}", span)
        return []
    if name in {"extra_turn", "skip_turn"}:
        player = want(world, env, arguments[0], world.player)
        seats.warn_empty(world, env, (player,), "nobody has a turn there", arguments[0].span)
        return [ir.Assign(ir.Place(world.turn_states[name], (player,)), "+", ir.Const(1), site=site)]
    value = lower(world, env, arguments[0])
    if isinstance(value.type, BadType):
        return []
    if name == "shuffle":
        if value.zone is None or world.zones[value.zone[0]].form != "pile":
            world.sink.report("E0309", "only a pile can be shuffled", arguments[0].span, name_of(value.type))
            return []
        world.stream(f"shuffle {world.zones[value.zone[0]].name}")
        return [ir.Shuffle(*value.zone, site=site)]
    part = ir.WHOLE
    if name == "show" and isinstance(value.ir, ir.Column) and len(value.ir.of) == 1:
        part, value = value.ir.table, Typed(value.ir.of[0], _kind_printed(world, value.ir.table))
    element = value.type.element if isinstance(value.type, SetType) else value.type.certain()
    if not isinstance(element, KindType) or element.name not in world.boxes:
        help = "a part with a key is not shown by itself" if isinstance(value.ir, ir.Column) else None
        said = f"`{name}` takes things, found {name_of(value.type)}"
        world.sink.report("E0309", said, arguments[0].span, help=help)
        return []
    things = value.ir if isinstance(value.type, SetType) else ir.Op("single", (value.ir,))
    kind = world.kind_ids[element.name]
    if name == "reveal":
        return [ir.Reveal(kind, things, site=site)]
    who = coerce(world, lower(world, env, arguments[1]), SetType(world.player), arguments[1].span)
    return [ir.Show(kind, things, who, part, site=site)]


def _kind_printed(world: World, table: int) -> Type:
    """Returns the kind of the things on which an attribute is printed."""
    dimensions = world.tables[table].dimensions
    return dimensions[0] if dimensions else BAD


# ------------------------------------------------------------------ control


def _if(world: World, env: Env, node: nodes.IfStatement, site: int) -> tuple[list[ir.Statement], Env]:
    branches = []
    if len(node.branches) > MOST_BRANCHES:
        message = f"an `if` has at most {MOST_BRANCHES} branches, not {len(node.branches)}"
        world.sink.report("E0104", message, node.branches[MOST_BRANCHES].span, help="look it up in a table of `data`")
        return [], env
    after = env
    dicey = attrs.evolve(env, dice=True)
    for branch in node.branches:
        test = condition(world, dicey, branch.condition)
        at = world.site("branch", branch.span, branch.cites)
        # Conditions of earlier branches count as tested in later ones.
        env = attrs.evolve(env, guards=(*env.guards, test))
        branches.append((test, lower_body(world, env.knowing(test), branch.body), at))
        env = env.knowing(ir.Op("not", (test,)))
    otherwise = lower_body(world, env, node.otherwise) if node.otherwise is not None else ()
    if not otherwise and all(body and isinstance(body[-1], LEAVING) for _, body, _ in branches):
        after = after.knowing(*(ir.Op("not", (test,)) for test, _, _ in branches))
    return [ir.When(tuple(branches), otherwise, site=site)], after


def _for(
    world: World, env: Env, node: nodes.ForStatement, site: int, leaves: tuple[int, int] | None = None
) -> list[ir.Statement]:
    """Lowers a loop. `stop` in it leaves `leaves`, the outermost of several that stand in one line, or else the loop itself."""
    who = ordering.chooser_of(node.keys)
    if who is not None and not node.around:
        return ordering.lower_chosen_loop(world, env, node, who, site)
    around, node = _outermost(world, node)
    if around is not None:
        return _for_in(world, env, around, site, leaves, lambda inner: _for(world, inner, node, site, inner.loops[-1]))
    return _for_in(world, env, node, site, leaves, lambda inner: lower_body(world, inner, node.body))


def _outermost(world: World, node: nodes.ForStatement) -> tuple[nodes.ForStatement | None, nodes.ForStatement]:
    """Returns `for x in S if c:` of `for x in S if c, y in T if d:`, without a body, and the loops inside of it; None for a
    loop over one set."""
    if not node.around:
        return None, node
    if node.simultaneous or node.keys:
        what = "is simultaneous" if node.simultaneous else "has an order"
        help = f"write `for {node.around[0].name.text} in …:`, and the other loop below it"
        world.sink.report("E0305", f"only a loop over one set {what}", node.binder.span, help=help)
        node = attrs.evolve(node, simultaneous=False, keys=())
    first, *rest = node.around
    bare = attrs.evolve(first, condition=None)
    around = nodes.ForStatement(False, bare, (), first.condition, (), node.openly, cites=node.cites, span=node.span)
    return around, attrs.evolve(node, around=tuple(rest))


def _for_in(
    world: World,
    env: Env,
    node: nodes.ForStatement,
    site: int,
    leaves: tuple[int, int] | None,
    body_in: Callable[[Env], Iterable[ir.Statement]],
) -> list[ir.Statement]:
    domain = sets.source_of(world, env, node.binder.domain)
    if domain is None or isinstance(domain.element, NoneType):
        return []
    sets.hides(world, env, node.binder.name)
    variable, named = bind_member(world, env, node.binder.name.text, domain.element)
    world.note_local(node.binder.name.span, domain.element)
    id = world.loop()
    inner = attrs.evolve(named, loops=(*env.loops, leaves or (id, len(env.bodies))))
    keys = sets.keys_of(world, inner, node.keys, sets.Ordered(env, (variable,), (domain.element,)))
    test = condition(world, inner, node.condition) if node.condition is not None else None
    if node.simultaneous:
        inner = attrs.evolve(named, loops=(), simultaneous=True)
        return [ir.Simultaneous(variable, domain.source, test, tuple(body_in(inner)), site=site)]
    if test is not None:
        inner = attrs.evolve(inner, guards=(*inner.guards, test)).knowing(test)
    body = tuple(body_in(inner))
    if node.openly:
        test = ir.Openly(ir.Const(1) if test is None else test)
    return [ir.Loop(id, variable, domain.source, keys, test, body, site=site)]


def _repeat(world: World, env: Env, node: nodes.RepeatStatement, site: int) -> list[ir.Statement]:
    id = world.loop()
    dicey = attrs.evolve(env, dice=True)
    times = number_of(world, dicey, node.times).ir if node.times is not None else None
    test = condition(world, env, node.while_) if node.while_ is not None else None
    guards = (*env.guards, test) if test is not None else env.guards
    inner = attrs.evolve(env, loops=(*env.loops, (id, len(env.bodies))), guards=guards)
    inner = inner.knowing(test) if test is not None else inner
    return [ir.Repeat(id, test, times, lower_body(world, inner, node.body), site=site)]


def _stop(world: World, env: Env, node: nodes.StopStatement, site: int) -> list[ir.Statement]:
    if not env.loops:
        hint = "`return` leaves the verb" if not env.simultaneous else "a simultaneous pass cannot stop the others"
        world.sink.report("E0408", "`stop` stands only inside a loop", node.span, "no loop around this", help=hint)
        return []
    loop, bodies = env.loops[-1]
    return [*_leave(env.bodies[bodies:], site), ir.Stop(loop, site=site)]


def _finish(world: World, env: Env, node: nodes.FinishStatement, site: int) -> list[ir.Statement]:
    if node.how == "lost" or node.value is None:
        return [ir.Finish("lost", None, env.rule, site=site)]
    if node.how == "score":
        return [ir.Finish("score", number_of(world, env, node.value).ir, env.rule, site=site)]
    if node.how == "winner":
        value = want(world, env, node.value, SetType(world.player))
        won = value.arguments if isinstance(value, ir.Op) and value.name == "single" else ()
        seats.warn_empty(world, env, won, "nobody would win", node.value.span)
        return [ir.Finish("winner", value, env.rule, site=site)]
    assert isinstance(node.value, nodes.ComprehensionExpression)
    bound = sets.binders_of(world, env, node.value.binders)
    if bound is None:
        return []
    names, sources, inner = bound.names, bound.sources, bound.env
    if len(names) != 1 or not fits(names[0].type, world.player):
        world.sink.report("E0301", "a ranking takes players", node.value.span, "`ranking p in players by highest …`")
        return []
    test = condition(world, inner, node.value.condition) if node.value.condition is not None else None
    keys = sets.keys_of(world, inner, node.value.keys, sets.Ordered(env, names, bound.elements))
    return [ir.Finish("ranking", ir.Over("best", names, sources, None, test, keys), env.rule, site=site)]
