"""The numbers that tell the nodes of a tree search apart, and the options at a node: for Python, and for machine code.

Deal            a re-deal in which `mcts` searches, and the knowledge of the seats in it
tree_forms      the same of a game, for machine code: what is written alike has the same number, as in Python, which compares texts

    take(ruby)      the ruby on the left and the one on the right are one option, if only one of them is on offer
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from rulelang.ir.model import Branch, GameRules, Zone
from rulelang.ir.numbers import Seat, Slot, seats_of
from rulelang.ir.types import EnumType, FlagType, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.knowledge.redaction import VALUE
from rulelang.knowledge.secrets import Secrets, is_hidden
from rulelang.machines.chance import Dice
from rulelang.machines.evaluate import contents
from rulelang.machines.machine import Answer, Machine, Pending
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import sight_of
from rulelang.match.view import heaps_of, variables_of
from rulelang.program.layout import slots
from rulelang.program.randomness import key_of, signed
from rulelang.program.results import BranchForm, ParameterForm, SeenSlot, TreeForms
from rulelang.program.values import written


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
            self._dice = Dice.numbered(seed, self.match.game, self.match.internals.layout)
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


def tree_forms(match: BareMatch) -> TreeForms:
    """Returns the forms of a match's game, which are made once."""
    kept = match.visibility.references
    if "tree" not in kept:
        kept["tree"] = _forms(match)
    return cast(TreeForms, kept["tree"])


def _forms(match: BareMatch) -> TreeForms:
    game, secrets = match.game, match.internals.secrets
    open_slots = {
        match.internals.layout.zones[zone.id] + at
        for zone in game.zones
        if zone.visible == "all" and zone.name != "box"
        for at in range(match.internals.layout.zone_sizes[zone.id])
    }
    zones = [(zone.slot, zone.form, zone.kind) for zone in match.internals.references.zones if zone.slot in open_slots]
    answers = _AnswerForms(game, secrets)
    branches = [list(map(answers.of, choice.branches)) for choice in game.choices]
    return TreeForms([kind.classes for kind in game.kinds], zones, answers.names, branches)


def number_of(text: str) -> int:
    """Returns a number for a text: that which it says, if it is one, else 64 bits.

    >>> number_of("-12"), number_of("012") == 12
    (-12, False)
    """
    is_number = len(text) < 12 and text.removeprefix("-").isdecimal() and str(int(text)) == text
    return int(text) if is_number else signed(key_of(text))


class _AnswerForms:
    """The forms of branches, and the numbers of the names of values."""

    def __init__(self, game: GameRules, secrets: Secrets) -> None:
        self._game, self._secrets = game, secrets
        self.names: list[list[int]] = []
        self._tables: dict[Type, int] = {}

    def of(self, branch: Branch) -> BranchForm:
        """Returns the form of a branch."""
        types = [parameter.variable.type for parameter in branch.parameters]
        is_bare = branch.name == VALUE and len(types) > 0
        return BranchForm(
            0 if is_bare else number_of(branch.name),
            any(self._secrets.parameters(branch)),
            any(self._has_copies(type) for type in types),
            [self._form(type) for type in types],
        )

    def _form(self, type: Type) -> ParameterForm:
        element = type.element if isinstance(type, SetType) else type
        if element is type and not isinstance(type, KindType | EnumType | FlagType):
            return "plain", 0
        if element not in self._tables:
            self._tables[element] = len(self.names)
            offset = offset_of(element) if element is not type else 0
            many = offset + first_of(element) + size_of(element)
            self.names.append([number_of(written(bit - offset, element, self._game)) for bit in range(many)])
        return "value" if element is type else "mask", self._tables[element]

    def _has_copies(self, type: Type) -> bool:
        element = type.element if isinstance(type, SetType) else type
        kind = self._game.kind_called.get(element.name) if isinstance(element, KindType) else None
        return kind is not None and len(set(kind.names)) < len(kind.names)


def seen_by_others(match: BareMatch, seat: Seat) -> list[list[SeenSlot]] | None:
    """Returns, by seat, the slots that it sees and the given seat does not; None if some seat knows more than it sees, or sees an
    order, or variables refer to things."""
    sights = [sight_of(match, other) for other in seats_of(match.players)]
    seen, own = [sight for sight in sights if sight is not None], sights[seat]
    spoken_of = any(match.game.kinds[holder.kind].movable for holder in match.internals.references.variables)
    if own is None or len(seen) < len(sights) or spoken_of:
        return None
    kinds = [kind.id for kind in match.game.kinds if kind.movable]
    found: list[list[SeenSlot]] = []
    for sight in seen:
        slots_seen: list[SeenSlot] = []
        for number, mine, theirs in zip(kinds, own.kinds, sight.kinds, strict=True):
            unseen = {slot for slot, _, _ in theirs.hidden}
            for slot, form, _ in mine.hidden:
                if slot not in unseen and form == "pile":
                    return None
                if slot not in unseen and form != "pile":
                    slots_seen.append((slot, form, number))
        unseen = {slot for slot, _ in sight.cells}
        slots_seen += [(slot, "plain", 0) for slot, _ in own.cells if slot not in unseen]
        found.append(slots_seen)
    return found
