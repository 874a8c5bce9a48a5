"""Words that are no answer to a question -> the reply to them.

explore       `explore` cannot be chosen now (what explore says what it is)
buy_rocket    `buy_rocket` can never be chosen in this game: Alone, rockets are never bought [ES-11.5]
frobnicate    nothing here is called `frobnicate`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulelang.diagnostics.suggest import suggest
from rulelang.ir.model import Branch, Choice, GameRules, Need, Template
from rulelang.ir.numbers import Seat
from rulelang.machines.legal import abolished_by, agreed_in
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import Reason
from rulelang.match.options.words import begins, says, words_of
from rulelang.program.values import clean, plain
from rulelang.screens.what import explained, refusal
from rulelang.session.prompt_builder import OPEN

LONGEST = 40
"""The most characters of such words that the reply repeats."""


def no_answer(match: BareMatch, seat: Seat, text: str, labels: Iterable[str], *, is_at_prompt: bool = True) -> str:
    """Returns the reply to words that mean none of the answers with these labels; at a prompt, `what` explains them."""
    words = clean(text.strip())[:LONGEST]
    more = f" (what {words} says what it is)" if is_at_prompt else ""
    if never := _never_allowed(match, text[:LONGEST]):
        return f"`{words}` can never be chosen in this game: {'; '.join(never)}".rstrip(": ")
    elsewhere = _asked_elsewhere(match, text[:LONGEST])
    if elsewhere:
        return f"`{words}` is no answer to this question: {elsewhere}{more}"
    if explained(match, seat, words):
        return f"`{words}` cannot be chosen now{more}"
    near = suggest(words, labels)
    return f"nothing here is called `{words}`" + (f"; did you mean `{near}`?" if near else "")


def _never_allowed(match: BareMatch, text: str) -> tuple[str, ...]:
    """Returns why all the answers that words name can be chosen in
    no position of this game; () if one can, or none is named."""
    said = words_of(text.partition("(")[0])
    named = [(branch, never) for _, branch, never in _answers(match) if _names(match.game, said, branch)]
    found = [_said(match.game, branch, never) for branch, never in named if never is not None]
    return tuple(dict.fromkeys(found)) if len(found) == len(named) else ()


def _answers(match: BareMatch) -> Iterator[tuple[Choice, Branch, Need | None]]:
    """Yields the answers to all questions of a game, each with the need that no position meets, if it has one."""
    agreed = agreed_in(match.game, match.position.layout.states, match.position.row)
    for choice in match.game.choices:
        yield from ((choice, branch, abolished_by(branch, agreed)) for branch in choice.branches if branch.rule)


def _names(game: GameRules, said: tuple[str, ...], branch: Branch) -> bool:
    """Returns whether words hold the whole name of an answer, or begin as it does and say nothing that it does not."""
    name, label = words_of(plain(branch.name)), words_of(_fixed_words(game, branch))
    if name and all(any(len(word) >= len(own) and begins(word, own) for word in said) for own in name):
        return True
    return said[:1] in (name[:1], label[:1]) and says(said, (*name, *label))


def _said(game: GameRules, branch: Branch, need: Need) -> str:
    """Returns the words in which a need refuses an answer, with its clauses."""
    return str(Reason(refusal(game, branch, need), need.clauses or game.sites[need.site].clauses)).strip()


def _fixed_words(game: GameRules, branch: Branch) -> str:
    """Returns the words of an answer in the menu, without what is filled in."""
    label = game.rules[branch.rule].label
    return "" if label is None else " ".join(part for part in label.parts if isinstance(part, str))


def _asked_elsewhere(match: BareMatch, text: str) -> str:
    """Returns the question of another choice that words answer, `it is for “Play cards?”`; "" if there is none, or so
    many that one of them would mislead: `stop` answers a lot of questions."""
    said = words_of(text)
    found: list[str] = []
    for choice, branch, never in _answers(match):
        own = words_of(f"{plain(branch.name)} {_fixed_words(match.game, branch)}")
        if never is None and says(said, own):
            prompt = "" if choice.prompt is None else _fixed(choice.prompt)
            found.append(f"it is for “{prompt}”" if prompt else "it is for another one")
    return found[0] if len(set(found)) == 1 else ""


def _fixed(text: Template) -> str:
    """Returns a text with `…` for each filled-in part, and without those in brackets."""
    whole = clean("".join(part if isinstance(part, str) else OPEN for part in text.parts))
    return re.sub(rf" ?\([^()]*{OPEN}[^()]*\)", "", whole)
