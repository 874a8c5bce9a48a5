"""Text -> a tree, and all syntax faults of the text in one run.

    parse(SourceText("nim.rules", "constant heap = 21"))     Parsed(module=ModuleNode((ConstantDeclaration(...),)), diagnostics=())

The tables are interpreted here, not by Lark, for two reasons. A soft keyword is a name wherever the tables say so: of
its two readings, the parser takes the one that the rest of the line fits. A line that cannot be read is replaced by
ERROR, together with the block below it, so that the lines after it are read as usual.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import attrs

from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.source import SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.build import Build, ParsedPart, ParsedRule
from rulelang.syntax.lexer import BlockLayout, Token, clean, scan
from rulelang.syntax.messages import UnexpectedToken, explain
from rulelang.syntax.recovery.unread import unread_nodes, wholly_unread
from rulelang.syntax.tables import Reduction, Tables, read_tables
from rulelang.syntax.texts import ReadHole

MAX_FAULTS = 100
MAX_LOOK_AHEAD = 40

_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})

_CALLED = frozenset({"TOP"})
"""Words that are names before `(` if both readings fit to the end of the line: `top(stack)` is a call."""

_Stack = tuple[int, ...]

_Place = tuple[int, int]
"""The start and the end of something; a rule without parts has no place."""


@attrs.frozen
class Parsed:
    """A tree, without the lines that could not be read, and the diagnostics for those lines."""

    module: nodes.ModuleNode
    diagnostics: tuple[Diagnostic, ...]


def parse(source: SourceText) -> Parsed:
    """Returns the tree of a whole file, with the faults of its lines; never raises, whatever the text.

    >>> parse(SourceText("nim.rules", "constant heap = 21\\n")).module.declarations[0].value
    NumberExpression(value=21)
    """
    sink = Sink()
    text = clean(source, sink)
    if text is None:
        empty = Span(source, 0, 0)
        return Parsed(nodes.ModuleNode((), unread=(wholly_unread(empty),), span=empty), sink.sorted())
    layout = BlockLayout(source, sink).lines(scan(_tables(), text, 0, len(text)))
    reading = _Reading(source, layout.tokens, sink, "start")
    tree = reading.run()
    module = Build(source, sink, _hole_reader(source, text, sink)).module(tree, layout.comments)
    unread = unread_nodes(module, reading.unread) if tree is not None else (wholly_unread(module.span),)
    return Parsed(attrs.evolve(module, unread=unread), sink.sorted())


def parse_expression(
    source: SourceText, start: int, end: int
) -> tuple[nodes.Expression | None, tuple[Diagnostic, ...]]:
    """Returns the expression between two offsets of a source,
    with its spans there; None with diagnostics if it is faulty.

    >>> parse_expression(SourceText("a label", "Take {n}"), 6, 7)
    (NameExpression(text='n'), ())
    """
    sink = Sink()
    text = clean(source, sink)
    expression = None if text is None else _hole_reader(source, text, sink)(start, end)
    return expression, sink.sorted()


def _hole_reader(source: SourceText, text: str, sink: Sink) -> ReadHole:
    """Returns a function that reads the expression between two offsets."""

    def read(start: int, end: int) -> nodes.Expression | None:
        tokens = BlockLayout(source, sink).one_line(scan(_tables(), text, start, end)).tokens
        tree = _Reading(source, tokens, sink, "hole").run() if tokens else None
        return None if tree is None else Build(source, sink, read).expression(tree)

    return read


@cache
def _tables() -> Tables:
    """Returns the tables of the grammar, read when first needed."""
    return read_tables()


# ------------------------------------------------------------------------------------------------------- reading


class _Refused(Exception):
    """A token that does not fit."""


class _Reading:
    """One pass over the tokens of one source: states, parts and their places on three stacks of the same height."""

    def __init__(self, source: SourceText, tokens: Sequence[Token], sink: Sink, start: str) -> None:
        tables = _tables()
        self.source = source
        self.tokens = tokens
        self.sink = sink
        self.rules, self.passing, self.actions = tables.rules, tables.passing, tables.actions
        self.soft = tables.soft
        self.last = tables.last[start]
        self.states = [tables.first[start]]
        self.parts: list[ParsedPart] = []
        self.places: list[_Place | None] = []
        self.can_recover = start == "start"
        self.faults = 0
        self.at = 0
        self.recovered_at = -1
        self.unread: list[_Place] = []
        """The stretches of lines that could not be read."""
        self.line_stack = list(self.states)

    def run(self) -> ParsedRule | None:
        """Takes every token; returns the tree, or None if recovery is impossible."""
        while self.at < len(self.tokens):
            token = self._reading_of(self.at)
            before = list(self.states)
            if self._begins_line():
                self.line_stack = before
            try:
                self._take(token)
            except _Refused:
                if not (self._is_block_of_refused_line() or self._is_half_of_drawing()):
                    self._report(before)
                if not self.can_recover or (token.type == "$END" and self.at == self.recovered_at):
                    return None
                self._recover(token)
            else:
                if token.type == "ERROR":
                    self.unread.append((token.start, token.end))
                self.at += 1
        whole = self.parts[-1] if self.parts else None
        return whole if isinstance(whole, ParsedRule) else None

    def _take(self, token: Token) -> None:
        """Feeds one token to the tables: reduces the rules that are complete, then shifts."""
        type_, states, actions = token.type, self.states, self.actions
        while True:
            action = actions[states[-1]].get(type_)
            if action is None:
                raise _Refused
            if action >= 0:
                states.append(action)
                self.parts.append(token)
                self.places.append((token.start, token.end))
                return
            name = self.passing[~action]
            if name is None:
                self._complete(self.rules[~action])
            else:
                states[-1] = actions[states[-2]][name]
            if type_ == "$END" and states[-1] == self.last:
                return

    def _complete(self, rule: Reduction) -> None:
        """Replaces the parts of a complete rule by one part, which spans those of them that have a place."""
        height = len(self.parts) - rule.size
        parts = self.parts[height:]
        places = [place for place in self.places[height:] if place is not None]
        place = (places[0][0], places[-1][1]) if places else None
        del self.parts[height:], self.places[height:], self.states[height + 1 :]
        kept = _spliced(rule, parts) if rule.spliced else [parts[n] if n >= 0 else None for n in rule.kept]
        if rule.alone and len(kept) == 1:
            self.parts.append(kept[0])
        else:
            self.parts.append(ParsedRule(rule.name, place or (0, 0), kept))
        self.places.append(place)
        self.states.append(self.actions[self.states[-1]][rule.origin])

    # ------------------------------------------------------------------ soft keywords

    def _reading_of(self, at: int) -> Token:
        """Returns a token as it is to be read here: a soft keyword may be a name."""
        token = self.tokens[at]
        if token.type not in self.soft:
            return token
        actions = self.actions[self.states[-1]]
        if "NAME" not in actions or (token.type in actions and self._is_keyword(at)):
            return token
        return Token("NAME", token, token.start, token.end)

    def _is_keyword(self, at: int) -> bool:
        """Returns whether a soft keyword is a keyword here: tries both readings on the rest of the line."""
        stack, word = tuple(self.states), self.tokens[at]
        as_keyword, as_name = self._shifted([stack], (word.type,)), self._shifted([stack], ("NAME",))
        for token in self.tokens[at + 1 : at + 1 + MAX_LOOK_AHEAD]:
            if not (as_keyword and as_name):
                break
            readings = self._readings(token)
            as_keyword, as_name = self._shifted(as_keyword, readings), self._shifted(as_name, readings)
            if token.type in _LAYOUT:
                break
        if bool(as_keyword) != bool(as_name):
            return bool(as_keyword)
        return not (word.type in _CALLED and self.tokens[at + 1].type == "OPEN")

    def _readings(self, token: Token) -> tuple[str, ...]:
        """Returns the terminals that a token may stand for."""
        return (token.type, "NAME") if token.type in self.soft else (token.type,)

    def _shifted(self, stacks: Iterable[_Stack], types: Iterable[str]) -> set[_Stack]:
        """Returns the stacks after a token of one of these types, without those that do not accept it."""
        after = (self._after(stack, type_) for stack in stacks for type_ in types)
        return {stack for stack in after if stack is not None}

    def _after(self, before: _Stack, type_: str) -> _Stack | None:
        """Returns the states after a token, as `_take` does without the parts; None if it does not fit."""
        states = list(before)
        while True:
            action = self.actions[states[-1]].get(type_)
            if action is None:
                return None
            if action >= 0:
                return (*states, action)
            rule = self.rules[~action]
            if rule.size:
                del states[-rule.size :]
            states.append(self.actions[states[-1]][rule.origin])
            if type_ == "$END" and states[-1] == self.last:
                return tuple(states)

    def _fits(self, stack: Sequence[int], type_: str) -> bool:
        return self._after(tuple(stack), type_) is not None

    # ------------------------------------------------------------------ faults

    def _is_block_of_refused_line(self) -> bool:
        return self.tokens[self.at].type == "_INDENT" and self.at >= 2 and self.tokens[self.at - 2].type == "ERROR"

    def _is_half_of_drawing(self) -> bool:
        """Returns whether a line begins with the marks of a drawing whose other marks were at fault before."""
        return bool(self.unread) and self._begins_line() and self.tokens[self.at].startswith('""')

    def _report(self, stack: list[int]) -> None:
        self.faults += 1
        expected, line_expected = self._expected(stack), self._expected(self.line_stack)
        fault = UnexpectedToken(
            self.source, self.tokens, self.at, expected, line_expected, in_text=not self.can_recover
        )
        self.sink.extend([explain(fault)])

    def _expected(self, stack: list[int]) -> frozenset[str]:
        """Returns the terminals that fit next, like Lark's `accepts`, but faster."""
        return frozenset(type_ for type_ in self.actions[stack[-1]] if type_.isupper() and self._fits(stack, type_))

    def _recover(self, token: Token) -> None:
        """Replaces the line at fault by ERROR and continues after it and its block."""
        is_stuck = self.at == self.recovered_at
        if self._is_block_of_refused_line():
            start = self.unread.pop()[0]
        else:
            start = self.tokens[self._line_start()].start
        self.recovered_at = self.at
        start = min(start, self._unwind())
        if token.type == "_INDENT":
            self.at = _skip_block(self.tokens, self.at)
        elif not self._begins_line() or is_stuck or not self._goes_on_with(token):
            self._skip_line()
        while self.tokens[self.at].type in ("ELIF", "ELSE"):
            self._skip_line()
        if self.faults >= MAX_FAULTS:
            self._give_up()
        else:
            self.unread.append((start, max(start, self.tokens[self.at - 1].end)))

    def _line_start(self) -> int:
        """Returns the number of the first token of the line at fault."""
        at = self.at
        while at > 0 and self.tokens[at - 1].type not in _LAYOUT:
            at -= 1
        return at

    def _begins_line(self) -> bool:
        return self.at == 0 or self.tokens[self.at - 1].type in _LAYOUT

    def _skip_line(self) -> None:
        while self.tokens[self.at].type not in ("_NL", "$END"):
            self.at += 1
        self.at = _skip_block(self.tokens, min(self.at + 1, len(self.tokens) - 1))

    def _unwind(self) -> int:
        """Drops the parts of the line read so far and puts a broken line in their place; returns where they began."""
        position = start = self.tokens[self.at].start
        while "ERROR" not in self.actions[self.states[-1]]:
            self.states.pop()
            self.parts.pop()
            place = self.places.pop()
            start = place[0] if place is not None else start
        for type_ in ("ERROR", "_NL"):
            self._take(Token(type_, "", position, position))
        return start

    def _goes_on_with(self, token: Token) -> bool:
        """Returns whether a token that does not fit may begin the line after the broken one."""
        return any(self._fits(self.states, reading) for reading in self._readings(token))

    def _give_up(self) -> None:
        """Drops all further tokens except those that close the open blocks."""
        depth = 0
        closing: list[Token] = []
        for token in self.tokens[self.at :]:
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(token.type, 0)
            if depth < 0 or token.type == "$END":
                depth = 0
                closing.append(token)
        self.tokens, self.at = closing, 0


def _spliced(rule: Reduction, parts: list[ParsedPart]) -> list[ParsedPart]:
    """Returns the parts of a rule that are kept, with the spliced ones replaced by their own parts."""
    kept: list[ParsedPart] = []
    for number in rule.kept:
        part = parts[number] if number >= 0 else None
        if number not in rule.spliced:
            kept.append(part)
        elif isinstance(part, ParsedRule):
            # A list that grows by one part at a time is reused, not copied each time.
            kept = kept + part.parts if kept else part.parts
    return kept


def _skip_block(tokens: Sequence[Token], at: int) -> int:
    """Returns the end of the block that begins at a place; the place itself if none begins there."""
    depth = 0
    while tokens[at].type == "_INDENT" or depth > 0:
        depth += {"_INDENT": 1, "_DEDENT": -1}.get(tokens[at].type, 0)
        at += 1
    return at
