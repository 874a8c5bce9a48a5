"""Reports modifiers and domains that say nothing of what they stand behind, so that none is silently ignored.

fuel: 0..9 = 0, at most 3                 W0516: a variable is bounded by its type
shown: group of Card, refills from deck   W0516: only a pile is filled up
before take(p, c in p.hand): …            W0516: a hook is for every card that is taken
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.ir import model as ir
from rulelang.ir.types import IntType
from rulelang.semantics.names.scope import World
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk


def check_modifiers(world: World, module: nodes.ModuleNode) -> None:
    """Warns of each modifier and each domain that has no effect."""
    has_turns = any(isinstance(node, nodes.TurnsStatement) for node in walk(module.declarations))
    for node in walk(module.declarations):
        if isinstance(node, nodes.VariableNode):
            for modifier, why in _idle(node, has_turns=has_turns):
                message = f"`{modifier.what}` says nothing of `{node.name.text}`"
                world.sink.report("W0516", message, modifier.span, why)
        if isinstance(node, nodes.Declaration | nodes.VariableNode) and not isinstance(node, nodes.ActionDeclaration):
            _check_domains(world, node)


def _idle(node: nodes.VariableNode, *, has_turns: bool) -> Iterator[tuple[nodes.ModifierNode, str]]:
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
            case "until" if form is not None:
                yield modifier, "only a variable goes back to what it was; a hook may move things"
            case "until" if not has_turns:
                yield modifier, "there are no `turns` in this game"
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


MOMENTS: tuple[ir.LapseMoment, ...] = ("turn ends", "round ends", "turn of owner begins", "turn of owner ends")


def moment_of(
    world: World, variable: nodes.VariableNode, modifier: nodes.ModifierNode, state: ir.StateVariable
) -> ir.LapseMoment | None:
    """Returns the moment at which a variable goes back to what it begins with; reports a fault and returns None."""
    name, moment = variable.name.text, next((one for one in MOMENTS if one == modifier.until), None)
    if moment is None:
        help = f"there are: {', '.join(f'`until {one}`' for one in MOMENTS)}"
        world.sink.report("E0420", f"nothing lasts until {modifier.until}", modifier.span, help=help)
    elif variable.initial is None:
        message = f"`{name}` goes back to its initial value, but has none"
        world.sink.report("E0420", message, modifier.span, help=f"write `{name}: … = VALUE, until …`")
    elif "owner" in moment and state.owner != "Player":
        world.sink.report("E0420", f"`{name}` belongs to no player", modifier.span, "whose turn is this?")
    elif any(isinstance(type, IntType) and type.low < 0 for type in state.dimensions):
        world.sink.report("E0420", f"`{name}` has keys below 0, which do not lapse", modifier.span)
    else:
        return moment
    return None
