"""The part of `build` that makes declarations and the operations of variants.

    enum("colour", None, …)        EnumDeclaration("colour", members, …)

Faults of form that the grammar lets pass are reported here: a map outside a board, a `let` after the first case of a
value. Lines that could not be read arrive as BROKEN and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, cast

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.lexer import Token
from rulelang.syntax.nodes import Expression
from rulelang.syntax.statements import (
    BrokenLine,
    Cases,
    IterationHead,
    OfferTime,
    Parameters,
    StatementRules,
    Suite,
    only,
)
from rulelang.syntax.texts import map_lines, text_at

Strings: TypeAlias = tuple[Token, Token | None]
"""One string or two: singular and plural, or the label of an option and the sentence told about it."""
ValueNames: TypeAlias = tuple[nodes.TextNode, nodes.TextNode | None]
"""What a value is called; and, where it is a condition that does not hold."""


@attrs.frozen
class Telling:
    """The telling of a verb: its sentence, another if it changed nothing, its words in the rulebook; or none of them."""

    sentence: Token | None = None
    otherwise: Token | None = None
    untold: bool = False
    called: Token | None = None


class DeclarationRules(StatementRules):
    """The rules of whole declarations, other than scenarios and screens."""

    # ------------------------------------------------------------------ files, names

    def start(self, span: Span, *declarations: nodes.Declaration | BrokenLine) -> tuple[nodes.Declaration, ...]:
        return only(nodes.Declaration, declarations)

    def hole(self, span: Span, value: Expression) -> Expression:
        return value

    def counted_hole(self, span: Span, number: Expression, noun: Token) -> nodes.CountedExpression:
        return nodes.CountedExpression(number, self._ident(noun), span=span)

    def game(self, span: Span, name: Token, title: Token, cite: Token | None, *lines: object) -> nodes.GameDeclaration:
        inside = only(nodes.GameLineNode, lines)
        return nodes.GameDeclaration(self._ident(name), self._text(title), inside, cites=self._cites(cite), span=span)

    def players_line(self, span: Span, value: Expression, cite: Token | None) -> nodes.GameLineNode:
        return nodes.GameLineNode("players", value=value, cites=self._cites(cite), span=span)

    def seats_line(self, span: Span, *parts: Any) -> nodes.GameLineNode:
        *seats, cite = parts
        return nodes.GameLineNode("seats", names=tuple(seats), cites=self._cites(cite), span=span)

    def member(
        self,
        span: Span,
        name: Token,
        called: Token | None,
        colour: nodes.IdentNode | None,
        shape: nodes.IdentNode | nodes.TextNode | None,
    ) -> nodes.IdentNode:
        if called is None and colour is None and shape is None:
            return self._ident(name)
        return nodes.NamedNode(str(name), self._optional_plain(called), None, colour, shape=shape, span=span)

    seat = member

    def lone_line(self, span: Span, manner: nodes.IdentNode, cite: Token | None) -> nodes.GameLineNode:
        return nodes.GameLineNode("lone", names=(manner,), cites=self._cites(cite), span=span)

    def lone_asked(self, span: Span) -> nodes.IdentNode:
        return nodes.IdentNode("asked", span=span)

    def lone_taken(self, span: Span) -> nodes.IdentNode:
        return nodes.IdentNode("taken", span=span)

    def rulebook_line(self, span: Span, path: Token, cite: Token | None) -> nodes.GameLineNode:
        return nodes.GameLineNode("rulebook", text=self._plain(path), cites=self._cites(cite), span=span)

    def history_line(self, span: Span, *parts: Any) -> nodes.GameLineNode:
        *named, most, cite = parts
        return nodes.GameLineNode("history", value=most, cites=self._cites(cite), parts=tuple(named), span=span)

    def steps_line(self, span: Span, most: Expression, cite: Token | None) -> nodes.GameLineNode:
        return nodes.GameLineNode("steps", value=most, cites=self._cites(cite), span=span)

    def include(self, span: Span, path: Token, cite: Token | None) -> nodes.IncludeDeclaration:
        return nodes.IncludeDeclaration(self._plain(path), cites=self._cites(cite), span=span)

    def names(self, span: Span, *groups: Any) -> nodes.NamesDeclaration:
        *groups_, cite = groups
        return nodes.NamesDeclaration(tuple(groups_), cites=self._cites(cite), span=span)

    def name_group(self, span: Span, *parts: Any) -> tuple[tuple[nodes.IdentNode, ...], nodes.TypeNode]:
        *names, type_ = parts
        return self._idents(names), type_

    def constant(self, span: Span, name: Token, value: Expression, cite: Token | None) -> nodes.ConstantDeclaration:
        return nodes.ConstantDeclaration(self._ident(name), value, cites=self._cites(cite), span=span)

    def strings(self, span: Span, one: Token, other: Token | None) -> Strings:
        return one, other

    def noun(self, span: Span, name: Token, words: Strings, cite: Token | None) -> nodes.NounDeclaration:
        one, many = self._plain(words[0]), self._optional_plain(words[1])
        return nodes.NounDeclaration(self._ident(name), one, many, cites=self._cites(cite), span=span)

    def enum(self, span: Span, name: Token, words: Strings | None, *parts: Any) -> nodes.EnumDeclaration:
        *members, cite = parts
        return self._enum(span, name, words, tuple(members), cite)

    def enum_block(
        self, span: Span, name: Token, words: Strings | None, cite: Token | None, *lines: object
    ) -> nodes.EnumDeclaration:
        return self._enum(span, name, words, only(nodes.IdentNode, lines), cite)

    def _enum(
        self, span: Span, name: Token, words: Strings | None, members: tuple[nodes.IdentNode, ...], cite: Token | None
    ) -> nodes.EnumDeclaration:
        one, many = words or (None, None)
        label, plural = self._optional_plain(one), self._optional_plain(many)
        return nodes.EnumDeclaration(self._ident(name), members, label, plural, cites=self._cites(cite), span=span)

    def member_text(
        self,
        span: Span,
        name: Token,
        called: Token | None,
        colour: nodes.IdentNode | None,
        shape: nodes.IdentNode | nodes.TextNode | None,
        says: Token | None,
        cite: Token | None,
    ) -> nodes.NamedNode:
        said, cites = (self._optional_plain(called), self._optional_text(says)), self._cites(cite)
        return nodes.NamedNode(str(name), *said, colour, cites, shape, span=self._span(name))

    def option(
        self,
        span: Span,
        name: Token,
        type_: nodes.TypeNode,
        default: Expression | None,
        label: Token | None,
        cite: Token | None,
    ) -> nodes.OptionDeclaration:
        text = self._optional_text(label)
        return nodes.OptionDeclaration(self._ident(name), type_, default, text, cites=self._cites(cite), span=span)

    def _optional_plain(self, token: Token | None) -> nodes.TextNode | None:
        return None if token is None else self._plain(token)

    # ------------------------------------------------------------------ kinds, data, boards

    def kind(
        self, span: Span, name: Token, words: Strings | None, cite: Token | None, *entries: object
    ) -> nodes.KindDeclaration:
        fields, rows = only(nodes.FieldLineNode, entries), self._with_texts(only(nodes.RowNode, entries))
        self._refuse_maps(entries, "a kind")
        one, many = words or (None, None)
        return nodes.KindDeclaration(
            self._ident(name),
            self._optional_text(one),
            fields,
            rows,
            self._optional_plain(many),
            only(nodes.ToldNode, entries),
            cites=self._cites(cite),
            span=span,
        )

    def told(self, span: Span, what: Token, text: Token, cite: Token | None) -> nodes.ToldNode:
        if str(what) not in nodes.WORDS:
            help = "a field has a type: `cost: 0..9`; of texts there are " + ", ".join(f"`{w}`" for w in nodes.WORDS)
            self.sink.report("E0131", f"`{what}` is not a text of a kind", self._span(what), help=help)
        return nodes.ToldNode(self._ident(what), self._text(text), self._cites(cite), span=span)

    def _with_texts(self, rows: tuple[nodes.RowNode, ...]) -> tuple[nodes.RowNode, ...]:
        """Returns rows in which the strings in the columns `called`, `text` and those for pictures are texts with holes."""
        head = rows[0].cells if rows else ()
        said = [i for i, cell in enumerate(head) if isinstance(cell, nodes.NameExpression) and cell.text in nodes.WORDS]
        if not said:
            return rows
        return (rows[0], *(attrs.evolve(row, cells=self._holes_in(row.cells, said)) for row in rows[1:]))

    def _holes_in(
        self, cells: tuple[Expression | nodes.TextNode | None, ...], said: list[int]
    ) -> tuple[Expression | nodes.TextNode | None, ...]:
        return tuple(
            text_at(cell.span, self.sink, self.read_hole) if i in said and isinstance(cell, nodes.TextNode) else cell
            for i, cell in enumerate(cells)
        )

    def data(
        self, span: Span, name: Token, params: Parameters, cite: Token | None, *entries: object
    ) -> nodes.DataDeclaration:
        fields, rows = only(nodes.FieldLineNode, entries), only(nodes.RowNode, entries)
        self._refuse_maps(entries, "data")
        self._refuse_told(entries)
        return nodes.DataDeclaration(self._ident(name), params, fields, rows, cites=self._cites(cite), span=span)

    def board(
        self,
        span: Span,
        name: Token,
        label: Token | None,
        shape: Token,
        diagonals: Token | None,
        cite: Token | None,
        *entries: object,
    ) -> nodes.BoardDeclaration:
        self._refuse_told(entries)
        return nodes.BoardDeclaration(
            self._ident(name),
            self._optional_text(label),
            self._ident(shape),
            self._optional_ident(diagonals),
            only(nodes.FieldLineNode, entries),
            only(nodes.MapTextNode, entries),
            only(nodes.RowNode, entries),
            only(nodes.DrawnNode, entries),
            cites=self._cites(cite),
            span=span,
        )

    def board_of(
        self, span: Span, name: Token, label: Token | None, shape: Token, of: Token, cite: Token | None
    ) -> nodes.BoardDeclaration:
        return attrs.evolve(self.board(span, name, label, shape, None, cite), of=self._ident(of))

    def _refuse_maps(self, entries: Iterable[object], where: str) -> None:
        for drawn in (*only(nodes.MapTextNode, entries), *only(nodes.DrawnNode, entries)):
            self.sink.report("E0114", f"{where} has no map", drawn.span, help="a map belongs to a `board`")

    def _refuse_told(self, entries: Iterable[object]) -> None:
        for told in only(nodes.ToldNode, entries):
            self.sink.report("E0131", "only a kind has things to call", told.span, help="a field has a type")

    def field(
        self,
        span: Span,
        name: Token,
        key: tuple[nodes.ParameterNode, ...] | None,
        type_: nodes.TypeNode,
        default: Expression | None,
        called: Token | None,
        cite: Token | None,
    ) -> nodes.FieldLineNode:
        said = self._optional_plain(called)
        return nodes.FieldLineNode(self._ident(name), type_, default, self._cites(cite), said, key or (), span=span)

    def row(self, span: Span, *cells: Any) -> nodes.RowNode:
        *inside, cite = cells
        return nodes.RowNode(tuple(inside), self._cites(cite), span=span)

    def cell(self, span: Span, value: Expression | Token | None) -> Expression | nodes.TextNode | None:
        return self._plain(value) if isinstance(value, Token) else value

    def map(self, span: Span, name: Token | None, drawing: Token, cite: Token | None) -> nodes.MapTextNode:
        return nodes.MapTextNode(map_lines(drawing), self._optional_ident(name), self._cites(cite), span=span)

    def drawing(
        self, span: Span, name: Token, board: Token, lines: Token, cite: Token | None
    ) -> nodes.DrawingDeclaration:
        idents = self._ident(name), self._ident(board)
        return nodes.DrawingDeclaration(*idents, map_lines(lines), cites=self._cites(cite), span=span)

    def die(self, span: Span, name: Token, *faces: Any) -> nodes.DieDeclaration:
        *values, cite = faces
        return nodes.DieDeclaration(self._ident(name), tuple(values), cites=self._cites(cite), span=span)

    def clock(
        self, span: Span, name: Token, type_: nodes.TypeNode, cite: Token | None, *rows: object
    ) -> nodes.ClockDeclaration:
        inside = only(nodes.RowNode, rows)
        return nodes.ClockDeclaration(self._ident(name), type_, inside, cites=self._cites(cite), span=span)

    # ------------------------------------------------------------------ state

    def state(self, span: Span, *parts: Any) -> nodes.StateDeclaration:
        owner = parts[0] if isinstance(parts[0], Token) and parts[0].type == "NAME" else None
        cite, *lines = parts if owner is None else parts[1:]
        variables = only(nodes.VariableNode, lines)
        return nodes.StateDeclaration(self._optional_ident(owner), variables, cites=self._cites(cite), span=span)

    def variable(
        self, span: Span, name: Token, params: Parameters | None, type_: nodes.TypeNode, *rest: Any
    ) -> nodes.VariableNode:
        initial, *modifiers, cite = rest
        return nodes.VariableNode(
            self._ident(name), params or (), type_, initial, tuple(modifiers), self._cites(cite), span=span
        )

    def box(self, span: Span, name: Token, face: nodes.ModifierNode, cite: Token | None) -> nodes.VariableNode:
        type_ = nodes.BoxTypeNode(span=face.span)
        return nodes.VariableNode(self._ident(name), (), type_, None, (face,), self._cites(cite), span=span)

    def seen_by(self, span: Span, value: Expression) -> nodes.ModifierNode:
        return nodes.ModifierNode("seen by", value, span=span)

    def face_up(self, span: Span) -> nodes.ModifierNode:
        return nodes.ModifierNode("face up", span=span)

    def face_down(self, span: Span) -> nodes.ModifierNode:
        return nodes.ModifierNode("face down", span=span)

    def top_face_up(self, span: Span) -> nodes.ModifierNode:
        return nodes.ModifierNode("top face up", span=span)

    def refills_from(self, span: Span, value: Expression) -> nodes.ModifierNode:
        return nodes.ModifierNode("refills from", value, span=span)

    def capacity(self, span: Span, value: Expression) -> nodes.ModifierNode:
        return nodes.ModifierNode("at most", value, span=span)

    def until(self, span: Span, what: Token, of: Token | None, event: Token) -> nodes.ModifierNode:
        return nodes.ModifierNode("until", until=" ".join((what, *(("of", of) if of else ()), event)), span=span)

    def scratch(self, span: Span) -> nodes.ModifierNode:
        return nodes.ModifierNode("scratch", span=span)

    def untold(self, span: Span) -> nodes.ModifierNode:
        return nodes.ModifierNode("untold", span=span)

    def called(self, span: Span, text: Token) -> nodes.ModifierNode:
        return nodes.ModifierNode("called", text=self._plain(text), span=span)

    def text(self, span: Span, text: Token) -> nodes.ModifierNode:
        return nodes.ModifierNode("text", text=self._text(text), span=span)

    # ------------------------------------------------------------------ values, adjustments

    def value(
        self,
        span: Span,
        name: Token,
        params: Parameters | None,
        type_: nodes.TypeNode | None,
        deep: Expression | None,
        names: ValueNames | None,
        body: Cases,
    ) -> nodes.ValueDeclaration:
        ident = self._ident(name)
        called, denied = names or (None, None)
        return nodes.ValueDeclaration(
            ident, params or (), type_, deep, body.cases, body.lets, called, denied, cites=body.cites, span=span
        )

    def named(self, span: Span, called: Token, denied: Token | None) -> ValueNames:
        return self._text(called), self._optional_text(denied)

    def deep(self, span: Span, count: Expression) -> Expression:
        return count

    def plain_value(self, span: Span, value: Expression, cite: Token | None) -> Cases:
        return Cases((nodes.CaseNode(value, None, span=value.span),), self._cites(cite))

    def plain_case(self, span: Span, value: Expression, condition: Expression, cite: Token | None) -> Cases:
        return Cases((nodes.CaseNode(value, condition, span=value.span.to(condition.span)),), self._cites(cite))

    def value_by_cases(self, span: Span, cite: Token | None, *cases: object) -> Cases:
        lets = only(nodes.LetStatement, cases)
        first = next((i for i, part in enumerate(cases) if isinstance(part, nodes.CaseNode)), len(cases))
        for late in (part for part in cases[first:] if isinstance(part, nodes.LetStatement)):
            self.sink.report("E0124", "`let` stands before the first case of a value", late.span, "too late here")
        if lets and first == len(cases):
            self.sink.report("E0124", "a value ends in its result", lets[-1].span, "nothing follows")
        return Cases(only(nodes.CaseNode, cases), self._cites(cite), lets)

    def value_let(self, span: Span, name: Token, value: Expression, *rest: Any) -> nodes.LetStatement:
        *clamps, cite = rest
        return nodes.LetStatement(self._ident(name), value, tuple(clamps), cites=self._cites(cite), span=span)

    def bare_case(self, span: Span, value: Expression, cite: Token | None) -> nodes.CaseNode:
        return nodes.CaseNode(value, None, self._cites(cite), span=span)

    def case_if(self, span: Span, value: Expression, condition: Expression, cite: Token | None) -> nodes.CaseNode:
        return nodes.CaseNode(value, condition, self._cites(cite), span=span)

    def case_otherwise(self, span: Span, value: Expression, cite: Token | None) -> nodes.CaseNode:
        return nodes.CaseNode(value, None, self._cites(cite), span=span)

    def adjust(
        self, span: Span, name: Token, params: Parameters | None, column: Token | None, *rest: Any
    ) -> nodes.AdjustDeclaration:
        *changes, condition, label, cite = rest
        return nodes.AdjustDeclaration(
            self._ident(name),
            params or (),
            self._optional_ident(column),
            tuple(changes),
            condition,
            self._optional_ident(label),
            cites=self._cites(cite),
            span=span,
        )

    def adjustment(self, span: Span, what: Token, value: Expression) -> nodes.AdjustmentNode:
        return nodes.AdjustmentNode(cast(nodes.AdjustSign, str(what)), value, span=span)

    # ------------------------------------------------------------------ verbs, hooks, actions

    def verb(self, span: Span, *parts: Any) -> nodes.VerbDeclaration:
        name, params, returns, deep, telling, suite = parts
        said = telling or Telling()
        verb = self._verb(False, span, name, params, said.sentence, suite)
        otherwise, called = self._optional_text(said.otherwise), self._optional_text(said.called)
        return attrs.evolve(verb, deep=deep, otherwise=otherwise, untold=said.untold, called=called, returns=returns)

    def telling(self, span: Span, sentence: Token, otherwise: Token | None) -> Telling:
        return Telling(sentence, otherwise)

    def called_verb(self, span: Span, called: Token) -> Telling:
        return Telling(called=called)

    def untold_verb(self, span: Span, called: Token | None) -> Telling:
        return Telling(untold=True, called=called)

    def verb_deep(self, span: Span, count: Expression) -> Expression:
        return count

    def phase(
        self, span: Span, name: Token, params: Parameters | None, sentence: Token | None, suite: Suite
    ) -> nodes.VerbDeclaration:
        return self._verb(True, span, name, params, sentence, suite)

    def _verb(
        self, phase: bool, span: Span, name: Token, params: Parameters | None, sentence: Token | None, suite: Suite
    ) -> nodes.VerbDeclaration:
        text, body = self._optional_text(sentence), self._body(suite)
        return nodes.VerbDeclaration(phase, self._ident(name), params or (), text, body, cites=suite.cites, span=span)

    def before(self, span: Span, *parts: Any) -> nodes.HookDeclaration:
        return self._hook("before", span, *parts)

    def after(self, span: Span, *parts: Any) -> nodes.HookDeclaration:
        return self._hook("after", span, *parts)

    def instead(self, span: Span, *parts: Any) -> nodes.HookDeclaration:
        return self._hook("instead", span, *parts)

    def _hook(
        self,
        when: nodes.HookTime,
        span: Span,
        verb: Token,
        params: Parameters | None,
        condition: Expression | None,
        chooser: Expression | None,
        label: Token | None,
        suite: Suite,
    ) -> nodes.HookDeclaration:
        return nodes.HookDeclaration(
            when,
            self._ident(verb),
            params or (),
            condition,
            self._optional_ident(label),
            self._body(suite),
            chooser,
            cites=suite.cites,
            span=span,
        )

    def whenever(self, span: Span, condition: Expression, *parts: Any) -> nodes.WheneverDeclaration:
        over, chooser, label, suite = parts
        binders, keys, filter_ = (over.binders, over.keys, over.condition) if over else ((), (), None)
        name, body = self._optional_ident(label), self._body(suite)
        return nodes.WheneverDeclaration(
            condition, binders, filter_, name, body, chooser, keys, cites=suite.cites, span=span
        )

    def over(self, span: Span, *parts: Any) -> IterationHead:
        *binders, keys, condition = parts
        return IterationHead(tuple(binders), keys or (), condition)

    def flow(self, span: Span, what: Token, suite: Suite) -> nodes.FlowDeclaration:
        form: nodes.FlowForm = "setup" if what == "setup" else "play"
        return nodes.FlowDeclaration(form, self._body(suite), cites=suite.cites, span=span)

    def action(
        self,
        span: Span,
        name: Token,
        params: Parameters | None,
        moment: OfferTime | None,
        words: Strings | None,
        suite: Suite,
    ) -> nodes.ActionDeclaration:
        needs, shows, body = self._needs_and_body(suite)
        label, told = words or (None, None)
        return nodes.ActionDeclaration(
            self._ident(name),
            params or (),
            moment.when if moment else None,
            moment.beside if moment else (),
            self._optional_text(label),
            needs,
            body,
            self._optional_text(told),
            shows,
            cites=suite.cites,
            span=span,
        )

    def at_any_time(self, span: Span) -> OfferTime:
        return OfferTime("time")

    def at_any_choice(self, span: Span) -> OfferTime:
        return OfferTime("choice")

    def beside(self, span: Span, *names: Token) -> OfferTime:
        return OfferTime("beside", self._idents(names))
