"""Components on paper: every card is there as often as the game has it, and a variant prints what it has otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.pages.sheets import sheets
from tests.files import ROOT


@pytest.mark.parametrize("name", ["outspeed", "empty_space", "exobase", "exit_velocity"])
def test_every_thing_has_a_face_and_a_back(name: str) -> None:
    game = api.load(name)
    page = sheets(game)
    boards = {board.kind for board in game.ir.boards}
    things = sum(kind.size for kind in game.ir.kinds[1:] if kind.movable and kind.id not in boards)
    assert page.count('<li class="card back') == things
    assert page.count('<li class="card') == 2 * things
    assert page.count("<svg") == len(game.ir.boards)
    assert "http" not in page
    assert "<script" not in page


def test_a_variant_prints_what_it_has_otherwise(tmp_path: Path) -> None:
    rules = tmp_path / "deck.rules"
    text = (ROOT / "tests/classics/kuhn.rules").read_text()
    rules.write_text(text)
    base = api.load(str(rules))
    assert "Nothing is printed otherwise." in sheets(base, base)
    assert "Nothing is printed otherwise." not in sheets(api.load("empty_space"), base)


def test_names_on_cards_are_text(tmp_path: Path) -> None:
    rules = tmp_path / "hostile.rules"
    rules.write_text((ROOT / "tests/classics/kuhn.rules").read_text().replace("Kuhn", "<script>Kuhn", 1))
    assert "<script" not in sheets(api.load(str(rules)))


def test_a_card_has_the_rows_of_tables_that_are_about_it() -> None:
    page = sheets(api.load("outspeed"))
    tile = page.partition("<h3>tile 7</h3>")[2].partition("</li>")[0]
    assert "<caption>route</caption>" in tile
    assert tile.count("<tr>") == 1 + 6
    assert "yellow die" in tile
    assert '<li class="card back wide">' in page
