"""The table of calculations: what a row says of its results holds for all of them, in folding as at run time."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from rulelang.errors import RangeViolation
from rulelang.ir.model import vocabulary
from rulelang.ir.model.calculations import CALCULATIONS, LAYERS, is_called
from rulelang.program.operators import operate

ENDS = [(low, high) for low in range(-4, 4) for high in range(low, 4)]


def test_every_calculation_has_a_row() -> None:
    words = {word for part in get_args(vocabulary.Calculation) for word in (get_args(part) or (part,))}
    assert set(CALCULATIONS) == words
    assert set(LAYERS) == {"set", "times", "+", *get_args(vocabulary.Limit)}


def test_what_rules_call_by_its_name_has_words() -> None:
    assert all(bool(row.said) == is_called(name) for name, row in CALCULATIONS.items())


@pytest.mark.parametrize("name", CALCULATIONS)
def test_all_results_lie_within_the_span(name: vocabulary.Calculation) -> None:
    row = CALCULATIONS[name]
    for ends in product(ENDS, repeat=row.takes):
        low, high = row.span(*ends)
        for numbers in product(*(range(first, last + 1) for first, last in ends)):
            try:
                result = row.value(*numbers)
            except ZeroDivisionError:
                continue
            assert low <= result <= high, (ends, numbers)
            assert operate(name, numbers) == result


def test_dividing_by_nothing_names_the_number() -> None:
    with pytest.raises(RangeViolation, match="7 cannot be divided by 0"):
        operate("mod", (7, 0))
