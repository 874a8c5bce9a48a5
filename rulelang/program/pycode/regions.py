"""Regions -> functions that run from one stop to the next.

Each takes the row and the machine, and returns the next block, or -1 when the game waits or is over.

    repeat:                          # def b1(S, M):
      p chooses one of take(n)       #     if (option := h0(S, M, seat)) ...
                                     #     S[9] = 1
                                     #     return -1

The region of an answer also takes the seat and the answer.
"""

from __future__ import annotations

from typing import assert_never

import attrs

from rulelang.ir.model import Finish, Loop, Repeat
from rulelang.ir.types import first_of
from rulelang.program import blocks as bl
from rulelang.program.blocks import Block, QuestionBlocks, always_open
from rulelang.program.control import deferrable
from rulelang.program.deferred import INNER, OUTERMOST
from rulelang.program.packing import ITEM, ITEM_MASK
from rulelang.program.pycode import statements
from rulelang.program.pycode.expressions import walks
from rulelang.program.pycode.expressions.operators import least_of
from rulelang.program.pycode.expressions.places import fitted
from rulelang.program.pycode.fragment import Fragment, tuple_text
from rulelang.program.pycode.function import ModulePrinter, PrintedFunction

FEW = 4
"""The most slots that are set one by one."""


class RegionPrinter:
    """Prints the regions of a game."""

    def __init__(self, module: ModulePrinter) -> None:
        self.module = module
        self.control = module.control
        self.slots = module.control.slots
        self.roots = frozenset(module.control.roots)
        self.answered = {
            block: question
            for question in self.control.blocks.questions
            if question.turn < 0
            for block in question.branches
        }

    def print_all(self) -> None:
        """Prints every region, and the functions that keep sealed answers."""
        for root in self.control.roots:
            answered = root in self.answered
            name = self.module.game.procedures[self.control.blocks.blocks[root].procedure].name
            f = self._function(f"b{root}", ["S", "M", "seat", "A"] if answered else ["S", "M"], f"in {name}")
            self._block(f, root)
            f.close()
        for question in self.control.blocks.questions:
            if question.turn >= 0:
                self._print_keeping(question)

    def _function(self, name: str, parameters: list[str], about: str) -> PrintedFunction:
        f = PrintedFunction(self.module, name, parameters, about)
        f.is_chunk = True
        return f

    def _set(self, f: PrintedFunction, first: int, last: int, value: int = 0) -> None:
        """Prints statements that set a range of slots, by default to 0."""
        if last - first > FEW:
            zeros = f.module.constant(f"Z{last - first}", "empty slots", (0,) * (last - first))
            f.line(f"S[{first}:{last}] = {zeros}")
        elif last > first:
            f.line(" = ".join([*(f"S[{slot}]" for slot in range(first, last)), str(value)]))

    # -------------------------------------------------------------- blocks

    def _go(self, f: PrintedFunction, id: int) -> None:
        """Prints a jump to a block: the block itself, if nothing else leads to it."""
        if id in self.roots:
            f.line(f"return {id}")
        else:
            self._block(f, id)

    def _block(self, f: PrintedFunction, id: int) -> None:
        block = self.control.blocks.blocks[id]
        f.leave = lambda function: self._leave(function, block.procedure)
        f.jump = lambda function, loop: self._jump(function, block, loop)
        for step, site in block.steps:
            with f.at(site):
                self._step(f, step)
        f.site = block.site
        if not block.steps or not isinstance(block.steps[-1][0], Finish):
            self._end(f, block)

    def _step(self, f: PrintedFunction, step: bl.BlockStep) -> None:
        match step:
            case bl.Begin(procedure=id):
                self._begin(f, id)
            case bl.StartLoop(loop=loop):
                self._start_loop(f, loop)
            case bl.StartRepeat(loop=repeat):
                self._start_repeat(f, repeat)
            case bl.ForgetLoops(loops=loops):
                self._forget(f, loops)
            case bl.BindAnswer():
                self._bind_answer(f, self.control.blocks.questions[step.question], step.branch)
            case _:  # any other step is a statement
                statements.body(f, (step,))

    def _end(self, f: PrintedFunction, block: Block) -> None:
        f.forget()
        match block.end:
            case bl.Goto(to=to):
                self._go(f, to)
            case bl.Split():
                self._split(f, block.end)
            case bl.NextTurn():
                self._next_turn(f, block.end)
            case bl.NextRound():
                self._next_round(f, block.end)
            case bl.Enter():
                self._enter(f, block.end)
            case bl.Leave(procedure=procedure):
                self._leave(f, procedure)
            case bl.Asking(question=id):
                self._ask(f, self.control.blocks.questions[id])
            case bl.NextAnswer():
                self._next_answer(f, block.end)
            case bl.RunSimultaneous():
                statements.simultaneous(f, block.end.block)
                f.line(f"S[{self.slots.deferred[block.end.calls]}] = pack_calls(D, M.entered is None)")
                self._go(f, block.end.calls)
            case bl.NextDeferred():
                self._next_deferred(f, block.id, block.end)
            case _:
                assert_never(block.end)

    def _split(self, f: PrintedFunction, split: bl.Split) -> None:
        depth = f.depth
        for test, target in split.branches:
            text = f.condition(test)
            if text == "True":
                self._go(f, target)
                return
            if text != "False":
                f.line(f"if {text}:")
                f.depth += 1
                self._apart(f, target)
                f.depth = depth
                f.forget()
        self._go(f, split.otherwise)

    # -------------------------------------------------------------- loops

    def _forget(self, f: PrintedFunction, loops: tuple[int, ...]) -> None:
        for loop in loops:
            for slot in (self.slots.orders.get(loop), self.slots.times.get(loop), self.slots.rounds.get(loop)):
                if slot is not None:
                    f.line(f"S[{slot}] = 0")

    def _jump(self, f: PrintedFunction, block: Block, loop: int) -> None:
        self._forget(f, block.loops[block.loops.index(loop) :])
        f.line(f"return {self.control.blocks.exits[loop]}")

    def _start_loop(self, f: PrintedFunction, loop: Loop) -> None:
        slot = self.slots.orders[loop.id]
        order = statements.settled_order(f, loop)
        self.module.note((loop.variable,), [order])
        first = first_of(loop.variable.type)
        indices = f"[x - {first} for x in {order.text}]" if first else order.text
        f.line(f"S[{slot}] = pack({indices})")

    def _next_turn(self, f: PrintedFunction, end: bl.NextTurn) -> None:
        loop, slot = end.loop, self.slots.orders[end.loop.id]
        order, x = f.fresh("order"), f.fresh("x")
        depth = f.depth
        if loop.condition is not None:
            f.line("while True:")
            f.depth += 1
            f.forget()
        f.line(f"{order} = S[{slot}]")
        if loop.condition is not None:
            f.line(f"if not {order}: break")
        else:
            with f.indented(f"if not {order}:"):
                self._apart(f, end.exit)
        f.line(f"S[{slot}] = {order} >> {ITEM}")
        shift = first_of(loop.variable.type) - 1
        f.line(f"{x} = ({order} & {ITEM_MASK}) {'-' if shift < 0 else '+'} {abs(shift)}")
        f.bind(loop.variable.id, attrs.evolve(self.module.parameter(loop.variable, x), simple=True))
        if loop.condition is None:
            self._go(f, end.body)
            return
        f.line(f"if {f.condition(loop.condition)}:")
        f.depth += 1
        self._apart(f, end.body)
        f.depth = depth
        self._go(f, end.exit)

    def _apart(self, f: PrintedFunction, id: int) -> None:
        """Prints a jump to one of several next blocks; locals that it binds are unknown afterwards."""
        env, site, leave, jump = dict(f.env), f.site, f.leave, f.jump
        self._go(f, id)
        f.env, f.site, f.leave, f.jump = env, site, leave, jump

    def _start_repeat(self, f: PrintedFunction, repeat: Repeat) -> None:
        if repeat.times is not None:
            times = least_of(f, "max", f.expression(repeat.times).integer, Fragment("0", 0, 0, simple=True, value=0))
            f.line(f"S[{self.slots.times[repeat.id]}] = {times.text}")
        if repeat.id in self.slots.rounds:
            f.line(f"S[{self.slots.rounds[repeat.id]}] = 0")

    def _next_round(self, f: PrintedFunction, end: bl.NextRound) -> None:
        repeat = end.loop
        rounds, times = self.slots.rounds.get(repeat.id), self.slots.times.get(repeat.id)
        if times is not None:
            with f.indented(f"if not S[{times}]:"):
                self._end_repeat(f, end)
        f.pay(self.module.steps.round(repeat))
        if repeat.condition is not None:
            text = f.condition(repeat.condition)
            if text != "True":
                with f.indented(f"if not ({text}):"):
                    self._end_repeat(f, end)
        if rounds is not None:
            f.line(f"if S[{rounds}] == {repeat.limit}: raise no_end({repeat.limit})")
            f.line(f"S[{rounds}] += 1")
        if times is not None:
            f.line(f"S[{times}] -= 1")
        self._go(f, end.body)

    def _end_repeat(self, f: PrintedFunction, end: bl.NextRound) -> None:
        self._forget(f, (end.loop.id,))
        self._apart(f, end.exit)

    # -------------------------------------------------------------- procedures

    def _begin(self, f: PrintedFunction, id: int) -> None:
        procedure = self.module.game.procedures[id]
        if self.module.traced:
            arguments = tuple_text([f.local(variable.id) for variable in procedure.parameters])
            if procedure.phase:
                f.line(f"M.trace.enter_phase({id}, ({arguments}), M)")
            if procedure.rule is not None:
                f.line(f"M.trace.enter({procedure.rule}, ({arguments}))")
        f.pay(self.module.steps.procedure(id))

    def _enter(self, f: PrintedFunction, end: bl.Enter) -> None:
        parameters = self.module.game.procedures[end.procedure].parameters
        checked = fitted(f"verb_argument({end.procedure}", parameters, f.integers(end.arguments))
        arguments = [f.named(fragment) for fragment in checked]
        self._call(f, end.procedure, arguments, end.then)

    def _call(self, f: PrintedFunction, id: int, arguments: list[Fragment], then: int) -> None:
        procedure = self.module.game.procedures[id]
        self.module.note(procedure.parameters, arguments)
        for variable, fragment in zip(procedure.parameters, arguments, strict=True):
            f.bind(variable.id, fragment)
        if id in self.slots.addresses:
            f.line(f"S[{self.slots.addresses[id]}] = {then}")
        self._go(f, self.control.blocks.entries[id])

    def _leave(self, f: PrintedFunction, id: int) -> None:
        rule = self.module.game.procedures[id].rule
        if self.module.traced and rule is not None:
            f.line(f"M.trace.leave({rule})")
        address = self.slots.addresses.get(id)
        back = "-1" if address is None else f.fresh("back")
        if address is not None:
            f.line(f"{back} = S[{address}]")
        self._set(f, *self.slots.areas[id])
        then = self.control.returns.get(id, -1)
        if then >= 0:
            self._go(f, then)
            return
        if address is None:
            f.line(f"S[{self.slots.seat}] = 0")
        f.line(f"return {back}")

    # -------------------------------------------------------------- choices

    def _ask(self, f: PrintedFunction, question: QuestionBlocks) -> None:
        choice = self.module.game.choices[question.choice]
        if question.turn >= 0:
            self._ask_all(f, question)
            return
        assert choice.who is not None
        seat = f.named(f.expression(choice.who).integer)
        for variable in (choice.variable, choice.actor):
            if variable is not None:
                self.module.note((variable,), [seat])
        if always_open(choice) and not choice.forced:
            if seat.none:
                with f.indented(f"if {seat.text} == NONE:"):
                    self._without_option(f, question, seat)
        else:
            nobody = f"None if {seat.text} == NONE else " if seat.none else ""
            option = f.named(Fragment(f"{nobody}h{question.id}(S, M, {seat.text})"))
            with f.indented(f"if {option.text} is None:"):
                self._without_option(f, question, seat)
            if choice.forced:
                self._force(f, question, seat, option)
        f.line(f"S[{self.slots.question}] = {question.id + 1}")
        f.line(f"S[{self.slots.seat}] = {seat.text}")
        self._wait(f)

    def _wait(self, f: PrintedFunction) -> None:
        counts = self.slots.rounds.values()
        if counts:
            self._set(f, min(counts), max(counts) + 1)
        if self.slots.deferred:
            f.line("end_moves(S, M)")
        f.line("return -1")

    def _without_option(self, f: PrintedFunction, question: QuestionBlocks, seat: Fragment) -> None:
        if self.module.game.choices[question.choice].empty == "error":
            f.line(f"raise no_option({question.choice}, {seat.text})")
            return
        env = dict(f.env)
        f.env[-1] = seat
        self._apart(f, question.none)
        f.env = env

    def _force(self, f: PrintedFunction, question: QuestionBlocks, seat: Fragment, option: Fragment) -> None:
        with f.indented(f"if {option.text}:"):
            if self.module.traced:
                f.line(f"M.trace.forced({question.choice}, {seat.text}, {option.text})")
            if len(question.branches) == 1:
                f.line(f"return b{question.branches[0]}(S, M, {seat.text}, {option.text})")
            else:
                f.line(f"return ANSWERS[{question.id}][{option.text}[0]](S, M, {seat.text}, {option.text})")

    def _bind_answer(self, f: PrintedFunction, question: QuestionBlocks, branch: int | None) -> None:
        choice = self.module.game.choices[question.choice]
        for variable in (choice.variable, choice.actor):
            if variable is not None:
                seat = f.env[-1].text if -1 in f.env else "seat"
                f.bind(variable.id, attrs.evolve(self.module.parameter(variable, seat), simple=seat.isidentifier()))
        if branch is not None:
            for i, parameter in enumerate(choice.branches[branch].parameters):
                f.bind(parameter.variable.id, self.module.parameter(parameter.variable, f"A[{i + 1}]"))
        f.pay(self.module.steps.branch(choice.when_none if branch is None else choice.branches[branch].body))

    # -------------------------------------------------------------- sealed choices

    def _ask_all(self, f: PrintedFunction, question: QuestionBlocks) -> None:
        """Prints a question to all seats at once: those that have an option owe an answer, and all in the set get
        their turn."""
        choice = self.module.game.choices[question.choice]
        assert choice.source is not None
        assert choice.variable is not None
        settled, owing = f.fresh("settled"), f.fresh("owing")
        f.line(f"{settled} = 0")
        f.line(f"{owing} = 0")
        with walks.going_over(f, choice.source, choice.variable):
            x = f.local(choice.variable.id)
            depth = f.depth
            if choice.condition is not None:
                f.line(f"if {f.condition(choice.condition)}:")
                f.depth += 1
            for variable in (choice.variable, choice.actor):
                if variable is not None:
                    self.module.note((variable,), [x])
            f.line(f"{settled} |= 1 << {x.text}")
            if always_open(choice):
                f.line(f"{owing} |= 1 << {x.text}")
            else:
                f.line(f"if h{question.id}(S, M, {x.text}) is not None: {owing} |= 1 << {x.text}")
                if choice.empty == "error":
                    f.line(f"else: raise no_option({choice.id}, {x.text})")
            f.depth = depth
        first = self.slots.answers[question.id]
        f.line(f"S[{self.slots.todo[question.id]}] = {settled}")
        f.line(f"S[{self.slots.owing[question.id]}] = {owing}")
        self._set(f, first, first + self.slots.widths[question.id] * len(self.module.game.seats))
        with f.indented(f"if {owing}:"):
            f.line(f"S[{self.slots.question}] = {question.id + 1}")
            f.line(f"S[{self.slots.seat}] = 0")
            self._wait(f)
        f.line(f"return {question.turn}")

    def _print_keeping(self, question: QuestionBlocks) -> None:
        """Prints the function that keeps a sealed answer until all are in."""
        f = PrintedFunction(self.module, f"s{question.id}", ["S", "M", "seat", "A"], "an answer under seal")
        owing, width = self.slots.owing[question.id], self.slots.widths[question.id]
        f.line(f"k = {self.slots.answers[question.id]} + seat * {width}")
        f.line("S[k] = A[0] + 1")
        f.line("S[k + 1:k + len(A)] = A[1:]")
        f.line(f"S[{owing}] ^= 1 << seat")
        with f.indented(f"if S[{owing}]:"):
            f.line(f"S[{self.slots.question}] = {question.id + 1}")
            f.line("return -1")
        f.line(f"return {question.turn}")
        f.close()

    def _next_answer(self, f: PrintedFunction, end: bl.NextAnswer) -> None:
        question = self.control.blocks.questions[end.question]
        todo, width = self.slots.todo[question.id], self.slots.widths[question.id]
        f.line(f"todo = S[{todo}]")
        with f.indented("if not todo:"):
            self._apart(f, end.exit)
        f.line("bit = todo & -todo")
        f.line("seat = bit.bit_length() - 1")
        f.line(f"S[{todo}] = todo ^ bit")
        f.line(f"k = {self.slots.answers[question.id]} + seat * {width}")
        f.line(f"A = S[k:k + {width}]")
        f.line(f"S[k:k + {width}] = {self.module.constant(f'Z{width}', 'empty slots', (0,) * width)}")
        f.env[-1] = Fragment("seat", simple=True)
        choice = self.module.game.choices[question.choice]
        blocks = {i + 1: block for i, block in enumerate(question.branches) if not choice.branches[i].interrupt}
        if choice.empty == "none":
            blocks[0] = question.none
        for number, block in blocks.items():
            with f.indented(f"if A[0] == {number}:"):
                self._apart(f, block)

    # -------------------------------------------------------------- deferred calls

    def _next_deferred(self, f: PrintedFunction, id: int, end: bl.NextDeferred) -> None:
        slot = self.slots.deferred[id]
        with f.indented(f"if S[{slot}] <= {INNER}:"):
            f.line(f"if S[{slot}] == {OUTERMOST}: end_moves(S, M)")
            f.line(f"S[{slot}] = 0")
            self._apart(f, end.exit)
        f.line("begin_moves(M)")
        f.line(f"call, S[{slot}] = next_call(S[{slot}])")
        for procedure in deferrable(self.module.game, end.block):
            with f.indented(f"if call[0] == {procedure}:"):
                parameters = self.module.game.procedures[procedure].parameters
                known = [self.module.parameter(v, f"call[{i + 1}]") for i, v in enumerate(parameters)]
                if procedure in self.control.blocks.entries:
                    env = dict(f.env)
                    self._call(f, procedure, known, id)
                    f.env = env
                else:
                    listed = "".join(f", {part.text}" for part in known)
                    f.line(f"{self.module.procedures.name(procedure)}(S, M{listed})")
        f.line(f"return {id}")
