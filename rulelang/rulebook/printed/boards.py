"""The boards of a game -> drawings with the marks of their spaces, and a legend that says what each mark means.

    A1 g1   A2 g1   A3 .        g1   home green, ring 1

What is printed is enough to draw the board by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, SetType, Type
from rulelang.knowledge.redaction import name_of
from rulelang.program.values import clean, plain
from rulelang.prose.prose import Prose
from rulelang.prose.words import Plain, Term, Words, flat, plain_text, row
from rulelang.rulebook.printed.model import Block, Item, Paragraph, Preformatted, PrintedTable, Section, StepList

MOST_DRAWN = 200
"""The most spaces of a board without marks that is drawn."""
OF_PLACE = ("row", "column")
"""The attributes that a drawing shows by itself."""

Printed: TypeAlias = tuple[Words, ...]
"""What is printed on a space, by attribute; () for none."""


@attrs.frozen(slots=False)
class Boards:
    """The sections on the boards of a game."""

    game: ir.GameRules
    prose: Prose

    def sections(self) -> Iterator[Section]:
        """Yields a section for each board, with one for each of its maps inside."""
        for kind in self.game.kinds:
            maps = [board for board in self.game.boards if board.kind == kind.id]
            if len(maps) == 1:
                yield Section(f"board-{kind.name}", self._title(kind), tuple(self._of_map(maps[0], kind)))
            elif maps:
                about = Paragraph((Plain(f"One of {len(maps)} maps."),))
                parts = tuple(
                    Section(f"map-{kind.name}-{n}", self._map(one), tuple(self._of_map(one, kind)))
                    for n, one in enumerate(maps)
                )
                yield Section(f"board-{kind.name}", self._title(kind), (about,), parts)

    def _title(self, kind: ir.Kind) -> str:
        one, many = self.prose.noun(self.prose.types.thing(kind.id))
        return f"The board: {many if one != many else one}"

    def _map(self, board: ir.BoardShape) -> str:
        if board.option is None or board.map is None:
            return "The map"
        return titled(name_of(board.map, self.game.states[board.option].type, self.game))

    def _of_map(self, board: ir.BoardShape, kind: ir.Kind) -> Iterator[Block]:
        if board.of is not None:
            sort, of = ("edges", "corners")[len(board.borders[0]) == 1], self.game.kinds[board.of]
            yield Paragraph((Plain(f"The {kind.size} {sort} of the {clean(of.label) or of.name}."),))
            return
        if board.shape == "graph":
            yield Paragraph((Plain(f"{kind.size} spaces, joined by lines."),))
            yield self._ties(board, kind)
            return
        legend = self._legend(board, kind)
        if board.shape == "square" and kind.size > MOST_DRAWN and not legend:
            wide, high = max(map(len, board.cells)), len(board.cells)
            yield Paragraph((Plain(f"{wide} by {high} squares, {kind.names[0]} to {kind.names[-1]}."),))
            return
        count = sum(cell >= 0 for cells in board.cells for cell in cells) or kind.size
        yield Paragraph((Plain(f"A board of {count} {board.shape} spaces."),))
        yield self._drawn(board, kind, has_marks=bool(legend))
        if legend:
            items = tuple(Item(flat(Term(mark), ": ", row(said, ", ", ", "))) for mark, said in legend)
            yield StepList(items, ordered=False)

    # -------------------------------------------------------------- what is printed on spaces

    @cached_property
    def _attributes(self) -> dict[str, list[ir.Table]]:
        """The printed attributes of each kind of spaces; of one with a key, that of each of its members."""
        found: dict[str, list[ir.Table]] = {}
        keyed = {table.name.partition("(")[0] for table in self.game.tables if "(" in table.name}
        for table in self.game.tables:
            kind, dot, name = table.name.partition(".")
            if dot and name not in OF_PLACE and table.name not in keyed:
                found.setdefault(kind, []).append(table)
        return found

    def _printed(self, board: ir.BoardShape, kind: ir.Kind, space: int) -> Printed:
        """Returns the attributes printed on a space, without those that it lacks."""
        said = []
        for table in self._attributes.get(kind.name, []):
            at = space if len(table.dimensions) == 1 else (board.map or 0) * kind.size + space
            words = self._said(table, table.values[at])
            if words:
                said.append(words)
        return tuple(said)

    def _said(self, table: ir.Table, value: int) -> Words:
        name = self.prose.printed(table.id)
        if isinstance(table.type, FlagType):
            return (Plain(name),) if value else ()
        words = cell(value, table.type, self.game)
        same = [one for some in self._attributes.values() for one in some if one.type == table.type]
        if isinstance(table.type, EnumType) and not table.type.optional and len(same) == 1:
            return words  # What every space is needs no name: `exoplanet`.
        return flat(f"{name} ", words) if words else ()

    def _legend(self, board: ir.BoardShape, kind: ir.Kind) -> list[tuple[str, Printed]]:
        """Returns the marks, each with its meaning; where spaces of one mark differ, with their names."""
        spaces = [c for cells in board.cells for c in cells if c >= 0] or list(range(kind.size))
        by_mark: dict[str, dict[Printed, list[str]]] = {}
        for space in spaces:
            mark = board.marks[space] if space < len(board.marks) else ""
            said = self._printed(board, kind, space)
            by_mark.setdefault(mark, {}).setdefault(said, []).append(plain(kind.names[space]))
        found = []
        for mark, meanings in by_mark.items():
            for said, names in meanings.items():
                where = f"{mark} ({', '.join(names)})" if len(meanings) > 1 else mark
                if said:
                    found.append((where, said))
        return found

    # -------------------------------------------------------------- drawings

    def _drawn(self, board: ir.BoardShape, kind: ir.Kind, *, has_marks: bool) -> Preformatted:
        def said(space: int) -> str:
            mark = board.marks[space] if has_marks and space < len(board.marks) else ""
            return f"{kind.names[space]} {mark}".rstrip()

        names = [[said(space) if space >= 0 else "" for space in cells] for cells in board.cells]
        wide = max((len(name) for line in names for name in line), default=1)
        shifts = board.shifts or (0,) * len(names)
        return Preformatted(
            tuple(
                " " * (shift * (wide + 1) // 2) + " ".join(f"{name:<{wide}}" for name in line).rstrip()
                for line, shift in zip(names, shifts, strict=False)
            )
        )

    def _ties(self, board: ir.BoardShape, kind: ir.Kind) -> PrintedTable:
        rows = [
            [
                (Plain(plain(kind.names[space])),),
                (Plain(", ".join(plain(kind.names[other]) for other in tie)),),
                row(self._printed(board, kind, space), ", ", ", "),
            ]
            for space, tie in enumerate(board.ties)
        ]
        return filled(["", "next to", "what it is"], rows)


def cell(value: int, type: Type, game: ir.GameRules) -> Words:
    """Returns the words for a printed value in a table; () for one that says nothing."""
    if value == NONE or (isinstance(type, FlagType | SetType | IntType) and not value):
        return ()
    return (Plain("yes" if isinstance(type, FlagType) else name_of(value, type, game)),)


def filled(titles: list[str], rows: list[list[Words]]) -> PrintedTable:
    """Returns a table without its empty columns."""
    kept = [i for i in range(len(titles)) if any(row[i] and plain_text(row[i]) for row in rows)]
    return PrintedTable(tuple(titles[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in rows))


def titled(text: str) -> str:
    """Returns a text with a capital letter at the beginning."""
    return text[:1].upper() + text[1:]
