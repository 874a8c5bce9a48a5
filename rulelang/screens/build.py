"""Lines of a `screen:` block -> parts of a screen, as one seat may read them.


each Player: "{p}  fuel {p.fuel}"      List: a line for each player; a value that the seat may not know is `?`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir import model as ir
from rulelang.ir.numbers import Seat
from rulelang.ir.types import NONE, PLAYER, EnumType, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.ir.walk import walk
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.phrase import names_in, pieces, spliced, trimmed
from rulelang.knowledge.redaction import EVERYONE, Words, back, name_of, read, said_zone, thing_name, zone_name
from rulelang.knowledge.rendering import Calls, Looking, Scene, at_fault
from rulelang.machines.evaluate import Locals, sequence
from rulelang.match.view import heaps_of
from rulelang.match.view_cache import Heap
from rulelang.program.packing import members
from rulelang.program.values import clean, plain
from rulelang.screens.formula import UNSAID, Formula
from rulelang.screens.looks import signs_in
from rulelang.screens.model import Cards, Fold, Grid, List, Map, Part, ScreenCell, Track
from rulelang.screens.model import Words as Sentence
from rulelang.source import NOWHERE, Span

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch

T = TypeVar("T")

VIEWER = 0
"""The local that stands for the viewer of a screen."""
NOTHING = ("0", "no", "none", "nothing", "")
"""The words of values that count as empty."""


@attrs.frozen
class ScreenBuilder:
    """A match and a seat whose screen is being built."""

    match: BareMatch
    seat: Seat | None
    knowledge: Knowledge = attrs.field(repr=False)
    calls: Calls = attrs.field(factory=dict, repr=False)
    """The results of calls of values, which parts of the screen share."""
    _heaps: dict[str, Heap] = attrs.field(factory=dict, repr=False)
    """Empty until a line asks what lies in a zone."""
    span: Span = NOWHERE
    """The line of the rules that is being built."""

    @classmethod
    def of(cls, match: BareMatch, seat: Seat | None) -> ScreenBuilder:
        """Returns a builder for a seat's screen of a match."""
        return cls(match, seat, match.position.knowledge)

    @property
    def heaps(self) -> dict[str, Heap]:
        """The contents of each zone by its name, as far as the seat may know."""
        if not self._heaps:
            self._heaps.update((heap.name, heap) for heap in heaps_of(self.match.position, self.seat, thing_name))
        return self._heaps

    @property
    def game(self) -> ir.GameRules:
        """The game that is played."""
        return self.match.game

    @property
    def locals(self) -> Locals:
        """The values of a screen's locals."""
        return {VIEWER: NONE if self.seat is None else self.seat}

    # -------------------------------------------------------------- words and values for the seat

    def words(self, template: ir.Template | None, locals: Locals | None = None, *, blank: bool = False) -> Words:
        """Returns the words of a template with their readers; `blank` leaves out values that are none or empty."""
        match, about = self.match, self.locals | (locals or {})
        scene = Scene(
            match.visibility,
            match.position.row,
            self.knowledge,
            about,
            {},
            blank=blank,
            calls=self.calls,
            patience=match.position.patience,
            functions=match.position.machine.functions,
            span=self.span,
        )
        return scene.words(template)

    def read(self, template: ir.Template | None, locals: Locals | None = None, *, blank: bool = False) -> str:
        """Returns the words of a template as the seat reads them."""
        return read(self.words(template, locals, blank=blank), self.match.visibility.bit(self.seat))

    def worded(self, expr: ir.Expr, type: Type | None, locals: Locals | None = None) -> str:
        """Returns the value of an expression in words; its kind if the seat may not know the value."""
        return self.read(ir.Template((expr,), (type,)), locals)

    def value(self, expr: ir.Expr, locals: Locals | None = None) -> int:
        """Returns the value of an expression; NONE if the seat may not know it, or it cannot be computed."""
        return self.tried(expr, locals)[0]

    def tried(self, expr: ir.Expr, locals: Locals | None = None) -> tuple[int, str]:
        """Returns the value of an expression, and any fault in it
        with its place; "" if there is none, or it is secret."""
        return self._tried(lambda look: look.value(expr, self.locals | (locals or {})), NONE)

    def members(self, source: ir.Source) -> tuple[list[int], str]:
        """Returns the members of a source, and any fault in it; none if the seat may not know it."""
        return self._tried(lambda look: sequence(source, look, self.locals), [])

    def _tried(self, work: Callable[[Looking], T], nothing: T) -> tuple[T, str]:
        look = self._looking()
        try:
            found = work(look)
        except RuntimeRules as fault:
            return nothing, at_fault(fault, self.game, self.span) if self._may_know(look) else ""
        except KeyError:
            return nothing, ""
        return (found if self._may_know(look) else nothing), ""

    def _looking(self) -> Looking:
        match = self.match
        return Looking(
            match.position.row,
            match.game,
            match.internals.layout,
            visibility=match.visibility,
            knowledge=self.knowledge,
            told={},
            calls=self.calls,
            patience=match.position.patience,
            functions=match.position.machine.functions,
        )

    def _may_know(self, look: Looking) -> bool:
        return look.seers == EVERYONE or bool(look.seers & self.match.visibility.bit(self.seat))

    # -------------------------------------------------------------- fields

    def texts(self, fields: tuple[ir.ShownField, ...], about: Locals) -> list[str]:
        """Returns the texts of a part's fields, without fields whose condition fails and without empty ones."""
        found: list[str] = []
        for field in fields:
            is_shown, fault = self._is_shown(field, about)
            found.append(self.read(field.text, about) if is_shown else fault)
        return [text for text in found if text.strip()]

    def lines(self, fields: tuple[ir.ShownField, ...], about: Locals) -> tuple[str, ...]:
        """Returns the same texts stacked: a field that is only a set gives a line for each member."""
        found: list[str] = []
        for field in fields:
            is_shown, fault = self._is_shown(field, about)
            found += self._stacked(field.text, about) if is_shown else [fault]
        return tuple(trimmed(line) for line in found if line.strip())

    def _is_shown(self, field: ir.ShownField, about: Locals) -> tuple[bool, str]:
        """Returns whether a field's condition holds, and any fault in it."""
        if field.condition is None:
            return True, ""
        value, fault = self.tried(field.condition, about)
        return value > 0, fault

    def _stacked(self, text: ir.Template, about: Locals) -> list[str]:
        if len(text.parts) != 1 or not isinstance(text.types[0], SetType) or isinstance(text.parts[0], str):
            return [self.read(text, about, blank=True)]
        set, element = text.parts[0], text.types[0].element
        value = self.value(set, about)
        if value == NONE:
            return [self.read(text, about, blank=True)]
        offset = offset_of(element)
        return [name_of(member - offset, element, self.game) for member in members(value)]

    # -------------------------------------------------------------- the lines of `screen:`

    def line(self, line: ir.ScreenLine) -> Iterator[Part]:
        """Yields the parts of one line of the block."""
        for part in attrs.evolve(self, span=line.span)._parts(line):
            yield Fold(clean(line.fold), part) if line.fold else part

    def _parts(self, line: ir.ScreenLine) -> Iterator[Part]:
        members, fault = ([], "") if line.source is None else self.members(line.source)
        if fault:
            yield Sentence(fault)
            return
        match line.what:
            case "line":
                yield Sentence(spliced(self.texts(line.fields, {}), "   "))
            case "map":
                yield from self._map(line, set(members))
            case "track":
                yield Track(tuple(self._cells(line, members)))
            case "each":
                yield List(tuple(self._cells(line, members)))
            case "cards" if line.zone is not None:
                yield from self._cards(line, self.game.zones[line.zone])
            case "table" if line.data is not None:
                yield from self._table(line, self.game.data[line.data])
            case _:  # a zone or a table that the rules do not declare shows nothing
                pass

    def _cells(self, line: ir.ScreenLine, members: list[int]) -> Iterator[ScreenCell]:
        assert line.variable is not None
        for member in members:
            if not self.is_absent(line.variable.type, member):
                name, about = name_of(member, line.variable.type, self.game), {line.variable.id: member}
                of = (line.variable.type, member)
                if line.what == "track":
                    yield ScreenCell(name, "", self.lines(line.fields, about), stands_for=of)
                else:
                    yield ScreenCell(name, spliced(self.texts(line.fields, about), "   "), stands_for=of)

    def is_absent(self, type: Type, value: int) -> bool:
        """Returns whether a value is a seat that is not in the match."""
        return getattr(type, "name", "") == "Player" and value >= self.match.players

    def _map(self, line: ir.ScreenLine, shown: set[int]) -> Iterator[Map]:
        for board in self.game.boards:
            if board.kind == line.kind and self.is_played_on(board) and line.doors is not None:
                yield self._framed(line, board, shown)
            elif board.kind == line.kind and self.is_played_on(board) and board.of is None:
                drawn = self.map_of(board, self._marked(line, board, shown))
                yield attrs.evolve(drawn, coordinates=line.coordinates, borders=tuple(self._borders(board)))
            elif board.kind == line.kind and board.of is not None:
                yield from self._under(line, board.of)

    def _under(self, line: ir.ScreenLine, of: int) -> Iterator[Map]:
        """Yields the board under edges or corners, with its marks, if no line shows it and this is their first one."""
        under = next(board for board in self.game.boards if board.kind == of)
        kinds = {of, *(board.kind for board in self.game.boards if board.of == of)}
        lines = [other for other in self.game.screen if other.what == "map" and other.kind in kinds]
        if lines[0] is line and all(other.kind != of for other in lines):
            drawn = self.map_of(under, dict(enumerate(under.marks)))
            yield attrs.evolve(drawn, borders=tuple(self._borders(under)))

    def _marked(self, line: ir.ScreenLine, board: ir.BoardShape, shown: Iterable[int]) -> dict[int, str]:
        """Returns the text on each space that is shown: its mark, if the line has no texts."""
        return {space: self._on_space(line, space) if line.fields else board.marks[space] for space in shown}

    def _borders(self, of: ir.BoardShape) -> Iterator[ScreenCell]:
        """Yields the edges and corners of a board that other lines of the screen show."""
        boards = {board.kind: board for board in self.game.boards if board.of == of.kind}
        for line in self.game.screen:
            if line.what == "map" and line.kind in boards:
                members = [] if line.source is None else self.members(line.source)[0]
                yield from self.map_of(boards[line.kind], self._marked(line, boards[line.kind], members)).cells

    def _on_space(self, line: ir.ScreenLine, space: int) -> str:
        """Returns the text on a space, in brackets if this seat knows more than everyone."""
        assert line.variable is not None
        about = {line.variable.id: space}
        mine: list[str] = []
        theirs: list[str] = []
        for field in line.fields:
            is_shown, fault = self._is_shown(field, about)
            words = self.words(field.text, about, blank=True) if is_shown else (fault,)
            own = pieces(read(words, self.match.visibility.bit(self.seat)))
            is_open = all(isinstance(part, str) for part in words)
            mine += own
            theirs += own if is_open else pieces(read(words, self.match.visibility.bit(None)))
        return spliced(mine, " ") if mine == theirs else spliced(("(", spliced(mine, " "), ")"))

    def _framed(self, line: ir.ScreenLine, board: ir.BoardShape, shown: set[int]) -> Map:
        """Returns a map of frames with doors, cut down to the area between the outermost spaces that show something."""
        assert line.variable is not None
        assert line.doors is not None
        cells: dict[int, ScreenCell] = {}
        kind = self.game.kinds[board.kind]
        for space in shown:
            about = {line.variable.id: space}
            if any(self._shows(field, about) for field in line.fields):
                open, fault = self.tried(line.doors, about)
                doors = tuple(board.directions[i] for i in members(max(open, 0)))
                lines = (*self.lines(line.fields, about), *([fault] if fault else ()))
                cells[space] = ScreenCell(
                    kind.names[space], "", lines, doors, stands_for=(KindType(kind.name, kind.size), space)
                )
        rows = [[cells.get(space) for space in row] for row in board.cells]
        across = [r for r, row in enumerate(rows) if any(row)] or [0]
        down = [c for c, column in enumerate(zip(*rows, strict=True)) if any(column)] or [0]
        kept = (row[down[0] : down[-1] + 1] for row in rows[across[0] : across[-1] + 1])
        shifts = board.shifts[across[0] : across[-1] + 1]
        return Map(clean(kind.label), board.shape, tuple(tuple(row) for row in kept), shifts, line.coordinates)

    def _shows(self, field: ir.ShownField, about: Locals) -> bool:
        """Returns whether any hole of a field is not empty."""
        parts = zip(field.text.parts, field.text.types, strict=True)
        holes = ((part, type) for part, type in parts if not isinstance(part, str))
        is_shown, fault = self._is_shown(field, about)
        if not is_shown:
            return bool(fault)
        return any(self.worded(part, type, about) not in NOTHING for part, type in holes)

    def is_played_on(self, board: ir.BoardShape) -> bool:
        """Returns whether a map is the chosen one of a board with several."""
        if board.option is None:
            return not board.map
        return self.match.position.row[self.match.internals.layout.states[board.option]] == board.map

    def map_of(self, board: ir.BoardShape, texts: dict[int, str]) -> Map:
        """Returns the map of a board with a text for each space."""
        kind = self.game.kinds[board.kind]

        def cell(space: int) -> ScreenCell | None:
            ties = tuple(kind.names[other] for other in board.ties[space]) if board.ties else ()
            if space not in texts:
                return None
            return ScreenCell(
                kind.names[space],
                texts[space],
                ties=ties,
                stands_for=(KindType(kind.name, kind.size), space),
                sign=signs_in(texts[space], self.game),
                look=board.looks[space] if board.looks else None,
                is_free=texts[space] in ("", board.marks[space]),
                place=board.places[space] if board.places else None,
                border=board.borders[space] if board.borders else (),
            )

        rows = tuple(tuple(map(cell, row)) for row in board.cells)
        return Map(clean(kind.label or kind.name), board.shape, rows, board.shifts)

    def _cards(self, line: ir.ScreenLine, zone: ir.Zone) -> Iterator[Part]:
        instance, fault = self._tried(lambda look: look.instance(zone, line.index, self.locals), NONE)
        if fault:
            yield Sentence(fault)
        if instance >= 0:
            yield attrs.evolve(self.cards_of(zone, instance, self.read(line.text)), fanned=line.fanned)

    def cards_of(self, zone: ir.Zone, instance: int, title: str = "") -> Cards:
        """Returns the cards in one instance of a zone."""
        name, kind = zone_name(self.game, zone, instance), self.game.kinds[zone.kind]
        said, things = title or said_zone(self.game, zone, instance), self.heaps[name].things
        known = {thing: self._text_of(kind, thing) for thing in dict.fromkeys(things)}
        texts = tuple(known[thing] for thing in things) if any(known.values()) else ()
        return Cards(said, back(kind)[0], things, kind.name, name, texts)

    def _text_of(self, kind: ir.Kind, name: str | None) -> str:
        """Returns the text of the thing with a name, or of the member after which it is named; "" for a back, and for a
        thing without one."""
        of = next((found.of for found in names_in(name or "")), None)
        if of is None:
            return ""
        own = kind.texts[of[1]] if of[1] < len(kind.texts) else None
        for _, table, type in kind.columns if own is None else ():
            value = self.game.tables[table].values[of[1]]
            enum = next((e for e in self.game.enums if isinstance(type, EnumType) and e.name == type.name), None)
            if enum is not None and 0 <= value < len(enum.texts) and clean(enum.called[value]) == name:
                own = enum.texts[value]
        return self.read(own)

    # -------------------------------------------------------------- tables

    def _table(self, line: ir.ScreenLine, data: ir.DataTable) -> Iterator[Part]:
        for argument in line.arguments:
            if argument is not None and (fault := self.tried(argument)[1]):
                yield Sentence(fault)
                return
        running = [i for i, argument in enumerate(line.arguments) if argument is None]
        found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for key in self._keys(line, data, running):
            if self.value(ir.HasRow(data.id, key)) == 1:
                names = tuple(name_of(_number(key[i]), data.parameters[i].type, self.game) for i in running)
                found.append((names, tuple(self._data_cell(data, column, key) for column in range(len(data.columns)))))
        kept = [i for i in range(len(data.columns)) if any(cells[i] not in NOTHING for _, cells in found)]
        if found:
            columns = (
                *(self._heading(data.parameters[i]) for i in running),
                *(clean(data.columns[i].called) or plain(data.columns[i].name) for i in kept),
            )
            rows = tuple((*names, *("" if cells[i] in NOTHING else cells[i] for i in kept)) for names, cells in found)
            yield Grid(self.read(line.text), columns, rows)

    def _heading(self, key: ir.Variable) -> str:
        """Returns the heading of a key's column: what its values are called, else its name."""
        labels = (enum.label for enum in self.game.enums if enum.name == getattr(key.type, "name", ""))
        return clean(next(labels, "")) or plain(key.name)

    def _keys(self, line: ir.ScreenLine, data: ir.DataTable, running: list[int]) -> Iterator[tuple[ir.Const, ...]]:
        """Yields the keys of a table's rows: the present values of the arguments, and all values of those left open."""
        known = [None if argument is None else self.value(argument) for argument in line.arguments]
        types = [data.parameters[i].type for i in running]
        for values in product(*(_values(type) for type in types)):
            key = list(known)
            for i, value in zip(running, values, strict=True):
                key[i] = value
            yield tuple(ir.Const(NONE if value is None else value) for value in key)

    def _data_cell(self, data: ir.DataTable, column: int, key: tuple[ir.Const, ...]) -> str:
        """Returns the text of a cell: its number if it cannot change, else its formula as printed in the table, or its
        present value if words do not say the formula and it draws nothing."""
        about = data.columns[column]
        number = self._row_number(data, key)
        if number < 0:
            return ""
        cell = about.cells[number]
        if not any(_may_change(node) for node in walk(cell)):
            return self.worded(ir.Cell(data.id, column, key), about.type)
        given = {v.id: k.value for v, k in zip(data.parameters, key, strict=False)}
        names = {v.id: self._key_name(v, given[v.id]) for v in data.parameters if v.id in given}
        printed = Formula(self.game, names)
        text = printed.text(cell, about.type)
        if not self._is_said(text, cell) and not any(isinstance(node, ir.Draw | ir.Cell) for node in walk(cell)):
            return self.worded(ir.Cell(data.id, column, key), about.type)
        for adjustment in about.adjustments:
            holds, fault = (1, "") if adjustment.condition is None else self.tried(adjustment.condition, given)
            if holds == 1:
                amount = printed.text(adjustment.amount)
                sign = f"at {adjustment.what}" if adjustment.what in ("least", "most") else adjustment.what
                text += f" {sign} {amount}".replace("+ -", "- ")
            text += fault
        return text

    def _key_name(self, key: ir.Variable, value: int) -> str:
        """Returns the name of a key's value in a formula; for none, what stands for any: a spectator is no player."""
        if value != NONE:
            return name_of(value, key.type, self.game)
        return "the player" if getattr(key.type, "name", "") == PLAYER else plain(key.name)

    def _is_said(self, text: str, cell: ir.Expr) -> bool:
        """Returns whether a formula says all of a cell in words: what has no short form, or is a value without a name, is not."""
        called = [self.game.values[node.value].called for node in walk(cell) if isinstance(node, ir.CallValue)]
        return UNSAID not in text and None not in called

    def _row_number(self, data: ir.DataTable, key: tuple[ir.Const, ...]) -> int:
        at = 0
        for constant, variable in zip(key[: data.keys], data.parameters, strict=False):
            position = constant.value - first_of(variable.type)
            if not 0 <= position < size_of(variable.type):
                return -1
            at = at * size_of(variable.type) + position
        return data.rows[at]


def _values(type: Type) -> range:
    if isinstance(type, SetType):
        return range(0)
    return range(first_of(type), first_of(type) + size_of(type))


def _number(constant: ir.Const) -> int:
    return constant.value


def _may_change(node: object) -> bool:
    """Returns whether a part of a cell may have another value later in the game."""
    return isinstance(node, (ir.Roll, ir.Pick, ir.Read, ir.CallValue, ir.Contents, ir.InSlot, ir.TopOf, ir.Cell))
