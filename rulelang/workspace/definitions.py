"""Trees -> a table of everything that they declare, with the uses found so far.

constant heap = 21          Definition("heap", "constant", None, …)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal, TypeAlias

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

TextPosition: TypeAlias = tuple[str, int]
"""The name of a source, and an offset in it."""


Definable: TypeAlias = Literal[
    "action", "board", "choice", "clock", "column", "constant", "data", "die", "enum", "game", "kind", "let", "map", "member", "name",
    "option", "parameter", "rule", "scenario", "seat", "thing", "value", "variable", "variant", "verb",
]  # fmt: skip
"""The kinds of things that a name can be declared as."""


LITERALS: tuple[Definable, ...] = ("member", "thing", "seat")
"""Kinds that a name denotes only if the expected type asks for one, or if nothing else has that name."""


LOCALS: tuple[Definable, ...] = ("parameter", "let", "choice", "name")
"""Kinds of names that are known in one declaration alone."""


Meant: TypeAlias = Mapping[TextPosition, str]
"""For the place of each name whose type is known: the enum, kind or board that it belongs to."""


_DECLARED: Mapping[type[nodes.Declaration], Definable] = {
    nodes.ConstantDeclaration: "constant",
    nodes.DieDeclaration: "die",
    nodes.ClockDeclaration: "clock",
    nodes.ValueDeclaration: "value",
    nodes.VerbDeclaration: "verb",
    nodes.ActionDeclaration: "action",
}


@attrs.frozen
class Definition:
    """A place where a name is declared."""

    name: str
    what: Definable
    owner: str | None
    """The enum, kind, board or data table that it belongs to."""
    span: Span


@attrs.frozen
class Reference:
    """A place where a name is used, and the definitions that it may refer to: exactly one if the types decide."""

    span: Span
    definitions: tuple[Definition, ...]


@attrs.frozen
class References:
    """Every definition and every use of a game, in the order of its texts."""

    definitions: tuple[Definition, ...]
    uses: tuple[Reference, ...]
    unknown: tuple[Span, ...]
    """Names that the game does not declare: built-in ones and mistakes."""

    def at(self, source: str, offset: int) -> tuple[Definition, ...]:
        """Returns the definitions of the name at an offset of a source, which may itself be a definition; none if
        there is no name there.
        """
        found = (r.definitions for r in self._by_source.get(source, ()) if r.span.start <= offset <= r.span.end)
        return next(found, ())

    def all_of(self, definition: Definition) -> tuple[Definition, ...]:
        """Returns the declarations that share a name, the given one first: the cases of a verb, and what variants put in
        their place; a local stands alone."""
        if definition.what in LOCALS:
            return (definition,)
        key = (definition.name, definition.what, definition.owner)
        same = (one for one in self.definitions if (one.name, one.what, one.owner) == key)
        return tuple(dict.fromkeys((definition, *same)))

    def of(self, definition: Definition) -> tuple[Span, ...]:
        """Returns the uses of a definition, without the definition itself."""
        return tuple(r.span for r in self.uses if definition in r.definitions)

    @cached_property
    def _by_source(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = {}
        for one in (*(Reference(d.span, (d,)) for d in self.definitions), *self.uses):
            found.setdefault(one.span.source.name, []).append(one)
        return found


@attrs.define
class DefinitionTable:
    """The declarations of a game, and the references found so far."""

    meant: Meant
    spaces: Mapping[str, tuple[str, ...]]
    """For each space that a map draws: its boards, whose declarations stand for its own."""
    definitions: list[Definition] = attrs.field(factory=list)
    uses: list[Reference] = attrs.field(factory=list)
    unknown: list[Span] = attrs.field(factory=list)
    margin: dict[str, list[Definition]] = attrs.field(factory=dict)
    """By name: what a bare name can refer to, which is declarations, members, things and seats."""
    owned: dict[str, list[Definition]] = attrs.field(factory=dict)
    """By name: the variables and columns of players, things, spaces and data rows."""
    shared: dict[str, list[Definition]] = attrs.field(factory=dict)
    """By name: parameters whose type a `names` line gives."""
    labels: dict[str, list[Definition]] = attrs.field(factory=dict)
    """By name: hooks, rules and adjustments with an `as` name, and options written inside a choice."""
    titles: dict[str, list[Definition]] = attrs.field(factory=dict)
    """By title: scenarios."""
    stacks: dict[str, list[Definition]] = attrs.field(factory=dict)
    """By name: the game and its variants, which can be stacked."""

    def define(
        self, into: dict[str, list[Definition]] | None, name: str, what: Definable, span: Span, owner: str | None = None
    ) -> Definition:
        if span.text.startswith(name):
            # A seat or a member goes on with its text and its colour.
            span = Span(span.source, span.start, span.start + len(name))
        definition = Definition(name, what, owner, span)
        self.definitions.append(definition)
        if into is not None:
            into.setdefault(name, []).append(definition)
        return definition

    def use(self, span: Span, found: Iterable[Definition]) -> None:
        """Notes a use of a name. Of several definitions, it takes those that fit the type, else those that are not
        members, things or seats, else all.
        """
        candidates = tuple(found)
        owner = self.meant.get((span.source.name, span.start))
        if not candidates:
            boards = self.spaces.get(span.text, ())
            candidates = tuple(d for board in boards for d in self.margin.get(board, ()) if d.what == "board")
        fitting = tuple(d for d in candidates if d.owner == owner) if owner is not None else ()
        first = tuple(d for d in candidates if d.what not in LITERALS)
        if candidates:
            self.uses.append(Reference(span, fitting or first or candidates))
        else:
            self.unknown.append(span)

    # ------------------------------------------------------------------ top level

    def gather(self, node: nodes.Declaration) -> None:
        """Enters the names that a declaration makes visible in the whole game."""
        match node:
            case nodes.VariantDeclaration(name=name, operations=operations):
                self.define(self.stacks, name.text, "variant", name.span)
                for operation in operations:
                    self._operation(operation)
            case nodes.GameDeclaration(name=name, lines=lines):
                self.define(self.stacks, name.text, "game", name.span)
                self._seats(lines)
            case nodes.EnumDeclaration(name=name, members=members):
                self.define(self.margin, name.text, "enum", name.span)
                self._members(name.text, members)
            case (
                nodes.KindDeclaration(name=name, fields=fields, rows=rows)
                | nodes.BoardDeclaration(name=name, fields=fields, rows=rows)
            ):
                what: Definable = "kind" if isinstance(node, nodes.KindDeclaration) else "board"
                self.define(self.margin, name.text, what, name.span)
                self._fields(name.text, fields)
                self._things(name.text, None, rows)
            case nodes.DataDeclaration(name=name, fields=fields):
                self.define(self.margin, name.text, "data", name.span)
                self._fields(name.text, fields)
            case nodes.StateDeclaration(owner=owner, variables=variables):
                for variable in (v for v in variables if not isinstance(v.type, nodes.BoxTypeNode)):
                    into = self.margin if owner is None else self.owned
                    whose = owner.text if owner is not None else None
                    self.define(into, variable.name.text, "variable", variable.name.span, whose)
                    self._anonymous(variable.type)
            case nodes.NamesDeclaration(groups=groups):
                for given, written in groups:
                    for ident in given:
                        self.define(self.shared, ident.text, "name", ident.span)
                    self._anonymous(written)
            case (
                nodes.HookDeclaration(label=nodes.IdentNode() as label)
                | nodes.WheneverDeclaration(label=nodes.IdentNode() as label)
                | nodes.AdjustDeclaration(label=nodes.IdentNode() as label)
            ):
                self.define(self.labels, label.text, "rule", label.span)
            case nodes.ScenarioDeclaration(title=title):
                self.define(self.titles, title.raw, "scenario", title.span)
            case nodes.DrawingDeclaration(name=name):
                self.define(self.margin, name.text, "map", name.span)
            case nodes.OptionDeclaration(name=name, type=written):
                self.define(self.margin, name.text, "option", name.span)
                self._anonymous(written)
            case (
                nodes.ConstantDeclaration(name=name)
                | nodes.DieDeclaration(name=name)
                | nodes.ClockDeclaration(name=name)
                | nodes.ValueDeclaration(name=name)
                | nodes.VerbDeclaration(name=name)
                | nodes.ActionDeclaration(name=name)
            ):
                self.define(self.margin, name.text, _DECLARED[type(node)], name.span)
            case _:  # a screen or an include declares nothing, a flow and a rule without a label have no name
                pass

    def _operation(self, node: nodes.Operation) -> None:
        match node:
            case nodes.AddOperation(declaration=declaration) | nodes.ReplaceOperation(declaration=declaration):
                self.gather(declaration)
            case nodes.AddMembersOperation(enum=enum, members=members):
                self._members(enum.text, members)
            case nodes.ChangeColumnOperation(table=table, column=column):
                if all(d.owner != table.text for d in self.owned.get(column.name.text, ())):
                    self._fields(table.text, (column,))
            case nodes.AddRowsOperation(table=table, rows=rows):
                self._things(table.text, self._columns.get(table.text), rows)
            case nodes.SetGameLineOperation(line=line):
                self._seats((line,))
            case _:  # other operations change or remove what is declared elsewhere
                pass

    def gather_options(self, declarations: Iterable[nodes.Declaration]) -> None:
        """Enters the options that are written inside choices; the name of an action there is a use, not a declaration."""
        for option in (n for d in declarations for n in walk(d) if isinstance(n, nodes.OptionNode)):
            if not self.names_action(option):
                self.define(self.labels, option.name.text, "option", option.name.span)

    def names_action(self, option: nodes.OptionNode) -> bool:
        """Returns whether an option of a choice is no more than the name of an action."""
        is_bare = not (option.parameters or option.body)
        return is_bare and any(d.what == "action" for d in self.margin.get(option.name.text, ()))

    _columns: dict[str, tuple[str, ...]] = attrs.field(factory=dict, init=False)
    """By kind or board: the names of its table's columns."""

    def _members(self, enum: str | None, members: Iterable[nodes.IdentNode]) -> None:
        for member in members:
            self.define(self.margin, member.text, "member", member.span, enum)

    def _anonymous(self, type: nodes.TypeNode) -> None:
        """Enters the members of an enum that is declared in place, as the type of something else."""
        match type:
            case nodes.EnumTypeNode(members=members):
                self._members(None, members)
            case nodes.OptionalTypeNode(of=of) | nodes.SetTypeNode(of=of):
                self._anonymous(of)
            case _:  # no other type declares members
                pass

    def _fields(self, owner: str, fields: Iterable[nodes.FieldLineNode]) -> None:
        for line in fields:
            self.define(self.owned, line.name.text, "column", line.name.span, owner)
            self._anonymous(line.type)

    def _seats(self, lines: Iterable[nodes.GameLineNode]) -> None:
        for line in lines:
            for ident in line.names if line.what == "seats" else ():
                self.define(self.margin, ident.text, "seat", ident.span, "Player")

    def _things(self, kind: str, columns: tuple[str, ...] | None, rows: tuple[nodes.RowNode, ...]) -> None:
        """Enters the names of things and spaces. Without `columns`,
        the first row names them and tells where the names are.
        """
        if columns is None and rows:
            columns = tuple(nodes.column_of(cell) or "" for cell in rows[0].cells)
            self._columns[kind] = columns
            rows = rows[1:]
        at = columns.index("name") if columns and "name" in columns else None
        for row in rows:
            cell = row.cells[at] if at is not None and at < len(row.cells) else None
            if isinstance(cell, nodes.NameExpression):
                self.define(self.margin, cell.text, "thing", cell.span, kind)
