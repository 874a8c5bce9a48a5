"""Statements -> lines: a simple statement on one, others as
a head with a colon and a body below it or on the same line.

    IfStatement((BranchNode(a, (CallStatement(draw),)),), None)        if a: draw()
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import word_of
from rulelang.syntax.printing.columns import WIDTH, FormattedLine
from rulelang.syntax.printing.comments import else_start
from rulelang.syntax.printing.expression_printer import (
    ATOM,
    BREAK,
    MAY_BREAK,
    OR,
    SUM,
    ExpressionPrinter,
    idents,
    on_one_line,
    quoted,
)


class StatementPrinter(ExpressionPrinter):
    """Collects the lines of statements."""

    def __init__(self, keep_form: bool) -> None:
        super().__init__(keep_form)
        self.lines: list[FormattedLine] = []
        self.depth = 0
        self.tables = 0

    def _line(self, node: nodes.Node, code: str, cites: Sequence[nodes.CiteNode] = (), **more: Any) -> None:
        """Adds a line for a node; `more` are further fields of `FormattedLine`."""
        ids = f"[{', '.join(cite.id for cite in cites)}]" if cites else ""
        self.lines.append(FormattedLine(self.depth, code, self._start(node), cites=ids, **more))

    def _start(self, node: nodes.Node) -> int | None:
        """Returns the offset of the first character of the line on which a node begins; None in the canonical text."""
        if not self.keep_form:
            return None
        text, start = node.span.source.text, node.span.start
        begin = text.rfind("\n", 0, start) + 1
        return start - len(text[begin:start].lstrip())

    @contextmanager
    def _block(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    def _suite(
        self,
        node: nodes.Node,
        head: str,
        cites: Sequence[nodes.CiteNode],
        body: Sequence[nodes.Statement],
        needs: Sequence[nodes.NeedNode] = (),
        shows: nodes.ShowsNode | None = None,
    ) -> None:
        """Adds a head with its colon, and a body below it or on the same line."""
        is_bare = len(body) == 1 and not needs and shows is None
        behind = self._simple(body[0]) if is_bare and self._follows_on_line(body[0]) else None
        if behind is not None and self._fits(f"{head}: {behind}"):
            self._line(node, f"{head}: {behind}", (*cites, *body[0].cites))
            return
        self._line(node, f"{head}:", cites)
        with self._block():
            if shows is not None:
                self._line(shows, f"shows{self._fields(shows.fields, on_head=True)}", shows.cites)
            for need in needs:
                below = need.message is not None and self._begins_line(need.message)
                code = f"needs {self.expr(need.condition)}"
                self._line(need, code, need.cites, message=quoted(need.message).strip(), message_below=below)
            for statement in body:
                self._statement(statement)

    def _fits(self, code: str) -> bool:
        return 2 * self.depth + len(code) <= WIDTH

    def _follows_on_line(self, node: nodes.Node) -> bool:
        """Returns whether a node is to stay on a line that something else begins."""
        return self.keep_form and not self._begins_line(node)

    def _begins_line(self, node: nodes.Node) -> bool:
        text, start = node.span.source.text, node.span.start
        line = text[text.rfind("\n", 0, start) + 1 : start]
        return self.keep_form and line.strip(' \t"') == ""

    def _fields(self, fields: Sequence[nodes.ShownFieldNode], *, on_head: bool) -> str:
        """Returns texts behind a head, each on a line of its own where its author began one or room is short.

        on_head    whether the first one stays on the line of the head
        """
        printed = ""
        for field in fields:
            code = on_one_line(quoted(field.text) + self.condition(field.condition, OR))
            broken = BREAK if self._begins_line(field) else MAY_BREAK
            printed += ("," if printed else "") + (code if on_head and not printed else broken + code[1:])
        return printed

    def _statement(self, node: nodes.Statement) -> None:
        simple = self._simple(node)
        if simple is not None:
            self._line(node, simple, node.cites)
            return
        match node:
            case nodes.IfStatement(branches, otherwise):
                self._if(node, branches, otherwise)
            case nodes.ForStatement(is_simultaneous, binder, keys, condition, body, openly, around):
                simultaneous = "simultaneously " if is_simultaneous else ""
                head = f"{simultaneous}for {self.binders([*around, binder])}{self.keys(keys)}{self.condition(condition, OR)}"
                head += " openly" if openly else ""
                self._suite(node, head, node.cites, body)
            case nodes.RepeatStatement(while_, times, body):
                how = "" if while_ is None else f" while {self.expr(while_)}"
                how = how if times is None else f" {no_word('while', self.expr(times))} times"
                self._suite(node, f"repeat{how}", node.cites, body)
            case nodes.TurnsStatement(name, start, then, body):
                to = "" if then is None else f" to {self.expr(then)}"
                self._suite(node, f"turns {name.text} from {self.expr(start)}{to}", node.cites, body)
            case nodes.AgainstStatement(clock, body):
                self._suite(node, f"against {clock.text}", node.cites, body)
            case nodes.ChooseStatement():
                self._choose_block(node)
            case _:  # a statement that needs no block
                raise TypeError(f"no way to print {type(node).__name__}")

    def _if(
        self, node: nodes.IfStatement, branches: Sequence[nodes.BranchNode], otherwise: Sequence[nodes.Statement] | None
    ) -> None:
        for index, branch in enumerate(branches):
            word = "elif" if index else "if"
            self._suite(branch if index else node, f"{word} {self.expr(branch.condition)}", branch.cites, branch.body)
        if otherwise is not None:
            self._suite(self._else(branches[-1], otherwise), "else", (), otherwise)

    def _else(self, branch: nodes.BranchNode, otherwise: Sequence[nodes.Statement]) -> nodes.Node:
        """Returns a node for the word `else`, which the tree has none for."""
        if not self.keep_form:
            return branch
        source = branch.span.source
        start = else_start(source, branch.span.end, otherwise[0].span.start)
        return nodes.Node(span=Span(source, start, start + len("else")))

    def _choose_block(self, node: nodes.ChooseStatement) -> None:
        head = f"{self._chooser(node.chooser)} chooses one of{self._decline(node)}{quoted(node.prompt)}:"
        self._line(node, head, node.cites)
        with self._block():
            for option in node.options:
                head = f"{option.name.text}{self.parameters(option.parameters)}{two_texts(option.label, option.told)}"
                if option.needs or option.body or option.shows:
                    self._suite(option, head, option.cites, option.body, option.needs, option.shows)
                else:
                    self._line(option, head, option.cites)

    def _simple(self, node: nodes.Statement) -> str | None:
        """Returns a statement that needs no block as text; None if it needs one."""
        match node:
            case nodes.AssignStatement(target, operator, value, clamps):
                return f"{self.expr(target, ATOM)} {operator} {self.expr(value)}{self._clamps(clamps)}"
            case nodes.LetStatement(name, value, clamps):
                return f"let {name.text} = {self.expr(value)}{self._clamps(clamps)}"
            case nodes.CallStatement(call):
                return self.expr(call, ATOM)
            case nodes.MoveStatement(what, to, end):
                return f"move {self.domain(what)} to {self.expr(to, OR)}{f' {end}' if end else ''}"
            case nodes.ReturnStatement(value):
                return "return" if value is None else f"return {self.expr(value)}"
            case nodes.StopStatement() | nodes.ProceedStatement() | nodes.SettleStatement():
                return word_of(node)
            case nodes.FinishStatement("lost", _):
                return "finish lost"
            case nodes.FinishStatement(how, value):
                return f"finish with {how} {'' if value is None else self.expr(value)}"
            case nodes.ChooseStatement() if node.domain is not None or node.actions:
                return self._choose(node)
            case _:  # any other statement holds lines
                return None

    def _clamps(self, clamps: Sequence[nodes.ClampNode]) -> str:
        return "".join(f", at {'least' if clamp.least else 'most'} {self.expr(clamp.value, SUM)}" for clamp in clamps)

    def _choose(self, node: nodes.ChooseStatement) -> str:
        what = f"one of {idents(node.actions)}"
        if node.target is not None and node.domain is not None:
            what = f"{self.expr(node.target, ATOM)} in {self.domain(node.domain)}"
        behind = ", never empty" if node.never_empty else self._decline(node)
        return f"{self._chooser(node.chooser)} chooses {what}{behind}{quoted(node.prompt)}"

    def _decline(self, node: nodes.ChooseStatement) -> str:
        after = "" if node.seconds is None else f" after {self.expr(node.seconds, SUM)} seconds"
        return "" if node.decline is None else f", or {node.decline}{after}"

    def _chooser(self, node: nodes.ChooserNode) -> str:
        words = f"{' openly' if node.openly else ''}{' secretly' if node.secretly else ''}"
        if node.each is None:
            return "" if node.who is None else self.expr(node.who, ATOM) + words
        return f"each {self.binders([node.each])}{self.keys(node.keys)}{self.condition(node.condition, OR)}{words}"


def no_word(words: str, text: str) -> str:
    """Returns an expression, in brackets if it begins with one of these words, since it would be read as a keyword."""
    return f"({text})" if re.match(rf"(?:{words})", text) else text


def two_texts(first: nodes.TextNode | None, second: nodes.TextNode | None) -> str:
    """Returns one or two texts in quotes with a blank before each, or ""."""
    return quoted(first) + (f",{quoted(second)}" if second is not None else "")
