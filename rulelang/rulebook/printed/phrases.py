"""Words -> phrases: possessives, articles, lists after a preposition.

the player, fuel        the player's fuel
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

import attrs

from rulelang.knowledge.redaction import with_article
from rulelang.rulebook.printed.model import Plain, SectionLink, Term, Words, flat, plain_text, row

PREPOSITIONS = frozenset({"of", "for", "from", "to", "in", "on", "at", "with", "among"})
JOINING = (" of", " at", " on", " in", " from", " among")
"""The endings of names that need no `of` before their argument."""
ARTICLES = ("the ", "a ", "an ")


def takes_no_article(before: str) -> bool:
    """Returns whether an article stands at the end of a text already.

    >>> takes_no_article("flies the "), takes_no_article("larger than ")
    (True, False)
    """
    return before.endswith(" ") and before.casefold().split()[-1:] in (["the"], ["a"], ["an"])


def with_one_article(parts: Iterable[str | Words]) -> Words:
    """Returns the parts of a text in a row; an article in front of one that begins with its own is said once."""
    found: list[str | Words] = []
    for part in parts:
        before = found[-1] if found else ""
        is_doubled = isinstance(before, str) and takes_no_article(before)
        found.append(bare(part) if is_doubled and not isinstance(part, str) else part)
    return flat(*found)


BEHIND = PREPOSITIONS | frozenset(
    {"before", "left", "announced", "still", "taken", "asked"} | {"offered", "joined", "seen", "so", "who", "that"}
)
"""The words that may follow a noun inside a name, so that the plural ending stands before them: `steps left`."""


def possessive(words: Words) -> Words:
    """Returns the possessive form of words.

    >>> possessive((Plain("the player"),)), possessive((Plain("the players"),))
    ((Plain(text="the player's"),), (Plain(text="the players'"),))
    """
    return flat(words, "'" if words and words[-1].text.endswith("s") else "'s")


def bare(words: Words) -> Words:
    """Returns words without a leading article."""
    for article in ARTICLES if words and isinstance(words[0], Plain) else ():
        if words[0].text.startswith(article):
            return flat(words[0].text[len(article) :], words[1:])
    return words


def cut(words: Words, count: int) -> Words:
    """Returns words without their first `count` letters."""
    found: list[Plain | Term | SectionLink] = []
    for span in words:
        if count >= len(span.text):
            count -= len(span.text)
        else:
            found.append(attrs.evolve(span, text=span.text[count:]))
            count = 0
    return tuple(found)


def article_before(words: Words) -> Words:
    if words and isinstance(words[0], Plain):
        return flat(with_article(words[0].text), words[1:])
    return flat("a ", words)


def is_plural(words: Words) -> bool:
    """Returns whether words are plural, judged by their ending.

    >>> is_plural((Plain("the player's tokens"),)), is_plural((Plain("the class"),))
    (True, False)
    >>> is_plural((Plain("whose turn it is"),)), is_plural((Plain("the number of the player's tokens"),))
    (False, False)
    >>> is_plural((Plain("the stock of the space's goods"),)), is_plural((Plain("the cost of n and minerals"),))
    (False, False)
    """
    first, *rest = plain_text(words).partition(" of ")[0].rpartition("'s ")[2].split() or [""]
    noun = [first, *takewhile(lambda word: word not in BEHIND, rest)][-1]
    return noun.endswith("s") and noun != "is" and not noun.endswith(("ss", "us"))


def of_these(values: list[Words], name: str) -> tuple[str | Words, ...]:
    """Returns the words for the arguments of a name: `of red`, or `red` after `craft of`."""
    joint = " " if name.endswith(JOINING) else " of "
    return (joint, row(tuple(values))) if values else ()


def for_these(values: list[Words]) -> tuple[str | Words, ...]:
    return (" for ", row(tuple(values))) if values else ()
