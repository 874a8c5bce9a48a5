"""An edit, and what a scenario came by when it passed -> whether the edit can change the verdict.

    edit = EditReach.between(rules, edited)
    edit.reaches(node, came_by)          False: by the edited rules it runs as it did, line by line

A verdict follows from the text of the scenario, what its names mean, and the parts of the game that its runs come by
(`ir.encoding.parts`). Only what a seat knows follows from the rules as a whole.
"""

from __future__ import annotations

import re
from functools import cached_property

import attrs

from rulelang.api import Game
from rulelang.ir.encoding.parts import RunParts
from rulelang.ir.scenarios import AfterLine, CanLine, Scenario
from rulelang.scenarios.run import Ran, Visibilities
from rulelang.semantics.reach import differing
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

ANSWER = "value"
"""The name of the options that are answers with a bare value, which a scenario writes without any name."""


@attrs.frozen(slots=False, eq=False)
class JudgingRules:
    """Rules by which scenarios are played."""

    game: Game
    visibilities: Visibilities = attrs.field(factory=dict)

    @cached_property
    def parts(self) -> RunParts:
        """The parts that runs come by."""
        return RunParts.of(self.game.ir)

    def came_by(self, ran: Ran) -> frozenset[str]:
        """Returns the parts that a scenario has come by."""
        return self.parts.come_by(ran.rules, ran.branches, ran.scenario, asks_why=_asks_why(ran.scenario))

    @cached_property
    def spoken(self) -> dict[str, set[object]]:
        """The options and rules of each name, which scenarios call by it."""
        found: dict[str, set[object]] = {}
        for choice in self.game.ir.choices:
            for branch in choice.branches:
                types = tuple(parameter.variable.type for parameter in branch.parameters)
                found.setdefault(branch.name, set()).add(("option", branch.declines, types))
        for rule in self.game.ir.rules:
            types = tuple(parameter.type for parameter in rule.parameters)
            found.setdefault(rule.name, set()).add((rule.what, types))
        return found


@attrs.frozen
class EditReach:
    """The differences between the rules before and after an edit, as far as scenarios meet them."""

    parts: frozenset[str]
    """The parts that runs may come by."""
    names: re.Pattern[str] | None
    """Matches the names that may mean something else."""
    is_at_large: bool
    """Whether anything may be different."""
    is_felt: bool
    """Whether what seats know may be different."""

    @classmethod
    def between(cls, before: JudgingRules, after: JudgingRules) -> EditReach:
        """Returns the differences between two sets of rules."""
        old, new = before.spoken, after.spoken
        names = differing(before.game.internals.world, after.game.internals.world)
        said = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
        is_felt = before.game.text_hash != after.game.text_hash
        if names is None or ANSWER in said:
            return cls(frozenset(), None, is_at_large=True, is_felt=is_felt)
        every = sorted(names | said)
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, every))})\b", re.IGNORECASE) if every else None
        return cls(before.parts.differing(after.parts), pattern, is_at_large=False, is_felt=is_felt)

    def reaches(self, scenario: nodes.ScenarioDeclaration, came_by: frozenset[str]) -> bool:
        """Returns whether a scenario that came by some parts may have another verdict now."""
        if self.is_at_large or not came_by.isdisjoint(self.parts):
            return True
        if self.names is not None and self.names.search(scenario.span.text):
            return True
        return self.is_felt and is_beyond(scenario)


def _asks_why(scenario: Scenario) -> bool:
    """Returns whether a scenario expects that an answer is refused because of some clauses."""
    every = (*scenario.opening, *scenario.arranged, *scenario.lines)
    within = [line.lines if isinstance(line, AfterLine) else (line,) for line in every]
    return any(isinstance(line, CanLine) and line.clauses and not line.legal for lines in within for line in lines)


def is_beyond(scenario: nodes.ScenarioDeclaration) -> bool:
    """Returns whether a scenario says who knows what, which follows from the rules as a whole, or begins in the middle of
    them."""
    return any(
        (isinstance(part, nodes.ExpectStep) and part.form in ("sees", "blind"))
        or (isinstance(part, nodes.GivenStep | nodes.DrawnStep) and isinstance(part.at, nodes.TextNode))
        for part in walk(scenario)
    )
