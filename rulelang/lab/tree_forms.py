"""A match -> what tells the nodes of a tree search in it apart, and the options at a node, as numbers for machine code.

What is written alike has the same number, as in `mcts`, which compares texts:

    take(ruby)      the ruby on the left and the one on the right are one option, if only one of them is on offer
"""

from __future__ import annotations

from typing import cast

from rulelang.ir.model import Branch, GameRules
from rulelang.ir.types import EnumType, FlagType, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.knowledge.redaction import VALUE
from rulelang.knowledge.secrets import Secrets
from rulelang.match.match import BareMatch
from rulelang.program.randomness import key_of, signed
from rulelang.program.results import BranchForm, ParameterForm, TreeForms
from rulelang.program.values import written


def tree_forms(match: BareMatch) -> TreeForms:
    """Returns the forms of a match's game, which are made once."""
    kept = match.visibility.references
    if "tree" not in kept:
        kept["tree"] = _forms(match)
    return cast(TreeForms, kept["tree"])


def _forms(match: BareMatch) -> TreeForms:
    game, secrets = match.game, match.internals.secrets
    open_slots = {
        match.internals.layout.zones[zone.id] + at
        for zone in game.zones
        if zone.visible == "all" and zone.name != "box"
        for at in range(match.internals.layout.zone_sizes[zone.id])
    }
    zones = [(zone.slot, zone.form, zone.kind) for zone in match.internals.references.zones if zone.slot in open_slots]
    answers = _AnswerForms(game, secrets)
    branches = [list(map(answers.of, choice.branches)) for choice in game.choices]
    return TreeForms([kind.classes for kind in game.kinds], zones, answers.names, branches)


def number_of(text: str) -> int:
    """Returns a number for a text: that which it says, if it is one, else 64 bits.

    >>> number_of("-12"), number_of("012") == 12
    (-12, False)
    """
    is_number = len(text) < 12 and text.removeprefix("-").isdecimal() and str(int(text)) == text
    return int(text) if is_number else signed(key_of(text))


class _AnswerForms:
    """The forms of branches, and the numbers of the names of values."""

    def __init__(self, game: GameRules, secrets: Secrets) -> None:
        self._game, self._secrets = game, secrets
        self.names: list[list[int]] = []
        self._tables: dict[Type, int] = {}

    def of(self, branch: Branch) -> BranchForm:
        """Returns the form of a branch."""
        types = [parameter.variable.type for parameter in branch.parameters]
        is_bare = branch.name == VALUE and len(types) > 0
        return BranchForm(
            0 if is_bare else number_of(branch.name),
            any(self._secrets.parameters(branch)),
            any(self._has_copies(type) for type in types),
            [self._form(type) for type in types],
        )

    def _form(self, type: Type) -> ParameterForm:
        element = type.element if isinstance(type, SetType) else type
        if element is type and not isinstance(type, KindType | EnumType | FlagType):
            return "plain", 0
        if element not in self._tables:
            self._tables[element] = len(self.names)
            offset = offset_of(element) if element is not type else 0
            many = offset + first_of(element) + size_of(element)
            self.names.append([number_of(written(bit - offset, element, self._game)) for bit in range(many)])
        return "value" if element is type else "mask", self._tables[element]

    def _has_copies(self, type: Type) -> bool:
        element = type.element if isinstance(type, SetType) else type
        kind = self._game.kind_called.get(element.name) if isinstance(element, KindType) else None
        return kind is not None and len(set(kind.names)) < len(kind.names)
