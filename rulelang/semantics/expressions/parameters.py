"""The parts of options: tree -> IR. Parameters with their domains, and needs.

(p, s in men(p), some in 2 of p.hand)    Parameter(s, men(p)), Parameter(some, p.hand, 2, 2)
needs s.owner == p  "Not yours"          Need(s.owner == p, "Not yours", after=1)
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import BadType, IntType, KindType, NoneType, SetType, Type
from rulelang.semantics.expressions import sets
from rulelang.semantics.expressions.members import all_of, is_index
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.names.coercion import condition, number_of
from rulelang.semantics.names.negatives import refused
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.type_relations import BAD, Typed
from rulelang.semantics.names.type_syntax import written_type
from rulelang.syntax import nodes

MOST_PARAMETERS = 20
"""The most parameters of an option."""
SMALL = 64
"""The most values of a type for which the upper limit of `any of` is a number; for a larger type it has none."""


def lower_parameter_domain(world: World, env: Env, domain: nodes.DomainNode, name: str) -> ir.Parameter | None:
    """Lowers a domain of a parameter: `S`, `n of S`, `up to n of S` or `any of S`; None after a fault."""
    found = sets.source_of(world, env, domain.of)
    if found is None:
        return None
    interchange = None
    if isinstance(found.element, KindType) and found.element.name in world.boxes:
        interchange = world.kind_ids[found.element.name]
    if isinstance(found.element, NoneType) or refused(world, found.element, domain.of.span, "what is chosen begins"):
        return None
    if isinstance(found.element, BadType):
        return ir.Parameter(world.variable(name, BAD), found.source)
    if domain.quantity is None:
        return ir.Parameter(world.variable(name, found.element), found.source, interchange=interchange)
    quantity = domain.quantity
    low = number_of(world, env, quantity.low).ir if quantity.low is not None else ir.Const(0)
    high: ir.Expr | None = ir.Const(SMALL) if sets.members_of(found.element) <= SMALL else None
    if quantity.high is not None:
        high = number_of(world, env, quantity.high).ir
    return ir.Parameter(world.variable(name, SetType(found.element)), found.source, low, high, interchange)


def lower_needs(
    world: World, env: Env, needs: tuple[nodes.NeedNode, ...], parameters: tuple[ir.Parameter, ...]
) -> tuple[ir.Need, ...]:
    """Lowers needs; each is tested as soon as the parameters that it reads are known."""
    lowered = []
    for need in needs:
        test = condition(world, env, need.condition)
        message = template(world, env, need.message)
        read = locals_in((test, message))
        after = max((i + 1 for i, p in enumerate(parameters) if p.variable.id in read), default=0)
        site = world.site("needs", need.span, need.cites)
        lowered.append(ir.Need(test, message, tuple(c.id for c in need.cites), site, after))
    return tuple(lowered)


def locals_in(node: object) -> set[int]:
    """Returns the ids of all locals read inside IR."""
    if isinstance(node, ir.Local):
        return {node.id}
    if isinstance(node, tuple):
        return set().union(*(locals_in(n) for n in node)) if node else set()
    if type(node) in ir.NODES:
        return set().union(*(locals_in(getattr(node, f.name)) for f in attrs.fields(type(node))))  # type: ignore[arg-type]
    return set()


def parameters_of(
    world: World, env: Env, nodes_: tuple[nodes.ParameterNode, ...]
) -> tuple[tuple[ir.Parameter, ...], Env]:
    """Lowers an option's parameters; each domain may read the parameters before it."""
    parameters: list[ir.Parameter] = []
    if len(nodes_) > MOST_PARAMETERS:
        message = f"an option has at most {MOST_PARAMETERS} parameters, not {len(nodes_)}"
        world.sink.report(
            "E0104", message, nodes_[MOST_PARAMETERS].span, help="ask for the others in a choice of their own"
        )
        nodes_ = nodes_[:MOST_PARAMETERS]
    for node in nodes_:
        name = node.name.text
        sets.hides(world, env, node.name)
        if node.domain is not None:
            parameter = lower_parameter_domain(world, env, node.domain, name)
        else:
            type = written_type(world, node.type) if node.type is not None else world.parameter_types.get(name, BAD)
            if node.type is None and name not in world.parameter_types:
                world.sink.report(
                    "E0208", f"what is `{name}`?", node.span, "no type or domain", help=f"write `{name} in …`"
                )
            parameter = _typed_parameter(world, name, type, node)
        if parameter is None:
            parameter = ir.Parameter(world.variable(name, BAD), ir.Source(ir.Const(0)))
        parameters.append(parameter)
        world.note_local(node.name.span, parameter.variable.type)
        env = env.bind(parameter.variable)
    return tuple(parameters), env


def _typed_parameter(world: World, name: str, type: Type, node: nodes.ParameterNode) -> ir.Parameter | None:
    if isinstance(type, BadType):
        return None
    if refused(world, type, node.span, "what is chosen begins"):
        return None
    if not is_index(type):
        world.sink.report("E0310", "the values of this cannot be listed", node.span)
        return None
    everything: Typed = (
        all_of(world, type)
        if not isinstance(type, IntType)
        else Typed(ir.Const((1 << (type.high + 1)) - (1 << type.low)), SetType(type))
    )
    interchange = None
    if isinstance(type, KindType) and type.name in world.boxes:
        interchange = world.kind_ids[type.name]
    return ir.Parameter(world.variable(name, type), ir.Source(everything.ir), interchange=interchange)
