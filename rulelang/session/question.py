"""Options -> a question that a person can answer, and an answer -> the options that it leaves.

A few options are listed whole. For many, the first question asks for the branch,
the next ones for its parameters from left to right; only values that can be
completed are shown. A set with many possibilities is put together from its members.

    steal(blue, metal, 1) … steal(green, ore, 2)     What? 1 steal …     Whom? 1 blue  2 green     …
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

import attrs

from rulelang.errors import UnknownOption
from rulelang.ir.model import Branch, Choice, GameRules
from rulelang.ir.types import NONE, IntType, SetType, Type
from rulelang.knowledge.phrase import spliced
from rulelang.knowledge.redaction import VALUE, name_of, ranges
from rulelang.machines.machine import Answer
from rulelang.match.options.option import Option, fitting, read_leniently
from rulelang.program.packing import members
from rulelang.program.values import plain, written

from .prompt_builder import heading, opening

NOTHING = ("none", "0", "-")
"""The words for an empty set."""
FEW = 9
"""The most options that are listed whole."""
MOST_LISTED = 30
"""The most lines that are listed; beyond it, a number is typed, and other values are asked for by their beginnings."""
MOST_SAID = 30
"""The most characters for the numbers that may be named next."""
MOST_NAMED = 5
"""The most numbers of an example."""
IN_A_ROW = 20
"""The number of lines that are joined into one if all begin alike."""
_BEGINNING = re.compile(r"[^\W\d_]+(?=\d)|.?", re.DOTALL)
"""The beginning by which lines are joined: the letters of a coordinate, else the first letter."""


@attrs.frozen
class QuestionLine:
    """One possible answer: the number to type, its written form, its words, and the options that begin with it."""

    key: str
    text: str
    label: str
    options: tuple[Option, ...]
    stands_for: tuple[Type, int] | None = None
    """The value that all of its options name here, with its type."""
    numbers: str = ""
    """The numbers that its options name next, if they do: `10–50 by 10`."""


@attrs.frozen
class Question:
    """The next question: choose one of `lines`, or (if `members` are given) a set of those."""

    about: str
    """The parameter that is asked for; "" for the branch."""
    lines: tuple[QuestionLine, ...]
    members: tuple[str, ...] = ()
    """The written forms of the possible members."""
    names: tuple[str, ...] = ()
    """The name of each member for people."""
    note: str = ""
    """The sentence below those: how many are taken, or which have been."""
    sizes: tuple[int, ...] = ()
    """The numbers of members that may be taken, in order."""
    numbers: str = ""
    """The possible numbers, if there are many: `20–240`."""
    heading: str = ""
    """The question in the words of the option: `Dig for how much?`; "" if the prompt of the choice asks it."""
    parts: tuple[QuestionLine, ...] = ()
    """The shorter list to show if there are many lines, with
    several joined into one. An answer may still name any line."""
    begun: Answer = ()
    """The known part of the answer."""
    is_number: bool = False
    """Whether a number that is typed is the value itself, not the number of a line."""


def question(game: GameRules, choice: Choice, options: Sequence[Option]) -> Question:
    """Returns the question that narrows down several options."""
    depth = next(d for d in range(99) if len({option.answer[d : d + 1] for option in options}) > 1 or len(options) == 1)
    branch, begun = choice.branches[options[0].answer[0]], options[0].answer[:depth]
    parameter = branch.parameters[depth - 1] if 0 < depth <= len(branch.parameters) else None
    head = "" if parameter is None else heading(game, choice, begun)
    if len(options) <= FEW:
        if parameter is not None and len({option.answer[depth + 1 :] for option in options}) > 1:
            head = heading(game, choice, begun, is_rest=True)
        is_number = parameter is not None and isinstance(parameter.variable.type, IntType)
        keys = [str(option.answer[depth]) for option in options if len(option.answer) > depth] if is_number else []
        is_number = len(set(keys)) == len(options)
        if not is_number:
            keys = [str(number) for number in range(1, len(options) + 1)]
        lines = [
            QuestionLine(key, option.text, option.label, (option,)) for key, option in zip(keys, options, strict=True)
        ]
        return Question("", _apart(game, choice, lines), heading=head, begun=begun, is_number=is_number)
    groups: dict[tuple[int, ...], list[Option]] = {}
    for option in options:
        groups.setdefault(option.answer[depth : depth + 1], []).append(option)
    if parameter is None:
        branches = enumerate(groups.values(), start=1)
        return Question(
            "", _apart(game, choice, [_branch(str(number), game, choice, some) for number, some in branches])
        )
    name, type = parameter.variable.name, parameter.variable.type
    values = [
        attrs.evolve(
            _value(str(value[0]) if isinstance(type, IntType) else str(number), game, value[0], type, some),
            numbers=_numbers(branch, some, depth + 1),
        )
        for number, (value, some) in enumerate(groups.items(), start=1)
    ]
    lines_ = _apart(game, choice, values)
    asked = Question(name, lines_, heading=head, begun=begun, is_number=isinstance(type, IntType))
    if isinstance(type, SetType) and len(lines_) > FEW:
        there = sorted({member for option in options for member in members(option.answer[depth])})
        forms = tuple(written(member, type.element, game) for member in there)
        names = tuple(name_of(member, type.element, game) for member in there)
        sizes = tuple(sorted({value[0].bit_count() for value in groups}))
        return attrs.evolve(asked, members=forms, names=names, note=how_many(sizes, len(there)), sizes=sizes)
    if len(lines_) <= MOST_LISTED:
        return asked
    if isinstance(type, IntType):
        typed = heading(game, choice, begun, is_typed=True)
        return attrs.evolve(asked, numbers=ranges([value[0] for value in groups]), heading=typed)
    called = [name_of(value[0], type, game) for value in groups]
    return attrs.evolve(asked, parts=tuple(_parts(called, lines_)))


def how_many(sizes: Sequence[int], there: int) -> str:
    """Returns a sentence on how many of so many members are named by their numbers.

    >>> how_many((0, 1, 2, 3), 3), how_many((0, 1, 2), 5), how_many((2, 3), 5)
    ('Several numbers, such as 1 3, or none.', 'At most 2 numbers, such as 1 3, or none.', '2 or 3 numbers, such as 1 3.')
    """
    some = [size for size in sizes if size]
    none = ", or none" if len(some) < len(sizes) else ""
    if some in ([], [1]):
        return f"One number{none}."
    least, most = some[0], some[-1]
    is_run = len(some) == most - least + 1
    if is_run and least == 1:
        many = "Several numbers" if most == there else f"At most {most} numbers"
    elif is_run and most == there and len(some) > 2:
        many = f"At least {least} numbers"
    else:
        many = f"{either(some)} numbers"
    shown = max(least, 2)
    example = (1, *range(3, shown + 2)) if shown < there else range(1, shown + 1)
    such = f", such as {' '.join(map(str, example))}" if shown <= MOST_NAMED else ""
    return f"{many}{such}{none}."


def either(numbers: Sequence[int]) -> str:
    """Returns numbers of which any one will do, in a few words.

    >>> either((2,)), either((2, 3)), either((2, 3, 4))
    ('2', '2 or 3', '2–4')
    """
    return " or ".join(map(str, numbers)) if len(numbers) < 3 else ranges(numbers)


def numbered_as(asked: Question, before: Question | None) -> Question:
    """Returns a menu in which each kind of answer has the number that it had in the menu before; new ones get the next
    numbers, and the lines stand in the order of their numbers. Other questions stay as they are."""
    own, known = _by_branch(asked), {} if before is None else _by_branch(before)
    if not (own and known):
        return asked
    free = count(max(int(line.key) for line in known.values()) + 1)
    keys = [known[branch].key if branch in known else str(next(free)) for branch in own]
    lines = (attrs.evolve(line, key=key) for key, line in zip(keys, own.values(), strict=True))
    return attrs.evolve(asked, lines=tuple(sorted(lines, key=lambda line: int(line.key))))


def _by_branch(asked: Question) -> dict[int, QuestionLine]:
    """Returns the lines of a menu of several kinds of answers, by the branch of each; none of any other question."""
    if asked.is_number or asked.members or asked.parts or asked.begun:
        return {}
    found = {line.options[0].answer[0]: line for line in asked.lines}
    return found if len(found) == len(asked.lines) else {}


def _apart(game: GameRules, choice: Choice, lines: Sequence[QuestionLine]) -> tuple[QuestionLine, ...]:
    """Returns the lines of a menu such that no two read alike: those that would name what they stand for, or are numbered."""
    for words in (_stands_for, _numbered):
        alike: dict[str, list[QuestionLine]] = {}
        for line in lines:
            alike.setdefault(line.label.casefold(), []).append(line)
        if len(alike) == len(lines):
            break
        more = {
            one.key: words(game, choice, some, number)
            for some in alike.values()
            if len(some) > 1
            for number, one in enumerate(some, start=1)
        }
        lines = [
            attrs.evolve(line, label=spliced((line.label, f" ({more[line.key]})"))) if more.get(line.key) else line
            for line in lines
        ]
    return tuple(lines)


def _stands_for(game: GameRules, choice: Choice, alike: Sequence[QuestionLine], number: int) -> str:
    """Returns the words for one of several lines that read alike: its branch, if theirs differ, and the values that all of
    its options name."""
    answers = [option.answer for option in alike[number - 1].options]
    branch = choice.branches[answers[0][0]]
    is_one = len({line.options[0].answer[0] for line in alike}) == 1
    said = [] if is_one else [plain(branch.name)]
    for place, parameter in enumerate(branch.parameters, start=1):
        if len({answer[place] for answer in answers}) == 1:
            said.append(name_of(answers[0][place], parameter.variable.type, game))
    words = ", ".join(said)
    return "" if words.casefold() == alike[0].label.casefold() else words


def _numbered(game: GameRules, choice: Choice, alike: Sequence[QuestionLine], number: int) -> str:
    return f"#{number}"


def _parts(called: list[str], lines: Sequence[QuestionLine]) -> Iterator[QuestionLine]:
    """Yields fewer lines by joining those that begin alike (`a1 … a8`) or, if all do, runs of IN_A_ROW lines."""
    runs: dict[str, list[int]] = {}
    for number, name in enumerate(called):
        begins = _BEGINNING.match(name)
        runs.setdefault(begins.group().casefold() if begins else "", []).append(number)
    if not 1 < len(runs) <= MOST_LISTED or max(map(len, runs.values())) > MOST_LISTED:
        runs = {f"{n:9}": list(range(n, min(n + IN_A_ROW, len(lines)))) for n in range(0, len(lines), IN_A_ROW)}
    for key, run in enumerate((runs[beginning] for beginning in sorted(runs)), start=1):
        label = called[run[0]] if len(run) == 1 else spliced((called[run[0]], " … ", called[run[-1]]))
        yield QuestionLine(str(key), label, label, tuple(option for number in run for option in lines[number].options))


def _branch(key: str, game: GameRules, choice: Choice, options: list[Option]) -> QuestionLine:
    if len(options) == 1:
        return QuestionLine(key, options[0].text, options[0].label, tuple(options))
    branch = choice.branches[options[0].answer[0]]
    name = branch.parameters[0].variable.name if branch.name == VALUE else branch.name
    numbers = _numbers(branch, options, 1)
    return QuestionLine(key, name, opening(game, choice, options[0].answer[:1]), tuple(options), numbers=numbers)


def _numbers(branch: Branch, options: Sequence[Option], place: int) -> str:
    """Returns the numbers at a place of some answers of a branch, in a few words; "" if there is one alone, or none."""
    if place > len(branch.parameters) or not isinstance(branch.parameters[place - 1].variable.type, IntType):
        return ""
    found = {option.answer[place] for option in options}
    said = ranges(found) if len(found) > 1 and NONE not in found else ""
    return said if len(said) <= MOST_SAID else ""


def _value(key: str, game: GameRules, value: int, type: Type, options: list[Option]) -> QuestionLine:
    text = written(value, type, game)
    label = name_of(value, type, game) if len(options) > 1 else options[0].label
    return QuestionLine(key, text, label, tuple(options), (type, value))


# ------------------------------------------------------------------ reading answers


def meant(asked: Question, text: str) -> tuple[Option, ...]:
    """Returns the options that an answer leaves. Raises UnknownOption for none or several lines."""
    if asked.members:
        return _set(asked, text)
    wanted = text.strip().casefold()
    if re.fullmatch(r"-?\d{1,10}", wanted, re.ASCII):
        listed = asked.parts or asked.lines
        found = [line for line in listed if line.key == wanted]
        if not found:
            raise UnknownOption(no_number(asked, wanted))
        return found[0].options
    for fits in (_equal, _begins):
        found = [line for line in asked.lines if fits(line, wanted)]
        if len(found) == 1:
            return found[0].options
    options = [option for line in asked.lines for option in line.options]
    some = fitting(text, options)
    if 1 < len(some) < len(options) or (asked.numbers and some == options):
        return tuple(some)
    return (read_leniently(text, options),)


def no_number(asked: Question, number: str) -> str:
    """Returns a sentence on a number that stands for nothing, with those that do."""
    keys = (int(line.key) for line in asked.parts or asked.lines)
    several = range(1, len(asked.members) + 1) if asked.members else keys
    return f"there is no {number} here: {asked.numbers or ranges(several)}"


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
    """Returns a text with members' names for people replaced by their written forms.

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
