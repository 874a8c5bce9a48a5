"""Regions of cut procedures -> functions that run from one stop to the next; questions -> functions that list their options.

Each region returns the next block, or -1 when the game waits or `main` has ended.

    repeat:                          # b1(): Store(question, 1); Store(seat, r0); Return(-1)
      p chooses one of take(n)       # o0(r0): Walk(r1, …, (Offer((0, r1)),))
"""

from __future__ import annotations

from typing import assert_never

from rulelang.ir.model import Finish, Loop, Repeat
from rulelang.ir.types import NONE, SET_LIMIT, KindType, first_of
from rulelang.program import blocks as bl
from rulelang.program.blocks import Block, QuestionBlocks, always_open
from rulelang.program.control import deferrable
from rulelang.program.deferred import OUTERMOST
from rulelang.program.low import model as low
from rulelang.program.low import statements, words
from rulelang.program.low.asking.deferred import is_done, queue_up, taken_field
from rulelang.program.low.asking.questions import LONE, NOTHING, lower_question
from rulelang.program.low.asking.seals import keeping, taken_answer
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.rounds.walks import guarded, walk
from rulelang.program.low.row import LONGEST, turns_of
from rulelang.program.low.things.piles import drop, plus, put, raised, top
from rulelang.program.low.things.telling import tell
from rulelang.program.low.turns import settled
from rulelang.program.low.words import KnownWord, number


class RegionLowering:
    """Lowers the regions and questions of a game."""

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.control, self.slots = lowering.control, lowering.slots
        self.roots = frozenset(self.control.roots)
        self.answered = {block: q for q in self.control.blocks.questions for block in q.branches}

    def lower_all(self) -> None:
        """Lowers every question and every region."""
        asking = {b.end.question: b.site for b in self.control.blocks.blocks if isinstance(b.end, bl.Asking)}
        for question in self.control.blocks.questions:
            lower_question(self.lowering, question, asking.get(question.id, 0))
            if question.turn >= 0:
                keeping(self.lowering, question)
        for root in self.control.roots:
            self._chunk(root)

    def _chunk(self, root: int) -> None:
        block = self.control.blocks.blocks[root]
        f = Builder(self.lowering, f"b{root}", f"in {self.lowering.game.procedures[block.procedure].name}")
        f.is_chunk = True
        self._block(f, root)
        self.lowering.functions[f.name] = f.finished()

    # -------------------------------------------------------------- blocks

    def _go(self, f: Builder, id: int) -> None:
        """Emits a jump to a block: the block itself, if nothing else leads to it."""
        if id in self.roots:
            f.add(low.ReturnInst(low.ConstWord(id)))
        else:
            leave, jump = f.leave, f.jump
            self._block(f, id)
            # More of the block that goes there may follow.
            f.leave, f.jump = leave, jump

    def _apart(self, f: Builder, id: int) -> tuple[low.Inst, ...]:
        """Returns the statements that go to one of several next
        blocks; locals that they bind are unknown afterwards."""
        env, site = dict(f.env), f.site
        with f.aside() as orders:
            self._go(f, id)
        f.env, f.site = env, site
        return tuple(orders)

    def _block(self, f: Builder, id: int) -> None:
        block = self.control.blocks.blocks[id]
        f.leave = lambda: self._leave(f, block.procedure)
        f.jump = lambda loop: self._jump(f, block, loop)
        for step, site in block.steps:
            with f.at(site):
                self._step(f, step)
        f.site = block.site
        if not block.steps or not isinstance(block.steps[-1][0], Finish):
            self._end(f, block)

    def _step(self, f: Builder, step: bl.BlockStep) -> None:
        match step:
            case bl.Begin(procedure=id):
                self._tell_begin(f, id)
                f.pay(self.lowering.steps.procedure(id))
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

    def _tell_begin(self, f: Builder, id: int) -> None:
        procedure = self.lowering.game.procedures[id]
        arguments = [f.local(variable.id).word for variable in procedure.parameters] if f.tells else []
        if procedure.phase:
            tell(f, "enter_phase", id, *arguments)
        if procedure.rule is not None:
            tell(f, "enter", procedure.rule, *arguments)

    def _end(self, f: Builder, block: Block) -> None:
        match block.end:
            case bl.Goto(to=to):
                self._go(f, to)
            case bl.Split(branches=branches, otherwise=otherwise):
                for test, target, _ in branches:
                    condition = f.condition(test)
                    if condition == low.ConstWord(1):
                        self._go(f, target)
                        return
                    if condition != low.ConstWord(0):
                        f.add(low.IfInst(condition, self._apart(f, target)))
                self._go(f, otherwise)
            case bl.NextTurn():
                self._next_turn(f, block.end)
            case bl.NextRound():
                self._next_round(f, block.end)
            case bl.Enter(procedure=procedure, arguments=arguments, then=then):
                self._enter(f, procedure, [f.named(f.expression(argument)) for argument in arguments], then)
            case bl.Leave(procedure=procedure):
                self._leave(f, procedure)
            case bl.Asking(question=id):
                self._ask(f, self.control.blocks.questions[id])
            case bl.NextAnswer():
                self._next_answer(f, block.end)
            case bl.RunSimultaneous(block=block_at_once, calls=calls):
                statements.simultaneous(f, block_at_once)
                queue_up(f, block_at_once, self.slots.deferred[calls])
                self._go(f, calls)
            case bl.NextDeferred():
                self._next_deferred(f, block.id, block.end)
            case _:
                assert_never(block.end)

    # -------------------------------------------------------------- loops and procedures

    def _empty(self, f: Builder, first: int, last: int) -> None:
        for slot in range(first, last):
            f.store(slot, low.ConstWord(0))

    def _forget(self, f: Builder, loops: tuple[int, ...]) -> None:
        for loop in loops:
            for slot in (self.slots.orders.get(loop), self.slots.times.get(loop), self.slots.rounds.get(loop)):
                if slot is not None:
                    self._empty(f, slot, slot + 1)

    def _jump(self, f: Builder, block: Block, loop: int) -> None:
        self._forget(f, block.loops[block.loops.index(loop) :])
        f.add(low.ReturnInst(low.ConstWord(self.control.blocks.exits[loop])))

    def _start_loop(self, f: Builder, loop: Loop) -> None:
        """Emits code that fixes the order of a loop: indices of things, packed in the loop's slot like a pile."""
        slot = self.lowering.cell(self.slots.orders[loop.id])
        longest = LONGEST if self.lowering.bits is not None else SET_LIMIT
        array, count, size, _ = settled(f, loop, turns_of(loop, self.lowering.steps, longest))
        f.store(self.slots.orders[loop.id], low.ConstWord(0))
        at = f.kept(low.ConstWord(0))
        with f.looped() as body:
            f.add(low.IfInst(low.BinaryWord(">=", at, count), (low.BreakInst(),)))
            thing = low.ItemWord(array, plus(low.BinaryWord("*", at, low.ConstWord(size)), size - 1))
            put(f, slot.index, at, plus(thing, 1 - first_of(loop.variable.type)))
            raised(f, at)
        f.add(low.RepeatInst(tuple(body)))

    def _next_turn(self, f: Builder, end: bl.NextTurn) -> None:
        loop, cell = end.loop, self.lowering.cell(self.slots.orders[end.loop.id])
        x, first = f.fresh(), first_of(end.loop.variable.type)
        f.env[loop.variable.id] = words.typed(low.RegisterWord(x), loop.variable.type)
        with f.aside() as taken:
            f.add(low.SetInst(x, plus(top(cell.index), first - 1)))
            drop(f, cell.index, cell.words)
        with f.aside() as done:
            f.add(*self._apart(f, end.exit))
        if loop.condition is None:
            f.add(low.IfInst(low.BinaryWord("==", top(cell.index), low.ConstWord(0)), tuple(done)), *taken)
            f.bind(loop.variable.id, words.typed(low.RegisterWord(x), loop.variable.type))
            self._go(f, end.body)
            return
        with f.looped() as search:
            f.add(low.IfInst(low.BinaryWord("==", top(cell.index), low.ConstWord(0)), (low.BreakInst(),)), *taken)
            f.bind(loop.variable.id, words.typed(low.RegisterWord(x), loop.variable.type))
            condition = f.condition(loop.condition)
            f.add(low.IfInst(condition, self._apart(f, end.body)))
        f.add(low.RepeatInst(tuple(search)))
        self._go(f, end.exit)

    def _start_repeat(self, f: Builder, repeat: Repeat) -> None:
        if repeat.times is not None:
            times = words.calculated("max", f.expression(repeat.times), number(0))
            f.add(low.StoreInst(low.ConstWord(self.slots.times[repeat.id]), times.word))
        if repeat.id in self.slots.rounds:
            self._empty(f, self.slots.rounds[repeat.id], self.slots.rounds[repeat.id] + 1)

    def _next_round(self, f: Builder, end: bl.NextRound) -> None:
        repeat = end.loop
        rounds, times = self.slots.rounds.get(repeat.id), self.slots.times.get(repeat.id)
        if times is not None:
            f.add(
                low.IfInst(
                    low.BinaryWord("==", low.CellWord(low.ConstWord(times)), low.ConstWord(0)), self._ending(f, end)
                )
            )
        f.pay(self.lowering.steps.round(repeat))
        if repeat.condition is not None:
            condition = f.condition(repeat.condition)
            if condition != low.ConstWord(1):
                f.add(low.IfInst(words.negated(condition), self._ending(f, end)))
        if rounds is not None:
            assert repeat.limit is not None
            slot = low.ConstWord(rounds)
            f.trap_if(low.BinaryWord("==", low.CellWord(slot), low.ConstWord(repeat.limit)))
            f.add(low.StoreInst(slot, low.BinaryWord("+", low.CellWord(slot), low.ConstWord(1))))
        if times is not None:
            slot = low.ConstWord(times)
            f.add(low.StoreInst(slot, low.BinaryWord("-", low.CellWord(slot), low.ConstWord(1))))
        self._go(f, end.body)

    def _ending(self, f: Builder, end: bl.NextRound) -> tuple[low.Inst, ...]:
        with f.aside() as orders:
            self._forget(f, (end.loop.id,))
            f.add(*self._apart(f, end.exit))
        return tuple(orders)

    def _leave(self, f: Builder, id: int) -> None:
        rule = self.lowering.game.procedures[id].rule
        if rule is not None:
            tell(f, "leave", rule)
        address, then = self.slots.addresses.get(id), self.control.returns.get(id, -1)
        back: low.Word = low.ConstWord(-1) if address is None else f.kept(low.CellWord(low.ConstWord(address)))
        self._empty(f, *self.slots.areas[id])
        if then >= 0:
            self._go(f, then)
            return
        if address is None:
            self._empty(f, self.slots.seat, self.slots.seat + 1)
        f.add(low.ReturnInst(back))

    def _enter(self, f: Builder, procedure: int, known: list[KnownWord], then: int) -> None:
        for variable, part in zip(self.lowering.game.procedures[procedure].parameters, known, strict=True):
            f.bind(variable.id, part)
        if procedure in self.slots.addresses:
            f.add(low.StoreInst(low.ConstWord(self.slots.addresses[procedure]), low.ConstWord(then)))
        self._go(f, self.control.blocks.entries[procedure])

    def _next_deferred(self, f: Builder, id: int, end: bl.NextDeferred) -> None:
        slot, entered = self.slots.deferred[id], low.ConstWord(self.lowering.scratch.entered)
        with f.aside() as done:
            is_outermost = low.BinaryWord("==", self.lowering.cell(slot), low.ConstWord(OUTERMOST))
            with f.aside() as last:
                f.add(low.StoreInst(entered, low.ConstWord(0)))
                tell(f, "end_moves")
            f.add(low.IfInst(is_outermost, tuple(last)))
            f.store(slot, low.ConstWord(0))
            f.add(*self._apart(f, end.exit))
        f.add(low.IfInst(is_done(f, slot), tuple(done)), low.StoreInst(entered, low.ConstWord(1)))
        tell(f, "begin_moves")
        called = taken_field(f, slot)
        for procedure in sorted(deferrable(self.lowering.game, end.block)):
            env, site = dict(f.env), f.site
            with f.aside() as call:
                parameters = self.lowering.game.procedures[procedure].parameters
                known = [
                    f.named(self.lowering.parameter(variable, plus(taken_field(f, slot), NONE)))
                    for variable in parameters
                ]
                if procedure in self.control.blocks.entries:
                    self._enter(f, procedure, known, id)
                else:
                    called_name = self.lowering.procedure(procedure, tells=f.tells)
                    f.add(low.CallInst(None, called_name, tuple(part.word for part in known)))
                    f.add(low.ReturnInst(low.ConstWord(id)))
            f.env, f.site = env, site
            f.add(low.IfInst(low.BinaryWord("==", called, low.ConstWord(procedure + 1)), tuple(call)))
        f.add(low.TrapInst())

    # -------------------------------------------------------------- choices

    def _ask(self, f: Builder, question: QuestionBlocks) -> None:
        choice = self.lowering.game.choices[question.choice]
        if question.turn >= 0:
            self._ask_all(f, question)
            return
        assert choice.who is not None
        seat = f.named(f.expression(choice.who))
        seats = KindType("Player", len(self.lowering.game.seats), optional=True)
        seat = f.within(seat, seats)
        if seat.none:
            with f.aside() as nobody:
                self._without_option(f, question, seat)
            f.add(low.IfInst(low.BinaryWord("==", seat.word, low.ConstWord(NONE)), tuple(nobody)))
        if not always_open(choice) or choice.forced:
            found = f.fresh()
            f.add(low.CallInst(found, f"h{question.id}", (seat.word,)))
            with f.aside() as nothing:
                self._without_option(f, question, seat)
            f.add(low.IfInst(low.BinaryWord("==", low.RegisterWord(found), low.ConstWord(NOTHING)), tuple(nothing)))
            if choice.forced:
                f.add(
                    low.IfInst(
                        low.BinaryWord("==", low.RegisterWord(found), low.ConstWord(LONE)),
                        self._forced(f, question, seat),
                    )
                )
        f.add(low.StoreInst(low.ConstWord(self.slots.question), low.ConstWord(question.id + 1)))
        f.add(low.StoreInst(low.ConstWord(self.slots.seat), seat.word))
        self._wait(f)

    def _wait(self, f: Builder) -> None:
        counts = self.slots.rounds.values()
        if counts:
            self._empty(f, min(counts), max(counts) + 1)
        if self.slots.deferred:
            f.add(low.StoreInst(low.ConstWord(self.lowering.scratch.entered), low.ConstWord(0)))
            tell(f, "end_moves")
        f.add(low.ReturnInst(low.ConstWord(-1)))

    def _ask_all(self, f: Builder, question: QuestionBlocks) -> None:
        """Emits a question to all seats at once: those that have an
        option owe an answer, and all in the set get their turn."""
        choice, slots = self.lowering.game.choices[question.choice], self.slots
        assert choice.source is not None
        assert choice.variable is not None
        settled, owing = f.kept(low.ConstWord(0)), f.kept(low.ConstWord(0))
        with walk(f, choice.source, choice.variable):
            seat = f.env[choice.variable.id]
            condition = low.ConstWord(1) if choice.condition is None else f.condition(choice.condition)
            with guarded(f, condition):
                bit = words.single(seat).word
                owes = low.SetInst(owing.number, low.BinaryWord("|", owing, bit))
                f.add(low.SetInst(settled.number, low.BinaryWord("|", settled, bit)))
                if always_open(choice):
                    f.add(owes)
                else:
                    found = f.fresh()
                    f.add(low.CallInst(found, f"h{question.id}", (seat.word,)))
                    without = (low.TrapInst(),) if choice.empty == "error" else ()
                    f.add(
                        low.IfInst(
                            low.BinaryWord("!=", low.RegisterWord(found), low.ConstWord(NOTHING)), (owes,), without
                        )
                    )
        f.store(slots.todo[question.id], settled)
        f.store(slots.owing[question.id], owing)
        first = slots.answers[question.id]
        self._empty(f, first, first + slots.widths[question.id] * len(self.lowering.game.seats))
        with f.aside() as waits:
            f.add(low.StoreInst(low.ConstWord(slots.question), low.ConstWord(question.id + 1)))
            f.add(low.StoreInst(low.ConstWord(slots.seat), low.ConstWord(0)))
            self._wait(f)
        f.add(low.IfInst(low.BinaryWord("!=", owing, low.ConstWord(0)), tuple(waits)))
        f.add(low.ReturnInst(low.ConstWord(question.turn)))

    def _next_answer(self, f: Builder, end: bl.NextAnswer) -> None:
        question = self.control.blocks.questions[end.question]
        choice = self.lowering.game.choices[question.choice]
        todo = f.kept(self.lowering.cell(self.slots.todo[question.id]))
        f.add(low.IfInst(low.BinaryWord("==", todo, low.ConstWord(0)), self._apart(f, end.exit)))
        seat = f.kept(low.UnaryWord("lowest", todo))
        rest = low.BinaryWord("&", todo, low.BinaryWord("-", todo, low.ConstWord(1)))
        f.store(self.slots.todo[question.id], rest)
        branch = f.kept(taken_answer(f, question, seat))
        f.seat = KnownWord(seat, 0, len(self.lowering.game.seats) - 1)
        blocks = {i + 1: block for i, block in enumerate(question.branches) if not choice.branches[i].interrupt}
        if choice.empty == "none":
            blocks[0] = question.none
        for code, block in blocks.items():
            outer = f.seat
            way = self._apart(f, block)
            f.seat = outer
            f.add(low.IfInst(low.BinaryWord("==", branch, low.ConstWord(code)), way))
        f.seat = None
        f.add(low.TrapInst())

    def _without_option(self, f: Builder, question: QuestionBlocks, seat: KnownWord) -> None:
        if self.lowering.game.choices[question.choice].empty == "error":
            f.add(low.TrapInst())
            return
        if question.none in self.roots:
            # What is done without an option follows from several places.
            f.add(low.TrapInst())
            return
        outer, f.seat = f.seat, seat
        f.add(*self._apart(f, question.none))
        f.seat = outer

    def _forced(self, f: Builder, question: QuestionBlocks, seat: KnownWord) -> tuple[low.Inst, ...]:
        """Returns the statements that carry out the lone option, which the look at the options made the answer."""
        with f.aside() as orders:
            f.add(low.StoreInst(low.ConstWord(self.slots.seat), seat.word))
            for i, block in enumerate(question.branches):
                with f.aside() as taken:
                    tell(f, "forced", question.choice, seat.word, low.ConstWord(i), *self._given(question, i))
                    f.add(low.ReturnInst(low.ConstWord(block)))
                f.add(low.IfInst(low.BinaryWord("==", low.GivenWord(0), low.ConstWord(i)), tuple(taken)))
            f.add(low.TrapInst())
        return tuple(orders)

    def _given(self, question: QuestionBlocks, branch: int) -> list[low.Word]:
        """Returns the parameters of the current answer, which is of a branch."""
        parameters = self.lowering.game.choices[question.choice].branches[branch].parameters
        many = [self.lowering.words_of(parameter.variable.type) for parameter in parameters]
        return [low.GivenWord(1 + sum(many[:i]), many[i]) for i in range(len(many))]

    def _bind_answer(self, f: Builder, question: QuestionBlocks, branch: int | None) -> None:
        choice = self.lowering.game.choices[question.choice]
        if f.seat is None:
            # An answer begins with the seat that gave it; it is read now, since leaving `main` clears the slot.
            f.seat = KnownWord(
                f.kept(low.CellWord(low.ConstWord(self.slots.seat))), 0, len(self.lowering.game.seats) - 1
            )
        for variable in (choice.variable, choice.actor):
            if variable is not None:
                f.bind(variable.id, f.seat)
        if branch is not None:
            for parameter, given in zip(choice.branches[branch].parameters, self._given(question, branch), strict=True):
                f.bind(parameter.variable.id, words.typed(given, parameter.variable.type))
        f.seat = None
        f.pay(self.lowering.steps.branch(choice.when_none if branch is None else choice.branches[branch].body))
