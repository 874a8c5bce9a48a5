"""Options -> a question a person can answer: a few at a time, with numbers, and what was meant by an answer.

Few options are listed whole. Of many, first what to do is asked, then its parameters from left to right; only what can
be completed is shown. A set with many possibilities is put together from its members.

    steal(blue, metal, 1) … steal(green, ore, 2)     What? 1 steal …     Whom? 1 blue  2 green     …
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from rulelang.errors import UnknownOption
from rulelang.ir.model import Choice, GameRules, Rule
from rulelang.ir.types import IntType, SetType, Type
from rulelang.knowledge.redaction import VALUE, name_of, plain
from rulelang.match.options.option import Option, read_leniently
from rulelang.program.packing import members
from rulelang.program.values import written

NOTHING = ("none", "0", "-")
"""How people write that they take none."""
FEW = 9
"""Up to this many options are listed whole."""
MOST_LISTED = 30
"""More numbers than this are not listed: one is typed."""


@attrs.frozen
class QuestionLine:
    """One answer on offer: the number to type, what is written, what it says, and the options that begin with it."""

    key: str
    text: str
    label: str
    options: tuple[Option, ...]


@attrs.frozen
class Question:
    """The next question: choose one of `lines`, or (if `members` are given) a set of those."""

    about: str
    """The parameter that is asked for; "" for what to do."""
    lines: tuple[QuestionLine, ...]
    members: tuple[str, ...] = ()
    """As they are written."""
    names: tuple[str, ...] = ()
    """Of each member: what people call it."""
    note: str = "Several numbers, such as 1 3, or none."
    numbers: str = ""
    """Of many numbers, which: `20–240`."""


def question(game: GameRules, choice: Choice, options: Sequence[Option]) -> Question:
    """Returns the question that narrows down several options."""
    depth = next(d for d in range(99) if len({option.answer[d : d + 1] for option in options}) > 1 or len(options) == 1)
    parameters = choice.branches[options[0].answer[0]].parameters
    parameter = parameters[depth - 1] if 0 < depth <= len(parameters) else None
    if len(options) <= FEW:
        is_number = parameter is not None and isinstance(parameter.variable.type, IntType)
        keys = [str(option.answer[depth]) for option in options if len(option.answer) > depth] if is_number else []
        if len(set(keys)) < len(options):
            keys = [str(number) for number in range(1, len(options) + 1)]
        lines = (
            QuestionLine(key, option.text, option.label, (option,)) for key, option in zip(keys, options, strict=True)
        )
        return Question("", tuple(lines))
    groups: dict[tuple[int, ...], list[Option]] = {}
    for option in options:
        groups.setdefault(option.answer[depth : depth + 1], []).append(option)
    if parameter is None:
        branches = enumerate(groups.values(), start=1)
        return Question("", tuple(_branch(str(number), game, choice, some) for number, some in branches))
    name, type = parameter.variable.name, parameter.variable.type
    lines_ = tuple(
        _value(str(value[0]) if isinstance(type, IntType) else str(number), game, value[0], type, some)
        for number, (value, some) in enumerate(groups.items(), start=1)
    )
    if isinstance(type, SetType) and len(lines_) > FEW:
        there = sorted({member for option in options for member in members(option.answer[depth])})
        forms = tuple(written(member, type.element, game) for member in there)
        return Question(name, lines_, forms, tuple(name_of(member, type.element, game) for member in there))
    if isinstance(type, IntType) and len(lines_) > MOST_LISTED:
        return Question(name, lines_, numbers=_ranges([value[0] for value in groups]))
    return Question(name, lines_)


def _ranges(numbers: list[int]) -> str:
    """Returns numbers in a few words.

    >>> _ranges([1, 2, 3, 5, 10, 20, 30, 40]), _ranges([0, 2, 4])
    ('1–3, 5, 10–40 by 10', '0–4 by 2')
    """
    parts, rest = list[str](), sorted(numbers)
    while rest:
        step = rest[1] - rest[0] if len(rest) > 1 else 1
        run = next((i for i in range(1, len(rest)) if rest[i] - rest[i - 1] != step), len(rest))
        if run <= 2:
            parts.append(str(rest.pop(0)))
        else:
            parts.append(f"{rest[0]}–{rest[run - 1]}" + (f" by {step}" if step > 1 else ""))
            rest = rest[run:]
    return ", ".join(parts)


def _branch(key: str, game: GameRules, choice: Choice, options: list[Option]) -> QuestionLine:
    if len(options) == 1:
        return QuestionLine(key, options[0].text, options[0].label, tuple(options))
    branch = choice.branches[options[0].answer[0]]
    name = branch.parameters[0].variable.name if branch.name == VALUE else branch.name
    return QuestionLine(key, name, _begun(game.rules[branch.rule]) or f"{plain(name)} …", tuple(options))


def _begun(rule: Rule) -> str:
    """Returns the shared label of all options of a rule, with `…` for open parts; "" if it begins with one."""
    if rule.label is None or not isinstance(rule.label.parts[0], str):
        return ""
    words = "".join(part if isinstance(part, str) else "…" for part in rule.label.parts)
    return words if "…" in words else f"{words} …"


def _value(key: str, game: GameRules, value: int, type: Type, options: list[Option]) -> QuestionLine:
    text = written(value, type, game)
    return QuestionLine(key, text, name_of(value, type, game) if len(options) > 1 else options[0].label, tuple(options))


# ------------------------------------------------------------------ what was meant


def meant(asked: Question, text: str) -> tuple[Option, ...]:
    """Returns the options that an answer leaves. Raises UnknownOption for none or several lines."""
    if asked.members:
        return _set(asked, text)
    wanted = text.strip().casefold()
    if re.fullmatch(r"-?\d{1,10}", wanted, re.ASCII):
        found = [line for line in asked.lines if line.key == wanted]
        if not found:
            raise UnknownOption(f"there is no {wanted} here")
        return found[0].options
    for fits in (_equal, _begins):
        found = [line for line in asked.lines if fits(line, wanted)]
        if len(found) == 1:
            return found[0].options
    return (read_leniently(text, [option for line in asked.lines for option in line.options]),)


def _equal(line: QuestionLine, wanted: str) -> bool:
    return wanted in (line.text.casefold(), line.label.casefold())


def _begins(line: QuestionLine, wanted: str) -> bool:
    return bool(wanted) and (line.text.casefold().startswith(wanted) or line.label.casefold().startswith(wanted))


def _set(asked: Question, text: str) -> tuple[Option, ...]:
    """Returns the options with exactly the members that are named or numbered: `1 3`, `nitro, fuel_tank`, `none`."""
    wanted: list[str] = []
    rest = list(asked.members)
    for word in words_in(as_written(asked, text)):
        if word.casefold() in NOTHING and not wanted:
            continue
        wanted.append(member_named(asked, word, rest))
    key = sorted(wanted)
    for line in asked.lines:
        if sorted(_names(line.text)) == key:
            return line.options
    raise UnknownOption(f"{{{', '.join(wanted)}}} is not on offer")


def as_written(asked: Question, text: str) -> str:
    """Returns a text with the names of members, as people call them, as they are written.

    >>> as_written(Question("", (), ("black_hole", "red"), ("black hole", "red")), "Black hole, red")
    'black_hole, red'
    """
    called = dict(zip(asked.names, asked.members, strict=False))
    for name in sorted(called, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", called[name], text, flags=re.IGNORECASE)
    return text


def words_in(text: str) -> list[str]:
    """Returns the members that a person names or numbers.

    >>> words_in("1 3, Tile(2, no)")
    ['1', '3', 'Tile(2, no)']
    """
    return re.findall(r"\w+\([^()]*\)|[\w-]+", text)


def member_named(asked: Question, word: str, rest: list[str]) -> str:
    """Returns the member that a word means, and takes it from the rest. Raises UnknownOption."""
    if word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= len(asked.members):
        name = asked.members[int(word) - 1]
    else:
        found = sorted({name for name in rest if name.casefold().startswith(word.casefold())})
        if len(found) != 1:
            raise UnknownOption(f"no one thing is called `{word[:40]}` (again); give numbers, such as 1 3")
        name = found[0]
    if name not in rest:
        raise UnknownOption(f"`{name}` is named more often than there are")
    rest.remove(name)
    return name


def _names(text: str) -> list[str]:
    """Returns the members that a written set names.

    >>> _names("{nitro, Tile(2, no)}")
    ['nitro', 'Tile(2, no)']
    """
    return [name.strip() for name in re.findall(r"[^,()]+(?:\([^()]*\))?", text[1:-1]) if name.strip()]
