"""Conditions on the names of hidden things, and the things that each could be, narrowed by what is found to hold.

    north has not followed hearts     all of: thing 3 is one of {spades}, thing 9 is one of {spades}
    one of these two is the queen     any of: thing 3 is the queen, thing 9 is the queen

Invariant: a formula mentions a thing by where it lies; what it could be is a mask of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, assert_never

import attrs


@attrs.frozen
class IsOneOf:
    """A hidden thing is one of the names in a mask."""

    kind: int
    thing: int
    mask: int


@attrs.frozen
class AllOf:
    """All of some formulas hold."""

    parts: tuple[Formula, ...]


@attrs.frozen
class AnyOf:
    """At least one of some formulas holds."""

    parts: tuple[Formula, ...]


@attrs.frozen
class Unsaid:
    """A condition of which nothing is worked out."""


Formula: TypeAlias = bool | IsOneOf | AllOf | AnyOf | Unsaid

UNSAID = Unsaid()

Names: TypeAlias = Mapping[int, Sequence[int]]
"""By kind and thing: its name in a deal."""


def all_of(parts: Iterable[Formula]) -> Formula:
    """Returns the conjunction of formulas.

    >>> all_of([True, IsOneOf(0, 3, 0b110)])
    IsOneOf(kind=0, thing=3, mask=6)
    """
    left: list[Formula] = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            left.extend(part.parts if isinstance(part, AllOf) else [part])
    return True if not left else left[0] if len(left) == 1 else AllOf(tuple(left))


def any_of(parts: Iterable[Formula]) -> Formula:
    """Returns the disjunction of formulas; names that one thing could have are taken together.

    >>> any_of([IsOneOf(0, 3, 0b100), IsOneOf(0, 3, 0b010)])
    IsOneOf(kind=0, thing=3, mask=6)
    """
    left: list[Formula] = []
    one: dict[tuple[int, int], int] = {}
    for part in parts:
        if part is True:
            return True
        for inner in part.parts if isinstance(part, AnyOf) else [part]:
            if isinstance(inner, IsOneOf):
                one[inner.kind, inner.thing] = one.get((inner.kind, inner.thing), 0) | inner.mask
            elif inner is not False:
                left.append(inner)
    left += [IsOneOf(kind, thing, mask) for (kind, thing), mask in one.items()]
    return False if not left else left[0] if len(left) == 1 else AnyOf(tuple(left))


def negated(formula: Formula) -> Formula:
    """Returns the negation of a formula.

    >>> negated(IsOneOf(0, 3, 0b110)).mask
    -7
    """
    match formula:
        case bool():
            return not formula
        case IsOneOf(kind=kind, thing=thing, mask=mask):
            return IsOneOf(kind, thing, ~mask)
        case AllOf(parts=parts):
            return any_of(map(negated, parts))
        case AnyOf(parts=parts):
            return all_of(map(negated, parts))
        case Unsaid():
            return UNSAID
        case _:
            assert_never(formula)


def holds(formula: Formula, names: Names) -> bool:
    """Returns whether a formula holds in a deal; one that is unsaid does.

    >>> holds(AnyOf((IsOneOf(0, 0, 0b10), IsOneOf(0, 1, 0b10))), {0: (0, 1)})
    True
    """
    match formula:
        case bool():
            return formula
        case IsOneOf(kind=kind, thing=thing, mask=mask):
            return bool(mask >> names[kind][thing] & 1) if kind in names else bool(mask >> thing & 1)
        case AllOf(parts=parts):
            return all(holds(part, names) for part in parts)
        case AnyOf(parts=parts):
            return any(holds(part, names) for part in parts)
        case Unsaid():
            return True
        case _:
            assert_never(formula)


def mentioned(formula: Formula) -> frozenset[tuple[int, int]]:
    """Returns the things that a formula mentions, by kind and number.

    >>> sorted(mentioned(AnyOf((IsOneOf(0, 3, 1), IsOneOf(0, 5, 1)))))
    [(0, 3), (0, 5)]
    """
    match formula:
        case IsOneOf(kind=kind, thing=thing):
            return frozenset([(kind, thing)])
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return frozenset().union(*map(mentioned, parts))
        case bool() | Unsaid():
            return frozenset()
        case _:
            assert_never(formula)


@attrs.define
class Narrowing:
    """The possible names of each thing after a seat has seen the others' actions, and its other conclusions."""

    masks: dict[int, list[int]]
    """By kind and thing: the names; -1 is any."""
    open: list[Formula] = attrs.field(factory=list)
    """What holds, but is about several things at once."""
    whole: bool = True
    """Whether all that others did is in the masks and the open formulas."""

    def learn(self, formula: Formula, could: Callable[[int, int], int]) -> None:
        """Narrows the masks by a formula that holds; `could` says what a thing could be besides."""
        found = settled(formula, could)
        match found:
            case bool() as known:
                self.whole &= known  # What is false in spite of all that was seen was misunderstood.
            case IsOneOf(kind=kind, thing=thing, mask=mask):
                self.masks[kind][thing] &= mask
            case AllOf(parts=parts):
                for part in parts:
                    self.learn(part, could)
            case AnyOf() as several:
                self.open.append(several)
                self.whole &= UNSAID not in several.parts
            case Unsaid():
                self.whole = False
            case _:
                assert_never(found)

    def settle(self, could: Callable[[int, int], int]) -> None:
        """Looks again at the formulas about several things, since masks have narrowed."""
        several, self.open = self.open, []
        for formula in several:
            self.learn(formula, could)


def settled(formula: Formula, could: Callable[[int, int], int]) -> Formula:
    """Returns a formula without the parts that hold, or do not, for all names that things could have.

    >>> settled(AnyOf((IsOneOf(0, 3, 0b100), IsOneOf(0, 5, 0b010))), lambda kind, thing: 0b011)
    IsOneOf(kind=0, thing=5, mask=2)
    """
    match formula:
        case IsOneOf(kind=kind, thing=thing, mask=mask):
            names = could(kind, thing)
            return True if not names & ~mask else formula if names & mask else False
        case AllOf(parts=parts):
            return all_of(settled(part, could) for part in parts)
        case AnyOf(parts=parts):
            return any_of(settled(part, could) for part in parts)
        case bool() | Unsaid():
            return formula
        case _:
            assert_never(formula)
