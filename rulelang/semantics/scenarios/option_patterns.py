"""Options, rules and their arguments as a scenario writes them, while the choice that will be asked is still unknown.

red: program(left)           every branch `program` of every choice, its argument a Lane
red: nitro                   every choice of a value that can be `nitro`
expect event use(red, nitro) every rule `use`
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.numbers import Seat
from rulelang.ir.scenarios import NamedThings, OptionPattern, OptionReading, RulePattern, Sought
from rulelang.ir.types import NONE, SetType, Type
from rulelang.semantics.expressions.thing_literals import forms_of, thing_kind
from rulelang.semantics.names.coercion import plural, want
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.type_relations import name_of
from rulelang.source import Span
from rulelang.syntax import nodes

VALUE = "value"
"""The name of the branch in a choice of a value."""


@attrs.frozen
class ScenarioContext:
    """The context of a scenario's lines: the world, the seats' names, and the game that it will run."""

    world: World
    env: Env
    game: ir.GameRules
    seats: tuple[str, ...]

    def seat(self, who: nodes.IdentNode) -> Seat | None:
        """Returns the seat with a name; reports it and returns None if nobody of that name plays."""
        if who.text in self.seats:
            return Seat(self.seats.index(who.text))
        if who.text == "you" and len(self.seats) == 1:
            return Seat(0)
        near = self.world.sink.near(who.text, self.seats)
        help = f"did you mean `{near}`?" if near else f"here play {', '.join(self.seats)}"
        self.world.sink.report("E0701", f"nobody named `{who.text}` plays here", who.span, help=help, fix=near)
        return None


def head(node: nodes.Expression) -> tuple[str, tuple[nodes.Expression, ...] | None]:
    """Returns the name and the arguments of `name(a, b)`; no arguments (None) for a bare name, "" for anything else."""
    match node:
        case nodes.NameExpression(text=text):
            return text, None
        case nodes.CallExpression(function=nodes.NameExpression(text=text), arguments=arguments):
            return text, arguments
        case _:  # any other expression has no head
            return "", None


def lower_sought(stage: ScenarioContext, node: nodes.Expression, type: Type) -> Sought:
    """Lowers an argument: things by their written forms if things are wanted, else an expression."""
    world, env = stage.world, stage.env
    kind = thing_kind(world, type)
    if kind is not None:
        several = isinstance(type, SetType)
        listed = node.items if several and isinstance(node, nodes.SetDisplayExpression) else (node,)
        items = forms_of(world, env, kind, listed)
        if items is not None:
            return NamedThings(items, several)
    return want(world, env, node, type.or_none())


def arguments_sought(
    stage: ScenarioContext,
    name: str,
    arguments: tuple[nodes.Expression, ...] | None,
    types: tuple[Type, ...],
    span: Span,
) -> tuple[Sought, ...] | None:
    """Lowers the arguments of a call; None for a bare name, or after a fault."""
    if arguments is None:
        return None
    if len(arguments) != len(types):
        message = f"`{name}` takes {plural(len(types), 'argument')}, found {len(arguments)}"
        stage.world.sink.report("E0207", message, span)
        return None
    return tuple(lower_sought(stage, node, type) for node, type in zip(arguments, types, strict=True))


# ------------------------------------------------------------------ options


def lower_option_pattern(stage: ScenarioContext, node: nodes.Expression, whole: bool) -> OptionPattern | None:
    """Lowers an option; if `whole`, a bare name may not leave the option's arguments open."""
    name, arguments = head(node)
    text = " ".join(node.span.text.split())
    branches = _branches(stage, name) if name != VALUE else []
    if not branches:
        # A value as an answer fits every choice of a value that can have it.
        with stage.world.quiet():
            values = _ways(stage, _branches(stage, VALUE), (node,))
        if not values:
            _no_option(stage, node, name, text)
            return None
        return OptionPattern(text, values, False)
    declines = all(branch.declines for _, _, branch in branches)
    if arguments is None and not whole:
        return OptionPattern(text, (OptionReading(frozenset((c.id, i) for c, i, _ in branches), None),), declines)
    fitting = [b for b in branches if len(b[2].parameters) == len(arguments or ())]
    if not fitting:
        wanted = ", ".join(p.variable.name for p in branches[0][2].parameters)
        help = f"write `{name}({wanted})`" if wanted else f"write `{name}` alone"
        stage.world.sink.report("E0705", f"`{text}` does not say what `{name}` needs", node.span, help=help)
        return None
    ways = _ways(stage, fitting, arguments or ())
    return None if ways is None else OptionPattern(text, ways, declines)


_Branch = tuple[ir.Choice, int, ir.Branch]


def _branches(stage: ScenarioContext, name: str) -> list[_Branch]:
    return [(c, i, b) for c in stage.game.choices for i, b in enumerate(c.branches) if b.name == name]


def _ways(
    stage: ScenarioContext, branches: list[_Branch], arguments: tuple[nodes.Expression, ...]
) -> tuple[OptionReading, ...] | None:
    """Lowers arguments once for each list of types that branches want; reports those that fit none, for the first list."""
    groups: dict[tuple[Type, ...], set[tuple[int, int]]] = {}
    for choice, number, branch in branches:
        types = tuple(parameter.variable.type for parameter in branch.parameters)
        groups.setdefault(types, set()).add((choice.id, number))
    ways, faults = [], []
    for types, found in groups.items():
        with stage.world.quiet() as sink:
            sought = tuple(_chosen(stage, node, type) for node, type in zip(arguments, types, strict=True))
        if sink.has_errors:
            faults.append(sink.sorted())
        else:
            ways.append(OptionReading(frozenset(found), sought))
    if not ways and faults:
        stage.world.sink.extend(faults[0])
        return None
    return tuple(ways)


def _chosen(stage: ScenarioContext, node: nodes.Expression, type: Type) -> Sought:
    """Lowers an argument of an answer, which is never `none`."""
    sought = lower_sought(stage, node, type)
    if sought == ir.Const(NONE) and not type.optional:
        stage.world.sink.report("E0301", f"expected {name_of(type)}, found none", node.span, "nobody chooses `none`")
    return sought


def _no_option(stage: ScenarioContext, node: nodes.Expression, name: str, text: str) -> None:
    names = sorted({b.name for c in stage.game.choices for b in c.branches} - {VALUE})
    things = sorted({name for kind in stage.game.kinds if kind.movable for name in kind.names})
    near = stage.world.sink.near(name, [*names, *things]) if name else None
    help = f"did you mean `{near}`?" if near else f"options are {', '.join(names[:6])}" if names else None
    message = f"nobody can ever choose `{text}`"
    stage.world.sink.report("E0705", message, node.span, "no option of this game", help=help)


# ------------------------------------------------------------------ rules


def lower_rule_pattern(stage: ScenarioContext, node: nodes.Expression) -> RulePattern | None:
    """Lowers `out_of_fuel(red)`: the rules of that name that can have these arguments."""
    name, arguments = head(node)
    rules = [rule for rule in stage.game.rules if rule.name == name]
    text = " ".join(node.span.text.split())
    if not rules:
        names = sorted({rule.name for rule in stage.game.rules if " " not in rule.name})
        near = stage.world.sink.near(name, names)
        help = f"did you mean `{near}`?" if near else None
        stage.world.sink.report(
            "E0709", f"no rule named `{text}`", node.span, "no verb, action, phase, or `as NAME`", help=help
        )
        return None
    found = []
    for rule in rules:
        types = tuple(variable.type for variable in rule.parameters)
        with stage.world.quiet() as sink:
            sought = arguments_sought(stage, name, arguments, types, node.span)
        if not sink.has_errors:
            found.append((rule.id, sought))
        elif rule is rules[-1] and not found:
            stage.world.sink.extend(sink.sorted())
    return RulePattern(text, tuple(found)) if found else None
