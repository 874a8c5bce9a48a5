"""A step that waits for chance -> the possible outcomes with their probabilities, in words.

roll(d6)      Possible(1, 1/6, "d6 -> 1") … Possible(6, 1/6, "d6 -> 6")
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import attrs

from rulelang.ir.model import GameRules
from rulelang.ir.picks import told_name
from rulelang.machines.chance import NeedsChance


@attrs.frozen
class Possible:
    """A possible random outcome and its probability."""

    outcome: int
    probability: Fraction
    text: str


def possible(needs: NeedsChance, game: GameRules, picks: Mapping[int, int]) -> tuple[Possible, ...]:
    """Returns the possible outcomes; `picks` are the kinds of things that streams pick (see `ir.picks`)."""
    name = told_name(game, needs.stream)
    kinds = {f"shuffle {zone.name}": zone.kind for zone in game.zones if zone.form == "pile"}
    kind = kinds.get(name, picks.get(needs.stream))

    def text(outcome: int) -> str:
        return f"{name} -> {outcome if kind is None else game.kinds[kind].names[outcome]}"

    return tuple(Possible(outcome, likely, text(outcome)) for outcome, likely in needs.outcomes)
