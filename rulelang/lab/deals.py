"""The re-deals in which `mcts` searches, and the knowledge that tells its nodes apart."""

from __future__ import annotations

from collections.abc import Hashable

from rulelang.ir.model import Zone
from rulelang.ir.numbers import Seat, Slot, seats_of
from rulelang.knowledge.secrets import is_hidden
from rulelang.machines.chance import Dice
from rulelang.machines.evaluate import contents
from rulelang.machines.machine import Answer, Machine, Pending
from rulelang.match.match import BareMatch
from rulelang.match.view import heaps_of, variables_of
from rulelang.program.layout import slots
from rulelang.program.randomness import mixed


class NumberedKnowledge:
    """Numbers for what seats know or see, the same for equal things: a number is hashed faster."""

    def __init__(self) -> None:
        self._found: dict[Hashable, int] = {}
        self.printed: dict[tuple[int, int], int] = {}
        """By a slot and the thing in it: the number of what is printed on the thing."""

    def __getitem__(self, what: Hashable) -> int:
        return self._found.setdefault(what, len(self._found))


class Deal:
    """A re-deal from which iterations begin, and what the other seats would know in it."""

    def __init__(self, match: BareMatch, seat: Seat, numbers: NumberedKnowledge) -> None:
        self.match, self.players, self._seat, self._numbers = match, match.players, seat, numbers
        game, layout = match.game, match.internals.layout
        self._hides = any(map(is_hidden, game.states)) or any(zone.visible != "all" for zone in game.zones)
        self._open: dict[Slot, tuple[Zone, int]] = {
            slot: (zone, instance)
            for zone in game.zones
            if zone.visible == "all" and zone.name != "box"
            for instance, slot in enumerate(slots(layout.zones[zone.id], layout.zone_sizes[zone.id]))
        }
        self._known: dict[int, int | None] = {seat: None}
        self.machine = match.position.machine.fork()
        self._dice: Dice | None = None
        self._drawn = slice(layout.counters, layout.counters + layout.streams)
        self._drawn_before = self.machine.fork().row[self._drawn]

    def dice(self, seed: int) -> Dice:
        """Returns dice for one iteration: the same for all where nothing is drawn."""
        if self._dice is None or self._drawn_before:
            self._dice = Dice(seed, self.match.game, self.match.internals.layout)
            # Machine code works it out as well.
            self._dice.key = mixed(seed)
        return self._dice

    @property
    def varies(self) -> bool:
        """Whether other re-deals may be other positions."""
        return self._hides or bool(self.match.position.seal.answers)

    def known_as_numbers(self) -> list[int]:
        """Returns the knowledge of each seat at the root, as a number."""
        known = map(self.known_to, seats_of(self.players))
        return [0 if number is None else number + 1 for number in known]

    def has_drawn(self, machine: Machine) -> bool:
        """Returns whether chance has led to a position."""
        return bool(self._drawn_before) and machine.fork().row[self._drawn] != self._drawn_before

    def like(self, other: Deal) -> bool:
        """Returns whether two deals are the same position, in which nothing is hidden."""
        one, two = (deal.machine.fork().row for deal in (self, other))
        return not self._hides and one == two

    def known_to(self, seat: Seat) -> int | None:
        """Returns a seat's knowledge of hidden things at the root; None for the searching seat, whose knowledge is the
        same in all deals.
        """
        if seat not in self._known:
            position = self.match.position
            cells, heaps = variables_of(position, seat), heaps_of(position, seat)
            self._known[seat] = self._numbers[tuple(cells), tuple(heaps)] if self._hides else None
        return self._known[seat]

    def asked_of(self, pending: Pending) -> int | None:
        """Returns the choice that is asked, on which chance may decide, unless not all may know it."""
        return None if self._hides else pending.choice

    def open_to_all(self, machine: Machine) -> Hashable:
        """Returns the things that lie open now and did not at the root, if any are hidden."""
        if not self._hides:
            return None
        row, printed = machine.row, self._numbers.printed
        found = [printed.get((slot, row[slot])) for slot in self._open]
        if None in found:
            found = [self._printed_on(machine, slot) for slot in self._open]
        return tuple(found)

    def _printed_on(self, machine: Machine, slot: Slot) -> int:
        """Returns the number of what is printed on the things in a zone."""
        row, numbers, (zone, instance) = machine.row, self._numbers, self._open[slot]
        if (slot, row[slot]) not in numbers.printed:
            classes = machine.game.kinds[zone.kind].classes
            things = contents(row, machine.layout, zone, instance)
            numbers.printed[slot, row[slot]] = numbers[tuple(sorted(classes[thing] for thing in things))]
        return numbers.printed[slot, row[slot]]

    def seen_of(self, pending: Pending, seat: Seat, text: str, answer: Answer) -> str:
        """Returns the part of an answer that everyone sees, without its chooser's secrets."""
        branch = self.match.game.choices[pending.choice].branches[answer[0]]
        told = branch.name if any(self.match.internals.secrets.parameters(branch)) else text
        return f"{seat} {told}" if self._hides else f"{pending.choice} {seat} {told}"
