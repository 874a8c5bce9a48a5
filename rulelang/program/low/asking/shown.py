"""The values that screens call -> functions that need only a row.

    line "{p.name}: {reach(p)}"        # shown3(r0): r1 = v3(r0); Return(r1)

Whatever is passed to one of them is checked first; an argument outside its type, and a fault, is a trap.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.ir.model import CallValue, GameRules, Local
from rulelang.ir.steps import StepCosts
from rulelang.ir.walk import called_values
from rulelang.program.low import model as low
from rulelang.program.low.comprehensions import MOST_OF_ANY
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.passes.inlining import reached
from rulelang.program.low.words import KnownWord

LOOKS = (low.SetInst, low.PutInst, low.IfInst, low.RepeatInst, low.WalkInst, low.BreakInst, low.CallInst, low.ReturnInst, low.TrapInst)  # fmt: skip
"""The statements that neither change the row nor need chance or a budget."""


def lower_shown_values(lowering: Lowering) -> tuple[tuple[int, str], ...]:
    """Lowers the values that screens call; returns, by value, the name of its function.

    Those that draw or look ahead need more than a row, so they have none.
    """
    found = {id: _for_a_row(lowering, id) for id in shown_values(lowering.game, lowering.steps)}
    return tuple((id, name) for id, name in found.items() if _only_looks(lowering.functions, name))


def shown_values(game: GameRules, steps: StepCosts) -> tuple[int, ...]:
    """Returns the values that screens call, themselves or in other values, and whose cost is bounded."""
    shown = called_values(game, (game.screen, game.aim))
    deep = {
        id for id in shown if any(game.values[one].deep is not None for one in called_values(game, CallValue(id, ())))
    }
    return tuple(id for id in sorted(shown - deep) if not steps.value(id))


def _for_a_row(lowering: Lowering, id: int) -> str:
    """Lowers a function that takes whatever may be passed to a value; returns its name."""
    value = lowering.game.values[id]
    f = Builder(lowering, f"shown{id}", f"value {value.name} for screens")
    for variable in value.parameters:
        f.passed(variable.id, KnownWord(low.RegisterWord(0), -MOST_OF_ANY, MOST_OF_ANY, none=True))
    result = f.expression(CallValue(id, tuple(Local(variable.id) for variable in value.parameters)))
    f.add(low.ReturnInst(result.word))
    lowering.functions[f.name] = f.finished()
    return f.name


def _only_looks(functions: Mapping[str, low.Function], name: str) -> bool:
    """Returns whether a function, with all that it calls, needs only a row."""
    return all(isinstance(order, LOOKS) for each in reached(functions, (name,)) for order in functions[each].orders)
