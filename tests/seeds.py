"""Seeds and cases of dear tests: a few in each run, all in the long tests.

@pytest.mark.parametrize("seed", few_of(30))                  the first of them run in `make test`, all in `make test-all`
@pytest.mark.parametrize("name", rest_long(NAMES, "nim"))     one of them runs in `make test`, all in `make test-all`
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

FEW = 4
"""How many seeds the fast run tries, where a test does not say otherwise."""


def few_of(many: int, few: int = FEW) -> list[object]:
    """Returns that many seeds from 0; those beyond the first few are for the long tests.

    >>> [seed if isinstance(seed, int) else seed.values for seed in few_of(3, few=2)]
    [0, 1, (2,)]
    """
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many))]


def rest_long(cases: Iterable[object], *fast: object) -> list[object]:
    """Returns the cases of a test; all but the `fast` ones are for the long tests.

    >>> [case if isinstance(case, str) else case.values for case in rest_long(["go", "nim", "pig"], "nim")]
    [('go',), 'nim', ('pig',)]
    """
    return [case if case in fast else pytest.param(case, marks=pytest.mark.long) for case in cases]
