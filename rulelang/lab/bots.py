"""The bots: each turns a seat's view into an option, in any game.

random    a random option
    first     the first option, for reproducible games
    greedy    the option after which the game's own `score(p)` is best, over a few re-deals
    planner   the option that leads to the best score when everyone then follows that score for a while
    mcts      the option tried most often in a tree search

A bot is given only a `SeatView`: its seat's view, its options, and re-deals of the hidden
parts, with dice of their own. `planner:500` is a planner that visits 500 positions before
it chooses; `mcts:500` plays 500 imagined games. Re-deals agree with what the seat knows
of each thing; those of `greedy:listed` and `planner:500:chain` are reached by legal play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import attrs

from rulelang.lab.greedy import choose_greedy
from rulelang.lab.mcts import choose_searched
from rulelang.lab.planner import choose_planned
from rulelang.lab.seat_view import OpenView, SeatView
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.state import RedealKind
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.playouts.rng import RandomStream

MOST_POSITIONS = 100_000_000
REDEALS: tuple[RedealKind, ...] = ("known", "listed", "chain")
"""The kinds of re-deals with which the name of a bot may end."""


@attrs.frozen
class Bot:
    """A strategy that can play every game."""

    name: str
    about: str
    choose: Callable[[SeatView], Option] = attrs.field(repr=False)
    needs_score: bool = False
    """Whether it plays at random if the rules define no `score`."""
    redeals: RedealKind = "known"
    """The kind of its re-deals; those that replay the match need a traced one."""
    looks_ahead: bool = False
    """Whether it plays on from many positions before it chooses."""
    sees_all: bool = False
    """Whether it looks ahead from the true position; see `cheating`."""


def choose_random(seen: SeatView) -> Option:
    """Returns a random option."""
    return seen.options.pick(seen.rng.randrange)


def choose_first(seen: SeatView) -> Option:
    """Returns the first option."""
    found = seen.options.first(1)
    return found[0] if found else seen.options.pick(seen.rng.randrange)


BOTS = (
    Bot("random", "takes any option", choose_random),
    Bot("first", "takes the first option", choose_first),
    Bot(
        "greedy", "takes what looks best one step ahead, by the game's own score", choose_greedy, True, looks_ahead=True
    ),
    Bot(
        "planner",
        "takes what leads furthest when all go on greedily for a while",
        choose_planned,
        True,
        looks_ahead=True,
    ),
    Bot("mcts", "takes what most of many imagined games began with", choose_searched, looks_ahead=True),
)
"""The bots, by the names that `--seat red=greedy` takes."""


def bot(name: str) -> Bot:
    """Returns a bot by its name. Raises KeyError for an unknown one.

    >>> bot("greedy").redeals, bot("planner:500:listed").redeals
    ('known', 'listed')
    """
    kind, *rest = name.split(":")
    found = {bot.name: bot for bot in BOTS}[kind]
    redeals: RedealKind | None = next((how for how in REDEALS if rest[-1:] == [how]), None)
    if redeals is not None:
        if found.choose in (choose_random, choose_first) or (rest[-2:-1] and rest[-2] in REDEALS):
            raise KeyError(name)
        plain = bot(name.removesuffix(f":{redeals}"))
        return attrs.evolve(plain, name=name, redeals=redeals, choose=partial(_choose_by, redeals, plain.choose))
    if not rest:
        return found
    budget = ":".join(rest)
    if not (budget.isascii() and budget.isdigit()):
        raise KeyError(name)
    most = min(int(budget[:9]), MOST_POSITIONS)
    if found.choose is choose_planned:
        return attrs.evolve(found, name=name, choose=partial(choose_planned, positions=most))
    if found.choose is choose_searched:
        return attrs.evolve(found, name=name, choose=partial(choose_searched, iterations=most))
    raise KeyError(name)


def _choose_by(redeals: RedealKind, choose: Callable[[SeatView], Option], seen: SeatView) -> Option:
    seen.deal_by(redeals)
    return choose(seen)


def looks_ahead(bot: Bot | None) -> bool:
    """Returns whether a seat's player looks ahead, so that machine code pays off; people do not."""
    return bot is not None and bot.looks_ahead


def play_on(match: BareMatch, bots: tuple[Bot, ...], seed: int | str, *, most: int = MOST_CHOICES) -> Iterator[Option]:
    """Plays a match to its end with one bot for each seat; yields each option after it is played."""
    for ply in range(most):
        if not match.to_move:
            return
        seat = match.to_move[0]
        look = OpenView if bots[seat].sees_all else SeatView
        option = bots[seat].choose(look(match, seat, RandomStream(seed, "bot", seat, ply)))
        match.push(option)
        yield option
