"""Options of one choice that read alike: IR -> a warning for each pair that people cannot tell apart.

    enum Lane: left "the way", right "The way"     W0513: p chooses lane in Lane
    action rest(p) "Wait" … action stay(p) "Wait"  W0513: p chooses one of rest, stay

Words read alike if they differ only in case, blanks, underscores, the composition of accents, or number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator
from itertools import combinations

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import EnumType, KindType, SetType, Type
from rulelang.program.packing import members
from rulelang.program.values import plain, plural, written
from rulelang.semantics.declarations.words import said
from rulelang.semantics.names.scope import World

VALUE = "value"
"""The name of the branch in a choice of a value."""
MOST_COMPARED = 400
"""The most things of a kind that are compared; nobody reads a longer list."""


def check_alike(world: World, game: ir.GameRules) -> None:
    """Warns of two options of a choice, or two values of a parameter, that read alike."""
    reported: set[Hashable] = set()
    for choice in game.choices:
        for one, other in combinations(choice.branches, 2):
            first, second = game.rules[one.rule], game.rules[other.rule]
            key = frozenset((first.id, second.id))
            if key not in reported and _shape(game, one) == _shape(game, other):
                reported.add(key)
                label = Label(first.span, "the other one")
                message = f"`{one.name}` and `{other.name}` read alike where one of them is chosen"
                world.sink.report("W0513", message, second.span, labels=(label,), help="give one of them other words")
        for branch in choice.branches:
            for parameter in branch.parameters:
                for name, first_form, second_form in _alike(world, game, parameter):
                    pair = (first_form, second_form, str(parameter.variable.type))
                    if pair not in reported:
                        reported.add(pair)
                        message = f"`{first_form}` and `{second_form}` read alike where one of them is chosen: “{name}”"
                        help_ = "give one of them a name of its own, `called` or in quotes behind it"
                        rule = game.rules[branch.rule]
                        is_named = branch.name != VALUE and rule.what in ("action", "option")
                        span = rule.span if is_named else game.sites[choice.site].span
                        world.sink.report("W0513", message, span, help=help_)


def same_words(text: str) -> str:
    """Returns a key that is equal for texts that read alike.

    >>> same_words("Ion_Cannons") == same_words("ion  cannon")
    True
    """
    words = unicodedata.normalize("NFC", plain(text)).casefold().split()
    return " ".join([*words[:-1], _one(words[-1])]) if words else ""


def _one(word: str) -> str:
    """Returns the singular of a word: the inverse of `plural`."""
    for cut in (word[:-1], word[:-2], f"{word[:-3]}y"):
        if len(cut) > 1 and plural(cut) == word:
            return cut
    return word


def _shape(game: ir.GameRules, branch: ir.Branch) -> tuple[Hashable, ...]:
    """Returns a branch's label in menus, with the type of each hole."""
    label = game.rules[branch.rule].label
    types = tuple(str(parameter.variable.type) for parameter in branch.parameters)
    if label is None:
        return (plain(branch.name).casefold() if branch.name != VALUE else VALUE, *types)
    parts = zip(label.parts, label.types, strict=True)
    # Who acts is no choice.
    chosen = {variable.id for variable in game.rules[branch.rule].parameters[1:]}
    return tuple(
        same_words(part)
        if isinstance(part, str)
        # Two parameters of one type take the same values, whichever comes first.
        else (str(type), "chosen" if isinstance(part, ir.Local) and part.id in chosen else str(part))
        for part, type in parts
    )


def _alike(world: World, game: ir.GameRules, parameter: ir.Parameter) -> Iterator[tuple[str, str, str]]:
    """Yields the name that two values of a parameter share, and the written form of each; copies of a thing count once."""
    type: Type | None = parameter.variable.type
    if isinstance(type, SetType):
        type = type.element
    if not isinstance(type, (EnumType, KindType)):
        return
    kind = next((kind for kind in game.kinds if isinstance(type, KindType) and kind.name == type.name), None)
    found: dict[str, tuple[int, str]] = {}
    for value in _values(parameter, type):
        alike = kind.classes[value] if kind is not None and value < len(kind.classes) else value
        name, form = said(world, value, type), written(value, type, game)
        before = found.setdefault(same_words(name), (alike, form))
        if before[0] != alike:
            yield name, before[1], form


def _values(parameter: ir.Parameter, type: EnumType | KindType) -> list[int]:
    mask = parameter.domain.mask
    if isinstance(mask, ir.Const) and mask.value >= 0:
        return members(mask.value)[:MOST_COMPARED]
    size = len(type.members) if isinstance(type, EnumType) else type.size
    return list(range(min(size, MOST_COMPARED)))
