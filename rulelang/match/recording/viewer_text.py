"""Values and answers -> drafts, in which each thing is named to those who know it.

take(nitro)      "take(" + ThingsHole(nitro) + ")": becomes words once it is settled who may read them
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Mask, Seat, Thing
from rulelang.ir.types import NONE, Type
from rulelang.knowledge.redaction import EVERYONE, VALUE, Hole, Words, read, secret, written_answer
from rulelang.knowledge.rendering import Draft, Pointing, ThingsHole, is_settled, read_by, settled, things_in
from rulelang.knowledge.secrets import Secrets
from rulelang.machines.machine import Answer
from rulelang.program.packing import mask_of
from rulelang.program.values import plain, written

SecretAnswers: TypeAlias = Mapping[tuple[int, int], tuple[int, ...]]
"""By parameter whose answers are secret, and seat: the answers that the seat could have given."""


def value_draft(game: GameRules, value: int, type: Type, seers: Mask) -> Draft:
    """Returns a value as a draft: a thing for those who know it, any other value for `seers`."""
    kind = kind_of(type, game)
    if kind is None or value == NONE or seers != EVERYONE:
        return secret(written(value, type, game), seers)
    return (things_in(value, type, kind.id, game, 0),)


def answer_draft(game: GameRules, secrets: Secrets, choice: int, seat: Seat, answer: Answer) -> Draft:
    """Returns an answer as a draft that its chooser can read in full; of an option that nobody else may know to be taken,
    nobody else can read anything."""
    branch = game.choices[choice].branches[answer[0]]
    words: list[Draft] = []
    for parameter, value, is_secret in zip(branch.parameters, answer[1:], secrets.parameters(branch), strict=True):
        draft = value_draft(game, value, parameter.variable.type, Mask(1 << seat) if is_secret else EVERYONE)
        words.append(
            tuple(
                read_by(part, tuple(s | 1 << seat for s in part.seers)) if isinstance(part, ThingsHole) else part
                for part in draft
            )
        )
    option = called_draft(branch.name, words)
    return secret(read(settled(option, game)), Mask(1 << seat)) if (choice, answer[0]) in secrets.covert else option


def taken_words(pointing: Pointing, secrets: Secrets, choice: Choice, seat: Seat, answer: Answer, text: str) -> Words:
    """Returns the words of an answer that was taken, which its chooser writes as `text`."""
    words, whole = answer_words(pointing, secrets, choice.id, seat, answer)
    if whole == text:
        return words
    # Which of the things that are written alike it was tells what its chooser sees of them.
    number = text.removeprefix(written_answer(pointing.visibility.game, choice, answer))
    return words + (secret(number, Mask(1 << seat), "") if number else ())


def answer_words(pointing: Pointing, secrets: Secrets, choice: int, seat: Seat, answer: Answer) -> tuple[Words, str]:
    """Returns the words of an answer, and what its chooser reads; they are made once if they name no things."""
    visibility, key = pointing.visibility, (choice, seat, answer)
    found = visibility.answer_words.get(key)
    if found is None:
        draft = answer_draft(visibility.game, secrets, choice, seat, answer)
        words = pointing.words(draft)
        found = words, read(words)
        if is_settled(draft):
            if len(visibility.answer_words) >= MOST:
                visibility.answer_words.clear()
            visibility.answer_words[key] = found
    return found


MOST = 20_000
"""The most answers whose words are cached."""


def called_draft(name: str, arguments: list[Draft]) -> Draft:
    """Returns `name(a, b)` as a draft."""
    if not arguments:
        return (name,)
    inner = [*arguments[0]]
    for words in arguments[1:]:
        inner += (", ", *words)
    return tuple(inner) if name == VALUE else (f"{name}(", *inner, ")")


def deed(call: Draft) -> Draft:
    """Returns the call of an action or option as people read it, without its first argument, which is who acts.

    >>> deed(("buy_from(", "red", ", ", "ion_cannon", ", ", "2", ")"))
    ('buy from', ' ', 'ion cannon', ', ', '2')
    """
    said = [attrs.evolve(p, said=True) if isinstance(p, ThingsHole) else p for p in call]
    words = [part if isinstance(part, ThingsHole | Hole) else part if part == ", " else plain(part) for part in said]
    name = str(words[0]).removesuffix("(")
    return (name, *((" ", *words[3:-1]) if len(words) > 4 else ()))


def known_as(words: Draft, kind: int, thing: Thing, pointing: Pointing, among: Mask, moved: bool) -> Draft:
    """Returns a draft that names a thing also to those `among` the viewers who can identify it now, or saw it move
    (`moved`). The draft stays the same object if it names no things of the kind."""
    if is_settled(words) or not any(isinstance(part, ThingsHole) and part.kind == kind for part in words):
        return words
    return tuple(
        read_by(
            part,
            tuple(
                s | pointing.told(kind, t, mask_of(part.things), part.by_place and not moved) & among
                if t == thing
                else s
                for s, t in zip(part.seers, part.things, strict=True)
            ),
        )
        if isinstance(part, ThingsHole) and part.kind == kind
        else part
        for part in words
    )
