"""Words that are no answer to a question -> the reply to them.

explore       `explore` cannot be chosen now (what explore says what it is)
frobnicate    nothing here is called `frobnicate`
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulelang.diagnostics.suggest import suggest
from rulelang.ir.model import GameRules, Template
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.match.options.words import says, words_of
from rulelang.program.values import clean, plain
from rulelang.screens.what import explained
from rulelang.session.prompt_builder import OPEN

LONGEST = 40
"""The most characters of such words that the reply repeats."""


def no_answer(match: BareMatch, seat: Seat, text: str, labels: Iterable[str], *, is_at_prompt: bool = True) -> str:
    """Returns the reply to words that mean none of the answers with these labels; at a prompt, `what` explains them."""
    words = clean(text.strip())[:LONGEST]
    more = f" (what {words} says what it is)" if is_at_prompt else ""
    elsewhere = _asked_elsewhere(match.game, text[:LONGEST])
    if elsewhere:
        return f"`{words}` is no answer to this question: {elsewhere}{more}"
    if explained(match, seat, words):
        return f"`{words}` cannot be chosen now{more}"
    near = suggest(words, labels)
    return f"nothing here is called `{words}`" + (f"; did you mean `{near}`?" if near else "")


def _asked_elsewhere(game: GameRules, text: str) -> str:
    """Returns the question of another choice that words answer, `it is for “Play cards?”`; "" if there is none, or so
    many that one of them would mislead: `stop` answers a lot of questions."""
    said = words_of(text)
    found: list[str] = []
    for choice in game.choices:
        for branch in choice.branches:
            label = game.rules[branch.rule].label
            fixed = (part for part in label.parts if isinstance(part, str)) if label is not None else ()
            own = words_of(" ".join((plain(branch.name), *fixed)))
            if branch.rule and says(said, own):
                prompt = "" if choice.prompt is None else _fixed(choice.prompt)
                found.append(f"it is for “{prompt}”" if prompt else "it is for another one")
    return found[0] if len(set(found)) == 1 else ""


def _fixed(text: Template) -> str:
    """Returns a text with `…` for each filled-in part, and without those in brackets."""
    whole = clean("".join(part if isinstance(part, str) else OPEN for part in text.parts))
    return re.sub(rf" ?\([^()]*{OPEN}[^()]*\)", "", whole)
