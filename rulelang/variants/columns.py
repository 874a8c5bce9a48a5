"""Columns that a variant changes or adds: `in KIND: field: 0..20 = 1` gives a column another type, or adds it.

    worth: 0..9 = 1        in Card: worth: 0..20        worth: 0..20 = 1
    | power | worth |                                   | power | worth |

A default that is not repeated stays. A new column is blank in the existing rows, so it needs a default, or a type for
which a blank has a meaning.
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Label, Sink
from rulelang.syntax import nodes
from rulelang.variants.rows import TableNode

BLANKS = (nodes.OptionalTypeNode, nodes.SetTypeNode)
"""Types for which a blank cell has a value: `none` or the empty set."""


def keys_of(table: TableNode) -> tuple[nodes.IdentNode, ...]:
    """Returns the names of a table's keys; a kind and a board have none."""
    return tuple(p.name for p in table.parameters) if isinstance(table, nodes.DataDeclaration) else ()


def with_column(table: TableNode, operation: nodes.ChangeColumnOperation, sink: Sink) -> TableNode | None:
    """Returns a table with one column changed or added, or None after a fault."""
    new = operation.column
    if isinstance(table, nodes.DataDeclaration) and new.name in keys_of(table):
        return _with_key(table, new, operation, sink)
    old = next((field for field in table.fields if field.name == new.name), None)
    if old is None:
        return _with_field(table, new, sink)
    default = new.default if new.default is not None else old.default
    new = attrs.evolve(new, default=default, cites=operation.cites, called=new.called or old.called)
    if (old.type, old.default, old.called) == (new.type, new.default, new.called):
        _nothing(new, old, operation, sink)
        return None
    return attrs.evolve(table, fields=tuple(new if field is old else field for field in table.fields))


def _with_key(
    table: nodes.DataDeclaration, new: nodes.FieldLineNode, operation: nodes.ChangeColumnOperation, sink: Sink
) -> TableNode | None:
    old = next(p for p in table.parameters if p.name == new.name)
    if new.default is not None:
        sink.report(
            "E0604",
            f"`{new.name.text}` is a key of {table.name.text}, and has no default",
            new.default.span,
            help="leave `= …` out",
        )
        return None
    if old.type == new.type:
        _nothing(new, old, operation, sink)
        return None
    parameters = tuple(attrs.evolve(p, type=new.type) if p is old else p for p in table.parameters)
    return attrs.evolve(table, parameters=parameters)


def _with_field(table: TableNode, new: nodes.FieldLineNode, sink: Sink) -> TableNode | None:
    blank = isinstance(new.type, BLANKS) or new.type == nodes.NamedTypeNode("flag")
    if new.default is None and not blank and len(table.rows) > 1:
        message = f"the rows of {table.name.text} have nothing in the new column `{new.name.text}`"
        sink.report("E0604", message, new.span, help=f"say what is in them: `{new.name.text}: … = …`")
        return None
    return attrs.evolve(table, fields=(*table.fields, new))


def _nothing(
    new: nodes.FieldLineNode,
    old: nodes.FieldLineNode | nodes.ParameterNode,
    operation: nodes.ChangeColumnOperation,
    sink: Sink,
) -> None:
    labels = (Label(old.span, "the same as here"),)
    sink.report("E0605", f"this changes nothing: `{new.name.text}` is that already", operation.span, labels=labels)
