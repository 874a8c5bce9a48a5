"""Records of the viewers who may know a local, made when it is bound and looked up when words mention it.

A viewer who can identify a thing by its place may read its name, unless it is secret which thing is meant. Without a
record, everyone may know a public local and nobody a secret one; if knowledge is not kept, everyone knows everything.

    let due = q.debt                                 q alone may see q.debt, so the record of `due` is q
    p chooses one of: pay "Pay {due}": …             p reads "Pay ?", whatever q.debt is now
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.facts import kind_of
from rulelang.ir.model import (
    CHOOSER,
    FIRST_WAY,
    THROWS,
    And,
    Const,
    Either,
    Expr,
    Local,
    Op,
    Or,
    Over,
    Pick,
    Roll,
    Source,
)
from rulelang.ir.numbers import Mask, Row, Thing
from rulelang.ir.types import NONE, KindType
from rulelang.ir.walk import walk
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import EVERYONE, NOBODY
from rulelang.knowledge.rendering import Looking, Pointing, local_seers
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.evaluate import Locals
from rulelang.machines.walk import Evaluation
from rulelang.program.packing import members


@attrs.define
class Witnesses:
    """The records of the locals in one position; `noted` maps a local to those who may know it. A value, not frozen because
    several are made at each choice."""

    visibility: Visibility
    secrets: Secrets
    knowledge: Knowledge | None
    noted: Mapping[int, Mask]

    def told(self, locals: Locals, row: Row) -> dict[int, int]:
        """Returns, for each of some locals, the viewers who may know it."""
        return {id: self._may_know(id, value, row) for id, value in locals.items()}

    def _may_know(self, id: int, value: int, row: Row) -> int:
        if self.knowledge is None:
            return EVERYONE
        type, is_secret = self.secrets.things.get(id), id in self.secrets.locals
        if type is None:
            return self.noted.get(id, 0 if is_secret else EVERYONE)
        if is_secret:
            return self.noted.get(id, 0) & local_seers(self.knowledge, self.visibility.game, type, value)
        return Pointing(self.visibility, row, self.knowledge).of_all(type, value)

    def found(self, number: int, values: tuple[int, ...], row: Row) -> tuple[int, tuple[Thing, ...]] | None:
        """Returns the kind and the things that a witness finds in a place; None if it names things, draws, or finds
        nothing."""
        witness, lying = self.secrets.witnesses[number], self.secrets.looked_up.get(number)
        if lying is None:
            return None
        part, type = witness.of[0], self.secrets.things.get(witness.local)
        game, locals = self.visibility.game, dict(zip(witness.reads, values, strict=True))
        try:
            value = Evaluation(row, game, self.visibility.layout).value(part, locals)
        except (RuntimeRules, KeyError):
            return None
        kind = kind_of(type, game)
        kind_id = game.zones[lying.zone].kind if kind is None else kind.id
        if isinstance(type, KindType):
            return None if value == NONE else (kind_id, (Thing(value),))
        return kind_id, tuple(map(Thing, members(value)))

    def mixed(self, number: int, values: tuple[int, ...], row: Row) -> Knowledge:
        """Returns the knowledge after piles may have been shuffled, as a witness says."""
        knowledge, aware = self.knowledge, self.seers(number, values, row)
        assert knowledge is not None
        for pile in (part.value for part in self.secrets.witnesses[number].of if isinstance(part, Const)):
            zone = self.visibility.game.zones[pile]
            for instance in range(self.visibility.layout.zone_sizes[pile]):
                seen = self.visibility.of_zone(zone, instance, row)
                knowledge = knowledge.mixed(zone.kind, zone.first_place + instance, aware=aware | seen)
        return knowledge

    def seers(self, number: int, values: tuple[int, ...], row: Row) -> Mask:
        """Returns the viewers who may know a local that is about to be bound, from the values that its witness depends
        on."""
        witness = self.secrets.witnesses[number]
        if witness.local == CHOOSER:
            return Mask(1 << values[0])
        if number in self.secrets.evident:
            return EVERYONE
        locals, seers, is_local = dict(zip(witness.reads, values, strict=True)), EVERYONE, True
        try:
            parts = self._parts(number)
            for part in parts:
                if type(part) is Local:
                    seers = Mask(seers & self._may_know(part.id, locals[part.id], row))
                else:
                    is_local = False
            if not is_local:
                seers = Mask(seers & self._who_can_work_out(parts, witness.local, locals, row))
        except (RuntimeRules, KeyError):
            return NOBODY
        for way in witness.of:
            if type(way) is Local and way.id <= FIRST_WAY:
                seers = Mask(seers & self.noted.get(way.id, EVERYONE))
        return seers

    def _who_can_work_out(self, parts: tuple[Expr, ...], local: int, locals: Locals, row: Row) -> Mask:
        """Returns the viewers who may know everything that some expressions read, on which a local depends."""
        # A roll is known to those who see its destination now, not to those who happen to know the old value there.
        known, game = None if local == THROWS else self.knowledge, self.visibility.game
        told = self.told(locals, row)
        look = Looking(row, game, self.visibility.layout, visibility=self.visibility, knowledge=known, told=told)
        for part in parts:
            look.value(part, locals)
        return look.seers

    def _parts(self, number: int) -> tuple[Expr, ...]:
        """Returns the expressions without chance that a witness depends on; raises KeyError as `_without_chance` does."""
        kept = self.secrets.without_chance
        if number not in kept:
            witness = self.secrets.witnesses[number]
            parts = tuple(part for part in witness.of if not isinstance(part, Local) or part.id > FIRST_WAY)
            kept[number] = tuple(_without_chance(parts, self.secrets))
        return kept[number]


def _without_chance(part: object, secrets: Secrets) -> Iterator[Expr]:
    """Yields an expression that draws nothing; for one that draws, its parts, including parts that the draw may skip.

    Raises KeyError if which part is read depends on chance and that part may be private.
    """
    match part:
        case tuple():
            for inner in part:
                yield from _without_chance(inner, secrets)
        case Source(mask=mask, pile=pile):
            yield from _without_chance((mask, pile), secrets)
        case None | str() | int():
            pass
        case _ if not secrets.draws(part):
            yield part  # type: ignore[misc]
        case Roll() | Pick() | Op() | And() | Or() | Either():
            yield from _without_chance(tuple(getattr(part, field.name) for field in attrs.fields(type(part))), secrets)
        case _:  # any other drawing expression binds names of its own
            own = [name.id for node in walk(part) if isinstance(node, Over) for name in node.names]
            if secrets.course.depends(part, but=own):
                raise KeyError(type(part).__name__)
