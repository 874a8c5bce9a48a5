"""A step that waits for chance -> what can come, how likely it is, and how that reads.

roll(d6)      Possible(1, 1/6, "d6 -> 1") … Possible(6, 1/6, "d6 -> 6")
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import attrs

from rulelang.ir.model import GameRules
from rulelang.machines.chance import NeedsChance, Outcome


@attrs.frozen
class Possible:
    """One way a random outcome can come out, and how likely it is."""

    outcome: Outcome
    probability: Fraction
    text: str


def possible(needs: NeedsChance, game: GameRules, picks: Mapping[int, int]) -> tuple[Possible, ...]:
    """Returns the outcomes that are asked for; `picks` says by stream what kind of thing it picks (see `ir.picks`)."""
    name = game.streams[needs.stream]
    kinds = {f"shuffle {zone.name}": zone.kind for zone in game.zones if zone.form == "pile"}
    kind = kinds.get(name, picks.get(needs.stream))

    def text(outcome: Outcome) -> str:
        several = outcome if isinstance(outcome, tuple) else (outcome,)
        return f"{name} -> {', '.join(str(n) if kind is None else game.kinds[kind].names[n] for n in several)}"

    return tuple(Possible(outcome, likely, text(outcome)) for outcome, likely in needs.outcomes)
