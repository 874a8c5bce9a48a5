"""Words that somebody says -> whether they speak of something that has a name, a label, or a written form.

    says(words_of("playing the black holes"), words_of("Play a black hole on a8"))     True

Each word that is said begins a word of the other text. Articles
are left out, and so are the ends of plurals and of participles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_IDLE = frozenset(("a", "an", "the", "my", "your", "our", "some", "any", "this", "that", "it", "please", "s"))
"""The words that say nothing of what is meant."""
_ENDS = ("ing", "ies", "es", "s", "ed")
_SHORTEST = 3
"""The fewest letters that are left of a word without its end."""


def words_of(text: str) -> tuple[str, ...]:
    """Returns the words of a text that say something, in lower case.

    >>> words_of("Buy the red_probe!")
    ('buy', 'red', 'probe')
    """
    words = re.findall(r"-?\d+|[^\W_]+", text.casefold())
    return tuple(word for word in words if word not in _IDLE)


def says(said: Sequence[str], words: Iterable[str]) -> bool:
    """Returns whether each word that is said begins one of the words.

    >>> says(words_of("playing black holes"), words_of("Play a black hole on a8"))
    True
    """
    there = tuple(words)
    return bool(said) and all(any(begins(word, other) for other in there) for word in said)


def begins(word: str, other: str) -> bool:
    """Returns whether a word that is said begins another one; a number is said as a whole.

    >>> begins("probes", "probe"), begins("1", "12")
    (True, False)
    """
    if word.lstrip("-").isdigit():
        return word == other
    return other.startswith(word) or any(other.startswith(stem) for stem in _stems(word))


def _stems(word: str) -> Iterator[str]:
    """Yields a word without its end: `probe` of `probes`, `run` of `running`."""
    for end in _ENDS:
        stem = word.removesuffix(end)
        if stem == word or len(stem) < _SHORTEST:
            continue
        yield f"{stem}y" if end == "ies" else stem
        if end in ("ing", "ed") and stem[-1] == stem[-2] and len(stem) > _SHORTEST:
            yield stem[:-1]
