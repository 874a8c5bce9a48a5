"""Sources of chance for machines: a seed, a script, or results given from outside; and a wrapper that records draws.

    Seeded      f(seed, stream, number of earlier draws from it): a small counter-based generator of our own
    Dice        f(seed, number of earlier draws from all streams): the same numbers for all options that are compared
    Scripted    given results first, then another source: scenarios (`roll yellow 3, 1`), replays of logs

The number of draws of each stream is in the row, at `Layout.counters`, and nowhere else: copying a row copies its future draws
(only `machines.explicit` counts the outcomes it has given). Each draw, scripted or not, increments its stream's counter. Streams
are identified by name, so a new die does not change the rolls of others.

    die yellow: 1, 1, 2, 2, 3, 3       # stream "yellow"
    stack: pile of Bonus               # stream "shuffle stack"
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.picks import thrown_from
from rulelang.machines.machine import Chance
from rulelang.program.layout import Layout
from rulelang.program.randomness import STEP, WORD, coded, key_of, keys_in, mixed, written_keys

ChanceOutcome: TypeAlias = int | tuple[int, ...]
"""A face, a picked value, or a pile's new order, top first."""
DrawForm: TypeAlias = Literal["roll", "pick", "shuffle"]
"""The ways in which a random outcome is drawn."""

ChanceDraw: TypeAlias = tuple[DrawForm, int, ChanceOutcome]
"""A draw: form, stream, outcome."""

NamedOutcome: TypeAlias = int | frozenset[int]
"""A value, or any one of several that are written alike."""


class ImpossibleOutcome(RulelangError):
    """A script asks for an impossible outcome: a face that the die lacks, a card that is not in the pile."""


# ------------------------------------------------------------------ seeded


class Seeded:
    """Chance from a seed: an int or a text; `7` and `"7"` are the same seed."""

    def __init__(self, seed: int | str, game: GameRules, layout: Layout) -> None:
        self._game = game
        self._counters = layout.counters
        self._layout = layout
        self.seed = str(seed)
        self._keys: dict[int, int] = {}
        self._written: dict[int, list[int]] = {}

    def know(self, keys: Iterable[int]) -> None:
        """Draws by these keys, one for each stream, whatever the seed is."""
        self._keys = dict(enumerate(keys))

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns a face, each position equally likely."""
        return faces[_below(self.draw(row, stream), len(faces))]

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the value with the lowest f(seed, stream, number of the pick, value); another candidate changes the
        pick only by winning.
        """
        word = self.draw(row, stream)
        keys = self._keys_of(among, self._layout.picked.get(stream))
        return min(zip(keys, among, strict=True), key=lambda pair: (mixed(word ^ pair[0]), pair[1]))[1]

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the things sorted by f(seed, pile, number of the shuffle, thing); another thing does not disturb the
        order of the rest.
        """
        word = self.draw(row, stream)
        written = self._written_of(kind)
        return sorted(things, key=lambda thing: (mixed(word ^ written[thing]), thing))

    def _written_of(self, kind: int) -> list[int]:
        if kind not in self._written:
            self._written[kind] = written_keys(self._game.kinds[kind])
        return self._written[kind]

    def _keys_of(self, values: list[int], kind: int | None) -> list[int]:
        """Returns 64 bits for each value: for a thing from its written name, for a number from the number and the
        count of equal ones before it.
        """
        if kind is not None:
            written = self._written_of(kind)
            if all(0 <= value < len(written) for value in values):
                return [written[value] for value in values]
        seen: dict[int, int] = {}
        keys = []
        for value in values:
            copy = seen[value] = seen.get(value, -1) + 1
            keys.append(mixed((value + copy * STEP) & WORD))
        return keys

    def draw(self, row: Row, stream: int) -> int:
        """Returns 64 bits for the next draw of a stream; the row counts the draw."""
        slot = self._counters + stream
        count = row[slot]
        row[slot] = count + 1
        try:
            key = self._keys[stream]
        except KeyError:
            # Computed on first use: in most re-deals a bot looks ahead without a single draw.
            key = self._keys[stream] = key_of(self.seed, self._game.streams[stream])
        return mixed((key + count * STEP) & WORD)


def stream_keys(seeds: Iterable[str], game: GameRules) -> array[int]:
    """Returns the key of each stream as a signed word, from which its draws are mixed: those of the first seed, then of
    the next."""
    if not game.streams:
        return array("q")
    streams = _all_coded(game.streams)
    return keys_in([seed + stream for seed in map(coded, seeds) for stream in streams])


@lru_cache(maxsize=64)
def _all_coded(streams: tuple[str, ...]) -> list[bytes]:
    return [coded(name) for name in streams]


class Dice(Seeded):
    """Dice for looking ahead: the next draw is the same for every die, so a larger die never shows less.

    Options that are compared from one position thus meet common random numbers even if they roll different dice, which
    are independent in the game itself.
    """

    def __init__(self, seed: int | str, game: GameRules, layout: Layout) -> None:
        super().__init__(seed, game, layout)
        self.key = key_of(str(seed))
        """The key from which each draw is mixed."""
        self._counts = slice(layout.counters, layout.size)

    @classmethod
    def numbered(cls, number: int, game: GameRules, layout: Layout) -> Dice:
        """Returns dice whose key machine code finds as well."""
        dice = cls(number, game, layout)
        dice.key = mixed(number)
        return dice

    def draw(self, row: Row, stream: int) -> int:
        """Returns 64 bits for the next draw, numbered by the draws of all streams together."""
        word = mixed((self.key + sum(row[self._counts]) * STEP) & WORD)
        row[self._counters + stream] += 1
        return word


def _below(word: int, size: int) -> int:
    """Returns a number below `size`, without bias: Lemire's
    multiply-high, mixing anew where a word must be rejected."""
    product = word * size
    if product & WORD < size:
        rejected = (WORD + 1) % size
        while product & WORD < rejected:
            word = mixed((word + STEP) & WORD)
            product = word * size
    return product >> 64


# ------------------------------------------------------------------ scripted


@attrs.frozen
class WantedResult:
    """A result that a script asks for: one of some values for a roll or pick, the things on top in order for a shuffle."""

    results: tuple[frozenset[int], ...]
    text: str
    """The result in words, for the error that it cannot come."""

    @classmethod
    def of(cls, result: NamedOutcome | Sequence[NamedOutcome]) -> WantedResult:
        """Returns a scripted result: one value, any one of some, or one of these for each place from the top."""
        named = [result] if isinstance(result, (int, frozenset)) else result
        results = tuple(frozenset((one,)) if isinstance(one, int) else one for one in named)
        return cls(results, ", ".join(str(value) for values in results for value in sorted(values)))


@attrs.define(eq=False)
class WaitingResults:
    """Results that wait for the first draws of any of some streams that can give them; `left` have not come yet."""

    streams: frozenset[int]
    left: list[frozenset[int]]


class Scripted:
    """Chance that gives scripted results as long as there are any, and leaves the rest to `base`.

    A result stands for the n-th draw of a stream from the game's start (`then`), or waits for a draw that can give it and
    stands for that one from then on (`wait`). So a fork or an undone step finds the same script. A scripted shuffle is the
    things that come to the top, in order.

    `is_open` means that some draw was left to the base: another seed may give another game.
    """

    def __init__(
        self,
        base: Chance,
        game: GameRules,
        layout: Layout,
        *,
        rolls: Mapping[str, Sequence[int]] | None = None,
        picks: Mapping[str, Sequence[NamedOutcome]] | None = None,
        shuffles: Mapping[str, Sequence[Sequence[NamedOutcome]]] | None = None,
    ) -> None:
        self.base = base
        self.is_open = False
        self._game = game
        self._counters = layout.counters
        self._draws: dict[tuple[int, int], WantedResult] = {}
        self._waiting: list[WaitingResults] = []
        start = [0] * layout.size
        for given in (rolls, picks, shuffles):
            for name, results in (given or {}).items():
                self.then(start, name, *results)

    def then(self, row: Row, name: str, *results: NamedOutcome | Sequence[NamedOutcome] | WantedResult) -> None:
        """Adds results for the next unscripted draws of a stream, counted from a row; of a die that has several streams, for
        whichever is drawn from."""
        if name not in self._game.streams:
            if dice := thrown_from(self._game, name):
                self.wait(dice, [frozenset((one,)) for one in results if isinstance(one, int)])
                return
            raise ImpossibleOutcome(f"nothing random is called `{name}`")
        stream = self._game.streams.index(name)
        count = row[self._counters + stream]
        for result in results:
            while (stream, count) in self._draws:
                count += 1
            self._draws[stream, count] = result if isinstance(result, WantedResult) else WantedResult.of(result)

    def forget(self) -> None:
        """Forgets all results, pending and past."""
        self._draws.clear()
        self._waiting.clear()

    def wait(self, streams: frozenset[int], results: Iterable[frozenset[int]]) -> WaitingResults:
        """Queues results for draws of any of these streams that can give them.

        Rolls and picks take one result each; a shuffle brings all that are left to the top, or none.
        """
        self._waiting.append(WaitingResults(streams, list(results)))
        return self._waiting[-1]

    def unused(self, row: Row) -> tuple[tuple[str, int], ...]:
        """Returns the stream and the number of each scripted draw that a row has not reached, in order."""
        waiting = [(s, count) for s, count in sorted(self._draws) if count >= row[self._counters + s]]
        return tuple((self._game.streams[s], count) for s, count in waiting)

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the scripted face, else the base's."""
        face = self._one(row, stream, faces)
        if face is None:
            self.is_open = True
            return self.otherwise(row, stream).roll(row, stream, faces)
        return face

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the scripted value, else the base's."""
        value = self._one(row, stream, among)
        if value is None:
            self.is_open = self.is_open or len(among) > 1
            return self.otherwise(row, stream).pick(row, stream, among)
        return value

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the base's order, with the scripted things brought to the top."""
        at = stream, row[self._counters + stream]
        order = self.otherwise(row, stream).shuffle(row, stream, kind, things)
        self.is_open = self.is_open or len(things) > 1
        waiting = self._first_waiting(stream)
        if at not in self._draws and waiting is not None and len(found_in(order, waiting.left)) == len(waiting.left):
            self._draws[at] = WantedResult(tuple(waiting.left), "")
            waiting.left.clear()
        wanted = self._draws[at].results if at in self._draws else ()
        top = found_in(order, wanted)
        if len(top) < len(wanted):
            raise ImpossibleOutcome(f"`{self._name(kind, wanted[len(top)])}` is not among what is shuffled")
        return top + [thing for thing in order if thing not in top]

    def wanted(self, row: Row, stream: int) -> WantedResult | None:
        """Returns the scripted result of a stream's next draw; None if there is none."""
        return self._draws.get((stream, row[self._counters + stream]))

    def otherwise(self, row: Row, stream: int) -> Chance:
        """Returns the chance that supplies unscripted results."""
        return self.base

    def refuse(self, stream: int, wanted: WantedResult) -> None:
        """Raises ImpossibleOutcome for a result that cannot come."""
        raise ImpossibleOutcome(f"`{self._game.streams[stream]}` cannot give {wanted.text}")

    def _one(self, row: Row, stream: int, among: Sequence[int]) -> int | None:
        """Returns the scripted one of some values; None if it is left to another chance."""
        waiting, wanted = self._first_waiting(stream), self.wanted(row, stream)
        if wanted is None and waiting is not None and not waiting.left[0].isdisjoint(among):
            wanted = self._draws[stream, row[self._counters + stream]] = WantedResult((waiting.left.pop(0),), "")
        if wanted is None:
            return None
        found = found_in(among, wanted.results[:1])
        if not found:
            self.refuse(stream, wanted)
            return None
        row[self._counters + stream] += 1
        return found[0]

    def _first_waiting(self, stream: int) -> WaitingResults | None:
        return next((waiting for waiting in self._waiting if waiting.left and stream in waiting.streams), None)

    def _name(self, kind: int, among: frozenset[int]) -> str:
        names = self._game.kinds[kind].names
        return next((names[thing] for thing in sorted(among) if 0 <= thing < len(names)), "?")


def found_in(order: Sequence[int], wanted: Iterable[frozenset[int]]) -> list[int]:
    """Returns, for each wanted set, the first unused value of an
    order that belongs to it; stops at the first set without one.

    >>> found_in([4, 7, 1], [frozenset({1, 7}), frozenset({1, 7}), frozenset({7})])
    [7, 1]
    """
    found: list[int] = []
    for among in wanted:
        value = next((v for v in order if v in among and v not in found), None)
        if value is None:
            break
        found.append(value)
    return found


# ------------------------------------------------------------------ recorded


class Tape:
    """Chance that repeats recorded outcomes."""

    def __init__(self, draws: Iterator[tuple[int, ...]], layout: Layout) -> None:
        self._draws, self._counters = draws, layout.counters

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the recorded face."""
        return self._next(row, stream)[0]

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the recorded value."""
        return self._next(row, stream)[0]

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the recorded order."""
        return list(self._next(row, stream))

    def _next(self, row: Row, stream: int) -> tuple[int, ...]:
        row[self._counters + stream] += 1
        return next(self._draws)


# ------------------------------------------------------------------ watched


class Watched:
    """A chance that remembers the draws of the last step, in more detail than a trace is told."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.among: list[int] = []
        self.order: list[int] = []
        self._drawn: list[ChanceDraw] = []
        self._put_off: Callable[[], list[ChanceDraw]] | None = None

    @property
    def drawn(self) -> list[ChanceDraw]:
        """The draws of this step, in order."""
        if self._put_off is not None:
            self.drawn = self._put_off()
        return self._drawn

    @drawn.setter
    def drawn(self, draws: list[ChanceDraw]) -> None:
        self._drawn, self._put_off = draws, None

    def forget(self) -> None:
        """Forgets the draws of the last step."""
        if self._drawn or self._put_off is not None:
            self._drawn, self._put_off = [], None

    def put_off(self, draws: Callable[[], list[ChanceDraw]]) -> None:
        """Defers the draws of this step: `draws` computes them when they are read."""
        self._put_off = draws

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns a face."""
        face = self.chance.roll(row, stream, faces)
        self.drawn.append(("roll", stream, face))
        return face

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns one of the values."""
        self.among = among
        value = self.chance.pick(row, stream, among)
        self.drawn.append(("pick", stream, value))
        return value

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the things in their new order."""
        self.order = self.chance.shuffle(row, stream, kind, things)
        self.drawn.append(("shuffle", stream, tuple(self.order)))
        return self.order


def drawing_in(chance: Chance) -> Seeded | None:
    """Returns the chance whose results all follow from 64 bits a draw: seeded, watched or not, or dice for looking ahead;
    None for any other chance."""
    return chance if type(chance) is Dice else seeded_in(chance)


def seeded_in(chance: Chance) -> Seeded | None:
    """Returns the seeded chance, watched or not; None for any other chance."""
    if type(chance) is Watched:
        chance = chance.chance
    return chance if type(chance) is Seeded else None
