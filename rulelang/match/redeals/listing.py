"""A seat's memory -> all courses of the match that the seat could not tell apart, each with its weight.

A course is abandoned at the first stop where the seat would have seen something else, so the list is the information
set, except for the order of things that nobody has taken from a pile yet, all orders of which are equally likely.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, prod

import attrs

from rulelang.knowledge.guesses import Rng
from rulelang.match.redeals.retrace import Course, Retrace, Spent


@attrs.frozen(eq=False)
class Listing:
    """The information set of a seat: the courses up to the present, and the running sums of their weights."""

    courses: tuple[Course, ...]
    shares: tuple[int, ...]
    """The running sums of the weights, as integers in the same proportions."""

    @classmethod
    def of(cls, retrace: Retrace) -> Listing | None:
        """Lists all courses; returns None if the budget does not suffice."""
        moments = retrace.memory.moments
        last = len(moments) - 1
        if prod(lot.ways for lot in moments[0].lots) > retrace.budget.most:
            return None
        found: list[Course] = []
        try:
            waiting = list(retrace.beginnings())
            while waiting:
                course = waiting.pop()
                if course.at == last:
                    found.append(course)
                else:
                    waiting.extend(retrace.onward(course))
        except Spent:
            return None
        return cls(tuple(found), _added_up([course.weight for course in found]))

    def drawn(self, rng: Rng) -> Course:
        """Returns a random course, with a probability in proportion to its weight."""
        at = rng.randrange(self.shares[-1])
        low, high = 0, len(self.shares) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if at < self.shares[middle] else (middle + 1, high)
        return self.courses[low]


def _added_up(weights: list[Fraction]) -> tuple[int, ...]:
    """Returns the running sums of the weights, as integers in the same proportions.

    >>> _added_up([Fraction(1, 2), Fraction(1, 3)])
    (3, 5)
    """
    unit = lcm(*(weight.denominator for weight in weights)) if weights else 1
    sums: list[int] = []
    for weight in weights:
        sums.append((sums[-1] if sums else 0) + int(weight * unit))
    return tuple(sums)
