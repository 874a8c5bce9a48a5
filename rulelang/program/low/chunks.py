"""Chunks of cut procedures -> functions that run from one stop to the next; questions -> functions that list their options.

Each chunk returns the block to go on with, or -1: the game waits, or `main` is through.

    repeat:                          # b1(): Store(question, 1); Store(seat, r0); Return(-1)
      p chooses one of take(n)       # o0(r0): Walk(r1, …, (Offer((0, r1)),))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rulelang.ir.model import Branch, Choice, Finish, Need, Repeat
from rulelang.ir.types import NONE, KindType
from rulelang.program import blocks as bl
from rulelang.program.blocks import Block, QuestionBlocks
from rulelang.program.low import model as low
from rulelang.program.low import statements, words
from rulelang.program.low.comprehensions import guarded, walk
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.words import KnownWord, Unsupported, number

NOTHING, LONE, SEVERAL = range(3)
"""What the look at a question's options returns."""

Take: TypeAlias = Callable[[Builder, tuple[low.Word, ...]], None]
"""Adds what becomes of an option."""


class RegionLowering:
    """Lowers the chunks and questions of a game."""

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.control, self.slots = lowering.control, lowering.slots
        self.roots = frozenset(self.control.roots)
        self.answered = {block: q for q in self.control.blocks.questions for block in q.branches}

    def lower_all(self) -> None:
        """Lowers every question and every chunk."""
        for question in self.control.blocks.questions:
            if question.turn >= 0:
                raise Unsupported("answers under seal")
            self._question(question)
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
        """Adds the way to a block: the block itself, if nothing else leads to it."""
        if id in self.roots:
            f.add(low.ReturnInst(low.ConstWord(id)))
        else:
            self._block(f, id)

    def _apart(self, f: Builder, id: int) -> tuple[low.Inst, ...]:
        """Returns the way to a block that is not the only way on: what it binds is not known elsewhere."""
        env, leave, jump = dict(f.env), f.leave, f.jump
        with f.aside() as orders:
            self._go(f, id)
        f.env, f.leave, f.jump = env, leave, jump
        return tuple(orders)

    def _block(self, f: Builder, id: int) -> None:
        block = self.control.blocks.blocks[id]
        f.leave = lambda: self._leave(f, block.procedure)
        f.jump = lambda loop: self._jump(f, block, loop)
        for step, _ in block.steps:
            self._step(f, step)
        if not block.steps or not isinstance(block.steps[-1][0], Finish):
            self._end(f, block)

    def _step(self, f: Builder, step: bl.Step) -> None:
        match step:
            case bl.Begin(procedure=id):
                f.pay(self.lowering.steps.procedure(id))
            case bl.StartLoop():
                raise Unsupported("loops that ask")
            case bl.StartRepeat(loop=repeat):
                self._start_repeat(f, repeat)
            case bl.ForgetLoops(loops=loops):
                self._forget(f, loops)
            case bl.BindAnswer():
                self._bind_answer(f, self.control.blocks.questions[step.question], step.branch)
            case _:
                statements.body(f, (step,))

    def _end(self, f: Builder, block: Block) -> None:
        match block.end:
            case bl.Goto(to=to):
                self._go(f, to)
            case bl.Split(branches=branches, otherwise=otherwise):
                for test, target in branches:
                    condition = f.condition(test)
                    if condition == low.ConstWord(1):
                        self._go(f, target)
                        return
                    if condition != low.ConstWord(0):
                        f.add(low.IfInst(condition, self._apart(f, target)))
                self._go(f, otherwise)
            case bl.NextRound():
                self._next_round(f, block.end)
            case bl.Enter(procedure=procedure, arguments=arguments, then=then):
                parameters = self.lowering.game.procedures[procedure].parameters
                known = [f.named(f.expression(argument)) for argument in arguments]
                for variable, part in zip(parameters, known, strict=True):
                    f.bind(variable.id, part)
                if procedure in self.slots.addresses:
                    f.add(low.StoreInst(low.ConstWord(self.slots.addresses[procedure]), low.ConstWord(then)))
                self._go(f, self.control.blocks.entries[procedure])
            case bl.Leave(procedure=procedure):
                self._leave(f, procedure)
            case bl.Asking(question=id):
                self._ask(f, self.control.blocks.questions[id])
            case _:
                raise Unsupported("`simultaneously` and loops that ask")

    # -------------------------------------------------------------- loops and procedures

    def _empty(self, f: Builder, first: int, last: int) -> None:
        f.add(*(low.StoreInst(low.ConstWord(slot), low.ConstWord(0)) for slot in range(first, last)))

    def _forget(self, f: Builder, loops: tuple[int, ...]) -> None:
        for loop in loops:
            for slot in (self.slots.orders.get(loop), self.slots.times.get(loop), self.slots.rounds.get(loop)):
                if slot is not None:
                    self._empty(f, slot, slot + 1)

    def _jump(self, f: Builder, block: Block, loop: int) -> None:
        self._forget(f, block.loops[block.loops.index(loop) :])
        f.add(low.ReturnInst(low.ConstWord(self.control.blocks.exits[loop])))

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
        address, then = self.slots.addresses.get(id), self.control.returns.get(id, -1)
        back: low.Word = low.ConstWord(-1) if address is None else f.kept(low.CellWord(low.ConstWord(address)))
        self._empty(f, *self.slots.areas[id])
        if then >= 0:
            self._go(f, then)
            return
        if address is None:
            self._empty(f, self.slots.seat, self.slots.seat + 1)
        f.add(low.ReturnInst(back))

    # -------------------------------------------------------------- choices

    def _ask(self, f: Builder, question: QuestionBlocks) -> None:
        choice = self.lowering.game.choices[question.choice]
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
        counts = self.slots.rounds.values()
        if counts:
            self._empty(f, min(counts), max(counts) + 1)
        f.add(low.ReturnInst(low.ConstWord(-1)))

    def _without_option(self, f: Builder, question: QuestionBlocks, seat: KnownWord) -> None:
        if self.lowering.game.choices[question.choice].empty == "error":
            f.add(low.TrapInst())
            return
        if question.none in self.roots:
            raise Unsupported("what is done without an option, from several places")
        outer, f.seat = f.seat, seat
        f.add(*self._apart(f, question.none))
        f.seat = outer

    def _forced(self, f: Builder, question: QuestionBlocks, seat: KnownWord) -> tuple[low.Inst, ...]:
        """Returns what carries out the lone option, which the look at them has given."""
        with f.aside() as orders:
            f.add(low.StoreInst(low.ConstWord(self.slots.seat), seat.word))
            for i, block in enumerate(question.branches):
                f.add(
                    low.IfInst(
                        low.BinaryWord("==", low.GivenWord(0), low.ConstWord(i)),
                        (low.ReturnInst(low.ConstWord(block)),),
                    )
                )
            f.add(low.TrapInst())
        return tuple(orders)

    def _bind_answer(self, f: Builder, question: QuestionBlocks, branch: int | None) -> None:
        choice = self.lowering.game.choices[question.choice]
        if f.seat is None:
            # An answer begins with who gave it: in the slot, which is emptied when the procedure of `main` is left.
            f.seat = KnownWord(
                f.kept(low.CellWord(low.ConstWord(self.slots.seat))), 0, len(self.lowering.game.seats) - 1
            )
        for variable in (choice.variable, choice.actor):
            if variable is not None:
                f.bind(variable.id, f.seat)
        if branch is not None:
            for i, parameter in enumerate(choice.branches[branch].parameters):
                given = words.typed(low.GivenWord(i + 1), parameter.variable.type)
                f.bind(parameter.variable.id, given)
        f.seat = None
        f.pay(self.lowering.steps.branch(choice.when_none if branch is None else choice.branches[branch].body))

    # -------------------------------------------------------------- questions

    def _question(self, question: QuestionBlocks) -> None:
        choice = self.lowering.game.choices[question.choice]
        for name in ("o", "h"):
            seat = next((v for v in (choice.actor, choice.variable) if v is not None), None)
            f = Builder(
                self.lowering, f"{name}{question.id}", f"options of {choice.name}", () if seat is None else (seat,)
            )
            if seat is None:
                f.parameters = f.fresh() + 1
            elif choice.variable is not None:
                f.env[choice.variable.id] = f.env[seat.id]
            if name == "o":
                self._each_option(f, choice, lambda f, option: f.add(low.OfferInst(option)))
            else:
                self._look(f, choice)
            self.lowering.functions[f.name] = f.finished()

    def _look(self, f: Builder, choice: Choice) -> None:
        """Adds what tells if there is an option: the first is given, a second ends the look."""
        if not choice.forced:
            self._each_option(f, choice, lambda f, option: f.add(low.ReturnInst(low.ConstWord(SEVERAL))))
            return
        seen = f.kept(low.ConstWord(NOTHING))

        def take(f: Builder, option: tuple[low.Word, ...]) -> None:
            f.add(low.IfInst(seen, (low.ReturnInst(low.ConstWord(SEVERAL)),)))
            f.add(low.SetInst(seen.number, low.ConstWord(LONE)), low.GiveInst(option))

        self._each_option(f, choice, take)
        f.add(low.ReturnInst(seen))

    def _each_option(self, f: Builder, choice: Choice, take: Take) -> None:
        steps = self.lowering.steps
        pays = steps.looking(choice)
        for i, branch in enumerate(choice.branches):
            f.pay(steps.option(branch, 0) if pays else 0)
            self._met(f, i, branch, 0, take, pays=pays)

    def _met(self, f: Builder, i: int, branch: Branch, known: int, take: Take, *, pays: bool) -> None:
        """Adds the needs that can be looked at when so many parameters are known, and in them the rest."""

        def rest(needs: list[Need]) -> None:
            if needs:
                with guarded(f, f.condition(needs[0].condition)):
                    rest(needs[1:])
            elif known == len(branch.parameters):
                take(f, (low.ConstWord(i), *(f.local(p.variable.id).word for p in branch.parameters)))
            else:
                parameter = branch.parameters[known]
                if parameter.low is not None:
                    raise Unsupported("choices of several things at once")
                if self.lowering.has_likes(parameter.interchange):
                    raise Unsupported("things that are alike")
                rate = steps.option(branch, known + 1) if pays else 0
                with walk(f, parameter.domain, parameter.variable, rate):
                    self._met(f, i, branch, known + 1, take, pays=pays)

        steps = self.lowering.steps
        rest([need for need in branch.needs if need.after == known])


def always_open(choice: Choice) -> bool:
    """Returns whether a choice has an option whatever the position."""
    return any(not branch.parameters and not branch.needs for branch in choice.branches)
