"""Ranks a seat's options by the score right after them, over a few re-deals."""

from __future__ import annotations

from array import array

from rulelang.ir.numbers import Seat
from rulelang.lab.policy import FEW, ScorePolicy, dice_of, few_of
from rulelang.lab.seat_view import SeatView, lone_option, machine_choice
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.playouts.rng import RandomStream
from rulelang.program.llvm.thinking.thought import ENDED
from rulelang.program.randomness import signed

DEALS = 3
"""The number of re-deals in which greedy compares options."""
MOST_OPTIONS = 48
"""The most options that are compared."""

STAY = 8
"""The fewest options that are tried in every re-deal."""


def choose_greedy(seen: SeatView) -> Option:
    """Returns the option with the best mean score over a few re-deals, with ties broken at random; a random option if
    the rules define no score.
    """
    if (lone := lone_option(seen)) is not None:
        return lone
    if (best := by_machine(seen)) is not None:
        return best
    deals = [seen.redeal() for _ in range(DEALS)]
    if deals[0].game.score is None:
        return seen.options.pick(seen.rng.randrange)
    return ranked(seen, deals, policy_for(seen, deals[0]))[0][0]


def by_machine(seen: SeatView) -> Option | None:
    """Returns the option that a machine finds by itself, the same as `choose_greedy` from the same random numbers; None if
    it does not."""
    call = machine_choice(seen, DEALS, STAY, MOST_OPTIONS)
    word = None if call is None else call.deal(seen.rng.word)
    if call is None or word is None:
        return None
    before, seen.rng.word = seen.rng.word, word
    rng = RandomStream("policy", seen.rng.randrange(2**62))
    _, keys = dice_of(rng)
    thought = array("q", [0, FEW, call.players, *keys, signed(rng.word)])
    answer = call.best(thought, seen.rng.word)
    if answer is None:
        seen.rng.word = before
        return None
    return seen.options.of_answer(answer)


def policy_for(seen: SeatView, deal: BareMatch) -> ScorePolicy:
    """Returns the policy with which a seat thinks in re-deals of its match."""
    return ScorePolicy(
        deal.game, deal.internals.layout, deal.players, RandomStream("policy", seen.rng.randrange(2**62))
    )


def ranked(seen: SeatView, deals: list[BareMatch], policy: ScorePolicy) -> list[tuple[Option, float]]:
    """Returns the options that were tried in all re-deals with their mean worth, best first, ties in random order.

    After each re-deal the better half remains, and at least as many as a planner needs.
    """
    there = seen.options.first(MOST + 1)
    own: list[Answer] | None = None
    if len(there) > MOST:
        left = seen.options.some(MOST_OPTIONS, seen.rng.randrange)
    else:
        own = [option.answer for option in there]
        left = few_of(there, MOST_OPTIONS, seen.rng, lambda option: option.answer[0])
    sums = {option.answer: 0.0 for option in left}
    for n, deal in enumerate(deals):
        if n:
            left = left[: max(len(left) // 2, STAY)]
        answers = answers_in(deal, seen.seat, left, own)
        worths = policy.after_each(deal.position.machine, seen.seat, list(answers.values()))
        found = dict(zip(answers, worths, strict=True))
        for option in left:
            sums[option.answer] += found.get(option.answer, -ENDED)
        left.sort(key=lambda option: -sums[option.answer])
    return [(option, sums[option.answer] / len(deals)) for option in left]


def answers_in(
    deal: BareMatch, seat: Seat, options: list[Option], own: list[Answer] | None = None
) -> dict[Answer, Answer]:
    """Returns the answers that options stand for in a re-deal, by their own, without those that are impossible there.

    `own` are all answers of the seat, if they are few: where they are those of the re-deal, nothing is looked up.
    """
    machine = deal.position.machine
    if own is not None and machine.options(seat) == own:
        return {option.answer: option.answer for option in options}
    there = Offer(machine, seat)
    few = there.few
    listed = there if few is None else frozenset(few)
    if all(option.answer in listed for option in options):
        return {option.answer: option.answer for option in options}
    # In the re-deal, a copy may stand for the thing in the option.
    written = {other.text: other.answer for other in deal.options_of(seat).first(MOST)}
    found = {option.answer: written.get(option.text, option.answer) for option in options}
    return {own: answer for own, answer in found.items() if answer in listed}
