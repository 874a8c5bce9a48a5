"""The part of `build` that makes statements, blocks and choices.

    p chooses one of take, draw, or pass        Choose(Chooser(p), actions=(take, draw), decline="pass")

What is a matter of form but not of grammar is refused here: a `needs` that does not come first, or not in an action.
Lines that could not be read arrive as BROKEN and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, cast

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.expressions import ExpressionRules
from rulelang.syntax.lexer import Token
from rulelang.syntax.nodes import Expression

_T = TypeVar("_T")

Parameters = tuple[nodes.Parameter, ...]


class Broken:
    """A line that could not be read."""


BROKEN = Broken()


@attrs.frozen
class Suite:
    """What stood behind a colon; `cites` are those of the line with the colon."""

    body: tuple[nodes.Statement | nodes.Need | nodes.Shows, ...]
    cites: tuple[nodes.Cite, ...]
    is_block: bool


class StatementRules(ExpressionRules):
    """The rules below `suite`."""

    def broken(self, span: Span, token: Token) -> Broken:
        return BROKEN

    # ------------------------------------------------------------------ blocks

    def block(self, span: Span, cite: Token | None, *lines: object) -> Suite:
        body = tuple(line for line in lines if isinstance(line, nodes.Statement | nodes.Need | nodes.Shows))
        return Suite(body, self._cites(cite), is_block=True)

    def inline(self, span: Span, statement: nodes.Statement, cite: Token | None) -> Suite:
        return Suite((statement,), self._cites(cite), is_block=False)

    def _body(self, suite: Suite) -> tuple[nodes.Statement, ...]:
        """Returns the statements of a suite that may have no needs."""
        for need in only(nodes.Need, suite.body):
            help_ = "elsewhere, write `if`"
            self.sink.report("E0114", "`needs` stands only in actions and options", need.span, help=help_)
        for shows in only(nodes.Shows, suite.body):
            self.sink.report("E0114", "`shows` stands only in actions and options", shows.span)
        return only(nodes.Statement, suite.body)

    def _needs_and_body(
        self, suite: Suite
    ) -> tuple[tuple[nodes.Need, ...], nodes.Shows | None, tuple[nodes.Statement, ...]]:
        """Returns what an action needs, what it shows and what it does; the last comes last."""
        body, shows = only(nodes.Statement, suite.body), only(nodes.Shows, suite.body)
        for second in shows[1:]:
            self.sink.report("E0114", "an action shows one text", second.span, help="write both in one")
        for line, next_ in zip(suite.body, suite.body[1:], strict=False):
            if isinstance(line, nodes.Statement) and isinstance(next_, nodes.Need | nodes.Shows):
                message = f"this `{'needs' if isinstance(next_, nodes.Need) else 'shows'}` stands behind a statement"
                self.sink.report("E0114", message, next_.span, help="needs come first, then what the action does")
        return only(nodes.Need, suite.body), next(iter(shows), None), body

    def line(self, span: Span, statement: nodes.Statement, cite: Token | None) -> nodes.Statement:
        return attrs.evolve(statement, cites=self._cites(cite)) if cite else statement

    def assign(
        self, span: Span, target: Expression, operator: Token, value: Expression, *clamps: nodes.Clamp
    ) -> nodes.Assign:
        return nodes.Assign(target, cast(nodes.AssignSign, str(operator)), value, clamps, span=span)

    def clamp(self, span: Span, way: Token, value: Expression) -> nodes.Clamp:
        return nodes.Clamp(way == "least", value, span=span)

    def call_statement(self, span: Span, call: Expression) -> nodes.CallStatement:
        return nodes.CallStatement(call, span=span)

    def let(self, span: Span, name: Token, value: Expression, *clamps: nodes.Clamp) -> nodes.Let:
        return nodes.Let(self._ident(name), value, clamps, span=span)

    def move(self, span: Span, what: nodes.Domain, to: Expression, end: Token | None) -> nodes.Move:
        return nodes.Move(what, to, None if end is None else "top" if end == "top" else "bottom", span=span)

    def stop(self, span: Span) -> nodes.Stop:
        return nodes.Stop(span=span)

    def return_(self, span: Span) -> nodes.Return:
        return nodes.Return(span=span)

    def proceed(self, span: Span) -> nodes.Proceed:
        return nodes.Proceed(span=span)

    def settle(self, span: Span) -> nodes.Settle:
        return nodes.Settle(span=span)

    def finish_winner(self, span: Span, value: Expression) -> nodes.Finish:
        return nodes.Finish("winner", value, span=span)

    def finish_ranking(self, span: Span, value: nodes.Comprehension) -> nodes.Finish:
        return nodes.Finish("ranking", value, span=span)

    def finish_score(self, span: Span, value: Expression) -> nodes.Finish:
        return nodes.Finish("score", value, span=span)

    def finish_lost(self, span: Span) -> nodes.Finish:
        return nodes.Finish("lost", None, span=span)

    def if_(self, span: Span, *parts: nodes.Branch | Suite | None) -> nodes.If:
        last = parts[-1]
        otherwise = self._body(last) if isinstance(last, Suite) else None
        if isinstance(last, Suite) and last.cites:
            if last.is_block or otherwise is None:
                self._nothing_to_cite_for(last.cites)
            else:
                otherwise = tuple(attrs.evolve(statement, cites=last.cites) for statement in otherwise)
        return nodes.If(only(nodes.Branch, parts), otherwise, span=span)

    def _nothing_to_cite_for(self, cites: tuple[nodes.Cite, ...]) -> None:
        message = "an `else:` cites nothing"
        self.sink.report("E0109", message, cites[0].span, help="move the clause to the lines below, or write `elif`")

    def branch(self, span: Span, condition: Expression, suite: Suite) -> nodes.Branch:
        return nodes.Branch(condition, self._body(suite), suite.cites, span=span)

    def for_(
        self,
        span: Span,
        simultaneous: Token | None,
        binder: nodes.Binder,
        keys: tuple[nodes.Key, ...] | None,
        condition: Expression | None,
        openly: Token | None,
        suite: Suite,
    ) -> nodes.For:
        together, body = simultaneous is not None, self._body(suite)
        told = openly is not None
        return nodes.For(together, binder, keys or (), condition, body, told, cites=suite.cites, span=span)

    def repeat_forever(self, span: Span, suite: Suite) -> nodes.Repeat:
        return nodes.Repeat(None, None, self._body(suite), cites=suite.cites, span=span)

    def repeat_while(self, span: Span, condition: Expression, suite: Suite) -> nodes.Repeat:
        return nodes.Repeat(condition, None, self._body(suite), cites=suite.cites, span=span)

    def repeat_times(self, span: Span, times: Expression, suite: Suite) -> nodes.Repeat:
        return nodes.Repeat(None, times, self._body(suite), cites=suite.cites, span=span)

    def turns(self, span: Span, name: Token, start: Expression, suite: Suite) -> nodes.Turns:
        return nodes.Turns(self._ident(name), start, self._body(suite), cites=suite.cites, span=span)

    def against(self, span: Span, clock: Token, suite: Suite) -> nodes.Against:
        return nodes.Against(self._ident(clock), self._body(suite), cites=suite.cites, span=span)

    def need(self, span: Span, condition: Expression, message: Token | None, cite: Token | None) -> nodes.Need:
        return nodes.Need(condition, self._optional_text(message), self._cites(cite), span=span)

    def shows(self, span: Span, *parts: Any) -> nodes.Shows:
        *fields, cite = parts
        return nodes.Shows(tuple(fields), self._cites(cite), span=span)

    def shown_field(self, span: Span, text: Token, condition: Expression | None) -> nodes.ShownField:
        return nodes.ShownField(self._text(text), condition, span=span)

    # ------------------------------------------------------------------ choices

    def one_chooser(self, span: Span, who: Expression, openly: Token | None) -> nodes.Chooser:
        return nodes.Chooser(who, openly=openly is not None, span=span)

    def each_chooser(
        self,
        span: Span,
        each: nodes.Binder,
        condition: Expression | None,
        openly: Token | None,
        secretly: Token | None,
    ) -> nodes.Chooser:
        return nodes.Chooser(None, each, condition, secretly is not None, openly is not None, span=span)

    def decline(self, span: Span, word: Token) -> nodes.Decline:
        return "pass" if word == "pass" else "stop"

    def choose_value(
        self,
        span: Span,
        chooser: nodes.Chooser,
        target: Expression,
        domain: nodes.Domain,
        decline: nodes.Decline | None,
        prompt: Token | None,
    ) -> nodes.Choose:
        text = self._optional_text(prompt)
        return nodes.Choose(chooser, target, domain, decline=decline, prompt=text, span=span)

    def choose_action(self, span: Span, chooser: nodes.Chooser, *parts: Any) -> nodes.Choose:
        *actions, decline, prompt = parts
        text = self._optional_text(prompt)
        return nodes.Choose(chooser, actions=self._idents(actions), decline=decline, prompt=text, span=span)

    def choose_block(
        self,
        span: Span,
        chooser: nodes.Chooser,
        decline: nodes.Decline | None,
        prompt: Token | None,
        cite: Token | None,
        *choices: object,
    ) -> nodes.Choose:
        return nodes.Choose(
            chooser,
            options=only(nodes.Option, choices),
            decline=decline,
            prompt=self._optional_text(prompt),
            cites=self._cites(cite),
            span=span,
        )

    def choice(
        self, span: Span, name: Token, params: Parameters | None, words: tuple[Token, Token | None] | None, suite: Suite
    ) -> nodes.Option:
        needs, shows, body = self._needs_and_body(suite)
        label, told = (self._optional_text(word) for word in words or (None, None))
        ident = self._ident(name)
        return nodes.Option(ident, params or (), label, needs, body, suite.cites, told, shows, span=span)

    def bare_choice(
        self,
        span: Span,
        name: Token,
        params: Parameters | None,
        words: tuple[Token, Token | None] | None,
        cite: Token | None,
    ) -> nodes.Option:
        label, told = (self._optional_text(word) for word in words or (None, None))
        return nodes.Option(self._ident(name), params or (), label, (), (), self._cites(cite), told, span=span)


def only(type_: type[_T], children: Iterable[object]) -> tuple[_T, ...]:
    """Returns those of the children that are of a type, in order."""
    return tuple(child for child in children if isinstance(child, type_))
