"""Changes of cells: `in KIND if c: field = e`, carried out on the rows of the tree.

    | copies | power                        |        in Bonus if power == forcefield: copies = 2
    | 7      | {flamethrower, forcefield}   |
                                                     | 7 | flamethrower |
                                                     | 2 | forcefield   |

A row with a set, a range or a blank key in a column that `c` or `e` reads stands for several rows, and is split if only
some of them are meant. In `e`, the name of a column stands for that row's cell.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

import attrs

from rulelang.diagnostics.model import Label, Sink
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import rewrite, walk
from rulelang.variants.printed import CellWords, NotPrinted, PrintedValue, holds, printed

TableNode: TypeAlias = nodes.KindDeclaration | nodes.DataDeclaration | nodes.BoardDeclaration
CellNode: TypeAlias = nodes.Expression | nodes.TextNode | None
MOST_ROWS = 4000
"""The most rows that one row may be split into."""
MOST_IN_ALL = 200_000
"""The most rows that a table may grow to."""


@attrs.frozen
class Changed:
    """A table after a change, and the rows that it reached, identified by their other cells."""

    table: TableNode
    rows: frozenset[Hashable]


def change_field(
    table: TableNode, operation: nodes.ChangeFieldOperation, declarations: list[nodes.Declaration], sink: Sink
) -> Changed | None:
    """Returns a table after `in KIND if c: field = e`; reports a fault and returns None if that is impossible."""
    return _Change(table, operation, _Columns.of(table, declarations), sink).run()


def columns_of(table: TableNode, declarations: list[nodes.Declaration]) -> tuple[str, ...]:
    """Returns the names of the columns that a table may have, whether or not its first row lists them."""
    columns = _Columns.of(table, declarations)
    if isinstance(table, nodes.DataDeclaration):
        return tuple(dict.fromkeys((*(p.name.text for p in table.parameters), *columns.known)))
    if isinstance(table, nodes.BoardDeclaration):
        return ("mark", *columns.known)
    return columns.known


@attrs.frozen
class _Columns:
    """The columns of a table: those in its first row, those it may have, and the values that stand for blanks."""

    table: TableNode
    words: CellWords
    written: tuple[str, ...]
    known: tuple[str, ...]
    parameters: dict[str, nodes.TypeNode]
    """The types of a data table's key columns, by name."""

    @classmethod
    def of(cls, table: TableNode, declarations: list[nodes.Declaration]) -> _Columns:
        head = table.rows[0].cells if table.rows else ()
        written = tuple(nodes.column_of(cell) or "" for cell in head)
        types = {
            n.text: type
            for d in declarations
            if isinstance(d, nodes.NamesDeclaration)
            for names, type in d.groups
            for n in names
        }
        parameters: dict[str, nodes.TypeNode] = {}
        for parameter in table.parameters if isinstance(table, nodes.DataDeclaration) else ():
            type = parameter.type or types.get(parameter.name.text)
            if parameter.name.text in written and type is not None:
                parameters[parameter.name.text] = type
        extra = ("copies", "name", *nodes.WORDS) if isinstance(table, nodes.KindDeclaration) else ()
        known = (*extra, *parameters, *(f.name.text for f in table.fields if not f.key))
        known += tuple(name for name in written if "(" in name)
        return cls(table, CellWords.of(declarations), written, known, parameters)

    def type(self, column: str) -> nodes.TypeNode | None:
        field = self._field(column)
        return self.parameters.get(column) if field is None else field.type

    def _field(self, column: str) -> nodes.FieldLineNode | None:
        """Returns the line that declares a column, `cost` for `cost(ruby)`."""
        return next((f for f in self.table.fields if f.name.text == column.partition("(")[0]), None)

    def node(self, row: nodes.RowNode, column: str) -> CellNode:
        """Returns the cell as written, or the default that stands for a blank; None if there is none."""
        at = self.written.index(column) if column in self.written else len(row.cells)
        cell = row.cells[at] if at < len(row.cells) else None
        if cell is not None:
            return cell
        if column == "copies":
            return nodes.NumberExpression(1, span=row.span)
        field = self._field(column)
        if field is not None and field.default is not None:
            return field.default
        match self.type(column):
            case nodes.OptionalTypeNode():
                return nodes.NameExpression("none", span=row.span)
            case nodes.NamedTypeNode("flag") if column not in self.parameters:
                return nodes.NameExpression("no", span=row.span)
            case nodes.SetTypeNode():
                return nodes.SetDisplayExpression((), span=row.span)
            case _:  # any other type has no value that goes without saying
                return None

    def value(self, row: nodes.RowNode, column: str) -> PrintedValue:
        """Returns a row's value in a column; a blank key stands
        for all its values. Raises NotPrinted if it cannot be told.
        """
        node = self.node(row, column)
        if node is None and column in self.parameters:
            return self._all(self.parameters[column], row.span)
        if isinstance(node, nodes.Expression):
            return printed(node, self.words, {})
        raise NotPrinted(row.span)

    def _all(self, type: nodes.TypeNode, span: Span) -> PrintedValue:
        match type:
            case nodes.RangeTypeNode(low, high):
                return printed(nodes.RangeExpression(low, high, span=span), self.words, {})
            case nodes.NamedTypeNode("flag"):
                return frozenset({"yes", "no"})
            case nodes.NamedTypeNode(name) if name in self.words.enums:
                return frozenset(self.words.enums[name])
            case nodes.EnumTypeNode(members):
                return frozenset(member.text for member in members)
            case _:  # any other type has no list of values
                raise NotPrinted(span)

    def values(self, row: nodes.RowNode, column: str) -> list[int | str] | None:
        """Returns the single values into which a cell can be split, in order; None if the cell stays as
        it is.
        """
        if column in {"copies", "name", *nodes.WORDS} or isinstance(self.type(column), nodes.SetTypeNode):
            return None
        try:
            value = self.value(row, column)
        except NotPrinted:
            return None
        if not isinstance(value, frozenset):
            return None
        order = {word: i for members in self.words.enums.values() for i, word in enumerate(members)}
        return sorted(value, key=lambda v: (order.get(v, 0), v) if isinstance(v, str) else (v, ""))


@attrs.define
class _Change:
    table: TableNode
    operation: nodes.ChangeFieldOperation
    columns: _Columns
    sink: Sink
    changes: bool = False

    def run(self) -> Changed | None:
        operation, field = self.operation, self.operation.field.text
        if field not in self.columns.known:
            self._unknown(field, operation.field.span)
            return None
        asked = [c for c in self.columns.known if c in _names((operation.condition, operation.value))]
        rows: list[nodes.RowNode] = []
        reached: set[Hashable] = set()
        try:
            for row in self.table.rows[1:]:
                rows += self._changed(row, asked, reached, MOST_IN_ALL - len(rows))
        except NotPrinted as fault:
            self._report(fault)
            return None
        if not self.changes:
            self._report_nothing(bool(reached))
            return None
        return Changed(self._with_rows(rows), frozenset(reached))

    def _changed(self, row: nodes.RowNode, asked: list[str], reached: set[Hashable], room: int) -> list[nodes.RowNode]:
        """Returns the rows that replace one row, at most `room`; adds those that the change reaches to `reached`."""
        parts = list(_spread(self.columns, row, asked, min(room, MOST_ROWS)))
        meant = [self._is_meant(part) for part in parts]
        if not any(meant):
            return [row]
        if all(meant) and not any(c in _names(self.operation.value) for c in asked):
            parts, meant = [row], [True]
        changed = []
        for part, is_meant in zip(parts, meant, strict=True):
            if is_meant and len(reached) < MOST_IN_ALL:
                reached.update(_identities(self.columns, part, self.operation.field.text))
            changed.append(self._set(part) if is_meant else part)
        return changed

    def _is_meant(self, row: nodes.RowNode) -> bool:
        condition = self.operation.condition
        if condition is None:
            return True
        asked = _names(condition)
        values = {c: self.columns.value(row, c) for c in self.columns.known if c in asked}
        return holds(condition, self.columns.words, values)

    def _set(self, row: nodes.RowNode) -> nodes.RowNode:
        field = self.operation.field.text

        def fill(node: nodes.Node) -> nodes.Node:
            if isinstance(node, nodes.NameExpression) and node.text in self.columns.known:
                found = self.columns.node(row, node.text)
                return found if isinstance(found, nodes.Expression) else node
            return node

        given = self.operation.value
        value = given if isinstance(given, nodes.TextNode) else rewrite(given, fill)
        self.changes = self.changes or self.columns.node(row, field) != value
        return _with_cell(row, self.columns.written, field, value)

    def _with_rows(self, rows: list[nodes.RowNode]) -> TableNode:
        head, field = self.table.rows[0], self.operation.field
        if field.text not in self.columns.written:
            head = attrs.evolve(head, cells=(*head.cells, nodes.NameExpression(field.text, span=field.span)))
            width = len(head.cells)
            rows = [attrs.evolve(r, cells=r.cells + (None,) * (width - len(r.cells))) for r in rows]
        return attrs.evolve(self.table, rows=(head, *rows))

    # ------------------------------------------------------------------ faults

    def _unknown(self, name: str, span: Span) -> None:
        near = self.sink.near(name, self.columns.known)
        self.sink.report(
            "E0604",
            f"{self.table.name.text} has no column `{name}`",
            span,
            labels=(Label(self.table.name.span, "declared here"),),
            help=f"did you mean `{near}`?" if near else f"a new one: `in {self.table.name.text}: {name}: TYPE = …`",
            fix=near,
        )

    def _report(self, fault: NotPrinted) -> None:
        condition = self.operation.condition or self.operation.value
        if fault.unknown is not None:
            known = (*self.columns.known, *sorted(self.columns.words.things))
            near = self.sink.near(fault.unknown, known)
            help = f"did you mean `{near}`?" if near else None
            self.sink.report(
                "E0604",
                f"no column or word of {self.table.name.text} is `{fault.unknown}`",
                fault.span,
                help=help,
                fix=near,
            )
            return
        own = condition.span.start <= fault.span.start < condition.span.end
        own = own and fault.span.source is condition.span.source
        self.sink.report(
            "E0609",
            f"which rows of {self.table.name.text} are meant does not follow from the printed cells",
            fault.span if own else condition.span,
            labels=() if own else (Label(fault.span, "this is known only during the game"),),
        )

    def _never_printed(self) -> nodes.NameExpression | None:
        """Returns a name in the condition that could only be the name of a space; None if there is none."""
        words = self.columns.words
        names = [n for n in walk(self.operation.condition) if isinstance(n, nodes.NameExpression)]
        known = {*self.columns.known, *words.things, *words.constants, *words.owners}
        return next((n for n in names if n.text not in known), None)

    def _report_nothing(self, reached: bool) -> None:
        name, field = self.table.name.text, self.operation.field.text
        if not reached and (odd := self._never_printed()) is not None:
            near = self.sink.near(odd.text, sorted(self.columns.words.things))
            help = f"did you mean `{near}`?" if near else None
            self.sink.report("E0604", f"no row of {name} has `{odd.text}`", odd.span, help=help, fix=near)
            return
        why = f"`{field}` is that already" if reached else f"no row of {name} fits"
        self.sink.report("E0605", f"this changes nothing: {why}", self.operation.span)


def _names(node: object) -> frozenset[str]:
    return frozenset(n.text for n in walk(node) if isinstance(n, nodes.NameExpression))


def _spread(columns: _Columns, row: nodes.RowNode, asked: list[str], most: int) -> Iterator[nodes.RowNode]:
    """Yields the rows that a row stands for, with a single value in each column that the operation reads."""
    choices = {c: values for c in asked if (values := columns.values(row, c)) is not None}
    if prod(len(values) for values in choices.values()) > most:
        raise NotPrinted(row.span)
    for chosen in product(*choices.values()):
        part = row
        for column, value in zip(choices, chosen, strict=True):
            part = _with_cell(part, columns.written, column, _node(value, row, columns.written, column))
        yield part


def _node(value: int | str, row: nodes.RowNode, written: tuple[str, ...], column: str) -> nodes.Expression:
    cell = row.cells[written.index(column)] if column in written else None
    span = cell.span if cell is not None else row.span
    if isinstance(value, str):
        return nodes.NameExpression(value, span=span)
    number = nodes.NumberExpression(abs(value), span=span)
    return number if value >= 0 else nodes.UnaryExpression("-", number, span=span)


def _with_cell(
    row: nodes.RowNode, written: tuple[str, ...], column: str, cell: nodes.Expression | nodes.TextNode
) -> nodes.RowNode:
    at = written.index(column) if column in written else len(written)
    cells = (*row.cells, None)[: max(at + 1, len(row.cells))]
    return attrs.evolve(row, cells=(*cells[:at], cell, *cells[at + 1 :]))


def _identities(columns: _Columns, row: nodes.RowNode, field: str) -> Iterator[Hashable]:
    """Yields an identity for each row that a row stands for: its values in all columns but the changed one."""
    others = [c for c in columns.written if c != field]
    choices: list[Sequence[Hashable]] = [columns.values(row, c) or [_told(columns, row, c)] for c in others]
    if prod(len(values) for values in choices) > MOST_ROWS:
        choices = [[columns.node(row, c)] for c in others]
    for chosen in product(*choices):
        yield tuple(zip(others, chosen, strict=True))


def _told(columns: _Columns, row: nodes.RowNode, column: str) -> Hashable:
    """Returns a cell's value, or the cell's node if its value is not known before the game."""
    try:
        return columns.value(row, column)
    except NotPrinted:
        return columns.node(row, column)
