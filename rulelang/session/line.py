"""A line of a question, by its number or its words -> what it stands for: for `what 2` at a prompt.

explained_line(match, 0, question, "2")      Explained("Change …", "action", …)
"""

from __future__ import annotations

from rulelang.knowledge.redaction import VALUE
from rulelang.match.match import BareMatch
from rulelang.screens.what import Explained, explained, explained_option
from rulelang.session.question import Question, QuestionLine


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


def _explained(match: BareMatch, seat: int, asked: Question, line: QuestionLine) -> tuple[Explained, ...]:
    """Returns the explanations of the option of a line, of the value that it is, or of what its options share."""
    if len(line.options) == 1:
        (option,) = line.options
        own = () if option.branch != VALUE or asked.is_number else explained(match, seat, line.label)
        return own or (explained_option(match, option),)
    return explained(match, seat, line.text) or (Explained(line.label, "answer"),)
