"""The grammar -> tables: `grammar/rules.lark` as plain data for a loop over tokens.

constant: "constant" NAME "=" expr [CITE] _NL
Reduction(name="constant", size=6, kept=(1, 3, 4), ...)     of six parts, the tree keeps name, value and clauses

Lark computes them and `make tables` stores them beside the grammar, so parsing costs one dictionary look-up a step and
no run imports Lark. An action is a number: the next state for a shift, or ~r for a reduction by rule r.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from lark import Lark

FILE = "tables.json"
"""The name of the file with the tables, beside the grammar."""

STARTS = ("start", "hole")
"""The start symbols: a whole file, and the expression in a hole of a text."""

_TRIVIA = ("NEWLINE", "COMMENT", "UNCLOSED", "BAD")
"""Terminals that no rule mentions but the lexer needs."""

BLANK = "BLANK"
"""The terminal between words."""

HARD_WORDS = ("and", "or", "not", "in", "if", "elif", "else", "for", "by")
"""Words that are never names."""


@attrs.frozen
class Reduction:
    """A reduction of the parser: the number of parts, and the node built from them."""

    name: str
    """The name of a method of `Build`, or of a rule that only forms part of another."""
    origin: str
    size: int
    kept: tuple[int, ...]
    """The numbers of the parts that are kept; -1 for an optional one that is missing."""
    spliced: tuple[int, ...]
    """The numbers of those kept parts that are replaced by their own parts."""
    alone: bool
    """Whether a rule with a single kept part is replaced by that part."""

    @property
    def passes(self) -> bool:
        """Whether the rule merely renames its only part, like most steps of an expression."""
        return self.alone and self.size == 1 and self.kept == (0,) and not self.spliced


@attrs.define(frozen=True, slots=False, eq=False)
class Tables:
    """The tables of the grammar that the parser needs."""

    pattern: str
    """One regular expression for all terminals; the name of the group that matches is the type of the token."""
    words: Mapping[str, str]
    """By keyword: its terminal."""
    rules: tuple[Reduction, ...]
    actions: tuple[Mapping[str, int], ...]
    """By state and symbol: the action, or the next state for a nonterminal."""
    first: Mapping[str, int]
    last: Mapping[str, int]
    """By start symbol: the state to begin in, and the state in which it has been read."""

    @cached_property
    def passing(self) -> tuple[str | None, ...]:
        """The symbol of each rule that merely renames its only part; None for the others."""
        return tuple(rule.origin if rule.passes else None for rule in self.rules)

    @cached_property
    def soft(self) -> frozenset[str]:
        """The terminals of the words with a meaning in some places that are names in all others."""
        return frozenset(terminal for word, terminal in self.words.items() if word not in HARD_WORDS)

    @cached_property
    def scanner(self) -> re.Pattern[str]:
        return re.compile(self.pattern)


def read_tables() -> Tables:
    """Returns the tables stored beside the grammar; raises RuntimeError if they were made from another grammar."""
    data = json.loads(_beside(FILE))
    if data["grammar"] != _digest(grammar_text()):
        raise RuntimeError("grammar/tables.json is not of this grammar/rules.lark: run `make tables`")
    return _decode(data)


def grammar_text() -> str:
    """Returns the text of `rules.lark`, as installed or from beside the package in a checkout."""
    return _beside("rules.lark")


def _beside(name: str) -> str:
    """Returns the text of a file in the grammar's folder."""
    try:
        return resources.files("rulelang.grammar").joinpath(name).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return (Path(__file__).parents[2] / "grammar" / name).read_text(encoding="utf-8")


def encode(tables: Tables) -> str:
    """Returns the text of `tables.json`: a line for each rule and state, with numbers for symbols."""
    symbols = sorted({symbol for actions in tables.actions for symbol in actions})
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    actions = [[n for symbol, action in by.items() for n in (numbers[symbol], action)] for by in tables.actions]
    data = attrs.asdict(tables) | {
        "grammar": _digest(grammar_text()),
        "symbols": symbols,
        "rules": _Lines(attrs.astuple(rule) for rule in tables.rules),
        "actions": _Lines(actions),
    }
    return "{\n" + ",\n".join(f'"{name}": {_written(data[name])}' for name in sorted(data)) + "\n}\n"


class _Lines(list[object]):
    """A list that JSON writes with a line for each member."""


def _written(value: object) -> str:
    if isinstance(value, _Lines):
        return "[\n" + ",\n".join(map(_written, value)) + "\n]"
    return json.dumps(value, separators=(",", ":"))


def _decode(data: Mapping[str, Any]) -> Tables:
    """Returns the tables that `encode` wrote."""
    symbols = data["symbols"]
    return Tables(
        data["pattern"],
        data["words"],
        tuple(
            Reduction(name, origin, size, tuple(kept), tuple(spliced), alone)
            for name, origin, size, kept, spliced, alone in data["rules"]
        ),
        tuple({symbols[n]: action for n, action in zip(*[iter(by)] * 2, strict=True)} for by in data["actions"]),
        data["first"],
        data["last"],
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# ------------------------------------------------------------------ Lark's part


def build_parser(text: str | None = None, *, strict: bool = False) -> Lark:
    """Returns Lark's parser for a grammar, by default that of rules; `strict` raises an error for an ambiguous one."""
    from lark import Lark

    return Lark(
        text or grammar_text(),
        parser="lalr",
        lexer="basic",
        start=list(STARTS),
        postlex=_KeepAll(),
        strict=strict,
    )


class _KeepAll:
    """Tells Lark to keep the terminals that no rule mentions; changes nothing."""

    always_accept = _TRIVIA

    def process(self, stream: Iterable[Any]) -> Iterable[Any]:
        return stream


def make_tables() -> Tables:
    """Returns the tables that Lark computes for the grammar."""
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    lark = build_parser()
    data, _ = lark.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    symbols = table["tokens"]
    numbers = {reference["@"]: number for number, reference in enumerate(data["rules"])}
    # An action is (0, the state to go to) or (1, a reference to the rule that is complete).
    states = {
        state: {
            symbols[symbol]: ~numbers[argument["@"]] if kind else argument
            for symbol, (kind, argument) in actions.items()
        }
        for state, actions in table["states"].items()
    }
    order = _in_order(states, [table["start_states"][start] for start in STARTS])
    words = {t.pattern.value: t.name for t in lark.terminals if t.pattern.type == "str" and t.pattern.value.isalpha()}
    signs = sorted(
        (t for t in lark.terminals if t.pattern.value not in words),
        key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name),
    )
    return Tables(
        pattern="|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in signs),
        words=words,
        rules=tuple(_rule(rule) for rule in lark.rules),
        actions=tuple(
            {symbol: order[to] if to >= 0 else to for symbol, to in sorted(states[state].items())} for state in order
        ),
        first={start: order[table["start_states"][start]] for start in STARTS},
        last={start: order[table["end_states"][start]] for start in STARTS},
    )


def _in_order(states: Mapping[int, Mapping[str, int]], starts: Sequence[int]) -> dict[int, int]:
    """Returns a new number for each state, in the order of reaching them, since Lark's own numbers differ between runs."""
    order = {state: number for number, state in enumerate(starts)}
    for state in (reached := list(starts)):
        for _, to in sorted(states[state].items()):
            if to >= 0 and to not in order:
                order[to] = len(order)
                reached.append(to)
    return order


def _rule(rule: Any) -> Reduction:
    """Returns the reduction of one of Lark's rules: it drops
    signs, splices `_parts`, and keeps a place for a missing part.
    """
    kept: list[int] = []
    spliced: list[int] = []
    number = 0
    for is_missing in rule.options.empty_indices or (False,) * len(rule.expansion):
        if is_missing:
            kept.append(-1)
            continue
        symbol = rule.expansion[number]
        if not (symbol.is_term and symbol.filter_out):
            kept.append(number)
            if not symbol.is_term and symbol.name.startswith("_"):
                spliced.append(number)
        number += 1
    return Reduction(
        name=str(rule.alias or rule.origin.name),
        origin=str(rule.origin.name),
        size=len(rule.expansion),
        kept=tuple(kept),
        spliced=tuple(spliced),
        alone=bool(rule.options.expand1) and not rule.alias,
    )
