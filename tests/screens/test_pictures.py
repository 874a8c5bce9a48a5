"""What people see is kept as pictures that were read by eye; it fits the terminal, with the prompt, at every choice."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.screens.pictures import PAGE, SIZES, TABLES, Seen, page, reached, shown
from tests.snapshots import TextFile


@pytest.mark.parametrize("what", [*SIZES, "turn", "what", "why", "refusal"])
@pytest.mark.parametrize("game", TABLES)
def test_what_people_see(game: str, what: str, snapshot: SnapshotAssertion) -> None:
    assert shown(game, what) == snapshot(extension_class=TextFile)


@pytest.mark.parametrize("game", TABLES)
def test_every_choice_fits_a_small_terminal_with_its_prompt(game: str) -> None:
    for name, match in reached(game).items():
        lines = Seen(match).screen().splitlines()
        # A rule above the screen, and the prompt below.
        assert len(lines) + 2 <= 24, (name, "\n".join(lines))
        assert max(map(len, lines)) <= 80, name


def test_the_pictures_of_the_docs_are_those_of_the_program() -> None:
    """`python -m tests.screens.pictures` writes them anew."""
    assert PAGE.read_text(encoding="utf-8") == page()
