"""Explicit chance reaches what all ways to throw, pick and shuffle reach, each position with its exact probability."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulelang.machines.chance import Unordered
from tests.fuzz.finding import Finding
from tests.generators.deals import looked_at


@pytest.mark.long
def test_explicit_chance_agrees_with_brute_force_on_a_few_deals() -> None:
    found = [looked_at(seed, 60) for seed in range(12)]
    assert sum(one is not None for one in found) > 3


def test_a_draw_that_counts_like_things_once_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def evenly(left: Unordered) -> tuple[tuple[int, Fraction], ...]:
        return tuple((alike[0], Fraction(1, len(left.groups))) for alike in left.groups)

    monkeypatch.setattr(Unordered, "outcomes", property(evenly))
    with pytest.raises(Finding, match="other probabilities"):
        _ = [looked_at(seed, 60) for seed in range(12)]


@pytest.mark.long
def test_explicit_chance_agrees_with_brute_force() -> None:
    found = [looked_at(seed, 150) for seed in range(100, 120)]
    assert sum(one is not None for one in found) > 6
    assert sum(one or 0 for one in found) > 40
