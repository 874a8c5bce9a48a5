"""A seed -> a random game in IR with a history of positions: rules count them, and look ahead to those that they lead to.

history_game(7)    positions are recorded around every answer; some games look again after it, as `whenever` does
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import (
    And,
    Ask,
    Assign,
    Cell,
    Const,
    Contents,
    Expr,
    Foreseen,
    GameRules,
    History,
    Occurrences,
    Op,
    Pick,
    Place,
    Read,
    Reveal,
    Roll,
    Show,
    Shuffle,
    Source,
    Statement,
    Whenever,
)
from rulelang.ir.types import LARGEST, FlagType, IntType
from rulelang.ir.walk import walk
from rulelang.ir.weave import weave_whenevers, witness
from tests.generators.ir import Scope
from tests.generators.lasting_ir import LastingGame

MOST = 200
"""The number of positions of a history."""
UNFORESEEABLE = Ask, Pick, Roll, Shuffle, Reveal, Show


class HistoryGame(LastingGame):
    """Builds a random game with a history."""

    def __init__(self, seed: int) -> None:
        self.ahead: list[tuple[int, tuple[str, ...]]] = []
        """Procedures to whose positions the rules look ahead, with the sorts of their parameters."""
        super().__init__(seed)

    def _states(self) -> None:
        super()._states()
        b, rng, counted = self.b, self.rng, IntType(0, 2 * MOST)
        states = [id for id, _ in (*self.nums, *self.players, *(found[0] for found in self.sets.values()))]
        zones = self.discards, self.hand, self.slot, self.deck, self.stacks
        self.history = History(
            tuple(sorted(rng.sample(states, rng.randint(1, 4)))),
            tuple(sorted(rng.sample(zones, rng.randint(0, 3)))),
            MOST,
            b.state("history", IntType(0, LARGEST), (counted,), builtin=True),
            b.state("history written", counted, builtin=True),
            b.state("history stood", counted, builtin=True),
            b.state("history asked", FlagType(), builtin=True),
            b.site("history"),
        )

    def _values(self) -> None:
        super()._handing_on()
        found = [self._foreseeable(f"ahead{i}") for i in range(self.rng.randint(1, 2))]
        self.standing = [self._whenever()] if self.rng.random() < 0.5 else []
        self.ahead = found
        super()._values()

    def _handing_on(self) -> None:
        """Does nothing: what is foreseen hands on, too, and comes first."""

    def _whenever(self) -> Whenever:
        """A standing rule, which uses itself up after a few rounds."""
        n, p = self.nums[0][0], self.b.variable("p", self.player)
        id, _ = self._foreseeable("whenever", ("player",))
        body = (Assign(Place(n, ()), "+", Const(3), Const(0), Const(9)), *self.b.procedures[id].body)
        self.b.procedures[id] = attrs.evolve(self.b.procedures[id], body=body)
        condition = And((Op("<", (Read(n, ()), Const(9))), self.flag(Scope({"player": [p]}), 2)))
        everybody = Source(Read(self.b.all_players, ()))
        return Whenever((p,), (everybody,), condition, id, self.b.site("whenever"))

    def _foreseeable(self, name: str, sorts: tuple[str, ...] | None = None) -> tuple[int, tuple[str, ...]]:
        if sorts is None:
            sorts = tuple(self.rng.choice(("player", "small", "card")) for _ in range(self.rng.randint(0, 2)))
        scope, parameters = self._parameters(sorts)
        body: list[Statement] = []
        while len(body) < 3:
            inner = scope.inner()
            statement = self.statement(inner, 2)
            if not any(map(self._draws, walk(statement))):
                scope = inner
                body.append(attrs.evolve(statement, site=self.b.site("statement")))
        rule = self.b.rule(name, parameters) if self.rng.random() < 0.5 else None
        return self.b.procedure(name, parameters, tuple(body), rule), sorts

    def _draws(self, node: object) -> bool:
        """Returns whether a node asks or draws, or may; a deck that runs empty is shuffled again."""
        match node:
            case Cell(column=0) | Source(pile=Contents(zone=self.deck)):
                return True
            case _:
                return isinstance(node, UNFORESEEABLE)

    def some_num(self, scope: Scope, depth: int) -> Expr:
        if self.ahead and depth > 0 and self.rng.random() < 0.08:
            if self.rng.random() < 0.4:
                return Occurrences()
            id, sorts = self.rng.choice(self.ahead)
            return Foreseen(id, tuple(self.of(sort, scope, 0) for sort in sorts))
        return super().some_num(scope, depth)

    def game(self) -> GameRules:
        """Returns the game."""
        game = attrs.evolve(super().game(), history=self.history, whenevers=tuple(self.standing))
        return witness(weave_whenevers(game))


def history_game(seed: int) -> GameRules:
    """Returns the random game with a history of a seed."""
    return HistoryGame(seed).game()
