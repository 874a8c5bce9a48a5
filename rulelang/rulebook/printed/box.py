"""The section on the contents of the box: kinds and their things, boards, dice, defined words, state, tables."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.ir import model as ir
from rulelang.ir.numbers import Thing
from rulelang.ir.types import NONE, FlagType, IntType, SetType, Type
from rulelang.knowledge.redaction import name_of, thing_name
from rulelang.program.layout import index_at
from rulelang.program.values import clean, plain
from rulelang.prose.phrases import without_article
from rulelang.prose.prose import Prose
from rulelang.prose.words import Plain, Words, begun, flat, plain_text
from rulelang.rulebook.printed.model import Block, Item, Paragraph, Preformatted, PrintedTable, Section, StepList

MOST_DRAWN = 200
"""The most spaces of a board that is drawn."""
FORMS = {"pile": "a pile", "group": "a place for several", "slot": "a place for one"}
SEEN = {"all": "", "nobody": "face down", "owner": "seen by the owner alone", "expr": "seen by some"}


@attrs.frozen
class Box:
    """The section on the components of a game."""

    game: ir.GameRules
    prose: Prose

    def section(self) -> Section:
        """Returns the section."""
        parts = [
            *self._kinds(),
            *self._boards(),
            *self._dice(),
            *self._enums(),
            *self._places(),
            *self._tracked(),
            *self._data(),
        ]
        return Section("box", "What is in the box", (), tuple(parts))

    # -------------------------------------------------------------- things

    def _kinds(self) -> Iterator[Section]:
        boards = {board.kind for board in self.game.boards}
        for kind in self.game.kinds[1:]:
            if kind.id not in boards and kind.size:
                one, many = self.prose.noun(self.prose.types.thing(kind.id))
                head = Paragraph((Plain(f"{kind.size} {one if kind.size == 1 else many}."),))
                yield Section(f"kind-{kind.name}", _title(many), (head, *self._things(kind)))

    def _things(self, kind: ir.Kind) -> Iterator[Block]:
        rows: dict[tuple[Words, ...], int] = {}
        columns = [column for column in kind.columns if column[0] not in ("name", "called", "text")]
        named = {thing: thing_name(kind, Thing(thing)) for thing in range(kind.size)}
        columns = [c for c in columns if any(self._said(c, thing) != named[thing] for thing in named)]
        texts = {thing: self._text(kind, thing) for thing in range(kind.size)}
        # Things without a name are told by what is printed on them: their names say no more.
        are_nameless = bool(columns) and all(kind.names[thing].partition("(")[0] == kind.name for thing in named)
        for thing in range(kind.size):
            printed = (self._cell(self.game.tables[table].values[thing], type) for _, table, type in columns)
            cells = (() if are_nameless else (Plain(named[thing]),), *printed, texts[thing])
            rows[cells] = rows.get(cells, 0) + 1
        titles = ["", *(self.prose.printed(table) for _, table, _ in columns), "what it does"]
        cells_by_row = [list(cells) for cells in rows]
        if max(rows.values(), default=0) > 1:
            titles.insert(0, "copies")
            cells_by_row = [
                [(Plain(f"{count} ×"),), *cells] for cells, count in zip(cells_by_row, rows.values(), strict=True)
            ]
        if len(rows) == 1 and not columns and not any(texts.values()):
            return
        yield filled(titles, cells_by_row)

    def _said(self, column: tuple[str, int, Type], thing: int) -> str:
        return plain_text(self._cell(self.game.tables[column[1]].values[thing], column[2]))

    def _text(self, kind: ir.Kind, thing: int) -> Words:
        own = kind.texts[thing] if thing < len(kind.texts) else None
        return self.prose.template(own) if own is not None else ()

    def _cell(self, value: int, type: Type) -> Words:
        if value == NONE or (isinstance(type, FlagType | SetType) and not value):
            return ()
        return (Plain("yes" if isinstance(type, FlagType) else name_of(value, type, self.game)),)

    def _boards(self) -> Iterator[Section]:
        seen: set[int] = set()
        for board in self.game.boards:
            kind = self.game.kinds[board.kind]
            if kind.id in seen:
                continue
            seen.add(kind.id)
            maps = sum(other.kind == board.kind for other in self.game.boards)
            several = f", on one of {maps} maps" if maps > 1 else ""
            if kind.size > MOST_DRAWN and board.shape == "square":
                high, wide = len(board.cells), max(len(row) for row in board.cells)
                words = f"{wide} by {high} squares, {kind.names[0]} to {kind.names[-1]}."
                yield Section(f"board-{kind.name}", _title(self._board(kind)), (Paragraph((Plain(words),)),))
                continue
            count = sum(cell >= 0 for row in board.cells for cell in row) or kind.size
            words = (
                f"A board of {count} {board.shape} spaces{several}."
                if board.shape != "graph"
                else f"{count} spaces, joined by lines{several}."
            )
            yield Section(
                f"board-{kind.name}",
                _title(self._board(kind)),
                (Paragraph((Plain(words),)), *self._drawn(board, kind)),
            )

    def _board(self, kind: ir.Kind) -> str:
        one, many = self.prose.noun(self.prose.types.thing(kind.id))
        return f"The board: {many if one != many else one}"

    def _drawn(self, board: ir.BoardShape, kind: ir.Kind) -> Iterator[Block]:
        if board.shape == "graph":
            ties = [(kind.names[i], ", ".join(kind.names[j] for j in tie)) for i, tie in enumerate(board.ties)]
            yield PrintedTable(("", "next to"), tuple(((Plain(plain(a)),), (Plain(b),)) for a, b in ties))
            return
        names = [[kind.names[cell] if cell >= 0 else "" for cell in row] for row in board.cells]
        wide = max((len(name) for row in names for name in row), default=1)
        shifts = board.shifts or (0,) * len(names)
        pairs = zip(names, shifts, strict=False)
        yield Preformatted(
            tuple(
                " " * (shift * (wide + 1) // 2) + " ".join(f"{n:<{wide}}" for n in row).rstrip() for row, shift in pairs
            )
        )

    def _dice(self) -> Iterator[Section]:
        if self.game.dice:
            items = tuple(
                Item((Plain(f"{plain(die.name)}: {', '.join(map(str, die.faces))}"),)) for die in self.game.dice
            )
            yield Section("dice", "Dice", (StepList(items, ordered=False),))

    def _enums(self) -> Iterator[Section]:
        for enum in self.game.enums:
            if any(text is not None for text in enum.texts):
                pairs = zip(enum.called, enum.texts, enum.clauses, strict=True)
                items = tuple(
                    Item(
                        flat(
                            begun((Plain(clean(called)),)), *(() if text is None else (": ", self.prose.template(text)))
                        ),
                        clauses,
                    )
                    for called, text, clauses in pairs
                )
                yield Section(f"enum-{enum.name}", _title(clean(enum.plural)), (StepList(items, ordered=False),))

    # -------------------------------------------------------------- places and numbers

    def _places(self) -> Iterator[Section]:
        rows = []
        for zone in self.game.zones:
            if zone.name == "box":
                continue
            one, many = self.prose.noun(self.prose.types.thing(zone.kind))
            form = FORMS.get(zone.form, zone.form)
            form += f" of {many}" if zone.form == "pile" else f": {one if zone.form == 'slot' else many}"
            more = [SEEN.get(zone.visible, "")]
            if zone.text is not None:
                more.insert(0, plain_text(self.prose.template(zone.text)))
            if zone.capacity is not None:
                more.append(f"at most {plain_text(self.prose.value(zone.capacity))}")
            if zone.refills_from is not None:
                more.append(f"when it is empty, the {self._called(zone.refills_from)} are shuffled into it")
            if zone.top_up:
                more.append("the top lies face up")
            whose = self._whose(zone.dimensions, zone.seen_names)
            cells = (clean(zone.called) or plain(zone.name), whose, form, "; ".join(filter(None, more)))
            rows.append(tuple((Plain(cell),) if cell else () for cell in cells))
        if rows:
            yield Section(
                "places", "Where things lie", (filled(["", "of", "what it is", "note"], [list(r) for r in rows]),)
            )

    def _called(self, zone: int) -> str:
        known = self.game.zones[zone]
        return without_article(clean(known.called) or plain(known.name))

    def _whose(self, dimensions: tuple[Type, ...], variables: tuple[ir.Variable, ...]) -> str:
        names_of = [v.name for v in variables] or ["number"] * len(dimensions)
        names = [
            f"each {plain(n) if isinstance(type, IntType) else self.prose.noun(type)[0]}"
            for n, type in zip(names_of, dimensions, strict=True)
        ]
        return ", ".join(names) if names else ""

    def _tracked(self) -> Iterator[Section]:
        rows = []
        for state in self.game.states:
            if state.builtin or state.scratch or state.option or state.untold or isinstance(state.type, FlagType):
                continue
            bounds = (
                f"{state.type.low} to {state.type.high}"
                if isinstance(state.type, IntType)
                else self.prose.noun(state.type)[0]
            )
            start = self.prose.value(state.initial, state.type) if state.initial is not None else ()
            name = (Plain(clean(state.called) or plain(state.name)),)
            text = self.prose.template(state.text) if state.text is not None else ()
            rows.append(
                [name, (Plain(self._whose(state.dimensions, state.initial_names)),), (Plain(bounds),), start, text]
            )
        if rows:
            yield Section(
                "tracked", "What is kept track of", (filled(["", "of", "may be", "at the start", "note"], rows),)
            )

    def _data(self) -> Iterator[Section]:
        for data in self.game.data:
            keys = data.parameters[: data.keys]
            titles = [*map(self._titled, keys), *(self.prose.column(data.id, i) for i in range(len(data.columns)))]
            rows = []
            for at, number in enumerate(data.rows):
                if number < 0:
                    continue
                key = [self._key(value, type) for value, type in index_at(tuple(v.type for v in keys), at)]
                rows.append([*key, *(self._data_cell(column, number) for column in data.columns)])
            notes = tuple(
                Item(
                    flat(f"{clean(column.called) or plain(column.name)}: ", self._adjustment(one)),
                    self.game.sites[one.site].clauses,
                )
                for column in data.columns
                for one in column.adjustments
            )
            blocks: tuple[Block, ...] = (filled(titles, rows),)
            yield Section(
                f"data-{data.name}",
                _title(plain(data.name)),
                (*blocks, StepList(notes, ordered=False)) if notes else blocks,
            )

    def _titled(self, key: ir.Variable) -> str:
        """Returns the title of a key's column: its name, or the noun of its type if the name is a letter or the
        type's."""
        is_letter = len(key.name) == 1 and not isinstance(key.type, IntType)
        is_type = key.name.casefold() == getattr(key.type, "name", "").casefold()
        return self.prose.noun(key.type)[0] if is_letter or is_type else plain(key.name)

    def _key(self, value: int, type: Type) -> Words:
        return (Plain(name_of(value, type, self.game)),)

    def _data_cell(self, column: ir.DataColumn, number: int) -> Words:
        cell = column.cells[number]
        if isinstance(cell, ir.Const):
            if cell.value == NONE or (cell.value == 0 and isinstance(column.type, IntType | FlagType | SetType)):
                return ()
            if isinstance(column.type, FlagType):
                return (Plain("yes"),)
        return self.prose.value(cell, column.type)

    def _adjustment(self, one: ir.Adjustment) -> Words:
        word = {"+": "+", "least": "at least ", "most": "at most "}[one.what]
        condition = () if one.condition is None else flat(", if ", self.prose.holds(one.condition))
        return flat(word, self.prose.value(one.amount), condition)


def filled(titles: list[str], rows: list[list[Words]]) -> PrintedTable:
    """Returns a table without its empty columns."""
    kept = [i for i in range(len(titles)) if any(row[i] and plain_text(row[i]) for row in rows)]
    return PrintedTable(tuple(titles[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in rows))


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]
