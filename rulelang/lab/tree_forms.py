"""A match -> what tells the nodes of a tree search in it apart, and the options at a node, as numbers for machine code.

What is written alike has the same number, as in `mcts`, which compares texts:

    take(ruby)      the ruby on the left and the one on the right are one option, if only one of them is on offer
"""

from __future__ import annotations

from typing import cast

from rulelang.ir.model import Branch, GameRules
from rulelang.ir.numbers import Seat, seats_of
from rulelang.ir.types import EnumType, FlagType, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.knowledge.redaction import VALUE
from rulelang.knowledge.secrets import Secrets
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import sight_of
from rulelang.program.randomness import key_of, signed
from rulelang.program.results import BranchForm, ParameterForm, SeenSlot, TreeForms
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


def seen_by_others(match: BareMatch, seat: Seat) -> list[list[SeenSlot]] | None:
    """Returns, by seat, the slots that it sees and the given seat does not; None if some seat knows more than it sees, or sees an
    order, or variables refer to things."""
    sights = [sight_of(match, other) for other in seats_of(match.players)]
    seen, own = [sight for sight in sights if sight is not None], sights[seat]
    spoken_of = any(match.game.kinds[holder.kind].movable for holder in match.internals.references.variables)
    if own is None or len(seen) < len(sights) or spoken_of:
        return None
    kinds = [kind.id for kind in match.game.kinds if kind.movable]
    found: list[list[SeenSlot]] = []
    for sight in seen:
        slots_seen: list[SeenSlot] = []
        for number, mine, theirs in zip(kinds, own.kinds, sight.kinds, strict=True):
            unseen = {slot for slot, _, _ in theirs.hidden}
            for slot, form, _ in mine.hidden:
                if slot not in unseen and form == "pile":
                    return None
                if slot not in unseen and form != "pile":
                    slots_seen.append((slot, form, number))
        unseen = {slot for slot, _ in sight.cells}
        slots_seen += [(slot, "plain", 0) for slot, _ in own.cells if slot not in unseen]
        found.append(slots_seen)
    return found
