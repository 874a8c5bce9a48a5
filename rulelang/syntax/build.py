"""Builds nodes from parsed parts: a method for each rule of `grammar/rules.lark`, called from the leaves up.

    heap -= n        assign(span, Name("heap"), "-=", Name("n"))        Assign(Name("heap"), "-=", Name("n"), ())

A method gets the place of its rule and the children in order, those in square brackets as None when they are missing.
Lines that could not be read arrive as BROKEN and are left out. Nothing here recurses.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.declarations import DeclarationRules
from rulelang.syntax.lexer import Token
from rulelang.syntax.nodes import Expression
from rulelang.syntax.scenarios import ScenarioRules
from rulelang.syntax.screens import ScreenRules


@attrs.frozen(eq=False)
class ParsedRule:
    """A rule as it was read: where it begins and ends, and its parts, None for what is missing."""

    rule: str
    place: tuple[int, int]
    parts: list[Part]


Part: TypeAlias = ParsedRule | Token | None


class Build(DeclarationRules, ScenarioRules, ScreenRules):
    """Builds the nodes of one source."""

    def module(self, tree: ParsedRule | None, comments: tuple[nodes.CommentNode, ...]) -> nodes.ModuleNode:
        """Builds a file; an empty one if there is no tree."""
        declarations = () if tree is None else self._run(tree)
        return nodes.ModuleNode(declarations, comments, span=Span(self.source, 0, len(self.source.text)))

    def expression(self, tree: ParsedRule) -> Expression:
        """Builds what stood in a hole."""
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
            # The parts of a branch were built last to first, and lie on top in that order.
            parts = [built.pop() if isinstance(part, ParsedRule) else part for part in branch.parts]
            built.append(getattr(self, branch.rule)(Span(self.source, *branch.place), *parts))
        return built.pop()
