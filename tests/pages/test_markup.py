"""Text never becomes markup by itself."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.knowledge.phrase import named, spliced
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, together

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;b&gt;",
    "'",
    "a\x00b\x1b[31m",
    "\u202eabc",
)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def _read(markup: str) -> _Tags:
    found = _Tags()
    found.feed(markup)
    return found


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_add_no_element(words: str) -> None:
    shown = element("p", words, element("b", words), title=words, klass=words, data_choose=words)
    assert _read(shown).tags == ["p", "b"]
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.mark.long
@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_any_words_are_read_back_as_they_are(words: str) -> None:
    bare = "".join(c for c in words if c >= " " or c in "\n\t" or c == "\r")
    found = _read(element("p", bare.replace("\r", "").replace("\x7f", "")))
    assert found.tags == ["p"]


def test_names_keep_their_colours() -> None:
    ink = Ink(("red", "ann"), ("", "green"))
    said = ink.words(spliced([named("ann", "seat"), " takes ", named("blue probe", "thing")]))
    assert said == '<b class="seat ink-green">ann</b> takes <b class="thing ink-blue">blue probe</b>'


def test_seats_without_a_colour_get_different_ones() -> None:
    ink = Ink(("first", "second", "third"))
    assert len(set(ink.seats.values())) == 3


def test_markup_stays_markup() -> None:
    assert together(Markup("<b>x</b>"), "<", None) == "<b>x</b>&lt;"
