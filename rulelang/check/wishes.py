"""Options, rules and their arguments as a scenario writes them, before it is known which choice will be asked.

    red: program(left)           every branch `program` of every choice, its argument a Lane
    red: nitro                   every choice of a value of which `nitro` can be one
    expect event use(red, nitro) every rule `use`
"""

from __future__ import annotations

import attrs

from rulelang.check.expressions import plural, want
from rulelang.check.forms import forms_of, movable
from rulelang.check.scope import Env, World
from rulelang.diagnostics.model import Sink
from rulelang.diagnostics.suggest import suggest
from rulelang.ir import model as ir
from rulelang.ir.scenarios import Pattern, Sought, Things, Way, Wish
from rulelang.ir.types import SetType, Type
from rulelang.source import Span
from rulelang.syntax import nodes

VALUE = "value"
"""The name of the branch of a choice of a value."""


def head(node: nodes.Expression) -> tuple[str, tuple[nodes.Expression, ...] | None]:
    """Gives the name and the arguments of `name(a, b)`; None where it stands bare; "" for anything else."""
    match node:
        case nodes.Name(text=text):
            return text, None
        case nodes.Call(function=nodes.Name(text=text), arguments=arguments):
            return text, arguments
    return "", None


def lower_sought(world: World, env: Env, node: nodes.Expression, type: Type) -> Sought:
    """Lowers an argument: things by how they are written where things are wanted, else a value."""
    kind = movable(world, type)
    if kind is not None:
        several = isinstance(type, SetType)
        listed = node.items if several and isinstance(node, nodes.SetDisplay) else (node,)
        items = forms_of(world, env, kind, listed)
        if items is not None:
            return Things(items, several)
    return want(world, env, node, type.or_none())


def arguments_sought(
    world: World,
    env: Env,
    name: str,
    arguments: tuple[nodes.Expression, ...] | None,
    types: tuple[Type, ...],
    span: Span,
) -> tuple[Sought, ...] | None:
    """Lowers the arguments of a call; None where it stands bare or after a fault."""
    if arguments is None:
        return None
    if len(arguments) != len(types):
        message = f"`{name}` takes {plural(len(types), 'argument')}, found {len(arguments)}"
        world.sink.report("E0207", message, span)
        return None
    return tuple(lower_sought(world, env, node, type) for node, type in zip(arguments, types, strict=True))


# ------------------------------------------------------------------ options


def lower_wish(
    world: World, env: Env, game: ir.Game, node: nodes.Expression, whole: bool, who: str = ""
) -> Wish | None:
    """Lowers an option; `whole` says that a bare name may not leave the option's arguments open."""
    name, arguments = head(node)
    text = " ".join(node.span.text.split())
    branches = [(c, i, b) for c in game.choices for i, b in enumerate(c.branches) if b.name == name and name != VALUE]
    if not branches:
        ways = _values(world, env, game, node)
        if not ways:
            _no_option(world, env, game, node, name, text)
            return None
        return Wish(text, ways, False)
    declines = all(branch.declines for _, _, branch in branches)
    if arguments is None and not whole:
        return Wish(text, (Way(frozenset((c.id, i) for c, i, _ in branches), None),), declines)
    fitting = [b for b in branches if len(b[2].parameters) == len(arguments or ())]
    if not fitting:
        wanted = ", ".join(p.variable.name for p in branches[0][2].parameters)
        help = f"write `{name}({wanted})`" if wanted else f"write `{name}` alone"
        world.sink.report("E0755", f"`{text}` does not say what `{name}` needs", node.span, help=help)
        return None
    ways = _ways(world, env, fitting, arguments or ())
    return None if ways is None else Wish(text, ways, declines)


_Branch = tuple[ir.Choice, int, ir.Branch]


def _ways(
    world: World, env: Env, branches: list[_Branch], arguments: tuple[nodes.Expression, ...]
) -> tuple[Way, ...] | None:
    """Reads arguments once for each list of types that the branches want; what fits none is reported for the first."""
    groups: dict[tuple[Type, ...], set[tuple[int, int]]] = {}
    for choice, number, branch in branches:
        types = tuple(parameter.variable.type for parameter in branch.parameters)
        groups.setdefault(types, set()).add((choice.id, number))
    ways, faults = [], []
    for types, found in groups.items():
        quiet = attrs.evolve(world, sink=Sink())
        sought = tuple(lower_sought(quiet, env, node, type) for node, type in zip(arguments, types, strict=True))
        if quiet.sink.has_errors:
            faults.append(quiet.sink.sorted())
        else:
            ways.append(Way(frozenset(found), sought))
    if not ways and faults:
        world.sink.extend(faults[0])
        return None
    return tuple(ways)


def _values(world: World, env: Env, game: ir.Game, node: nodes.Expression) -> tuple[Way, ...]:
    """Gives the readings of a value that is chosen."""
    branches = [(c, i, b) for c in game.choices for i, b in enumerate(c.branches) if b.name == VALUE]
    quiet = attrs.evolve(world, sink=Sink())
    return _ways(quiet, env, branches, (node,)) or ()


def _no_option(world: World, env: Env, game: ir.Game, node: nodes.Expression, name: str, text: str) -> None:
    names = sorted({b.name for c in game.choices for b in c.branches} - {VALUE})
    near = suggest(name, names) if name else None
    help = f"did you mean `{near}`?" if near else f"options are {', '.join(names[:6])}" if names else None
    world.sink.report("E0755", f"nobody can ever choose `{text}`", node.span, "no option of this game", help=help)


# ------------------------------------------------------------------ rules


def lower_pattern(world: World, env: Env, game: ir.Game, node: nodes.Expression) -> Pattern | None:
    """Lowers `out_of_fuel(red)`: the rules of that name that could be at work so."""
    name, arguments = head(node)
    rules = [rule for rule in game.rules if rule.name == name]
    text = " ".join(node.span.text.split())
    if not rules:
        names = sorted({rule.name for rule in game.rules if " " not in rule.name})
        near = suggest(name, names)
        help = f"did you mean `{near}`?" if near else None
        world.sink.report("E0759", f"no rule named `{text}`", node.span, "no verb, action, phase, or `as NAME`", help=help)
        return None
    found = []
    for rule in rules:
        types = tuple(variable.type for variable in rule.parameters)
        quiet = attrs.evolve(world, sink=Sink())
        sought = arguments_sought(quiet, env, name, arguments, types, node.span)
        if not quiet.sink.has_errors:
            found.append((rule.id, sought))
        elif rule is rules[-1] and not found:
            world.sink.extend(quiet.sink.sorted())
    return Pattern(text, tuple(found)) if found else None
