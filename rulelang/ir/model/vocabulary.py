"""Closed sets of words in the IR.

    Operator        "+", "in", …        the operation of an `Op`
    ZoneForm        "pile", …           the form of a `Zone`

They are literal types and not enums: printed IR, the digest and the cache hold the words themselves, and mypy proves
that a dispatch is exhaustive. `ir.encoding.schema` validates cached IR against them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

NumberFunction: TypeAlias = Literal["abs"]
"""Calculations that rules call by their names alone; `min` and `max` are of sets, too."""
Calculation: TypeAlias = Literal["+", "-", "*", "neg", "floordiv", "ceildiv", "mod", "min", "max"] | NumberFunction
"""Operators from numbers to a number."""

Ordering: TypeAlias = Literal["<", "<=", ">", ">="]
Comparison: TypeAlias = Literal["==", "!="] | Ordering
"""Operators from two values of a type to a flag."""

SetOperator: TypeAlias = Literal["union", "minus", "inter"]
"""Operators from two sets to a set."""

Operator: TypeAlias = Calculation | Comparison | SetOperator | Literal["not", "size", "in", "range", "single"]

Comprehension: TypeAlias = Literal["set", "count", "sum", "min", "max", "any", "all", "first", "best"]
"""The results that an `Over` can compute."""

LapseMoment: TypeAlias = Literal["turn ends", "round ends", "turn of owner begins", "turn of owner ends"]
"""The moments at which a variable goes back to what it begins with."""

AssignOperator: TypeAlias = Literal["=", "+"]

Limit: TypeAlias = Literal["least", "most"]
AdjustmentForm: TypeAlias = Literal["set", "times", "+"] | Limit
"""The ways in which an `Adjustment` changes a value."""

PileEnd: TypeAlias = Literal["top", "bottom"]

ZoneForm: TypeAlias = Literal["pile", "group", "slot"]

SeenBy: TypeAlias = Literal["all", "owner", "nobody", "expr"]
"""The seats that see a variable, or the things that enter a zone; "expr" if an expression gives them."""

BoardForm: TypeAlias = Literal["square", "hex", "track", "ring", "graph"]

Colour: TypeAlias = Literal[
    "red", "green", "blue", "yellow", "purple", "orange", "cyan", "pink", "white", "black", "brown", "crimson", "amber",
    "ivory", "slate", "grey",
]  # fmt: skip
"""The colours of seats and things."""

PieceShape: TypeAlias = Literal["disc", "square", "diamond", "triangle", "hexagon", "star", "cross", "ring", "card"]
"""The shapes of pieces in a picture; a card has its name on it."""

FanWay: TypeAlias = Literal["right", "left", "down", "up"]
"""The ways in which cards that overlap lie, one after another."""

EndForm: TypeAlias = Literal["winner", "ranking", "score", "lost", "undecided"]
"""The ways in which a game ends: by `finish`, or "undecided", where its rules run out without one."""

HistoryMoment: TypeAlias = Literal["asked", "answered", "settled"]
"""The moments at which a position is recorded in the history."""

Impasse: TypeAlias = Literal["none", "error"]
"""The outcome of a choice without a legal option: its body for `none` runs, or the game stops with an error."""

HookTime: TypeAlias = Literal["before", "after", "instead"]

RuleForm: TypeAlias = Literal[
    "verb", "phase", "action", "option", "choice", "decline", "hook", "whenever", "setup", "play"
]
"""The forms in which a `Rule` is written."""

SiteForm: TypeAlias = Literal[
    "nowhere", "header", "enum", "member", "noun", "constant", "die", "option", "state", "zone", "variable", "history",
    "row", "field", "kind", "data", "board", "map", "value", "case", "let", "adjust", "statement", "branch", "needs", "action",
    "verb", "setup", "play", "hook", "whenever", "aim", "screen",
]  # fmt: skip
"""The parts of the rules that a `Site` can be."""

LoneOptions: TypeAlias = Literal["asked", "taken"]
"""The treatment of a choice with a single option: the seat is asked, or the option is taken without asking."""

ScreenPart: TypeAlias = Literal["line", "track", "each", "cards", "table", "map"]
"""The forms of a line of a screen."""
