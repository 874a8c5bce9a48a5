"""A line of a question, by its number or its words, or a clause -> its meaning: for `what 2` at a prompt.

explained_line(match, 0, question, "2")      Explained("Change …", "action", …)
with_sentences(game, "os-7.11", found)       (Explained("OS-7.11", "clause", "A route is jammed if …", …),)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import attrs

from rulelang.api import Game
from rulelang.ir.model import Local
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import VALUE
from rulelang.match.match import BareMatch
from rulelang.screens.aim import aim_of
from rulelang.screens.what import CITING, Explained, explained, explained_option
from rulelang.session.question import Question, QuestionLine

NOUN, EVENT, AIM = "clause", "event", "aim"
DEEDS = ("action", "answer")
SHORTEST = 3
"""The fewest letters of the longest word by which a clause is found."""
RULING = "Ruling: "
"""What is said before the decision on a point that the rulebook leaves open."""


def explained_line(match: BareMatch, seat: int, asked: Question, word: str) -> tuple[Explained, ...]:
    """Returns the explanations of a line, best first; () if the question has no such line.

    Words of a line may also name something else on the screen, which follows; a number means its line alone.
    """
    wanted = word.strip().casefold()
    if asked.numbers:
        return ()
    for number, name in enumerate(asked.names, start=1):
        if wanted in (str(number), name.casefold()):
            return explained(match, seat, name)
    for line in asked.parts or asked.lines:
        if wanted == line.key:
            return _explained(match, seat, asked, line)
        if wanted == line.label.casefold():
            own = _explained(match, seat, asked, line)
            others = (one for one in explained(match, seat, word) if one.noun not in ("action", "option"))
            return tuple(dict.fromkeys((*own, *others)))
    return ()


def notes(match: BareMatch, seat: int) -> Callable[[QuestionLine], str]:
    """Returns a function for the note beside a line: what its option shows, or what all of its options show; else the text
    of the value that it stands for, or the numbers that are asked for next."""
    shows = match.shown(seat)

    def note(line: QuestionLine) -> str:
        said = shows(line.options[0]) if len(line.options) == 1 or _is_shown_alike(match, line) else ""
        return said or (line.stands_for and match.text(*line.stands_for, seat)) or line.numbers

    return note


def _is_shown_alike(match: BareMatch, line: QuestionLine) -> bool:
    """Returns whether a line stands for all the answers of a rule, and what it `shows` is the same for each."""
    choice = match.choice
    if choice is None or not line.options or line.stands_for is not None:
        return False
    branch = choice.branches[line.options[0].answer[0]]
    rule = match.game.rules[branch.rule]
    own = {variable.id for variable in rule.parameters}
    parts = (part for field in rule.shows for part in (field.text, field.condition) if part is not None)
    return (
        line.text == branch.name
        and bool(rule.shows)
        and not any(isinstance(node, Local) and node.id in own for part in parts for node in walk(part))
    )


def _explained(match: BareMatch, seat: int, asked: Question, line: QuestionLine) -> tuple[Explained, ...]:
    """Returns the explanations of the option of a line, of the value that it is, or of what its options share."""
    if len(line.options) == 1:
        (option,) = line.options
        own = () if option.branch != VALUE or asked.is_number else explained(match, seat, line.label)
        return own or (explained_option(match, option),)
    return explained(match, seat, line.text) or (Explained(line.label, "answer"),)


def sentences(game: Game) -> Mapping[str, str]:
    """Returns the sentences of the clauses of a game's ledger, by clause."""
    texts = ((one.get("id"), one.get("text")) for one in game.internals.ledger)
    return {id: text for id, text in texts if isinstance(id, str) and isinstance(text, str)}


def with_sentences(game: Game, word: str, found: tuple[Explained, ...]) -> tuple[Explained, ...]:
    """Returns explanations of a word with the sentences of clauses first; a clause that no line cites is found, too.
    What one does is explained by the sentence of its first clause."""
    if not any(letter.isdigit() for letter in word) or not ("-" in word or any(one.noun == NOUN for one in found)):
        return tuple(
            attrs.evolve(one, facts=(*cited(game, one.clauses[:1]), *one.facts)) if one.noun in DEEDS else one
            for one in found
        )
    said, rulings = sentences(game), {one["id"]: one["ruling"] for one in game.internals.ledger if one.get("ruling")}
    id = next((id for id in said if id.casefold() == word.strip().casefold()), None)
    if id is None:
        return found
    # People who know the sentence need no code.
    lines = next((one.facts for one in found if one.noun == NOUN and one.name == id and one.text != CITING), ())
    ruling = (f"{RULING}{rulings[id]}",) if id in rulings else ()
    others = tuple(one for one in found if one.noun != NOUN or one.name != id)
    return (Explained(id, NOUN, said[id], (*ruling, *lines), is_whole=True), *others)


def cited(game: Game, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the sentences of clauses, each behind its number."""
    said = sentences(game) if clauses else {}
    return tuple(f"{clause}: {said[clause]}" for clause in clauses if clause in said)


def saying(game: Game, word: str) -> tuple[Explained, ...]:
    """Returns the clauses that speak of some words of the rulebook:
    in their `words`, their sentence or the ruling on them.

    Those with the shortest sentences come first.
    """
    wanted = tuple(map(_stem, re.findall(r"\w+", word.casefold())))
    if not wanted or len(max(wanted, key=len)) < SHORTEST:
        return ()
    said = sentences(game)
    for field in ("words", "text", "ruling"):
        found = [
            str(one["id"]) for one in game.internals.ledger if one.get("id") in said and _speaks(one.get(field), wanted)
        ]
        if found:
            return tuple(
                Explained(id, NOUN, said[id], is_whole=True) for id in sorted(found, key=lambda id: len(said[id]))
            )
    return ()


def of_the_aim(match: BareMatch, seat: int, word: str, found: tuple[Explained, ...]) -> tuple[Explained, ...]:
    """Returns the sentences of the aim on a word that names nothing but events, such as `win`, before what it names; the
    explanations as they are if the aim does not speak of it."""
    aim, wanted = aim_of(match, seat), set(map(_stem, re.findall(r"\w+", word.casefold())))
    named = tuple(one for one in found if _stem(one.name.casefold()) == _stem(word.casefold()))
    if aim is None or not wanted or any(one.noun != EVENT for one in named):
        return found
    said = tuple(text for text in aim.sentences if wanted <= set(map(_stem, re.findall(r"\w+", text.casefold()))))
    return (Explained(word, AIM, "", said, is_whole=True), *named) if said else found


def _stem(word: str) -> str:
    """Returns a word without an ending that it might not have elsewhere.

    >>> _stem("crowded"), _stem("jams"), _stem("sting")
    ('crowd', 'jam', 'sting')
    """
    return next((word.removesuffix(e) for e in ("ing", "ed", "s") if word.endswith(e) and len(word) > len(e) + 2), word)


def _speaks(text: object, wanted: tuple[str, ...]) -> bool:
    """Returns whether each of some stems is in a word of a text; a short one must begin the word."""
    words = re.findall(r"\w+", text.casefold()) if isinstance(text, str) else []
    return all(any(w.startswith(one) or (len(one) > SHORTEST and one in w) for w in words) for one in wanted)
