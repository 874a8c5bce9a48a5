"""Variants, as the parser reads them -> nodes.

variant long of nim:          nodes.VariantDeclaration
  remove take                 nodes.RemoveOperation
"""

from __future__ import annotations

from typing import Any

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.declarations import DeclarationRules
from rulelang.syntax.lexer import Token
from rulelang.syntax.nodes import Expression
from rulelang.syntax.statements import BROKEN, BrokenLine, only


class VariantRules(DeclarationRules):
    """The rules of the grammar for variants and their operations."""

    def variant(
        self, span: Span, name: Token, of: Token, title: Token | None, cite: Token | None, *lines: object
    ) -> nodes.VariantDeclaration:
        operations = tuple(
            nodes.AddOperation(line, span=line.span) if isinstance(line, nodes.Declaration) else line
            for line in lines
            if isinstance(line, nodes.Declaration | nodes.Operation)
        )
        text = self._optional_text(title)
        return nodes.VariantDeclaration(
            self._ident(name), self._ident(of), text, operations, cites=self._cites(cite), span=span
        )

    def game_operation(self, span: Span, line: nodes.GameLineNode) -> nodes.SetGameLineOperation:
        return nodes.SetGameLineOperation(line, span=span)

    def replace(self, span: Span, declaration: nodes.Declaration | BrokenLine) -> nodes.ReplaceOperation | BrokenLine:
        return BROKEN if isinstance(declaration, BrokenLine) else nodes.ReplaceOperation(declaration, span=span)

    def remove(self, span: Span, name: Token, cite: Token | None) -> nodes.RemoveOperation:
        return nodes.RemoveOperation(self._ident(name), cites=self._cites(cite), span=span)

    def cell_value(self, span: Span, value: Expression | Token) -> Expression | nodes.TextNode:
        return self._text(value) if isinstance(value, Token) else value

    def change_field(
        self,
        span: Span,
        kind: Token,
        condition: Expression | None,
        field: Token,
        key: tuple[nodes.ParameterNode, ...] | None,
        value: Expression | nodes.TextNode,
        cite: Token | None,
    ) -> nodes.ChangeFieldOperation:
        idents = self._ident(kind), self._ident(field)
        if key:
            idents = idents[0], attrs.evolve(idents[1], text=f"{field}({', '.join(one.name.text for one in key)})")
        return nodes.ChangeFieldOperation(idents[0], condition, idents[1], value, cites=self._cites(cite), span=span)

    def change_column(self, span: Span, table: Token, column: nodes.FieldLineNode) -> nodes.ChangeColumnOperation:
        bare = attrs.evolve(column, cites=())
        return nodes.ChangeColumnOperation(self._ident(table), bare, cites=column.cites, span=span)

    def add_rows(self, span: Span, table: Token, cite: Token | None, *rows: object) -> nodes.AddRowsOperation:
        added = self._with_texts(only(nodes.RowNode, rows))
        return nodes.AddRowsOperation(self._ident(table), added, cites=self._cites(cite), span=span)

    def add_members(self, span: Span, enum: Token, *parts: Any) -> nodes.AddMembersOperation:
        *members, cite = parts
        return nodes.AddMembersOperation(self._ident(enum), tuple(members), cites=self._cites(cite), span=span)

    def add_member_block(
        self, span: Span, enum: Token, cite: Token | None, *lines: object
    ) -> nodes.AddMembersOperation:
        return nodes.AddMembersOperation(
            self._ident(enum), only(nodes.IdentNode, lines), cites=self._cites(cite), span=span
        )

    def void(self, span: Span, scenario: Token, because: Token, cite: Token | None) -> nodes.VoidOperation:
        return nodes.VoidOperation(self._plain(scenario), self._plain(because), cites=self._cites(cite), span=span)

    def void_citing(self, span: Span, cited: Token, because: Token) -> nodes.VoidCitingOperation:
        return nodes.VoidCitingOperation(self._cites(cited), self._plain(because), span=span)
