"""Verbs, phases, hooks and `whenever` rules: tree -> procedures.

to use(p, nitro): p.push += 1     one procedure for each case, and one named `use` that selects the case
after eliminate(p): …             Hook(after, eliminate, condition, procedure)
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import EnumType, KindType, offset_of
from rulelang.semantics.expressions import sets
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.expressions.values import Head, head_of, match_condition, report_repeated_cases, scope_of
from rulelang.semantics.names.coercion import condition, constant, lower_body
from rulelang.semantics.names.negatives import lowered
from rulelang.semantics.names.scope import ActionName, Env, VerbName, World
from rulelang.semantics.names.type_relations import Typed
from rulelang.semantics.statements.answers import declare_answer
from rulelang.semantics.statements.ordering import order_hooks, order_standing
from rulelang.source import NOWHERE
from rulelang.syntax import nodes

SHOWN = 4
"""The most names that a message lists."""
MOST_DEEP = 50
"""The greatest depth to which a verb may call itself."""


def declare_verb(world: World, node: nodes.VerbDeclaration, *, is_replaced: bool) -> None:
    """Enters a verb or phase, or one more case of a verb; `is_replaced` where a hook may take its place."""
    known = world.globals.get(node.name.text)
    first = known.parameters if isinstance(known, VerbName) else ()
    head = head_of(world, node.parameters, cases_of=first)
    if isinstance(known, VerbName) and not known.builtin and (head.patterns or _patterned(world, known)):
        known.declarations.append(node)
        known.deep = _depth(world, node) if node.deep is not None else known.deep
        return
    verb = VerbName(world.new_procedure(), node.name.text, head.variables, [node], node.name.span)
    verb.deep = _depth(world, node)
    verb.answer = declare_answer(world, node, is_replaced=is_replaced or bool(head.patterns))
    world.declare(node.name, verb)


def _depth(world: World, node: nodes.VerbDeclaration) -> int | None:
    """Returns the depth to which a verb may call itself, as it declares it; None if it declares none."""
    deep = constant(world, node.deep) if node.deep is not None else None
    if deep is None or node.deep is None or 1 <= deep <= MOST_DEEP:
        return deep
    world.sink.report("E0406", f"a verb calls itself 1 to {MOST_DEEP} deep", node.deep.span, f"not {deep}")
    return None


def _patterned(world: World, verb: VerbName) -> bool:
    return any(v.name.endswith(" ") for v in verb.parameters)


def declare_eliminate(world: World) -> None:
    """Enters the built-in verb `eliminate(p)`."""
    p = world.variable("p", world.player)
    label = ir.Template((ir.Local(p.id), " is out of the game"), (world.player, None))
    rule = world.rule("eliminate", "verb", (p,), label, (), NOWHERE)
    id = world.new_procedure()
    world.add_procedure(ir.Procedure(id, "eliminate", (p,), (ir.Eliminate(ir.Local(p.id)),), rule))
    world.eliminate = VerbName(id, "eliminate", (p,), [], NOWHERE, builtin=True)


def lower_verb(world: World, verb: VerbName) -> None:
    """Lowers all cases of a verb."""
    heads = [head_of(world, d.parameters, cases_of=verb.parameters) for d in verb.declarations]
    if len(heads) == 1 and not heads[0].patterns:
        # A hook's condition is tested inside the verb, so it reads the verb's own parameters.
        verb.parameters = heads[0].variables
        _lower_case(world, verb, verb.declarations[0], heads[0], verb.procedure, verb.deep)
        return
    branches = []
    arguments = tuple(ir.Local(v.id) for v in verb.parameters)
    otherwise: tuple[ir.Statement, ...] = ()
    report_repeated_cases(
        world, [(head.patterns, node.name.span) for node, head in zip(verb.declarations, heads, strict=True)]
    )
    _warn_of_lacking(world, verb, heads)
    for node, head in zip(verb.declarations, heads, strict=True):
        if len(head.variables) != len(verb.parameters):
            world.sink.report("E0207", f"the cases of `{verb.name}` take different numbers of arguments", node.span)
            continue
        id = world.new_procedure()
        _lower_case(world, verb, node, head, id)
        test = match_condition(world, verb.parameters, head.patterns)
        if test is None:
            otherwise = (ir.Call(id, arguments),)
        else:
            branches.append((test, (ir.Call(id, arguments),), 0))
    body: tuple[ir.Statement, ...] = (ir.When(tuple(branches), otherwise),) if branches else otherwise
    world.add_procedure(ir.Procedure(verb.procedure, verb.name, verb.parameters, body, None, recursion=verb.deep))


def _warn_of_lacking(world: World, verb: VerbName, heads: list[Head]) -> None:
    """Warns of the few members and things for which no case of a verb says what it does, so that it does nothing."""
    places = {tuple(at for at, _ in head.patterns) for head in heads}
    if not world.is_whole or len(places) != 1 or len(only := next(iter(places))) != 1:
        return
    type = verb.parameters[only[0]].type.certain()
    if isinstance(type, EnumType):
        names = type.members
    elif isinstance(type, KindType) and type != world.player and type.name not in world.shapes:
        names = world.kinds[world.kind_ids[type.name]].names
    else:
        return
    said = {names[value] for head in heads for _, value in head.patterns if value < len(names)}
    lacking = [name for name in dict.fromkeys(names) if name not in said]
    # Where many have no case, the verb is for those that have one.
    if lacking and 2 * len(lacking) <= len(said):
        listed = ", ".join(f"`{name}`" for name in lacking[:SHOWN]) + (", …" if len(lacking) > SHOWN else "")
        world.sink.report(
            "W0523",
            f"`{verb.name}` does nothing for {listed}",
            verb.span,
            "no case for it" if len(lacking) == 1 else "no cases for them",
            help=f"add a case, or say so for all others with a parameter in its place, such as `x: {type.name}`",
        )


def _lower_case(
    world: World, verb: VerbName, node: nodes.VerbDeclaration, head: Head, id: int, deep: int | None = None
) -> None:
    world.site("verb", node.span, node.cites)
    env = Env(locals={v.name: v for v in head.variables}, name=verb.name, answer=verb.answer)
    label = template(world, env, node.sentence)
    what: ir.RuleForm = "phase" if node.phase else "verb"
    otherwise = template(world, env, node.otherwise)
    rule = world.rule(
        verb.name,
        what,
        head.variables,
        label,
        node.cites,
        node.span,
        otherwise=otherwise,
        untold=node.untold,
        called=template(world, env, node.called),
    )
    body = lower_body(world, attrs.evolve(env, rule=rule), node.body)
    procedure = ir.Procedure(id, verb.name, head.variables, body, rule, phase=node.phase, recursion=deep)
    world.add_procedure(procedure)


def lower_flow(world: World, name: nodes.FlowForm, flow: nodes.FlowDeclaration | None) -> int | None:
    """Lowers `setup:` or `play:`."""
    if flow is None:
        return None
    rule = world.rule(name, name, (), None, flow.cites, flow.span)
    world.site(name, flow.span, flow.cites)
    body = lower_body(world, Env(name=name, rule=rule), flow.body)
    id = world.new_procedure()
    world.add_procedure(ir.Procedure(id, name, (), body, rule))
    return id


def lower_hooks(world: World, declared: Iterable[nodes.HookDeclaration]) -> tuple[ir.Hook, ...]:
    """Lowers all hooks; those that a player puts in order become one."""
    lowered = []
    for at, node in enumerate(declared):
        with world.passing((nodes.HookDeclaration.__name__, at)):
            lowered.append((node, lower_hook(world, node), _hooked(world, node)))
    return order_hooks(
        world, [(node, hook, of[1]) for node, hook, of in lowered if hook is not None and of is not None]
    )


def lower_whenevers(world: World, declared: Iterable[nodes.WheneverDeclaration]) -> tuple[ir.Whenever, ...]:
    """Lowers all standing rules; those that a player puts in order become one."""
    lowered = []
    for at, node in enumerate(declared):
        with world.passing((nodes.WheneverDeclaration.__name__, at)):
            lowered.append((node, lower_whenever(world, node, at + 1)))
    return order_standing(world, [(node, rule) for node, rule in lowered if rule is not None])


def _order_of_matches(node: nodes.WheneverDeclaration) -> tuple[nodes.KeyNode, ...]:
    """Returns the order in which a standing rule goes over its matches: that of its keys, or one that somebody chooses."""
    if node.chooser is None or not node.binders:
        return node.keys
    return (nodes.KeyNode(False, node.chooser, chosen=True, span=node.chooser.span),)


def _with_ordered_matches(
    node: nodes.WheneverDeclaration, keys: tuple[nodes.KeyNode, ...]
) -> nodes.WheneverDeclaration:
    """Returns `whenever c for x in S from e if d` as a rule whose body goes over its matches in that order."""
    (binder,) = node.binders
    span = node.condition.span
    matching = node.condition
    for also in (node.filter, binder.condition):
        matching = matching if also is None else nodes.BinaryExpression("and", also, matching, span=span)
    bare = attrs.evolve(binder, condition=None)
    matches = nodes.SetOfExpression(nodes.ComprehensionExpression(None, (bare,), (), matching, span=span), span=span)
    over = nodes.ComprehensionExpression(matching, (bare,), (), None, span=span)
    loop = nodes.ForStatement(False, attrs.evolve(bare, domain=matches), keys, None, node.body, span=node.span)
    some = nodes.AggregateExpression(nodes.IdentNode("any", span=span), over, span=span)
    return attrs.evolve(node, condition=some, binders=(), filter=None, body=(loop,))


def lower_hook(world: World, node: nodes.HookDeclaration) -> ir.Hook | None:
    """Lowers `before|after|instead of VERB(params) if c as name:`."""
    of = _hooked(world, node)
    if of is None:
        return None
    procedure, parameters = of
    hooked = world.globals.get(node.verb.text)
    head = (
        head_of(world, node.parameters, parameters)
        if node.parameters
        else Head(tuple(world.variable(v.name, v.type) for v in parameters), ())
    )
    if len(head.variables) != len(parameters):
        world.sink.report(
            "E0207",
            f"`{node.verb.text}` takes {len(parameters)} arguments, found {len(head.variables)}",
            node.verb.span,
        )
        return None
    outer = scope_of(parameters, head)
    tests = [match_condition(world, parameters, head.patterns)]
    if node.condition is not None:
        tests.append(condition(world, outer, node.condition))
    found = tuple(t for t in tests if t is not None)
    whole = None if not found else found[0] if len(found) == 1 else ir.And(found)
    name = node.label.text if node.label is not None else f"{node.when} {node.verb.text}"
    world.site("hook", node.span, node.cites)
    rule = world.rule(name, "hook", head.variables, None, node.cites, node.span)
    env = Env(locals={v.name: v for v in head.variables}, rule=rule, name=name, instead=node.when == "instead")
    if env.instead and isinstance(hooked, VerbName):
        env = attrs.evolve(env, answer=hooked.answer)
    id = world.new_procedure()
    world.add_procedure(ir.Procedure(id, name, head.variables, lower_body(world, env, node.body), rule))
    return ir.Hook(node.when, procedure, whole, id)


def _hooked(world: World, node: nodes.HookDeclaration) -> tuple[int, tuple[ir.Variable, ...]] | None:
    meaning = world.globals.get(node.verb.text)
    if node.verb.text == "eliminate" and world.eliminate is not None:
        meaning = world.eliminate
    if isinstance(meaning, VerbName | ActionName):
        return meaning.procedure, meaning.parameters
    verbs = [n for n, m in world.globals.items() if isinstance(m, VerbName | ActionName)]
    world.unknown(node.verb.text, node.verb.span, "no verb", [*verbs, "eliminate"])
    return None


def lower_whenever(world: World, node: nodes.WheneverDeclaration, ordinal: int) -> ir.Whenever | None:
    """Lowers `whenever c for x in S as name:`."""
    keys = _order_of_matches(node)
    if keys:
        if len(node.binders) > 1:
            message = "the matches of several names are not put in order"
            world.sink.report("E0305", message, keys[0].span, help="nest a loop in the body of the rule")
            return None
        node = _with_ordered_matches(node, keys)
    bound = sets.binders_of(world, Env(), node.binders)
    if bound is None:
        return None
    names, sources, env = bound.names, bound.sources, bound.env
    tests = bound.tests
    if node.filter is not None:
        tests = (*tests, condition(world, env, node.filter))
    # The conditions of the binders come first: they determine the matches.
    test = ir.And((*tests, condition(world, env, node.condition))) if tests else condition(world, env, node.condition)
    name = node.label.text if node.label is not None else f"whenever {ordinal}"
    own = tuple(world.variable(v.name, v.type) for v in names)
    rule = world.rule(name, "whenever", own, None, node.cites, node.span)
    site = world.site("whenever", node.span, node.cites)
    inner = Env(rule=rule, name=name).bind(*own)
    for variable, element in zip(own, bound.elements, strict=True):
        if offset_of(element):
            inner = inner.naming(variable.name, Typed(lowered(ir.Local(variable.id), element), element))
    id = world.new_procedure()
    world.add_procedure(ir.Procedure(id, name, own, lower_body(world, inner, node.body), rule))
    return ir.Whenever(names, sources, test, id, site)
