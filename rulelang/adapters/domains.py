"""The values that a parameter of an action may take, numbered from 0.

n: 1..3                     1 -> 0    2 -> 1    3 -> 2
s: Space?                   the spaces in order, then none
cards in 2 of hand          the sets by what is printed on their things: two jacks, a jack and a queen, …
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

import attrs

from rulelang.ir.model import Const, GameRules, Parameter
from rulelang.ir.types import NONE, SetType, Type, first_of, offset_of, size_of
from rulelang.program.packing import mask_of, members


@attrs.frozen
class NumberedValues:
    """The single values of a type; `classes` are those of a kind whose interchangeable things are one value, else ()."""

    type: Type
    classes: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of values, `none` included."""
        return size_of(self.type) + self.type.optional

    def number(self, value: int) -> int:
        """Returns the number of a value; of interchangeable things, the lowest one's."""
        if value == NONE:
            return size_of(self.type)
        return self.classes[value] if self.classes else value - first_of(self.type)

    def value(self, number: int) -> int:
        """Returns the value with a number."""
        return NONE if number == size_of(self.type) else number + first_of(self.type)

    @property
    def by_look(self) -> Domain:
        """The same values with one number for all copies, where numbers are too many otherwise."""
        return NumberedLooks(self.type, self.classes) if self.classes else self

    def copies(self, value: int) -> Sequence[int]:
        """Returns the things that a thing is interchangeable with, itself among them, ascending; () for other values."""
        if not self.classes or value == NONE:
            return ()
        return [thing for thing, lowest in enumerate(self.classes) if lowest == self.classes[value]]


@attrs.frozen(slots=False)
class NumberedLooks:
    """The things of a kind, copies being one value."""

    type: Type
    classes: tuple[int, ...]

    @cached_property
    def _lowest(self) -> tuple[int, ...]:
        return tuple(sorted(set(self.classes)))

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {lowest: number for number, lowest in enumerate(self._lowest)}

    @property
    def size(self) -> int:
        """The number of looks, `none` included."""
        return len(self._lowest) + self.type.optional

    @property
    def by_look(self) -> Domain:
        """The same."""
        return self

    def number(self, value: int) -> int:
        """Returns the number of a thing's look."""
        return len(self._lowest) if value == NONE else self._numbers[self.classes[value]]

    def value(self, number: int) -> int:
        """Returns the lowest thing with a look."""
        return NONE if number == len(self._lowest) else self._lowest[number]

    def copies(self, value: int) -> Sequence[int]:
        """Returns (): another copy has no number of its own."""
        return ()


@attrs.frozen(slots=False)
class NumberedSets:
    """The sets of `low` to `high` elements, which are told apart by how many of each class they hold.

    `classes` has, for each element from 0, the lowest one that is interchangeable with it; bit i + `shift` of a mask is
    element i.
    """

    classes: tuple[int, ...]
    low: int
    high: int
    shift: int = 0

    @cached_property
    def room(self) -> tuple[tuple[int, int], ...]:
        """Each class with the number of its elements."""
        return tuple(sorted(Counter(self.classes).items()))

    @cached_property
    def size(self) -> int:
        """The number of sets: by size, those of the first classes, extended class by class."""
        ways = [1] + [0] * self.high
        for _, most in self.room:
            ways = [sum(ways[max(0, n - most) : n + 1]) for n in range(self.high + 1)]
        return sum(ways[self.low :])

    @cached_property
    def _all(self) -> tuple[tuple[int, ...], ...]:
        return tuple(_counts([most for _, most in self.room], self.low, self.high))

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {counts: number for number, counts in enumerate(self._all)}

    @property
    def by_look(self) -> Domain:
        """The same."""
        return self

    def number(self, value: int) -> int:
        """Returns the number of a set, given as a mask. Raises KeyError if it has more or fewer elements."""
        held = Counter(self.classes[bit - self.shift] for bit in members(value))
        return self._numbers[tuple(held[lowest] for lowest, _ in self.room)]

    def value(self, number: int) -> int:
        """Returns the set with a number, with the lowest elements of each class, as a mask."""
        chosen: list[int] = []
        for (lowest, _), count in zip(self.room, self._all[number], strict=True):
            of_class = [element for element, first in enumerate(self.classes) if first == lowest]
            chosen += of_class[:count]
        return mask_of(element + self.shift for element in chosen)

    def copies(self, value: int) -> Sequence[int]:
        """Returns (): another set that is printed alike has no number of its own."""
        return ()


Domain: TypeAlias = NumberedValues | NumberedLooks | NumberedSets


def _counts(most: Sequence[int], low: int, high: int) -> Iterator[tuple[int, ...]]:
    """Yields all ways to take up to so many of each class, `low` to `high` in all."""
    if high < 0 or low > sum(most):
        return
    if not most:
        yield ()
        return
    for first in range(min(most[0], high) + 1):
        for rest in _counts(most[1:], low - first, high - first):
            yield (first, *rest)


def domain_of(game: GameRules, parameter: Parameter) -> Domain:
    """Returns the numbered values of a parameter."""
    type = parameter.variable.type
    if not isinstance(type, SetType):
        return NumberedValues(type, _interchangeable(game, parameter))
    many = size_of(type.element)
    low, high = (
        bound.value if isinstance(bound, Const) else usual
        for bound, usual in ((parameter.low, 0), (parameter.high, many))
    )
    classes = _interchangeable(game, parameter) or tuple(range(many))
    first = first_of(type.element)
    return NumberedSets(classes, max(low, 0), min(high, many), shift=first + offset_of(type.element))


def _interchangeable(game: GameRules, parameter: Parameter) -> tuple[int, ...]:
    """Returns the classes of the kind of a parameter, if its options name copies; else ()."""
    kind = None if parameter.interchange is None else game.kinds[parameter.interchange]
    return kind.classes if kind is not None and kind.has_copies else ()
