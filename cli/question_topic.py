"""A question about a game, as people put it -> its topic.

Why was steal not offered?        steal
why can't I buy a probe?          buy a probe
why may red not move 4            red: move 4
why is red.fuel 7?                red.fuel 7
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_VERBS = (
    "may|can|could|must|should|was|were|is|are|am|did|does|do|has|have|cannot|can't|couldn't|wasn't|weren't|isn't"
    "|aren't|didn't|doesn't|don't|hasn't|haven't|mustn't|shouldn't"
)
_FRONT = re.compile(rf"(?:why\b\s*)?(?:(?:{_VERBS})\s+)?", re.IGNORECASE)
_WHO = re.compile(r"(?:i|we|you|one|it|they|he|she)\s+(?:was |were |am |be )?", re.IGNORECASE)
_NOT = re.compile(r"(?:not|no)\s+", re.IGNORECASE)
_END = re.compile(
    r"(?:\s+(?:not|no longer))?\s+(?:offered|on offer|allowed|permitted|possible|legal|illegal|refused|forbidden"
    r"|available|there|an option|among the options)(?:\s+(?:to (?:me|us)|now|here|then))?$",
    re.IGNORECASE,
)


def subject(question: str, seats: Sequence[tuple[str, str]] = ()) -> str:
    """Returns the subject of a question, an option of a seat as `red:
    steal`; `seats` are their written names, and those for people.

    >>> subject("Why may Red not move 4?", [("red", "Red")])
    'red: move 4'
    """
    text = question.strip().rstrip("?!. ").strip()
    rest = _FRONT.sub("", text, count=1)
    seat = ""
    for written, said in seats:
        for name in (written, said):
            if rest != text and re.match(rf"{re.escape(name)}\s+\S", rest, re.IGNORECASE):
                seat, rest = written, rest[len(name) :].strip()
                break
        if seat:
            break
    rest = rest if seat else _WHO.sub("", rest, count=1) if _WHO.match(rest) else rest
    rest = _END.sub("", _NOT.sub("", rest, count=1) if _NOT.match(rest) else rest).strip()
    return f"{seat}: {rest}" if seat and rest else rest or text


_ASIDE = re.compile(
    r"^(?:(?:mustn't|can't|don't|cannot|may|can|could|must|do|should|am|not)\b ?(?:i\b|we\b)? ?(?:not\b|allowed to\b)? ?)?",
    re.IGNORECASE,
)


def answer_asked(words: str) -> str:
    """Returns the answer that the one who is asked means, from the words behind `why` at the prompt.

    >>> [answer_asked(words) for words in ("may I not steal?", "not buy a probe", "red.fuel")]
    ['steal', 'buy a probe', 'red.fuel']
    """
    said = words.strip().rstrip("?").strip()
    return _ASIDE.sub("", said, count=1).strip()


def is_of_option(question: str) -> bool:
    """Returns whether a question asks what somebody may do: `why may I not steal?`."""
    return re.search(r"\b(?:may|can|could|can't|cannot|couldn't|offered|on offer|allowed)\b", question) is not None


_WHAT = re.compile(r"(?:(?P<does>does|do)|is|are|was|were)\s+(?:(?:the|a|an|my|your)\s+)?(?P<rest>\S.*)", re.IGNORECASE)
_DOES = re.compile(r"\s+(?:do|mean|cost|say|stand for)$", re.IGNORECASE)


def thing_asked(question: str) -> str:
    """Returns the subject of a question that begins with `what`, from the words behind that.

    >>> [thing_asked(words) for words in ("is a probe?", "does a black hole do", "probe")]
    ['probe', 'black hole', 'probe']
    """
    text = question.strip().rstrip("?!. ").strip()
    asked = _WHAT.fullmatch(text)
    if asked is None:
        return text
    return _DOES.sub("", asked["rest"]) if asked["does"] else asked["rest"]
