"""Rows and members that a variant adds: `add to KIND:` and `add to enum NAME: a, b`, carried out on the tree.

    | copies | power |        add to Bonus:              | copies | power  |
    | 7      | nitro |          | power  |              | 7      | nitro  |
                                | siphon |              |        | siphon |

The first row of an addition names its columns, in any order; a
column that it leaves out is blank. New rows and members come last.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.diagnostics.model import Label, Sink
from rulelang.syntax import nodes
from rulelang.variants.rows import CellNode, TableNode

EXISTS = "write `in {table} if name == {name}: …` to change it"


def with_rows(
    table: TableNode, operation: nodes.AddRowsOperation, known: tuple[str, ...], sink: Sink
) -> TableNode | None:
    """Returns a table with an addition's rows after its own,
    or None after a fault; `known` are the columns it may have.
    """
    head, *rows = operation.rows
    columns = [nodes.column_of(cell) or "" for cell in head.cells]
    sound = _report_columns(head, columns, known, table, sink)
    written = [nodes.column_of(cell) or "" for cell in table.rows[0].cells] if table.rows else []
    wide = [*written, *(c for c in columns if c not in written)]
    for row in rows:
        if len(row.cells) != len(columns):
            message = f"this row has {len(row.cells)} cells, its columns are {len(columns)}"
            sink.report("E0604", message, row.span, labels=(Label(head.span, "the columns"),))
            sound = False
    if not rows:
        sink.report("E0605", "this changes nothing: no row is added", operation.span, help="put rows under the columns")
        sound = False
    if not sound or _report_names(table, rows, columns, written, sink):
        return None
    names = tuple(nodes.NameExpression(column, span=head.span) for column in wide)
    old = (_filled(row, len(wide)) for row in table.rows[1:])
    title = attrs.evolve(table.rows[0] if table.rows else head, cells=names)
    return attrs.evolve(table, rows=(title, *old, *(_arranged(row, columns, wide) for row in rows)))


def _report_columns(
    head: nodes.RowNode, columns: list[str], known: tuple[str, ...], table: TableNode, sink: Sink
) -> bool:
    sound = True
    for i, (column, cell) in enumerate(zip(columns, head.cells, strict=True)):
        span = head.span if cell is None else cell.span
        if column in columns[:i]:
            sink.report("E0202", f"the column `{column}` appears twice", span)
            sound = False
        elif column not in known and not _is_keyed(table, column):
            near = sink.near(column, known)
            listed = f"it has: {', '.join(known)}; a new one: `in {table.name.text}: {column}: TYPE = …`"
            help = f"did you mean `{near}`?" if near else listed
            sink.report("E0604", f"`{table.name.text}` has no column `{column}`", span, "no such column", help=help)
            sound = False
    return sound


def _is_keyed(table: TableNode, column: str) -> bool:
    """Returns whether a column is that of a member, such as `cost(ruby)`, which the whole game may have or not."""
    name, bracket, _ = column.partition("(")
    return bool(bracket) and any(field.name.text == name and field.key for field in table.fields)


def _report_names(
    table: TableNode, rows: list[nodes.RowNode], columns: list[str], written: list[str], sink: Sink
) -> bool:
    """Reports new rows with a `name` that the table already has; returns whether there are any."""
    if "name" not in columns or "name" not in written or not isinstance(table, nodes.KindDeclaration):
        return False
    there = dict(_named(table.rows[1:], written.index("name")))
    found = False
    for name, row in _named(tuple(rows), columns.index("name")):
        if name in there:
            sink.report(
                "E0606",
                f"`{name}` of {table.name.text} exists already",
                row.span,
                labels=(Label(there[name].span, "declared here"),),
                help=EXISTS.format(table=table.name.text, name=name),
            )
            found = True
    return found


def _named(rows: tuple[nodes.RowNode, ...], at: int) -> Iterator[tuple[str, nodes.RowNode]]:
    for row in rows:
        cell = row.cells[at] if at < len(row.cells) else None
        if isinstance(cell, nodes.NameExpression):
            yield cell.text, row


def _filled(row: nodes.RowNode, width: int) -> nodes.RowNode:
    return attrs.evolve(row, cells=(*row.cells, *(None,) * (width - len(row.cells))))


def _arranged(row: nodes.RowNode, columns: list[str], wide: list[str]) -> nodes.RowNode:
    cells: dict[str, CellNode] = dict(zip(columns, row.cells, strict=True))
    return attrs.evolve(row, cells=tuple(cells.get(column) for column in wide))


def with_members(
    enum: nodes.EnumDeclaration, operation: nodes.AddMembersOperation, sink: Sink
) -> nodes.EnumDeclaration | None:
    """Returns an enum with an addition's members after its own, or None after a fault."""
    there = {member.text: member for member in enum.members}
    taken = [member for member in operation.members if member.text in there]
    for member in taken:
        labels = (Label(there[member.text].span, "declared here"),)
        sink.report("E0606", f"`{member.text}` of {enum.name.text} exists already", member.span, labels=labels)
    return None if taken else attrs.evolve(enum, members=(*enum.members, *operation.members))
