"""A game and its edits survive a link; what is no link is refused with a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.editing.shared import SharedGame, Splice, read, write
from rulelang.errors import InvalidInput


@pytest.mark.long
@given(st.text(max_size=40), st.text(max_size=40))
def test_a_splice_makes_one_text_of_another(before: str, after: str) -> None:
    assert Splice.between(before, after).applied(before) == after


def test_a_splice_is_refused_by_another_text() -> None:
    with pytest.raises(InvalidInput, match="other rules"):
        Splice.between("one", "two").applied("three")


@given(st.dictionaries(st.sampled_from(("a.rules", "variants/b.rules")), st.text(max_size=30)))
def test_a_link_holds_what_it_is_made_of(texts: dict[str, str]) -> None:
    shared = SharedGame("nim", ("two",), texts, {"a.rules": Splice.between("abc", "abd")})
    assert read(write(shared)) == shared


@pytest.mark.parametrize("link", ["", "../etc", "nim=eJyr", "nim=%%%", "nim=", "a+../b", "nim=" + "A" * 999])
def test_what_is_no_link_is_refused(link: str) -> None:
    if link == "nim=":
        assert read(link) == SharedGame("nim")
        return
    with pytest.raises(InvalidInput):
        read(link)


def test_a_link_never_leaves_its_folder() -> None:
    with pytest.raises(InvalidInput):
        read(write(SharedGame("nim", texts={"../nim.rules": ""})))
