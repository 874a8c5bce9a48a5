"""Statements of the woven IR that do not stop -> statements of the low-level IR; procedures that do not stop -> functions.

p.fuel -= n, at least 0     # Store(12 + r0, max(row[12 + r0] - r1, 0))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import attrs

from rulelang.ir.model import (
    Assign,
    BeginBody,
    Bind,
    Call,
    Defer,
    Eliminate,
    EndBody,
    Expr,
    Fail,
    Finish,
    Loop,
    Over,
    Repeat,
    Return,
    Statement,
    Stmt,
    Stop,
    When,
    Witness,
)
from rulelang.program.layout import LOST, OUTCOME, OUTCOME_RULE, OUTCOME_VALUE, RANKING, SCORE, WINNER
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.comprehensions import compared_ranks, guarded, passing, ranked, walk
from rulelang.program.low.expressions import keyed, position
from rulelang.program.low.function import Builder, LoopFrame
from rulelang.program.low.words import KnownWord, Unsupported

CODES = {"winner": WINNER, "ranking": RANKING, "score": SCORE, "lost": LOST}
GROUP = 16
"""How many bits a group of a ranking has."""


def body(f: Builder, statements: Iterable[Stmt]) -> None:
    """Adds statements, up to one that nothing comes after."""
    for each in statements:
        statement(f, cast(Statement, each))
        if isinstance(each, (Stop, Return, Finish, Fail)):
            return


NAMES = {
    "Move": "moves of things",
    "Shuffle": "shuffles",
    "Reveal": "things that are turned up",
    "Show": "things that are shown",
    "Together": "`simultaneously`",
    "Stand": "a history of positions",
}
"""What people call what cannot be said yet."""


def statement(f: Builder, of: Statement) -> None:
    """Adds one statement."""
    match of:
        case Bind():
            f.bind(of.variable.id, f.within(_clamped(f, f.expression(of.value), of.least, of.most), of.variable.type))
        case Assign():
            _assign(f, of)
        case Eliminate(who=who):
            slot = low.ConstWord(f.lowering.layout.states[f.lowering.game.players_left])
            out = words.single(f.named(f.expression(who)))
            f.add(low.StoreInst(slot, low.BinaryWord("&", low.CellWord(slot), low.UnaryWord("flip", out.word))))
        case When():
            _when(f, of)
        case Loop():
            _loop(f, of)
        case Repeat():
            _repeat(f, of)
        case Call() | Defer():
            f.add(low.CallInst(None, f.lowering.procedure(of.procedure), arguments(f, of)))
        case Stop(loop=loop):
            frame = next((frame for frame in f.frames if frame.loop == loop), None)
            if frame is None:
                f.jump(loop)
            else:
                f.add(low.BreakInst(f.depth - frame.depth))
        case Return():
            f.leave()
        case BeginBody() | EndBody() | Witness():
            pass
        case Finish():
            _finish(f, of)
        case Fail():
            f.add(low.TrapInst())
        case _:
            raise Unsupported(NAMES.get(type(of).__name__, f"`{type(of).__name__}`"))


def arguments(f: Builder, call: Call | Defer) -> tuple[low.Word, ...]:
    """Returns what a procedure is passed."""
    parameters = f.lowering.game.procedures[call.procedure].parameters
    known = [f.named(f.expression(part)) for part in call.arguments]
    return tuple(f.within(part, v.type).word for part, v in zip(known, parameters, strict=True))


# ------------------------------------------------------------------ locals and variables


def _clamped(f: Builder, value: KnownWord, least: Expr | None, most: Expr | None) -> KnownWord:
    for name, bound in (("max", least), ("min", most)):
        if bound is not None:
            value = f.certain(value)
            value = words.calculated(name, value, f.numeric(bound))
    return value


def _assign(f: Builder, assign: Assign) -> None:
    state = f.lowering.game.states[assign.place.state]
    index = keyed(f, state.dimensions, [f.named(f.expression(part)) for part in assign.place.index])
    place, inside = position(f, f.lowering.layout.states[state.id], state.dimensions, index)
    f.trap_if(words.negated(inside))
    if not isinstance(place, low.ConstWord):
        place = f.kept(place)
    value = f.expression(assign.value)
    if assign.operator == "+":
        old = words.typed(low.CellWord(place), state.type)
        value = words.calculated("+", f.certain(old), f.certain(value))
    value = _clamped(f, value, assign.least, assign.most)
    if not words.fits(value, state.type):
        value = f.named(value)
        f.trap_if(words.outside(value, state.type))
    f.add(low.StoreInst(place, value.word))


# ------------------------------------------------------------------ control


def _when(f: Builder, when: When) -> None:
    parts = []
    env = dict(f.env)
    for test, statements, _ in when.branches:
        with f.aside() as before:
            condition = f.condition(test)
        with f.aside() as inner:
            body(f, statements)
        f.env = dict(env)
        parts.append((before, condition, inner))
    with f.aside() as last:
        body(f, when.otherwise)
    f.env = env
    rest = tuple(last)
    for before, condition, inner in reversed(parts):
        if condition == low.ConstWord(1):
            rest = (*before, *inner)
        elif condition == low.ConstWord(0):
            rest = (*before, *rest)
        else:
            rest = (*before, low.IfInst(condition, tuple(inner), rest))
    f.add(*rest)


def _loop(f: Builder, loop: Loop) -> None:
    if loop.keys:
        raise Unsupported("ordered loops")
    with walk(f, loop.source, loop.variable, f.lowering.steps.round(loop)):
        f.frames.append(LoopFrame(loop.id, f.depth))
        condition = low.ConstWord(1) if loop.condition is None else f.condition(loop.condition)
        with guarded(f, condition):
            body(f, loop.body)
        f.frames.pop()


def _repeat(f: Builder, repeat: Repeat) -> None:
    count = None
    if repeat.times is not None or repeat.limit is not None:
        count = f.kept(low.ConstWord(0))
    times = None if repeat.times is None else f.named(f.expression(repeat.times))
    with f.looped() as orders:
        f.frames.append(LoopFrame(repeat.id, f.depth))
        if times is not None and count is not None:
            f.add(low.IfInst(low.BinaryWord(">=", count, times.word), (low.BreakInst(),)))
        f.pay(f.lowering.steps.round(repeat))
        if repeat.condition is not None:
            condition = f.condition(repeat.condition)
            if condition != low.ConstWord(1):
                f.add(low.IfInst(words.negated(condition), (low.BreakInst(),)))
        if repeat.limit is not None and count is not None:
            f.trap_if(low.BinaryWord(">=", count, low.ConstWord(repeat.limit)))
        if count is not None:
            f.add(low.SetInst(count.number, low.BinaryWord("+", count, low.ConstWord(1))))
        body(f, repeat.body)
        f.frames.pop()
    f.add(low.RepeatInst(tuple(orders)))


# ------------------------------------------------------------------ the end


def _finish(f: Builder, finish: Finish) -> None:
    if f.lowering.moves_at_once:
        raise Unsupported("`simultaneously`")
    if finish.how == "ranking":
        assert isinstance(finish.value, Over)
        result = _ranking(f, finish.value)
    else:
        result = low.ConstWord(0) if finish.value is None else f.expression(finish.value).word
    f.add(low.StoreInst(low.ConstWord(OUTCOME_VALUE), result))
    f.add(low.StoreInst(low.ConstWord(OUTCOME_RULE), low.ConstWord(finish.rule)))
    f.add(low.StoreInst(low.ConstWord(OUTCOME), low.ConstWord(CODES[finish.how])))
    f.add(low.GameOverInst())


def _ranking(f: Builder, over: Over) -> low.Word:
    """Adds the groups that tie, the best in the low bits: as many rounds, each of which takes the best of those left."""
    rest = f.kept(low.ConstWord(0))
    with passing(f, over):
        f.add(low.SetInst(rest.number, low.BinaryWord("|", rest, words.single(f.env[over.names[0].id]).word)))
    result, shift = f.kept(low.ConstWord(0)), f.kept(low.ConstWord(0))
    with f.looped() as orders:
        f.add(low.IfInst(low.BinaryWord("==", rest, low.ConstWord(0)), (low.BreakInst(),)))
        # A word holds three groups; where there are more, the row does, and another executor fills it.
        f.trap_if(low.BinaryWord(">=", shift, low.ConstWord(low.BITS - GROUP)))
        best, taken = [f.fresh() for _ in over.keys], f.kept(low.ConstWord(0))
        f.add(*(low.SetInst(register, low.ConstWord(0)) for register in best))
        x = f.fresh()
        f.env[over.names[0].id] = attrs.evolve(f.env[over.names[0].id], word=low.RegisterWord(x))
        with f.looped() as inner:
            keys: list[low.Word] = [
                key.word if isinstance(key.word, low.ConstWord) else f.kept(key.word) for key in ranked(f, over.keys)
            ]
            is_less, is_same = compared_ranks(keys, [low.RegisterWord(register) for register in best])
            alone = low.BinaryWord("<<", low.ConstWord(1), low.RegisterWord(x))
            take = (low.SetInst(taken.number, alone), *(low.SetInst(r, key) for r, key in zip(best, keys, strict=True)))
            tie = (low.IfInst(is_same, (low.SetInst(taken.number, low.BinaryWord("|", taken, alone)),)),)
            f.add(low.IfInst(words.either(low.BinaryWord("==", taken, low.ConstWord(0)), is_less), take, tie))
        f.add(low.WalkInst(x, rest, tuple(inner)))
        f.add(low.SetInst(result.number, low.BinaryWord("|", result, low.BinaryWord("<<", taken, shift))))
        f.add(low.SetInst(rest.number, low.BinaryWord("^", rest, taken)))
        f.add(low.SetInst(shift.number, low.BinaryWord("+", shift, low.ConstWord(GROUP))))
    f.add(low.RepeatInst(tuple(orders)))
    return result
