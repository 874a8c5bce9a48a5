"""A match, a seat and a budget -> a re-deal, with a record of how it was drawn.

    counted   all that others did was understood: a deal is drawn from those that agree with it
    listed    the budget was enough to list the seat's information set: the draw is exact
    chain     it was not: a course that fits, after as many small changes as the budget allowed
    known     no course that fits was found: a position that agrees with the seat's knowledge of each thing, see
    `redeal`

The result depends on what the seat has seen and on the random numbers, not on the truth.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar, cast

import attrs

from rulelang.ir.numbers import Seat
from rulelang.knowledge.guesses import Rng, shuffled
from rulelang.machines.chance import Seeded, Watched
from rulelang.match.match import BareMatch
from rulelang.match.redeals.chain import CourseChain
from rulelang.match.redeals.listing import Listing
from rulelang.match.redeals.memory import Memory, Rest
from rulelang.match.redeals.redeal import counted, redeal
from rulelang.match.redeals.retrace import AnswerPolicy, Budget, Retrace
from rulelang.match.state import Chapter, RedealRecord

LISTED = 2
"""The listing gets one part in this many of the budget; the chain gets the rest."""

Some = TypeVar("Some", bound=BareMatch)


def drawn(
    match: Some, seat: Seat, rng: Rng, budget: int, policy: AnswerPolicy | None, traced: bool, *, chained: bool = True
) -> Some:
    """Returns a re-deal of a match for a seat; see `Match.redeal`. Unless `chained`, no chain is tried."""
    if budget and policy is None:
        exact = counted(match, seat, rng, traced=traced)
        if exact is not None:
            return cast(Some, exact)
    found = fitting(match, seat, rng, budget, policy, chained=chained)
    if found is not None:
        return laid(match, found.memory, found.course, rng, found.drawing, traced)
    return cast(Some, redeal(match, seat, rng, traced=traced))


@attrs.frozen(eq=False)
class FittingCourse:
    """A course of a match that a seat could not tell from the true one: a match of its own, with all of its past."""

    course: BareMatch
    memory: Memory
    drawing: RedealRecord


def fitting(
    match: BareMatch, seat: Seat, rng: Rng, budget: int, policy: AnswerPolicy | None = None, *, chained: bool = True
) -> FittingCourse | None:
    """Returns a course that a seat could not tell from the true one; None if the budget suffices for none. Unless `chained`,
    no chain is tried."""
    memory = remembered(match, seat) if budget else None
    if memory is None:
        return None
    listing, looked = listed(match, memory, budget, policy)
    if listing is not None and listing.courses:
        drawing = RedealRecord("listed", len(listing.courses), 0, looked)
        return FittingCourse(listing.drawn(rng).match, memory, drawing)
    if listing is None and chained:
        chain = CourseChain(Retrace(match, memory, Budget(budget - looked), policy), rng)
        last = chain.last()
        if last is not None:
            drawing = RedealRecord("chain", 0, chain.length, looked + chain.retrace.budget.looked)
            return FittingCourse(last, memory, drawing)
    return None


def remembered(match: BareMatch, seat: Seat) -> Memory | None:
    """Returns a seat's memory of a match, computed once for each moment."""
    chapter = match.internals.moment.chapter
    if chapter is None or not match.is_traced or match.chance:
        return None
    about: Hashable = ("memory", seat)
    if about not in chapter.listed:
        chapter.listed[about] = Memory.of(match, seat)
    memory = chapter.listed[about]
    assert memory is None or isinstance(memory, Memory)
    return memory


def listed(match: BareMatch, memory: Memory, budget: int, policy: AnswerPolicy | None) -> tuple[Listing | None, int]:
    """Returns the information set of a seat, computed once for each moment, and the number of positions visited for it.

    The set is None if its part of the budget does not suffice.
    """
    chapter = match.internals.moment.chapter
    assert chapter is not None
    about: Hashable = ("listing", memory.seat, budget)
    if policy is None and about in chapter.listed:
        found = chapter.listed[about]
    else:
        retrace = Retrace(match, memory, Budget(budget // LISTED), policy)
        found = Listing.of(retrace), retrace.budget.looked
        if policy is None:
            chapter.listed[about] = found
    assert isinstance(found, tuple)
    return found


def laid(match: Some, memory: Memory, course: BareMatch, rng: Rng, drawing: RedealRecord, traced: bool) -> Some:
    """Returns the match at the end of a course, with fresh chance
    and with the untouched parts of piles in a random order."""
    dealt = in_any_order(course, memory.rests, rng)
    machine = course.position.machine.fork()
    machine.row[:] = course.internals.references.renamed(machine.row, dealt, whose=False)
    machine.chance = Watched(Seeded(f"deal {rng.randrange(2**62)}", match.game, match.internals.layout))
    seal = course.position.seal
    if seal.before is not None and dealt:
        before = seal.before.fork()
        before.row[:] = course.internals.references.renamed(before.row, dealt, whose=False)
        seal = attrs.evolve(seal, before=before)
    knowledge = course.internals.moment.knowledge.renamed(memory.seat, dealt)
    moment = attrs.evolve(course.internals.moment, knowledge=knowledge, seal=seal)
    return match.internals.aside(memory.seat, traced=traced, told=True).internals.dealt(machine, moment, drawing)


def in_any_order(course: BareMatch, rests: tuple[Rest, ...], rng: Rng) -> dict[int, tuple[int, ...]]:
    """Returns new names, by kind, for the things in piles at positions that have made no difference yet."""
    chapters: list[Chapter] = []
    chapter = course.internals.moment.chapter
    while chapter is not None:
        chapters.append(chapter)
        chapter = chapter.previous
    names: dict[int, list[int]] = {}
    for rest in rests:
        order = chapters[-1 - rest.chapter].trail.draws[rest.draw].value
        assert isinstance(order, tuple)
        things = [order[at] for at in rest.positions]
        to = names.setdefault(rest.kind, list(range(course.game.kinds[rest.kind].size)))
        for thing, other in zip(things, shuffled(things, rng), strict=True):
            to[thing] = other
    return {kind: tuple(to) for kind, to in names.items()}
