"""Procedures that may stop -> basic blocks, so that a game can be interrupted and resumed.

A procedure that asks (or is a phase, or calls such a procedure) is cut at its choices and at its calls of cut
procedures. A statement that cannot stop stays whole, as a step of a block. A block ends by going to other blocks, by
entering or leaving a procedure, or by asking.

    play:
      repeat:                      # block 0: StartRepeat, Goto 1
        p chooses one of take      # block 1: NextRound(2, 5)   block 2: Ask(branches 3)
        heap -= 1                  # block 3: Assign, Goto 1

Invariant: every block ends; steps hold no `Ask` and no call of a cut procedure (but for what `Simultaneous` defers).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import attrs

from rulelang.ir.model import (
    Ask,
    Branch,
    Call,
    Choice,
    Defer,
    Expr,
    Finish,
    GameRules,
    Loop,
    Repeat,
    Return,
    Simultaneous,
    Statement,
    Stop,
    When,
)
from rulelang.ir.model.node import IrNode
from rulelang.ir.model.traits import inside
from rulelang.ir.steps import StepCosts

# ------------------------------------------------------------------ steps that only cut procedures have


@attrs.frozen(eq=False, repr=False)
class Begin(IrNode):
    """A procedure begins."""

    procedure: int


@attrs.frozen(eq=False, repr=False)
class StartLoop(IrNode):
    """Settles the things that a `for` iterates over, and their order."""

    loop: Loop


@attrs.frozen(eq=False, repr=False)
class StartRepeat(IrNode):
    """Sets the rounds left of `repeat N times`, or the rounds made of a `repeat` with a limit to 0."""

    loop: Repeat


@attrs.frozen(eq=False, repr=False)
class ForgetLoops(IrNode):
    """Clears the orders of loops that are left in the middle."""

    loops: tuple[int, ...]


@attrs.frozen(eq=False, repr=False)
class BindAnswer(IrNode):
    """The branch of a choice begins: the chooser's names and the
    parameters are bound. No branch: the seat had no option."""

    question: int
    branch: int | None


BlockStep: TypeAlias = Statement | Begin | StartLoop | StartRepeat | ForgetLoops | BindAnswer

# ------------------------------------------------------------------ ends


@attrs.frozen(eq=False, repr=False)
class Goto(IrNode):
    to: int


@attrs.frozen(eq=False, repr=False)
class Split(IrNode):
    """Goes to the block of the first condition that holds; each condition has its block and the site of its branch."""

    branches: tuple[tuple[Expr, int, int], ...]
    otherwise: int


@attrs.frozen(eq=False, repr=False)
class NextTurn(IrNode):
    """Goes to the body of a `for` with its next thing, or to `exit`."""

    loop: Loop
    body: int
    exit: int


@attrs.frozen(eq=False, repr=False)
class NextRound(IrNode):
    """Begins another round of a `repeat`, or goes to `exit`."""

    loop: Repeat
    body: int
    exit: int


@attrs.frozen(eq=False, repr=False)
class Enter(IrNode):
    """Calls a cut procedure, which returns to `then`."""

    procedure: int
    arguments: tuple[Expr, ...]
    then: int


@attrs.frozen(eq=False, repr=False)
class Leave(IrNode):
    """A procedure ends."""

    procedure: int


@attrs.frozen(eq=False, repr=False)
class Asking(IrNode):
    """Asks a question, or goes on at once when there is nothing to ask."""

    question: int


@attrs.frozen(eq=False, repr=False)
class NextAnswer(IrNode):
    """Runs the body of the next seat once all have answered in secret, or goes to `exit`."""

    question: int
    exit: int


@attrs.frozen(eq=False, repr=False)
class RunSimultaneous(IrNode):
    """`simultaneously` with deferred calls that may stop: runs the passes, then goes to the calls."""

    block: Simultaneous
    calls: int


@attrs.frozen(eq=False, repr=False)
class NextDeferred(IrNode):
    """Makes the next deferred call, or goes to `exit`."""

    block: Simultaneous
    exit: int


BlockEnd: TypeAlias = (
    Goto | Split | NextTurn | NextRound | Enter | Leave | Asking | NextAnswer | RunSimultaneous | NextDeferred
)


@attrs.frozen(eq=False, repr=False)
class Block(IrNode):
    """Steps and an end, each with its site. `loops` are the cut loops around the block, outermost first."""

    id: int
    procedure: int
    loops: tuple[int, ...]
    steps: tuple[tuple[BlockStep, int], ...]
    end: BlockEnd
    site: int


@attrs.frozen(eq=False, repr=False)
class QuestionBlocks(IrNode):
    """One `Ask`: its choice and the blocks that belong to it.

    block      asks it; an interrupt's branch comes back here
    branches   the block of each branch's body
    none       the block for a seat that has no option
    after      the block that follows the choice
    turn       of a sealed choice: the block that runs the next seat's body; else -1
    """

    id: int
    choice: int
    procedure: int
    block: int
    branches: tuple[int, ...]
    none: int
    after: int
    turn: int


@attrs.frozen(eq=False, repr=False)
class Blocks(IrNode):
    """The blocks of all cut procedures of a game."""

    blocks: tuple[Block, ...]
    questions: tuple[QuestionBlocks, ...]
    entries: dict[int, int]
    """The first block of each cut procedure."""
    exits: dict[int, int]
    """The block after each cut loop."""


def cut(game: GameRules, steps: StepCosts) -> Blocks:
    """Returns the blocks of every procedure that can stop, and of `main`."""
    stopping = cut_procedures(game)
    cutter = _Cutter(game, stopping, steps)
    for procedure in sorted(stopping):
        cutter.procedure(procedure)
    return Blocks(
        tuple(cutter.finished[i] for i in range(cutter.count)),
        tuple(cutter.questions),
        cutter.entries,
        cutter.exits,
    )


def cut_procedures(game: GameRules) -> frozenset[int]:
    """Returns the procedures that are cut: `main`, phases, those that ask, and all that call them."""
    calls = {p.id: set(called(game, p.body)) for p in game.procedures}
    found = {game.main} | {
        p.id for p in game.procedures if p.stops or p.phase or any(isinstance(s, Ask) for s in inside(game, p.body))
    }
    grown = True
    while grown:
        more = {id for id, callees in calls.items() if id not in found and callees & found}
        found |= more
        grown = bool(more)
    return frozenset(found)


def called(game: GameRules, body: Iterable[Statement]) -> Iterator[int]:
    """Yields the procedures that statements call, deferred calls included."""
    return (s.procedure for s in inside(game, body) if isinstance(s, (Call, Defer)))


class _Cutter:
    """Cuts one procedure after another; `_steps` are those of the open block, None when no block is open."""

    def __init__(self, game: GameRules, stopping: frozenset[int], steps: StepCosts) -> None:
        self.game, self.stopping, self.steps = game, stopping, steps
        self.count = 0
        self.finished: dict[int, Block] = {}
        self.questions: list[QuestionBlocks] = []
        self.entries: dict[int, int] = {}
        self.exits: dict[int, int] = {}
        self._procedure = -1
        self._loops: tuple[int, ...] = ()
        self._site = 0
        self._open = -1
        self._steps: list[tuple[BlockStep, int]] | None = None

    def procedure(self, id: int) -> None:
        """Cuts a procedure."""
        body = self.game.procedures[id].body
        self._procedure, self._loops, self._site = id, (), self.steps.site(body[0]) if body else 0
        self.entries[id] = self._new()
        self._begin(self.entries[id], Begin(id))
        self._body(body)
        self._close(Leave(id))

    def _new(self) -> int:
        self.count += 1
        return self.count - 1

    def _begin(self, block: int, *steps: BlockStep) -> None:
        self._open, self._steps = block, [(step, self._site) for step in steps]

    def _close(self, end: BlockEnd) -> None:
        if self._steps is not None:
            self.finished[self._open] = Block(
                self._open, self._procedure, self._loops, tuple(self._steps), end, self._site
            )
        self._steps = None

    def _body(self, body: Iterable[Statement]) -> None:
        for statement in body:
            if self._steps is None:
                return
            outer, self._site = self._site, self.steps.site(statement)
            self._statement(statement)
            self._site = outer

    def _part(self, block: int, body: Iterable[Statement], then: int, *steps: BlockStep) -> None:
        """Cuts a body that begins in a block of its own."""
        self._begin(block, *steps)
        self._body(body)
        self._close(Goto(then))

    def _statement(self, statement: Statement) -> None:
        assert self._steps is not None
        match statement:
            case Call() | Defer() if statement.procedure in self.stopping:
                then = self._new()
                self._close(Enter(statement.procedure, statement.arguments, then))
                self._begin(then)
            case Ask():
                self._ask(self.game.choices[statement.choice])
            case Return():
                self._close(Leave(self._procedure))
            case Stop() if statement.loop in self._loops:
                left = self._loops[self._loops.index(statement.loop) :]
                self._steps.append((ForgetLoops(left), self._site))
                self._close(Goto(self.exits[statement.loop]))
            case When() if self._jumps(statement):
                self._when(statement)
            case Loop() | Repeat() if self._stops(statement):
                self._loop(statement)
            case Simultaneous() if self._stops(statement):
                calls, after = self._new(), self._new()
                self._close(RunSimultaneous(statement, calls))
                self._begin(calls)
                self._close(NextDeferred(statement, after))
                self._begin(after)
            case Finish():
                # `finish` does not return, but every block must have an end.
                self._steps.append((statement, self._site))
                self._close(Leave(self._procedure))
            case _:  # a statement that cannot stop is a step
                self._steps.append((statement, self._site))

    def _stops(self, statement: Statement) -> bool:
        return any(
            isinstance(s, Ask) or (isinstance(s, (Call, Defer)) and s.procedure in self.stopping)
            for s in inside(self.game, [statement])
        )

    def _jumps(self, statement: Statement) -> bool:
        return self._stops(statement) or any(
            isinstance(s, Return) or (isinstance(s, Stop) and s.loop in self._loops)
            for s in inside(self.game, [statement])
        )

    def _when(self, statement: When) -> None:
        targets = [self._new() for _ in statement.branches]
        after = self._new()
        otherwise = self._new() if statement.otherwise else after
        ways = zip(statement.branches, targets, strict=True)
        self._close(Split(tuple((condition, target, site) for (condition, _, site), target in ways), otherwise))
        for (_, body, _), target in zip(statement.branches, targets, strict=True):
            self._part(target, body, after)
        if statement.otherwise:
            self._part(otherwise, statement.otherwise, after)
        self._begin(after)

    def _loop(self, loop: Loop | Repeat) -> None:
        assert self._steps is not None
        head, body, after = self._new(), self._new(), self._new()
        self.exits[loop.id] = after
        self._steps.append((StartLoop(loop) if isinstance(loop, Loop) else StartRepeat(loop), self._site))
        self._close(Goto(head))
        outer, self._loops = self._loops, (*self._loops, loop.id)
        self._begin(head)
        self._close(NextTurn(loop, body, after) if isinstance(loop, Loop) else NextRound(loop, body, after))
        self._part(body, loop.body, head)
        self._loops = outer
        self._begin(after)

    def _ask(self, choice: Choice) -> None:
        block, none, after = self._new(), self._new(), self._new()
        branches = tuple(self._new() for _ in choice.branches)
        turn = self._new() if choice.sealed else -1
        id = len(self.questions)
        self.questions.append(QuestionBlocks(id, choice.id, self._procedure, block, branches, none, after, turn))
        self._close(Goto(block))
        self._begin(block)
        self._close(Asking(id))
        if choice.sealed:
            self._begin(turn)
            self._close(NextAnswer(id, after))
        then = turn if choice.sealed else after
        outer = self._site
        for number, branch in enumerate(choice.branches):
            back = block if branch.interrupt else then
            self._site = branch.site or outer
            self._part(branches[number], branch.body, back, BindAnswer(id, number))
        self._site = choice.site or outer
        self._part(none, choice.when_none, then, BindAnswer(id, None))
        self._site = outer
        self._begin(after)


def always_open(choice: Choice) -> bool:
    """Returns whether a choice has an option in every position."""
    return any(not branch.parameters and not branch.needs for branch in offered_branches(choice).values())


def offered_branches(choice: Choice) -> dict[int, Branch]:
    """Returns the branches that a choice has: no interrupts while it is sealed."""
    return {i: branch for i, branch in enumerate(choice.branches) if not (choice.sealed and branch.interrupt)}
