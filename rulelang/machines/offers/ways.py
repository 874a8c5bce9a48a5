"""The ways to complete an answer, numbered so that each is found by its number and none is listed.

A way is a tuple of ints: the values of the remaining parameters. Some numbers may be unused, because it is not known in
advance which sets are allowed: `at` returns None for them.

    hand = Free(Subsets(range(32), 0, 32), END)
    hand.bound, hand.is_exact, hand.at(33)      # 4294967296, True, (0b11,)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, chain
from operator import or_
from typing import Protocol, TypeAlias

from rulelang.errors import Uncountable
from rulelang.machines.offers.weights import Unweighable, Weight, Weights
from rulelang.program.packing import mask_of, members
from rulelang.program.subsets import TRIED, Subsets, sets_of

Continuation: TypeAlias = tuple[int, ...]

MOST_WEIGHTS = 4_096
"""The most different weights of the sets of some values."""
MOST_BITS = 1 << 28
"""The most bits that the counts of sets of equal weight may take together."""


class Ways(Protocol):
    """The continuations of an answer; `bound` is the size of the numbering, `is_exact` says that no number is unused."""

    @property
    def bound(self) -> int: ...

    @property
    def is_exact(self) -> bool: ...

    def __iter__(self) -> Iterator[Continuation]:
        """Yields the continuations in order. Raises Uncountable if too many values in a row lead to none."""

    def at(self, number: int) -> Continuation | None: ...

    @property
    def firsts(self) -> Sequence[int]:
        """The values with which the continuations begin, if those are not sets."""

    @property
    def all(self) -> int:
        """The mask of possible members of the sets with which the continuations begin."""

    @property
    def sizes(self) -> Sequence[int]:
        """The sizes of the sets with which the continuations begin, in order; some of sets that must each be tried may be
        those of none."""

    def after(self, value: int) -> Ways:
        """Returns the continuations of one value, or set."""

    def more(self, taken: int) -> int | None:
        """Returns the mask of the values that can be added to the
        partial set `taken` so that it can still be completed.

        Any of several alike values stands for all. Returns None if the answer is not known.
        """


class AnswerEnd:
    """The end of an answer: the single, empty continuation."""

    bound = 1
    is_exact = True
    firsts = ()
    all = 0
    sizes = ()

    def __iter__(self) -> Iterator[Continuation]:
        yield ()

    def at(self, number: int) -> Continuation | None:
        return ()

    def after(self, value: int) -> Ways:
        return NOWHERE

    def more(self, taken: int) -> int | None:
        return 0


END = AnswerEnd()
"""The only `AnswerEnd`."""


class EachSeparately:
    """Values that each have continuations of their own."""

    def __init__(self, ways: Sequence[tuple[int, Ways]]) -> None:
        self.ways = [(value, way) for value, way in ways if way.bound]
        self._ends = list(accumulate(way.bound for _, way in self.ways))
        self.bound = self._ends[-1] if self._ends else 0
        self.is_exact = all(way.is_exact for _, way in self.ways)

    def __iter__(self) -> Iterator[Continuation]:
        return ((value, *rest) for value, way in self.ways for rest in way)

    def at(self, number: int) -> Continuation | None:
        found = bisect_right(self._ends, number)
        value, way = self.ways[found]
        rest = way.at(number - (self._ends[found - 1] if found else 0))
        return None if rest is None else (value, *rest)

    @property
    def firsts(self) -> Sequence[int]:
        return [value for value, _ in self.ways]

    @property
    def all(self) -> int:
        return reduce(or_, self.firsts, 0)

    @property
    def sizes(self) -> Sequence[int]:
        return sorted({value.bit_count() for value in self.firsts})

    def after(self, value: int) -> Ways:
        return next((way for first, way in self.ways if first == value), NOWHERE)

    def more(self, taken: int) -> int | None:
        found = 0
        for value, _ in self.ways:
            found |= value if value & taken == taken else 0
        return found & ~taken


NOWHERE = EachSeparately([])


class _Beginning:
    """Ways that begin with any of several values, or with a set of them."""

    values: Sequence[int] | Subsets

    @property
    def firsts(self) -> Sequence[int]:
        return [] if isinstance(self.values, Subsets) else self.values

    @property
    def all(self) -> int:
        return mask_of(self.values.values) if isinstance(self.values, Subsets) else 0

    @property
    def sizes(self) -> Sequence[int]:
        return self.values.sizes if isinstance(self.values, Subsets) else ()


class Free(_Beginning):
    """Values, or sets, that all have the same continuations."""

    def __init__(self, values: Sequence[int] | Subsets, then: Ways) -> None:
        self.values, self.then = values, then
        self.bound = number_of(values) * then.bound
        self.is_exact = then.is_exact

    def __iter__(self) -> Iterator[Continuation]:
        return ((value, *rest) for value in self.values for rest in self.then)

    def at(self, number: int) -> Continuation | None:
        position, number = divmod(number, self.then.bound)
        rest = self.then.at(number)
        return None if rest is None else (self.values[position], *rest)

    def after(self, value: int) -> Ways:
        return self.then if value in self.values else NOWHERE

    def more(self, taken: int) -> int | None:
        if not isinstance(self.values, Subsets) or not self.then.bound or taken.bit_count() >= self.values.sizes[-1]:
            return 0
        return self.all & ~taken


class Parts:
    """Several blocks of ways, numbered one after another."""

    def __init__(self, parts: Sequence[Ways]) -> None:
        self.parts = [part for part in parts if part.bound]
        self._ends = list(accumulate(part.bound for part in self.parts))
        self.bound = self._ends[-1] if self._ends else 0
        self.is_exact = all(part.is_exact for part in self.parts)

    def __iter__(self) -> Iterator[Continuation]:
        return (way for part in self.parts for way in part)

    def at(self, number: int) -> Continuation | None:
        found = bisect_right(self._ends, number)
        return self.parts[found].at(number - (self._ends[found - 1] if found else 0))

    @property
    def firsts(self) -> Sequence[int]:
        return []

    @property
    def all(self) -> int:
        return reduce(or_, (part.all for part in self.parts), 0)

    @property
    def sizes(self) -> Sequence[int]:
        return sorted({size for part in self.parts for size in part.sizes})

    def after(self, value: int) -> Ways:
        return next((way for part in self.parts if (way := part.after(value)).bound), NOWHERE)

    def more(self, taken: int) -> int | None:
        found = 0
        for part in self.parts:
            found |= part.more(taken) or 0
        return found


class Weighed:
    """Sets with the same continuations for the same weight: by size, then in the order of `groups`.

    Among a group of alike values the first few stand for any. `then` returns the continuations of a set. Raises
    Unweighable if there are too many weights.
    """

    def __init__(
        self, groups: Sequence[Sequence[int]], sizes: range, weights: Weights, then: Callable[[int], Ways]
    ) -> None:
        self.groups = groups
        self.sizes: Sequence[int] = sizes
        self._weights = weights
        self._units = [weights.of(1 << group[0]) for group in groups]
        self._nothing = weights.of(0)
        layers = self._reached()
        self._ways = {weight: then(mask) for weight, mask in layers[-1].items()}
        self.is_exact = all(way.is_exact for way in self._ways.values())
        most = max((way.bound for way in self._ways.values()), default=0)
        self._width = (sets_of(sum(map(len, groups)), sizes[-1]) * max(most, 1)).bit_length()
        if sum(map(len, layers)) * self._width * (sizes[-1] + 1) > MOST_BITS:
            raise Unweighable
        self._numbers = self._counted(layers)
        self.sizes = [size for size in sizes if self._number(0, size, self._nothing)]
        self._ends = list(accumulate(self._number(0, size, self._nothing) for size in self.sizes))
        self.bound = self._ends[-1] if self._ends else 0

    def _reached(self) -> list[dict[Weight, int]]:
        """Returns, after each group, the weights reached so far, each with a set that has it."""
        layers = [{self._nothing: 0}]
        for group, unit in zip(self.groups, self._units, strict=True):
            reached = dict(layers[-1])
            for weight, mask in layers[-1].items():
                for value in group:
                    weight, mask = self._weights.joined(weight, unit), mask | 1 << value
                    reached.setdefault(weight, mask)
            layers.append(reached)
            if len(reached) > MOST_WEIGHTS:
                raise Unweighable
        return layers

    def _counted(self, layers: list[dict[Weight, int]]) -> list[dict[Weight, int]]:
        """Returns, before each group and by weight so far, the numbers of continuations: one for each size, packed
        into an int.
        """
        kept = (1 << self._width * (self.sizes[-1] + 1)) - 1
        numbers = [{weight: way.bound for weight, way in self._ways.items()}]
        for group, unit, layer in zip(self.groups[::-1], self._units[::-1], layers[-2::-1], strict=True):
            after, here = numbers[-1], {}
            for start in layer:
                weight, total = start, after[start]
                for taken in range(1, len(group) + 1):
                    weight = self._weights.joined(weight, unit)
                    total += after[weight] << taken * self._width
                here[start] = total & kept
            numbers.append(here)
        return numbers[::-1]

    def _number(self, at: int, size: int, weight: Weight) -> int:
        return self._numbers[at].get(weight, 0) >> size * self._width & (1 << self._width) - 1

    def _taken(self, at: int, size: int, weight: Weight) -> list[tuple[int, int, Weight]]:
        """Returns the parts of a group that may be taken: a mask, and the size and weight after it; largest first."""
        found = [(0, size, weight)]
        mask = 0
        for value in self.groups[at][:size]:
            weight, mask, size = self._weights.joined(weight, self._units[at]), mask | 1 << value, size - 1
            found.append((mask, size, weight))
        return found[::-1]

    def __iter__(self) -> Iterator[Continuation]:
        for size in self.sizes:
            waiting = [(0, 0, size, self._nothing)]
            while waiting:
                at, mask, left, weight = waiting.pop()
                if not self._number(at, left, weight):
                    continue
                if at == len(self.groups):
                    yield from ((mask, *rest) for rest in self._ways[weight])
                    continue
                for more, still, then in self._taken(at, left, weight)[::-1]:
                    waiting.append((at + 1, mask | more, still, then))

    def at(self, number: int) -> Continuation | None:
        found = bisect_right(self._ends, number)
        number -= self._ends[found - 1] if found else 0
        mask, size, weight = 0, self.sizes[found], self._nothing
        for at in range(len(self.groups)):
            for more, left, then in self._taken(at, size, weight):
                there = self._number(at + 1, left, then)
                if number < there:
                    mask, size, weight = mask | more, left, then
                    break
                number -= there
        rest = self._ways[weight].at(number)
        return None if rest is None else (mask, *rest)

    @property
    def firsts(self) -> Sequence[int]:
        return []

    @property
    def all(self) -> int:
        return mask_of(chain.from_iterable(self.groups))

    def after(self, value: int) -> Ways:
        fits = value.bit_count() in self.sizes and not value & ~self.all
        return self._ways.get(self._weights.of(value), NOWHERE) if fits else NOWHERE

    def more(self, taken: int) -> int | None:
        counts = [(taken & mask_of(group)).bit_count() for group in self.groups]
        sizes = mask_of(self.sizes)
        before, behind = self._sizes_before(counts), self._sizes_behind(counts)
        found = 0
        for at, (group, unit) in enumerate(zip(self.groups, self._units, strict=True)):
            for weight, some in before[at].items():
                weight = self._joined_often(weight, unit, counts[at] + 1)
                for k in range(counts[at] + 1, len(group) + 1):
                    rest = behind[at + 1].get(weight, 0)
                    if any(rest << size + k & sizes for size in members(some)):
                        found |= mask_of(group)
                        break
                    weight = self._weights.joined(weight, unit)
                if found & mask_of(group):
                    break
        return found & ~taken

    def _joined_often(self, weight: Weight, unit: Weight, times: int) -> Weight:
        for _ in range(times):
            weight = self._weights.joined(weight, unit)
        return weight

    def _sizes_before(self, counts: list[int]) -> list[dict[Weight, int]]:
        """Returns, before each group and by weight, the possible sizes so far (a mask); `counts` are the fewest of
        each group."""
        layers = [{self._nothing: 1}]
        for group, unit, least in zip(self.groups, self._units, counts, strict=True):
            after: dict[Weight, int] = {}
            for start, some in layers[-1].items():
                weight = self._joined_often(start, unit, least)
                for k in range(least, len(group) + 1):
                    after[weight] = after.get(weight, 0) | some << k
                    weight = self._weights.joined(weight, unit)
            layers.append(after)
        return layers

    def _sizes_behind(self, counts: list[int]) -> list[dict[Weight, int]]:
        """Returns, before each group and by weight so far, the possible numbers of members to come (a mask); `counts`
        are the fewest of each group.
        """
        layers = [{weight: 1 for weight, way in self._ways.items() if way.bound}]
        for group, unit, least, known in zip(
            self.groups[::-1], self._units[::-1], counts[::-1], self._numbers[-2::-1], strict=True
        ):
            here: dict[Weight, int] = {}
            for start in known:
                weight = self._joined_often(start, unit, least)
                for k in range(least, len(group) + 1):
                    here[start] = here.get(start, 0) | layers[-1].get(weight, 0) << k
                    weight = self._weights.joined(weight, unit)
            layers.append(here)
        return layers[::-1]


class Sifted(_Beginning):
    """Values, or sets, that must each be tried: `then` returns the continuations of one, at most `most`.

    `trouble` says why they cannot be counted.
    """

    is_exact = False

    def __init__(self, values: Sequence[int] | Subsets, then: Callable[[int], Ways], most: int, trouble: str) -> None:
        self.values, self.then, self.trouble, self._most = values, then, trouble, most
        self.bound = number_of(values) * most

    def __iter__(self) -> Iterator[Continuation]:
        tried = 0
        for value in self.values:
            tried += 1
            for rest in self.then(value):
                tried = 0
                yield (value, *rest)
            if tried >= TRIED:
                raise Uncountable(self.trouble)

    def at(self, number: int) -> Continuation | None:
        position, number = divmod(number, self._most)
        value = self.values[position]
        then = self.then(value)
        rest = then.at(number) if number < then.bound else None
        return None if rest is None else (value, *rest)

    def after(self, value: int) -> Ways:
        return self.then(value) if value in self.values else NOWHERE

    def more(self, taken: int) -> int | None:
        return None


def number_of(values: Sequence[int] | Subsets) -> int:
    """Returns the number of values, even if it exceeds the limit of `len`."""
    return values.count if isinstance(values, Subsets) else len(values)


def trouble_of(ways: Ways) -> str:
    """Returns the reason why ways are too many to count; "" if they are exact."""
    match ways:
        case Sifted(trouble=trouble):
            return trouble
        case EachSeparately(ways=inner):
            return next((text for _, way in inner if (text := trouble_of(way))), "")
        case Parts(parts=parts):
            return next((text for part in parts if (text := trouble_of(part))), "")
        case Free(then=then):
            return trouble_of(then)
        case Weighed(_ways=of):
            return next((text for way in of.values() if (text := trouble_of(way))), "")
        case _:  # ways of every other form are exact
            return ""
