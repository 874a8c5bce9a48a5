"""A printed word is the number that its form says, wherever it stands: as a number, as a condition, negated."""

from __future__ import annotations

from random import Random

import pytest

from rulelang.program.low import model as low
from rulelang.program.python.words import condition_of, text_of
from tests.generators.low_ir import Run, program
from tests.seeds import rest_long

ROW, REGISTERS = (0, 1, 6, 30), (1, 0, 5)


def some_word(rng: Random, depth: int) -> low.Word:
    """Returns a random word of sets and conditions."""
    if not depth or rng.random() < 0.2:
        plain: tuple[low.Word, ...] = (
            low.ConstWord(rng.choice([0, 1, 2, 30])),
            low.RegisterWord(rng.randrange(len(REGISTERS))),
            low.CellWord(low.ConstWord(rng.randrange(len(ROW)))),
        )
        return rng.choice(plain)
    one, other = some_word(rng, depth - 1), some_word(rng, depth - 1)
    form = rng.randrange(5)
    if form == 0:
        return low.SelectWord(some_word(rng, depth - 1), one, other)
    if form == 1:
        return low.HasWord(one, low.ConstWord(rng.randrange(3)))
    return low.BinaryWord(rng.choice(["&", "|"] if form < 4 else ["==", "!=", "<", ">="]), one, other)


@pytest.mark.parametrize("first", rest_long(range(0, 4_000, 1_000), 0))
def test_a_word_of_sets_and_conditions_is_printed_as_the_number_that_it_is(first: int) -> None:
    given = {"S": ROW, **{f"r{i}": value for i, value in enumerate(REGISTERS)}}
    running = Run(program(0), list(ROW))
    for seed in range(first, first + 1_000):
        word = some_word(Random(seed), 4)
        value = running.word(word, dict(enumerate(REGISTERS)))
        assert int(eval(text_of(word), given)) == value, seed
        assert bool(eval(condition_of(word), given)) == bool(value), seed
        opposite = low.BinaryWord("==", word, low.ConstWord(0))
        assert bool(eval(condition_of(opposite), given)) == (not value), seed
