"""The part of `build` that makes scenarios and their steps.

expect heap == 20        holds(span, value)        ExpectStep("holds", BinaryExpression(…))
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


class ScenarioRules(StatementRules):
    """Builds scenarios and their steps."""

    def scenario(self, span: Span, title: Token, *parts: Any) -> nodes.ScenarioDeclaration:
        settings = tuple(part for part in parts if isinstance(part, tuple))
        cite = next((part for part in parts if isinstance(part, Token)), None)
        steps = only(nodes.ScenarioStep, parts)
        return nodes.ScenarioDeclaration(self._plain(title), settings, steps, cites=self._cites(cite), span=span)

    def setting(self, span: Span, name: Token, value: Expression) -> tuple[nodes.IdentNode, Expression]:
        return self._ident(name), value

    def players_step(self, span: Span, *parts: Any) -> nodes.PlayersStep:
        *names, cite = parts
        return nodes.PlayersStep(self._idents(names), cites=self._cites(cite), span=span)

    def lone_step(self, span: Span, manner: nodes.IdentNode, cite: Token | None) -> nodes.LoneStep:
        return nodes.LoneStep(manner, cites=self._cites(cite), span=span)

    def given_step(self, span: Span, *parts: Any) -> nodes.GivenStep:
        at, cite = parts[-2:]
        assignments = tuple(part for part in parts if isinstance(part, tuple))
        return nodes.GivenStep(assignments, self._moment(at), cites=self._cites(cite), span=span)

    def drawn_step(
        self,
        span: Span,
        zone: Expression,
        first: Expression,
        at: Expression | Token | None,
        lines: Token,
        cite: Token | None,
    ) -> nodes.DrawnStep:
        return nodes.DrawnStep(zone, first, map_lines(lines), self._moment(at), cites=self._cites(cite), span=span)

    def _moment(self, at: Expression | Token | None) -> Expression | nodes.TextNode | None:
        return self._plain(at) if isinstance(at, Token) else at

    def given(self, span: Span, target: Expression, value: Expression) -> tuple[Expression, Expression]:
        return target, value

    def input_step(self, span: Span, who: Token, option: Expression, cite: Token | None) -> nodes.InputStep:
        option, elapsed = _timed(option)
        return nodes.InputStep(self._ident(who), option, elapsed, cites=self._cites(cite), span=span)

    def others_step(self, span: Span, option: Expression, cite: Token | None) -> nodes.OthersStep:
        return nodes.OthersStep(option, cites=self._cites(cite), span=span)

    def roll_step(self, span: Span, die: Token, *parts: Any) -> nodes.RollStep:
        *results, cite = parts
        return nodes.RollStep(self._ident(die), tuple(results), cites=self._cites(cite), span=span)

    def draw_step(self, span: Span, *parts: Any) -> nodes.DrawStep:
        *things, cite = parts
        return nodes.DrawStep(tuple(things), cites=self._cites(cite), span=span)

    def after_step(self, span: Span, call: Expression, expectation: nodes.ExpectStep) -> nodes.ExpectStep:
        return nodes.ExpectStep("after", call, inner=(expectation,), span=span)

    def after_block(self, span: Span, call: Expression, cite: Token | None, *lines: object) -> nodes.ExpectStep:
        inner = only(nodes.ExpectStep, lines)
        return nodes.ExpectStep("after", call, inner=inner, cites=self._cites(cite), span=span)

    def expectation(self, span: Span, claim: nodes.ExpectStep, cite: Token | None) -> nodes.ExpectStep:
        return attrs.evolve(claim, cites=self._cites(cite), span=span)

    def holds(self, span: Span, value: Expression) -> nodes.ExpectStep:
        return nodes.ExpectStep("holds", value, span=span)

    def holds_order(
        self, span: Span, pile: Expression, operator: Token, order: nodes.TopExpression
    ) -> nodes.ExpectStep:
        return nodes.ExpectStep(
            "holds", nodes.BinaryExpression("==" if operator == "==" else "!=", pile, order, span=span), span=span
        )

    def winner(self, span: Span, value: Expression) -> nodes.ExpectStep:
        return nodes.ExpectStep("winner", value, span=span)

    def lost(self, span: Span) -> nodes.ExpectStep:
        return nodes.ExpectStep("lost", span=span)

    def can(self, span: Span, who: Token, option: Expression) -> nodes.ExpectStep:
        return nodes.ExpectStep("can", who=self._ident(who), option=option, span=span)

    def cannot(self, span: Span, who: Token, option: Expression) -> nodes.ExpectStep:
        return nodes.ExpectStep("cannot", who=self._ident(who), option=option, span=span)

    def is_asked(self, span: Span, who: Token) -> nodes.ExpectStep:
        return nodes.ExpectStep("is asked", who=self._ident(who), span=span)

    def not_asked(self, span: Span, who: Token) -> nodes.ExpectStep:
        return nodes.ExpectStep("is not asked", who=self._ident(who), span=span)

    def sees(self, span: Span, who: Token, value: Expression) -> nodes.ExpectStep:
        return nodes.ExpectStep("sees", value, self._ident(who), span=span)

    def blind(self, span: Span, who: Token, value: Expression) -> nodes.ExpectStep:
        return nodes.ExpectStep("blind", value, self._ident(who), span=span)

    def event(self, span: Span, value: Expression) -> nodes.ExpectStep:
        return nodes.ExpectStep("event", value, span=span)


def _timed(option: Expression) -> tuple[Expression, Expression | None]:
    """Returns an option and what a clock showed for it, of `climb after 5 * 1000`, where `after` is read as a look ahead;
    without a time, None."""
    match option:
        case nodes.AfterExpression(of=of, call=call):
            return of, call
        case nodes.BinaryExpression(left=left):
            chosen, elapsed = _timed(left)
            if elapsed is None:
                return option, None
            span = Span(option.span.source, elapsed.span.start, option.span.end)
            return chosen, attrs.evolve(option, left=elapsed, span=span)
        case _:  # an option without a time
            return option, None
