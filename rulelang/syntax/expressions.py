"""The part of `build` that makes expressions, types and parameters.

count(p in players if p.zone == z)      AggregateExpression(count, ComprehensionExpression(None, (p in players,),
…))

Every rule has a method named after it in `grammar/rules.lark`; it gets the span of the whole rule and the children.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

import attrs

from rulelang.diagnostics.model import Sink
from rulelang.source import SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.lexer import Token
from rulelang.syntax.nodes import Expression
from rulelang.syntax.texts import ReadHole, plain_text, text

AGGREGATES = ("count", "sum", "min", "max", "any", "all", "first", "best", "random")
"""The functions that take a comprehension."""

MAX_NUMBER = 2**31 - 1


_CLAUSE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


@attrs.frozen
class ArgumentIf:
    """`x in S if c` among the arguments of a call."""

    element: Expression
    condition: Expression | None
    span: Span


class ExpressionRules:
    """The rules below `expr`, `type` and `params`, and the helpers of all rules."""

    def __init__(self, source: SourceText, sink: Sink, read_hole: ReadHole) -> None:
        self.source = source
        self.sink = sink
        self.read_hole = read_hole

    # ------------------------------------------------------------------ tokens

    def _span(self, token: Token) -> Span:
        return Span(self.source, token.start, token.end)

    def _ident(self, token: Token) -> nodes.IdentNode:
        return nodes.IdentNode(str(token), span=self._span(token))

    def _idents(self, tokens: Sequence[Token]) -> tuple[nodes.IdentNode, ...]:
        return tuple(self._ident(token) for token in tokens)

    def _optional_ident(self, token: Token | None) -> nodes.IdentNode | None:
        return None if token is None else self._ident(token)

    def _text(self, token: Token) -> nodes.TextNode:
        return text(token, self.source, self.sink, self.read_hole)

    def _plain(self, token: Token) -> nodes.TextNode:
        return plain_text(token, self.source, self.sink)

    def _named(self, token: Token) -> Expression:
        return nodes.NameExpression(str(token), span=self._span(token))

    def _optional_text(self, token: Token | None) -> nodes.TextNode | None:
        return None if token is None else self._text(token)

    def _cites(self, token: Token | None) -> tuple[nodes.CiteNode, ...]:
        """Reads `[OS-5.1, OS-5.3]`."""
        if token is None:
            return ()
        whole, cites = self._span(token), []
        for piece in re.finditer(r"[^,]+", str(token)[1:-1]):
            written = piece.group().strip()
            start = whole.start + 1 + piece.start() + piece.group().find(written)
            span = Span(self.source, start, start + len(written))
            if _CLAUSE.fullmatch(written):
                cites.append(nodes.CiteNode(written, span=span))
            else:
                self._bad_cite(span if written else whole)
        if not cites and not str(token)[1:-1].strip():
            self._bad_cite(whole)
        return tuple(cites)

    def _bad_cite(self, span: Span) -> None:
        message = "square brackets hold clause ids and nothing else"
        self.sink.report(
            "E0109", message, span, "not a clause id", help="write ids with commas between: `[OS-5.1, OS-5.3]`"
        )

    # ------------------------------------------------------------------ operators

    def openly(self, span: Span, condition: Expression, word: Token) -> Expression:
        return nodes.OpenlyExpression(condition, span=span)

    def conditional(self, span: Span, then: Expression, condition: Expression, otherwise: Expression) -> Expression:
        return nodes.ConditionalExpression(then, condition, otherwise, span=span)

    def binary(self, span: Span, left: Expression, operator: Token, right: Expression) -> Expression:
        return nodes.BinaryExpression(cast(nodes.BinaryOperator, str(operator)), left, right, span=span)

    def not_in(self, span: Span, left: Expression, right: Expression) -> Expression:
        return nodes.BinaryExpression("not in", left, right, span=span)

    def divide(self, span: Span, left: Expression, right: Expression, rounded: nodes.Rounding | None) -> Expression:
        if rounded is None:
            help_ = "write `rounded up` or `rounded down` behind it"
            self.sink.report("E0112", "a division does not say how it rounds", span, help=help_)
        return nodes.BinaryExpression("/", left, right, rounded or "down", span=span)

    def rounded(self, span: Span, way: Token) -> nodes.Rounding:
        return "up" if way == "up" else "down"

    def unary(self, span: Span, operator: Token, operand: Expression) -> Expression:
        return nodes.UnaryExpression("-" if operator == "-" else "not", operand, span=span)

    def range(self, span: Span, low: Expression, high: Expression) -> Expression:
        return nodes.RangeExpression(low, high, span=span)

    # ------------------------------------------------------------------ names, calls, sets

    def name(self, span: Span, token: Token) -> Expression:
        return nodes.NameExpression(str(token), span=span)

    def number(self, span: Span, token: Token) -> Expression:
        value = int(token) if len(token) <= 10 else MAX_NUMBER + 1
        if value > MAX_NUMBER:
            self.sink.report("E0111", "this number does not fit in 32 bits", span, f"the largest is {MAX_NUMBER}")
        return nodes.NumberExpression(min(value, MAX_NUMBER), span=span)

    def parenthesis(self, span: Span, inside: Expression) -> Expression:
        return attrs.evolve(inside, span=span)

    def attribute(self, span: Span, of: Expression, name: Token) -> Expression:
        return nodes.AttributeExpression(of, self._ident(name), span=span)

    def call(self, span: Span, function: Expression, *arguments: Expression | ArgumentIf | None) -> Expression:
        given = [argument for argument in arguments if argument is not None]
        if isinstance(function, nodes.NameExpression) and function.text in AGGREGATES:
            over = _as_comprehension(given)
            if over is not None:
                return self.aggregate(span, function, over)
        plain: list[Expression] = []
        for one in given:
            if not isinstance(one, ArgumentIf):
                plain.append(one)
            elif len(given) == 1 and one.condition is not None:
                return self.aggregate(span, function, self.filtered(one.span, one.element, one.condition))
            else:
                help_ = "write `a if c else b`"
                self.sink.report("E0113", "what stands here if the condition fails is missing", one.span, help=help_)
                plain.append(one.element)
        return nodes.CallExpression(function, tuple(plain), span=span)

    def argument_if(self, span: Span, element: Expression, condition: Expression) -> ArgumentIf:
        return ArgumentIf(element, condition, span)

    def after_call(self, span: Span, of: Expression, call: Expression) -> Expression:
        return nodes.AfterExpression(of, call, span=span)

    def aggregate(self, span: Span, function: Expression, comprehension: nodes.ComprehensionExpression) -> Expression:
        if isinstance(function, nodes.NameExpression) and function.text in AGGREGATES:
            return nodes.AggregateExpression(
                nodes.IdentNode(function.text, span=function.span), comprehension, span=span
            )
        names = ", ".join(f"`{name}`" for name in AGGREGATES)
        self.sink.report("E0113", "this takes no `x in S if c`", comprehension.span, help=f"only {names} and braces do")
        return nodes.CallExpression(function, (), span=span)

    def set_display(self, span: Span, *items: Expression | None) -> Expression:
        given = tuple(item for item in items if item is not None)
        binder = _as_binder(given[0]) if len(given) == 1 else None
        if binder is not None:
            return nodes.SetOfExpression(
                nodes.ComprehensionExpression(None, (binder,), (), None, span=given[0].span), span=span
            )
        return nodes.SetDisplayExpression(given, span=span)

    def set_of(self, span: Span, comprehension: nodes.ComprehensionExpression) -> Expression:
        return nodes.SetOfExpression(comprehension, span=span)

    def comprehension(
        self, span: Span, element: Expression, *rest: nodes.BinderNode | tuple[nodes.KeyNode, ...] | Expression | None
    ) -> nodes.ComprehensionExpression:
        *binders, keys, condition = rest
        assert isinstance(keys, tuple | None)
        assert isinstance(condition, Expression | None)
        over = tuple(binder for binder in binders if isinstance(binder, nodes.BinderNode))
        return nodes.ComprehensionExpression(element, over, keys or (), condition, span=span)

    def selection(
        self, span: Span, element: Expression, keys: tuple[nodes.KeyNode, ...], condition: Expression | None
    ) -> nodes.ComprehensionExpression:
        return nodes.ComprehensionExpression(None, self._binders(element), keys, condition, span=span)

    def filtered(self, span: Span, element: Expression, condition: Expression) -> nodes.ComprehensionExpression:
        return nodes.ComprehensionExpression(None, self._binders(element), (), condition, span=span)

    def _binders(self, element: Expression) -> tuple[nodes.BinderNode, ...]:
        binder = _as_binder(element)
        if binder is None:
            help_ = "write `x in S` before `if` or `by`, or add the missing `else`"
            self.sink.report("E0113", "the set to go through is missing", element.span, help=help_)
            return ()
        return (binder,)

    def generator(self, span: Span, binder: nodes.BinderNode, condition: Expression | None) -> nodes.BinderNode:
        return attrs.evolve(binder, condition=condition, span=span)

    def binder(self, span: Span, name: Token, domain: Expression) -> nodes.BinderNode:
        return nodes.BinderNode(self._ident(name), domain, span=span)

    def order(self, span: Span, *keys: nodes.KeyNode) -> tuple[nodes.KeyNode, ...]:
        return keys

    def order_from(self, span: Span, start: Expression, *keys: nodes.KeyNode) -> tuple[nodes.KeyNode, ...]:
        return (nodes.KeyNode(False, start, True, span=start.span), *keys)

    def order_chosen(self, span: Span, phrase: Token, chooser: Expression) -> tuple[nodes.KeyNode, ...]:
        return (nodes.KeyNode(False, chooser, chosen=True, span=span),)

    def chosen(self, span: Span, phrase: Token, chooser: Expression) -> Expression:
        return chooser

    def highest(self, span: Span, value: Expression) -> nodes.KeyNode:
        return nodes.KeyNode(True, value, span=span)

    def lowest(self, span: Span, value: Expression) -> nodes.KeyNode:
        return nodes.KeyNode(False, value, span=span)

    def pile_order(self, span: Span, *items: Expression | Token | None) -> nodes.TopExpression:
        things = tuple(item for item in items if isinstance(item, Expression))
        return nodes.TopExpression(things, items[-1] is not None, span=span)

    # ------------------------------------------------------------------ domains

    def whole(self, span: Span, of: Expression) -> nodes.DomainNode:
        return nodes.DomainNode(None, of, span=span)

    def exactly(self, span: Span, count: Expression, of: Expression) -> nodes.DomainNode:
        return nodes.DomainNode(nodes.QuantityNode(count, count, span=count.span), of, span=span)

    def up_to(self, span: Span, count: Expression, of: Expression) -> nodes.DomainNode:
        return nodes.DomainNode(nodes.QuantityNode(None, count, span=count.span), of, span=span)

    def any_of(self, span: Span, of: Expression) -> nodes.DomainNode:
        return nodes.DomainNode(nodes.QuantityNode(None, None, span=span), of, span=span)

    # ------------------------------------------------------------------ types and parameters

    def named_type(self, span: Span, name: Token) -> nodes.TypeNode:
        return nodes.NamedTypeNode(str(name), span=span)

    def range_type(self, span: Span, low: Expression, high: Expression) -> nodes.TypeNode:
        return nodes.RangeTypeNode(low, high, span=span)

    def enum_type(self, span: Span, *members: Token) -> nodes.TypeNode:
        return nodes.EnumTypeNode(self._idents(members), span=span)

    def optional_type(self, span: Span, of: nodes.TypeNode) -> nodes.TypeNode:
        return nodes.OptionalTypeNode(of, span=span)

    def set_type(self, span: Span, of: nodes.TypeNode) -> nodes.TypeNode:
        return nodes.SetTypeNode(of, span=span)

    def map_type(self, span: Span, board: Token) -> nodes.TypeNode:
        return nodes.MapTypeNode(self._ident(board), span=span)

    def pile_type(self, span: Span, kind: Token) -> nodes.TypeNode:
        return nodes.ZoneTypeNode("pile", self._ident(kind), span=span)

    def group_type(self, span: Span, kind: Token) -> nodes.TypeNode:
        return nodes.ZoneTypeNode("group", self._ident(kind), span=span)

    def slot_type(self, span: Span, kind: Token) -> nodes.TypeNode:
        return nodes.ZoneTypeNode("slot", self._ident(kind), span=span)

    def params(self, span: Span, *parameters: nodes.ParameterNode | None) -> tuple[nodes.ParameterNode, ...]:
        return tuple(parameter for parameter in parameters if parameter is not None)

    def bare_param(self, span: Span, name: Token) -> nodes.ParameterNode:
        return nodes.ParameterNode(self._ident(name), span=span)

    def typed_param(self, span: Span, name: Token, type_: nodes.TypeNode) -> nodes.ParameterNode:
        return nodes.ParameterNode(self._ident(name), type_, span=span)

    def drawn_param(self, span: Span, name: Token, domain: nodes.DomainNode) -> nodes.ParameterNode:
        return nodes.ParameterNode(self._ident(name), None, domain, span=span)


def _as_comprehension(given: list[Expression | ArgumentIf]) -> nodes.ComprehensionExpression | None:
    """Returns `x in S if c, y in T if d` reread as what goes over all combinations; None if one of them is anything else."""
    parts = [one if isinstance(one, ArgumentIf) else ArgumentIf(one, None, one.span) for one in given]
    binders = [(_as_binder(part.element), part) for part in parts]
    over = [attrs.evolve(binder, condition=part.condition, span=part.span) for binder, part in binders if binder]
    if len(over) < len(parts) or not over:
        return None
    *before, last = over
    binder = attrs.evolve(last, condition=None, span=parts[-1].element.span)
    span = over[0].span.to(last.span)
    return nodes.ComprehensionExpression(None, (*before, binder), (), last.condition, span=span)


def _as_binder(expression: Expression) -> nodes.BinderNode | None:
    """Returns the comparison `x in S` reread as a binder, which takes x through S; None for any other expression."""
    if (
        isinstance(expression, nodes.BinaryExpression)
        and expression.operator == "in"
        and isinstance(expression.left, nodes.NameExpression)
    ):
        name = nodes.IdentNode(expression.left.text, span=expression.left.span)
        return nodes.BinderNode(name, expression.right, span=expression.span)
    return None
