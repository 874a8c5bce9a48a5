"""The part of `build` that makes statements, blocks and choices.

    p chooses one of take, draw, or pass        ChooseStatement(ChooserNode(p), actions=(take, draw), decline="pass")

Faults of form that the grammar lets pass are reported here: a `needs` that does not come first, or stands outside an
action. Lines that could not be read arrive as BROKEN and are left out.
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

Parameters = tuple[nodes.ParameterNode, ...]


class BrokenLine:
    """A line that could not be read."""


BROKEN = BrokenLine()


@attrs.frozen
class Cases:
    """The body of a value, after its `=`."""

    cases: tuple[nodes.CaseNode, ...]
    cites: tuple[nodes.CiteNode, ...]
    lets: tuple[nodes.LetStatement, ...] = ()


@attrs.frozen
class OfferTime:
    """The moment when an action is offered on its own."""

    when: nodes.ActionMoment
    beside: tuple[nodes.IdentNode, ...] = ()


@attrs.frozen
class IterationHead:
    """`for x in S, y in T from e by KEYS if c`."""

    binders: tuple[nodes.BinderNode, ...]
    keys: tuple[nodes.KeyNode, ...]
    condition: Expression | None


@attrs.frozen
class NeverEmpty:
    """`, never empty`, behind the domain of a choice."""


@attrs.frozen
class Declining:
    """`, or pass after 60 seconds`."""

    word: nodes.Decline | None = None
    seconds: Expression | None = None


NO_DECLINE = Declining()


@attrs.frozen
class Suite:
    """A block after a colon; `cites` are those of the line with the colon."""

    body: tuple[nodes.Statement | nodes.NeedNode | nodes.ShowsNode, ...]
    cites: tuple[nodes.CiteNode, ...]
    is_block: bool


class StatementRules(ExpressionRules):
    """The rules of blocks, statements and choices: everything below `suite`."""

    def broken(self, span: Span, token: Token) -> BrokenLine:
        return BROKEN

    # ------------------------------------------------------------------ blocks

    def block(self, span: Span, cite: Token | None, *lines: object) -> Suite:
        body = tuple(line for line in lines if isinstance(line, nodes.Statement | nodes.NeedNode | nodes.ShowsNode))
        return Suite(body, self._cites(cite), is_block=True)

    def inline(self, span: Span, statement: nodes.Statement, cite: Token | None) -> Suite:
        return Suite((statement,), self._cites(cite), is_block=False)

    def _body(self, suite: Suite) -> tuple[nodes.Statement, ...]:
        """Returns the statements of a suite; reports each `needs` and `shows` in it, which may not be there."""
        for need in only(nodes.NeedNode, suite.body):
            help_ = "elsewhere, write `if`"
            self.sink.report("E0114", "`needs` stands only in actions and options", need.span, help=help_)
        for shows in only(nodes.ShowsNode, suite.body):
            self.sink.report("E0114", "`shows` stands only in actions and options", shows.span)
        return only(nodes.Statement, suite.body)

    def _needs_and_body(
        self, suite: Suite
    ) -> tuple[tuple[nodes.NeedNode, ...], nodes.ShowsNode | None, tuple[nodes.Statement, ...]]:
        """Returns an action's needs, its `shows` and its body; reports those in the wrong place."""
        body, shows = only(nodes.Statement, suite.body), only(nodes.ShowsNode, suite.body)
        for second in shows[1:]:
            self.sink.report("E0114", "an action shows one text", second.span, help="write both in one")
        for line, next_ in zip(suite.body, suite.body[1:], strict=False):
            if isinstance(line, nodes.Statement) and isinstance(next_, nodes.NeedNode | nodes.ShowsNode):
                message = (
                    f"this `{'needs' if isinstance(next_, nodes.NeedNode) else 'shows'}` stands behind a statement"
                )
                self.sink.report("E0114", message, next_.span, help="needs come first, then what the action does")
        return only(nodes.NeedNode, suite.body), next(iter(shows), None), body

    def line(self, span: Span, statement: nodes.Statement, cite: Token | None) -> nodes.Statement:
        return attrs.evolve(statement, cites=self._cites(cite)) if cite else statement

    def assign(
        self, span: Span, target: Expression, operator: Token, value: Expression, *clamps: nodes.ClampNode
    ) -> nodes.AssignStatement:
        return nodes.AssignStatement(target, cast(nodes.AssignSign, str(operator)), value, clamps, span=span)

    def clamp(self, span: Span, way: Token, value: Expression) -> nodes.ClampNode:
        return nodes.ClampNode(way == "least", value, span=span)

    def call_statement(self, span: Span, call: Expression) -> nodes.CallStatement:
        return nodes.CallStatement(call, span=span)

    def let(self, span: Span, name: Token, value: Expression, *clamps: nodes.ClampNode) -> nodes.LetStatement:
        return nodes.LetStatement(self._ident(name), value, clamps, span=span)

    def move(self, span: Span, what: nodes.DomainNode, to: Expression, end: Token | None) -> nodes.MoveStatement:
        return nodes.MoveStatement(what, to, None if end is None else "top" if end == "top" else "bottom", span=span)

    def stop(self, span: Span) -> nodes.StopStatement:
        return nodes.StopStatement(span=span)

    def return_(self, span: Span, value: Expression | None) -> nodes.ReturnStatement:
        return nodes.ReturnStatement(value, span=span)

    def proceed(self, span: Span) -> nodes.ProceedStatement:
        return nodes.ProceedStatement(span=span)

    def settle(self, span: Span) -> nodes.SettleStatement:
        return nodes.SettleStatement(span=span)

    def finish_winner(self, span: Span, value: Expression) -> nodes.FinishStatement:
        return nodes.FinishStatement("winner", value, span=span)

    def finish_ranking(self, span: Span, value: nodes.ComprehensionExpression) -> nodes.FinishStatement:
        return nodes.FinishStatement("ranking", value, span=span)

    def finish_score(self, span: Span, value: Expression) -> nodes.FinishStatement:
        return nodes.FinishStatement("score", value, span=span)

    def finish_lost(self, span: Span) -> nodes.FinishStatement:
        return nodes.FinishStatement("lost", None, span=span)

    def if_(self, span: Span, *parts: nodes.BranchNode | Suite | None) -> nodes.IfStatement:
        last = parts[-1]
        otherwise = self._body(last) if isinstance(last, Suite) else None
        if isinstance(last, Suite) and last.cites:
            if last.is_block or otherwise is None:
                self._nothing_to_cite_for(last.cites)
            else:
                otherwise = tuple(attrs.evolve(statement, cites=last.cites) for statement in otherwise)
        return nodes.IfStatement(only(nodes.BranchNode, parts), otherwise, span=span)

    def _nothing_to_cite_for(self, cites: tuple[nodes.CiteNode, ...]) -> None:
        message = "an `else:` cites nothing"
        self.sink.report("E0109", message, cites[0].span, help="move the clause to the lines below, or write `elif`")

    def branch(self, span: Span, condition: Expression, suite: Suite) -> nodes.BranchNode:
        return nodes.BranchNode(condition, self._body(suite), suite.cites, span=span)

    def for_(
        self,
        span: Span,
        simultaneous: Token | None,
        *parts: Any,
    ) -> nodes.ForStatement:
        *binders, keys, condition, openly, suite = parts
        *around, binder = binders
        together, told, body = simultaneous is not None, openly is not None, self._body(suite)
        return nodes.ForStatement(
            together, binder, keys or (), condition, body, told, tuple(around), cites=suite.cites, span=span
        )

    def repeat_forever(self, span: Span, suite: Suite) -> nodes.RepeatStatement:
        return nodes.RepeatStatement(None, None, self._body(suite), cites=suite.cites, span=span)

    def repeat_while(self, span: Span, condition: Expression, suite: Suite) -> nodes.RepeatStatement:
        return nodes.RepeatStatement(condition, None, self._body(suite), cites=suite.cites, span=span)

    def repeat_times(self, span: Span, times: Expression, suite: Suite) -> nodes.RepeatStatement:
        return nodes.RepeatStatement(None, times, self._body(suite), cites=suite.cites, span=span)

    def turns(
        self, span: Span, name: Token, start: Expression, then: Expression | None, suite: Suite
    ) -> nodes.TurnsStatement:
        return nodes.TurnsStatement(self._ident(name), start, then, self._body(suite), cites=suite.cites, span=span)

    def against(self, span: Span, clock: Token, suite: Suite) -> nodes.AgainstStatement:
        return nodes.AgainstStatement(self._ident(clock), self._body(suite), cites=suite.cites, span=span)

    def need(self, span: Span, condition: Expression, message: Token | None, cite: Token | None) -> nodes.NeedNode:
        return nodes.NeedNode(condition, self._optional_text(message), self._cites(cite), span=span)

    def shows(self, span: Span, *parts: Any) -> nodes.ShowsNode:
        *fields, cite = parts
        return nodes.ShowsNode(tuple(fields), self._cites(cite), span=span)

    def shown_field(self, span: Span, text: Token, condition: Expression | None) -> nodes.ShownFieldNode:
        return nodes.ShownFieldNode(self._text(text), condition, span=span)

    # ------------------------------------------------------------------ choices

    def one_chooser(self, span: Span, who: Expression, word: Token | None) -> nodes.ChooserNode:
        return nodes.ChooserNode(who, secretly=word == "secretly", openly=word == "openly", span=span)

    def each_chooser(
        self,
        span: Span,
        each: nodes.BinderNode,
        keys: tuple[nodes.KeyNode, ...] | None,
        condition: Expression | None,
        openly: Token | None,
        secretly: Token | None,
    ) -> nodes.ChooserNode:
        return nodes.ChooserNode(None, each, keys or (), condition, secretly is not None, openly is not None, span=span)

    def decline(self, span: Span, word: Token, seconds: Expression | None) -> Declining:
        return Declining("pass" if word == "pass" else "stop", seconds)

    def never(self, span: Span) -> NeverEmpty:
        return NeverEmpty()

    def choose_value(
        self,
        span: Span,
        chooser: nodes.ChooserNode,
        target: Expression,
        domain: nodes.DomainNode,
        behind: Declining | NeverEmpty | None,
        prompt: Token | None,
    ) -> nodes.ChooseStatement:
        text, never_empty = self._optional_text(prompt), isinstance(behind, NeverEmpty)
        declining = behind if isinstance(behind, Declining) else NO_DECLINE
        return nodes.ChooseStatement(
            chooser, target, domain, (), (), declining.word, text, never_empty, declining.seconds, span=span
        )

    def choose_action(self, span: Span, chooser: nodes.ChooserNode, *parts: Any) -> nodes.ChooseStatement:
        *actions, behind, prompt = parts
        text, declining = self._optional_text(prompt), behind or NO_DECLINE
        return nodes.ChooseStatement(
            chooser,
            actions=self._idents(actions),
            decline=declining.word,
            prompt=text,
            seconds=declining.seconds,
            span=span,
        )

    def choose_block(
        self,
        span: Span,
        chooser: nodes.ChooserNode,
        behind: Declining | None,
        prompt: Token | None,
        cite: Token | None,
        *choices: object,
    ) -> nodes.ChooseStatement:
        declining = behind or NO_DECLINE
        return nodes.ChooseStatement(
            chooser,
            options=only(nodes.OptionNode, choices),
            decline=declining.word,
            prompt=self._optional_text(prompt),
            seconds=declining.seconds,
            cites=self._cites(cite),
            span=span,
        )

    def choice(
        self, span: Span, name: Token, params: Parameters | None, words: tuple[Token, Token | None] | None, suite: Suite
    ) -> nodes.OptionNode:
        needs, shows, body = self._needs_and_body(suite)
        label, told = (self._optional_text(word) for word in words or (None, None))
        ident = self._ident(name)
        return nodes.OptionNode(ident, params or (), label, needs, body, suite.cites, told, shows, span=span)

    def bare_choice(
        self,
        span: Span,
        name: Token,
        params: Parameters | None,
        words: tuple[Token, Token | None] | None,
        cite: Token | None,
    ) -> nodes.OptionNode:
        label, told = (self._optional_text(word) for word in words or (None, None))
        return nodes.OptionNode(self._ident(name), params or (), label, (), (), self._cites(cite), told, span=span)


def only(type_: type[_T], children: Iterable[object]) -> tuple[_T, ...]:
    """Returns the children of a type, in order."""
    return tuple(child for child in children if isinstance(child, type_))
