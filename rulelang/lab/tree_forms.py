"""A match -> what tells the nodes of a tree search in it apart, and the options at a node, as numbers for machine code.

What is written alike has the same number, as in `mcts`, which compares texts:

    take(ruby)      the ruby on the left and the one on the right are one option, if only one of them is on offer
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rulelang.ir.model import Branch, GameRules
from rulelang.ir.types import SetType, Type
from rulelang.knowledge.redaction import kind_of
from rulelang.knowledge.secrets import Secrets
from rulelang.match.match import BareMatch
from rulelang.program.results import BranchForm, ParameterForm, TreeForms


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
    kinds = [(kind.classes, _firsts(kind.names)) for kind in game.kinds]
    answers = [_branches(game, secrets, choice.branches) for choice in game.choices]
    return TreeForms(kinds, zones, answers)


def _firsts(names: Sequence[str]) -> list[int]:
    """Returns the lowest number with the same name, by number.

    >>> _firsts(["ruby", "opal", "ruby"])
    [0, 1, 0]
    """
    first: dict[str, int] = {}
    return [first.setdefault(name, number) for number, name in enumerate(names)]


def _branches(game: GameRules, secrets: Secrets, branches: Sequence[Branch]) -> list[BranchForm]:
    numbers = _firsts([branch.name for branch in branches])
    return [
        BranchForm(number, any(secrets.parameters(branch)), [_form(game, p.variable.type) for p in branch.parameters])
        for number, branch in zip(numbers, branches, strict=True)
    ]


def _form(game: GameRules, type: Type) -> ParameterForm:
    kind = kind_of(type, game)
    if kind is None or len(set(kind.names)) == len(kind.names):
        return "plain", -1
    return "mask" if isinstance(type, SetType) else "value", kind.id
