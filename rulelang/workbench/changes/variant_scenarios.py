"""The scenarios of a game with variants -> the variants' own, the game's that pass, and those that fail, with reasons.

    variant rich of outspeed "Rich":         "six fuel are left" was written for 9 fuel: it is changed
      constant starting_fuel = 15            by `constant starting_fuel`, without which it passes

A scenario of the game that fails under a variant is explained by the fewest operations without which it passes. A fault
of the rules themselves is never explained: the variant must be corrected.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum

import attrs

from rulelang.api import Game
from rulelang.scenarios.run import ScenarioResult, run_scenarios, variants_own
from rulelang.workbench.changes.edits import Edit, Edits


class ScenarioRelation(Enum):
    """The relation of a scenario to the variants in force."""

    OWN = "own"
    HOLDS = "holds"
    CHANGED = "changed"
    BROKEN = "broken"
    """A scenario of the game that fails without an explanation, or in which the rules failed."""


@attrs.frozen
class Met:
    """One scenario under variants, and the operations that make it fail."""

    result: ScenarioResult
    group: ScenarioRelation
    culprits: tuple[Edit, ...] = ()

    @property
    def counts(self) -> bool:
        """Returns whether this counts as a failure: the variants'
        own scenario, or one without an explanation, fails."""
        return self.group is ScenarioRelation.BROKEN or (self.group is ScenarioRelation.OWN and not self.result.passed)


def meet(game: Game, only: str | None = None, *, executor: str = "both") -> tuple[Met, ...]:
    """Runs a game's scenarios under its variants, and explains those of the game that fail."""
    results = run_scenarios(game, only, executor=executor)
    own = variants_own(game)
    red = frozenset(r.name for r in results if not r.passed and r.name not in own)
    explaining = _Explaining(Edits.of_variants(game), red) if red else None
    met = []
    for result in results:
        if result.name in own:
            met.append(Met(result, ScenarioRelation.OWN))
        elif result.passed:
            met.append(Met(result, ScenarioRelation.HOLDS))
        else:
            assert explaining is not None
            culprits = explaining.of(result)
            went_wrong = any(fault.of_rules for fault in result.faults)
            group = ScenarioRelation.CHANGED if culprits and not went_wrong else ScenarioRelation.BROKEN
            met.append(Met(result, group, culprits))
    return tuple(met)


@attrs.define
class _Explaining:
    """The failing scenarios, and which of them pass in each intermediate game: each game runs all of them once."""

    edits: Edits
    red: frozenset[str]
    _holding: dict[int, frozenset[str]] = attrs.field(factory=dict)

    def of(self, result: ScenarioResult) -> tuple[Edit, ...]:
        """Returns the fewest operations without which a scenario passes."""
        return self.edits.culprits(lambda game: result.name in self._holds(game))

    def _holds(self, game: Game) -> frozenset[str]:
        if id(game) not in self._holding:
            results = run_scenarios(game, titles=self.red)
            self._holding[id(game)] = frozenset(r.name for r in results if r.passed)
        return self._holding[id(game)]


def grouped(met: tuple[Met, ...]) -> tuple[tuple[str, tuple[Met, ...]], ...]:
    """Returns three groups, possibly empty, each with its name and in the order of the files."""
    heads = (
        ("The variant's own:", {ScenarioRelation.OWN}),
        ("Of the game, these hold:", {ScenarioRelation.HOLDS}),
        ("Of the game, these do not:", {ScenarioRelation.CHANGED, ScenarioRelation.BROKEN}),
    )
    return tuple((head, tuple(one for one in met if one.group in of)) for head, of in heads)


def summary(met: tuple[Met, ...]) -> str:
    """Returns the last line: `3 own pass, 116 hold, 22 changed by: constant starting_fuel`."""
    count = Counter(one.group for one in met)
    red = sum(one.group is ScenarioRelation.OWN and not one.result.passed for one in met)
    parts = [f"{red} of {count[ScenarioRelation.OWN]} own fail" if red else f"{count[ScenarioRelation.OWN]} own pass"]
    parts.append(f"{count[ScenarioRelation.HOLDS]} hold")
    if count[ScenarioRelation.BROKEN]:
        parts.append(f"{count[ScenarioRelation.BROKEN]} fail")
    if count[ScenarioRelation.CHANGED]:
        by = Counter(" and ".join(e.name for e in one.culprits) for one in met if one.group is ScenarioRelation.CHANGED)
        several = len(by) > 1
        named = [f"{name} ({times})" if several else name for name, times in by.most_common()]
        parts.append(f"{count[ScenarioRelation.CHANGED]} changed by: {', '.join(named)}")
    return ", ".join(parts)


def voids(met: tuple[Met, ...]) -> tuple[tuple[str, str], ...]:
    """Returns a `void` line for each scenario that the variants change, with the variant to which it belongs."""
    return tuple(
        (one.culprits[0].variant, f'void "{one.result.name}" because "{_reason(one.culprits)}"')
        for one in met
        if one.group is ScenarioRelation.CHANGED
    )


def _reason(culprits: tuple[Edit, ...]) -> str:
    said = (f"{e.name} is new" if e.words.startswith("also ") or not e.words else e.words for e in culprits)
    return " and ".join(said).replace('"', "'")
