"""Many random games -> arrays of their winners, scores and lengths.

    found = load("connect_four").playouts(1000, seed=7)
    found.wins(0), found.shared, found.draws, found.undecided, found.unfinished

Each playout has an rng and dice of its own, from the seed and its number, so it is the same in any batch and on any executor.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Protocol, cast

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded, stream_keys
from rulelang.machines.machine import Chance, Machine, Silent
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from rulelang.program.layout import LOST, OUTCOME, OUTCOME_VALUE, PLAYING, RANKING, SCORE, UNDECIDED, WINNER, Layout
from rulelang.program.randomness import STEP, WORD, key_of, mixed
from rulelang.program.results import FAULT, LEFT_OVER, RESULTS, UNFINISHED, ManyGames, PlayoutResult, result_of


@attrs.frozen
class Playouts:
    """The results of some playouts, one entry each; `numpy.asarray` takes each column without copying it.

    lengths     the number of choices made
    ends        FINISHED, UNFINISHED (it was cut) or FAULT
    winners     the mask of the seats that won, or came first; 0 if nobody did
    scores      the score with which the game ended; 0 if it ended otherwise
    kinds       the code of its outcome in `program.layout`; PLAYING if it was cut or failed
    seats       the number of seats
    counts      by the name of a rule that was asked for: how often it began

    `wins` of each seat, `shared`, `draws`, `lost`, `scored`, `undecided`, `unfinished` and `faults` add up to all: each
    playout is counted once.
    """

    lengths: array[int]
    ends: array[int]
    winners: array[int]
    scores: array[int]
    kinds: array[int]
    seats: int = attrs.field(kw_only=True)
    counts: Mapping[str, array[int]] = attrs.field(factory=dict, kw_only=True)

    def __len__(self) -> int:
        return len(self.lengths)

    def wins(self, seat: Seat) -> int:
        """Returns the number of playouts that a seat won alone."""
        return self.winners.count(1 << seat)

    @property
    def shared(self) -> int:
        """The number of playouts won by several seats together, though not by all."""
        return sum(mask & (mask - 1) != 0 and mask != self._all for mask in self.winners)

    @property
    def draws(self) -> int:
        """The number of playouts that nobody won, by `finish with winner {}`, or all seats together."""
        drawn = (0, self._all) if self.seats > 1 else (0,)
        told = zip(self.kinds, self.winners, strict=True)
        return sum(kind in (WINNER, RANKING) and mask in drawn for kind, mask in told)

    @property
    def lost(self) -> int:
        """The number of playouts that ended by `finish lost`."""
        return self.kinds.count(LOST)

    @property
    def scored(self) -> int:
        """The number of playouts that ended by `finish with score`."""
        return self.kinds.count(SCORE)

    @property
    def undecided(self) -> int:
        """The number of playouts that ended without a `finish`."""
        return self.kinds.count(UNDECIDED)

    @property
    def unfinished(self) -> int:
        """The number of playouts cut short."""
        return self.ends.count(UNFINISHED)

    @property
    def faults(self) -> int:
        """The number of playouts that ended by a fault of the rules."""
        return self.ends.count(FAULT)

    @property
    def _all(self) -> int:
        """The mask of all seats."""
        return (1 << self.seats) - 1


class PlaysMany(Protocol):
    """A machine that plays many random games by itself."""

    @property
    def is_ready(self) -> bool:
        """Whether it can do so by now; until then, games are played one by one."""

    def play_many(self, games: ManyGames) -> array[int]:
        """Returns the columns of `Playouts`, one after another, and those of counts behind them; the end of a playout
        that could not be played is LEFT_OVER."""


Fresh = Callable[[Chance], Machine]


PIECES = 8
"""The number of pieces of a batch for each thread: while machine code plays one, Python prepares another."""


def answers_base(seed: int | str) -> int:
    """Returns the number from which the rng of each playout of a seed comes; see `rng_of`."""
    return key_of(str(seed), "playouts")


def rng_of(base: int, number: int) -> RandomStream:
    """Returns the rng of a playout by its number."""
    rng = RandomStream()
    rng.word = mixed((base + number * STEP) & WORD)
    return rng


def played(
    game: GameRules,
    layout: Layout,
    fresh: Fresh,
    other: Fresh,
    players: int,
    many: int,
    *,
    seed: int | str = 0,
    bot_seed: int | str | None = None,
    first: int = 0,
    options: Mapping[int, int] | None = None,
    most: int,
    threads: int = 1,
    counts: Sequence[str] = (),
    under_way: bool = False,
) -> Playouts:
    """Returns the results of `many` playouts, from number `first`, on machines of `fresh`, and of `other` for those that
    trap. `seed` is that of chance, `bot_seed` that of the answers, by default the same.

    The machines of a game that is `under_way` are in the middle of it, and go on from there. `counts` are names of rules.
    """
    base = answers_base(seed if bot_seed is None else bot_seed)
    pieces = 1 if threads == 1 else min(PIECES * threads, max(many, 1))
    shares = [(first + many * i // pieces, first + many * (i + 1) // pieces) for i in range(pieces)]
    columns = _columns_of(game, counts) if counts else None
    batch = _Batch(
        game, layout, fresh, other, 0 if under_way else players, dict(options or {}), str(seed), base, most, columns
    )
    if threads == 1:
        found = batch.run(*shares[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(lambda share: batch.run(*share), shares))
        found = tuple(map(_joined, zip(*parts, strict=True)))
    return Playouts(*found[:RESULTS], seats=players, counts=dict(zip(counts, found[RESULTS:], strict=True)))


def _columns_of(game: GameRules, counts: Sequence[str]) -> array[int]:
    """Returns the columns of the rules with these names; see `ManyGames`."""
    return array("q", [RESULTS + counts.index(rule.name) if rule.name in counts else -1 for rule in game.rules])


class RuleCounts(Silent):
    """Counts how often rules begin: `found` is the end of a playout's entries, in the `columns` of `ManyGames`."""

    def __init__(self, columns: array[int]) -> None:
        self._columns, self.found = columns, [0] * (max(columns) + 1 - RESULTS)

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        """Counts a rule that begins."""
        column = self._columns[rule]
        if column >= 0:
            self.found[column - RESULTS] += 1


def _joined(parts: Iterable[array[int]]) -> array[int]:
    whole = array("q")
    for part in parts:
        whole.extend(part)
    return whole


def _as_many(machine: Machine) -> PlaysMany | None:
    """Returns a machine that plays many games by itself, else None; testing for a protocol would take longer than ten
    games of tic-tac-toe."""
    return cast(PlaysMany, machine) if hasattr(machine, "play_many") else None


@attrs.frozen
class _Batch:
    """The parts shared by the playouts of a batch."""

    game: GameRules
    layout: Layout
    fresh: Fresh
    other: Fresh
    players: int
    options: dict[int, int]
    seed: str
    base: int
    most: int
    columns: array[int] | None

    def run(self, first: int, end: int) -> tuple[array[int], ...]:
        """Returns the columns of the playouts with these numbers."""
        machine = _as_many(self.fresh(self._dice(first))) if first < end else None
        play = self._one if self.columns is None else partial(self._counted, self.columns)
        alone: list[tuple[int, ...]] = []
        # Until machine code has been compiled beside, games are played one by one.
        while machine is not None and first < end and not machine.is_ready:
            alone.append(play(first))
            first += 1
        together = self._together(machine, play, first, end)
        if not alone:
            return together
        return tuple(array("q", [*one, *many]) for one, many in zip(zip(*alone, strict=True), together, strict=True))

    def _together(
        self, machine: PlaysMany | None, play: Callable[[int], tuple[int, ...]], first: int, end: int
    ) -> tuple[array[int], ...]:
        """Returns the columns of the playouts that a machine finishes by itself."""
        many, keys = end - first, self._keys(first, end)
        games = ManyGames(self.players, self.options, self.base, first, many, self.most, keys, self.columns)
        found = games.left_over() if machine is None else machine.play_many(games)
        columns = tuple(found[many * i : many * (i + 1)] for i in range(games.width))
        left = (i for i, came in enumerate(columns[1]) if came == LEFT_OVER) if LEFT_OVER in columns[1] else ()
        for i in left:
            for column, entry in zip(columns, play(first + i), strict=True):
                column[i] = entry
        return columns

    def _keys(self, first: int, end: int) -> array[int]:
        """Returns the keys of all streams of some playouts."""
        return stream_keys(map(self._seed, range(first, end)), self.game)

    def _dice(self, number: int) -> Seeded:
        return Seeded(self._seed(number), self.game, self.layout)

    def _seed(self, number: int) -> str:
        return f"{self.seed}:{number}"

    def _one(self, number: int) -> PlayoutResult:
        machine = self.fresh(self._dice(number))
        try:
            self._begin(machine)
            plies = playout(machine, rng_of(self.base, number), self.most)
        except RulelangError:
            return self._before_fault(number), FAULT, 0, 0, PLAYING
        return result_of(plies, machine.row[OUTCOME], machine.row[OUTCOME_VALUE], is_over=machine.pending is None)

    def _counted(self, columns: array[int], number: int) -> tuple[int, ...]:
        """Returns the entries of a playout, then the counts of its rules: a step that fails counts for nothing."""
        machine, rng, plies = self.fresh(self._dice(number)), rng_of(self.base, number), 0
        machine.trace = begun = RuleCounts(columns)
        found = begun.found[:]
        try:
            self._begin(machine)
            found = begun.found[:]
            while plies < self.most and playout(machine, rng, 1):
                plies, found = plies + 1, begun.found[:]
        except RulelangError:
            return plies, FAULT, 0, 0, PLAYING, *found
        row = machine.row
        return *result_of(plies, row[OUTCOME], row[OUTCOME_VALUE], is_over=machine.pending is None), *found

    def _begin(self, machine: Machine) -> None:
        if self.players:
            machine.begin(self.players, self.options)

    def _before_fault(self, number: int) -> int:
        """Returns the number of answers before a fault of the rules, by playing once more."""
        machine, rng, plies = self.other(self._dice(number)), rng_of(self.base, number), 0
        with suppress(RulelangError):
            self._begin(machine)
            while playout(machine, rng, 1):
                plies += 1
        return plies
