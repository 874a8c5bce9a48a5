"""The words with which an event begins: its call, its sentence, and what the sentence names.

take(red, 2)       "take(red, 2)", "Red takes 2", names red and 2

Words that depend on the arguments alone, and on who can identify the things among them, are made once for a game and a
number of players, whoever reads them.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.ir.model import Const, Counted, GameRules, Local, Op, Rule, Template
from rulelang.ir.numbers import Thing
from rulelang.ir.types import NONE, KindType
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import Words, kind_of
from rulelang.knowledge.rendering import Draft, Pointing, Scene, settled
from rulelang.knowledge.secrets import Secrets
from rulelang.match.recording.announced import Spoken, spoken
from rulelang.match.recording.viewer_text import called_draft

FIXED = frozenset((Const, Local, Op, Counted))
"""The expressions whose values depend on locals alone."""
MOST = 20_000
"""The most words that are kept of one rule."""


@attrs.frozen
class RuleWords:
    """The words of a rule that begins."""

    call: Draft
    called: Words
    """The call, as it is read at once."""
    sentence: Draft
    otherwise: Draft
    """The sentence if the rule changes nothing."""
    spoken: Spoken
    """The values that its sentence names, and their readers."""


def words_of(rule: Rule, arguments: list[Draft], scene: Scene, pointing: Pointing) -> RuleWords:
    """Returns the words with which a rule begins, given those for its arguments, as its things can be identified now."""
    game, sentence = scene.visibility.game, rule.told or rule.label
    call, draft = pointing.named(called_draft(rule.name, arguments)), pointing.named(scene.draft(sentence))
    named = spoken(game, rule, sentence, scene.locals, scene.told, draft)
    return RuleWords(call, settled(call, game), draft, pointing.named(scene.draft(rule.otherwise)), named)


def words_made(
    pointing: Pointing, secrets: Secrets, rule: int, arguments: tuple[int, ...]
) -> tuple[dict[Key, RuleWords] | None, Key]:
    """Returns the words of a rule made so far, and the key of those for some arguments: the arguments, and by thing
    among them the viewers who can identify it now. There are none if they depend on more than that."""
    kept = pointing.visibility.rule_words
    if rule not in kept:
        kept[rule] = ({}, _things(pointing.visibility.game, rule)) if _is_fixed(pointing, secrets, rule) else None
    if kept[rule] is None:
        return None, ()
    found, things = kept[rule]
    if len(found) >= MOST:
        found.clear()
    key: Key = arguments
    for position, kind in things:
        value = arguments[position] if position < len(arguments) else NONE
        if value != NONE:
            key += (pointing.told(kind, Thing(value), 1 << value),)
    return found, key


Key: TypeAlias = tuple[int, ...]


def _things(game: GameRules, rule: int) -> tuple[tuple[int, int], ...]:
    """Returns the positions and kinds of the arguments of a rule that are things."""
    kinds = ((at, kind_of(v.type, game)) for at, v in enumerate(game.rules[rule].parameters))
    return tuple((at, kind.id) for at, kind in kinds if kind is not None)


def _is_fixed(pointing: Pointing, secrets: Secrets, rule: int) -> bool:
    """Returns whether the words of a rule depend on its arguments alone, which everybody may know up to the names of
    single things."""
    game = pointing.visibility.game
    about = game.rules[rule]
    if about.around or any(secrets.rules[rule]):
        return False
    own = {variable.id for variable in about.parameters}
    kinds = ((variable.type, kind_of(variable.type, game)) for variable in about.parameters)
    if own & secrets.locals or any(kind is not None and not isinstance(type, KindType) for type, kind in kinds):
        return False
    return all(_depends_on(own, template) for template in (about.told or about.label, about.otherwise))


def _depends_on(own: set[int], template: Template | None) -> bool:
    """Returns whether a template depends on some locals alone."""
    parts = () if template is None else walk(tuple(part for part in template.parts if not isinstance(part, str)))
    return all(type(part) in FIXED and (not isinstance(part, Local) or part.id in own) for part in parts)
