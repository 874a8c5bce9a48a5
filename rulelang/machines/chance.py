"""A seed (or a script) -> random outcomes: the three sources of chance a machine can draw from.

    Seeded      f(seed, stream, how many before): a small counter-based generator of our own
    Scripted    named results first, then another source: scenarios (`roll yellow 3, 1`), replays of logs
    Explicit    results given one after the other; asks for the next by raising: solvers

How many draws a stream has made is in the row, at `Layout.counters`, and nowhere else: copying a row copies its luck
(only `Explicit` counts what it has given). Each draw, scripted or not, moves its stream's counter on by one. Streams are
told apart by their names: a new die leaves the others' throws alone.

    die yellow: 1, 1, 2, 2, 3, 3       # stream "yellow"
    stack: pile of Bonus               # stream "shuffle stack"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import TypeAlias

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import Game, Kind
from rulelang.machines.equivalence import likeness
from rulelang.machines.machine import Chance, Row
from rulelang.program.layout import Layout

Outcome: TypeAlias = int | tuple[int, ...]
"""A face, a picked value, or a pile's new order, top first."""
Named: TypeAlias = int | frozenset[int]
"""A value, or any one of several that are written alike."""

WORD = 2**64 - 1
STEP = 0x9E3779B97F4A7C15
SMALL_SHUFFLE = 8
"""Up to this many things, `Explicit` offers every order of a shuffle."""


class ImpossibleOutcome(RulelangError):
    """A script asks for what cannot come: a face that the die lacks, a card that is not in the pile."""


# ------------------------------------------------------------------ seeded


def mixed(word: int) -> int:
    """Returns 64 bits that look unlike the 64 given: the finisher of SplitMix64, a bijection.

    >>> hex(mixed(1))
    '0x5692161d100b05e5'
    """
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)


def key_of(*texts: str) -> int:
    """Returns 64 bits for a sequence of texts; different sequences get unrelated ones."""
    digest = blake2b(digest_size=8)
    for text in texts:
        code = text.encode("utf-8", "surrogatepass")
        digest.update(len(code).to_bytes(8, "little") + code)
    return int.from_bytes(digest.digest(), "little")


class Seeded:
    """Chance from a seed: an int or a text; `7` and `"7"` are the same seed."""

    def __init__(self, seed: int | str, game: Game, layout: Layout) -> None:
        self._game = game
        self._counters = layout.counters
        self._layout = layout
        self._seed = str(seed)
        self._keys: dict[int, int] = {}
        self._written: dict[int, list[int]] = {}

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns a face, each position equally likely."""
        return faces[_below(self.draw(row, stream), len(faces))]

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the value that is lowest by f(seed, stream, which pick, value): one more changes the pick only if it
        wins."""
        word = self.draw(row, stream)
        keys = self._keys_of(among, self._layout.picked.get(stream))
        return min(zip(keys, among, strict=True), key=lambda pair: (mixed(word ^ pair[0]), pair[1]))[1]

    def shuffle(self, row: Row, stream: int, kind: int, things: list[int]) -> list[int]:
        """Returns the things sorted by f(seed, pile, which shuffle, thing): one more leaves the others' order alone."""
        word = self.draw(row, stream)
        written = self._written_of(kind)
        return sorted(things, key=lambda thing: (mixed(word ^ written[thing]), thing))

    def _written_of(self, kind: int) -> list[int]:
        if kind not in self._written:
            self._written[kind] = written_keys(self._game.kinds[kind])
        return self._written[kind]

    def _keys_of(self, values: list[int], kind: int | None) -> list[int]:
        """Returns 64 bits for each value: of a thing by how it is written, of a number by itself and how many equal
        ones are before."""
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
        """Returns 64 bits for the next draw from a stream, which is counted in the row."""
        slot = self._counters + stream
        count = row[slot]
        row[slot] = count + 1
        try:
            key = self._keys[stream]
        except KeyError:
            # Most re-deals are thought about without a single draw.
            key = self._keys[stream] = key_of(self._seed, self._game.streams[stream])
        return mixed((key + count * STEP) & WORD)


def _below(word: int, size: int) -> int:
    """Returns a number below `size`, without bias: Lemire's multiply-high, mixing anew where a word must be
    rejected."""
    product = word * size
    if product & WORD < size:
        rejected = (WORD + 1) % size
        while product & WORD < rejected:
            word = mixed((word + STEP) & WORD)
            product = word * size
    return product >> 64


def written_keys(kind: Kind) -> list[int]:
    """Returns 64 bits for each thing of a kind, from how it is written and which of those written so it is."""
    keys, seen = [], dict[str, int]()
    for name in kind.names:
        copy = seen[name] = seen.get(name, -1) + 1
        keys.append(key_of(name, str(copy)))
    return keys


# ------------------------------------------------------------------ scripted


class Scripted:
    """Chance that gives named results where there are some, and leaves the rest to `base`.

    The n-th result of a stream stands for its n-th draw from the game's start; `then` adds results for draws to come.
    So a fork or an undone step finds the same script. A scripted shuffle is the things that come to the top, in order.
    """

    def __init__(
        self,
        base: Chance,
        game: Game,
        layout: Layout,
        *,
        rolls: Mapping[str, Sequence[int]] | None = None,
        picks: Mapping[str, Sequence[Named]] | None = None,
        shuffles: Mapping[str, Sequence[Sequence[Named]]] | None = None,
    ) -> None:
        self.base = base
        self._game = game
        self._counters = layout.counters
        self._draws: dict[tuple[int, int], tuple[frozenset[int], ...]] = {}
        start = [0] * layout.size
        for given in (rolls, picks, shuffles):
            for name, results in (given or {}).items():
                self.then(start, name, *results)

    def then(self, row: Row, name: str, *results: Named | Sequence[Named]) -> None:
        """Adds results for the next draws of a stream that are not scripted yet, seen from a row."""
        if name not in self._game.streams:
            raise ImpossibleOutcome(f"nothing random is called `{name}`")
        stream = self._game.streams.index(name)
        count = row[self._counters + stream]
        for result in results:
            while (stream, count) in self._draws:
                count += 1
            wanted = [result] if isinstance(result, (int, frozenset)) else result
            self._draws[stream, count] = tuple(frozenset((w,)) if isinstance(w, int) else w for w in wanted)

    def unused(self, row: Row) -> tuple[tuple[str, int], ...]:
        """Returns the stream and the count of each scripted draw that a row has not come to, in order."""
        waiting = [(s, count) for s, count in sorted(self._draws) if count >= row[self._counters + s]]
        return tuple((self._game.streams[s], count) for s, count in waiting)

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the scripted face, else the base's."""
        wanted = self._next(row, stream)
        return self.base.roll(row, stream, faces) if wanted is None else self._take(row, stream, wanted, list(faces))

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the scripted value, else the base's."""
        wanted = self._next(row, stream)
        return self.base.pick(row, stream, among) if wanted is None else self._take(row, stream, wanted, among)

    def shuffle(self, row: Row, stream: int, kind: int, things: list[int]) -> list[int]:
        """Returns the base's order, with the scripted things brought to the top."""
        wanted = self._next(row, stream)
        order = self.base.shuffle(row, stream, kind, things)
        top: list[int] = []
        for among in wanted or ():
            thing = next((t for t in order if t in among), None)
            if thing is None:
                raise ImpossibleOutcome(f"`{self._name(kind, among)}` is not among what is shuffled")
            order.remove(thing)
            top.append(thing)
        return top + order

    def _next(self, row: Row, stream: int) -> tuple[frozenset[int], ...] | None:
        return self._draws.get((stream, row[self._counters + stream]))

    def _take(self, row: Row, stream: int, wanted: tuple[frozenset[int], ...], among: list[int]) -> int:
        found = [value for value in among if wanted and value in wanted[0]]
        if not found:
            shown = ", ".join(str(value) for values in wanted for value in sorted(values))
            raise ImpossibleOutcome(f"`{self._game.streams[stream]}` cannot give {shown}")
        row[self._counters + stream] += 1
        return found[0]

    def _name(self, kind: int, among: frozenset[int]) -> str:
        names = self._game.kinds[kind].names
        return next((names[thing] for thing in sorted(among) if 0 <= thing < len(names)), "?")


# ------------------------------------------------------------------ explicit


class NeedsChance(Exception):
    """A step cannot go on until one of these outcomes is given; `outcomes` holds each with its probability.

    Whoever catches it runs the step again from its start, with one more outcome.
    """

    def __init__(self, stream: int, outcomes: tuple[tuple[Outcome, Fraction], ...]) -> None:
        self.stream, self.outcomes = stream, outcomes
        super().__init__(f"{len(outcomes)} outcomes of stream {stream}")


@attrs.define
class Explicit:
    """Chance for solvers: gives `given` one after the other, then raises `NeedsChance`.

    What can come out in one way only is not asked for; things that are interchangeable are one outcome, the lowest for
    all; piles of more than `SMALL_SHUFFLE` things are shuffled by `base`. `pick_kinds` says what kind of thing a stream
    picks (see `ir.picks`); what is not in it counts as told apart.
    """

    game: Game
    layout: Layout
    base: Chance
    given: tuple[Outcome, ...] = ()
    pick_kinds: Mapping[int, int] = attrs.field(factory=dict)
    used: int = attrs.field(default=0, init=False)

    def after(self, given: tuple[Outcome, ...]) -> Explicit:
        """Returns the same with other outcomes, none of them used."""
        return Explicit(self.game, self.layout, self.base, given, self.pick_kinds)

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the face that was given."""
        outcomes = [(face, Fraction(faces.count(face), len(faces))) for face in sorted(set(faces))]
        face = self._settle(row, stream, tuple(outcomes))
        assert isinstance(face, int)
        return face

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the value that was given."""
        kind = self.pick_kinds.get(stream)
        groups: dict[object, list[int]] = {}
        for value in sorted(among):
            group = value if kind is None else likeness(self.game, self.layout, row, kind, value)
            groups.setdefault(group, []).append(value)
        outcomes = [(values[0], Fraction(len(values), len(among))) for values in groups.values()]
        picked = self._settle(row, stream, tuple(outcomes))
        assert isinstance(picked, int)
        return picked

    def shuffle(self, row: Row, stream: int, kind: int, things: list[int]) -> list[int]:
        """Returns the order that was given, or the base's for a large pile."""
        if len(things) > SMALL_SHUFFLE:
            return self.base.shuffle(row, stream, kind, things)
        groups: dict[tuple[int, ...], list[int]] = {}
        for thing in sorted(things):
            groups.setdefault(likeness(self.game, self.layout, row, kind, thing), []).append(thing)
        orders = sorted(_orders(list(groups.values())))
        order = self._settle(row, stream, tuple((order, Fraction(1, len(orders))) for order in orders))
        assert isinstance(order, tuple)
        return list(order)

    def _settle(self, row: Row, stream: int, outcomes: tuple[tuple[Outcome, Fraction], ...]) -> Outcome:
        row[self.layout.counters + stream] += 1
        if len(outcomes) == 1:
            return outcomes[0][0]
        if self.used == len(self.given):
            raise NeedsChance(stream, outcomes)
        outcome = self.given[self.used]
        if all(outcome != possible for possible, _ in outcomes):
            raise ImpossibleOutcome(f"`{self.game.streams[stream]}` cannot give {outcome}")
        self.used += 1
        return outcome


def _orders(groups: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """Yields the distinct orders of groups of interchangeable things, each group's own members ascending."""
    if not any(groups):
        yield ()
    for i, group in enumerate(groups):
        if group:
            for rest in _orders([*groups[:i], group[1:], *groups[i + 1 :]]):
                yield (group[0], *rest)
