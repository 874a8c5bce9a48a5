"""A match and a seat -> another match that this seat could not tell from the first: what a bot may think about.

Each thing that the seat does not know becomes another that it could be as well; hidden variables and sealed answers of the
others become what they could have been; the dice to come are fresh. What comes out depends on what the seat knows and on the
luck, not on what is true.

    red knows its two tokens; the other 18 lie anywhere else, as many in each place as before
"""

from __future__ import annotations

from rulelang.errors import RuntimeRules
from rulelang.runtime.knowledge import Knowledge, Rng
from rulelang.runtime.machine import Answer, Machine
from rulelang.runtime.match import Match, Seal
from rulelang.runtime.random import Seeded
from rulelang.runtime.recording import Watched
from rulelang.runtime.view import knowledge_of
from rulelang.runtime.words import EVERYONE, written_answer

TRIES = 16
"""Deals that are tried before the seat's own options come out as they are."""


def redeal(match: Match, seat: int, rng: Rng, *, traced: bool = False) -> Match:
    """Gives a match in a position that the seat cannot tell from this one, with fresh luck; untraced unless asked for.

    Where no deal is found in which the seat has the options that it has, this position with fresh luck.
    """
    offered = _offered(match, match.machine, seat)
    knowledge = knowledge_of(match)
    for _ in range(TRIES):
        dealt = _deal(match, knowledge, seat, rng, traced)
        if dealt is not None and _offered(match, dealt.machine, seat) == offered:
            return dealt
    same = match.machine.fork()
    same.chance = _luck(match, rng)
    return match.aside(same, knowledge, seat, match.seal, traced=traced)


def _deal(match: Match, knowledge: Knowledge, seat: int, rng: Rng, traced: bool) -> Match | None:
    """Gives one deal; None where the others could not have answered in it as they must have."""
    machine = (match.seal.before or match.machine).fork()
    machine.chance = _luck(match, rng)
    deals = {kind.id: knowledge.deal(seat, kind.id, rng) for kind in match.game.kinds if kind.movable}
    changed = {kind: to for kind, to in deals.items() if any(new != old for old, new in enumerate(to))}
    machine.row[:] = match.naming.renamed(machine.row, changed, whose=False)
    _guess_cells(match, machine, knowledge, seat, rng)
    seal = Seal(before=machine.fork()) if match.seal.answers else Seal()
    for other, answer in match.seal.answers:
        again = answer if other == seat else _answer_of(machine, other, rng)
        if again is None or not machine.allows(other, again):
            return None
        try:
            machine.answer(other, again)
        except RuntimeRules:
            return None
        seal = Seal((*seal.answers, (other, again)), seal.before)
    return match.aside(machine, knowledge.renamed(seat, changed), seat, seal, traced=traced)


def _answer_of(machine: Machine, seat: int, rng: Rng) -> Answer | None:
    """Gives anything that a seat could have answered; None if there is nothing."""
    answers = list(machine.options(seat))
    return answers[rng.randrange(len(answers))] if answers else None


def _luck(match: Match, rng: Rng) -> Watched:
    return Watched(Seeded(f"deal {rng.randrange(2**62)}", match.game, match.layout))


def _guess_cells(match: Match, machine: Machine, knowledge: Knowledge, seat: int, rng: Rng) -> None:
    """Gives each hidden variable that the seat may not see a value that it could have."""
    bit = match.sight.bit(seat)
    for slot, values in sorted(knowledge.cells.items()):
        state = next(
            state
            for state, start in zip(match.game.states, match.layout.states, strict=True)
            if start <= slot < start + match.layout.state_sizes[state.id]
        )
        seers = match.sight.of_cell(state, slot - match.layout.states[state.id], match.row)
        if seers != EVERYONE and not seers & bit and len(values) > 1:
            machine.row[slot] = values[rng.randrange(len(values))]


def _offered(match: Match, machine: Machine, seat: int) -> list[str]:
    """Gives what a seat may do, in words: interchangeable things are the same words."""
    pending = machine.pending
    if pending is None or seat not in pending.seats:
        return []
    choice = match.game.choices[pending.choice]
    return sorted(written_answer(match.game, choice, answer) for answer in machine.options(seat))
