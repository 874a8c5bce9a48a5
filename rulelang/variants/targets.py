"""The targets of a variant's operations: keys that identify declarations, by name if they have one.

    constant heap = 21                  ("name", "heap")
    to use(p, nitro): …                 ("name", "use", ("*", "nitro"))      one case
    each Player has: fuel: 0..9         ("has", "Player", "fuel")            one variable
    whenever … as out_of_fuel: …        ("as", "out_of_fuel")
    after eliminate(p): …               ("hook", "after", "eliminate", ())   no name: the verb it hooks
    in Bonus if power == nitro: …       ("name", "Bonus", "copies", ROW)     one cell

Invariant: a target contains every target that begins with it; `("name", "use")` contains all cases of `use`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeAlias, assert_never

from rulelang.syntax import nodes

TargetPath: TypeAlias = tuple[Hashable, ...]

NamedDeclaration: TypeAlias = (
    nodes.ConstantDeclaration
    | nodes.EnumDeclaration
    | nodes.KindDeclaration
    | nodes.DataDeclaration
    | nodes.BoardDeclaration
    | nodes.DieDeclaration
    | nodes.ClockDeclaration
    | nodes.OptionDeclaration
    | nodes.ActionDeclaration
)
LabelledDeclaration: TypeAlias = nodes.AdjustDeclaration | nodes.HookDeclaration | nodes.WheneverDeclaration


def parameter_names(declarations: Iterable[nodes.Declaration]) -> frozenset[str]:
    """Returns the names of the parameters whose type a `names` line gives."""
    return frozenset(
        name.text
        for declaration in declarations
        if isinstance(declaration, nodes.NamesDeclaration)
        for names, _ in declaration.groups
        for name in names
    )


def case_of(parameters: tuple[nodes.ParameterNode, ...], names: frozenset[str]) -> tuple[str, ...]:
    """Returns the case of a head: the member or thing at each
    position, `*` for a parameter; () if it has parameters only.
    """
    case = tuple(
        "*"
        if p.type is not None or p.domain is not None or p.name.text in names or p.name.text == "you"
        else p.name.text
        for p in parameters
    )
    return case if any(word != "*" for word in case) else ()


def target_of(node: nodes.Declaration, names: frozenset[str]) -> TargetPath | None:
    """Returns the target of a declaration; None for those without one (`names`, `each … has`) or with several."""
    match node:
        case nodes.VerbDeclaration() | nodes.ValueDeclaration():
            return ("name", node.name.text, case_of(node.parameters, names))
        case nodes.AdjustDeclaration() | nodes.HookDeclaration() | nodes.WheneverDeclaration():
            return ("as", node.label.text) if node.label is not None else hangs_on(node, names)
        case nodes.FlowDeclaration():
            return ("flow", node.what)
        case nodes.AimDeclaration():
            return ("aim",)
        case nodes.ScreenDeclaration():
            return ("screen",)
        case nodes.NounDeclaration():
            return ("noun", node.name.text)
        case nodes.DrawingDeclaration():
            return ("map", node.board.text, node.name.text)
        case (
            nodes.NamesDeclaration()
            | nodes.StateDeclaration()
            | nodes.GameDeclaration()
            | nodes.IncludeDeclaration()
            | nodes.VariantDeclaration()
            | nodes.ScenarioDeclaration()
        ):
            return None
        case _:  # any other declaration has a name
            pass
    assert isinstance(node, NamedDeclaration)
    return ("name", node.name.text)


def hangs_on(node: LabelledDeclaration, names: frozenset[str]) -> TargetPath:
    """Returns the target of an adjustment, hook or `whenever` rule without a name: what it belongs to."""
    match node:
        case nodes.AdjustDeclaration():
            column = node.column.text if node.column is not None else ""
            return ("adjust", node.name.text, column, case_of(node.parameters, names))
        case nodes.HookDeclaration():
            return ("hook", node.when, node.verb.text, case_of(node.parameters, names))
        case nodes.WheneverDeclaration():
            return ("whenever", node.condition, node.binders, node.filter)
        case _:
            assert_never(node)


def variable_target(state: nodes.StateDeclaration, variable: nodes.VariableNode) -> TargetPath:
    """Returns the target of one variable or zone."""
    return ("has", state.owner.text if state.owner is not None else "the game", variable.name.text)


def all_targets(declarations: Iterable[nodes.Declaration], names: frozenset[str]) -> Iterator[TargetPath]:
    """Yields every target of a game, in source order."""
    for declaration in declarations:
        if isinstance(declaration, nodes.StateDeclaration):
            yield from (variable_target(declaration, v) for v in declaration.variables)
        elif isinstance(declaration, nodes.GameDeclaration):
            yield from (("game", line.what) for line in declaration.lines)
        else:
            target = target_of(declaration, names)
            if target is not None:
                yield target


def word_of(target: TargetPath) -> str | None:
    """Returns the word that `remove` uses for a target; None if it has none."""
    match target:
        case (
            ("name", str(name), *_)
            | ("as", str(name))
            | ("has", _, str(name))
            | ("map", _, str(name))
            | ("flow", str(name))
        ):
            return name
        case ("aim" | "screen" as what,):
            return str(what)
        case _:  # any other target has no one word
            return None


def shown(target: TargetPath) -> str:
    """Returns a target as a phrase for messages.

    >>> shown(("name", "use", ("*", "nitro")))
    '`use(…, nitro)`'
    """
    match target:
        case ("name", name, (*case,)) if case:
            return f"`{name}({', '.join('…' if word == '*' else str(word) for word in case)})`"
        case ("name", kind, "column", str(name)):
            return f"the column `{name}` of {kind}"
        case ("name", kind, str(field), _):
            return f"`{field}` of {kind}"
        case ("name", name, *_) | ("as", name) | ("flow", name):
            return f"`{name}`"
        case ("map", board, name):
            return f"the map `{name}` of {board}"
        case ("has", owner, name):
            return f"`{name}` of {owner}"
        case ("hook", "instead", verb, _):
            return f"`instead of {verb}`"
        case ("hook", when, verb, _):
            return f"`{when} {verb}`"
        case ("adjust", name, column, _):
            return f"`adjust {name}{f'.{column}' if column else ''}`"
        case ("aim", "ends", name):
            return f"what the aim says of `{name}`"
        case ("aim", str(what)):
            return f"the `{what}` line of the aim"
        case ("game", what):
            return f"the `{what}` line"
        case ("scenario", title):
            return f'the scenario "{title}"'
        case _:  # any other target is of one kind
            return f"this `{target[0]}`"


def overlap(one: TargetPath, other: TargetPath) -> bool:
    """Returns whether two targets are equal or one contains the other.

    >>> overlap(("name", "use"), ("name", "use", ("*", "nitro")))
    True
    """
    size = min(len(one), len(other))
    return one[:size] == other[:size]
