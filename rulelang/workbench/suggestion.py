"""A choice that cannot be taken -> the most similar legal option.

steal(blue, metal, 3)      steal(blue, metal, 2) rather than steal(red, metal, 3) rather than pass
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from rulelang.match.options.option import Option

FAR = 1_000


def nearest(wanted: str, options: Sequence[Option], declines: Sequence[Option] = ()) -> Option | None:
    """Returns the option most similar to a written one: one of the
    same name, else one that declines, else one of similar words.

    Among several, the one with the most equal arguments, then with
    the closest numbers, then the first. None if there are none.
    """
    if not options:
        return None
    name = _parts(wanted)[0]
    same = [option for option in options if _parts(option.text)[0] == name]
    among = same or list(declines) or list(options)
    return min(among, key=lambda option: (*_distance(wanted, option.text), options.index(option)))


def _parts(text: str) -> tuple[str, list[str]]:
    """Returns the name and the arguments of an option; a bare value has no name."""
    found = re.fullmatch(r"(\w+)\((.*)\)", text.strip())
    if found:
        return found[1], [part.strip() for part in found[2].split(",")]
    return ("", [text.strip()]) if re.fullmatch(r"-?\d+|\{.*\}", text.strip()) else (text.strip(), [])


def _distance(wanted: str, text: str) -> tuple[float, ...]:
    mine, theirs = _parts(wanted)[1], _parts(text)[1]
    other = sum(one != two for one, two in zip(mine, theirs, strict=False)) + abs(len(mine) - len(theirs))
    apart = sum(_apart(one, two) for one, two in zip(mine, theirs, strict=False))
    return other, apart, -SequenceMatcher(None, wanted, text, autojunk=False).ratio()


def _apart(one: str, two: str) -> int:
    if one == two:
        return 0
    numbers = [re.fullmatch(r"-?\d{1,9}", text) for text in (one, two)]
    return abs(int(one) - int(two)) if all(numbers) else FAR
