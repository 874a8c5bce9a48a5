"""Words that somebody says about an answer -> the answers that they mention, whether these may be chosen or not.

buying a red probe      Buy the red probe with …: it takes 4 cards
the wild                Take wild, on offer

Each word that is said begins a word of the answer, in the menu or in its written form. Who says the whole of an
answer's words, or the name of its rule, means no other.
"""

from __future__ import annotations

from collections.abc import Sequence

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


def mention(match: BareMatch, seat: Seat, options: Sequence[Option], text: str) -> Mention:
    """Returns the answers that a text mentions; `options` are those on offer."""
    said, choice = words_of(text[:LONGEST]), match.choice
    if not said or choice is None:
        return Mention()
    offered = [(one, _wordings(match, choice, one)) for one in options]
    no = [((one, reason), _wordings(match, choice, one)) for one, reason in refused(match, seat)]
    lacks = [(one, _wordings(match, choice, one)) for one in lacking(match, seat)]
    # The name of another answer of the game means that one, not those that begin with it.
    ways = (_is_whole, _is_spelled) if _is_of_another_choice(match, choice, said) else (_is_whole, _is_begun, _is_said)
    for fits in ways:
        found = Mention(
            tuple(one for one, wordings in offered if fits(said, wordings)),
            tuple(one for one, wordings in no if fits(said, wordings)),
            tuple(one for one, wordings in lacks if fits(said, wordings)),
            is_whole=fits is _is_whole,
        )
        if found:
            return found
    if ways[-1] is _is_spelled:
        return Mention()
    aside = (one for one in outside(match, seat) if _is_said(said, _wordings(match, choice, one)))
    # Things that are written alike are one option.
    return Mention(outside=tuple({one.text: one for one in aside}.values()))


def _wordings(match: BareMatch, choice: Choice, one: Option | Lack) -> tuple[tuple[str, ...], ...]:
    """Returns the wordings of an answer: its words in the menu, its written form, the name of its rule."""
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


def _is_spelled(said: tuple[str, ...], wordings: tuple[tuple[str, ...], ...]) -> bool:
    """Returns whether each word stands in a wording as it is."""
    return any(set(said) <= set(words) for words in wordings)


def _is_whole(said: tuple[str, ...], wordings: tuple[tuple[str, ...], ...]) -> bool:
    return said in wordings


def _is_begun(said: tuple[str, ...], wordings: tuple[tuple[str, ...], ...]) -> bool:
    """Returns whether the words, in their order, begin a wording."""
    return any(len(said) <= len(words) and all(map(begins, said, words)) for words in wordings)


def _is_said(said: tuple[str, ...], wordings: tuple[tuple[str, ...], ...]) -> bool:
    return says(said, (word for words in wordings for word in words))
