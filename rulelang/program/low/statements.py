"""Statements of the woven IR that do not stop -> statements of the low-level IR; procedures that do not stop -> functions.

p.fuel -= n, at least 0     # Store(12 + r0, max(row[12 + r0] - r1, 0))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

import attrs

from rulelang.errors import Unsupported
from rulelang.ir.model import (
    Ask,
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
    Move,
    Over,
    Proceed,
    Repeat,
    Return,
    Reveal,
    Settle,
    Show,
    Shuffle,
    Simultaneous,
    Stand,
    Statement,
    Stop,
    When,
    Witness,
)
from rulelang.ir.picks import draws_for_cells
from rulelang.ir.types import IntType, KindType
from rulelang.ir.walk import read_in
from rulelang.program.control import bound_in, deferrable
from rulelang.program.layout import GROUP, LOST, OUTCOME, OUTCOME_RULE, OUTCOME_VALUE, RANKING, SCORE, UNDECIDED, WINNER
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.comprehensions import compared_ranks, passing, ranked
from rulelang.program.low.function import Builder, LoopFrame
from rulelang.program.low.rounds.walks import guarded, walk
from rulelang.program.low.things import notes, piles
from rulelang.program.low.things.moves import move, reveal, show, shuffle
from rulelang.program.low.things.past import stand
from rulelang.program.low.things.places import keyed, position
from rulelang.program.low.things.telling import tell, write
from rulelang.program.low.turns import in_order
from rulelang.program.low.words import KnownWord

Branch: TypeAlias = tuple[list[low.Inst], low.Word, list[low.Inst]]
"""A branch of an `if`: the statements before its condition, the condition, the statements inside."""
CHAIN = 24
"""The most branches of an `if` that are nested in each other."""
CODES = {"winner": WINNER, "ranking": RANKING, "score": SCORE, "lost": LOST, "undecided": UNDECIDED}


def body(f: Builder, statements: Iterable[Statement]) -> None:
    """Emits statements, up to one after which none can run."""
    for each in statements:
        with f.at(f.lowering.steps.site(each)):
            statement(f, each)
        if isinstance(each, (Stop, Return, Finish, Fail)):
            return


def statement(f: Builder, of: Statement) -> None:
    """Emits one statement."""
    match of:
        case Move() | Shuffle() | Reveal() | Show() | Eliminate() | Finish() if f.in_pass:
            f.add(low.TrapInst())
        case Bind():
            _bind(f, of)
        case Assign():
            _assign(f, of)
        case Eliminate(who=who):
            _eliminate(f, who, of.site)
        case Move():
            move(f, of)
        case Shuffle():
            shuffle(f, of)
        case Reveal():
            reveal(f, of)
        case Show():
            show(f, of)
        case When():
            _when(f, of)
        case Loop():
            _loop(f, of)
        case Repeat():
            _repeat(f, of)
        case Simultaneous():
            _at_once(f, of)
        case Defer() if f.in_pass:
            notes.defer(f, of.procedure, f.arguments(of.procedure, of.arguments))
        case Call() | Defer():
            called = f.lowering.procedure(of.procedure, f.level, tells=f.tells)
            f.add(low.CallInst(None, called, f.arguments(of.procedure, of.arguments)))
        case Stop(loop=loop):
            _stop(f, loop)
        case Return():
            f.leave()
        case BeginBody() | EndBody() | Witness():
            _tell(f, of)
        case Finish():
            _finish(f, of)
        case Fail():
            f.add(low.TrapInst())
        case Stand(moment=moment):
            stand(f, moment)
        case Ask() | Settle() | Proceed():
            # A choice ends a block; rules that are not woven are not lowered.
            raise Unsupported(f"`{type(of).__name__}`")
        case _:
            assert_never(of)


def _stop(f: Builder, loop: int) -> None:
    """Leaves a loop: that of a function by a break, one that is cut into blocks by a jump."""
    frame = next((frame for frame in f.frames if frame.loop == loop), None)
    if frame is None:
        f.jump(loop)
    else:
        f.add(low.BreakInst(f.depth - frame.depth))


def _tell(f: Builder, of: BeginBody | EndBody | Witness) -> None:
    """Emits a statement that only the trace needs."""
    if not f.tells:
        return
    match of:
        case BeginBody(rule=rule, arguments=arguments, around=around):
            tell(f, "enter", rule, *[f.named(f.expression(part)).word for part in (*arguments, *around)])
        case EndBody(rule=rule):
            tell(f, "leave", rule)
        case Witness(id=id, reads=reads):
            tell(f, "witness", id, *(f.local(local).word for local in reads))
        case _:
            assert_never(of)


def _eliminate(f: Builder, who: Expr, site: int) -> None:
    state = f.lowering.game.states[f.lowering.game.players_left]
    slot = low.ConstWord(f.lowering.layout.states[state.id])
    out = words.single(f.named(f.expression(who)))
    write(f, state, slot, low.BinaryWord("&", low.CellWord(slot), low.UnaryWord("flip", out.word)), site)


# ------------------------------------------------------------------ locals and variables


def _bind(f: Builder, of: Bind) -> None:
    known = _clamped(f, f.expression(of.value), of.least, of.most)
    if isinstance(of.variable.type, IntType | KindType) and not of.variable.type.optional:
        known = f.certain(known)
    f.bind(of.variable.id, f.within(known, of.variable.type))


def _clamped(f: Builder, value: KnownWord, least: Expr | None, most: Expr | None) -> KnownWord:
    if least is not None:
        value = words.calculated("max", f.certain(value), f.numeric(least))
    if most is not None:
        value = words.calculated("min", f.certain(value), f.numeric(most))
    return value


def _assign(f: Builder, assign: Assign) -> None:
    state = f.lowering.game.states[assign.place.state]
    index = keyed(f, state.dimensions, [f.named(f.expression(part)) for part in assign.place.index])
    cell = f.lowering.cell(f.lowering.layout.states[state.id])
    assert isinstance(cell.index, low.ConstWord)
    place, inside = position(f, cell.index.value, state.dimensions, index, cell.words)
    f.trap_if(words.negated(inside))
    if not isinstance(place, low.ConstWord):
        place = f.kept(place)
    if draws_for_cells(assign):
        inner = piles.plus(place, -cell.index.value)
        f.target = inner if cell.words == 1 else low.BinaryWord("div", inner, low.ConstWord(cell.words))
    value = f.expression(assign.value)
    if f.in_pass and assign.operator == "+":
        notes.add(f, state, place, f.certain(value), assign)
        return
    if assign.operator == "+":
        old = words.typed(low.CellWord(place, cell.words), state.type)
        value = f.certain(words.calculated("+", f.certain(old), f.certain(value)))
    value = _clamped(f, value, assign.least, assign.most)
    if not words.fits(value, state.type):
        value = f.named(value)
        f.trap_if(words.outside(value, state.type))
    if f.in_pass:
        notes.write(f, state, place, value.word, assign.site)
    else:
        write(f, state, place, value.word, assign.site)


# ------------------------------------------------------------------ control


def _when(f: Builder, when: When) -> None:
    parts: list[Branch] = []
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
    if len(parts) <= CHAIN:
        f.add(*_chained(parts, tuple(last)))
        return
    # Each branch stands in the `else` of the one before it, and nothing can be nested that deep.
    is_done = f.kept(low.ConstWord(0))
    done = low.SetInst(is_done.number, low.ConstWord(1))
    for i in range(0, len(parts), CHAIN):
        link: list[Branch] = [(before, test, [done, *inner]) for before, test, inner in parts[i : i + CHAIN]]
        rest = _chained(link, tuple(last) if i + CHAIN >= len(parts) else ())
        f.add(*(rest if not i else (low.IfInst(words.negated(is_done), rest),)))


def _chained(parts: list[Branch], last: tuple[low.Inst, ...]) -> tuple[low.Inst, ...]:
    """Returns the statements of the first branch whose condition holds, or the last ones."""
    rest = last
    for before, condition, inner in reversed(parts):
        if condition == low.ConstWord(1):
            rest = (*before, *inner)
        elif condition == low.ConstWord(0):
            rest = (*before, *rest)
        else:
            rest = (*before, low.IfInst(condition, tuple(inner), rest))
    return rest


def _loop(f: Builder, loop: Loop) -> None:
    going = in_order(f, loop) if loop.keys else walk(f, loop.source, loop.variable, f.lowering.steps.round(loop))
    with going:
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


# ------------------------------------------------------------------ at once


def simultaneous(f: Builder, block: Simultaneous) -> None:
    """Emits the passes of a `simultaneously` and the merging of their notes; deferred calls wait behind the row."""
    if f.level == f.lowering.scratch.levels:
        f.add(low.TrapInst())
        return
    with walk(f, block.source, block.variable, f.lowering.steps.round(block)):
        name, passed = _pass(f, block)
        f.add(low.CallInst(None, name, passed))
        notes.merge(f)
    notes.take_over(f)


def _at_once(f: Builder, block: Simultaneous) -> None:
    """Emits a block, and the calls that its passes deferred, none of which can stop; within a pass, they wait."""
    deferred = () if f.in_pass else deferrable(f.lowering.game, block)
    first = notes.calls_waiting(f) if deferred else low.ConstWord(0)
    simultaneous(f, block)
    if deferred:
        notes.make_deferred(f, {id: f.lowering.procedure(id, tells=f.tells) for id in deferred}, first)


def _pass(f: Builder, block: Simultaneous) -> tuple[str, tuple[low.Word, ...]]:
    """Lowers a pass as a function of its own; returns its name and its arguments."""
    own = block.variable.id
    free = sorted(read_in(block.condition, block.body) - bound_in(block.body) - {own})
    known = {id: f.named(f.local(id)) for id in (own, *free)}
    inner = Builder(f.lowering, f"g{len(f.lowering.functions)}_{f.name}_{f.registers}", "one of those at once")
    inner.level, inner.site, inner.tells = f.level + 1, f.site, f.tells
    for id, local in known.items():
        inner.passed(id, local)
    condition = low.ConstWord(1) if block.condition is None else inner.condition(block.condition)
    with guarded(inner, condition):
        body(inner, block.body)
    f.lowering.functions[inner.name] = inner.finished()
    return inner.name, tuple(local.word for local in known.values())


# ------------------------------------------------------------------ the end


def _finish(f: Builder, finish: Finish) -> None:
    if finish.how == "ranking":
        assert isinstance(finish.value, Over)
        _ranking(f, finish.value)
    else:
        result = low.ConstWord(0) if finish.value is None else f.named(f.expression(finish.value)).word
        cell = f.lowering.cell(OUTCOME_VALUE)
        f.store(OUTCOME_VALUE, result)
        if finish.how == "score" and cell.words > 1:
            # A negative score extends its sign into the words above.
            assert isinstance(cell.index, low.ConstWord)
            sign = low.SelectWord(low.BinaryWord("<", result, low.ConstWord(0)), low.ConstWord(-1), low.ConstWord(0))
            f.add(*(low.StoreInst(low.ConstWord(cell.index.value + i), sign) for i in range(1, cell.words)))
    f.add(low.StoreInst(low.ConstWord(OUTCOME_RULE), low.ConstWord(finish.rule)))
    outcome = low.ConstWord(CODES[finish.how])
    f.add(low.StoreInst(low.ConstWord(OUTCOME), outcome))
    if f.lowering.moves_at_once:
        tell(f, "end_moves")
    if finish.how != "undecided":
        tell(f, "finish", outcome, finish.rule)
    f.add(low.GameOverInst())


def _ranking(f: Builder, over: Over) -> None:
    """Emits code that writes the groups of tied seats, the best
    in the low bits; each round takes the best of those left."""
    rest = f.kept(low.ConstWord(0))
    with passing(f, over):
        f.add(low.SetInst(rest.number, low.BinaryWord("|", rest, words.single(f.env[over.names[0].id]).word)))
    groups, count = f.array(len(f.lowering.game.seats) + 1), f.kept(low.ConstWord(0))
    with f.looped() as orders:
        f.add(low.IfInst(low.BinaryWord("==", rest, low.ConstWord(0)), (low.BreakInst(),)))
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
        f.add(low.PutInst(groups, count, taken), low.SetInst(rest.number, low.BinaryWord("^", rest, taken)))
        f.add(low.SetInst(count.number, low.BinaryWord("+", count, low.ConstWord(1))))
    f.add(low.RepeatInst(tuple(orders)))
    cell = f.lowering.cell(OUTCOME_VALUE)
    f.store(OUTCOME_VALUE, low.ConstWord(0))
    with f.looped() as packed:
        f.add(low.IfInst(low.BinaryWord("==", count, low.ConstWord(0)), (low.BreakInst(),)))
        f.add(low.SetInst(count.number, low.BinaryWord("-", count, low.ConstWord(1))))
        shifted = low.BinaryWord("<<", cell, low.ConstWord(GROUP))
        f.store(OUTCOME_VALUE, low.BinaryWord("|", shifted, low.ItemWord(groups, count)))
    f.add(low.RepeatInst(tuple(packed)))
