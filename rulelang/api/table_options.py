"""Written options of a game -> the values that are agreed on at the table.

hardcore = "yes"        value_of(game, hardcore, "yes") == 1
"""

from __future__ import annotations

from typing import assert_never

from rulelang.diagnostics.suggest import suggest
from rulelang.errors import RulelangError, UnknownOption
from rulelang.ir import model
from rulelang.ir.types import BadType, EnumType, FlagType, IntType, KindType, NoneType, RowType, SetType, Type
from rulelang.program.values import read_value, within

FLAGS = {"true": "yes", "false": "no", "1": "yes", "0": "no"}
"""How a flag may be agreed on, and its value."""


def value_of(game: model.GameRules, option: model.StateVariable, value: int | str | bool | None) -> int:
    """Returns an option's value from its written form: a number, yes or no, an enum's member, a seat, or none."""
    type = option.type
    text = "none" if value is None else str(value).strip()
    if isinstance(type, FlagType):
        text = FLAGS.get(text.lower(), text.lower())
    try:
        found = read_value(game, text, type)[0]
    except UnknownOption:
        found = None
    if found is None or not within(type, found):
        near = suggest(text, _names(game, type))
        meant = f"; did you mean {near}?" if near else ""
        raise RulelangError(f"the option {option.name} is {_values(game, type)}, not {text!r}{meant}")
    return found


def _names(game: model.GameRules, type: Type) -> tuple[str, ...]:
    """Returns the words that a type's values are written with, if they have any."""
    match type:
        case EnumType(members=names):
            return names
        case KindType():
            return game.seats
        case FlagType():
            return ("yes", "no")
        case _:  # numbers are no words
            return ()


def _values(game: model.GameRules, type: Type) -> str:
    match type:
        case IntType(low=low, high=high):
            expected = f"a number from {low} to {high}"
        case EnumType(members=names):
            expected = f"one of {', '.join(names)}"
        case KindType():
            expected = f"one of {', '.join(game.seats)}"
        case FlagType() | SetType() | RowType() | NoneType() | BadType():
            expected = "yes or no"
        case _:
            assert_never(type)
    return expected + (", or none" if type.optional else "")
