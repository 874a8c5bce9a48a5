"""The part of `build` that makes aims and screens, with their lines, and words for pictures.

each teams: "{r}"        screen_each(span, among, field)        ScreenLineNode("each", …)
"""

from __future__ import annotations

from typing import Any

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.lexer import Token
from rulelang.syntax.nodes import Expression
from rulelang.syntax.statements import StatementRules, only
from rulelang.syntax.texts import map_lines


class ScreenRules(StatementRules):
    """Builds aims and screens, with their lines."""

    def aim(self, span: Span, cite: Token | None, *lines: object) -> nodes.AimDeclaration:
        return nodes.AimDeclaration(only(nodes.AimLineNode, lines), cites=self._cites(cite), span=span)

    def aim_text(self, span: Span, what: Any, *parts: Any) -> nodes.AimLineNode:
        *fields, cite = parts
        return nodes.AimLineNode(str(what), tuple(fields), cites=self._cites(cite), span=span)  # type: ignore[arg-type]

    def aim_end(self, span: Span, *parts: Any) -> nodes.AimLineNode:
        *names, goal, told, cite = parts
        by = self._idents(names)
        return nodes.AimLineNode("ends", (goal,), by, self._optional_text(told), self._cites(cite), span=span)

    def screen(self, span: Span, cite: Token | None, *lines: object) -> nodes.ScreenDeclaration:
        return nodes.ScreenDeclaration(only(nodes.ScreenLineNode, lines), cites=self._cites(cite), span=span)

    def screen_fold(self, span: Span, title: Token, line: nodes.ScreenLineNode) -> nodes.ScreenLineNode:
        return attrs.evolve(line, fold=self._plain(title), span=span)

    def screen_text(self, span: Span, *fields: nodes.ShownFieldNode) -> nodes.ScreenLineNode:
        return nodes.ScreenLineNode("line", fields=fields, span=span)

    def screen_map(self, span: Span, board: Token, coordinates: bool | None, *rest: Any) -> nodes.ScreenLineNode:
        *fields, doors = rest
        shown = only(nodes.ShownFieldNode, fields)
        return nodes.ScreenLineNode(
            "map", self._named(board), doors=doors, fields=shown, coordinates=bool(coordinates), span=span
        )

    def coordinates(self, span: Span) -> bool:
        return True

    def screen_track(self, span: Span, binder: nodes.BinderNode, *fields: nodes.ShownFieldNode) -> nodes.ScreenLineNode:
        return nodes.ScreenLineNode("track", binder=binder, fields=fields, span=span)

    def screen_each(self, span: Span, among: Expression, *fields: nodes.ShownFieldNode) -> nodes.ScreenLineNode:
        return nodes.ScreenLineNode("each", among, fields=fields, span=span)

    def screen_cards(
        self, span: Span, zone: Expression, of_viewer: bool | None, text: Token | None, fanned: nodes.IdentNode | None
    ) -> nodes.ScreenLineNode:
        label = self._optional_text(text)
        return nodes.ScreenLineNode("cards", zone, of_viewer=bool(of_viewer), text=label, fanned=fanned, span=span)

    def fanned(self, span: Span, word: Token) -> nodes.IdentNode:
        return self._ident(word)

    in_colour = as_shape = fanned

    def as_sign(self, span: Span, sign: Token) -> nodes.TextNode:
        return self._plain(sign)

    def drawn(self, span: Span, drawing: Token, cite: Token | None) -> nodes.DrawnNode:
        return nodes.DrawnNode(map_lines(drawing), self._cites(cite), span=span)

    def of_viewer(self, span: Span) -> bool:
        return True

    def screen_table(self, span: Span, call: Expression, by: Token | None, text: Token | None) -> nodes.ScreenLineNode:
        label = self._optional_text(text)
        return nodes.ScreenLineNode("table", call, by=self._optional_ident(by), text=label, span=span)
