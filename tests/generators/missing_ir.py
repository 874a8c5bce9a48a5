"""A seed -> a random game in IR in which sets, flags and cards are looked up of nothing, named and compared.

missing_game(7)    its sets take a word or just one more, and hold the bits that none has, too
"""

from __future__ import annotations

from rulelang.ir.model import (
    Assign,
    CallValue,
    Column,
    Const,
    Either,
    Expr,
    GameRules,
    Op,
    Place,
    Read,
    Statement,
    ValueCase,
)
from rulelang.ir.types import NONE, FlagType, SetType
from tests.generators.ir import Scope
from tests.generators.lasting_ir import WideGame

SIZES = 5, 63, 64, 64, 65, 96, 127, 128, 129


class MissingGame(WideGame):
    """Builds a random game in which much is looked up of nothing."""

    def number_of_cards(self) -> int:
        return self.rng.choice(SIZES)

    def _states(self) -> None:
        super()._states()
        b, card = self.b, self.card
        self.perhaps, self.shown = b.state("perhaps", FlagType(optional=True)), b.state("shown", card.or_none())
        areas = tuple(self.area(card.size) for _ in range(card.size))
        self.areas = b.table("area", (card,), SetType(card), areas)

    def area(self, size: int) -> int:
        """Returns a set of cards: those of which none has the bits in as many words, the last one, or a few."""
        alike = [(1 << bits) + NONE for bits in (64, 128) if bits <= size]
        return self.rng.choice((*alike, *alike, 1 << size - 1, self.some_cards(size), 0))

    def _values(self) -> None:
        kin = self.b.variable("card", self.card.or_none())
        scope = Scope({"card": [kin]})
        cases = [ValueCase(self.flag(scope, 1), self.looked_up(scope, 1)) for _ in range(2)]
        self.kin = self.b.value("kin", (kin,), SetType(self.card), *cases)
        cards = self.b.variable("cards", SetType(self.card).or_none())
        scope = Scope({"cards": [cards]})
        self.grown = self.b.value(
            "grown", (cards,), SetType(self.card), ValueCase(None, self.set_of(scope, "cards", 2))
        )
        super()._values()

    def perhaps_card(self, scope: Scope) -> Expr:
        """Returns a card, or none."""
        return self.pick_one(
            lambda: Read(self.shown, ()),
            lambda: self.a_card(scope, 1),
            lambda: self.local(scope, "card") or Const(NONE),
        )

    def looked_up(self, scope: Scope, depth: int) -> Expr:
        """Returns a set of cards that may be none."""
        return self.pick_one(
            lambda: Column(self.areas, (self.perhaps_card(scope),)),
            lambda: Either(self.flag(scope, 1), self.set_of(scope, "cards", depth - 1), Const(NONE)),
            lambda: self.local(scope, "cards") or Column(self.areas, (self.perhaps_card(scope),)),
        )

    def set_of(self, scope: Scope, sort: str, depth: int) -> Expr:
        if sort != "cards" or depth <= 0 or self.rng.random() < 0.5:
            return super().set_of(scope, sort, depth)
        if not self.num_values:  # the values are not there yet
            return self.looked_up(scope, depth)
        return self.pick_one(
            lambda: self.looked_up(scope, depth),
            lambda: CallValue(self.kin, (self.perhaps_card(scope),)),
            lambda: CallValue(self.grown, (self.looked_up(scope, depth - 1),)),
        )

    def flag(self, scope: Scope, depth: int) -> Expr:
        if depth <= 0 or self.rng.random() < 0.6:
            return super().flag(scope, depth)
        less, perhaps = depth - 1, Read(self.perhaps, ())
        other = self.pick_one(lambda: Const(NONE), lambda: Const(0), lambda: self.set_of(scope, "cards", less))
        return self.pick_one(
            lambda: Op(self.rng.choice(("==", "!=")), (self.looked_up(scope, less), other)),
            lambda: Op("==", (self.set_of(scope, "cards", less), other)),
            lambda: Either(Op("==", (perhaps, Const(NONE))), self.flag(scope, less), perhaps),
            lambda: Op(self.rng.choice(("==", "!=", ">")), (perhaps, self.flag(scope, less))),
        )

    def statement(self, scope: Scope, depth: int) -> Statement:
        if self.rng.random() < 0.85:
            return super().statement(scope, depth)
        value = Const(NONE) if self.rng.random() < 0.3 else None
        if self.rng.random() < 0.5:
            return Assign(Place(self.perhaps, ()), "=", value or self.flag(scope, 1))
        return Assign(Place(self.shown, ()), "=", value or self.perhaps_card(scope))

    def assign(self, scope: Scope) -> Statement:
        found = super().assign(scope)
        if not isinstance(found, Assign) or found.place.state != self.sets["cards"][0][0]:
            return found
        return Assign(found.place, "=", Op("union", (found.value, Const(0))))


def missing_game(seed: int) -> GameRules:
    """Returns the random game of a seed in which much is looked up of nothing."""
    return MissingGame(seed).game()
