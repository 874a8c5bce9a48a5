"""A tree search in one call of machine code: what `mcts` hands it, and what it makes of the results.

tried_at_once(seat, deals, options, …)             the options as random games tried them
tries_at_once(seat, deals, options, texts, …)      a function that tries some options by the score

Both return None where Python has to search, which finds the same.
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
from rulelang.lab.deals import Deal
from rulelang.lab.tree_forms import tree_forms
from rulelang.machines.machine import Answer, Machine
from rulelang.machines.offers.offer import Offer
from rulelang.match.options.option import Option
from rulelang.program.results import ScoreSearch, TreeSearch, Tried

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


def tried_at_once(
    seat: Seat,
    deals: Sequence[Deal],
    options: Mapping[str, Option],
    games: int,
    longest: int,
    breadth: float,
    curiosity: float,
    rng: int,
) -> list[Tried] | None:
    """Returns the options of a seat as so many random games tried them."""
    if any(_by_text(deal, seat, options) is None for deal in deals):
        return None
    first, known = deals[0], [deal.known_as_numbers() for deal in deals]
    asked = TreeSearch(tree_forms(first.match), known, games, first.players, seat, longest, breadth, curiosity, rng)
    tried = cast(Searches, first.machine).search(asked, [deal.machine for deal in deals])
    choice = first.match.choice
    if tried is None or choice is None:
        return None
    own = [options[written_answer(first.match.game, choice, one.answer)].answer for one in tried]
    return [attrs.evolve(one, answer=answer) for one, answer in zip(tried, own, strict=True)]


def tries_at_once(
    seat: Seat,
    deals: Sequence[Deal],
    options: Mapping[str, Option],
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
    by_deal = [_by_text(deal, seat, options) for deal in deals]
    firsts = [[answers.get(text) for text in texts] for answers in by_deal if answers is not None]
    if len(firsts) < len(deals):
        return None
    first, known = deals[0], [deal.known_as_numbers() for deal in deals]
    tree = TreeSearch(tree_forms(first.match), known, 0, first.players, seat, longest, breadth, curiosity, rng)
    asked = ScoreSearch(tree, firsts, flat, ahead, replies, thought)
    tries = cast(Searches, first.machine).search_by_score(asked, [deal.machine for deal in deals])
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
