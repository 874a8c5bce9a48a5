"""Carries out statements that cannot stop, and tells the trace: assignments, moves, shuffles, reveals.

Inside `simultaneously` the row is a pass's copy, and each write is noted as well (`machines.passes`).

    p.fuel -= 2, at least 0          # Assign: trace.set(fuel, p, 5, 3, site)
    move 2 of stack to p.hand        # Move: trace.move(...) twice, and a refill when the stack runs empty

Invariant: a thing's place and its zone's contents always agree.
"""

from __future__ import annotations

from typing import ClassVar, assert_never, cast

from rulelang.errors import RangeViolation, RuntimeRules
from rulelang.ir.model import (
    Ask,
    Assign,
    BeginBody,
    Bind,
    Call,
    Defer,
    Deferrable,
    Eliminate,
    EndBody,
    Expr,
    Fail,
    Finish,
    GameRules,
    Loop,
    Move,
    Proceed,
    Repeat,
    Return,
    Reveal,
    Settle,
    Show,
    Shuffle,
    Simultaneous,
    Source,
    Stand,
    Statement,
    Stop,
    When,
    Witness,
    Zone,
)
from rulelang.ir.numbers import Row, Slot, Thing
from rulelang.ir.picks import draws_for_cells
from rulelang.ir.steps import CHANCE
from rulelang.ir.types import NONE, IntType, KindType, Type
from rulelang.machines.evaluate import Evaluator, Locals, contents, sequence, zone_at
from rulelang.machines.machine import Chance, LaidEnd, Trace
from rulelang.machines.meter import Account, Meter, account
from rulelang.machines.passes import Pass, Write, merged
from rulelang.program.history import PositionHistory
from rulelang.program.layout import Layout, flat, index_at, is_veiled, state_at
from rulelang.program.operators import operate
from rulelang.program.packing import pack, push, take_item
from rulelang.program.values import within, written
from rulelang.program.violations import slot_violation, violation


class Changes:
    """A row and everything needed to change it: chance, a budget, a trace."""

    evaluation: ClassVar[type[Evaluator]]
    """The class that evaluates what a change reads."""

    def __init__(
        self, game: GameRules, layout: Layout, chance: Chance, trace: Trace | None = None, hits: set[int] | None = None
    ) -> None:
        self.game = game
        self.layout = layout
        self.row: Row = [0] * layout.size
        self.chance = chance
        self.trace = trace
        self.hits = hits
        self.meter: Meter = Account(layout.steps)
        self._at = 0
        """The site that is running, which pays."""
        self._pass: Pass | None = None
        """The running pass of `simultaneously`; None outside."""
        self._entered: dict[tuple[int, int], int] | None = None
        """By zone and instance that a thing has entered in the moves
        of a `simultaneously`: the site of the last such move."""

    # -------------------------------------------------------------- looking

    def _look(self, target: int = 0) -> Evaluator:
        return self.evaluation(self.row, self.game, self.layout, _Told(self), self.hits, self.meter, self._at, target)

    def _question(self) -> Evaluator:
        """Returns an evaluation for a question about the position, with a budget of its own."""
        return self.evaluation(self.row, self.game, self.layout, _Told(self), self.hits, account(self.layout))

    def _value(self, expr: Expr, locals: Locals) -> int:
        return self._look().value(expr, locals)

    def _optional(self, expr: Expr | None, locals: Locals) -> int | None:
        return None if expr is None else self._value(expr, locals)

    def _values(self, exprs: tuple[Expr, ...], locals: Locals) -> tuple[int, ...]:
        return self._look().values(exprs, locals)

    def _holds(self, condition: Expr | None, locals: Locals) -> bool:
        return self._look().holds(condition, locals)

    def _sequence(self, source: Source, locals: Locals) -> list[int]:
        return sequence(source, self._look(), locals)

    def _hit(self, site: int) -> None:
        if self.hits is not None:
            self.hits.add(site)

    def _drawn(self, *outcome: int) -> None:
        """Receives each random outcome (a face, a value, or an order); a subclass may record it."""

    @property
    def at_once(self) -> object | None:
        """The number of the `simultaneously` whose moves are being made, as a token for the trace; None outside."""
        return self._entered

    def _refuse_at_once(self) -> None:
        if self._pass is not None:
            raise RuntimeRules("this cannot happen while other things happen at once")

    def _pay(self, steps: int, site: int) -> None:
        """Pays for some steps of a line, which becomes the line that is running."""
        self._at = site
        self.meter.charge(steps, site)

    # -------------------------------------------------------------- statements

    def _change(self, statement: Statement, locals: Locals) -> None:
        """Carries out a statement that cannot stop."""
        if isinstance(statement, Deferrable):
            self._refuse_at_once()
        match statement:
            case Bind():
                self._bind(statement, locals)
            case Assign():
                self._assign(statement, locals)
            case Move():
                self._move(statement, locals)
            case Shuffle():
                zone = self.game.zones[statement.zone]
                instance = self._instance(zone, self._values(statement.index, locals))
                self._pay_for(statement, len(contents(self.row, self.layout, zone, instance)) * CHANCE)
                self._shuffle(zone, instance, statement.site)
            case Reveal():
                things = self._look().members(statement.things, locals)
                self._pay_for(statement, len(things))
                for thing in things:
                    self._write(self.layout.faces[statement.kind] + thing, 1, statement.site)
            case Show():
                self._show(statement, locals)
            case Eliminate():
                self._eliminate(statement, locals)
            case Stand():
                self._stand(statement)
            case BeginBody():
                arguments = self._values((*statement.arguments, *statement.around), locals)
                if self.trace is not None:
                    self.trace.enter(statement.rule, arguments)
            case Witness():
                if self.trace is not None:
                    self.trace.witness(statement.id, tuple(locals[id] for id in statement.reads))
            case EndBody():
                if self.trace is not None:
                    self.trace.leave(statement.rule)
            case When() | Loop() | Repeat() | Simultaneous() | Call() | Defer() | Ask() | Stop() | Return():
                raise ValueError(f"{statement} is carried out by `walk`")
            case Finish() | Fail():
                raise ValueError(f"{statement} is carried out by `walk`")
            case Settle() | Proceed():
                raise ValueError(f"only woven rules can run, not {statement}")
            case _:
                assert_never(statement)

    def _pay_for(self, statement: Statement, size: int) -> None:
        """Pays for each thing that an open statement iterates over."""
        steps = self.layout.steps
        if isinstance(statement, Move):
            size *= steps.moving(statement)
        elif not steps.is_open(statement):
            size = 0
        self._pay(size, self._at)

    def _bind(self, bind: Bind, locals: Locals) -> None:
        value = self._value(bind.value, locals)
        value = clamp(value, self._optional(bind.least, locals), self._optional(bind.most, locals))
        type = bind.variable.type
        if isinstance(type, IntType | KindType) and not within(type, value):
            raise violation(bind.variable.name, (), value, type, self.game)
        locals[bind.variable.id] = value

    def _assign(self, assign: Assign, locals: Locals) -> None:
        state = self.game.states[assign.place.state]
        index = self._values(assign.place.index, locals)
        at = flat(state.dimensions, index)
        if at < 0:
            raise RangeViolation(f"{named(state.name, state.dimensions, index, self.game)} cannot be written to")
        slot = self.layout.states[state.id] + at
        value = self._look(at).value(assign.value, locals)
        least, most = self._optional(assign.least, locals), self._optional(assign.most, locals)
        adds = assign.operator == "+"
        new = clamp(operate("+", (self.row[slot], value)) if adds else value, least, most)
        if adds and self._pass is not None:
            self._pass.add(self.row, slot, Write(value, True, least, most, assign.site))
        elif not within(state.type, new):
            raise slot_violation(self.game, self.layout, slot, new, assign.site)
        else:
            self._write(slot, new, assign.site)

    def _eliminate(self, eliminate: Eliminate, locals: Locals) -> None:
        slot = self.layout.states[self.game.players_left]
        out = operate("single", (self._value(eliminate.who, locals),))
        self._write(slot, self.row[slot] & ~out, eliminate.site)

    def _stand(self, stand: Stand) -> None:
        assert self.game.history is not None
        for slot, value in PositionHistory(self.game, self.layout, self.game.history).changes(self.row, stand.moment):
            self.row[slot] = value

    def _show(self, show: Show, locals: Locals) -> None:
        things = self._look().things(show.things, locals)
        seats = self._value(show.seats, locals)
        self._pay_for(show, len(things))
        for thing in things:
            self._show_one(show, thing, seats)

    def _show_one(self, show: Show, thing: Thing, seats: int) -> None:
        if self.trace is not None:
            self.trace.show(show.kind, thing, seats, show.part, show.site)

    def _write(self, slot: Slot, value: int, site: int) -> None:
        """Writes a slot of a variable or a face; within a pass, notes the write; elsewhere, tells the trace."""
        if self._pass is not None:
            self._pass.put(self.row, slot, value, site)
            return
        old, self.row[slot] = self.row[slot], value
        if self.trace is None:
            return
        state = state_at(self.game, self.layout, slot)
        if old == value and not self.layout.is_told_again(self.row, slot, value):
            if state is not None and is_veiled(self.game.states[state]):
                self.trace.set_again(state, slot - self.layout.states[state], value, site)
        elif state is not None:
            self.trace.set(state, slot - self.layout.states[state], old, value, site)
        else:
            kind, thing = self._face_at(slot)
            self.trace.turn_up(kind, thing, site)

    def _merge(self, passes: list[Pass]) -> None:
        """Writes the merged effects of passes; raises RangeViolation if a variable cannot hold its value."""
        for slot, write in merged(passes, self.game, self.layout):
            if self._pass is not None and write.is_sum:
                self._pass.add(self.row, slot, write)
                continue
            new = write.upon(self.row[slot])
            state = state_at(self.game, self.layout, slot)
            if self._pass is None and state is not None and not within(self.game.states[state].type, new):
                raise slot_violation(self.game, self.layout, slot, new, write.site)
            self._write(slot, new, write.site)

    def _face_at(self, slot: Slot) -> tuple[int, Thing]:
        faces = self.layout.faces
        kind = next(k.id for k in self.game.kinds if k.movable and 0 <= slot - faces[k.id] < k.size)
        return kind, Thing(slot - faces[kind])

    # -------------------------------------------------------------- zones

    def _instance(self, zone: Zone, index: tuple[int, ...]) -> int:
        instance = flat(zone.dimensions, index)
        if instance < 0:
            raise RangeViolation(f"there is no {named(zone.name, zone.dimensions, index, self.game)}")
        return instance

    def _move(self, move: Move, locals: Locals) -> None:
        pile = move.what.pile if move.count is not None and move.what.mask is None else None
        index = () if pile is None else self._values(pile.index, locals)
        zone = self.game.zones[move.to.zone]
        look = self._look(self._instance(zone, self._values(move.to.index, locals)) if draws_for_cells(move) else 0)
        things = [] if pile is not None else cast(list[Thing], sequence(move.what, look, locals))
        count = self._optional(move.count, locals)
        instance = self._instance(zone, self._values(move.to.index, locals))
        end: LaidEnd = move.end or ""
        if pile is not None and count is not None:
            self._draw(move, self.game.zones[pile.zone], index, count, (zone, instance, end, move.site))
            return
        things = things if count is None else things[: max(count, 0)]
        self._pay_for(move, len(things))
        for thing in things:
            self._put(thing, zone, instance, end, move.site)

    def _draw(
        self, move: Move, pile: Zone, index: tuple[int, ...], count: int, to: tuple[Zone, int, LaidEnd, int]
    ) -> None:
        """Moves a number of things from the top of a pile, which is refilled when it runs empty."""
        while count > 0:
            at = self._instance(pile, index)
            things = self._look().from_top(pile, at, count)
            self._pay_for(move, len(things))
            for thing in things:
                self._put(thing, *to)
            count -= len(things)
            is_empty = not contents(self.row, self.layout, pile, at)
            if count > 0 and not (is_empty and self._refill(move, pile, at, to[-1])):
                return

    def _refill(self, move: Move, pile: Zone, instance: int, site: int) -> bool:
        """Refills an empty pile from its refill zone and shuffles it; returns False if there is nothing to move."""
        if pile.refills_from is None:
            return False
        source = self.game.zones[pile.refills_from]
        things = self._look().from_top(source, instance if source.dimensions == pile.dimensions else 0)
        self._pay_for(move, len(things))
        for thing in things:
            self._put(thing, pile, instance, "top", site)
        if things:
            self._shuffle(pile, instance, site)
        return bool(things)

    def _put(self, thing: Thing, zone: Zone, instance: int, end: LaidEnd, site: int) -> None:
        """Moves one thing to a place (to an end of a pile, "top" by default); does nothing if it is already there."""
        place = zone.first_place + instance
        slot = self.layout.places[zone.kind] + thing
        source = self.row[slot]
        if source == place and not (zone.form == "pile" and end):
            return
        if source != place:
            self._demand_room(zone, instance, site)
        end = end or "top"
        self._take_away(thing, *zone_at(self.game, self.layout, zone.kind, source))
        self.row[slot] = place
        if zone.face is not None:
            self.row[self.layout.faces[zone.kind] + thing] = zone.face
        at = self.layout.zones[zone.id] + instance
        match zone.form:
            case "pile":
                self.row[at] = push(self.row[at], thing, end)
            case "slot":
                self.row[at] = thing
            case "group":
                self.row[at] |= 1 << thing
            case _:
                assert_never(zone.form)
        if self.trace is not None:
            self.trace.move(zone.kind, thing, source, place, end if zone.form == "pile" else "", site)

    def _take_away(self, thing: Thing, zone: Zone, instance: int) -> None:
        at = self.layout.zones[zone.id] + instance
        match zone.form:
            case "pile":
                self.row[at] = take_item(self.row[at], thing)
            case "slot":
                if self.row[at] == thing:
                    # During simultaneous moves a slot may hold several things.
                    others = (other for other in self._placed(zone, instance) if other != thing)
                    self.row[at] = next(others, NONE) if self._entered is not None else NONE
            case "group":
                self.row[at] &= ~(1 << thing)
            case _:
                assert_never(zone.form)

    def _demand_room(self, zone: Zone, instance: int, site: int) -> None:
        """Raises RangeViolation if a zone has no room for one more
        thing; within simultaneous moves, the check comes later.
        """
        if zone.form != "slot" and zone.capacity is None:
            return
        if self._entered is not None:
            self._entered[zone.id, instance] = site
        else:
            self._check_bound(zone, instance, len(contents(self.row, self.layout, zone, instance)) + 1)

    def _check_bound(self, zone: Zone, instance: int, held: int, site: int = 0) -> None:
        index = index_at(zone.dimensions, instance)
        limit = 1
        if zone.capacity is not None:
            most = self._value(zone.capacity, {v.id: i for v, (i, _) in zip(zone.seen_names, index, strict=False)})
            limit = min(limit, most) if zone.form == "slot" else most
        if held > limit:
            name = named(zone.name, zone.dimensions, tuple(i for i, _ in index), self.game)
            raise RangeViolation(f"{name} would hold {held}; it holds at most {limit}", site)

    def _check_entered(self) -> None:
        """Checks the capacity of zones that things entered simultaneously; raises RangeViolation."""
        entered, self._entered = self._entered or {}, None
        for (id, instance), site in entered.items():
            zone = self.game.zones[id]
            self._check_bound(zone, instance, len(self._placed(zone, instance)), site)

    def _placed(self, zone: Zone, instance: int) -> list[Thing]:
        """Returns the things whose place a zone is, in their order."""
        first, size = self.layout.places[zone.kind], self.game.kinds[zone.kind].size
        return [Thing(t) for t in range(size) if self.row[first + t] == zone.first_place + instance]

    def _shuffle(self, zone: Zone, instance: int, site: int) -> None:
        stream = self.game.streams.index(f"shuffle {zone.name}")
        things = contents(self.row, self.layout, zone, instance)
        self.row[self.layout.zones[zone.id] + instance] = pack(_Told(self).shuffle(self.row, stream, zone.kind, things))
        for thing in things:
            # A thing turned face up in a pile loses its face when the pile is shuffled, or it could be followed.
            self.row[self.layout.faces[zone.kind] + thing] = int(zone.visible == "all")
        if self.trace is not None:
            self.trace.shuffle(zone.id, zone.first_place + instance, site)


def clamp(value: int, least: int | None, most: int | None) -> int:
    """Returns a number lifted to `least`, then lowered to `most`; raises RangeViolation when one of them is NONE."""
    if least is not None:
        value = operate("max", (value, least))
    if most is not None:
        value = operate("min", (value, most))
    return value


def named(name: str, dimensions: tuple[Type, ...], index: tuple[int, ...], game: GameRules) -> str:
    """Returns a variable or zone as the rules call it: "`fuel` of red"."""
    owner = ", ".join(written(i, type, game) for i, type in zip(index, dimensions, strict=True))
    return f"`{name}` of {owner}" if owner else f"`{name}`"


class _Told:
    """The machine's chance, which also records each outcome and tells the trace."""

    def __init__(self, machine: Changes) -> None:
        self._machine = machine

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        machine = self._machine
        face = machine.chance.roll(row, stream, faces)
        machine._drawn(face)
        if machine.trace is not None:
            machine.trace.roll(stream, face)
        return face

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        machine = self._machine
        value = machine.chance.pick(row, stream, among)
        machine._drawn(value)
        if machine.trace is not None:
            machine.trace.pick(stream, value)
        return value

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        order = self._machine.chance.shuffle(row, stream, kind, things)
        self._machine._drawn(*order)
        return order
