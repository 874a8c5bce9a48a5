"""The label of an incomplete option -> the next question, in the words of the label.

"Steal {n} {what} from the {r}"    r is asked      Steal … from which race?
                                   n is asked      Steal how much fuel?
"""

from __future__ import annotations

import re

from rulelang.ir.model import BeginBody, Branch, Choice, Counted, Expr, GameRules, Local
from rulelang.ir.types import EnumType, IntType, KindType, SetType, Type
from rulelang.ir.walk import walk
from rulelang.knowledge.phrase import spliced
from rulelang.knowledge.redaction import VALUE, name_of
from rulelang.machines.machine import Answer
from rulelang.program.values import plain

OPEN = "…"
"""The placeholder for an unknown part."""
_ARTICLE = re.compile(r"\b(?:an?|the) $", re.IGNORECASE)
_ENDS = re.compile(r"[,:;.(–]")
"""The characters that end the question's part of a label."""
_WORD = re.compile(r" \w")
_NOUN = re.compile(r" (?!(?:and|at|for|from|in|into|of|on|onto|to|with)\b)\w")
"""A word behind a hole that is not a preposition: the hole's own noun."""


def heading(game: GameRules, choice: Choice, answer: Answer, *, is_typed: bool = False, is_rest: bool = False) -> str:
    """Returns the question for the next parameter of an answer whose branch is known; "" for a bare value.

    A number that `is_typed` is asked for with "how much"; one of a few listed numbers is shown as `…`, and so are all
    parameters if the whole rest is asked for at once.
    """
    branch, known = choice.branches[answer[0]], answer[1:]
    if branch.name == VALUE:
        return ""
    label, type = game.rules[branch.rule].label, branch.parameters[len(known)].variable.type
    parts = () if label is None else label.parts
    numbers = _numbers(game, branch)
    holes = [numbers.get(_local(part), -1) for part in parts]
    said = [_said(game, branch, known, part, hole) for part, hole in zip(parts, holes, strict=True)]
    at = holes.index(len(known)) if len(known) in holes else 0
    if is_rest and parts:
        return spliced((*_once(said), "?"))
    if at > 0:
        before = spliced(_once(_without_open([*said[: at - 1], _ARTICLE.sub("", said[at - 1])])))
        after, hole = _after(said[at + 1 :], [0 <= hole < len(known) for hole in holes[at + 1 :]]), parts[at]
        counts = at + 1 < len(parts) and bool(_WORD.match(said[at + 1]))
        word = (
            f"how many {hole.many}"
            if isinstance(hole, Counted)
            else _word(game, type, after, counts=counts, is_typed=is_typed)
        )
        return spliced((before, word, after, "?"))
    if known and parts:
        return spliced((*_once(said), "?"))
    joint = " " if isinstance(type, IntType) else ": "
    return spliced(
        (plain(branch.name).capitalize(), joint, _word(game, type, "", counts=False, is_typed=is_typed), "?")
    )


def opening(game: GameRules, choice: Choice, answer: Answer) -> str:
    """Returns the words that the options share which begin with an answer, up to its first open part: `Steal …`."""
    branch, known = choice.branches[answer[0]], answer[1:]
    label = game.rules[branch.rule].label
    if label is None or not isinstance(label.parts[0], str):
        name = branch.parameters[0].variable.name if branch.name == VALUE else branch.name
        return f"{plain(name)} {OPEN}"
    numbers = _numbers(game, branch)
    holes = [numbers.get(_local(part), len(known)) for part in label.parts]
    said = [_said(game, branch, known, part, hole) for part, hole in zip(label.parts, holes, strict=True)]
    is_open = [not isinstance(part, str) and word == OPEN for part, word in zip(label.parts, said, strict=True)]
    words = spliced(said[: is_open.index(True) + 1] if is_open.count(True) > 1 else said)
    return words if True in is_open or len(known) == len(branch.parameters) else f"{words} {OPEN}"


def unprompted(game: GameRules, choice: Choice) -> str:
    """Returns the question of a choice that the rules give no words: `Reserve: which number?`."""
    branch = choice.branches[0]
    if branch.name != VALUE or any(not other.declines for other in choice.branches[1:]):
        return "What do you do?"
    variable = branch.parameters[0].variable
    type = variable.type.element if isinstance(variable.type, SetType) else variable.type
    one, many = ("number", "numbers") if isinstance(type, IntType) else _nouns(game, type)
    asked = f"which {(many if type is not variable.type else one) or 'one'}?"
    name = plain(variable.name) if len(variable.name) > 1 else ""
    said = f"{name}: {asked}" if name and name not in (one, many) else asked
    return said[:1].upper() + said[1:]


def _numbers(game: GameRules, branch: Branch) -> dict[int, int]:
    """Returns the locals that hold the parameters of a branch, in itself and in its rule, each with its number."""
    own = {parameter.variable.id: number for number, parameter in enumerate(branch.parameters)}
    begins = (node for node in walk(branch.body) if isinstance(node, BeginBody) and node.rule == branch.rule)
    handed = [
        (variable.id, own[_local(argument)])
        for begin in begins
        for variable, argument in zip(game.rules[branch.rule].parameters, begin.arguments, strict=False)
        if _local(argument) in own
    ]
    return own | dict(handed)


def _local(part: str | Expr) -> int:
    """Returns the local that a hole consists of; -1 if it is another expression."""
    of = part.of if isinstance(part, Counted) else part
    return of.id if isinstance(of, Local) else -1


def _said(game: GameRules, branch: Branch, known: Answer, part: str | Expr, hole: int) -> str:
    """Returns the words of a part of a label, with `…` for unknown values."""
    if isinstance(part, str):
        return part
    return name_of(known[hole], branch.parameters[hole].variable.type, game) if 0 <= hole < len(known) else OPEN


def _once(said: list[str]) -> list[str]:
    """Returns the parts of a label, with consecutive unknown parts joined into one.

    >>> "".join(_once(["Steal ", "…", " ", "…", " from the "]))
    'Steal … from the '
    """
    kept = list(said)
    for i in range(len(kept) - 2, 0, -1):
        if not kept[i].strip() and kept[i - 1] == OPEN == kept[i + 1]:
            del kept[i : i + 2]
    return kept


def _without_open(said: list[str]) -> list[str]:
    """Returns the parts before the one that is asked for, without an unknown part right before it.

    >>> _without_open(["Steal ", "…", " "])
    ['Steal ']
    """
    return said[:-2] if len(said) > 2 and not said[-1].strip() and said[-2] == OPEN else said


def _after(said: list[str], is_known: list[bool]) -> str:
    """Returns the words behind the asked hole, up to the end of the question or an unknown part."""
    words: list[str] = []
    for part, known in zip(said, is_known, strict=True):
        if known:
            words.append(part)
            continue
        kept = _ENDS.split(part)[0]
        if part == OPEN:
            # Words that lead to an unknown part, such as " from the ", are left out as well.
            del words[-1:]
            break
        words.append(kept)
        if kept != part:
            break
    return spliced([*words[:-1], *(word.rstrip() for word in words[-1:])])


def _word(game: GameRules, type: Type, after: str, *, counts: bool, is_typed: bool) -> str:
    """Returns the question word for a value of a type, with its noun where none follows."""
    match type:
        case IntType():
            return ("how many" if counts else "how much") if is_typed else OPEN
        case SetType(element=element):
            return spliced(("which ", _nouns(game, element)[1]))
        case _:  # any other value is one of several
            return "which" if _NOUN.match(after) else spliced(("which ", _nouns(game, type)[0])).rstrip()


def _nouns(game: GameRules, type: Type) -> tuple[str, str]:
    """Returns the words for one and for several values of a type."""
    match type:
        case KindType(name=name):
            return next(((kind.label, kind.plural) for kind in game.kinds if kind.name == name), ("", ""))
        case EnumType(name=name):
            return next(((enum.label, enum.plural) for enum in game.enums if enum.name == name), ("", ""))
        case _:  # values of other types have no noun
            return "", ""
