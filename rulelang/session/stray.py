"""Words that are no answer to a question -> the reply to them.

explore       `explore` cannot be chosen now (what explore says what it is)
frobnicate    nothing here is called `frobnicate`
"""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.diagnostics.suggest import suggest
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.program.values import clean
from rulelang.screens.what import explained

LONGEST = 40
"""The most characters of such words that the reply repeats."""


def no_answer(match: BareMatch, seat: Seat, text: str, labels: Iterable[str]) -> str:
    """Returns the reply to words that mean none of the answers with these labels."""
    words = clean(text.strip())[:LONGEST]
    if explained(match, seat, words):
        return f"`{words}` cannot be chosen now (what {words} says what it is)"
    near = suggest(words, labels)
    return f"nothing here is called `{words}`" + (f"; did you mean `{near}`?" if near else "")
