"""The subsets of some values, of given sizes: iterated, counted and indexed without ever being listed.

Sets come by size, then lexicographically. Among values that are alike only the first few are taken: if 2 and 3 are
alike, `{1, 2}` stands for `{1, 3}`.

    lot = Subsets([1, 2, 3], 0, 2)
    len(list(lot)), lot.count, lot[4]     # 7, 7, {1, 2} as a mask
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, combinations
from math import comb

from rulelang.ir.model import Const, Parameter
from rulelang.ir.types import NONE, SET_LIMIT, SetType, Type, size_of
from rulelang.program.packing import mask_of

TRIED = 1 << 16
"""The most sets that are tried one by one."""


def most_answers(parameters: Iterable[Parameter]) -> int:
    """Returns the largest number of values that some parameters can take in any position."""
    most = 1
    for parameter in parameters:
        type = parameter.variable.type
        if isinstance(type, SetType):
            there = _width(type.element)
            high = parameter.high.value if isinstance(parameter.high, Const) else there
            most *= sets_of(there, max(0, min(high, there)))
        else:
            most *= _width(type) + 1
    return most


def _width(type: Type) -> int:
    return min(size_of(type), SET_LIMIT)


class Subsets:
    """The sets of `low` to `high` of some values, as masks; none
    if `low` is NONE. Values of equal `likeness` are alike."""

    def __init__(
        self, values: Sequence[int], low: int, high: int, likeness: Callable[[int], Hashable] | None = None
    ) -> None:
        self.values, self._likeness = values, likeness
        self._whole: Subsets | None = None
        self.sizes = range(0) if low == NONE else range(max(low, 0), min(high, len(values)) + 1)

    def __iter__(self) -> Iterator[int]:
        for size in self.sizes:
            if not size:
                yield 0
            elif self._groups is None:
                yield from map(sum, combinations([1 << value for value in self.values], size))
            elif size == 1:
                before, _ = self._neighbours
                yield from (1 << value for value, last in zip(self.values, before, strict=True) if last < 0)
            else:
                for chosen in self._of_size(size):
                    yield sum(1 << self.values[i] for i in chosen)

    @cached_property
    def _groups(self) -> list[Hashable] | None:
        """The group of each value, the same for values that are alike; None if all differ."""
        if self._likeness is None:
            return None
        if self._whole is not None:
            return self._whole._groups
        groups = list(map(self._likeness, self.values))
        return groups if len(set(groups)) < len(groups) else None

    @cached_property
    def _neighbours(self) -> tuple[list[int], list[int]]:
        return _neighbours(self._groups or []) if self._whole is None else self._whole._neighbours

    def _of_size(self, size: int) -> Iterator[list[int]]:
        """Yields the positions of each set of a size. `alive` are the positions from here on that may still be taken:
        once a value is left out, the later ones of its group are not."""
        before, later = self._neighbours
        taken: list[int] = []
        saved: list[int] = []
        is_taken = [False] * len(self.values)
        at, alive = 0, len(self.values)
        while True:
            if alive >= size - len(taken) > 0:
                if before[at] < 0 or is_taken[before[at]]:
                    taken.append(at)
                    saved.append(alive)
                    is_taken[at] = True
                    alive -= 1
                at += 1
                continue
            if len(taken) == size:
                yield taken
            if not taken:
                return
            at = taken.pop()
            is_taken[at] = False
            alive = saved.pop() - 1 - later[at]
            at += 1

    def __contains__(self, mask: object) -> bool:
        """Returns whether a set is one of these: among values that are alike it has the first few.

        >>> lot = Subsets([1, 2, 3], 0, 2, lambda value: value > 1)
        >>> 0b110 in lot, 0b1010 in lot
        (True, False)
        """
        if not isinstance(mask, int) or mask < 0 or mask.bit_count() not in self.sizes:
            return False
        taken = [bool(mask >> value & 1) for value in self.values]
        if sum(taken) != mask.bit_count():
            return False
        before = self._neighbours[0] if self._groups is not None else []
        return all(last < 0 or taken[last] or not taken[at] for at, last in enumerate(before))

    @property
    def groups(self) -> list[list[int]]:
        """The groups of values that are alike, in the order of their first values."""
        groups: dict[Hashable, list[int]] = {}
        for at, value in enumerate(self.values):
            groups.setdefault(at if self._groups is None else self._groups[at], []).append(value)
        return list(groups.values())

    # -------------------------------------------------------------- counting and indexing

    def of_size(self, size: int) -> Subsets:
        """Returns the sets of one size.

        >>> Subsets(range(9), 0, 9).of_size(2).count
        36
        """
        some = Subsets(self.values, size, size, self._likeness)
        some._whole = self
        return some

    @property
    def is_large(self) -> bool:
        """Returns whether there would be more sets than can be tried one by one if no two values were alike."""
        there, sizes = len(self.values), self.sizes
        return bool(sizes) and sets_of(there, sizes[-1]) - (sets_of(there, sizes[0] - 1) if sizes[0] else 0) > TRIED

    @cached_property
    def count(self) -> int:
        """The number of sets.

        >>> Subsets(range(32), 0, 32).count == 2**32
        True
        """
        return sum(self._numbers[size] for size in self.sizes)

    @cached_property
    def _numbers(self) -> list[int]:
        """The number of sets, by size."""
        if self._whole is not None:
            return self._whole._numbers
        if self._groups is None:
            return list(_numbers((1,) * len(self.values)))
        sizes = tuple(sorted(1 + later for before, later in zip(*self._neighbours, strict=True) if before < 0))
        return list(_numbers(sizes))

    def __getitem__(self, position: int) -> int:
        """Returns the set at a position, from 0. Raises IndexError.

        >>> lot = Subsets([1, 2, 3, 4], 0, 4, lambda value: value % 2)
        >>> [lot[i] for i in range(lot.count)] == list(lot)
        True
        """
        for size in self.sizes:
            if position < self._numbers[size]:
                return self._at(size, position)
            position -= self._numbers[size]
        raise IndexError(position)

    def _at(self, size: int, position: int) -> int:
        """Returns the set of a size at a position; finds it value by
        value, skipping the sets that begin with another value."""
        if not position:
            return mask_of(self.values[:size])
        if self._groups is None:
            return self._of_different(size, position)
        mask = 0
        # By position of the next value of each group: the number of values that the group has from there on.
        left = {i: 1 + later for i, (b, later) in enumerate(zip(*self._neighbours, strict=True)) if b < 0}
        following = {before: at for at, before in enumerate(self._neighbours[0]) if before >= 0}
        for at in range(len(self.values)):
            if not size or at not in left:
                continue
            rest = left.pop(at) - 1
            if rest:
                left[following[at]] = rest
            numbers = _numbers(tuple(sorted(left.values())))
            beginning = numbers[size - 1] if size - 1 < len(numbers) else 0
            if position < beginning:
                mask |= 1 << self.values[at]
                size -= 1
            else:
                position -= beginning
                left.pop(following.get(at, -1), None)
        return mask

    def _of_different(self, size: int, position: int) -> int:
        """Returns the set of a size at a position if all values differ: the number of sets that begin with a value is a
        binomial coefficient, and each follows from the last.
        """
        mask, left = 0, len(self.values) - 1
        beginning = comb(left, size - 1) if size else 0
        for value in self.values:
            if not size:
                break
            if position < beginning:
                mask |= 1 << value
                size -= 1
                beginning = beginning * size // max(left, 1)
            else:
                position -= beginning
                beginning = beginning * (left - size + 1) // max(left, 1)
            left -= 1
        return mask


@lru_cache(maxsize=256)
def sets_of(there: int, most: int) -> int:
    """Returns the number of sets with at most `most` of some distinct values.

    >>> sets_of(5, 2), sets_of(5, 5)
    (16, 32)
    """
    return 1 << there if most >= there else sum(comb(there, size) for size in range(most + 1))


def _neighbours(groups: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Returns, by position, the position of the last earlier value
    that is alike (-1 for none) and the number of later ones."""
    latest: dict[Hashable, int] = {}
    before = []
    for at, group in enumerate(groups):
        before.append(latest.get(group, -1))
        latest[group] = at
    later = [0] * len(groups)
    for at in range(len(groups) - 1, -1, -1):
        if before[at] >= 0:
            later[before[at]] = later[at] + 1
    return before, later


@lru_cache(maxsize=64)
def _numbers(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the number of sets of size 0, 1, 2, … from groups of given sizes: the coefficients of the product of 1 +
    x + … + x^size.

    >>> _numbers((1, 1, 2))
    (1, 3, 4, 3, 1)
    """
    alone = bisect_right(sizes, 1)
    numbers = [1]
    for n in range(alone):
        numbers.append(numbers[-1] * (alone - n) // (n + 1))
    for size in sizes[alone:]:
        sums = [0, *accumulate(numbers)]
        last = len(numbers)
        numbers = [sums[min(n + 1, last)] - sums[max(0, n - size)] for n in range(last + size)]
    return tuple(numbers)
