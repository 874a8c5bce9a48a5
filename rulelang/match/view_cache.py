"""A position -> the variables and zones that one viewer sees, taken over from its last look where nothing has changed.

    red.fuel: 12        red.tokens: nitro, fuel_tank        blue.tokens: 2 backs

Most steps change a few slots. A look compares its row with that of the viewer's last look and computes only the parts
that read a slot, or the knowledge of a thing, that differs.

Invariant: a look depends on its position alone; what came before decides only how long it takes.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import Kind, StateVariable, Zone, ZoneForm
from rulelang.ir.numbers import Mask, Row, Slot, Thing
from rulelang.ir.types import NONE, KindType
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import EVERYONE, Words, read
from rulelang.knowledge.rendering import Pointing
from rulelang.knowledge.visibility import Visibility
from rulelang.knowledge.visible_knowledge import differing
from rulelang.machines.evaluate import contents
from rulelang.match.position import Position
from rulelang.match.recording.parts import ShownParts
from rulelang.match.recording.viewer_text import value_draft
from rulelang.program.values import written

MOST_WORDED = 20_000
"""The most values whose words are kept for a viewer."""


@attrs.frozen
class Seen:
    """A variable and its value, as a number and in words; the number is None for a thing that is not known."""

    name: str
    value: int | None
    text: str


@attrs.frozen
class Heap:
    """A zone and its contents: the name of each known thing, None for a back; a pile's from the top."""

    name: str
    kind: str
    form: ZoneForm
    things: tuple[str | None, ...]
    hints: tuple[str, ...] = attrs.field(default=(), repr=False)
    """By thing: the parts of a back that were shown by themselves, such as `colour: red`; () if the rules show none."""

    @property
    def count(self) -> int:
        """The number of things in the zone, which is public."""
        return len(self.things)


@attrs.frozen(eq=False)
class LookAtCells:
    """The variables that a viewer saw in one position."""

    row: Row
    knowledge: Knowledge | None
    """What the viewers knew; None if no variable depends on it."""
    cells: list[Seen | None]
    """By cell of `Visibility.cells`; None for a variable that the viewer may not see."""
    variables: tuple[Seen, ...]
    """The cells in sight."""


@attrs.frozen(eq=False)
class LookAtHeaps:
    """The zones that a viewer saw in one position."""

    row: Row
    knowledge: Knowledge
    heaps: tuple[Heap, ...]
    """By heap of `Visibility.heaps`."""


class Looks:
    """The last looks of one viewer, and the slots that each part of its views reads."""

    def __init__(self, visibility: Visibility, viewer: int) -> None:
        self._visibility, self._viewer, self._bit = visibility, viewer, Mask(1 << viewer)
        layout, game = visibility.layout, visibility.game
        self._slots = [Slot(layout.states[state.id] + at) for state, at, _ in visibility.cells]
        """By cell."""
        self._simple: dict[int, int] = {
            slot: n for n, slot in enumerate(self._slots) if _is_simple(visibility, visibility.cells[n][0])
        }
        """By slot: the cell that shows it, if that reads nothing else."""
        self._varying = [n for n, slot in enumerate(self._slots) if slot not in self._simple]
        """The cells that read more than their own slots."""
        self._heaps: dict[int, int] = {
            Slot(layout.zones[zone.id] + at): n for n, (zone, at, _) in enumerate(visibility.heaps)
        }
        """By slot: the heap that lies there."""
        self._kinds = [kind.id for kind in game.kinds if kind.movable]
        self._worded: dict[tuple[int, int], Seen | None] = {}
        """A cache of simple cells, by number and value."""
        self._cells_seen: LookAtCells | None = None
        self._heaps_seen: LookAtHeaps | None = None

    # -------------------------------------------------------------- variables

    def variables(self, position: Position) -> tuple[Seen, ...]:
        """Returns the variables in sight."""
        row, last = position.row, self._cells_seen
        knowledge = position.knowledge if self._varying else None
        if last is None:
            cells = [self._cell(n, position) for n in range(len(self._slots))]
        else:
            cells = last.cells[:]
            for slot in differing(last.row, row):
                number = self._simple.get(slot)
                if number is not None:
                    cells[number] = self._of_value(number, row[slot], position)
            for number in self._varying:
                if not self._is_as_before(number, last, row, knowledge):
                    cells[number] = self._cell(number, position)
            if cells == last.cells:
                return last.variables
        variables = tuple([cell for cell in cells if cell is not None])
        self._cells_seen = LookAtCells(row[:], knowledge, cells, variables)
        return variables

    def _of_value(self, number: int, value: int, position: Position) -> Seen | None:
        """Returns a simple cell with a value."""
        key = number, value
        if key not in self._worded:
            if len(self._worded) >= MOST_WORDED:
                self._worded.clear()
            self._worded[key] = self._cell(number, position)
        return self._worded[key]

    def _is_as_before(self, number: int, last: LookAtCells, row: Row, knowledge: Knowledge | None) -> bool:
        """Returns whether a cell that reads more than its own slot has read the same at the last look."""
        state, slot = self._visibility.cells[number][0], self._slots[number]
        kind = kind_of(state.type, self._visibility.game)
        if kind is None or state.visible == "expr" or self._visibility.shifting is not None:
            return False
        assert knowledge is not None
        assert last.knowledge is not None
        is_known_alike = knowledge.kinds[kind.id] is last.knowledge.kinds[kind.id]
        is_held_alike = knowledge.held.get(slot) == last.knowledge.held.get(slot)
        return is_known_alike and is_held_alike and row[slot] == last.row[slot]

    def _cell(self, number: int, position: Position) -> Seen | None:
        """Returns a variable as the viewer sees it; None if it does not."""
        (state, at, name), slot = self._visibility.cells[number], self._slots[number]
        row, knowledge = position.row, None if slot in self._simple else position.knowledge
        seers = self._visibility.who_knows(state, at, row, knowledge)
        if seers != EVERYONE and not seers & self._bit:
            return None
        value = row[slot]
        if knowledge is None:
            return Seen(name, value, written(value, state.type, position.game))
        draft = value_draft(position.game, value, state.type, EVERYONE)
        words = Pointing(self._visibility, row, knowledge).held(draft, slot)
        return Seen(name, _number(position, state, value, words, self._bit), read(words, self._bit))

    # -------------------------------------------------------------- zones

    def heaps(self, position: Position) -> tuple[Heap, ...]:
        """Returns the contents of each zone, as far as the viewer may know."""
        if not self._heaps:
            return ()
        row, knowledge, last = position.row, position.knowledge, self._heaps_seen
        if last is None:
            heaps = [self._heap(n, position) for n in range(len(self._visibility.heaps))]
        else:
            heaps = list(last.heaps)
            for number in self._heaps_to_see(last, row, knowledge):
                heaps[number] = self._heap(number, position)
        self._heaps_seen = LookAtHeaps(row[:], knowledge, tuple(heaps))
        return self._heaps_seen.heaps

    def _heaps_to_see(self, last: LookAtHeaps, row: Row, knowledge: Knowledge) -> set[int]:
        """Returns the zones whose contents are others, or are known otherwise, than at the last look."""
        numbers = {self._heaps[slot] for slot in differing(last.row, row) if slot in self._heaps}
        layout, zones = self._visibility.layout, self._visibility.zones_at
        for kind in self._kinds:
            before, now = last.knowledge.guesses(self._viewer, kind), knowledge.guesses(self._viewer, kind)
            for thing in differing(before, now) if before is not now else ():
                zone, at = zones[kind][row[layout.places[kind] + thing]]
                numbers.add(self._heaps[Slot(layout.zones[zone.id] + at)])
        return numbers

    def _heap(self, number: int, position: Position) -> Heap:
        return heap_of(position, self._viewer, *self._visibility.heaps[number], written_name)


def _is_simple(visibility: Visibility, state: StateVariable) -> bool:
    """Returns whether what a viewer sees of a variable depends on its value alone."""
    if kind_of(state.type, visibility.game) is not None:
        return False
    return visibility.is_open or state.visible != "expr" or state.id in visibility.unshown


def _number(position: Position, state: StateVariable, value: int, words: Words, bit: int) -> int | None:
    """Returns a value as a number that tells no more than its words: among things printed alike, the lowest."""
    kind = kind_of(state.type, position.game)
    if kind is None or value == NONE:
        return value
    if read(words, bit) != read(words) or not isinstance(state.type, KindType):
        return None
    return kind.classes[value]


def heap_of(
    position: Position, viewer: int, zone: Zone, instance: int, name: str, name_of: Callable[[Kind, Thing], str]
) -> Heap:
    """Returns the contents of a zone, as far as a viewer may know; `name_of` names things."""
    kind, knowledge = position.game.kinds[zone.kind], position.knowledge
    things = contents(position.row, position.layout, zone, instance)
    is_whole = zone.form != "pile" and len(things) > 1 and knowledge.knows_whole(viewer, kind.id, things)
    names = [name_of(kind, t) if is_whole or knowledge.knows(viewer, kind.id, t) else None for t in things]
    hints = list[str]()
    if parts := position.visibility.parts.get(kind.id):
        about = ShownParts(position.game)
        told = [
            about.hint(knowledge, viewer, kind.id, t, parts) if n is None else ""
            for t, n in zip(things, names, strict=True)
        ]
        hints = told if zone.form == "pile" else sorted(told, key=lambda hint: (hint != "", hint))
    if zone.form != "pile":
        known = [t for t, known_as in zip(things, names, strict=True) if known_as is not None]
        known.sort(key=lambda t: (kind.classes[t], t))
        names = [name_of(kind, t) for t in known] + [None] * (len(things) - len(known))
    return Heap(name, kind.name, zone.form, tuple(names), tuple(hints))


def written_name(kind: Kind, thing: Thing) -> str:
    """Returns the written form of a thing."""
    return kind.names[thing]


def looks_of(position: Position, seat: int | None) -> Looks:
    """Returns the looks of a seat (None: a spectator); all matches of a game with a number of players share them."""
    viewer = position.players if seat is None else seat
    known = position.visibility.looks
    looks = known.get(viewer)
    if not isinstance(looks, Looks):
        looks = known[viewer] = Looks(position.visibility, viewer)
    return looks
