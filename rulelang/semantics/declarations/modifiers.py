"""Reports modifiers and domains that say nothing of what they stand behind, so that none is silently ignored.

fuel: 0..9 = 0, at most 3                 W0516: a variable is bounded by its type
shown: group of Card, refills from deck   W0516: only a pile is filled up
before take(p, c in p.hand): …            W0516: a hook is for every card that is taken
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.semantics.names.scope import World
from rulelang.syntax import nodes
from rulelang.syntax.walk import walk


def check_modifiers(world: World, module: nodes.ModuleNode) -> None:
    """Warns of each modifier and each domain that has no effect."""
    for node in walk(module.declarations):
        if isinstance(node, nodes.VariableNode):
            for modifier, why in _idle(node):
                message = f"`{modifier.what}` says nothing of `{node.name.text}`"
                world.sink.report("W0516", message, modifier.span, why)
        if isinstance(node, nodes.Declaration | nodes.VariableNode) and not isinstance(node, nodes.ActionDeclaration):
            _check_domains(world, node)


def _idle(node: nodes.VariableNode) -> Iterator[tuple[nodes.ModifierNode, str]]:
    """Yields modifiers that have no effect, each with the reason."""
    form = node.type.form if isinstance(node.type, nodes.ZoneTypeNode) else None
    for modifier in node.modifiers:
        match modifier.what:
            case "at most" if form is None:
                yield modifier, "this bounds a zone; a variable is bounded by its type"
            case "refills from" if form != "pile":
                yield modifier, "only a pile is filled up"
            case "top face up" if form is None:
                yield modifier, "only a pile has a top"
            case "scratch" if form is not None:
                yield modifier, "only a variable is forgotten"
            case _:  # the other modifiers say something of all
                pass


def _check_domains(world: World, node: nodes.Node) -> None:
    parameters: tuple[nodes.ParameterNode, ...] = getattr(node, "parameters", ())
    for parameter in parameters:
        if parameter.domain is None:
            continue
        name, domain = parameter.name.text, " ".join(parameter.domain.span.text.split())
        help = f"say its type, `{name}: TYPE`; only what is offered is chosen from a domain"
        if isinstance(node, nodes.HookDeclaration | nodes.AdjustDeclaration):
            help = f"write `if {name} in {domain}` behind what stands here"
        world.sink.report("W0516", f"`in {domain}` says nothing of `{name}`", parameter.domain.span, help=help)
