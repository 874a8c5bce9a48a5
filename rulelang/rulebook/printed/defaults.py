"""An expression that reads nothing but what is agreed before a game -> its value where nothing else is agreed.

as_agreed(game, template)     the same template, with 3 in place of `green(metal)`
settled(game, condition)      True for `against_time`, which is `yes` in every game of these rules
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, IntType
from rulelang.ir.walk import walk
from rulelang.machines.walk import evaluate
from rulelang.program.layout import lay_out

CHANGING = (
    ir.Contents,
    ir.InSlot,
    ir.TopOf,
    ir.PlaceOf,
    ir.OwnerOf,
    ir.FaceUp,
    ir.Roll,
    ir.Pick,
    ir.Occurrences,
    ir.Foreseen,
    ir.Openly,
)
"""The expressions whose value may change while a game is played."""


def as_agreed(game: ir.GameRules, text: ir.Template) -> ir.Template:
    """Returns a text with numbers in place of the values that depend on nothing but what is agreed, by default."""
    return attrs.evolve(text, parts=tuple(p if isinstance(p, str) else _valued(game, p) for p in text.parts))


def settled(game: ir.GameRules, condition: ir.Expr) -> bool | None:
    """Returns whether a condition holds in every game; None if it depends on anything at all, `play_on` for one."""
    match condition:
        case ir.Const(value=value):
            return bool(value)
        case ir.Op(name="not", arguments=(of,)):
            inner = settled(game, of)
            return None if inner is None else not inner
        case ir.CallValue(value=value, arguments=()) if not game.values[value].adjustments:
            first = game.values[value].cases[0]
            return settled(game, first.value) if first.condition is None else None
        case _:  # any other condition reads the game, or what is agreed
            return None


def _valued(game: ir.GameRules, hole: ir.Expr) -> ir.Expr:
    match hole:
        case ir.CallValue(value=value) if isinstance(game.values[value].type, IntType) and _is_fixed(game, hole):
            return ir.Const(_value(game, hole))
        case ir.Counted(of=of):
            return attrs.evolve(hole, of=_valued(game, of))
        case _:  # what changes while a game is played is said by its name
            return hole


def _is_fixed(game: ir.GameRules, hole: ir.Expr) -> bool:
    """Returns whether a value reads nothing that changes while a game is played, nor any name from outside."""
    waiting, seen = list[object]((hole,)), set[int]()
    if any(isinstance(node, ir.Local) for node in walk(hole)):
        return False
    while waiting:
        for node in walk(waiting.pop()):
            match node:
                case ir.CallValue(value=value):
                    if value not in seen:
                        seen.add(value)
                        waiting.append((game.values[value].cases, game.values[value].adjustments))
                case ir.Read(state=state):
                    if not game.states[state].option:
                        return False
                case _:  # any other part stays what it is, unless it is one of a few
                    if isinstance(node, CHANGING):
                        return False
    return True


def _value(game: ir.GameRules, hole: ir.Expr) -> int:
    layout = lay_out(game)
    row = [NONE] * layout.size
    for state, slot in zip(game.states, layout.states, strict=True):
        if isinstance(state.initial, ir.Const):
            row[slot] = state.initial.value
    return evaluate(hole, row, {}, game, layout)
