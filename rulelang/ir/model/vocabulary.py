"""Closed sets of words in the IR.

    Operator        "+", "in", …        the operation of an `Op`
    ZoneForm        "pile", …           the form of a `Zone`

They are literal types and not enums: printed IR, the digest and the compile cache hold the words themselves, and mypy
proves that a dispatch is exhaustive. `ir.encoding.schema` checks cached IR against them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Calculation: TypeAlias = Literal["+", "-", "*", "neg", "floordiv", "ceildiv", "mod", "abs", "min", "max"]
"""Operators on numbers that result in a number."""

Ordering: TypeAlias = Literal["<", "<=", ">", ">="]
Comparison: TypeAlias = Literal["==", "!="] | Ordering
"""Operators on two values of a type that result in a flag."""

SetOperator: TypeAlias = Literal["union", "minus", "inter"]
"""Operators on two sets that result in a set."""

Operator: TypeAlias = Calculation | Comparison | SetOperator | Literal["not", "size", "in", "range", "single"]

Comprehension: TypeAlias = Literal["set", "count", "sum", "min", "max", "any", "all", "first", "best"]
"""What is made of the members that an `Over` goes over."""

AssignOperator: TypeAlias = Literal["=", "+"]

Limit: TypeAlias = Literal["least", "most"]
Change: TypeAlias = Literal["+"] | Limit
"""What an `Adjustment` does to a value."""

PileEnd: TypeAlias = Literal["top", "bottom"]

ZoneForm: TypeAlias = Literal["pile", "group", "slot"]

Audience: TypeAlias = Literal["all", "owner", "nobody", "expr"]
"""Who sees a variable or what enters a zone; "expr" where an expression says it."""

BoardForm: TypeAlias = Literal["square", "hex", "track", "ring", "graph"]

Ending: TypeAlias = Literal["winner", "ranking", "score", "lost"]
"""How a game ends."""

Moment: TypeAlias = Literal["asked", "answered", "settled"]
"""When a position is written down in the history."""

Impasse: TypeAlias = Literal["none", "error"]
"""What a choice without a legal option comes to: the body for `none` runs, or the rules have gone wrong."""

HookTime: TypeAlias = Literal["before", "after", "instead"]

RuleForm: TypeAlias = Literal[
    "verb", "phase", "action", "option", "choice", "decline", "hook", "whenever", "setup", "play"
]
"""What a `Rule` is written as."""

SiteForm: TypeAlias = Literal[
    "nowhere", "header", "enum", "member", "noun", "constant", "die", "option", "state", "zone", "variable", "history",
    "row", "field", "kind", "data", "board", "map", "value", "case", "let", "adjust", "statement", "branch", "needs", "action",
    "verb", "setup", "play", "hook", "whenever", "screen",
]  # fmt: skip
"""What stands at a `Site`."""

LoneOptions: TypeAlias = Literal["asked", "taken"]
"""What happens to a question with a single option: the seat is asked, or the option is taken."""

ScreenPart: TypeAlias = Literal["line", "track", "each", "cards", "table", "map"]
"""What a line of a screen shows."""
