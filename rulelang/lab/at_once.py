"""A tree search in one call of machine code: what `mcts` hands it, and what it makes of the results.

dealt_at_once(seen, first, options, many)     the re-deals in which games begin
tried_at_once(seat, dealt, options, …)        the options as random games tried them
tries_at_once(seat, dealt, texts, …)          a function that tries some options by the score

All return None where Python has to search, which finds the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Protocol, TypeAlias, cast, runtime_checkable

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import written_answer
from rulelang.lab.nodes import Deal, tree_forms
from rulelang.lab.seat_view import SeatView, redealt_machines
from rulelang.machines.machine import Answer, Machine
from rulelang.machines.offers.offer import Offer
from rulelang.match.options.option import Option
from rulelang.program.results import ScoreSearch, SeenSlot, TreeSearch, Tried

Tries: TypeAlias = Callable[[Sequence[str], int], "list[list[float]] | None"]
"""Tries some options, so often; returns the worths of each to the seat that searches, or None if it cannot."""


class TriesCandidates(Protocol):
    """The tries of a few options of the root."""

    def tried(self, candidates: Sequence[int], tries: int) -> list[list[float]] | None:
        """Returns the worths of some candidates, each tried so often; None if the machine cannot go on."""


@runtime_checkable
class Searches(Protocol):
    """A machine that searches a tree by itself."""

    def may_search(self) -> bool:
        """Returns whether it can by now."""

    def search(self, asked: TreeSearch, deals: Sequence[Machine]) -> list[Tried] | None:
        """Returns the options of the root as random games from the re-deals in turn tried them; None if it cannot."""

    def search_by_score(self, asked: ScoreSearch, deals: Sequence[Machine]) -> TriesCandidates | None:
        """Returns the tries of candidates in the re-deals; None if it cannot."""


@cache
def _searches(machine: type[Machine]) -> bool:
    return issubclass(machine, Searches)


def may_search(deal: Deal) -> bool:
    """Returns whether the machine of a re-deal can search by itself by now."""
    return _searches(type(deal.machine)) and cast(Searches, deal.machine).may_search()


@attrs.frozen
class Beginnings:
    """The positions in which games begin.

    first      the first of them
    machines   those in all of them
    known      by position and seat: its knowledge, as a number; 0 if it follows from `seen`
    seen       by seat: the slots that it sees and the one that searches does not
    options    by position: the options of the one that searches, by written form
    """

    first: Deal
    machines: Sequence[Machine]
    known: Sequence[Sequence[int]]
    seen: Sequence[Sequence[SeenSlot]]
    options: Sequence[Mapping[str, Answer] | None]


def dealt_at_once(seen: SeatView, first: Deal, options: Mapping[str, Option], many: int) -> Beginnings | None:
    """Returns the first re-deal and others that a machine makes, so many in all; None, with nothing drawn, if it cannot."""
    found = redealt_machines(seen, many - 1)
    if found is None:
        return None
    machines, slots = found
    # A machine deals only what leaves a seat its own options.
    own = {text: option.answer for text, option in options.items()}
    known = [[0] * first.players] * many
    return Beginnings(
        first, [first.machine, *machines], known, slots, [_by_text(first, seen.seat, options)] + [own] * (many - 1)
    )


def dealt_in_turn(deals: Sequence[Deal], seat: Seat, options: Mapping[str, Option]) -> Beginnings:
    """Returns re-deals that were made one by one."""
    known, by_text = [deal.known_as_numbers() for deal in deals], [_by_text(deal, seat, options) for deal in deals]
    nothing: list[list[SeenSlot]] = [[] for _ in known[0]]
    return Beginnings(deals[0], [deal.machine for deal in deals], known, nothing, by_text)


def tried_at_once(
    seat: Seat,
    dealt: Beginnings,
    options: Mapping[str, Option],
    games: int,
    longest: int,
    breadth: float,
    curiosity: float,
    rng: int,
) -> list[Tried] | None:
    """Returns the options of a seat as so many random games tried them."""
    if any(by_text is None for by_text in dealt.options):
        return None
    first, rules = dealt.first, (longest, breadth, curiosity, rng)
    asked = TreeSearch(tree_forms(first.match), dealt.known, dealt.seen, games, first.players, seat, *rules)
    tried = cast(Searches, first.machine).search(asked, dealt.machines)
    choice = first.match.choice
    if tried is None or choice is None:
        return None
    own, game = {option.answer for option in options.values()}, first.match.game
    answers = [
        one.answer if one.answer in own else options[written_answer(game, choice, one.answer)].answer for one in tried
    ]
    return [attrs.evolve(one, answer=answer) for one, answer in zip(tried, answers, strict=True)]


def tries_at_once(
    seat: Seat,
    dealt: Beginnings,
    texts: Sequence[str],
    longest: int,
    breadth: float,
    curiosity: float,
    flat: int,
    ahead: int,
    replies: int,
    thought: array[int],
    rng: int,
) -> Tries | None:
    """Returns a function that tries some of these options by the score."""
    firsts = [[answers.get(text) for text in texts] for answers in dealt.options if answers is not None]
    if len(firsts) < len(dealt.machines):
        return None
    first, rules = dealt.first, (longest, breadth, curiosity, rng)
    tree = TreeSearch(tree_forms(first.match), dealt.known, dealt.seen, 0, first.players, seat, *rules)
    asked = ScoreSearch(tree, firsts, flat, ahead, replies, thought)
    tries = cast(Searches, first.machine).search_by_score(asked, dealt.machines)
    number = {text: n for n, text in enumerate(texts)}
    return None if tries is None else lambda some, many: tries.tried([number[text] for text in some], many)


def _by_text(deal: Deal, seat: Seat, options: Mapping[str, Option]) -> dict[str, Answer] | None:
    """Returns the options of a seat in a re-deal, by written form; None if they are none, or too many, or not all its own, or
    if some are written alike."""
    machine, choice = deal.machine, deal.match.choice
    try:
        answers = Offer(machine, seat).few
    except RuntimeRules:
        return None
    if not answers or choice is None:
        return None
    if len(answers) == len(options) and all(o.answer == a for o, a in zip(options.values(), answers, strict=True)):
        return dict(zip(options, answers, strict=True))
    texts = {written_answer(machine.game, choice, answer): answer for answer in answers}
    return texts if len(texts) == len(answers) and texts.keys() <= options.keys() else None
