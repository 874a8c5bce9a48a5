"""Builds nodes from parsed parts: a method for each rule of `grammar/rules.lark`, called from the leaves up.

    heap -= n        assign(span, NameExpression("heap"), "-=", NameExpression("n"))        AssignStatement(…)

A method gets the span of its rule and the children in order; a child in square brackets that is missing is None. Lines
that could not be read arrive as BROKEN and are left out. Nothing here recurses.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.lexer import Token
from rulelang.syntax.nodes import Expression
from rulelang.syntax.scenarios import ScenarioRules
from rulelang.syntax.screens import ScreenRules
from rulelang.syntax.variants import VariantRules


@attrs.frozen(eq=False)
class ParsedRule:
    """A rule of the grammar as it was read: its start and end, and its parts, None for those that are missing."""

    rule: str
    place: tuple[int, int]
    parts: list[ParsedPart]


ParsedPart: TypeAlias = ParsedRule | Token | None


class Build(VariantRules, ScenarioRules, ScreenRules):
    """Builds the nodes of one source."""

    def module(self, tree: ParsedRule | None, comments: tuple[nodes.CommentNode, ...]) -> nodes.ModuleNode:
        """Builds the node of a file; without a tree, an empty one."""
        declarations = () if tree is None else self._run(tree)
        return nodes.ModuleNode(declarations, comments, span=Span(self.source, 0, len(self.source.text)))

    def expression(self, tree: ParsedRule) -> Expression:
        """Builds the expression in a hole of a text."""
        built: Expression = self._run(tree)
        return built

    def _run(self, tree: ParsedRule) -> Any:
        """Calls the method of each rule with the results of the methods of its parts, without recursion."""
        order, waiting = [], [tree]
        while waiting:
            branch = waiting.pop()
            order.append(branch)
            waiting.extend(part for part in reversed(branch.parts) if isinstance(part, ParsedRule))
        built: list[Any] = []
        for branch in reversed(order):
            # The parts of a branch were built last to first, so its first part is on top.
            parts = [built.pop() if isinstance(part, ParsedRule) else part for part in branch.parts]
            built.append(getattr(self, branch.rule)(Span(self.source, *branch.place), *parts))
        return built.pop()
