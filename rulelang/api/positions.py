"""Positions <-> texts: where a match stands as a scenario without a line behind its givens, and back.

    scenario "position":
      players red, blue
      given heap = 4 at "play#1: seat asked = blue, p = blue"

The text says all but the dice to come. What no line can say (where the rules stand, which copy is meant) is in the text
behind `at`, so a position is read back exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import attrs

from rulelang.api.rules import PlayedRules
from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.model import StateVariable, Zone
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.scenarios import Scenario, StandingPoint
from rulelang.knowledge.canonical import ThingReferences
from rulelang.machines.evaluate import contents
from rulelang.machines.givens.arrangement import Arrangement, CannotGive
from rulelang.machines.givens.placing import blank_row, rest_of, standing_row
from rulelang.machines.interpreter import CutRules
from rulelang.match.position import Position
from rulelang.program.layout import Layout
from rulelang.program.values import clean, written
from rulelang.semantics.scenarios.position_diagrams import AS_IT_IS, MARK, NOTHING
from rulelang.semantics.scenarios.scenario import lower_scenario
from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.parser import parse

TITLE = "position"
WIDTH = 100
"""The most characters of a line of givens."""


@attrs.frozen
class EditedPosition:
    """The text of a position that was edited, and the givens that are others than before: `e5.man = black`."""

    text: str
    changed: tuple[str, ...]


@attrs.frozen
class GivenPosition:
    """A position that a match begins in: its players, the agreed options, and the row."""

    players: int
    options: dict[int, int]
    row: Row


def read_position(game: PlayedRules, text: str) -> GivenPosition:
    """Returns the position that a text says; raises RulelangError for one that is none, or one of other rules."""
    scenario = _lowered(game, text)
    if not isinstance(scenario.moment, StandingPoint):
        raise RulelangError('a position says where the rules stand: `given … at "CHOICE: …"`')
    rules = CutRules.of(game.ir, game.layout)
    return GivenPosition(scenario.players, dict(scenario.options), _standing(rules, scenario))


def written_position(game: PlayedRules, position: Position) -> str:
    """Returns the text of a position; raises InvalidInput where nobody is asked, or answers are under seal."""
    rules, row, blank = _laid_out(game, position)
    return _text_of(rules, _Writer(game, position, row, blank))


def edited_position(game: PlayedRules, position: Position, edit: Callable[[Arrangement], None]) -> EditedPosition:
    """Returns the position after an edit, and the givens that the edit changed.

    Raises InvalidInput for an edit that cannot be carried out, where nobody is asked, or answers are under seal.
    """
    rules, row, blank = _laid_out(game, position)
    before = _Writer(game, position, row[:], blank)
    try:
        edit(Arrangement(row, game.ir, game.layout))
    except CannotGive as error:
        raise InvalidInput(str(error)) from None
    after = _Writer(game, position, row, blank)
    return EditedPosition(_text_of(rules, after), after.changed_since(before))


def _laid_out(game: PlayedRules, position: Position) -> tuple[CutRules, Row, Row]:
    """Returns the rules in blocks, the whole row of a position, and the row before anything is given."""
    if position.pending is None:
        raise InvalidInput("nobody is asked here: a game begins where somebody is")
    if position.seal.answers:
        raise InvalidInput("answers are under seal: a position can be written once all are in")
    if position.orders.piles:
        raise InvalidInput("nobody has asked yet what lies where in a shuffled pile: such a position cannot be written")
    rules = CutRules.of(game.ir, game.layout)
    return rules, list(position.machine.row), blank_row(rules, position.players, {})


def _text_of(rules: CutRules, writer: _Writer) -> str:
    """Returns the text of the position whose givens a writer writes."""
    game, row = writer.game, writer.row
    lines = writer.sayable()
    scenario = _lowered(game, writer.text(lines, _choice(rules, row)))
    given = _standing(rules, scenario)
    references = ThingReferences.of(game.ir, game.layout, rules.control)
    same = references.renamed(row, _partners(references, row, given))
    return writer.text(lines, rest_of(rules, same, given))


def _standing(rules: CutRules, scenario: Scenario) -> Row:
    assert isinstance(scenario.moment, StandingPoint)
    try:
        return standing_row(rules, scenario, scenario.moment)
    except CannotGive as error:
        raise RulelangError(f"the position cannot be laid out: {error}") from None


def _choice(rules: CutRules, row: Row) -> str:
    """Returns the name of the choice that waits in a row."""
    asked = rules.control.blocks.questions[row[rules.control.slots.question] - 1]
    return rules.game.choices[asked.choice].name


def _lowered(game: PlayedRules, text: str) -> Scenario:
    """Returns the scenario that a text is; raises RulelangError with the first fault."""
    parsed = parse(SourceText("a position", text))
    found = [one for one in parsed.module.declarations if isinstance(one, nodes.ScenarioDeclaration)]
    faults = parsed.diagnostics
    if len(found) == 1 and not faults:
        scenario, faults = lower_scenario(game.world, game.ir, found[0])
        if scenario is not None:
            return scenario
    why = next((f"{one.primary.span.place}: {one.message}" for one in faults if one.is_error), "it is no scenario")
    raise RulelangError(f"this position cannot be read: {clean(why)}")


def _partners(references: ThingReferences, row: Row, given: Row) -> dict[int, list[int]]:
    """Returns new names for things, by kind, under which each copy lies where its partner in another row lies."""
    game, layout = references.game, references.layout
    names: dict[int, list[int]] = {}
    for kind in game.kinds:
        if not (kind.movable and kind.has_copies):
            continue
        to = [-1] * kind.size
        for zone in (zone for zone in game.zones if zone.kind == kind.id):
            for instance in range(layout.zone_sizes[zone.id]):
                mine, theirs = (_by_class(layout, zone, instance, one, kind.classes) for one in (row, given))
                for printed, things in mine.items():
                    for thing, new in zip(things, theirs.get(printed, ()), strict=False):
                        to[thing] = new
        if sorted(to) == list(range(kind.size)):
            names[kind.id] = to
    return names


def _by_class(layout: Layout, zone: Zone, instance: int, row: Row, classes: Sequence[int]) -> dict[int, list[Thing]]:
    found: dict[int, list[Thing]] = {}
    for thing in contents(row, layout, zone, instance):
        found.setdefault(classes[thing], []).append(thing)
    return found


@attrs.frozen
class _Writer:
    """Writes the givens of a row."""

    game: PlayedRules
    position: Position
    row: Row
    blank: Row
    """The row before anything is given."""

    def text(self, lines: Sequence[str], place: str) -> str:
        """Returns the text of a position, from its givens and the place in the rules."""
        given, states = self.position.row, self.game.ir.states
        agreed = [
            f"{state.name} = {written(given[self.game.layout.states[state.id]], state.type, self.game.ir)}"
            for state in states
            if state.option and given[self.game.layout.states[state.id]] != self._at_first(state, 0)
        ]
        head = f'scenario "{TITLE}"{" with " + ", ".join(agreed) if agreed else ""}:'
        at = f' at "{place}"'
        first, *more = lines
        drawn, marks, grid = first.partition(' """')
        givens = [f"{drawn}{at}{marks}{grid}", *more]
        players = f"players {', '.join(self.game.ir.seats[: self.position.players])}"
        return "".join(f"{line}\n" for line in (head, f"  {players}", *(f"  given {one}" for one in givens)))

    def sayable(self) -> list[str]:
        """Returns the lines of givens that can be read, without those that say what is so at first."""
        drawn, left = list(self._drawings()), list(self._cells())
        left += self._heaps()
        if not self._can_be_read([*_rows(left), *drawn]):
            left = [one for one in left if self._can_be_read([one])]
            drawn = [one for one in drawn if self._can_be_read([one])]
        return [*_rows(left), *drawn] or [next(self._any())]

    def changed_since(self, before: _Writer) -> tuple[str, ...]:
        """Returns the givens of all that lies or stands otherwise than another writer has it."""
        written = zip(before.everything(), self.everything(), strict=True)
        return tuple(now for then, now in written if now != then)

    def everything(self) -> Iterator[str]:
        """Yields the givens of all variables and zones but the box."""
        for state, at, name in self.position.visibility.cells:
            yield f"{name} = {written(self._value(state, at), state.type, self.game.ir)}"
        for zone, instance, name in self.position.visibility.heaps:
            if zone.name != "box":
                yield f"{name} = {self._lying(zone, instance)}"

    def _can_be_read(self, lines: Sequence[str]) -> bool:
        if not lines:
            return True
        try:
            _lowered(self.game, self.text(lines, self.game.ir.choices[0].name))
        except RulelangError:
            return False
        return True

    def _may_be_given(self, state: StateVariable) -> bool:
        return not state.option and state.id not in self.position.visibility.inner

    def _value(self, state: StateVariable, at: int) -> int:
        return self.row[self.game.layout.states[state.id] + at]

    def _at_first(self, state: StateVariable, at: int) -> int:
        return self.blank[self.game.layout.states[state.id] + at]

    def _any(self) -> Iterator[str]:
        """Yields givens, each of them optional."""
        for state, at, name in self.position.visibility.cells:
            line = f"{name} = {written(self._value(state, at), state.type, self.game.ir)}"
            if self._may_be_given(state) and self._can_be_read([line]):
                yield line
        for zone, instance, name in self.position.visibility.heaps:
            yield f"{name} = {self._lying(zone, instance)}"
        raise InvalidInput("a game without variables and zones has no position to write")

    def _cells(self) -> Iterator[str]:
        for state, at, name in self.position.visibility.cells:
            value = self._value(state, at)
            if self._may_be_given(state) and value != self._at_first(state, at) and not self._is_drawn(state):
                yield f"{name} = {written(value, state.type, self.game.ir)}"

    def _heaps(self) -> Iterator[str]:
        for zone, instance, name in self.position.visibility.heaps:
            lies = contents(self.row, self.game.layout, zone, instance)
            if zone.name != "box" and lies and not self._is_drawn(zone):
                yield f"{name} = {self._lying(zone, instance)}"

    def _lying(self, zone: Zone, instance: int) -> str:
        names = [self.game.ir.kinds[zone.kind].names[t] for t in contents(self.row, self.game.layout, zone, instance)]
        if zone.form == "pile" and names:
            return f"top {', '.join(names)}"
        if zone.form == "slot":
            return names[0] if names else "none"
        return "{" + ", ".join(names) + "}"

    # -------------------------------------------------------------- drawings

    def _grid(self, part: StateVariable | Zone) -> tuple[tuple[int, ...], ...]:
        """Returns the map that is played on, if a space has one of a variable or zone and a drawing can show all; else
        ()."""
        shapes = self.game.world.boards.get(part.owner or "")
        if not shapes or len(part.dimensions) != 1:
            return ()
        option = self.game.world.map_options.get(part.owner or "")
        return shapes[0 if option is None else self._value(self.game.ir.states[option], 0)].cells

    def _is_drawn(self, part: StateVariable | Zone) -> bool:
        return self._drawing(part) is not None

    def _drawing(self, part: StateVariable | Zone) -> str | None:
        """Returns the drawing of a variable or zone of spaces; None if there is nothing to draw, or it cannot be."""
        cells = self._grid(part)
        marks = [[self._mark(part, space) for space in line] for line in cells]
        if any(mark is None for line in marks for mark in line):
            return None
        top, bottom, left, right = _edges(marks)
        if top < 0 or cells[top][left] < 0:
            return None
        name = next(kind.names[cells[top][left]] for kind in self.game.ir.kinds if kind.name == part.owner)
        shown = [line[left : right + 1] for line in marks[top : bottom + 1]]
        width = max(len(mark or "") for line in shown for mark in line)
        rows = ("    " + " ".join((mark or "").ljust(width) for mark in line).rstrip() for line in shown)
        return "\n".join((f'{part.name} from {name} """', *rows, '  """'))

    def _mark(self, part: StateVariable | Zone, space: int) -> str | None:
        if space < 0:
            return NOTHING
        if isinstance(part, StateVariable):
            value = self._value(part, space)
            if value == self._at_first(part, space):
                return AS_IT_IS
            text = NOTHING if value < 0 else written(value, part.type, self.game.ir)
        else:
            things = contents(self.row, self.game.layout, part, space)
            if not things:
                return AS_IT_IS
            face = self.row[self.game.layout.faces[part.kind] + things[0]]
            text = ("" if face else "?") + self.game.ir.kinds[part.kind].names[things[0]]
            if len(things) > 1:
                return None
        return text if text not in (AS_IT_IS, "") and MARK.fullmatch(text) else None

    def _drawings(self) -> Iterator[str]:
        parts: list[StateVariable | Zone] = [state for state in self.game.ir.states if self._may_be_given(state)]
        parts += self.game.ir.zones
        yield from filter(None, map(self._drawing, parts))


def _edges(marks: Sequence[Sequence[str | None]]) -> tuple[int, int, int, int]:
    """Returns the first and last row, and the first and last column, that say something; -1 for each if none does."""
    said = [(r, c) for r, line in enumerate(marks) for c, mark in enumerate(line) if mark not in (AS_IT_IS, NOTHING)]
    if not said:
        return -1, -1, -1, -1
    rows, columns = zip(*said, strict=True)
    return min(rows), max(rows), min(columns), max(columns)


def _rows(parts: Sequence[str]) -> list[str]:
    """Returns rows of parts separated by commas, as many in a row as fit; the order of a pile ends its row."""
    rows: list[str] = []
    for part in parts:
        fits = rows and len(rows[-1]) + len(part) <= WIDTH and " = top " not in rows[-1]
        if fits:
            rows[-1] += f", {part}"
        else:
            rows.append(part)
    return rows
