"""Facts about an expression known without running it: its declared type, and what the conditions around it imply.

if x != none and x < 4: …        inside: x is not none, and x is at most 3
    elif …                           inside: at least one of the two does not hold
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.ir import model as ir
from rulelang.ir.model.operators import INVERSE, MIRRORED
from rulelang.ir.types import NONE, KindType, SetType, Type
from rulelang.ir.walk import walk


def declared_type(expr: ir.Expr, game: ir.GameRules, locals: Mapping[int, Type]) -> Type | None:
    """Returns the declared type of an expression's value; None for a local whose type is not given."""
    match expr:
        case ir.Read(state=state):
            return game.states[state].type
        case ir.CallValue(value=value):
            return game.values[value].type
        case ir.Cell(data=data, column=column):
            return game.data[data].columns[column].type
        case ir.Column(table=table):
            return game.tables[table].type
        case ir.Local(id=id):
            return locals.get(id)
        case _:  # no other expression is declared with a type
            return None


def kind_of(type: Type | None, game: ir.GameRules) -> ir.Kind | None:
    """Returns the kind of movable things in values of a type, or None."""
    inner = type.element if isinstance(type, SetType) else type
    if not isinstance(inner, KindType):
        return None
    kind = game.kind_called.get(inner.name)
    return kind if kind is not None and kind.movable else None


def pointing_at_hidden(game: ir.GameRules) -> Iterator[tuple[ir.StateVariable, ir.Kind]]:
    """Yields the variables that hold things (or sets of them) which may lie in hidden zones, each with the kind."""
    hidden = {zone.kind for zone in game.zones if zone.visible != "all"}
    for state in game.states:
        kind = kind_of(state.type, game)
        if kind is not None and kind.id in hidden:
            yield state, kind


def conjuncts(fact: ir.Expr) -> Iterator[ir.Expr]:
    """Yields the conjuncts of a condition; `not` remains only before an operator that has no inverse."""
    match fact:
        case ir.And(arguments=arguments):
            for argument in arguments:
                yield from conjuncts(argument)
        case ir.Openly(condition=inner):
            yield from conjuncts(inner)
        case ir.Op(name="not", arguments=(inner,)):
            yield from _denied(inner, fact)
        case _:  # any other condition is one by itself
            yield fact


def _denied(inner: ir.Expr, fact: ir.Expr) -> Iterator[ir.Expr]:
    match inner:
        case ir.Op(name="not", arguments=(twice,)):
            yield from conjuncts(twice)
        case ir.Openly(condition=plain):
            yield from _denied(plain, ir.Op("not", (plain,)))
        case ir.Or(arguments=arguments):
            for argument in arguments:
                yield from conjuncts(ir.Op("not", (argument,)))
        case ir.Op(name="==" | "!=" as name, arguments=arguments):
            yield ir.Op(INVERSE[name], arguments)
        case _:  # any other negation stays as it is
            yield fact


def mirrored(test: ir.Expr) -> ir.Expr | None:
    """Returns a comparison with its sides exchanged; None for any other expression."""
    match test:
        case ir.Op(name=name, arguments=(left, right)) if name in MIRRORED:
            return ir.Op(MIRRORED[name], (right, left))
        case _:  # any other test cannot be turned round
            return None


def is_certain(expr: ir.Expr, facts: tuple[ir.Expr, ...]) -> bool:
    """Returns whether these facts imply that an expression is not none."""
    none = ir.Const(NONE)
    for node in (part for fact in facts for part in conjuncts(fact)):
        match node:
            # An ordering with none is false, and none is in no set.
            case ir.Op(name="<" | "<=" | ">" | ">=", arguments=sides) if expr in sides:
                return True
            case ir.Op(name="in", arguments=(member, _)) if member == expr:
                return True
            case ir.Op(name="==", arguments=sides) if expr in sides and none not in sides:
                other = sides[1] if sides[0] == expr else sides[0]
                if isinstance(other, ir.Const | ir.Local):
                    return True
            case ir.Op(name="!=", arguments=sides) if expr in sides and none in sides:
                return True
            case _:  # any other fact allows none
                pass
    return False


LOCAL = frozenset((ir.Const, ir.Local, ir.Op, ir.Counted))
"""The expressions whose values depend on locals alone."""


def sentence_holes(rule: ir.Rule) -> tuple[ir.Expr, ...]:
    """Returns the expressions that the sentences of a rule compute from the position: its holes that read more than locals,
    in order."""
    templates = (rule.told or rule.label, rule.otherwise)
    parts = (part for template in templates if template is not None for part in template.parts)
    holes = (part.of if isinstance(part, ir.Counted) else part for part in parts if not isinstance(part, str))
    return tuple(hole for hole in holes if not LOCAL.issuperset(map(type, walk(hole))))
