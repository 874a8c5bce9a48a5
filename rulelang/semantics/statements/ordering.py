"""Orders that somebody chooses: passes of a loop, hooks and standing rules that would apply at once.

for q in S in order chosen by p: BODY       while some are left: p chooses q among them, BODY
after hit(q) in order chosen by p as a: …   one hook: while some of a, b, … are left that apply, p chooses one of them

Nothing is asked where a single one is left, nor where the order cannot matter: each changes what no other one reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import IntType, NoneType, SetType
from rulelang.ir.walk import rewrite, walk
from rulelang.semantics.expressions import sets
from rulelang.semantics.names.coercion import condition, lower_body, want
from rulelang.semantics.names.negatives import bind_member, refused
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.statements.choices import lower_choose
from rulelang.source import Span
from rulelang.syntax import nodes

MOST_AT_ONCE = 64
"""The most hooks of a verb, or standing rules, that somebody puts in order."""


def chooser_of(keys: tuple[nodes.KeyNode, ...]) -> nodes.Expression | None:
    """Returns who chooses an order, if somebody does."""
    return next((key.value for key in keys if key.chosen), None)


# ------------------------------------------------------------------ passes of a loop


def lower_chosen_loop(
    world: World, env: Env, node: nodes.ForStatement, who: nodes.Expression, site: int
) -> list[ir.Statement]:
    """Lowers `for x in S in order chosen by p if c:`."""
    found = sets.source_of(world, env, node.binder.domain)
    if found is None or isinstance(found.element, NoneType):
        return []
    if node.simultaneous or refused(world, found.element, node.binder.domain.span, "what is chosen begins"):
        if node.simultaneous:
            world.sink.report("E0305", "simultaneous passes have no order", who.span, help="leave `simultaneously` out")
        return []
    text, span = node.binder.name.text, node.binder.span
    left = world.variable(f"{text}s left", SetType(found.element))
    rest = world.variable(f"{text}s next", SetType(found.element))
    loop = world.loop()
    around = attrs.evolve(env.bind(left).bind(rest), loops=(*env.loops, (loop, len(env.bodies))))
    variable, named = bind_member(world, env, text, found.element)
    test = condition(world, named, node.condition) if node.condition is not None else None
    among = ir.Over("set", (variable,), (ir.Source(ir.Local(left.id)),), ir.Local(variable.id), test)
    domain = nodes.DomainNode(None, nodes.NameExpression(rest.name, span=span), span=span)
    target = nodes.NameExpression(text, span=node.binder.name.span)
    asked = nodes.ChooseStatement(
        nodes.ChooserNode(who, openly=node.openly, span=who.span), target, domain, never_empty=True, span=span
    )
    ask, inner = lower_choose(world, around, asked, site)
    if text not in inner.locals:
        return []
    if test is not None:
        inner = attrs.evolve(inner, guards=(*inner.guards, test))
    body = lower_body(world, inner, node.body)
    if _is_apart(body, test, variable.id, inner.locals[text].id):
        plain = attrs.evolve(node, keys=(), openly=node.openly)
        return [_plain(variable, inner.locals[text], found.source, test, body, plain, site, loop)]
    one = inner.locals[text]
    steps: tuple[ir.Statement, ...] = (
        ir.Bind(rest, among, site=site),
        ir.When(((ir.Op("==", (ir.Local(rest.id), ir.Const(0))), (ir.Stop(loop, site=site),), site),), site=site),
        _alone_or(rest, one, tuple(ask), world, site),
        ir.Bind(left, ir.Op("minus", (ir.Local(left.id), ir.Op("single", (ir.Local(one.id),)))), site=site),
    )
    everything = found.source.mask if found.source.pile is None else None
    whole = everything if everything is not None else _mask(found.source)
    return [ir.Bind(left, whole, site=site), ir.Repeat(loop, None, None, (*steps, *body), site=site)]


def _mask(source: ir.Source) -> ir.Expr:
    assert source.pile is not None
    return source.pile if source.mask is None else ir.Op("inter", (source.pile, source.mask))


def _alone_or(
    among: ir.Variable, one: ir.Variable, ask: tuple[ir.Statement, ...], world: World, site: int
) -> ir.Statement:
    """Returns the statement that takes the only member of a set, or asks for one of several."""
    alone = ir.Op("==", (ir.Op("size", (ir.Local(among.id),)), ir.Const(1)))
    member = world.variable(one.name, one.type)
    only = ir.Over("first", (member,), (ir.Source(ir.Local(among.id)),), None, None)
    return ir.When(((alone, (ir.Bind(one, only, site=site),), site),), ask, site=site)


def _plain(
    variable: ir.Variable,
    chosen: ir.Variable,
    source: ir.Source,
    test: ir.Expr | None,
    body: tuple[ir.Statement, ...],
    node: nodes.ForStatement,
    site: int,
    loop: int,
) -> ir.Loop:
    """Returns the loop in source order, for passes whose order cannot matter."""
    own = rewrite(body, lambda part: ir.Local(variable.id) if part == ir.Local(chosen.id) else part)
    met = ir.Openly(ir.Const(1) if test is None else test) if node.openly else test
    return ir.Loop(loop, variable, source, (), met, own, site=site)


# ------------------------------------------------------------------ where the order cannot matter


@attrs.define
class _Footprint:
    """The variables that some statements read and change, and those that they only add to."""

    reads: set[int] = attrs.field(factory=set)
    changes: set[int] = attrs.field(factory=set)
    adds: set[int] = attrs.field(factory=set)
    is_known: bool = True
    """Whether they do nothing else."""


def _is_apart(body: tuple[ir.Statement, ...], test: ir.Expr | None, *names: int) -> bool:
    """Returns whether passes only change what belongs to their own member, or add up, so that no pass reads another's."""
    of = _footprint((test, *body), frozenset(names))
    return of.is_known and not of.changes and not of.adds & of.reads


def _footprint(parts: Iterable[object], own: frozenset[int] = frozenset()) -> _Footprint:
    """Returns the variables that some IR reads and changes; what is kept for one of the `own` names alone counts as neither."""
    found = _Footprint()
    owned = {
        part.place.state
        for part in walk(tuple(parts))
        if isinstance(part, ir.Assign) and _is_own(part.place.index, own)
    }
    for part in walk(tuple(parts)):
        match part:
            case ir.Assign(place=place) if _is_own(place.index, own):
                pass
            case ir.Assign(place=place, operator="+", least=None, most=None):
                found.adds.add(place.state)
            case ir.Assign(place=place):
                found.changes.add(place.state)
            case ir.Read(state=state, index=index):
                if not (state in owned and _is_own(index, own)):
                    found.reads.add(state)
            case ir.CallValue() | ir.Cell() | ir.Foreseen() | ir.Occurrences() | ir.Roll() | ir.Pick():
                found.is_known = False
            case ir.Stmt() if not isinstance(part, ir.When | ir.Bind):
                found.is_known = False
            case _:  # no other node reads or writes
                pass
    found.is_known = found.is_known and not owned & (found.reads | found.adds | found.changes)
    return found


def _is_own(index: tuple[ir.Expr, ...], own: frozenset[int]) -> bool:
    return bool(index) and isinstance(index[0], ir.Local) and index[0].id in own


# ------------------------------------------------------------------ hooks and standing rules


@attrs.frozen
class Contender:
    """A hook or standing rule that may apply together with others."""

    name: str
    condition: ir.Expr
    call: ir.Call
    site: int
    span: Span


def ordered(
    world: World,
    env: Env,
    among: Sequence[Contender],
    who: nodes.Expression,
    parameters: tuple[ir.Variable, ...],
    *,
    once: bool = False,
) -> int:
    """Adds a procedure that runs those of some contenders that apply, in the order that a player chooses.

    `env` is the scope of the chooser's expression, and `parameters` are those of the procedure. With `once`, only the
    first of them runs.
    """
    site = among[0].site
    every = IntType(0, len(among) - 1)
    left, able = world.variable("rules left", SetType(every)), world.variable("rules next", SetType(every))
    which, loop = world.variable("which", every), world.loop()
    apply: ir.Expr = ir.Const(0)
    for at, one in enumerate(among):
        can = ir.And((ir.Op("in", (ir.Const(at), ir.Local(left.id))), one.condition))
        apply = ir.Op("union", (apply, ir.Either(can, ir.Const(1 << at), ir.Const(0))))
    ask = ir.Ask(_question(world, env, among, who, (able, which)), site=site)
    calls = tuple(
        (ir.Op("==", (ir.Local(which.id), ir.Const(at))), (one.call,), one.site) for at, one in enumerate(among)
    )
    end: tuple[ir.Statement, ...] = (ir.Stop(loop, site=site),) if once else ()
    steps: tuple[ir.Statement, ...] = (
        ir.Bind(able, apply, site=site),
        ir.When(((ir.Op("==", (ir.Local(able.id), ir.Const(0))), (ir.Stop(loop, site=site),), site),), site=site),
        _alone_or(able, which, (ask,), world, site),
        ir.Bind(left, ir.Op("minus", (ir.Local(left.id), ir.Op("single", (ir.Local(which.id),)))), site=site),
        ir.When(calls, site=site),
        *end,
    )
    body = (ir.Bind(left, ir.Const((1 << len(among)) - 1), site=site), ir.Repeat(loop, None, None, steps, site=site))
    id = world.new_procedure()
    name = " or ".join(one.name for one in among)
    world.add_procedure(ir.Procedure(id, name, parameters, body, None))
    return id


def _question(
    world: World, env: Env, among: Sequence[Contender], who: nodes.Expression, names: tuple[ir.Variable, ir.Variable]
) -> int:
    """Adds the choice which of those that apply comes next; returns its id. `names` are those that apply, and the answer."""
    able, which = names
    actor, site = world.variable("chooser", world.player), among[0].site
    branches = []
    for at, one in enumerate(among):
        rule = world.rule(one.name, "option", (actor,), None, (), one.span)
        need = ir.Need(ir.Op("in", (ir.Const(at), ir.Local(able.id))), None, (), one.site)
        own: tuple[ir.Statement, ...] = (
            ir.BeginBody(rule, (ir.Local(actor.id),), site=site),
            ir.Bind(which, ir.Const(at), site=site),
            ir.EndBody(rule, site=site),
        )
        branches.append(ir.Branch(one.name, rule, (), (need,), own, one.site))
    chooser = want(world, env, who, world.player, "only a player chooses")
    name = f"order of {' or '.join(one.name for one in among)}"
    choice = ir.Choice(
        id=len(world.choices),
        who=chooser,
        variable=None,
        source=None,
        condition=None,
        sealed=False,
        branches=tuple(branches),
        prompt=None,
        empty="error",
        when_none=(),
        forced=False,
        rule=env.rule,
        site=site,
        actor=actor,
        name=name,
    )
    world.choices.append(choice)
    return choice.id


Declared: TypeAlias = nodes.HookDeclaration | nodes.WheneverDeclaration


def order_hooks(
    world: World, hooks: Sequence[tuple[nodes.HookDeclaration, ir.Hook, tuple[ir.Variable, ...]]]
) -> tuple[ir.Hook, ...]:
    """Returns the hooks of a game, with those that a player puts in order merged into one for each verb and moment.

    With each hook come the parameters of its verb.
    """
    groups: dict[tuple[int, str], list[tuple[nodes.HookDeclaration, ir.Hook]]] = {}
    for node, hook, _ in hooks:
        if node.chooser is not None:
            groups.setdefault((hook.of, hook.when), []).append((node, hook))
    merged: list[ir.Hook] = []
    for node, hook, parameters in hooks:
        group = groups.get((hook.of, hook.when), []) if node.chooser is not None else []
        if (
            len(group) < 2
            or _is_fault(world, [one for one, _ in group])
            # Of several replacements a single one runs, so it matters which.
            or (hook.when != "instead" and _commute(world, [h for _, h in group]))
        ):
            merged.append(hook)
        elif group[0][1] is hook:
            merged.append(_merged(world, group, parameters))
    return tuple(merged)


def order_standing(
    world: World, rules: Sequence[tuple[nodes.WheneverDeclaration, ir.Whenever]]
) -> tuple[ir.Whenever, ...]:
    """Returns the standing rules of a game, with those that a player puts in order merged into one."""
    group = [(node, rule) for node, rule in rules if node.chooser is not None and not node.binders]
    is_plain = len(group) < 2 or _is_fault(world, [node for node, _ in group])
    if is_plain or _commute(world, [rule for _, rule in group]):
        return tuple(rule for _, rule in rules)
    first, one = group[0]
    assert first.chooser is not None
    among = [
        _contender(world, node, rule.condition, ir.Call(rule.procedure, (), site=rule.site)) for node, rule in group
    ]
    env = Env(rule=_rule_of(world, one.procedure), name="order of rules")
    id = ordered(world, env, among, first.chooser, ())
    whole = ir.Or(tuple(rule.condition for _, rule in group))
    merged = ir.Whenever((), (), whole, id, one.site)
    others = {rule.procedure for _, rule in group[1:]}
    return tuple(merged if rule is one else rule for _, rule in rules if rule.procedure not in others)


def _rule_of(world: World, procedure: int) -> int:
    return world.procedures[procedure].rule or 0


def _commute(world: World, rules: Sequence[ir.Hook | ir.Whenever]) -> bool:
    """Returns whether the order of some rules cannot matter: none changes what another one reads or changes, or what its
    condition reads."""
    prints = [_footprint((rule.condition, *world.procedures[rule.procedure].body)) for rule in rules]
    if not all(one.is_known for one in prints):
        return False
    return not any(
        (one.changes | one.adds) & (other.reads | other.changes) or one.changes & other.adds
        for one, other in permutations(prints, 2)
    )


def _is_fault(world: World, group: Sequence[Declared]) -> bool:
    first = group[0].chooser
    for node in group:
        if node.label is None:
            help = "name it behind the player: `in order chosen by p as NAME`"
            world.sink.report("E0305", "a rule that a player puts in order needs a name", node.span, help=help)
            return True
        same = node.chooser is not None and first is not None and node.chooser.span.text == first.span.text
        if not same or len(group) > MOST_AT_ONCE:
            message = f"one player puts all of them in order, at most {MOST_AT_ONCE}"
            world.sink.report("E0305", message, node.span, help="name the same player in each of them")
            return True
    return False


def _merged(
    world: World, group: list[tuple[nodes.HookDeclaration, ir.Hook]], given: tuple[ir.Variable, ...]
) -> ir.Hook:
    """Returns one hook for several of a verb, whose parameters are `given`; the names in the first one are in scope."""
    node, first = group[0]
    assert node.chooser is not None
    like = world.procedures[first.procedure].parameters
    own = tuple(world.variable(one.name, one.type) for one in like)
    env = Env(
        locals={one.name: one for one in own}, rule=_rule_of(world, first.procedure), name=f"order of {node.verb.text}"
    )
    renamed = {old.id: ir.Local(new.id) for old, new in zip(given, own, strict=True)}

    def change(part: object) -> object:
        return renamed.get(part.id, part) if isinstance(part, ir.Local) else part

    arguments = tuple(ir.Local(one.id) for one in own)
    among = [
        _contender(world, declared, rewrite(hook.condition or ir.Const(1), change), ir.Call(hook.procedure, arguments))
        for declared, hook in group
    ]
    whole = ir.Or(tuple(hook.condition or ir.Const(1) for _, hook in group))
    id = ordered(world, env, among, node.chooser, own, once=first.when == "instead")
    return ir.Hook(first.when, first.of, whole, id)


def _contender(world: World, node: Declared, test: ir.Expr, call: ir.Call) -> Contender:
    assert node.label is not None
    form: ir.SiteForm = "hook" if isinstance(node, nodes.HookDeclaration) else "whenever"
    site = world.site(form, node.span, node.cites)
    return Contender(node.label.text, test, attrs.evolve(call, site=site), site, node.span)
