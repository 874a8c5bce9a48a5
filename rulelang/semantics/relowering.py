"""A lowered game and declarations whose bodies have changed -> the game with those bodies lowered anew, and no others.

    relowered(resolved, game, module, pairs)       Relowered(world, game, diagnostics); None if more than bodies may differ

A body is lowered where it was: the numbers of its sites, rules, choices and locals begin where those of the old body did.
If it takes as many, all that follows it keeps its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

import attrs

from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.ir import model as ir
from rulelang.ir.types import RowType
from rulelang.semantics.declarations.aims import lower_aim
from rulelang.semantics.declarations.declaration import of_type
from rulelang.semantics.declarations.modifiers import check_modifiers
from rulelang.semantics.declarations.repeated import check_repeated
from rulelang.semantics.declarations.screens import lower_screen
from rulelang.semantics.expressions.values import lower_value
from rulelang.semantics.game import Resolved
from rulelang.semantics.names.scope import ActionName, Passage, ValueName, VerbName, World
from rulelang.semantics.statements.choices import HEAD, lower_action_body, lower_action_head
from rulelang.semantics.statements.verbs import lower_flow, lower_hook, lower_verb, lower_whenever
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

_D = TypeVar("_D", bound=nodes.Declaration)
_Pair: TypeAlias = tuple[nodes.Declaration, nodes.Declaration]
_BODIES: dict[type[nodes.Declaration], tuple[str, ...]] = {
    nodes.VerbDeclaration: ("body", "sentence", "otherwise", "called", "cites"),
    nodes.ActionDeclaration: ("body", "needs", "label", "told", "shows"),
    nodes.ValueDeclaration: ("cases", "lets", "called", "denied", "cites"),
    nodes.HookDeclaration: ("body", "condition", "cites"),
    nodes.WheneverDeclaration: ("body", "condition", "filter", "cites"),
    nodes.FlowDeclaration: ("body", "cites"),
    nodes.ScreenDeclaration: ("lines", "cites"),
    nodes.AimDeclaration: ("lines", "cites"),
}
"""The parts of a declaration that no other declaration reads."""
_FAR_REACHING = frozenset({"distance", "direction", "skip_turn", "extra_turn"})
"""Words that have an effect on the whole game wherever they are written."""


@attrs.frozen
class Relowered:
    """The world and the IR with new bodies, and their faults; `game` is None after an error."""

    world: World
    game: ir.GameRules | None
    diagnostics: tuple[Diagnostic, ...]


def relowered(
    before: Resolved,
    game: ir.GameRules,
    module: nodes.ModuleNode,
    pairs: Sequence[_Pair],
) -> Relowered | None:
    """Returns a game with new declarations in place of old ones, of which `game` was lowered; None if they differ in more
    than their bodies, or another number of sites, choices or locals comes out of them.
    """
    if not all(_is_alike(old, new) for old, new in pairs):
        return None
    world = _copied(before.world)
    for old, new, key in (part for pair in pairs for part in _parts(before.module, *pair)):
        if key not in world.passages:
            return None
        start, end = world.passages[key]
        known, lasting = world.cut(start), world.lasting()
        changed_game = _lowered(world, game, key, (old, new), before.world.sink, module)
        if changed_game is None:
            return None
        game = changed_game
        is_same_size = world.marks() == end and world.lasting() == lasting
        world.resume(known, with_new=is_same_size)
        if not is_same_size and world.is_whole and not world.sink.has_errors:
            return None
    changed = attrs.evolve(module, declarations=tuple(new for _, new in pairs))
    check_repeated(world, changed)
    if world.sink.has_errors or not world.is_whole:
        return Relowered(world, None, world.sink.sorted())
    if any(isinstance(old, nodes.ActionDeclaration) and old.needs != _needs(new) for old, new in pairs):
        return None  # every choice that offers an action has its needs
    check_modifiers(world, changed)
    return Relowered(world, _assembled(world, game), world.sink.sorted())


def _is_alike(old: nodes.Declaration, new: nodes.Declaration) -> bool:
    """Returns whether two declarations differ in their bodies alone, and in nothing there that others depend on."""
    bodies = _BODIES.get(type(old))
    if bodies is None or type(new) is not type(old):
        return False
    if attrs.evolve(new, **{name: getattr(old, name) for name in bodies}) != old:
        return False
    return _reach(old) == _reach(new)


def _needs(node: nodes.Declaration) -> tuple[nodes.NeedNode, ...]:
    return node.needs if isinstance(node, nodes.ActionDeclaration) else ()


def _reach(node: nodes.Declaration) -> tuple[object, ...]:
    """Returns the parts of a declaration that have an effect elsewhere."""
    parts = list(walk(node))
    words = {part.text for part in parts if isinstance(part, nodes.IdentNode | nodes.NameExpression)}
    against = tuple(part for part in parts if isinstance(part, nodes.AgainstStatement))
    ends = sum(isinstance(part, nodes.FinishStatement) for part in parts)
    return words & _FAR_REACHING, ends, any(isinstance(part, nodes.TurnsStatement) for part in parts), against


def _copied(world: World) -> World:
    """Returns a world with containers and a sink of its own."""
    sink = Sink()
    fields: dict[str, Any] = {field.name: getattr(world, field.name) for field in attrs.fields(World) if field.init}
    own: dict[str, Any] = {name: value.copy() for name, value in fields.items() if isinstance(value, list | dict | set)}
    own["drawn"] = {key: dict(streams) for key, streams in world.drawn.items()}
    return attrs.evolve(world, **{**own, "sink": sink, "declared": sink, "course": None, "assembled": False})


def _parts(
    module: nodes.ModuleNode, old: nodes.Declaration, new: nodes.Declaration
) -> list[tuple[nodes.Declaration, nodes.Declaration, Passage]]:
    """Returns the parts of a pair to lower anew, in order: of an action, its head before its body."""
    key = _passage_of(module, old)
    return [(old, new, key), *([(old, new, (HEAD, key[1]))] if isinstance(old, nodes.ActionDeclaration) else [])][::-1]


def _passage_of(module: nodes.ModuleNode, node: nodes.Declaration) -> Passage:
    """Returns the key under which a world notes where a declaration was lowered."""
    match node:
        case nodes.ScreenDeclaration() | nodes.AimDeclaration():
            return type(node).__name__, 0
        case nodes.VerbDeclaration(name=name) | nodes.ActionDeclaration(name=name) | nodes.ValueDeclaration(name=name):
            return type(node).__name__, name.text
        case nodes.FlowDeclaration(what=what):
            return type(node).__name__, what
        case _:  # hooks and `whenever` rules, which have no names, are counted
            of_sort = [one for one in module.declarations if type(one) is type(node)]
            return type(node).__name__, next(n for n, one in enumerate(of_sort) if one is node)


def _lowered(
    world: World, game: ir.GameRules, key: Passage, pair: _Pair, before: Sink, module: nodes.ModuleNode
) -> ir.GameRules | None:
    """Lowers a declaration anew; returns the game with its hook or its rule, None if it is not where it is expected."""
    old, new = pair
    meaning = world.globals.get(str(key[1]))
    match new:
        case nodes.VerbDeclaration(returns=None) if isinstance(meaning, VerbName):
            verb = attrs.evolve(meaning, declarations=_with(meaning.declarations, old, new))
            world.globals[verb.name] = verb
            lower_verb(world, verb)
        case nodes.ActionDeclaration() if isinstance(meaning, ActionName):
            action = attrs.evolve(meaning, node=new)
            world.globals[new.name.text] = action
            lower_action_head(world, action) if key[0] == HEAD else lower_action_body(world, action)
        case nodes.ValueDeclaration() if isinstance(meaning, ValueName):
            return game if _lower_value(world, meaning, old, new, before) else None
        case nodes.HookDeclaration(chooser=None):
            hooks = _in_place(game.hooks, lower_hook(world, new))
            return None if hooks is None else attrs.evolve(game, hooks=hooks)
        case nodes.WheneverDeclaration(chooser=None):
            rules = _in_place(game.whenevers, lower_whenever(world, new, int(key[1]) + 1))
            return None if rules is None else attrs.evolve(game, whenevers=rules)
        case nodes.FlowDeclaration():
            lower_flow(world, new.what, new)
        case nodes.ScreenDeclaration():
            return attrs.evolve(game, screen=lower_screen(world, list(of_type(module, nodes.ScreenDeclaration))))
        case nodes.AimDeclaration():
            return attrs.evolve(game, aim=lower_aim(world, list(of_type(module, nodes.AimDeclaration))))
        case _:  # a name that means something else, or rules that a player puts in order
            return None
    return game


_R = TypeVar("_R", ir.Hook, ir.Whenever)


def _in_place(rules: tuple[_R, ...], new: _R | None) -> tuple[_R, ...] | None:
    """Returns the rules with a new one in place of that with the same procedure; None if there is no such rule."""
    if new is None:
        return rules  # it has errors
    if all(one.procedure != new.procedure for one in rules):
        return None
    return tuple(new if one.procedure == new.procedure else one for one in rules)


def _with(declared: Iterable[_D], old: nodes.Declaration, new: _D) -> list[_D]:
    return [new if one is old else one for one in declared]


def _lower_value(
    world: World, known: ValueName, old: nodes.Declaration, new: nodes.ValueDeclaration, before: Sink
) -> bool:
    """Lowers a value anew; returns whether nothing that others read of it has changed."""
    declarations = _with(known.declarations, old, new)
    value = attrs.evolve(known, declarations=declarations, lowered=None, type=known.declared)
    world.globals[value.name] = world.values[value.id] = value
    lower_value(world, value)
    was, now = known.lowered, value.lowered
    if was is None or now is None or value.type != known.type or isinstance(value.type, RowType):
        return False
    # Whether a choice from a value is known to have options depends on this alone.
    is_warned = any(one.code == "W0501" for one in before.found)
    if _is_constant(was) or (_is_constant(now) and is_warned):
        return False
    value.lowered = attrs.evolve(now, adjustments=was.adjustments)
    return True


def _is_constant(value: ir.Value) -> bool:
    """Returns whether a value has one case, which is a constant."""
    return len(value.cases) == 1 and isinstance(value.cases[0].value, ir.Const)


def _assembled(world: World, game: ir.GameRules) -> ir.GameRules:
    lowered: list[Any] = [known.lowered for known in world.values]
    values = tuple(now or was for now, was in zip(lowered, game.values, strict=True))
    return attrs.evolve(
        game,
        values=values,
        procedures=tuple(world.procedures.get(one.id, one) for one in game.procedures),
        choices=tuple(world.choices),
        rules=tuple(world.rules),
        sites=tuple(world.sites),
    )
