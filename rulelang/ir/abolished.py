"""A branch of a choice -> the need that forbids it in every position, if one does.

needs no  "Alone, rockets are never bought"
needs not fast  "Probes cost nothing in the faster game"        # where `fast` is agreed
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.ir import model as ir


def agreed_by_default(game: ir.GameRules) -> Callable[[int], int | None]:
    """Returns a function from a state variable to what it is before anything is agreed; None if it is no option."""

    def value(state: int) -> int | None:
        variable = game.states[state]
        return variable.initial.value if variable.option and isinstance(variable.initial, ir.Const) else None

    return value


def agreed_in(game: ir.GameRules, offsets: Sequence[int], row: Sequence[int]) -> Callable[[int], int | None]:
    """Returns a function from a state variable to what was agreed at the table of a position; None if it is no option."""
    return lambda state: row[offsets[state]] if game.states[state].option else None


def abolished_by(branch: ir.Branch, agreed: Callable[[int], int | None]) -> ir.Need | None:
    """Returns the first need of a branch that reads nothing but what is agreed before the game, and does not hold."""
    return next((need for need in branch.needs if _value(need.condition, agreed) == 0), None)


def _value(condition: ir.Expr, agreed: Callable[[int], int | None]) -> int | None:
    """Returns the value of a condition; None if it may change, or is more than one option."""
    match condition:
        case ir.Const(value=value):
            return value
        case ir.Read(state=state, index=()):
            return agreed(state)
        case ir.Op(name="not", arguments=(of,)):
            inner = _value(of, agreed)
            return None if inner is None else int(not inner)
        case _:  # what else may be said can change while a game is played
            return None
