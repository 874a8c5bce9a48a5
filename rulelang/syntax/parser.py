"""Text into a tree, with every syntax fault of the text in one run.

    parse(Source("nim.rules", "constant heap = 21"))     Parsed(module=Module((Constant(...),)), diagnostics=())

Lark makes the tables; tokens are fed to them one by one here, for two reasons. A soft keyword is a name wherever the
tables say so: of its two readings the one is taken that the rest of the line fits. And a line that cannot be read is
replaced by ERROR, with the block below it, so that the lines after it are read as if nothing had happened.

This is the one module that knows Lark's parser from inside (`state_stack`, `value_stack`, the tables).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import attrs
from lark import Lark, Token, Tree, UnexpectedToken
from lark.parsers.lalr_analysis import Shift
from lark.utils import TextSlice

from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.source import Source, Span
from rulelang.syntax import nodes
from rulelang.syntax.build import Build
from rulelang.syntax.lexer import SOFT, KeepAll, Layout, clean
from rulelang.syntax.messages import DISPLAY, Fault, explain
from rulelang.syntax.texts import ReadHole

MAX_FAULTS = 100
MAX_LOOK_AHEAD = 40

_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})

_CALLED = frozenset({"TOP"})
"""Where both readings fit to the end of the line, these words before `(` are calls: `top(stack)`."""

_Stack = tuple[int, ...]


@attrs.frozen
class Parsed:
    """A tree, without the lines that could not be read, and what was wrong with those."""

    module: nodes.Module
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> Parsed:
    """Reads a whole file. Never raises on any text.

    >>> parse(Source("nim.rules", "constant heap = 21\\n")).module.declarations[0].value
    Number(value=21)
    """
    sink = Sink()
    text = clean(source, sink)
    if text is None:
        return Parsed(nodes.Module((), span=Span(source, 0, 0)), sink.sorted())
    layout = Layout(source, sink).lines(_raw_tokens(text, 0, len(text)))
    tree = _Reading(source, layout.tokens, sink, "start").run()
    module = Build(source, sink, _hole_reader(source, text, sink)).module(tree, layout.comments)
    return Parsed(module, sink.sorted())


def parse_expression(source: Source, start: int, end: int) -> tuple[nodes.Expression | None, tuple[Diagnostic, ...]]:
    """Reads one expression out of the middle of a source, with the places it has there.

    >>> parse_expression(Source("a label", "Take {n}"), 6, 7)
    (Name(text='n'), ())
    """
    sink = Sink()
    text = clean(source, sink)
    expression = None if text is None else _hole_reader(source, text, sink)(start, end)
    return expression, sink.sorted()


def _hole_reader(source: Source, text: str, sink: Sink) -> ReadHole:
    """Makes the function that reads what stands between two offsets as an expression."""

    def read(start: int, end: int) -> nodes.Expression | None:
        tokens = Layout(source, sink).one_line(_raw_tokens(text, start, end)).tokens
        tree = _Reading(source, tokens, sink, "hole").run() if tokens else None
        return None if tree is None else Build(source, sink, read).expression(tree)

    return read


# ---------------------------------------------------------------------------------------------------- Lark's part


class _Grammar:
    """The one Lark object of this process, made when first needed."""

    def __init__(self) -> None:
        self.cache: str | None = None
        self._lark: Lark | None = None

    @property
    def lark(self) -> Lark:
        if self._lark is None:
            try:
                self._lark = build_parser(self.cache)
            except OSError:
                # A cache that cannot be written costs time, nothing else.
                self._lark = build_parser()
        return self._lark


_GRAMMAR = _Grammar()


def use_cache(path: str | None) -> None:
    """Says where the tables may be kept between runs: a file in the user's own cache folder, or nowhere."""
    _GRAMMAR.cache = path


def build_parser(cache: str | None = None, *, strict: bool = False) -> Lark:
    """Makes the tables from `rules.lark`, or reads them from the file `cache`, which is written if it is missing."""
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="basic",
        start=["start", "hole"],
        propagate_positions=True,
        postlex=KeepAll(),
        strict=strict,
        cache=cache or False,
    )


def grammar_text() -> str:
    """Gives the text of `rules.lark`, as installed or from beside the package in a checkout."""
    checkout = Path(__file__).parents[2] / "grammar" / "rules.lark"
    try:
        return resources.files("rulelang.grammar").joinpath("rules.lark").read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return checkout.read_text(encoding="utf-8")


def _raw_tokens(text: str, start: int, end: int) -> Iterable[Token]:
    interactive = _GRAMMAR.lark.parse_interactive(TextSlice(text, start, end), start="start")
    tokens: Iterable[Token] = interactive.lexer_thread.lex(interactive.parser_state)  # type: ignore[no-untyped-call]
    return tokens


# ------------------------------------------------------------------------------------------------------- reading


class _Reading:
    """One pass over the tokens of one source."""

    def __init__(self, source: Source, tokens: Sequence[Token], sink: Sink, start: str) -> None:
        self.source = source
        self.tokens = tokens
        self.sink = sink
        self.parser = _GRAMMAR.lark.parse_interactive(start=start)
        self.state = self.parser.parser_state
        self.states: dict[int, dict[str, Any]] = self.state.parse_conf.states
        self.can_recover = start == "start"
        self.faults = 0
        self.at = 0
        self.recovered_at = -1
        self.line_stack = list(self.state.state_stack)

    def run(self) -> Tree[Any] | None:
        """Feeds every token; gives the tree, or None if there is nothing to recover with."""
        result = None
        while self.at < len(self.tokens):
            token = self._reading_of(self.at)
            before = list(self.state.state_stack)
            if self._begins_line():
                self.line_stack = before
            try:
                result = self.state.feed_token(token, token.type == "$END")
            except UnexpectedToken:
                if not self._is_block_of_refused_line():
                    self._report(before)
                if not self.can_recover or (token.type == "$END" and self.at == self.recovered_at):
                    return None
                self._recover(token)
            else:
                self.at += 1
        return result if isinstance(result, Tree) else None

    # ------------------------------------------------------------------ soft keywords

    def _reading_of(self, at: int) -> Token:
        """Decides whether a word is a keyword or a name here."""
        token = self.tokens[at]
        if token.type not in SOFT:
            return token
        actions = self.states[self.state.state_stack[-1]]
        if "NAME" not in actions or (token.type in actions and self._is_keyword(at)):
            return token
        return Token.new_borrow_pos("NAME", str(token), token)

    def _is_keyword(self, at: int) -> bool:
        """Reads on both ways, as far as it takes to see which reading the rest of the line fits."""
        stack, word = tuple(self.state.state_stack), self.tokens[at]
        as_keyword, as_name = self._shifted([stack], (word.type,)), self._shifted([stack], ("NAME",))
        for token in self.tokens[at + 1 : at + 1 + MAX_LOOK_AHEAD]:
            if not (as_keyword and as_name):
                break
            as_keyword, as_name = self._shifted(as_keyword, _readings(token)), self._shifted(as_name, _readings(token))
            if token.type in _LAYOUT:
                break
        if bool(as_keyword) != bool(as_name):
            return bool(as_keyword)
        return not (word.type in _CALLED and self.tokens[at + 1].type == "OPEN")

    def _shifted(self, stacks: Iterable[_Stack], types: Iterable[str]) -> set[_Stack]:
        """Gives the stacks after a token of one of some types, for those that take it."""
        after = (self._after(stack, type_) for stack in stacks for type_ in types)
        return {stack for stack in after if stack is not None}

    def _after(self, before: _Stack, type_: str) -> _Stack | None:
        """Gives the stack after a token, as Lark's `feed_token` does, only without values; None if it does not fit."""
        stack = list(before)
        while True:
            action = self.states[stack[-1]].get(type_)
            if action is None:
                return None
            kind, argument = action
            if kind is Shift:
                return (*stack, argument)
            if argument.expansion:
                del stack[-len(argument.expansion) :]
            stack.append(self.states[stack[-1]][argument.origin.name][1])
            if type_ == "$END" and stack[-1] == self.state.parse_conf.end_state:
                return tuple(stack)

    def _fits(self, stack: Sequence[int], type_: str) -> bool:
        return self._after(tuple(stack), type_) is not None

    # ------------------------------------------------------------------ faults

    def _is_block_of_refused_line(self) -> bool:
        return self.tokens[self.at].type == "_INDENT" and self.at >= 2 and self.tokens[self.at - 2].type == "ERROR"

    def _report(self, stack: list[int]) -> None:
        self.faults += 1
        expected, line_expected = self._expected(stack), self._expected(self.line_stack)
        fault = Fault(self.source, self.tokens, self.at, expected, line_expected, in_text=not self.can_recover)
        self.sink.extend([explain(fault)])

    def _expected(self, stack: list[int]) -> frozenset[str]:
        """Gives the terminals that fit next, as Lark's `accepts` does, only faster."""
        return frozenset(type_ for type_ in self.states[stack[-1]] if type_ in DISPLAY and self._fits(stack, type_))

    def _recover(self, token: Token) -> None:
        """Puts ERROR in the place of the line at fault and goes on behind it and its block."""
        is_stuck = self.at == self.recovered_at
        self.recovered_at = self.at
        self._unwind()
        if token.type == "_INDENT":
            self.at = _skip_block(self.tokens, self.at)
        elif not self._begins_line() or is_stuck or not self._goes_on_with(token):
            self._skip_line()
        while self.tokens[self.at].type in ("ELIF", "ELSE"):
            self._skip_line()
        if self.faults >= MAX_FAULTS:
            self._give_up()

    def _begins_line(self) -> bool:
        return self.at == 0 or self.tokens[self.at - 1].type in _LAYOUT

    def _skip_line(self) -> None:
        while self.tokens[self.at].type not in ("_NL", "$END"):
            self.at += 1
        self.at = _skip_block(self.tokens, min(self.at + 1, len(self.tokens) - 1))

    def _unwind(self) -> None:
        """Drops what was read of the line and puts a broken one there."""
        stack = self.state.state_stack
        while "ERROR" not in self.states[stack[-1]]:
            stack.pop()
            self.state.value_stack.pop()
        position = self.tokens[self.at].start_pos
        for type_ in ("ERROR", "_NL"):
            self.state.feed_token(Token(type_, "", start_pos=position, end_pos=position))

    def _goes_on_with(self, token: Token) -> bool:
        """Says whether a token that could not follow the line before it may begin the next one."""
        return any(self._fits(self.state.state_stack, reading) for reading in _readings(token))

    def _give_up(self) -> None:
        """Goes on with what closes the open blocks."""
        depth = 0
        closing: list[Token] = []
        for token in self.tokens[self.at :]:
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(token.type, 0)
            if depth < 0 or token.type == "$END":
                depth = 0
                closing.append(token)
        self.tokens, self.at = closing, 0


def _readings(token: Token) -> tuple[str, ...]:
    return (token.type, "NAME") if token.type in SOFT else (token.type,)


def _skip_block(tokens: Sequence[Token], at: int) -> int:
    """Steps over the block that begins at a place, if one does."""
    depth = 0
    while tokens[at].type == "_INDENT" or depth > 0:
        depth += {"_INDENT": 1, "_DEDENT": -1}.get(tokens[at].type, 0)
        at += 1
    return at
