"""A value and its written form belong together, and a value is of its type or not."""

import pytest

from rulelang import load
from rulelang.errors import UnknownOption
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, KindType, SetType, Type, first_of, size_of
from rulelang.program.values import read_value, within, written

GAME = load("outspeed").ir
POWER = EnumType("Power", ("nitro", "siphon", "jetpack"))
TYPES: list[Type] = [
    IntType(-3, 4),
    FlagType(),
    POWER,
    KindType("Player", len(GAME.seats)),
    IntType(0, 2, optional=True),
]


@pytest.mark.parametrize("type", TYPES, ids=lambda type: type.__class__.__name__)
def test_every_value_is_found_in_its_written_form(type: Type) -> None:
    values = [first_of(type) + i for i in range(size_of(type))] + ([NONE] if type.optional else [])
    for value in values:
        assert value in read_value(GAME, written(value, type, GAME), type)
        assert within(type, value)


def test_a_set_is_read_in_any_order() -> None:
    type = SetType(POWER)
    first, second, *_ = POWER.members
    assert read_value(GAME, f"{{{second}, {first}}}", type) == [0b11]
    assert written(0b11, type, GAME) == f"{{{first}, {second}}}"


def test_none_is_no_value_of_a_type_without_it() -> None:
    assert not within(IntType(0, 3), NONE)
    assert not within(KindType("Player", 2), NONE)


@pytest.mark.parametrize("text", ["", "1.5", "٣", "1" * 11, "one", "{1}"])
def test_what_is_no_number_is_not_read_as_one(text: str) -> None:
    with pytest.raises(UnknownOption, match="expected a number"):
        read_value(GAME, text, IntType(0, 9))


def test_a_name_that_is_nearly_right_is_offered() -> None:
    with pytest.raises(UnknownOption, match="did you mean `red`"):
        read_value(GAME, "rde", KindType("Player", len(GAME.seats)))
