"""Random functions of the low-level IR, before and after every pass, in printed Python and in machine code."""

from __future__ import annotations

import random

from tests.fuzz.finding import Finding
from tests.program.test_random_functions import FIRST, checked


def attack(choose: random.Random) -> None:
    """Runs one random function; raises Finding where something that should not changes what it does."""
    again(f"{choose.choice(FIRST)} {choose.randrange(10**9)}")


def again(found: str) -> None:
    """Runs what a finding names: the first member of its sets, and its seed."""
    first, seed = map(int, found.split())
    try:
        checked(seed, first)
    except Exception as changed:
        raise Finding(f"{type(changed).__name__}: {changed}", found) from changed
