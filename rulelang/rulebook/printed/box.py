"""The section on the contents of the box: kinds and their things, boards, dice, defined words, state, tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import LAYERS
from rulelang.ir.numbers import Thing
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, SetType, Type
from rulelang.ir.walk import rewrite, walk
from rulelang.knowledge.redaction import name_of, thing_name
from rulelang.program.layout import index_at
from rulelang.program.values import clean, plain
from rulelang.prose.phrases import without_article
from rulelang.prose.prose import UNTIL, Prose
from rulelang.prose.words import Plain, Words, begun, flat, plain_text, row
from rulelang.rulebook.printed.boards import Boards, filled, titled
from rulelang.rulebook.printed.model import Block, Item, Paragraph, Section, StepList

FORMS = {"pile": "a pile", "group": "a place for several", "slot": "a place for one"}


@attrs.frozen
class Box:
    """The section on the components of a game."""

    game: ir.GameRules
    prose: Prose

    def section(self) -> Section:
        """Returns the section."""
        parts = [
            *self._kinds(movable=True),
            *Boards(self.game, self.prose).sections(),
            *self._dice(),
            *self._kinds(movable=False),
            *self._enums(),
            *self._places(),
            *self._tracked(),
            *self._notes(),
            *self.data(),
        ]
        return Section("box", "What is in the box", (), tuple(parts))

    # -------------------------------------------------------------- things

    def _kinds(self, *, movable: bool) -> Iterator[Section]:
        """Yields the sections on things that lie somewhere, which are counted, or on those that are only spoken of."""
        boards = {board.kind for board in self.game.boards}
        for kind in self.game.kinds[1:]:
            if kind.id not in boards and kind.size and kind.movable is movable and not self._is_noted(kind):
                one, many = self.prose.noun(self.prose.types.thing(kind.id))
                of_many = many if movable else f"different {many}, of which the rules speak"
                head = Paragraph((Plain(f"{kind.size} {one if kind.size == 1 else of_many}."),))
                yield Section(f"kind-{kind.name}", titled(many), (head, *self._things(kind)))

    def _is_noted(self, kind: ir.Kind) -> bool:
        """Returns whether nothing stands for the things of a kind but notes: all that is printed of one is its number."""
        columns = [column for column in kind.columns if column[0] not in ("name", "called", "text")]
        is_bare = not kind.movable and bool(columns) and not any(kind.texts)
        return is_bare and all(
            isinstance(column[2], IntType) and self._said(column, thing) in thing_name(kind, Thing(thing)).split()
            for column in columns
            for thing in range(kind.size)
        )

    def _notes(self) -> Iterator[Section]:
        """Yields a section for each kind whose things are only numbers to take notes under."""
        for kind in self.game.kinds[1:]:
            if kind.size and self._is_noted(kind):
                many = self.prose.noun(self.prose.types.thing(kind.id))[1]
                said = f"Notes are taken on up to {kind.size} {many}; nothing in the box stands for them."
                yield Section(f"kind-{kind.name}", f"Notes on {many}", (Paragraph((Plain(said),)),))

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

    def _dice(self) -> Iterator[Section]:
        if self.game.dice:
            items = tuple(
                Item((Plain(f"{plain(die.name)}: {', '.join(map(str, die.faces))}"),)) for die in self.game.dice
            )
            yield Section("dice", "Dice", (StepList(items, ordered=False),))

    def _enums(self) -> Iterator[Section]:
        for enum in self.game.enums:
            if _has_texts(enum):
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
                yield Section(f"enum-{enum.name}", titled(clean(enum.plural)), (StepList(items, ordered=False),))

    # -------------------------------------------------------------- places and numbers

    def _places(self) -> Iterator[Section]:
        rows = []
        for zone in self.game.zones:
            if zone.name == "box" and not self._is_laid_back(zone):
                continue
            one, many = self.prose.noun(self.prose.types.thing(zone.kind))
            form = FORMS.get(zone.form, zone.form)
            form += f" of {many}" if zone.form == "pile" else f": {one if zone.form == 'slot' else many}"
            more = [self._audience(zone, zone.seen_names, "face down")]
            if zone.name == "box":
                more = ["face up" if zone.visible == "all" else "what comes there face down stays so"]
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

    def _is_laid_back(self, box: ir.Zone) -> bool:
        """Returns whether things that may have been hidden are put back into a box."""
        is_hidden = any(z.kind == box.kind and z.visible != "all" for z in self.game.zones)
        moves = (n for n in walk((self.game.procedures, self.game.choices)) if isinstance(n, ir.Move))
        return is_hidden and any(move.to.zone == box.id for move in moves)

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

    def _audience(self, one: ir.Zone | ir.StateVariable, names: tuple[ir.Variable, ...], unseen: str) -> str:
        """Returns who sees a place or a number; "" for everybody, `unseen` for nobody."""
        match one.visible:
            case "all":
                return ""
            case "owner":
                return "seen by the owner alone"
            case "nobody":
                return unseen
            case "expr":
                assert one.seen_by is not None
                keys = {name.id: name for name in names}
                owners: dict[int, Words] = {} if one.owner is None else {names[0].id: (Plain("the owner"),)}

                def change(node: object) -> object:
                    return ir.Const(0) if isinstance(node, ir.Local) and node.id in keys else node

                # The owner has a name of its own, so that a single other player needs none.
                say = self.prose.about(rewrite(one.seen_by, change)).given(owners)
                seats = say.value(one.seen_by, SetType(self.prose.types.thing(0)))
                return f"seen by {plain_text(seats)}"
            case _:
                assert_never(one.visible)

    def _tracked(self) -> Iterator[Section]:
        known = [s for s in self.game.states if not (s.builtin or s.scratch or s.option)]
        main = [self._state(s) for s in known if not (s.untold or isinstance(s.type, FlagType))]
        noted = [self._state(s) for s in known if s.untold or isinstance(s.type, FlagType)]
        blocks: list[Block] = []
        titles = ["", "of", "may be", "at the start", "note"]
        if main:
            blocks.append(filled(titles, main))
        if noted:
            blocks += [Paragraph((Plain("What players keep in mind, or note for themselves:"),)), filled(titles, noted)]
        if blocks:
            yield Section("tracked", "What is kept track of", tuple(blocks))

    def _state(self, state: ir.StateVariable) -> list[Words]:
        """Returns the row on a variable."""
        match state.type:
            case IntType(low=low, high=high):
                bounds = f"{low} to {high}"
            case FlagType():
                bounds = "yes or no"
            case EnumType() | SetType(element=EnumType()):
                bounds = plain_text(self._some_of(state.type))
            case _:  # a value of any other type is called by its noun
                bounds = self.prose.noun(state.type)[0]
        start: Words = () if state.initial is None else self.prose.value(state.initial, state.type)
        if isinstance(state.type, FlagType) and isinstance(state.initial, ir.Const):
            start = (Plain("yes" if state.initial.value else "no"),)
        note: list[Words] = (
            [(Plain(seen),)] if (seen := self._audience(state, state.initial_names, "seen by nobody")) else []
        )
        if state.until is not None:
            note.insert(0, (Plain(UNTIL[state.until]),))
        if state.text is not None:
            note.insert(0, self.prose.template(state.text))
        whose = self._whose(state.dimensions, state.initial_names)
        name = clean(state.called) or plain(state.name)
        return [(Plain(name),), (Plain(whose),), (Plain(bounds),), start, row(tuple(note), "; ", "; ")]

    def compared(self, history: ir.History) -> Iterator[str]:
        """Yields the names of the parts of a position, where the rules ask how often one has stood."""
        parts: list[ir.StateVariable | ir.Zone] = [self.game.states[id] for id in history.states]
        parts += [self.game.zones[id] for id in history.zones]
        for known in parts:
            if isinstance(known, ir.StateVariable) and known.builtin:
                yield "whose turn it is" if known.id == self.game.mover else "who still plays"
                continue
            names = known.initial_names if isinstance(known, ir.StateVariable) else known.seen_names
            whose = self._whose(known.dimensions, names)
            yield f"the {without_article(clean(known.called) or plain(known.name))}" + (f" of {whose}" if whose else "")

    def _some_of(self, type: EnumType | SetType) -> Words:
        """Returns the members of an enum that a variable may hold, or its noun where a section of its own has them."""
        of = type.element if isinstance(type, SetType) else type
        if not isinstance(of, EnumType) or any(enum.name == of.name and _has_texts(enum) for enum in self.game.enums):
            return (Plain(self.prose.noun(type)[0]),)
        if isinstance(type, SetType):
            return flat("any of ", self.prose.members(of, ", "))
        return flat(self.prose.members(of), ", or none" if type.optional else "")

    def data(self) -> Iterator[Section]:
        """Yields the sections on tables of numbers."""
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
                    flat(f"{clean(column.called) or plain(column.name)}: ", self._adjustment(one, column.type)),
                    self.game.sites[one.site].clauses,
                )
                for column in data.columns
                for one in in_effect(column.adjustments)
            )
            blocks: tuple[Block, ...] = (filled(titles, rows),)
            yield Section(
                f"data-{data.name}",
                titled(plain(data.name)),
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

    def _adjustment(self, one: ir.Adjustment, type: Type) -> Words:
        word = "+" if one.what == "+" else LAYER_WORDS[one.what]
        condition = () if one.condition is None else flat(", if ", self.prose.holds(one.condition))
        return flat(word, self.prose.value(one.amount, type), condition)


LAYER_WORDS: dict[ir.AdjustmentForm, str] = {
    "set": "instead ",
    "times": "times ",
    "+": "further: ",
    "least": "then at least ",
    "most": "in the end at most ",
}
"""The words in front of the amount of an adjustment, by its layer."""


def in_effect(adjustments: tuple[ir.Adjustment, ...]) -> list[ir.Adjustment]:
    """Returns adjustments in the order in which they take effect, whatever order the rules write them in."""
    return sorted(adjustments, key=lambda one: list(LAYERS).index(one.what))


def _has_texts(enum: ir.Enumeration) -> bool:
    return any(text is not None for text in enum.texts)
