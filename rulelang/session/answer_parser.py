"""Words that somebody says about an answer -> the answers that they mention, whether these may be chosen or not.

buying a red probe      Buy the red probe with …: it takes 4 cards
the wild                Take wild, on offer

Each word that is said begins a word of the answer, in the menu or in its written form. Who says the whole of an
answer's words, or the name of its rule, means no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import attrs

from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import Reason
from rulelang.match.options.option import LONGEST, Option
from rulelang.match.options.words import begins, says, words_of
from rulelang.match.refused import Lack, lacking, outside, refused
from rulelang.program.values import plain
from rulelang.session.prompt_builder import opening

_Wordings: TypeAlias = tuple[tuple[str, ...], ...]
"""The wordings of an answer, each as words."""


@attrs.frozen
class Mention:
    """The answers that words mention."""

    offered: tuple[Option, ...] = ()
    refused: tuple[tuple[Option, Reason], ...] = ()
    lacks: tuple[Lack, ...] = ()
    outside: tuple[Option, ...] = ()
    """Options with a value of the right kind that is not among those to choose from; only where nothing else fits."""
    is_whole: bool = False
    """Whether the words are the whole wording of these answers."""

    def __bool__(self) -> bool:
        return bool(self.offered or self.refused or self.lacks or self.outside)


@attrs.define
class Vocabulary:
    """The wordings of all answers to one question; they are gathered once, when the first words are read."""

    match: BareMatch
    seat: Seat
    options: Sequence[Option]
    """The options on offer."""
    found: dict[tuple[str, ...], Mention] = attrs.field(factory=dict)
    """By words that were said: what they mention."""

    @cached_property
    def offered(self) -> list[tuple[Option, _Wordings]]:
        """The options on offer, with their wordings."""
        return [(one, _wordings(self.match, one)) for one in self.options]

    @cached_property
    def refused(self) -> list[tuple[tuple[Option, Reason], _Wordings]]:
        """The options that a rule forbids, each with the reason, and their wordings."""
        return [((one, reason), _wordings(self.match, one)) for one, reason in refused(self.match, self.seat)]

    @cached_property
    def lacks(self) -> list[tuple[Lack, _Wordings]]:
        """The beginnings of answers that nothing completes, with their wordings."""
        return [(one, _wordings(self.match, one)) for one in lacking(self.match, self.seat)]

    @cached_property
    def outside(self) -> list[tuple[Option, _Wordings]]:
        """The options with a value that is not among those to choose from, with their wordings."""
        return [(one, _wordings(self.match, one)) for one in outside(self.match, self.seat)]


def mention(vocabulary: Vocabulary, text: str) -> Mention:
    """Returns the answers that a text mentions."""
    said = words_of(text[:LONGEST])
    if said not in vocabulary.found:
        vocabulary.found[said] = _mention(vocabulary, said)
    return vocabulary.found[said]


def _mention(vocabulary: Vocabulary, said: tuple[str, ...]) -> Mention:
    match, choice = vocabulary.match, vocabulary.match.choice
    if not said or choice is None:
        return Mention()
    # The name of another answer of the game means that one, not those that begin with it.
    ways = (_is_whole, _is_spelled) if _is_of_another_choice(match, choice, said) else (_is_whole, _is_begun, _is_said)
    for fits in ways:
        found = Mention(
            tuple(one for one, wordings in vocabulary.offered if fits(said, wordings)),
            tuple(one for one, wordings in vocabulary.refused if fits(said, wordings)),
            tuple(one for one, wordings in vocabulary.lacks if fits(said, wordings)),
            is_whole=fits is _is_whole,
        )
        if found:
            return found
    if ways[-1] is _is_spelled:
        return Mention()
    aside = (one for one, wordings in vocabulary.outside if _is_said(said, wordings))
    # Things that are written alike are one option.
    return Mention(outside=tuple({one.text: one for one in aside}.values()))


def _wordings(match: BareMatch, one: Option | Lack) -> _Wordings:
    """Returns the wordings of an answer: its words in the menu, its written form, the name of its rule."""
    choice = match.choice
    assert choice is not None
    branch = choice.branches[one.answer[0]]
    own = plain(branch.name)
    if isinstance(one, Lack):
        label = match.game.rules[branch.rule].label
        fixed = " ".join(part for part in label.parts if isinstance(part, str)) if label is not None else ""
        return words_of(opening(match.game, choice, one.answer)), words_of(f"{own} {fixed}"), words_of(own)
    return words_of(one.label), words_of(one.text), words_of(own)


def _is_of_another_choice(match: BareMatch, choice: Choice, said: tuple[str, ...]) -> bool:
    """Returns whether words are the name of an answer to other questions alone."""
    here = {branch.rule for branch in choice.branches}
    named = {
        rule.id for rule in match.game.rules if rule.what in ("action", "option") and words_of(plain(rule.name)) == said
    }
    return bool(named) and not named & here


def _is_spelled(said: tuple[str, ...], wordings: _Wordings) -> bool:
    """Returns whether each word stands in a wording as it is."""
    return any(set(said) <= set(words) for words in wordings)


def _is_whole(said: tuple[str, ...], wordings: _Wordings) -> bool:
    return said in wordings


def _is_begun(said: tuple[str, ...], wordings: _Wordings) -> bool:
    """Returns whether the words, in their order, begin a wording."""
    return any(len(said) <= len(words) and all(map(begins, said, words)) for words in wordings)


def _is_said(said: tuple[str, ...], wordings: _Wordings) -> bool:
    return says(said, (word for words in wordings for word in words))
