"""A cell of a study and a range of its games -> the columns of its tables.

    games        a row for each game and seat: its share of the win, its score, how long it took, how it ended
    streams      the same of games that are played again, with one source of chance as it was
    and those of `watching`, for sampled games

Game number g of a cell has the seed and the seating that `numbered` says; those of one block share their chance.
Invariant: the same game is played alone, in any portion, and by `match_of`, which plays it as a match with a log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.errors import RulelangError, RuntimeRules
from rulelang.lab.arena import FAULT, UNFINISHED, lineups, scores_of, winning_seats
from rulelang.lab.bots import Bot, play_on
from rulelang.lab.cheating import measured
from rulelang.lab.luck import OneHeld, sources
from rulelang.lab.own_bots import BotFault, is_own_bot
from rulelang.playouts.batch import answers_base, rng_of
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.program import results
from rulelang.program.layout import LOST, PLAYING, RANKING, SCORE, UNDECIDED, WINNER
from rulelang.studies import watching
from rulelang.studies.measures import rounds_of
from rulelang.studies.watching import OptionNames, SampledGame, Valuing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rulelang.api import Game
    from rulelang.api.match import Match
    from rulelang.match.match import BareMatch
    from rulelang.match.options.option import Option
    from rulelang.studies.measures import Measure
    from rulelang.studies.study import Study

Columns = dict[str, Any]
"""A table: its columns by name, lists or arrays of one length; None where nothing is known."""


@attrs.frozen(eq=False)
class Coded:
    """A column of words, each given by its place in a list."""

    codes: Any
    words: tuple[str, ...]


@attrs.frozen(eq=False)
class WithGaps:
    """A column of numbers, some of them unknown."""

    numbers: Any
    are_known: Any


GAMES = (
    "game", "block", "seat", "bot", "won", "score", "answers", "rounds", "end", "rule", "fault",
)  # fmt: skip
STREAMS = "game", "stream", "seat", "won", "score"
TABLES: Mapping[str, tuple[str, ...]] = {"games": GAMES, "streams": STREAMS, **watching.TABLES}
"""The columns of all tables."""
KINDS = {
    WINNER: "winner",
    RANKING: "ranking",
    SCORE: "score",
    LOST: "lost",
    UNDECIDED: "undecided",
    PLAYING: UNFINISHED,
}
"""How a game ended, by the code of its outcome."""


@attrs.frozen
class CellSetup:
    """The game of a cell with all that its games need: how many play, what is agreed, who sits where."""

    game: Game
    players: int
    options: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]
    seatings: tuple[tuple[int, ...], ...]
    """By seating: by seat the number of its bot."""
    measures: tuple[Measure, ...] = ()
    home: str = ""
    """The folder at which the paths of bots in files begin; "" for where the process runs."""

    @cached_property
    def invited(self) -> tuple[Bot, ...]:
        """The bots by their numbers."""
        return tuple(measured(name, self.home) for name in self.bots)

    def valuing(self, study: Study) -> Valuing | None:
        """Returns the playouts by which positions are valued; None if none is."""
        if not study.values:
            return None
        bot = None if study.values_by == "random" else measured(study.values_by, self.home)
        return Valuing(study.values, bot)

    @cached_property
    def names(self) -> OptionNames:
        """The names under which options are counted."""
        return OptionNames(self.game.ir)

    @classmethod
    def of(
        cls,
        game: Game,
        players: int,
        study: Study,
        options: Mapping[str, str],
        measures: Sequence[Measure],
        home: str = "",
    ) -> CellSetup:
        """Returns the table of a cell: every bot sits equally often in every seat."""
        bots = ("random",) if study.is_random else study.bots[:players]
        (lineup,) = lineups(len(bots), players)
        seatings = tuple(dict.fromkeys(lineup[-shift:] + lineup[:-shift] for shift in range(players)))
        return cls(game, players, tuple(options.items()), bots, seatings, tuple(measures), home)

    @cached_property
    def hides(self) -> bool:
        """Whether the rules hide anything from a seat."""
        rules = self.game.ir
        return any(state.visible != "all" for state in rules.states) or any(
            zone.visible != "all" for zone in rules.zones
        )

    @cached_property
    def is_traced(self) -> bool:
        """Whether matches are traced: a bot that may look ahead must not see more than its seat, and without a trace it is
        not known which card left the box.
        """
        look = any(bot.looks_ahead or is_own_bot(bot.name) for bot in self.invited)
        return any(bot.redeals != "known" for bot in self.invited) or (self.hides and look)

    @property
    def is_random(self) -> bool:
        """Whether all play at random."""
        return set(self.bots) == {"random"}


@attrs.frozen
class Numbered:
    """The place of a game in its cell: its block, seating and repeat, and the seed of the bots."""

    block: int
    seating: int
    repeat: int
    bot_seed: int


def numbered(study: Study, seatings: int, number: int) -> Numbered:
    """Returns the place of game `number` of a cell; the games of a block follow each other."""
    block, within = divmod(number, seatings * study.repeats)
    seating, repeat = divmod(within, study.repeats)
    return Numbered(block, seating, repeat, study.bot_seed + block * study.repeats + repeat)


def match_of(table: CellSetup, study: Study, number: int, *, traced: bool) -> Match:
    """Returns the match of a game, in which nothing is chosen yet."""
    return table.game.start(table.players, _seed(table, study, number), dict(table.options), traced=traced)


def _seed(table: CellSetup, study: Study, number: int) -> int | str:
    """Returns the seed of the chance of a game."""
    return seed_of(study, numbered(study, len(table.seatings), number).block, at_random=table.is_random)


def seed_of(study: Study, block: int, *, at_random: bool) -> int | str:
    """Returns the seed of the chance of a block's games; of those that all play at random, it is that of a playout."""
    return f"{study.seed}:{block}" if at_random else study.seed + block


def answers(table: CellSetup, study: Study, match: BareMatch, number: int) -> Iterator[Option]:
    """Plays a match of a game on to its end; yields each option right after it was played."""
    which = numbered(study, len(table.seatings), number)
    if table.is_random:
        rng = rng_of(answers_base(_random_seed(study, which.repeat)), which.block)
        for _ in range(MOST_CHOICES):
            if not match.to_move:
                return
            option = match.options_of(match.to_move[0]).pick(rng.randrange)
            match.push(option)
            yield option
        return
    seated = tuple(table.invited[bot] for bot in table.seatings[which.seating])
    yield from play_on(match, seated, which.bot_seed)


def _random_seed(study: Study, repeat: int) -> str:
    return f"{study.bot_seed}:{repeat}"


def played(table: CellSetup, study: Study, first: int, many: int) -> dict[str, Columns]:
    """Returns the tables of `many` games of a cell, from number `first`, by name."""
    found: dict[str, Columns] = {name: {column: [] for column in columns} for name, columns in TABLES.items()}
    for measure in table.measures:
        found["games"][measure.name] = []
    watched = max(0, min(study.sampled - first, many))
    if table.is_random and not table.measures:
        _at_random(found["games"], table, study, first, many)
        rounds = [_one(found, table, study, number, is_counted=False) for number in range(first, first + watched)]
        found["games"]["rounds"] = _known_first(rounds, many, table.players)
    else:
        for number in range(first, first + many):
            _one(found, table, study, number, is_watched=number < first + watched)
    # Where several bots play, who sits where explains more than chance does.
    if len(table.bots) == 1:
        for number in range(first, min(first + many, study.streams * study.repeats)):
            if number % study.repeats == 0:
                _again(found["streams"], table, study, number)
    return found


AGAIN = 2**53
"""Added to the bots' seed for games that are played again: above every seed that a study may name."""


def _again(rows: Columns, table: CellSetup, study: Study, number: int) -> None:
    """Plays a game again for each source of chance, with that one as it was and all others and the bots' seeds anew."""
    seed, game, others = _seed(table, study, number), table.game, attrs.evolve(study, bot_seed=study.bot_seed + AGAIN)
    for name, streams in sources(game.ir).items():
        chance = OneHeld(seed, f"{seed}:again", streams, game.ir, game.internals.layout)
        match = None
        with suppress(RulelangError):
            match = game.start(table.players, options=dict(table.options), chance=chance, traced=table.is_traced)
            for _ in answers(table, others, match, number):
                pass
        scores = () if match is None else scores_of(match)
        for seat, won in enumerate(_won(match, table.players)):
            _add(rows, STREAMS, (number, name, seat, won, scores[seat] if scores else None))


def _at_random(games: Columns, table: CellSetup, study: Study, first: int, many: int) -> None:
    """Sets the columns of random games, which the machine plays by itself; `first` and `many` are whole blocks."""
    import numpy as np

    repeats = study.repeats
    parts = [
        table.game.playouts(
            many // repeats,
            table.players,
            study.seed,
            dict(table.options),
            first=first // repeats,
            bot_seed=_random_seed(study, repeat),
        )
        for repeat in range(repeats)
    ]
    lengths, ends, winners, scores, kinds = (
        np.stack([np.asarray(getattr(part, name)) for part in parts], axis=1).ravel()
        for name in ("lengths", "ends", "winners", "scores", "kinds")
    )
    won = winners[:, None] >> np.arange(table.players) & 1
    won = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    if table.players == 1:
        # A game for one that ends with a score is won.
        won[kinds == SCORE] = 1.0
    code = np.zeros(max(KINDS) + 1, dtype=np.int32)
    code[list(KINDS)] = range(1, len(KINDS) + 1)
    which = np.where(ends == results.FAULT, 0, code[kinds])
    numbers = np.arange(first, first + many)
    by_game: Columns = {"game": numbers, "block": numbers // repeats, "answers": lengths.astype(np.int32)}
    games |= {name: column.repeat(table.players) for name, column in by_game.items()}
    nobody = Coded(np.zeros(many * table.players, dtype=np.int32), ("",))
    faults = _words_of(table, study, numbers[which == 0], numbers.repeat(table.players))
    games |= {"rule": nobody, "fault": faults or nobody, "bot": Coded(nobody.codes, ("random",))}
    games["end"] = Coded(np.repeat(which, table.players), (FAULT, *KINDS.values()))
    scored = kinds == SCORE
    games["score"] = (
        WithGaps(np.repeat(scores, table.players), np.repeat(scored, table.players)) if scored.any() else None
    )
    games["seat"] = np.tile(np.arange(table.players, dtype=np.int16), many)
    games["won"] = won.ravel()


MOST_LOOKED = 40
"""The sampled games of a cell whose positions are compared and looked at where the rules hide something: that is slow."""
MOST_WORDS = 200
"""The most faults of random games in a chunk whose words are looked up, by playing once more."""


def _words_of(table: CellSetup, study: Study, failed: NDArray[Any], numbers: NDArray[Any]) -> Coded | None:
    """Returns the words of the faults of some random games, which machine code does not say, for the rows with these
    numbers of games; None if there is no fault."""
    import numpy as np

    if not len(failed):
        return None
    told = {int(number): _fault_of(table, study, int(number)) for number in failed[:MOST_WORDS]}
    words = tuple(dict.fromkeys(["", *told.values()]))
    codes = np.zeros(len(numbers), dtype=np.int32)
    for number, fault in told.items():
        codes[numbers == number] = words.index(fault)
    return Coded(codes, words)


def _fault_of(table: CellSetup, study: Study, number: int) -> str:
    """Returns the words of the fault with which a game ends."""
    try:
        for _ in answers(table, study, match_of(table, study, number, traced=False), number):
            pass
    except RulelangError as error:
        return str(error)
    return ""


def _known_first(found: Sequence[int | None], many: int, players: int) -> WithGaps | None:
    """Returns a column of numbers that are known of the first games of a chunk alone; None if none is."""
    import numpy as np

    numbers, known = np.zeros(many, dtype=np.int64), np.zeros(many, dtype=bool)
    for i, number in enumerate(found):
        if number is not None:
            numbers[i], known[i] = number, True
    return WithGaps(numbers.repeat(players), known.repeat(players)) if known.any() else None


def _one(
    found: dict[str, Columns],
    table: CellSetup,
    study: Study,
    number: int,
    *,
    is_watched: bool = True,
    is_counted: bool = True,
) -> int | None:
    """Plays one game as a match and adds its rows; the decisions if it `is_watched`, the game itself if it `is_counted`.
    Returns the number of rounds, if the rules count them."""
    try:
        is_looked_at = not table.hides or number < MOST_LOOKED
        traced = table.is_traced or (is_watched and is_looked_at and table.hides)
        match = match_of(table, study, number, traced=traced)
    except RuntimeRules as error:
        if is_counted:
            _count(found["games"], table, study, number, Ended(None, 0, error))
        return None
    watched = (
        SampledGame(
            f"{study.seed}:{number}",
            table.valuing(study),
            table.names,
            table.measures,
            hides=table.hides,
            is_looked_at=is_looked_at,
        )
        if is_watched
        else None
    )
    plies, fault = 0, None
    try:
        going = answers(table, study, match, number)
        while match.to_move:
            if watched is not None:
                watched.before(match)
            option = next(going, None)
            if option is None:
                break
            plies += 1
            if watched is not None:
                watched.after(option)
    except RulelangError as error:
        fault = error
    if is_counted:
        _count(found["games"], table, study, number, Ended(match, plies, fault))
    if watched is not None:
        for name, row in watched.rows(match, _won(match, table.players)):
            _add(found[name], TABLES[name], (number, *row))
    return rounds_of(match)


@attrs.frozen(eq=False)
class Ended:
    """A game that is over: its match, which is None if the set-up failed, its answers, and its fault, if any."""

    match: Match | None
    answers: int
    fault: RulelangError | None

    @property
    def how(self) -> tuple[str, str]:
        """The kind of its end and the rule; where a bot of somebody's file failed, its name stands in place of the rule."""
        outcome = None if self.match is None else self.match.outcome
        if outcome is not None:
            return outcome.kind, outcome.rule
        return UNFINISHED if self.fault is None else FAULT, self.fault.bot if isinstance(self.fault, BotFault) else ""


def _won(match: Match | None, players: int) -> list[float]:
    """Returns each seat's part of the win."""
    winners = () if match is None else winning_seats(match)
    return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(players)]


def _count(games: Columns, table: CellSetup, study: Study, number: int, ended: Ended) -> None:
    """Adds the rows of a game that is over."""
    which, match, players = numbered(study, len(table.seatings), number), ended.match, table.players
    scores, won = () if match is None else scores_of(match), _won(match, players)
    rounds = None if match is None else rounds_of(match)
    fault = "" if ended.fault is None else str(ended.fault)
    values = [[None] * players if match is None else measure.value(match, players) for measure in table.measures]
    for seat in range(players):
        bot = table.bots[table.seatings[which.seating][seat]]
        told = (scores[seat] if scores else None, ended.answers, rounds, *ended.how, fault)
        row = (number, which.block, seat, bot, won[seat], *told)
        for column, value in zip(GAMES, row, strict=True):
            games[column].append(value)
        for measure, by_seat in zip(table.measures, values, strict=True):
            games[measure.name].append(by_seat[seat])


def _add(columns: Columns, names: Sequence[str], row: Sequence[Any]) -> None:
    for name, value in zip(names, row, strict=True):
        columns[name].append(value)
