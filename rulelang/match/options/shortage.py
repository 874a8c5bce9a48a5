"""A parameter with too little to choose from -> the reason, in the names of the game.

buy(red, cards in 4 of those that count as red)      It takes 4 of the cards that count as red: there are only 2
"""

from __future__ import annotations

from rulelang.errors import RuntimeRules
from rulelang.ir.model import Branch, CallValue, Contents, Enumeration, Expr, GameRules, Kind, Parameter
from rulelang.ir.types import NONE, IntType, SetType, Type
from rulelang.knowledge.redaction import name_of, said_value, said_zone
from rulelang.machines.evaluate import Locals, sequence
from rulelang.machines.walk import Evaluation
from rulelang.match.options.explain import Reason
from rulelang.match.position import Position
from rulelang.program.layout import flat
from rulelang.program.values import clean


def lack(position: Position, branch: Branch, number: int, locals: Locals) -> Reason:
    """Returns the reason that nothing can be chosen for a parameter, when those before it are known."""
    site, parameter = position.game.sites[branch.site], branch.parameters[number]
    look = Evaluation(position.row, position.game, position.layout)
    there = len(sequence(parameter.domain, look, dict(locals)))
    wanted = 1 if parameter.low is None else look.value(parameter.low, dict(locals))
    (name, is_zone), (one, many) = _domain_name(look, parameter, locals), _nouns(position.game, parameter.variable.type)
    if wanted == NONE or there >= wanted:
        message = f"no number of {many} can be chosen"
    elif there:
        of = f" of {name}" if name else f" {many}"
        message = f"it takes {wanted}{of}: there {'is' if there == 1 else 'are'} only {there}"
    elif is_zone:
        message = f"there is nothing in {name}"
    else:
        message = f"{name}: none" if name else f"there is no {one} to choose"
    return Reason(message[:1].upper() + message[1:], site.clauses, site.span)


def _domain_name(look: Evaluation, parameter: Parameter, locals: Locals) -> tuple[str, bool]:
    """Returns the name for people of a parameter's domain, if it is a zone or a value that has one, else ""; and whether
    it is a zone."""
    game, source = look.game, parameter.domain
    of: Expr | None = source.pile if source.mask is None else None if source.pile is not None else source.mask
    try:
        match of:
            case CallValue(value=number, arguments=arguments) if game.values[number].called is not None:
                value = game.values[number]
                keys = zip((look.value(one, dict(locals)) for one in arguments), value.parameters, strict=True)
                return said_value(value, [name_of(key, parameter.type, game) for key, parameter in keys]), False
            case Contents(zone=number, index=index):
                zone = game.zones[number]
                at = flat(zone.dimensions, tuple(look.value(one, dict(locals)) for one in index))
                return (said_zone(game, zone, at), True) if at >= 0 else ("", False)
            case _:  # no other expression has a name
                return "", False
    except (RuntimeRules, KeyError):
        return "", False


def _nouns(game: GameRules, type: Type) -> tuple[str, str]:
    """Returns the words for one and for several values of a parameter's type."""
    element = type.element if isinstance(type, SetType) else type
    nouns: tuple[Kind | Enumeration, ...] = (*game.kinds, *game.enums)
    for noun in nouns:
        if noun.name == getattr(element, "name", ""):
            return clean(noun.label or noun.name), clean(noun.plural or noun.label or noun.name)
    return ("number", "numbers") if isinstance(element, IntType) else ("value", "values")
