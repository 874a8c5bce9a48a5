"""Expressions, types and parameters -> text: one blank around operators, none inside brackets.

    {x in S if (x.power>3)and c}        {x in S if x.power > 3 and c}

Brackets stand where the tree needs them and, if the form is kept, where the author wrote them. Two characters in the
text are marks: BREAK, where the author began a new line, and MAY_BREAK, where a line that is too long can be broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rulelang.syntax import nodes
from rulelang.syntax.nodes import Expression

BREAK = "\n"
MAY_BREAK = "\v"

# Precedences, from loose to tight: of an expression, and the least that a place in the grammar accepts.
ANY, OR, AND, NOT, COMPARISON, SPAN, SUM, PRODUCT, SIGN, ATOM = range(10)

_BINDING = {"or": OR, "and": AND, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT}


class ExpressionPrinter:
    """Prints the parts of a line; `keep_form` says whether the author's brackets and line breaks are kept."""

    def __init__(self, keep_form: bool) -> None:
        self.keep_form = keep_form

    # ------------------------------------------------------------------ expressions

    def expr(self, node: Expression, least: int = ANY) -> str:
        """Returns an expression, in brackets if it binds less tightly than `least` or if the author wrote them."""
        binds, text = self._bare(node)
        if binds < least or (binds < ATOM and self._was_in_brackets(node)):
            return _inside("(", text, ")")
        return text

    def _bare(self, node: Expression) -> tuple[int, str]:
        """Returns an expression's precedence, and its text without brackets around it."""
        match node:
            case nodes.NameExpression(name):
                return ATOM, name
            case nodes.NumberExpression(value):
                return ATOM, str(value)
            case nodes.AttributeExpression(of, name):
                return ATOM, f"{self.expr(of, ATOM)}.{name.text}"
            case nodes.CallExpression(function, arguments):
                return ATOM, self.expr(function, ATOM) + _inside("(", self.expressions(arguments), ")")
            case nodes.AfterExpression(of, call):
                return SIGN, f"{self.expr(of, ATOM)} after {self.expr(call, ATOM)}"
            case nodes.AggregateExpression(function, comprehension):
                return ATOM, function.text + _inside("(", self.comprehension(comprehension), ")")
            case nodes.SetDisplayExpression(items):
                return ATOM, _inside("{", self.expressions(items), "}")
            case nodes.SetOfExpression(comprehension):
                return ATOM, _inside("{", self.comprehension(comprehension), "}")
            case nodes.UnaryExpression("not", operand):
                return NOT, f"not {self.expr(operand, NOT)}"
            case nodes.UnaryExpression(operator, operand):
                return SIGN, f"{operator}{self.expr(operand, SIGN)}"
            case nodes.RangeExpression(low, high):
                return SPAN, f"{self.expr(low, SUM)}..{self.expr(high, SUM)}"
            case nodes.OpenlyExpression(condition):
                return ATOM, f"{self.expr(condition)} openly"
            case nodes.ConditionalExpression(then, condition, otherwise):
                first, second = self._break(then, condition, "if"), self._break(condition, otherwise, "else")
                return ANY, f"{self.expr(then, OR)}{first}{self.expr(condition, OR)}{second}{self.expr(otherwise)}"
            case nodes.BinaryExpression():
                return self._binary(node)
            case nodes.CountedExpression(number, noun):
                return ANY, f"{self.expr(number, SUM)} of {noun.text}"
            case nodes.ComprehensionExpression():
                return ANY, self.comprehension(node)
            case nodes.TopExpression(items, is_open):
                return ANY, f"top {', '.join([*(self.expr(item, OR) for item in items), *(['...'] * is_open)])}"
            case _:  # a node that stands in no expression
                raise TypeError(f"no way to print {type(node).__name__}")

    def _binary(self, node: nodes.BinaryExpression) -> tuple[int, str]:
        binds = _BINDING.get(node.operator, COMPARISON)
        # Comparisons do not chain: both sides bind more tightly. All others group to the left.
        left = self.expr(node.left, SPAN if binds == COMPARISON else binds)
        right = node.right if isinstance(node.right, nodes.TopExpression) else None
        text = self.expr(node.right, ANY if right is not None else binds + 1)
        rounded = f" rounded {node.rounded}" if node.rounded else ""
        if binds in (OR, AND):
            return binds, f"{left}{self._gap(node)}{node.operator} {text}{rounded}"
        return binds, f"{left}{self._break(node.left, node.right, node.operator)}{text}{rounded}"

    def _gap(self, node: nodes.BinaryExpression) -> str:
        if not self.keep_form:
            return MAY_BREAK
        return BREAK if self._begins_line_after(node.left, node.right) else MAY_BREAK

    def _begins_line_after(self, left: nodes.Node, right: nodes.Node) -> bool:
        source = right.span.source
        return "\n" in source.text[left.span.end : right.span.start] if source is left.span.source else False

    def _break(self, left: nodes.Node, right: nodes.Node, word: str) -> str:
        """Returns a word or sign between two parts, with the line break that the author put in front of it or behind."""
        if not (self.keep_form and self._begins_line_after(left, right)):
            return f" {word} "
        between = re.sub(r"#[^\n]*", "", right.span.source.text[left.span.end : right.span.start])
        before, _, behind = between.partition(word)
        return (BREAK if "\n" in before else " ") + word + (BREAK if "\n" in behind else " ")

    def _was_in_brackets(self, node: Expression) -> bool:
        """Returns whether the author put brackets around an
        expression: then its span begins before that of its first part.
        """
        match node:
            case nodes.BinaryExpression(_, first) | nodes.RangeExpression(first) | nodes.ConditionalExpression(first):
                return self.keep_form and node.span.text[:1] == "(" and first.span.start > node.span.start
            case nodes.UnaryExpression():
                return self.keep_form and node.span.text[:1] == "("
            case _:  # nothing else begins with another expression
                return False

    def expressions(self, items: Sequence[Expression], least: int = ANY) -> str:
        """Returns expressions separated by commas, broken where the author broke the list."""
        parts: list[str] = []
        for index, item in enumerate(items):
            if index:
                broken = self.keep_form and self._begins_line_after(items[index - 1], item)
                parts.append("," + (BREAK if broken else " "))
            parts.append(self.expr(item, least))
        return "".join(parts)

    def comprehension(self, node: nodes.ComprehensionExpression) -> str:
        """Returns the inside of a comprehension's brackets."""
        # Without an element, `x in S` is read as a comparison first.
        binders = self.binders(node.binders, SPAN if node.element is None else OR)
        last: nodes.Node = node.keys[-1].value if node.keys else node.binders[-1].condition or node.binders[-1].domain
        if node.element is not None:
            binders = self.expr(node.element) + self._break(node.element, node.binders[0], "for") + binders
        text = binders + self.keys(node.keys)
        if node.condition is None:
            return text
        return text + self._break(last, node.condition, "if") + self.expr(node.condition, OR)

    def binders(self, binders: Iterable[nodes.BinderNode], least: int = OR) -> str:
        return ", ".join(
            f"{binder.name.text} in {self.expr(binder.domain, least)}{self.condition(binder.condition, OR)}"
            for binder in binders
        )

    def keys(self, keys: Sequence[nodes.KeyNode]) -> str:
        """Returns ` from e by highest a, lowest b`, ` in order chosen by p`, or ""."""
        for key in keys:
            if key.chosen:
                return self.chosen(key.value)
        start = "".join(f" from {self.expr(key.value, OR)}" for key in keys if key.starts)
        parts = [
            f"{'highest' if key.highest else 'lowest'} {self.expr(key.value, OR)}" for key in keys if not key.starts
        ]
        return start + (f" by {', '.join(parts)}" if parts else "")

    def chosen(self, chooser: Expression | None) -> str:
        """Returns ` in order chosen by p`, or ""."""
        return "" if chooser is None else f" in order chosen by {self.expr(chooser, OR)}"

    def condition(self, condition: Expression | None, least: int = ANY) -> str:
        """Returns ` if c`, or ""."""
        return "" if condition is None else f" if {self.expr(condition, least)}"

    def domain(self, node: nodes.DomainNode) -> str:
        of, quantity = self.expr(node.of, OR), node.quantity
        if quantity is None:
            return of
        if quantity.high is None:
            return f"any of {of}"
        up_to = "" if quantity.low is not None else "up to "
        return f"{up_to}{self.expr(quantity.high, SUM)} of {of}"

    # ------------------------------------------------------------------ types, parameters

    def type(self, node: nodes.TypeNode) -> str:
        match node:
            case nodes.NamedTypeNode(name):
                return name
            case nodes.RangeTypeNode(low, high):
                return f"{self.expr(low, SUM)}..{self.expr(high, SUM)}"
            case nodes.EnumTypeNode(members):
                return f"enum({idents(members)})"
            case nodes.OptionalTypeNode(of):
                return f"{self.type(of)}?"
            case nodes.SetTypeNode(of):
                return f"set of {self.type(of)}"
            case nodes.MapTypeNode(board):
                return f"map of {board.text}"
            case nodes.ZoneTypeNode("slot", kind):
                return f"slot for {kind.text}"
            case nodes.ZoneTypeNode(form, kind):
                return f"{form} of {kind.text}"
            case _:  # a node that is no type
                raise TypeError(f"no way to print {type(node).__name__}")

    def parameters(self, parameters: Sequence[nodes.ParameterNode]) -> str:
        """Returns `(p, n: 1..3)`, or ""."""
        return f"({', '.join(self._parameter(parameter) for parameter in parameters)})" if parameters else ""

    def _parameter(self, node: nodes.ParameterNode) -> str:
        if node.type is not None:
            return f"{node.name.text}: {self.type(node.type)}"
        if node.domain is not None:
            return f"{node.name.text} in {self.domain(node.domain)}"
        return node.name.text


def idents(names: Iterable[nodes.IdentNode]) -> str:
    return ", ".join(name.text for name in names)


def quoted(text: nodes.TextNode | None) -> str:
    """Returns a text in quotes with a blank before it, or ""."""
    return "" if text is None else f' "{text.raw}"'


def on_one_line(text: str) -> str:
    """Returns a text with blanks in place of its line breaks, actual and possible."""
    return text.replace(MAY_BREAK, " ").replace(BREAK, " ")


def in_one_line(expression: nodes.Expression) -> str:
    """Returns an expression on one line, in the printed style whatever form its author gave it.

    It is for a message, not for a file.
    """
    return on_one_line(ExpressionPrinter(keep_form=False).expr(expression))


def _inside(opener: str, text: str, closer: str) -> str:
    return opener + text.replace(MAY_BREAK, " ") + closer
