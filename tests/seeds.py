"""Seeds of random games and programs: a few in each run, many in the long tests.

@pytest.mark.parametrize("seed", few_of(30))        the first of them run in `make test`, all in `make test-all`
"""

from __future__ import annotations

import pytest

FEW = 8
"""How many seeds the fast run tries, where a test does not say otherwise."""


def few_of(many: int, few: int = FEW) -> list[object]:
    """Returns that many seeds from 0; those beyond the first few are for the long tests.

    >>> [seed if isinstance(seed, int) else seed.values for seed in few_of(3, few=2)]
    [0, 1, (2,)]
    """
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many))]
