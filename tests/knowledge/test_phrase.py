"""Text for people carries its names beside it: whoever prints it need not find them again."""

from __future__ import annotations

import pickle

from rulelang.knowledge.phrase import Name, Phrase, named, names_in, pieces, spliced, trimmed
from rulelang.knowledge.redaction import Hole, listed, read

RED, NITRO = named("Red", "seat"), named("nitro", "thing")


def told(text: str) -> list[tuple[str, str]]:
    return [(str(text[name.start : name.end]), name.what) for name in names_in(text)]


def test_names_keep_their_places_when_texts_are_put_together() -> None:
    text = spliced((RED, " lays ", NITRO, " beside ", spliced((RED, "'s ship"))))
    assert text == "Red lays nitro beside Red's ship"
    assert told(text) == [("Red", "seat"), ("nitro", "thing"), ("Red", "seat")]
    assert told(spliced([RED, NITRO], ", ")) == [("Red", "seat"), ("nitro", "thing")]


def test_a_text_without_names_is_a_text() -> None:
    assert type(spliced(("a", "b"))) is str
    assert names_in("Red lays nitro") == ()


def test_what_is_cut_keeps_the_names_that_it_holds() -> None:
    ion = named("ion cannon", "thing")
    assert [told(piece) for piece in pieces(spliced(("  at ", ion, " Red ")))] == [
        [],
        [("ion cannon", "thing")],
        [],
    ]
    assert told(trimmed(spliced(("  ", RED, " ")))) == [("Red", "seat")]
    assert [told(piece) for piece in pieces(spliced((RED, " ", RED)))] == [[("Red", "seat")]] * 2


def test_what_a_reader_may_not_know_is_no_name_to_it() -> None:
    words = (RED, " lays ", Hole(((NITRO, 0b01),), "a token", "tokens", said=True))
    assert told(read(words, 0b01)) == [("Red", "seat"), ("nitro", "thing")]
    assert told(read(words, 0b10)) == [("Red", "seat")]


def test_things_that_are_counted_stay_names() -> None:
    assert told(listed([NITRO, NITRO, RED])) == [("nitro", "thing"), ("Red", "seat")]


def test_a_phrase_is_its_text_and_can_be_kept() -> None:
    phrase = Phrase("Red waits", (Name(0, 3, "seat"),))
    counts: dict[str, int] = {phrase: 1}
    assert counts["Red waits"] == 1
    kept = pickle.loads(pickle.dumps(phrase))
    assert (kept, kept.names) == (phrase, phrase.names)


def test_a_text_that_needs_no_trimming_keeps_its_names() -> None:
    assert names_in(trimmed(named("Green", "seat"))) == names_in(named("Green", "seat"))
