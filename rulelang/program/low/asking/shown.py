"""The values that screens call, and what sentences of rules compute -> functions that need only a row.

    line "{p.name}: {reach(p)}"        # shown3(r0): r1 = v3(r0); Return(r1)
    to pay(p, n) "{p} pays {min(n, p.fuel)} fuel"        # hole0(r0, r1): Return(min(r1, row[p.fuel]))

Whatever is passed to one of them is checked first; an argument outside its type, and a fault, is a trap.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.errors import Unsupported
from rulelang.ir.facts import sentence_holes
from rulelang.ir.model import CallValue, Expr, GameRules, Local, Variable
from rulelang.ir.steps import StepCosts
from rulelang.ir.walk import called_values, walk
from rulelang.program.low import model as low
from rulelang.program.low.comprehensions import MOST_OF_ANY
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.passes.inlining import reached
from rulelang.program.low.words import KnownWord

LOOKS = (low.SetInst, low.PutInst, low.IfInst, low.RepeatInst, low.WalkInst, low.BreakInst, low.CallInst, low.ReturnInst, low.TrapInst)  # fmt: skip
"""The statements that neither change the row nor need chance or a budget."""
PAYING_LOOKS = (*LOOKS, low.PayInst)
"""Those that do not change the row and need no chance."""


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


def lower_sentence_holes(lowering: Lowering) -> tuple[tuple[int, str], ...]:
    """Lowers what sentences of rules compute; returns, by number among the holes of all rules, the names of the functions
    of a row and the rule's arguments, which pay from a budget of their own."""
    found: list[tuple[int, str]] = []
    holes = ((rule, hole) for rule in lowering.game.rules for hole in sentence_holes(rule))
    for number, (rule, hole) in enumerate(holes):
        if rule.around:
            continue
        lowering.variables |= {node.id: node for node in walk(hole) if isinstance(node, Variable)}
        try:
            name = _of_a_sentence(lowering, f"hole{number}", f"in the words of {rule.name}", rule.parameters, hole)
        except Unsupported:
            continue
        found.append((number, name))
    return tuple((number, name) for number, name in found if _only_looks(lowering.functions, name, PAYING_LOOKS))


def _for_a_row(lowering: Lowering, id: int) -> str:
    """Lowers a function that takes whatever may be passed to a value; returns its name."""
    value = lowering.game.values[id]
    f = Builder(lowering, f"shown{id}", f"value {value.name} for screens")
    _pass_anything(f, value.parameters)
    result = f.expression(CallValue(id, tuple(Local(variable.id) for variable in value.parameters)))
    f.add(low.ReturnInst(result.word))
    lowering.functions[f.name] = f.finished()
    return f.name


def _of_a_sentence(lowering: Lowering, name: str, about: str, parameters: tuple[Variable, ...], hole: Expr) -> str:
    """Lowers a function of a rule's arguments for one hole of its words; returns its name."""
    f = Builder(lowering, name, about)
    _pass_anything(f, parameters)
    for variable in parameters:
        f.env[variable.id] = f.within(f.env[variable.id], variable.type.or_none())
    f.add(low.ReturnInst(f.expression(hole).word))
    lowering.functions[f.name] = f.finished()
    return f.name


def _pass_anything(f: Builder, parameters: tuple[Variable, ...]) -> None:
    for variable in parameters:
        f.passed(variable.id, KnownWord(low.RegisterWord(0), -MOST_OF_ANY, MOST_OF_ANY, none=True))


def _only_looks(functions: Mapping[str, low.Function], name: str, looks: tuple[type, ...] = LOOKS) -> bool:
    """Returns whether a function, with all that it calls, needs only a row."""
    return all(isinstance(order, looks) for each in reached(functions, (name,)) for order in functions[each].orders)
