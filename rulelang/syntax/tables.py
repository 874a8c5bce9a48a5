"""The grammar into tables: what `grammar/rules.lark` says, as plain data that a loop over tokens can follow.

    constant: "constant" NAME "=" expr [CITE] _NL
    Reduction(name="constant", size=6, kept=(1, 3, 4), ...)     of six parts, the tree keeps the name, the value and the clauses

Lark makes them (LALR(1)) and is asked no more: reading costs a dictionary look-up a step, and a process that finds the
tables in its cache never imports Lark. An action is a number: the state to go to, or ~r for what rule r says.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.cache import Cache
from rulelang.version import VERSION

if TYPE_CHECKING:
    from lark import Lark

STARTS = ("start", "hole")
"""What may be read as a whole: a file, and what stands in the braces of a text."""

NAME = f"grammar-{VERSION}.json"
"""What the tables are called in the cache."""

_TRIVIA = ("NEWLINE", "COMMENT", "UNCLOSED", "BAD")
"""Terminals that no rule mentions and the layout pass wants."""

BLANK = "BLANK"
"""The terminal between words."""


@attrs.frozen
class Reduction:
    """A reduction of the parser: the number of parts, and the node built from them."""

    name: str
    """The method of `Build`, or the name of what is only a part of another rule."""
    origin: str
    size: int
    kept: tuple[int, ...]
    """Numbers of the parts that are kept, -1 where an optional one is missing."""
    spliced: tuple[int, ...]
    """Those of the kept whose own parts are taken instead."""
    alone: bool
    """If just one part is kept, it stands for the whole."""

    @property
    def passes(self) -> bool:
        """It only gives a part another name, as most steps of an expression do."""
        return self.alone and self.size == 1 and self.kept == (0,) and not self.spliced


@attrs.define(frozen=True, slots=False, eq=False)
class Tables:
    """The grammar's tables, as far as the parser needs them."""

    pattern: str
    """One expression for all terminals; the name of the group that fits is the type of the token."""
    words: Mapping[str, str]
    """By keyword: its terminal."""
    rules: tuple[Reduction, ...]
    actions: tuple[Mapping[str, int], ...]
    """By state and symbol: what to do."""
    first: Mapping[str, int]
    last: Mapping[str, int]
    """The states in which a whole begins, and in which it is read."""

    @cached_property
    def passing(self) -> tuple[str | None, ...]:
        """The new names that rules merely give to another part, by rule."""
        return tuple(rule.origin if rule.passes else None for rule in self.rules)

    @cached_property
    def scanner(self) -> re.Pattern[str]:
        return re.compile(self.pattern)


def read_tables(cache: Cache | None = None) -> Tables:
    """Returns the tables: those in the cache if they are of this grammar, else new ones, which are kept there."""
    text = grammar_text()
    key = hashlib.sha256(text.encode()).hexdigest()
    kept = _kept(cache, key) if cache is not None else None
    if kept is not None:
        return kept
    tables = make_tables(build_parser(text))
    if cache is not None:
        _keep(cache, key, tables)
    return tables


def grammar_text() -> str:
    """Returns the text of `rules.lark`, as installed or from beside the package in a checkout."""
    checkout = Path(__file__).parents[2] / "grammar" / "rules.lark"
    try:
        return resources.files("rulelang.grammar").joinpath("rules.lark").read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return checkout.read_text(encoding="utf-8")


# ------------------------------------------------------------------ Lark's part


def build_parser(text: str | None = None, *, strict: bool = False) -> Lark:
    """Lets Lark compute the tables of the grammar; `strict` refuses an ambiguous one."""
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


def make_tables(lark: Lark) -> Tables:
    """Writes down what Lark worked out."""
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    data, _ = lark.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    symbols = table["tokens"]
    numbers = {reference["@"]: number for number, reference in enumerate(data["rules"])}
    states = table["states"]
    assert sorted(states) == list(range(len(states)))
    # An action is (0, the state to go to) or (1, a reference to the rule that is complete).
    actions = [
        {
            symbols[symbol]: ~numbers[argument["@"]] if kind else argument
            for symbol, (kind, argument) in states[state].items()
        }
        for state in range(len(states))
    ]
    words = {t.pattern.value: t.name for t in lark.terminals if t.pattern.type == "str" and t.pattern.value.isalpha()}
    signs = sorted(
        (t for t in lark.terminals if t.pattern.value not in words),
        key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name),
    )
    return Tables(
        pattern="|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in signs),
        words=words,
        rules=tuple(_rule(rule) for rule in lark.rules),
        actions=tuple(actions),
        first=dict(table["start_states"]),
        last=dict(table["end_states"]),
    )


def _rule(rule: Any) -> Reduction:
    """Says what the tree keeps of a rule's parts: no signs, no `_PARTS`, and None for what is missing in brackets."""
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


# ------------------------------------------------------------------ what is kept


def _kept(cache: Cache, key: str) -> Tables | None:
    body = cache.read(NAME, key)
    try:
        data = json.loads(body) if body is not None else {}
        rules = [
            Reduction(name, origin, size, tuple(kept), tuple(spliced), alone)
            for name, origin, size, kept, spliced, alone in data["rules"]
        ]
        return Tables(data["pattern"], data["words"], tuple(rules), tuple(data["actions"]), data["first"], data["last"])
    except (ValueError, KeyError, TypeError):
        return None


def _keep(cache: Cache, key: str, tables: Tables) -> None:
    data = attrs.asdict(tables) | {"rules": [attrs.astuple(rule) for rule in tables.rules]}
    cache.write(NAME, key, json.dumps(data, separators=(",", ":")))
