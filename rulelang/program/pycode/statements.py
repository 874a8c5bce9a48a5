"""Statements that do not stop -> Python statements; procedures that do not stop -> functions.

    p.fuel -= n, at least 0     # t1 = S[12 + x1] - x2
                                # if t1 < 0: t1 = 0
                                # S[12 + x1] = t1

A procedure that `simultaneously` calls is printed a second time, as `q…`, with its writes noted
(`program.simultaneous`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

import attrs

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
from rulelang.ir.steps import CHANCE
from rulelang.ir.types import IntType, KindType, Type
from rulelang.ir.walk import read_in
from rulelang.program.control import bound_in, deferrable
from rulelang.program.layout import LOST, OUTCOME, OUTCOME_RULE, OUTCOME_VALUE, RANKING, SCORE, WINNER
from rulelang.program.pycode.expressions import sets, walks
from rulelang.program.pycode.expressions.expression import prepare
from rulelang.program.pycode.expressions.operators import as_set, least_of, numeric, sum_of
from rulelang.program.pycode.expressions.places import fitted, position
from rulelang.program.pycode.fragment import Fragment, bounds, fits, tuple_text
from rulelang.program.pycode.function import ModulePrinter, PrintedFunction, PrintedLoop
from rulelang.program.pycode.module import PrintedLine
from rulelang.program.pycode.values import branching, outside

CODES = {"winner": WINNER, "ranking": RANKING, "score": SCORE, "lost": LOST}


class Procedures:
    """Prints procedures and passes, each once."""

    def __init__(self, module: ModulePrinter) -> None:
        self.module = module
        self.deferred: dict[int, str] = {}
        """The functions of procedures whose calls are deferred."""
        self._known: set[str] = set()
        self._waiting: list[tuple[str, int, bool]] = []
        """The functions that have been named but not printed yet."""
        self._is_printing = False
        self._passes = 0

    def name(self, id: int, *, in_pass: bool = False) -> str:
        """Returns the name of a procedure's function; on first use, the function is printed after the code that names
        it."""
        name = f"{'q' if in_pass else 'p'}{id}"
        if name not in self._known:
            self._known.add(name)
            self._waiting.append((name, id, in_pass))
        if not self._is_printing:
            self._is_printing = True
            while self._waiting:
                self._print(*self._waiting.pop())
            self._is_printing = False
        return name

    def _print(self, name: str, id: int, in_pass: bool) -> None:
        procedure = self.module.game.procedures[id]
        names = [f"a{variable.id}" for variable in procedure.parameters]
        heads = ["S", "M", "N", "D"] if in_pass else ["S", "M"]
        f = PrintedFunction(self.module, name, [*heads, *names], procedure.name)
        f.in_pass = in_pass
        for variable, text in zip(procedure.parameters, names, strict=True):
            f.env[variable.id] = self.module.parameter(variable, text)
        rule = procedure.rule
        if self.module.traced and rule is not None:
            arguments = [f.env[variable.id] for variable in procedure.parameters]
            f.line(f"M.trace.enter({rule}, ({tuple_text(arguments)}))")
            f.leave = lambda function: _leave(function, rule)
        if procedure.body:
            with f.at(self.module.steps.site(procedure.body[0])):
                f.pay(self.module.steps.procedure(id))
        body(f, procedure.body)
        if self.module.traced and rule is not None:
            f.line(f"M.trace.leave({rule})")
        f.close()

    def a_pass(self, f: PrintedFunction, simultaneous: Simultaneous) -> tuple[str, list[str]]:
        """Prints the function of one pass; returns its name and its arguments besides the variable of the pass."""
        self._passes += 1
        name = f"g{self._passes}"
        own = simultaneous.variable.id
        free = sorted(read_in(simultaneous.condition, simultaneous.body) - bound_in(simultaneous.body) - {own})
        known = {id: f.local(id) for id in free}
        passed = sorted({part.text for part in known.values() if part.text.isidentifier() and part.text != "NONE"})
        inner = PrintedFunction(self.module, name, ["S", "M", "N", "D", f"a{own}", *passed], "one of those at once")
        inner.in_pass = True
        # Arguments keep their names in the function, so new names must differ from them.
        inner.skip(f)
        inner.env.update(known)
        inner.env[own] = attrs.evolve(f.local(own), text=f"a{own}")
        inner.site = f.site
        if simultaneous.condition is not None:
            inner.line(f"if not ({inner.condition(simultaneous.condition)}): return")
        body(inner, simultaneous.body)
        inner.close()
        return name, passed


def _leave(f: PrintedFunction, rule: int) -> None:
    f.line(f"M.trace.leave({rule})")
    f.line("return")


def body(f: PrintedFunction, statements: Iterable[Statement]) -> None:
    """Prints statements, up to one after which none can run."""
    for statement in statements:
        with f.at(f.module.steps.site(statement), statement.site):
            _statement(f, statement)
        f.forget()
        if isinstance(statement, (Stop, Return, Finish, Fail)):
            return


def _statement(f: PrintedFunction, statement: Statement) -> None:
    if isinstance(statement, Bind | Assign | Call | Defer):
        prepare(f, *_parts(statement))
    match statement:
        case Bind():
            _bind(f, statement)
        case Assign():
            _assign(f, statement)
        case Move() | Shuffle() | Reveal() | Show() | Eliminate() | Finish() | Ask() if f.in_pass:
            f.line("raise not_at_once()")
        case Move():
            _move(f, statement)
        case Shuffle() | Reveal() | Show() | Eliminate():
            _change(f, statement)
        case When():
            _when(f, statement)
        case Loop():
            _loop(f, statement)
        case Repeat():
            _repeat(f, statement)
        case Simultaneous():
            simultaneous(f, statement)
            make_deferred(f, statement)
        case Call() | Defer():
            _call(f, statement)
        case Stop(loop=loop):
            _stop(f, loop)
        case Return():
            f.leave(f)
        case BeginBody() | EndBody() | Witness():
            _tell(f, statement)
        case Finish():
            _finish(f, statement)
        case Stand(moment=moment):
            f.line(f"stand(S, {moment!r})")
        case Fail(message=message):
            f.line(f"raise runaway({message!r})")
        case Ask() | Settle() | Proceed():
            raise ValueError("cut or woven away before")
        case _:
            assert_never(statement)


def _parts(statement: Bind | Assign | Call | Defer) -> tuple[Expr | None, ...]:
    """Returns the expressions of a statement that are evaluated before it changes anything."""
    match statement:
        case Bind():
            return statement.value, statement.least, statement.most
        case Assign():
            return *statement.place.index, statement.value, statement.least, statement.most
        case Call() | Defer():
            return statement.arguments
        case _:
            assert_never(statement)


# ------------------------------------------------------------------ locals and variables


def _bind(f: PrintedFunction, bind: Bind) -> None:
    value = _clamped(f, f.expression(bind.value), bind.least, bind.most)
    type = bind.variable.type
    if isinstance(type, IntType | KindType) and not fits(value, type):
        value = f.named(value.integer)
        f.line(f"if {outside(value, type)}: raise out_of_local({bind.variable.id}, {value.text})")
        value = within(value, type)
    f.module.note((bind.variable,), [value])
    f.bind(bind.variable.id, value)


def within(fragment: Fragment, type: Type) -> Fragment:
    """Returns a fragment with the bounds of a type that it has been checked against."""
    low, high = bounds(type)
    if fragment.is_set:
        return attrs.evolve(fragment, high=high)
    low = low if fragment.low is None or (low is not None and fragment.low < low) else fragment.low
    high = high if fragment.high is None or (high is not None and fragment.high > high) else fragment.high
    return attrs.evolve(fragment, low=low, high=high, none=fragment.none and type.optional)


def _clamped(f: PrintedFunction, value: Fragment, least: Expr | None, most: Expr | None) -> Fragment:
    if least is not None:
        value = least_of(f, "max", numeric(f, value), numeric(f, f.expression(least)))
    if most is not None:
        value = least_of(f, "min", numeric(f, value), numeric(f, f.expression(most)))
    return value


def _assign(f: PrintedFunction, assign: Assign) -> None:
    state = f.module.game.states[assign.place.state]
    index = f.integers(assign.place.index)
    base = f.module.layout.states[state.id]
    place = position(f, base, state.dimensions, index)
    error = f"raise no_place({state.id}, ({tuple_text(index)}))"
    if place is None:
        f.line(error)
        return
    if place[1]:
        f.line(f"if not ({' and '.join(place[1])}): {error}")
        f.learn(index, state.dimensions)
    value = f.expression(assign.value)
    if assign.operator == "+":
        value = numeric(f, value)
    if f.in_pass and assign.operator == "+":
        least, most = ("None" if e is None else numeric(f, f.expression(e)).text for e in (assign.least, assign.most))
        f.line(f"add_in_pass(S, N, {place[0]}, Note(True, {value.text}, {least}, {most}, {f.own}))")
        return
    slot = place[0] if place[0].isdigit() or place[0].isidentifier() else f.named(Fragment(place[0]), "k").text
    _write(f, assign, slot, value)


def _write(f: PrintedFunction, assign: Assign, slot: str, value: Fragment) -> None:
    """Prints the new value of a slot: clamps, the check, the write, the trace."""
    state = f.module.game.states[assign.place.state]
    new, added = value, None
    if assign.operator == "+":
        low, high = bounds(state.type)
        old = Fragment(f"S[{slot}]", low, high, none=state.type.optional, atom=True)
        new, added = sum_of(numeric(f, old), value), value
    if (assign.least, assign.most) != (None, None):
        new, added = _clamped(f, new, assign.least, assign.most), None
    if not fits(new, state.type):
        new, added = f.named(new.integer), None
        f.line(f"if {outside(new, state.type)}: raise out_of_range({slot}, {new.text})")
    if f.in_pass:
        f.line(f"write_in_pass(S, N, {slot}, {new.integer.text}, {f.own})")
    elif f.module.traced:
        base = f.module.layout.states[state.id]
        index = f"{slot} - {base}" if not slot.isdigit() else str(int(slot) - base)
        told(f, state.id, slot, index, new, holds=base in f.module.layout.pointers)
    elif added is not None:
        f.line(f"S[{slot}] += {added.integer.text}")
    else:
        f.line(f"S[{slot}] = {new.integer.text}")


def told(f: PrintedFunction, state: int, slot: str, index: str, new: Fragment, holds: bool = False) -> None:
    """Prints a write that is reported to the trace if it changes something, or if an unreported one would tell a
    secret."""
    new = f.named(new.integer)
    old = f.named(Fragment(f"S[{slot}]"))
    again = f" or is_told_again(S, {slot}, {new.text})" if holds else ""
    with f.indented(f"if {new.text} != {old.text}{again}:"):
        f.line(f"S[{slot}] = {new.text}")
        f.line(f"M.trace.set({state}, {index}, {old.text}, {new.text}, {f.own})")


# ------------------------------------------------------------------ things


def _move(f: PrintedFunction, move: Move) -> None:
    pile = move.what.pile if move.count is not None and move.what.mask is None else None
    stock = [] if pile is None else f.integers(pile.index)
    things = "" if pile is not None else f.named(walks.listed(f, move.what)).text
    rate = f.module.steps.moving(move)
    count = None if move.count is None else f.expression(move.count).integer
    zone = f.module.game.zones[move.to.zone]
    index = f.integers(move.to.index)
    place = position(f, 0, zone.dimensions, index)
    _demand_zone(f, zone.id, index, place)
    if place is None:
        return
    to = f"{zone.id}, {place[0]}, {move.end or ''!r}, {f.own}"
    if pile is None:
        if count is not None:
            things = f"{things}[:max({count.text}, 0)]"
            things = f.named(Fragment(things)).text if rate else things
        f.pay_for(f"len({things})", rate)
        f.line(f"move(S, M, {things}, {to})")
    else:
        assert count is not None
        source = position(f, 0, f.module.game.zones[pile.zone].dimensions, stock)
        _demand_zone(f, pile.zone, stock, source, f"{count.operand} > 0 and ")
        if source is not None:
            f.line(f"draw(S, M, {rate}, {pile.zone}, {source[0]}, {count.text}, {to})")


def _demand_zone(
    f: PrintedFunction, zone: int, index: list[Fragment], place: tuple[str, list[str]] | None, only_if: str = ""
) -> None:
    """Prints the check that a zone exists."""
    error = f"raise no_zone({zone}, ({tuple_text(index)}))"
    if place is None:
        f.line(f"if {only_if}True: {error}" if only_if else error)
    elif place[1]:
        f.line(f"if {only_if}not ({' and '.join(place[1])}): {error}")


def _change(f: PrintedFunction, statement: Shuffle | Reveal | Show | Eliminate) -> None:
    match statement:
        case Shuffle():
            index = f.integers(statement.index)
            place = position(f, 0, f.module.game.zones[statement.zone].dimensions, index)
            _demand_zone(f, statement.zone, index, place)
            if place is not None:
                if f.is_open(statement):
                    slot = f.module.layout.zones[statement.zone]
                    f.pay_for(f"pile_size(S[{slot} + {place[0]}])", CHANCE)
                f.line(f"shuffle(S, M, {statement.zone}, {place[0]}, {f.own})")
        case Reveal():
            things = walks.paid(f, f.expression(statement.things), int(f.is_open(statement)))
            f.line(f"reveal(S, M, {statement.kind}, {things.text}, {f.own})")
        case Show():
            things = as_set(f, f.expression(statement.things))
            seats = f.expression(statement.seats).integer
            things = walks.paid(f, things, int(f.is_open(statement)))
            if f.module.traced:
                f.line(f"show(M, {statement.kind}, {things.text}, {seats.text}, {f.own})")
            elif "(" in things.text + seats.text:
                # Without a trace nothing is reported, but a key out of its range is a fault all the same.
                f.line(f"{things.text}, {seats.text}")
        case Eliminate():
            _eliminate(f, statement)
        case _:
            assert_never(statement)


def _eliminate(f: PrintedFunction, statement: Eliminate) -> None:
    who = f.expression(statement.who).integer
    state = f.module.game.players_left
    slot = f.module.layout.states[state]
    seats = KindType("Player", len(f.module.game.seats))
    out = f"(1 << {who.operand})" if fits(who, seats) else f"single({who.text})"
    new = Fragment(f"S[{slot}] & ~{out}")
    if f.module.traced:
        told(f, state, str(slot), "0", new)
    else:
        f.line(f"S[{slot}] = {new.text}")


# ------------------------------------------------------------------ control


def _when(f: PrintedFunction, when: When) -> None:
    def inner(statements: tuple[Statement, ...]) -> Callable[[], None]:
        return lambda: body(f, statements)

    branches = [(test, inner(statements)) for test, statements, _ in when.branches]
    branching(f, branches, inner(when.otherwise) if when.otherwise else None)


def _loop(f: PrintedFunction, loop: Loop) -> None:
    before = len(f.lines)
    frame = PrintedLoop(loop.id)
    f.frames.append(frame)
    depth = f.depth
    if loop.keys:
        order = settled_order(f, loop)
        x = f.fresh("x")
        with f.indented(f"for {x} in {order.text}:"):
            f.env[loop.variable.id] = attrs.evolve(order, text=x)
            _turn(f, loop)
    else:
        with walks.going_over(f, loop.source, loop.variable, settled=True, rate=f.module.steps.round(loop)):
            _turn(f, loop)
    f.depth = depth
    f.frames.pop()
    _after_loop(f, frame, before)


def _turn(f: PrintedFunction, loop: Loop) -> None:
    f.forget()
    depth, size = f.depth, len(f.lines)
    if loop.condition is not None:
        f.line(f"if {f.condition(loop.condition)}:")
        f.depth += 1
        size = len(f.lines)
    body(f, loop.body)
    if len(f.lines) == size:
        f.line("pass")
    f.depth = depth


def settled_order(f: PrintedFunction, loop: Loop) -> Fragment:
    """Prints the list of the things of a `for`, in its order; returns the list's name with the bounds of its
    members."""
    rate = f.module.steps.round(loop)
    if not loop.keys:
        return f.named(walks.listed(f, loop.source, rate))
    ranked = f.fresh()
    f.line(f"{ranked} = []")
    with walks.going_over(f, loop.source, loop.variable, rate=rate):
        x = f.local(loop.variable.id)
        f.line(f"{ranked}.append(({sets.rank(f, loop.keys)}, {x.text}))")
    f.line(f"{ranked}.sort(key=first_part)")
    return f.named(attrs.evolve(x, text=f"[x for _, x in {ranked}]", atom=True, simple=False))


def _repeat(f: PrintedFunction, repeat: Repeat) -> None:
    before = len(f.lines)
    frame = PrintedLoop(repeat.id)
    f.frames.append(frame)
    times = None if repeat.times is None else f.named(f.expression(repeat.times).integer)
    count = "_" if repeat.limit is None else f.fresh("n")
    if times is not None:
        head = f"for {count} in range({times.text}):"
    else:
        head = f"for {count} in count():"
    with f.indented(head):
        f.forget()
        f.pay(f.module.steps.round(repeat))
        if repeat.condition is not None:
            f.line(f"if not ({f.condition(repeat.condition)}): break")
        if repeat.limit is not None:
            f.line(f"if {count} >= {repeat.limit}: raise no_end({repeat.limit})")
        body(f, repeat.body)
    f.frames.pop()
    _after_loop(f, frame, before)


def _after_loop(f: PrintedFunction, frame: PrintedLoop, before: int) -> None:
    """Prints the `break` of an outer loop behind an inner one that was left in order to leave the outer."""
    if frame.flag:
        f.lines.insert(before, PrintedLine(f.depth, f"{frame.flag} = False", f.site))
    for outer in f.frames:
        if outer.flag and any(line.text == f"{outer.flag} = True" for line in f.lines[before:]):
            f.line(f"if {outer.flag}: break")


def _stop(f: PrintedFunction, loop: int) -> None:
    frame = next((frame for frame in f.frames if frame.loop == loop), None)
    if frame is None:
        f.jump(f, loop)
        return
    if frame is not f.frames[-1]:
        frame.flag = frame.flag or f.fresh("stop")
        f.line(f"{frame.flag} = True")
    f.line("break")


def _call(f: PrintedFunction, call: Call | Defer) -> None:
    procedure = f.module.game.procedures[call.procedure]
    arguments = fitted(f"verb_argument({procedure.id}", procedure.parameters, f.integers(call.arguments))
    f.module.note(procedure.parameters, arguments)
    listed = "".join(f", {argument.text}" for argument in arguments)
    if isinstance(call, Defer) and f.in_pass:
        f.line(f"D.append(({procedure.id}{listed}))" if listed else f"D.append(({procedure.id},))")
    elif f.in_pass:
        f.line(f"{f.module.procedures.name(procedure.id, in_pass=True)}(S, M, N, D{listed})")
    else:
        f.line(f"{f.module.procedures.name(procedure.id)}(S, M{listed})")


def _tell(f: PrintedFunction, statement: BeginBody | EndBody | Witness) -> None:
    """Prints a statement that only the trace needs."""
    if not f.module.traced:
        return
    match statement:
        case BeginBody(rule=rule, arguments=arguments, around=around):
            f.line(f"M.trace.enter({rule}, ({tuple_text(f.integers((*arguments, *around)))}))")
        case EndBody(rule=rule):
            f.line(f"M.trace.leave({rule})")
        case Witness(id=id, reads=reads):
            f.line(f"M.trace.witness({id}, ({tuple_text([f.local(local).integer for local in reads])}))")


# ------------------------------------------------------------------ at once


def simultaneous(f: PrintedFunction, block: Simultaneous) -> None:
    """Prints the passes of a `simultaneously` and their merging; deferred calls are left in D."""
    if not f.in_pass:
        f.line("D = []")
    passes = f.fresh("passes")
    f.line(f"{passes} = []")
    with walks.going_over(f, block.source, block.variable, rate=f.module.steps.round(block)):
        x = f.local(block.variable.id)
        name, passed = f.module.procedures.a_pass(f, block)
        row, notes = f.fresh("row"), f.fresh("notes")
        f.line(f"{row}, {notes} = S[:], {{}}")
        call = f"{name}({', '.join([row, 'M', notes, 'D', x.text, *passed])})"
        counters = f"{f.module.layout.counters}:{f.module.layout.size}"
        afterwards = [f"S[{counters}] = {row}[{counters}]"] if f.module.layout.streams else []
        if f.module.traced:
            # The trace must see the position as the pass sees it.
            f.line(f"M.row = {row}")
            afterwards.append("M.row = S")
        f.line(f"try: {call}" if afterwards else call)
        if afterwards:
            f.line(f"finally: {'; '.join(afterwards)}")
        f.line(f"{passes}.append({notes})")
    f.line(f"pass_on(S, N, {passes})" if f.in_pass else f"take_over(S, M, {passes})")


def make_deferred(f: PrintedFunction, block: Simultaneous) -> None:
    """Prints the deferred calls of a block, none of which can stop."""
    if f.in_pass:
        return
    calls = [id for id in deferrable(f.module.game, block) if id not in f.module.control.blocks.entries]
    for id in calls:
        f.module.procedures.deferred[id] = f.module.procedures.name(id)
    if calls:
        call, outermost = f.fresh("call"), f.fresh("outermost")
        f.line(f"{outermost} = begin_moves(M)")
        with f.indented(f"for {call} in D:"):
            f.line(f"DEFERRED[{call}[0]](S, M, *{call}[1:])")
        f.line(f"if {outermost}: end_moves(S, M)")


# ------------------------------------------------------------------ the end


def _finish(f: PrintedFunction, finish: Finish) -> None:
    if finish.how == "ranking":
        assert isinstance(finish.value, Over)
        result = _ranking(f, finish.value)
    else:
        result = "0" if finish.value is None else f.expression(finish.value).integer.text
    if f.module.moves_at_once:
        f.line("end_moves(S, M)")
    f.line(f"S[{OUTCOME_VALUE}] = {result}")
    f.line(f"S[{OUTCOME_RULE}] = {finish.rule}")
    f.line(f"S[{OUTCOME}] = {CODES[finish.how]}")
    if f.module.traced:
        f.line(f"M.trace.finish({finish.how!r}, {finish.rule})")
    f.line("raise GameOver")


def _ranking(f: PrintedFunction, over: Over) -> str:
    ranked = f.fresh()
    f.line(f"{ranked} = []")
    with sets.passing(f, over):
        x = f.local(over.names[0].id)
        keys = sets.rank(f, over.keys) if over.keys else "0"
        f.line(f"{ranked}.append(({keys}, {x.text}))")
    return f"ranking({ranked})"
