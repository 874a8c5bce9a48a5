"""The closed sets of words in nodes, for fields that the grammar restricts to a few words.

    BinaryExpression.operator     "+", "not in", …        ExpectStep.form     "holds", "can", …

Literal types: mypy proves that a dispatch over one leaves none out.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

UnaryOperator: TypeAlias = Literal["-", "not"]

CompareOperator: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
BinaryOperator: TypeAlias = Literal["+", "-", "*", "%", "/", "and", "or", "in", "not in"] | CompareOperator

Rounding: TypeAlias = Literal["up", "down"]

AssignSign: TypeAlias = Literal["=", "+=", "-="]

PileSide: TypeAlias = Literal["top", "bottom"]

EndForm: TypeAlias = Literal["winner", "ranking", "score", "lost"]

Decline: TypeAlias = Literal["pass", "stop"]

AggregateForm: TypeAlias = Literal["count", "sum", "min", "max", "any", "all", "first", "best", "random", "set"]
"""The functions that gather a comprehension; `set` for one in braces."""

HeaderForm: TypeAlias = Literal["players", "seats", "lone", "rulebook", "history", "steps"]

ModifierForm: TypeAlias = Literal[
    "seen by", "face up", "face down", "top face up", "refills from", "at most", "until", "scratch", "untold", "called",
    "text",
]  # fmt: skip

AdjustSign: TypeAlias = Literal["set", "times", "+", "-", "least", "most"]

HookTime: TypeAlias = Literal["before", "after", "instead"]

FlowForm: TypeAlias = Literal["setup", "play"]

ActionMoment: TypeAlias = Literal["time", "choice", "beside"]

AimForm: TypeAlias = Literal["about", "lasts", "progress", "ends"]

ScreenForm: TypeAlias = Literal["line", "map", "track", "each", "cards", "table"]

ZoneForm: TypeAlias = Literal["pile", "group", "slot"]

ExpectForm: TypeAlias = Literal[
    "holds", "winner", "lost", "can", "cannot", "is asked", "is not asked", "sees", "blind", "event", "after"
]

UnreadNames: TypeAlias = Literal[
    "nothing", "spaces", "a name", "a verb", "an action", "an attribute", "a value", "anything"
]

UnreadPart: TypeAlias = Literal["game", "variant", "scenario"]
