"""Blocks -> regions, each of which runs in one go, and slots of the row for values that outlive a region.

A region is a tree of blocks that is entered at its root only; an executor runs it as one function. A local that is used
in one region alone is the executor's own business; every other local has one fixed slot after `Layout.size` (procedures
do not recurse), beside the return addresses and the state of loops, sealed choices and deferred calls.

    repeat:                         # the head is a root: the loop comes back to it
      let x = 1                     # x lives in one region: no slot
      p chooses one of take(n)      # n lives in the body of `take` alone: no slot
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

import attrs

from rulelang.ir.model import BeginBody, Bind, Defer, GameRules, Loop, Over, Repeat, Simultaneous, Stop, Variable
from rulelang.ir.model.traits import inside
from rulelang.ir.numbers import Slot
from rulelang.ir.walk import closure, read_in, walk
from rulelang.program.blocks import (
    Asking,
    Begin,
    BindAnswer,
    Block,
    Blocks,
    Enter,
    Goto,
    Leave,
    NextAnswer,
    NextDeferred,
    NextRound,
    NextTurn,
    QuestionBlocks,
    RunSimultaneous,
    Split,
    StartLoop,
    StartRepeat,
    called,
)
from rulelang.program.layout import Layout


@attrs.frozen
class Slots:
    """The slots of the control state in the row; unused ones are 0."""

    question: Slot
    """0, or the number of the question that waits + 1."""
    seat: Slot
    """The seat that is asked."""
    rounds: dict[int, Slot] = attrs.field(factory=dict)
    """By cut `repeat` with a limit: the number of rounds since the last choice."""
    addresses: dict[int, Slot] = attrs.field(factory=dict)
    """By procedure that is called from several places: its return address, a block."""
    variables: dict[int, Slot] = attrs.field(factory=dict)
    """By variable that outlives its region: its value."""
    orders: dict[int, Slot] = attrs.field(factory=dict)
    """By cut `for`: the indices of the things left to iterate over, packed like a pile."""
    times: dict[int, Slot] = attrs.field(factory=dict)
    """By cut `repeat N times`: the rounds left."""
    deferred: dict[int, int] = attrs.field(factory=dict)
    """By block of a `simultaneously`'s deferred calls: the calls still to make."""
    todo: dict[int, int] = attrs.field(factory=dict)
    """By sealed question: the seats whose bodies are still to run, a mask."""
    owing: dict[int, int] = attrs.field(factory=dict)
    """By sealed question: the seats that owe an answer, a mask."""
    answers: dict[int, int] = attrs.field(factory=dict)
    """By sealed question: the first slot of its answers, `widths` each: branch + 1 (0: no option), parameters."""
    widths: dict[int, int] = attrs.field(factory=dict)
    areas: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    """By procedure: its first slot, and the one behind its last."""
    size: int = 0
    """The length of the whole row."""


@attrs.frozen
class Control:
    """The regions of a game, and the slots of values that outlive a region."""

    blocks: Blocks
    roots: tuple[int, ...]
    """The blocks at which regions begin."""
    returns: dict[int, int]
    """By procedure that is called from one place: the block to which it returns; -1 for `main`."""
    slots: Slots


def control(game: GameRules, layout: Layout, blocks: Blocks) -> Control:
    """Returns the regions of a game, with a slot for every value of its control state."""
    sites = _call_sites(game, blocks)
    returns = {procedure: places[0] for procedure, places in sites.items() if len(places) == 1}
    targets = {block.id: tuple(_targets(game, block, blocks, returns)) for block in blocks.blocks}
    roots = _roots(game, blocks, returns, sites, targets)
    lasting = _lasting(game, blocks, roots, targets)
    return Control(blocks, tuple(sorted(roots)), returns, _slots(game, layout, blocks, returns, lasting))


# ------------------------------------------------------------------ regions


def _call_sites(game: GameRules, blocks: Blocks) -> dict[int, list[int]]:
    """Returns, by cut procedure, the blocks to which it returns; -1 stands for the end of `main`."""
    sites: dict[int, list[int]] = {procedure: [] for procedure in blocks.entries}
    sites[game.main].append(-1)
    for block in blocks.blocks:
        match block.end:
            case Enter(procedure=procedure, then=then):
                sites[procedure].append(then)
            case NextDeferred(block=simultaneous):
                for procedure in deferrable(game, simultaneous):
                    if procedure in sites:
                        # A deferred call comes from a queue, so its return address is never known in advance; listing
                        # the block twice makes the procedure one that is called from several places.
                        sites[procedure] += [block.id, block.id]
            case _:  # no other end calls
                pass
    return sites


def deferrable(game: GameRules, simultaneous: Simultaneous) -> tuple[int, ...]:
    """Returns the procedures whose calls a `simultaneously` may defer, ascending."""
    seen: set[int] = set()
    found: set[int] = set()
    bodies = [simultaneous.body]
    while bodies:
        body = bodies.pop()
        found |= {s.procedure for s in inside(game, body) if isinstance(s, Defer)}
        new = set(called(game, body)) - seen
        seen |= new
        bodies += [game.procedures[id].body for id in sorted(new)]
    return tuple(sorted(found))


def _targets(game: GameRules, block: Block, blocks: Blocks, returns: dict[int, int]) -> Iterator[int]:
    """Yields the blocks that may run next in the same region, if nothing else leads to them."""
    match block.end:
        case Goto(to=to):
            yield to
        case Split(branches=branches, otherwise=otherwise):
            yield from (target for _, target, _ in branches)
            yield otherwise
        case NextTurn(body=body, exit=exit) | NextRound(body=body, exit=exit):
            yield from (body, exit)
        case Enter(procedure=procedure):
            yield blocks.entries[procedure]
        case Leave(procedure=procedure):
            if returns.get(procedure, -1) >= 0:
                yield returns[procedure]
        case Asking(question=id):
            question = blocks.questions[id]
            if question.turn >= 0:
                yield question.turn
            elif game.choices[question.choice].empty == "none":
                yield question.none
        case NextAnswer(question=id, exit=exit):
            question = blocks.questions[id]
            yield from (*question.branches, exit)
            if game.choices[question.choice].empty == "none":
                yield question.none
        case RunSimultaneous(calls=calls):
            yield calls
        case NextDeferred(exit=exit):
            yield exit
        case _:
            assert_never(block.end)


def _jumps(block: Block, blocks: Blocks) -> Iterator[int]:
    """Yields the blocks that are jumped to out of the middle of a step: a `stop` inside a loop that is not cut."""
    for node in walk(tuple(step for step, _ in block.steps)):
        if isinstance(node, Stop) and node.loop in block.loops:
            yield blocks.exits[node.loop]


def _roots(
    game: GameRules,
    blocks: Blocks,
    returns: dict[int, int],
    sites: dict[int, list[int]],
    targets: dict[int, tuple[int, ...]],
) -> set[int]:
    """Returns the blocks that cannot be part of another's region."""
    roots = {blocks.entries[game.main]}
    for procedure, places in sites.items():
        if procedure not in returns:
            roots |= {blocks.entries[procedure], *places}
    for question in blocks.questions:
        roots |= {question.turn} if question.turn >= 0 else {*question.branches}
    for block in blocks.blocks:
        roots |= set(_jumps(block, blocks))
        match block.end:
            case NextDeferred():
                roots.add(block.id)
            case NextRound(loop=Repeat(times=times, condition=condition)) if None not in (times, condition):
                # Both the `repeat` and a `stop` in it lead here.
                roots.add(block.end.exit)
            case _:  # any other end is reached through the block before it
                pass
    roots.discard(-1)
    reached = closure(roots, targets.__getitem__)
    ways = Counter(target for id in reached for target in targets[id])
    return (roots | {id for id in reached if ways[id] > 1}) & reached


# ------------------------------------------------------------------ locals that outlive their region


def bound_in(*parts: object) -> set[int]:
    """Returns the ids of the locals that statements bind."""
    found, within = set(), set()
    for node in walk(parts):
        if isinstance(node, Variable):
            found.add(node.id)
        elif isinstance(node, Over):
            within |= {name.id for name in node.names}
    return found - within


def _reads(game: GameRules, block: Block, blocks: Blocks) -> set[int]:
    """Returns the locals that a block reads."""
    found: set[int] = set()
    for step, _ in block.steps:
        match step:
            case Begin(procedure=procedure):
                found |= {variable.id for variable in game.procedures[procedure].parameters}
            case StartLoop(loop=loop):
                found |= read_in(loop.source, loop.keys) - {loop.variable.id}
            case StartRepeat(loop=repeat):
                found |= read_in(repeat.times)
            case BindAnswer():
                pass
            case _:  # any other step is a statement or reads nothing
                found |= read_in(step)
    match block.end:
        case Split(branches=branches):
            found |= read_in(tuple(condition for condition, _, _ in branches))
        case NextTurn(loop=Loop(condition=condition)) | NextRound(loop=Repeat(condition=condition)):
            found |= read_in(condition)
        case Enter(arguments=arguments):
            found |= read_in(arguments)
        case Asking(question=id):
            choice = game.choices[blocks.questions[id].choice]
            found |= read_in(choice.who, choice.source, choice.condition) - bound_in(choice.variable)
        case RunSimultaneous(block=simultaneous):
            found |= read_in(simultaneous)
        case _:  # no other end reads a local
            pass
    return found


def _binds(game: GameRules, block: Block, blocks: Blocks) -> set[int]:
    """Returns the locals that a block binds."""
    found: set[int] = set()
    for step, _ in block.steps:
        match step:
            case Begin() | StartLoop() | StartRepeat():
                pass
            case BindAnswer(question=id, branch=number):
                found |= set(own_names(game, blocks.questions[id], number))
            case _:  # any other step is a statement or binds nothing
                found |= bound_in(step)
    match block.end:
        case NextTurn(loop=loop):
            found.add(loop.variable.id)
        case Enter(procedure=procedure):
            found |= bound_in(game.procedures[procedure].parameters)
        case RunSimultaneous(block=simultaneous):
            found |= bound_in(simultaneous)
        case _:  # no other end binds a local
            pass
    return found


def own_names(game: GameRules, question: QuestionBlocks, branch: int | None) -> tuple[int, ...]:
    """Returns the locals that get their values when a branch of a question begins: the chooser, the parameters."""
    choice = game.choices[question.choice]
    chooser = tuple(v.id for v in (choice.variable, choice.actor) if v is not None)
    if branch is None:
        return chooser
    return (*chooser, *(p.variable.id for p in choice.branches[branch].parameters))


def _offered(game: GameRules, question: QuestionBlocks) -> set[int]:
    """Returns the locals that the options of a question, their words and its prompt read and do not bind themselves."""
    found: set[int] = set()
    for number, branch in enumerate(game.choices[question.choice].branches):
        needs = tuple((need.condition, need.message) for need in branch.needs)
        labels = tuple(part.around for part in branch.body if isinstance(part, BeginBody))
        found |= read_in(branch.parameters, needs, labels) - set(own_names(game, question, number))
    prompt = game.choices[question.choice].prompt
    found |= read_in(prompt) - set(own_names(game, question, None))
    return found


def _lasting(
    game: GameRules, blocks: Blocks, roots: set[int], targets: dict[int, tuple[int, ...]]
) -> dict[int, list[int]]:
    """Returns, by procedure, the locals that are read elsewhere than in the region that binds them, ascending.

    A local that is bound in several places (only weaving makes such locals) is always included: which binding came
    last is known only at run time.
    """
    bindings = (node for block in blocks.blocks for step, _ in block.steps for node in walk(step))
    times = Counter(node.variable.id for node in bindings if isinstance(node, Bind))
    found = {name for name, several in times.items() if several > 1}
    owners: dict[int, int] = {}
    reads, binds = {}, {}
    for block in blocks.blocks:
        reads[block.id], binds[block.id] = _reads(game, block, blocks), _binds(game, block, blocks)
        owners.update(dict.fromkeys(reads[block.id] | binds[block.id], block.procedure))
    for question in blocks.questions:
        # Options are computed outside every region.
        offered = _offered(game, question)
        found |= offered
        owners.update(dict.fromkeys(offered, question.procedure))
    todo = [(root, frozenset[int]()) for root in roots]
    while todo:
        id, bound = todo.pop()
        bound |= binds[id]
        found |= reads[id] - bound
        todo += [(target, bound) for target in targets[id] if target not in roots]
    for procedure in blocks.entries:
        owners.update((variable.id, procedure) for variable in game.procedures[procedure].parameters)
    lasting: dict[int, list[int]] = {procedure: [] for procedure in blocks.entries}
    for name in sorted(found):
        lasting[owners[name]].append(name)
    return lasting


# ------------------------------------------------------------------ slots


class _Next:
    """An allocator that returns one slot after another."""

    def __init__(self, at: int) -> None:
        self.at = Slot(at)

    def take(self, width: int = 1) -> Slot:
        taken, self.at = self.at, self.at + width
        return taken


def _slots(
    game: GameRules, layout: Layout, blocks: Blocks, returns: dict[int, int], lasting: dict[int, list[int]]
) -> Slots:
    next = _Next(layout.size)
    slots = Slots(question=next.take(), seat=next.take())
    for block in blocks.blocks:
        limited = (s.loop.id for s, _ in block.steps if isinstance(s, StartRepeat) and s.loop.limit is not None)
        slots.rounds.update((id, next.take()) for id in limited)
    for procedure in sorted(blocks.entries):
        first = next.at
        if procedure not in returns:
            slots.addresses[procedure] = next.take()
        slots.variables.update((name, next.take()) for name in lasting[procedure])
        for block in blocks.blocks:
            if block.procedure == procedure:
                _block_slots(block, slots, next)
        for question in blocks.questions:
            if question.procedure == procedure and question.turn >= 0:
                _sealed_slots(game, question, slots, next)
        slots.areas[procedure] = (first, next.at)
    return attrs.evolve(slots, size=next.at)


def _block_slots(block: Block, slots: Slots, next: _Next) -> None:
    for step, _ in block.steps:
        if isinstance(step, StartLoop):
            slots.orders[step.loop.id] = next.take()
        elif isinstance(step, StartRepeat) and step.loop.times is not None:
            slots.times[step.loop.id] = next.take()
    if isinstance(block.end, NextDeferred):
        slots.deferred[block.id] = next.take()


def _sealed_slots(game: GameRules, question: QuestionBlocks, slots: Slots, next: _Next) -> None:
    branches = game.choices[question.choice].branches
    slots.todo[question.id], slots.owing[question.id] = next.take(), next.take()
    slots.widths[question.id] = 1 + max((len(branch.parameters) for branch in branches), default=0)
    slots.answers[question.id] = next.take(slots.widths[question.id] * len(game.seats))
