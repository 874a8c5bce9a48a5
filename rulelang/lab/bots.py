"""What a seat sees -> the option it takes: the bots, for every game alike.

    random    any option
    first     the first option, for games that must come out the same
    greedy    the option after which the game's own `score(p)` is best, over a few re-deals
    planner   of what looks best to greedy, the option that leads furthest, by the same score

A bot is given a `SeatView` and nothing else: its seat's view, its options, and re-deals of what it may not know, with
dice of their own. The real position, the seed and what others hold cannot be asked for there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import attrs

from rulelang.errors import RuntimeRules
from rulelang.lab.luck import Luck
from rulelang.runtime.match import Match
from rulelang.runtime.option import Option
from rulelang.runtime.redeal import redeal
from rulelang.runtime.view import View

DEALS = 3
"""How many re-deals greedy looks at."""
MOST_OPTIONS = 120
"""Of more options than this, greedy tries some at random."""
CANDIDATES = 4
"""Of the options that look best, planner tries so many."""
AHEAD = 4
"""For so many choices of its own."""
GLANCES = 40
"""Comparing so many options at each of them."""
POSITIONS = 900
"""How many positions planner looks at before it decides."""
MOST_ANSWERS = 40
"""In the middle of a step, so many questions are answered at most."""
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
    ranked = _ranked(seen)
    return ranked[0] if ranked else choose_random(seen)


def choose_planned(seen: SeatView) -> Option:
    """Takes, of the options that look best to greedy, the one that leads furthest when the seat goes on greedily for a while.

    All are tried in the same re-deals, one re-deal after another, until so many positions were looked at; so the same
    position gets the same thought on a slow machine. Without a score, any option at all.
    """
    if len(seen.options) == 1:
        return seen.options[0]
    tried = _ranked(seen)[:CANDIDATES]
    if len(tried) < 2:
        return tried[0] if tried else choose_random(seen)
    sums, looked = [0.0] * len(tried), 0
    while looked < POSITIONS:
        deal = seen.redeal()
        for i, option in enumerate(tried):
            worth, positions = _led_to(deal, option, seen)
            sums[i] += worth
            looked += positions
    return tried[max(range(len(tried)), key=lambda i: sums[i])]


BOTS = (
    Bot("random", "takes any option", choose_random),
    Bot("first", "takes the first option", choose_first),
    Bot("greedy", "takes what looks best one step ahead, by the game's own score", choose_greedy),
    Bot("planner", "tries what looks best to greedy for some choices ahead", choose_planned),
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


def _ranked(seen: SeatView) -> list[Option]:
    """Gives options by their mean score over a few re-deals, the best first and ties as luck will; [] without a score."""
    deals = _deals(seen)
    tried = _few(list(seen.options), MOST_OPTIONS, seen.luck) if deals else []
    seen.luck.shuffle(tried)
    worth = {o.text: sum(_worth(deal, offered.get(o.text), seen) for deal, offered in deals) for o in tried}
    return sorted(tried, key=lambda option: -worth[option.text])


def _worth(deal: Match, option: Option | None, seen: SeatView) -> float:
    """Gives what an option is worth in one re-deal: the seat's score once everybody who chooses with it has chosen, and
    what the seat is asked before its step is over is answered."""
    if option is None:
        return -ENDED
    match = deal.fork()
    try:
        match.push(option)
        while match.sealed and (others := list(match.options_of(match.to_move[0]))):
            match.push(seen.luck.choose(others))
        _finish_step(match, seen.seat)
        return _score(match, seen.seat)
    except RuntimeRules:
        return -ENDED


def _finish_step(match: Match, seat: int) -> int:
    """Answers what a seat is asked in the middle of a step, each as looks best at once; gives how often that was."""
    answers = 0
    while match.to_move == (seat,) and match.is_in_step and answers < MOST_ANSWERS:
        match.push(_best(match, list(match.options_of(seat)), seat))
        answers += 1
    return answers


def _best(match: Match, options: list[Option], seat: int) -> Option:
    """Gives the option after which a seat's score is best right away."""
    return max(options, key=lambda option: _after(match, option, seat)) if len(options) > 1 else options[0]


def _after(match: Match, option: Option, seat: int) -> float:
    next = match.fork()
    try:
        next.push(option)
        return _score(next, seat)
    except RuntimeRules:
        return -ENDED


def _score(match: Match, seat: int) -> float:
    """Gives the seat's score; a game that is over is won or lost, and a score that the rules give counts as won."""
    outcome = match.outcome
    if outcome is not None and outcome.kind == "score":
        return ENDED + 100 * outcome.scores[0]
    ended = 0 if outcome is None else ENDED if seat in outcome.winners else -ENDED
    return ended + (match.machine.score(seat) or 0)


# ------------------------------------------------------------------ further ahead


def _led_to(deal: Match, option: Option, seen: SeatView) -> tuple[float, int]:
    """Plays an option in a re-deal, and goes on greedily; gives the score then, and how many positions were looked at.

    What looks best is found out in a re-deal of the position reached: nobody sees the dice that are about to fall.
    """
    match, seat = deal.fork(), seen.seat
    offered = next((o for o in match.options_of(seat) if o.text == option.text), None)
    looked = 1
    try:
        for _ in range(AHEAD):
            if offered is None:
                break
            match.push(offered)
            _finish_step(match, seat)
            if match.to_move != (seat,):
                break
            other = redeal(match, seat, seen.luck)
            there = {o.text: o for o in other.options_of(seat)}
            glanced = _few(list(match.options_of(seat)), GLANCES, seen.luck)
            looked += len(glanced)
            offered = max(glanced, key=lambda o: _worth(other, there.get(o.text), seen))
        return _score(match, seat), looked
    except RuntimeRules:
        return -ENDED, looked


def _few(options: list[Option], most: int, luck: Luck) -> list[Option]:
    """Gives a few of many options, whichever."""
    while len(options) > most:
        options.pop(luck.randrange(len(options)))
    return options


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
