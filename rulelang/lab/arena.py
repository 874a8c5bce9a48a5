"""Plays many games between bots and reports win rates, lengths of games and how they end.

    fixtures = schedule(bots=2, players=4, games=100)          # a seed and a seating for each game
    played = [play(start, bots, fixture) for fixture in fixtures]
    standings(played)                                          # rates with intervals, lengths, endings

A lineup is a set of bots that meet: all bots if there are enough seats, else every choice of as many bots as there are
seats; so in a game for one player each bot plays alone. All lineups play the same seeds, and within one seed every bot
sits equally often in every seat. Invariant: the result of a game depends on its fixture alone, so games may be played
in any order, on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import attrs

from rulelang.errors import RuntimeRules
from rulelang.knowledge.redaction import VALUE
from rulelang.lab.bots import Bot, play_on
from rulelang.lab.statistics import Rate, Spread
from rulelang.match.match import BareMatch

SeededStart = Callable[[int], BareMatch]
"""A function that starts the match of a seed; an untraced match is much faster."""
UNFINISHED = "unfinished"
"""The ending of a game that was cut short."""
FAULT = "fault"
"""The ending of a game in which the rules failed."""


@attrs.frozen
class Fixture:
    """One game to be played: its lineup, its seed, and by seat the position of its bot among all bots.

    `bot_seed` is the seed of the bots' rng, apart from the game's. The games of one lineup and seed are a block: they
    share their random numbers, so together they carry less information than as many independent games.
    """

    lineup: int
    seed: int
    seating: tuple[int, ...]
    bot_seed: int = 0


@attrs.frozen
class Played:
    """The outcome of one game: by seat its share of the win (1, or less if it is shared) and its score, if any.

    `end` is how and in which rule it ended: `("lost", "night")`. `noted` are the requested values at the end. `taken`
    counts the actions taken, by name. `fault` says what went wrong in the rules, if anything did.
    """

    fixture: Fixture
    won: tuple[Fraction, ...]
    scores: tuple[int, ...]
    plies: int
    end: tuple[str, str]
    noted: tuple[int, ...] = ()
    taken: tuple[tuple[str, int], ...] = ()
    fault: str = ""


@attrs.frozen
class Result:
    """The result of one bot over the games of its lineup; `rate` counts each of its seats, `score` is the mean or None."""

    bot: int
    rate: Rate
    score: float | None


@attrs.frozen
class Standing:
    """The statistics of one lineup's games.

    `ends` counts the ways games ended, most frequent first; `noted` counts, for each requested value, the games that
    ended with it and how many of those were won; `taken` counts the actions taken in all games, most frequent first;
    `faults` holds the seeds of games in which the rules went wrong, and the faults.
    """

    games: int
    results: tuple[Result, ...]
    plies: Spread
    ends: tuple[tuple[tuple[str, str], int], ...]
    noted: tuple[Mapping[int, tuple[int, int]], ...]
    taken: tuple[tuple[str, int], ...]
    faults: tuple[tuple[int, str], ...]


def schedule(
    bots: int, players: int, games: int, first_seed: int = 0, first_bot_seed: int | None = None
) -> Iterator[Fixture]:
    """Yields the games to play, the same number for each lineup.

    Both seeds count up from the first ones, block by block; without a first seed of the bots, it is the game's.

    >>> [fixture.seating for fixture in schedule(bots=2, players=2, games=4)]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    >>> [(fixture.seed, fixture.seating) for fixture in schedule(bots=2, players=1, games=2)]
    [(0, (0,)), (1, (0,)), (0, (1,)), (1, (1,))]
    """
    bot_seed = first_seed if first_bot_seed is None else first_bot_seed
    for number, lineup in enumerate(lineups(bots, players)):
        # A bot that sits in several seats makes some rotations equal; no game is played twice.
        turns = list(dict.fromkeys(lineup[-shift:] + lineup[:-shift] for shift in range(players)))
        for game in range(games):
            seed, turn = divmod(game, len(turns))
            yield Fixture(number, first_seed + seed, turns[turn], bot_seed + seed)


def lineups(bots: int, players: int) -> tuple[tuple[int, ...], ...]:
    """Returns the lineups, as positions of bots: with fewer bots than seats, they take turns.

    >>> lineups(3, 2), lineups(2, 4)
    (((0, 1), (0, 2), (1, 2)), ((0, 1, 0, 1),))
    """
    if bots > players:
        return tuple(combinations(range(bots), players))
    return (tuple(seat % bots for seat in range(players)),)


def play(start: SeededStart, bots: Sequence[Bot], fixture: Fixture, noted: Sequence[int] = ()) -> Played:
    """Plays one game and returns its outcome. `noted` are the slots of the row whose final values are recorded."""
    match = start(fixture.seed)
    seated = tuple(bots[position] for position in fixture.seating)
    taken, fault = Counter[str](), ""
    try:
        taken.update(option.branch for option in play_on(match, seated, fixture.bot_seed))
    except RuntimeRules as error:
        fault = str(error)
    outcome = match.outcome
    winners = winning_seats(match)
    return Played(
        fixture,
        tuple(Fraction(seat in winners, max(len(winners), 1)) for seat in range(match.players)),
        scores_of(match),
        taken.total(),
        (outcome.kind, outcome.rule) if outcome else (FAULT if fault else UNFINISHED, ""),
        tuple(match.position.row[slot] for slot in noted),
        tuple(sorted((name, times) for name, times in taken.items() if name != VALUE)),
        fault,
    )


def winning_seats(match: BareMatch) -> tuple[int, ...]:
    """Returns the winners; a solo game that ends with a score is won, a score that several share is nobody's win."""
    outcome = match.outcome
    if outcome is None:
        return ()
    return (0,) if outcome.kind == "score" and match.players == 1 else outcome.winners


def scores_of(match: BareMatch) -> tuple[int, ...]:
    """Returns each seat's score at the end of a game, the same for all where they share one; () if there are none."""
    outcome = match.outcome
    if outcome is None:
        return ()
    return outcome.scores * match.players if outcome.kind == "score" else outcome.scores


def standings(played: Iterable[Played]) -> tuple[Standing, ...]:
    """Returns the statistics of the games, by lineup."""
    by_lineup: dict[int, list[Played]] = {}
    for game in played:
        by_lineup.setdefault(game.fixture.lineup, []).append(game)
    return tuple(_standing(games) for _, games in sorted(by_lineup.items()))


def _standing(games: list[Played]) -> Standing:
    positions = sorted(set(games[0].fixture.seating))
    ends = Counter(game.end for game in games)
    noted = tuple(_noted(games, which) for which in range(len(games[0].noted)))
    taken: Counter[str] = Counter()
    for game in games:
        taken.update(dict(game.taken))
    return Standing(
        len(games),
        tuple(_result(games, bot) for bot in positions),
        Spread.of(game.plies for game in games),
        tuple(sorted(ends.items(), key=lambda end: (-end[1], end[0]))),
        noted,
        tuple(sorted(taken.items(), key=lambda item: (-item[1], item[0]))),
        tuple((game.fixture.seed, game.fault) for game in games if game.fault),
    )


def _result(games: list[Played], bot: int) -> Result:
    seats = [(game, seat) for game in games for seat, taken in enumerate(game.fixture.seating) if taken == bot]
    scores = [game.scores[seat] for game, seat in seats if game.scores]
    blocks: dict[int, list[Fraction]] = {}
    for game, seat in seats:
        blocks.setdefault(game.fixture.seed, []).append(game.won[seat])
    rate = Rate.of_blocks((float(sum(won, Fraction())), len(won)) for won in blocks.values())
    return Result(bot, rate, sum(scores) / len(scores) if scores else None)


def _noted(games: list[Played], which: int) -> dict[int, tuple[int, int]]:
    all = Counter(game.noted[which] for game in games)
    won = Counter(game.noted[which] for game in games if any(game.won))
    return {value: (all[value], won[value]) for value in sorted(all)}
