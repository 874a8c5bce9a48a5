"""Finds the one name that a misspelt one most likely stands for ("did you mean").

    move card to discrad        suggest("discrad", zones)  ->  "discard"

Callers pass only candidates of the right kind that are in scope. A candidate that differs only in case and `_` wins;
otherwise the nearest within an edit distance of a third of the length (at least 1); on a tie, the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

LONGEST = 60
"""The longest word that is compared, in characters; nobody mistypes a longer one."""
MOST_CANDIDATES = 2000
"""The number of candidates that are compared; any others are ignored."""


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """Returns the candidate nearest to a word, or None if none is near enough.

    >>> suggest("discrad", ["hand", "discard"])
    'discard'
    >>> suggest("FuelTank", ["nitro", "fuel_tank"])
    'fuel_tank'
    >>> suggest("x", ["hand"]), suggest("handle", ["hand"]), suggest("handles", ["hand"])
    (None, 'hand', None)
    """
    if len(word) > LONGEST:
        return None
    best, least = None, max(len(word) // 3, 1) + 1
    for candidate in islice(candidates, MOST_CANDIDATES):
        if candidate == word:
            continue
        if _plain(candidate) == _plain(word):
            return candidate
        if abs(len(candidate) - len(word)) < least and len(candidate) <= LONGEST:
            found = distance(word, candidate)
            if found < min(least, len(word)):
                best, least = candidate, found
    return best


def hint(word: str, candidates: Iterable[str]) -> str:
    """Returns the end of a sentence on an unknown word: the name that is meant, else all that there are.

    >>> hint("rde", ["green", "red"]), hint("me", ["green", "red"])
    ('; did you mean red?', ' (there are: green, red)')
    """
    known = list(candidates)
    near = suggest(word, known)
    return f"; did you mean {near}?" if near else f" (there are: {', '.join(known)})" if known else ""


def distance(a: str, b: str) -> int:
    """Returns the edit distance: letters added, dropped, changed, or swapped with a neighbour.

    >>> distance("discrad", "discard"), distance("fuel", "fule"), distance("ab", "cd")
    (1, 1, 2)
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _plain(word: str) -> str:
    return word.replace("_", "").lower()
