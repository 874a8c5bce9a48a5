"""Two games -> the declarations that differ: added, removed or changed, with both texts and the clauses that they cite.

    constant size = 21              constant size = 15              changed, changes play
    "{p} moves {n} forward"         "{p} flies {n} on"              changed, words alone

Whether a difference changes play is tested, not guessed: the first game is checked with that one declaration of the
second game, and its rules hash is compared with that of the first game.
"""

from __future__ import annotations

from enum import Enum

import attrs

from rulelang.api import Game
from rulelang.driver.chain import of_module, run
from rulelang.ir.encoding.digest import rules_digest
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk
from rulelang.variants.targets import TargetPath
from rulelang.workbench.changes.declarations import Declared, declarations_of, declared, differing, phrase


class DifferenceKind(Enum):
    """The fate of a declaration: added, removed or changed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Effect(Enum):
    """The effect of one difference by itself."""

    PLAY = "changes play"
    WORDS = "words alone"
    TOGETHER = "changes play only together with others"
    """With this difference alone, the rules cannot be checked."""


@attrs.frozen
class DeclarationDifference:
    """One declaration that differs between two games; `before` or `after` is "" if the game does not have it."""

    target: str
    """The name in messages: `starting_fuel`, or that of a zone, a hook or a case."""
    kind: DifferenceKind
    effect: Effect
    before: str
    after: str
    clauses: tuple[str, ...]
    """The clauses that either text cites, each once."""
    span: Span = attrs.field(repr=False, eq=False)
    """The place, in the second game if that has it."""


def differences(before: Game, after: Game) -> tuple[DeclarationDifference, ...]:
    """Returns the differences in the order of the first game, with additions of the second at the end.

    >>> from rulelang.api import load
    >>> [d.target for d in differences(load("outspeed"), load("outspeed+sprint"))]
    ['this `aim`', '`legs_of_a_race`', '`after stack_tiles`']
    """
    old, new = declared(before.internals.module), declared(after.internals.module)
    comparing = _Comparing(before, old, new)
    return tuple(comparing.difference(target) for target in differing(old, new))


@attrs.frozen
class _Comparing:
    game: Game
    """The first game."""
    old: dict[TargetPath, Declared]
    new: dict[TargetPath, Declared]

    def difference(self, target: TargetPath) -> DeclarationDifference:
        before, after = self.old.get(target), self.new.get(target)
        kind = (
            DifferenceKind.CHANGED if before and after else DifferenceKind.REMOVED if before else DifferenceKind.ADDED
        )
        there = after or before
        assert there is not None
        cites = [
            cite.id for one in (before, after) if one for cite in walk(one.node) if isinstance(cite, nodes.CiteNode)
        ]
        return DeclarationDifference(
            phrase(target),
            kind,
            self._effect(target, after),
            before.text if before else "",
            after.text if after else "",
            tuple(dict.fromkeys(cites)),
            there.node.span,
        )

    def _effect(self, target: TargetPath, after: Declared | None) -> Effect:
        """Returns the effect of one difference, by checking the first game with it."""
        mixed = dict(self.old)
        if after is not None:
            mixed[target] = after
        else:
            del mixed[target]
        unit = run(of_module(nodes.ModuleNode(tuple(declarations_of(mixed)), span=self.game.internals.module.span)))
        if unit.woven is None or unit.lowered is None:
            return Effect.TOGETHER
        return Effect.WORDS if rules_digest(unit.lowered) == self.game.rules_hash else Effect.PLAY
