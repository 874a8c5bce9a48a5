"""Choices and actions: tree -> IR.

p chooses one of take, or pass     Ask(Choice(who=p, branches=(take(n), pass)))
p chooses kept in p.offer          a choice with one branch whose parameter is `kept`
p secretly chooses …               a choice of which nobody but p learns
each p in S secretly chooses …     one sealed choice; without `secretly`, a loop of plain ones
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, BadType, SetType, Type
from rulelang.ir.walk import rewrite
from rulelang.semantics.expressions import sets
from rulelang.semantics.expressions.lvalues import place_of
from rulelang.semantics.expressions.parameters import locals_in, lower_needs, lower_parameter_domain, parameters_of
from rulelang.semantics.expressions.templates import fields, template
from rulelang.semantics.names import seats
from rulelang.semantics.names.coercion import condition, lower_body, want
from rulelang.semantics.names.scope import ActionName, Env, Sealed, World
from rulelang.semantics.names.type_relations import BAD, join, name_of
from rulelang.semantics.names.type_syntax import written_type
from rulelang.semantics.statements.asked import is_asked_for
from rulelang.semantics.statements.clocks import declined_after, timed
from rulelang.syntax import nodes


@attrs.define
class Making:
    """A choice while it is lowered."""

    actor: ir.Variable
    env: Env
    """The scope of the options: the actor is bound, and dice are not allowed."""
    sealed: bool
    site: int
    private: bool = False
    branches: list[ir.Branch] = attrs.field(factory=list)
    chosen: ir.Variable | None = None
    """The new name for the chosen value, if the chooser may decline."""


def lower_choose(world: World, env: Env, node: nodes.ChooseStatement, site: int) -> tuple[list[ir.Statement], Env]:
    """Lowers a choice; returns its statements, and the scope after it with the name for the chosen value, if any."""
    if env.simultaneous:
        world.sink.report("E0409", "nothing can be chosen inside `simultaneously`", node.span)
        return [], env
    chooser = node.chooser
    if chooser.each is not None and chooser.secretly:
        return _secretly(world, env, node, site), env
    if chooser.each is not None:
        return _each(world, env, node, site), env
    assert chooser.who is not None
    who = want(world, env, chooser.who, world.player, "only a player chooses")
    seats.warn_empty(world, env, (who,), "nobody can choose there", chooser.who.span)
    actor, inner = _actor(world, env, chooser.who)
    making = Making(actor, inner, False, site, chooser.secretly)
    after = _fill(world, env, node, making)
    if after is None:
        return [], env
    choice = _finish_choice(world, env, node, making, who=who, empty="error")
    _warn_empty(world, env, node, world.choices[choice])
    return [ir.Ask(choice, site=site)], after


def _actor(world: World, env: Env, who: nodes.Expression) -> tuple[ir.Variable, Env]:
    """Binds the chooser under its own name if it has one (`p chooses`), else under a new one."""
    name = who.text if isinstance(who, nodes.NameExpression) and who.text in env.locals else "chooser"
    actor = world.variable(name, world.player)
    if name == "chooser":
        return actor, env
    return actor, env.bind(actor)


def _each_of(
    world: World, env: Env, node: nodes.ChooseStatement
) -> tuple[ir.Variable, ir.Source, ir.Expr | None, Env] | None:
    """Lowers `each p in S [if c]` to the name, its source, the condition, and the scope inside; None after a fault."""
    each = node.chooser.each
    assert each is not None
    domain = sets.source_of(world, env, each.domain)
    if domain is None:
        return None
    variable = world.variable(each.name.text, domain.element)
    world.note_local(each.name.span, domain.element)
    inner = env.bind(variable)
    test = condition(world, inner, node.chooser.condition) if node.chooser.condition is not None else None
    return variable, domain.source, test, inner


def _each(world: World, env: Env, node: nodes.ChooseStatement, site: int) -> list[ir.Statement]:
    found = _each_of(world, env, node)
    if found is None:
        return []
    variable, source, test, inner = found
    assert node.chooser.each is not None
    name = node.chooser.each.name
    who = nodes.NameExpression(name.text, span=name.span)
    one = attrs.evolve(node, chooser=nodes.ChooserNode(who=who, openly=node.chooser.openly, span=node.chooser.span))
    loop = world.loop()
    around = attrs.evolve(inner, loops=(*inner.loops, (loop, len(inner.bodies))))
    keys = sets.keys_of(world, inner, node.chooser.keys, sets.Ordered(env, (variable,), (variable.type,)))
    body, _ = lower_choose(world, around, one, site)
    return [ir.Loop(loop, variable, source, keys, test, tuple(body), site=site)]


def _secretly(world: World, env: Env, node: nodes.ChooseStatement, site: int) -> list[ir.Statement]:
    found = _each_of(world, env, node)
    if found is None:
        return []
    variable, source, test, _ = found
    for key in node.chooser.keys[:1]:
        message = "who choose in secret are all asked at once, in no order"
        world.sink.report("E0305", message, key.span, help="leave the order out, or `secretly`")
    actor = world.variable(variable.name, world.player)
    making = Making(actor, attrs.evolve(env.bind(actor), loops=()), True, site)
    if _fill(world, env, node, making) is None:
        return []
    choice = _finish_choice(world, env, node, making, variable=variable, source=source, condition=test, empty="error")
    return [ir.Ask(choice, site=site)]


def _fill(world: World, env: Env, node: nodes.ChooseStatement, making: Making) -> Env | None:
    """Adds the branches; returns the scope after the choice, None after a fault."""
    after = env
    if node.domain is not None and node.target is not None:
        named = _value_branch(world, env, node, making)
        if named is None:
            return None
        after = named
    in_place = [(o.name, world.site("option", o.span, o.cites)) for o in node.options if _names_action(world, o)]
    for ident, site in (*((name, making.site) for name in node.actions), *in_place):
        meaning = world.globals.get(ident.text)
        if isinstance(meaning, ActionName):
            making.branches.append(_action_branch(world, making, meaning, site))
            for other in world.beside.get(ident.text, ()):
                if all(branch.rule != other.rule for branch in making.branches):
                    making.branches.append(_action_branch(world, making, other))
        else:
            actions = [n for n, m in world.globals.items() if isinstance(m, ActionName)]
            world.unknown(ident.text, ident.span, "no action", actions)
    for option in (o for o in node.options if not _names_action(world, o)):
        making.branches.append(_option_branch(world, making, option))
    if node.decline is not None:
        making.branches.append(_decline_branch(world, env, node, making))
    if not (making.sealed or making.private):
        for action in _interrupts(world):
            making.branches.append(attrs.evolve(_action_branch(world, making, action), interrupt=True))
        if env.clock is not None:
            making.branches = [timed(world, env, making.env, branch) for branch in making.branches]
    return after


def _names_action(world: World, option: nodes.OptionNode) -> bool:
    """Returns whether an option in place is only the name of an action, so that it is that action."""
    alone = not (option.parameters or option.label or option.needs or option.body)
    return alone and isinstance(world.globals.get(option.name.text), ActionName)


def _interrupts(world: World) -> list[ActionName]:
    return [m for m in world.globals.values() if isinstance(m, ActionName) and m.node.when in ("time", "choice")]


def _finish_choice(
    world: World,
    env: Env,
    node: nodes.ChooseStatement,
    making: Making,
    *,
    empty: ir.Impasse,
    who: ir.Expr | None = None,
    variable: ir.Variable | None = None,
    source: ir.Source | None = None,
    condition: ir.Expr | None = None,
) -> int:
    when_none: tuple[ir.Statement, ...] = ()
    if node.domain is not None and node.target is not None and making.branches:
        none = _none_body(world, making.branches[0])
        if none is not None and not node.never_empty and _may_be_none(world, env, node):
            empty, when_none = "none", none
    ordinal = 1 + sum(1 for c in world.choices if c.name.startswith(f"{env.name}#"))
    choice = ir.Choice(
        id=len(world.choices),
        who=who,
        variable=variable,
        source=source,
        condition=condition,
        sealed=making.sealed,
        private=making.private,
        branches=tuple(making.branches),
        prompt=template(world, making.env, node.prompt),
        empty=empty,
        when_none=when_none,
        forced=False,
        rule=env.rule,
        site=making.site,
        actor=making.actor,
        name=f"{env.name}#{ordinal}",
        clock=env.clock[0].id if env.clock is not None and not (making.sealed or making.private) else None,
        seconds=declined_after(world, env, node),
    )
    world.choices.append(choice)
    if node.chooser.openly:
        world.openly.add(choice.id)
    return choice.id


def _warn_empty(world: World, env: Env, node: nodes.ChooseStatement, choice: ir.Choice) -> None:
    """Warns of `p chooses x in S` if S may be empty and no condition around the choice tests that."""
    if (
        node.never_empty
        or choice.empty != "error"
        or len(choice.branches) != 1
        or choice.branches[0].declines
        or node.domain is None
    ):
        return
    parameter = choice.branches[0].parameters[0]
    domain = _seen_from_outside(choice, parameter.domain.pile or parameter.domain.mask)
    known = _body_of_value(world, domain) if isinstance(domain, ir.CallValue) else domain
    some = isinstance(known, ir.Const) and known.value
    may_be_none = isinstance(parameter.low, ir.Const) and parameter.low.value == 0
    if some or may_be_none or (domain is not None and is_asked_for(domain, (*env.guards, *env.facts))):
        return
    world.sink.report(
        "W0501",
        "this choice may have no option",
        node.domain.span,
        "this may be empty",
        help="ask first (`if S != {}:`), or let the chooser decline: `, or pass`; if you know better, say `, never empty`",
    )


def _body_of_value(world: World, call: ir.CallValue) -> ir.Expr | None:
    """Returns the expression of a value that has a single unconditional case."""
    lowered = world.values[call.value].lowered
    cases = lowered.cases if lowered is not None else ()
    return cases[0].value if len(cases) == 1 and cases[0].condition is None else None


def _seen_from_outside(choice: ir.Choice, domain: ir.Expr | None) -> ir.Expr | None:
    """Returns the domain in terms of the locals around the choice, in place of the actor."""

    def change(node: object) -> object:
        own = choice.actor is not None and node == ir.Local(choice.actor.id)
        return choice.who if own else node

    return rewrite(domain, change) if domain is not None else None


def _may_be_none(world: World, env: Env, node: nodes.ChooseStatement) -> bool:
    if node.decline is not None or node.domain is None or node.domain.quantity is not None:
        return False
    if isinstance(node.target, nodes.NameExpression) and node.target.text not in world.globals:
        return False
    assert node.target is not None
    with world.quiet():
        found = place_of(world, env, node.target)
    return found is not None and found[1].optional


def _none_body(world: World, branch: ir.Branch) -> tuple[ir.Statement, ...] | None:
    places = [s.place for s in branch.body if isinstance(s, ir.Assign)]
    if not places:
        return None
    return (ir.Assign(places[0], "=", ir.Const(NONE)),)


# ------------------------------------------------------------------ branches


def _body_of(
    rule: int,
    arguments: tuple[ir.Expr, ...],
    body: tuple[ir.Statement, ...],
    site: int,
    around: tuple[ir.Variable, ...] = (),
) -> tuple[ir.Statement, ...]:
    last = body[-1] if body else None
    end: tuple[ir.Statement, ...] = () if isinstance(last, ir.Stop | ir.Return) else (ir.EndBody(rule, site=site),)
    return (ir.BeginBody(rule, arguments, _locals(around), site=site), *body, *end)


def _locals(variables: tuple[ir.Variable, ...]) -> tuple[ir.Expr, ...]:
    return tuple(ir.Local(v.id) for v in variables)


def _value_branch(world: World, env: Env, node: nodes.ChooseStatement, making: Making) -> Env | None:
    """Lowers `p chooses x in DOMAIN`: x is a new local, or a variable of the game."""
    assert node.domain is not None
    assert node.target is not None
    target, domain = node.target, node.domain
    is_local = isinstance(target, nodes.NameExpression) and target.text not in world.globals
    place: tuple[ir.Place, Type] | None = None
    inner = making.env
    if not is_local:
        place = place_of(world, making.env, target)
        if place is None:
            return None
        if making.sealed:
            probe = world.variable("candidate", place[1])
            inner = attrs.evolve(
                inner, sealed=Sealed(ir.Local(making.actor.id), ((place[0].state, ir.Local(probe.id)),))
            )
    parameter = lower_parameter_domain(world, inner, domain, _name_of(target))
    if parameter is None:
        return None
    if place is not None and making.sealed:
        # The domain may go beyond what the variable holds.
        type = join(place[1], parameter.variable.type) or place[1]
        parameter = attrs.evolve(parameter, variable=attrs.evolve(probe, name=_name_of(target), type=type))
    assign: tuple[ir.Statement, ...] = ()
    if place is not None:
        assign = (ir.Assign(place[0], "=", ir.Local(parameter.variable.id), site=making.site),)
    chosen = parameter.variable
    if is_local and node.decline == "pass" and not making.sealed:
        # After a pass nothing is chosen, so the name may be `none` afterwards.
        making.chosen = chosen = world.variable(chosen.name, _or_nothing(chosen.type))
        assign = (ir.Bind(chosen, ir.Local(parameter.variable.id), site=making.site),)
    if is_local:
        world.note_local(target.span, chosen.type)
    shown = (making.actor, parameter.variable)
    rule = world.rule(_name_of(target), "choice", shown, None, node.cites, node.span)
    body = _body_of(rule, _locals(shown), assign, making.site)
    making.branches.append(ir.Branch("value", rule, (parameter,), (), body, making.site))
    return env.bind(chosen) if is_local else env


def _or_nothing(type: Type) -> Type:
    """Returns a type that has a value for "nothing was chosen": the optional type, or a set's own."""
    return type if isinstance(type, SetType) else type.or_none()


def _name_of(target: nodes.Expression) -> str:
    return (
        target.text
        if isinstance(target, nodes.NameExpression)
        else target.name.text
        if isinstance(target, nodes.AttributeExpression)
        else "value"
    )


def _sealed_writes(
    world: World, making: Making, body: tuple[nodes.Statement, ...], actor: str, parameters: tuple[ir.Parameter, ...]
) -> Sealed | None:
    """Returns the chooser's own variables that the body of a sealed option sets to a parameter; they are under seal
    until all have chosen.
    """
    if not making.sealed:
        return None
    by_name = {p.variable.name: p.variable for p in parameters}
    found = []
    for statement in body:
        if not isinstance(statement, nodes.AssignStatement) or not isinstance(
            statement.target, nodes.AttributeExpression
        ):
            continue
        target, value = statement.target, statement.value
        state = world.owned.get(("Player", target.name.text))
        own = isinstance(target.of, nodes.NameExpression) and target.of.text == actor
        if (
            own
            and isinstance(value, nodes.NameExpression)
            and value.text in by_name
            and state is not None
            and hasattr(state, "id")
        ):
            found.append((state.id, ir.Local(by_name[value.text].id)))
    return Sealed(ir.Local(making.actor.id), tuple(found))


def _action_branch(world: World, making: Making, action: ActionName, place: int | None = None) -> ir.Branch:
    """Lowers an action to a branch: its needs are tested here, its body is the action's own procedure."""
    node = action.node
    actor_name = node.parameters[0].name.text if node.parameters else "p"
    actor = attrs.evolve(making.actor, name=actor_name)
    env = Env(locals={actor_name: actor}, name=node.name.text)
    parameters, env = parameters_of(world, env, node.parameters[1:])
    env = attrs.evolve(env, sealed=_sealed_writes(world, making, node.body, actor_name, parameters))
    if node.when is not None and env.sealed is not None:
        env = attrs.evolve(env, sealed=None)
    needs = lower_needs(world, env, node.needs, parameters)
    arguments = (ir.Local(actor.id), *_locals(tuple(p.variable for p in parameters)))
    place = making.site if place is None else place
    call = ir.Call(action.procedure, arguments, site=place)
    body = _body_of(action.rule, arguments, (call,), place)
    site = world.site("action", node.span, node.cites)
    return ir.Branch(node.name.text, action.rule, parameters, needs, body, site)


def _option_branch(world: World, making: Making, option: nodes.OptionNode) -> ir.Branch:
    parameters, env = parameters_of(world, making.env, option.parameters)
    actor_name = making.actor.name
    env = attrs.evolve(env, sealed=_sealed_writes(world, making, option.body, actor_name, parameters))
    needs = lower_needs(world, env, option.needs, parameters)
    shown = (making.actor, *(p.variable for p in parameters))
    words = (
        template(world, env, option.label),
        template(world, env, option.told),
        fields(world, env, option.shows),
    )
    heard = locals_in(words) - {variable.id for variable in shown}
    around = {v.id: v for v in env.locals.values() if v.id in heard}
    own = {v.id: world.variable(v.name, v.type) for v in around.values()}
    label, told, shows = rewrite(words, lambda node: ir.Local(own[node.id].id) if _is_one_of(node, own) else node)
    names = tuple(own.values())
    rule = world.rule(
        option.name.text, "option", shown, label, option.cites, option.span, names, told=told, shows=shows
    )
    inner = attrs.evolve(env, bodies=(*env.bodies, rule), rule=rule, sealed=None)
    site = world.site("option", option.span, option.cites)
    body = _body_of(rule, _locals(shown), lower_body(world, inner, option.body), site, tuple(around.values()))
    return ir.Branch(option.name.text, rule, parameters, needs, body, site)


def _is_one_of(node: object, locals: Mapping[int, ir.Variable]) -> bool:
    return isinstance(node, ir.Local) and node.id in locals


def _decline_branch(world: World, env: Env, node: nodes.ChooseStatement, making: Making) -> ir.Branch:
    word = node.decline or "pass"
    rule = world.rule(word, "decline", (making.actor,), None, (), node.span)
    body: tuple[ir.Statement, ...] = ()
    if making.chosen is not None:
        nothing = 0 if isinstance(making.chosen.type, SetType) else NONE
        body = (ir.Bind(making.chosen, ir.Const(nothing), site=making.site),)
    if word == "stop":
        if not env.loops:
            world.sink.report("E0408", "`or stop` stands only inside a loop", node.span)
        else:
            loop, bodies = env.loops[-1]
            leaving = tuple(ir.EndBody(r, site=making.site) for r in (*env.bodies[bodies:], rule)[::-1])
            body = (*leaving, ir.Stop(loop, site=making.site))
    whole = _body_of(rule, (ir.Local(making.actor.id),), body, making.site)
    return ir.Branch(word, rule, (), (), whole, making.site, declines=True)


HEAD = "head of an action"
"""The sort of the passages in which the heads of actions are lowered."""


def lower_action_heads(world: World) -> None:
    """Lowers every action's parameters and adds its rule, once all names are known."""
    for name, action in world.globals.items():
        if isinstance(action, ActionName):
            with world.passing((HEAD, name)):
                lower_action_head(world, action)


def lower_action_head(world: World, action: ActionName) -> None:
    """Lowers an action's parameters and adds its rule."""
    node, name = action.node, action.node.name.text
    if not node.parameters:
        world.sink.report("E0208", f"`{name}` does not say who acts", node.name.span, help=f"`action {name}(p)`")
    else:
        _warn_actor(world, node.parameters[0])
        world.note_local(node.parameters[0].name.span, world.player)
    actor = world.variable(node.parameters[0].name.text if node.parameters else "p", world.player)
    env = Env(name=name).bind(actor)
    with world.quiet():  # `lower_action_body` reports the faults of the parameters
        parameters, env = parameters_of(world, env, node.parameters[1:])
    action.parameters = (actor, *(p.variable for p in parameters))
    label, told = template(world, env, node.label), template(world, env, node.told)
    shows = fields(world, env, node.shows)
    action.rule = world.rule(name, "action", action.parameters, label, node.cites, node.span, told=told, shows=shows)


def _warn_actor(world: World, node: nodes.ParameterNode) -> None:
    """Warns if the first parameter of an action looks like something to choose."""
    name = node.name.text
    type = world.parameter_types.get(name, BAD) if node.type is None else written_type(world, node.type)
    if node.domain is not None:
        message = f"`{name}` is who acts, and is not chosen here"
    elif not isinstance(type, BadType) and type.certain() != world.player:
        message = f"`{name}` is who acts, a Player, not a value of {name_of(type)}"
    else:
        return
    help_ = "put who acts in front: `action NAME(p, …)`"
    world.sink.report("W0515", message, node.span, "the first parameter", help=help_)


def lower_action_body(world: World, action: ActionName) -> None:
    """Lowers an action's body as a procedure of its own; also checks its head and needs, even if no choice offers it."""
    head = Env(name=action.node.name.text).bind(action.parameters[0])
    parameters, head = parameters_of(world, head, action.node.parameters[1:])
    needs = lower_needs(world, head, action.node.needs, parameters)
    names = {v.name: v for v in action.parameters}
    env = Env(locals=names, rule=action.rule, name=action.node.name.text)
    env = attrs.evolve(env, guards=tuple(need.condition for need in needs)).knowing(*(n.condition for n in needs))
    body = lower_body(world, env, action.node.body)
    world.add_procedure(ir.Procedure(action.procedure, action.node.name.text, action.parameters, body, None))
