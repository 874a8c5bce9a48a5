"""An interpreter that settles what explicit chance leaves open, where a step reads it, and says what its locals stand for."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import Loop, Over, Pick, Show, Statement, Witness, Zone
from rulelang.ir.numbers import Slot, Thing
from rulelang.ir.walk import walk
from rulelang.machines.chance import Watched
from rulelang.machines.evaluate import Evaluator, Locals, zone_at
from rulelang.machines.interpreter import CutGame, Interpreter
from rulelang.machines.settling.late_chance import LateExplicit
from rulelang.machines.settling.names import Names
from rulelang.machines.settling.streams import ordered_reads
from rulelang.machines.walk import Evaluation
from rulelang.program.blocks import Block
from rulelang.program.layout import state_at
from rulelang.program.packing import items


@attrs.define(eq=False, repr=False)
class SettlingEvaluation(Evaluation):
    """An evaluation that has a pile settled before it reads its order."""

    settle: Callable[[Zone, int, int | None], None] | None = None
    names: Names | None = None

    def from_top(self, zone: Zone, instance: int, first: int | None = None) -> list[Thing]:
        """Returns the first things in a zone, once they are settled."""
        if self.settle is not None:
            self.settle(zone, instance, first)
        return super().from_top(zone, instance, first)

    def _over(self, over: Over, locals: Locals) -> int:
        result = super()._over(over, locals)
        if self.names is not None:
            self.names.found(over, result)
        return result

    def _pick(self, pick: Pick, locals: Locals) -> int:
        if self.names is None:
            return super()._pick(pick, locals)
        with self.names.within(locals):
            return super()._pick(pick, locals)


class SettlingInterpreter(Interpreter):
    """An interpreter that settles the order of a pile, as far as it is open, where a step reads it.

    `reordered` is called with the kind, the place and the new order of a pile whose things have changed places.
    """

    evaluation = SettlingEvaluation

    def __init__(self, cut: CutGame, late: LateExplicit) -> None:
        super().__init__(cut, Watched(late))
        self.late = late
        self.names = Names(self.game, self.control)
        late.names = lambda kind: self.names.of(kind, self.row, self._locals, self._deferred)
        self.reordered: Callable[[int, int, list[Thing]], None] | None = None

    def _look(self, target: int = 0) -> Evaluator:
        look = super()._look(target)
        assert isinstance(look, SettlingEvaluation)
        look.settle, look.names = self._settle_first, self.names
        return look

    def _run_block(self, block: Block) -> int:
        self.names.block = block.id
        return super()._run_block(block)

    def _run(self, body: tuple[Statement, ...], locals: Locals) -> None:
        with self.names.within(locals):
            super()._run(body, locals)

    def _settled(self, loop: Loop, locals: Locals) -> list[int]:
        members = super()._settled(loop, locals)
        self.names.goes_over(loop, members)
        return members

    def _slot(self, zone: Zone, instance: int) -> Slot:
        return Slot(self.layout.zones[zone.id] + instance)

    def _settle_first(self, zone: Zone, instance: int, first: int | None) -> None:
        self._tell(zone, instance, self.late.settle(self.row, self._slot(zone, instance), first))

    def _tell(self, zone: Zone, instance: int, is_changed: bool) -> None:
        if is_changed and self.reordered is not None:
            order = items(self.row[self._slot(zone, instance)])
            self.reordered(zone.kind, zone.first_place + instance, order)

    def _settle_around(self, kind: int, thing: Thing) -> None:
        """Settles the pile in which a thing lies open that somebody is shown where it lies."""
        if self.late.holding(kind, thing) is not None:
            place = self.row[self.layout.places[kind] + thing]
            self._settle_first(*zone_at(self.game, self.layout, kind, place), None)

    def _change(self, statement: Statement, locals: Locals) -> None:
        if isinstance(statement, Witness):
            # Traced or not, the same is asked for, so that inputs of one play in the other.
            self._settle_for(statement, locals)
        super()._change(statement, locals)

    def _settle_for(self, witness: Witness, locals: Locals) -> None:
        """Settles what the trace reads to find who may know the value that the next statement reads."""
        for part, first in ordered_reads(walk(witness.of)):
            zone = self.game.zones[part.zone]
            try:
                some = [self._question().instance(zone, part.index, dict(locals))]
            except (RuntimeRules, KeyError):
                some = list(range(self.layout.zone_sizes[zone.id]))
            for instance in some:
                if instance >= 0:
                    self._settle_first(zone, instance, first)

    def _shuffle(self, zone: Zone, instance: int, site: int) -> None:
        self.late.pile = self._slot(zone, instance)
        super()._shuffle(zone, instance, site)

    def _take_away(self, thing: Thing, zone: Zone, instance: int) -> None:
        self._tell(zone, instance, self.late.lets_go(self.row, self._slot(zone, instance), thing))
        super()._take_away(thing, zone, instance)

    def _show_one(self, show: Show, thing: Thing, seats: int) -> None:
        self._settle_around(show.kind, thing)
        super()._show_one(show, thing, seats)

    def _write(self, slot: Slot, value: int, site: int) -> None:
        if self._pass is None and state_at(self.game, self.layout, slot) is None:
            self._settle_around(*self._face_at(slot))
        super()._write(slot, value, site)
