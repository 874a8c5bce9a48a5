"""The table of operators: what a row says of its results holds for all of them, in folding as at run time."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from rulelang.errors import RangeViolation
from rulelang.ir import model as ir
from rulelang.ir.model import vocabulary
from rulelang.ir.model.operators import (
    CALCULATIONS,
    COMPARISONS,
    LAYERS,
    OPERATORS,
    CalculationTraits,
    is_called,
)
from rulelang.ir.types import NONE
from rulelang.program.operators import operate

ONE = ("not", "single", "size")
"""The operators of one operand, besides calculations."""
ENDS = [(low, high) for low in range(-4, 4) for high in range(low, 4)]


def test_every_calculation_has_a_row() -> None:
    words = {word for part in get_args(vocabulary.Calculation) for word in (get_args(part) or (part,))}
    assert set(CALCULATIONS) == words
    assert set(LAYERS) == {"set", "times", "+", *get_args(vocabulary.Limit)}


def test_every_operator_has_a_row() -> None:
    def words(union: object) -> set[object]:
        return {word for part in get_args(union) for word in (words(part) if get_args(part) else {part})}

    assert set(OPERATORS) == words(vocabulary.Operator)


def test_every_operator_has_words_in_sentences() -> None:
    flags = {name for name, row in OPERATORS.items() if row.gives == "a flag"}
    assert {name for name, row in OPERATORS.items() if row.holds} == flags - {"not"}
    assert {name for name, row in OPERATORS.items() if not any(row.said)} == flags | {"single", "range", "size"}
    assert all(any(CALCULATIONS[name].said) for name in CALCULATIONS if is_called(name))


@pytest.mark.parametrize("name", COMPARISONS)
def test_the_inverse_of_a_comparison_is_its_negation_and_its_mirror_exchanges_its_sides(name: ir.Comparison) -> None:
    row = COMPARISONS[name]
    for a, b in product(range(3), repeat=2):
        assert operate(name, (a, b)) == 1 - operate(row.inverse, (a, b)) == operate(row.mirrored, (b, a))


@pytest.mark.parametrize("name", OPERATORS)
def test_none_among_the_operands_does_what_the_row_says(name: ir.Operator) -> None:
    row = OPERATORS[name]
    operands = (NONE,) * (row.takes if isinstance(row, CalculationTraits) else 1 if name in ONE else 2)
    if row.none == "a fault":
        with pytest.raises(RangeViolation, match="where a number is needed"):
            operate(name, operands)
    else:
        found = operate(name, operands)
        assert found == (1 if name in ("==", "not") else 0), "nothing, an empty set, or none compared with none"


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


@pytest.mark.parametrize("name", [name for name in CALCULATIONS if name not in ("mod", "ceildiv")])
def test_the_ends_of_a_span_are_results(name: vocabulary.Calculation) -> None:
    row = CALCULATIONS[name]
    for ends in product(ENDS, repeat=row.takes):
        every = product(*(range(first, last + 1) for first, last in ends))
        found = {row.value(*numbers) for numbers in every if name != "floordiv" or numbers[1]}
        assert not found or row.span(*ends) == (min(found), max(found)), ends


def test_dividing_by_nothing_names_the_number() -> None:
    with pytest.raises(RangeViolation, match="7 cannot be divided by 0"):
        operate("mod", (7, 0))
