"""Places are those of the editor's own text, whatever it holds."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.language_service.document import EditorPlace, EditorText

TEXTS = (
    "a\nb",
    "a\r\nb\rc",
    "🎲 = 1\n🎲🎲x",
    unicodedata.normalize("NFD", "café = é\nñ = 2"),
    "",
    "\n\n",
    "\ufeffx\ny",
)


@pytest.mark.parametrize("text", TEXTS)
def test_each_offset_has_a_place_that_leads_back_to_it(text: str) -> None:
    document = EditorText(text)
    for offset in range(len(document.source.text) + 1):
        assert document.offset(document.place(offset)) == offset


@given(st.lists(st.sampled_from(["a", "é", "e\u0301", "🎲", "\r\n", "\n", " ", "ñ", "\u0301"])).map("".join))
def test_places_lie_in_the_text(text: str) -> None:
    document = EditorText(text)
    places = [document.place(offset) for offset in range(len(document.source.text) + 1)]
    assert places == sorted(places)
    for place in places:
        units = len(document.lines[place.line].encode("utf-16-le")) // 2
        assert place.column <= units


def test_an_emoji_is_two_units_wide() -> None:
    assert EditorText("🎲🎲x").place(2) == EditorPlace(0, 4)


def test_a_letter_of_two_signs_is_two_units_wide_in_the_editor() -> None:
    assert EditorText("e\u0301x").place(1) == EditorPlace(0, 2)
    assert EditorText("e\u0301x").offset(EditorPlace(0, 2)) == 1


def test_a_place_that_does_not_exist_is_the_nearest() -> None:
    assert EditorText("ab\nc").offset(EditorPlace(9, 9)) == 4
    assert EditorText("ab\nc").offset(EditorPlace(0, 99)) == 2
