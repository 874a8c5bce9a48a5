"""What a seat sees -> the option it takes: the bots, for every game alike.

    random    any option
    first     the first option, for games that must come out the same
    greedy    the option after which the game's own `score(p)` is best, over a few re-deals

A bot is given a `SeatView` and nothing else: its seat's view, its options, and re-deals of what it may not know, with
dice of their own. The real position, the seed and what others hold cannot be asked for there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import CallValue, Const
from rulelang.lab.luck import Luck
from rulelang.runtime.evaluate import evaluate
from rulelang.runtime.match import Match
from rulelang.runtime.option import Option
from rulelang.runtime.redeal import redeal
from rulelang.runtime.view import View

DEALS = 3
"""How many re-deals greedy looks at."""
MOST_OPTIONS = 120
"""Of more options than this, greedy tries some at random."""
ENDED = 1_000_000
"""What winning is worth above any score; losing is as much below."""


class SeatView:
    """What one seat has to go by: `seat`, `options`, `view()` and `redeal()`."""

    __slots__ = ("_look", "_redeal", "luck", "options", "seat")

    def __init__(self, match: Match, seat: int, luck: Luck) -> None:
        self.seat = seat
        self.luck = luck
        # A label is put into words by the match, which a bot must not have.
        self.options = tuple(attrs.evolve(option, label=None) for option in match.options_of(seat))
        self._look: Callable[[], View] = partial(match.view, seat)
        self._redeal: Callable[[], Match] = partial(redeal, match, seat, luck)

    def view(self) -> View:
        """Gives what the seat may know."""
        return self._look()

    def redeal(self) -> Match:
        """Gives a position that this seat could not tell from the real one, with fresh dice."""
        return self._redeal()


@attrs.frozen
class Bot:
    """One way to play every game."""

    name: str
    about: str
    choose: Callable[[SeatView], Option] = attrs.field(repr=False)


def choose_random(seen: SeatView) -> Option:
    """Takes any option."""
    return seen.luck.choose(seen.options)


def choose_first(seen: SeatView) -> Option:
    """Takes the first option."""
    return seen.options[0]


def choose_greedy(seen: SeatView) -> Option:
    """Takes the option with the best mean score over a few re-deals; of several, any. Without a score, any at all."""
    if len(seen.options) == 1:
        return seen.options[0]
    deals = _deals(seen)
    if not deals:
        return choose_random(seen)
    tried = _some(seen)
    worth = [sum(_worth(deal, offered.get(option.text), seen) for deal, offered in deals) for option in tried]
    best = max(worth)
    return seen.luck.choose([option for option, value in zip(tried, worth, strict=True) if value == best])


BOTS = (
    Bot("random", "takes any option", choose_random),
    Bot("first", "takes the first option", choose_first),
    Bot("greedy", "takes what looks best one step ahead, by the game's own score", choose_greedy),
)
"""The bots, by the names that `--seat red=greedy` takes."""


def bot(name: str) -> Bot:
    """Gives a bot by its name; KeyError where there is none."""
    return {bot.name: bot for bot in BOTS}[name]


# ------------------------------------------------------------------ one step ahead


def _deals(seen: SeatView) -> list[tuple[Match, dict[str, Option]]]:
    """Gives re-deals with what the seat may do there, by how it is written: of things written alike another may be meant."""
    deals: list[tuple[Match, dict[str, Option]]] = []
    for _ in range(DEALS):
        deal = seen.redeal()
        if deal.game.score is None:
            return []
        deals.append((deal, {option.text: option for option in deal.options_of(seen.seat)}))
    return deals


def _some(seen: SeatView) -> list[Option]:
    options = list(seen.options)
    while len(options) > MOST_OPTIONS:
        options.pop(seen.luck.randrange(len(options)))
    return options


def _worth(deal: Match, option: Option | None, seen: SeatView) -> float:
    """Gives what an option is worth in one re-deal: the seat's score once everybody who chooses with it has chosen."""
    if option is None:
        return -ENDED
    match = deal.fork()
    try:
        match.push(option)
        while match.sealed and match.to_move:
            match.push(seen.luck.choose(list(match.options_of(match.to_move[0]))))
        return _score(match, seen.seat)
    except RuntimeRules:
        return -ENDED


def _score(match: Match, seat: int) -> float:
    outcome = match.outcome
    ended = 0 if outcome is None else ENDED if seat in outcome.winners else -ENDED
    assert match.game.score is not None
    score = evaluate(CallValue(match.game.score, (Const(seat),)), match.row, {}, match.game, match.layout)
    return ended + score


# ------------------------------------------------------------------ whole games


def play_on(match: Match, bots: tuple[Bot, ...], seed: int | str, *, most: int = 100_000) -> Iterator[Option]:
    """Lets a bot a seat play a match to its end, and yields each option once it is played."""
    for _ in range(most):
        if not match.to_move:
            return
        seat = match.to_move[0]
        option = bots[seat].choose(SeatView(match, seat, Luck(seed, "bot", seat, match.inputs)))
        match.push(option)
        yield option
