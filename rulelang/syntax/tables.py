"""The grammar into tables: what `grammar/rules.lark` says, as plain data that a loop over tokens can follow.

    constant: "constant" NAME "=" expr [CITE] _NL
    Reduction(name="constant", size=6, kept=(1, 3, 4), ...)     of six parts, the tree keeps the name, the value and the clauses

Lark works them out and `make tables` puts them beside the grammar, so reading costs a dictionary look-up a step and no run
imports Lark. An action is a number: the state to go to, or ~r for what rule r says.
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
"""What the tables are called beside the grammar."""

STARTS = ("start", "hole")
"""What may be read as a whole: a file, and what stands in the braces of a text."""

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


def read_tables() -> Tables:
    """Returns the tables that lie beside the grammar. Raises RuntimeError if they are of another grammar."""
    data = json.loads(_beside(FILE))
    if data["grammar"] != _digest(grammar_text()):
        raise RuntimeError("grammar/tables.json is not of this grammar/rules.lark: run `make tables`")
    return _decode(data)


def grammar_text() -> str:
    """Returns the text of `rules.lark`, as installed or from beside the package in a checkout."""
    return _beside("rules.lark")


def _beside(name: str) -> str:
    """Returns a file of the grammar."""
    try:
        return resources.files("rulelang.grammar").joinpath(name).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return (Path(__file__).parents[2] / "grammar" / name).read_text(encoding="utf-8")


def encode(tables: Tables) -> str:
    """Returns the text of `tables.json`: a line for each rule and state, symbols by their numbers."""
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
    """A list that is written with a line for each member."""


def _written(value: object) -> str:
    if isinstance(value, _Lines):
        return "[\n" + ",\n".join(map(_written, value)) + "\n]"
    return json.dumps(value, separators=(",", ":"))


def _decode(data: Mapping[str, Any]) -> Tables:
    """Reads what `encode` wrote."""
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


def make_tables() -> Tables:
    """Returns the tables that Lark works out for the grammar."""
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
    """Returns a new number for each state, in the order in which they are reached: Lark's own differ from run to run."""
    order = {state: number for number, state in enumerate(starts)}
    for state in (reached := list(starts)):
        for _, to in sorted(states[state].items()):
            if to >= 0 and to not in order:
                order[to] = len(order)
                reached.append(to)
    return order


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
