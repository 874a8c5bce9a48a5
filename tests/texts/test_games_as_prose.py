"""The shipped games and their variants, as they are told: read line by line, as a person would."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

import rulelang
from rulelang.screens.narration import told
from tests.files import NAMES

STEPS = 120

FAULTS = {
    "a written form": re.compile(r"[a-z]_[a-z]|\w\.[a-z]\w|\w\("),
    "something unknown": re.compile(r"\?"),
    "a change of nothing": re.compile(r"\b(pays|moves|loses|regains|gains|steals|burns) 0\b"),
    "one of several": re.compile(r"(?<![\d.])\b1 (zones|steps|tokens|counters|minerals|locations|dice|cards)\b"),
    "several of one": re.compile(r"\b(0|[2-9]|\d\d+) (zone|step|token|counter|location|die|card)\b"),
    "an owner of two": re.compile(r"s's\b"),
    "a hole": re.compile(r"[{}]|  "),
}
"""What no sentence for people has."""


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_told_in_sentences_for_people(name: str) -> None:
    game = rulelang.load(name)
    match = game.start(max(game.players[0], 2) if game.players[1] > 1 else 1, 3)
    rng = random.Random(name)
    for _ in range(STEPS):
        if match.to_move:
            match.play(rng.choice(list(match.options)))
    lines = [*told(match.events_for(None), match.seat_names)]
    assert len(lines) > 10
    said = [text for line in lines for text in (line.sentence, *line.changes) if text]
    found = [(fault, text) for text in said for fault, looks in FAULTS.items() if looks.search(text)]
    assert found == []
    headings = [(one.sentence, other.sentence) for one, other in pairwise(lines) if one.is_heading]
    assert all(heading != after for heading, after in headings), "no sentence repeats its heading"
