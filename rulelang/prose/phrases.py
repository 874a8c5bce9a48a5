"""Words -> phrases: possessives, articles, lists after a preposition.

the player, fuel        the player's fuel
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from rulelang.knowledge.redaction import PLACING, with_article
from rulelang.prose.words import Plain, Span, Term, Words, flat, plain_text, row

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


def said_once(hole: str | Words, text: str) -> str:
    """Returns the text behind a hole, without a word that is the name of the hole again: `{metal} metal` is `metal`.

    >>> said_once((Term("metal"),), " metal and "), said_once((Term("metal"),), " metals")
    (' and ', ' metals')
    """
    name = f" {plain_text(hole)}" if not isinstance(hole, str) else ""
    is_again = bool(name) and text.startswith(name) and not text[len(name) : len(name) + 1].isalpha()
    return text[len(name) :] if is_again else text


def with_one_article(parts: Iterable[str | Words]) -> Words:
    """Returns the parts of a text in a row; an article in front of one that begins with its own is said once, and in
    front of a name not at all; a noun in front of one that ends with it is said once, too.

    >>> with_one_article(["the base of the ", (Plain("the player's race"),)])
    (Plain(text="the base of the player's race"),)
    >>> with_one_article(["The ", (Term("q", is_name=True), Plain("'s base"))])
    (Term(text='q'), Plain(text="'s base"))
    """
    found: list[str | Words] = []
    for part in parts:
        before = found[-1] if found else ""
        if isinstance(before, str) and not isinstance(part, str) and takes_no_article(before):
            first = part[0] if part else None
            if isinstance(first, Term) and first.is_name:
                found[-1] = before[: -len(before.split()[-1]) - 1]
            part = bare(part)
        if found and isinstance(found[-1], str) and not isinstance(part, str):
            found[-1] = noun_once(found[-1], part)
        found.append(part)
    return flat(*found)


BEHIND = PREPOSITIONS | frozenset(
    {"before", "left", "announced", "still", "taken", "asked", "used", "laid", "lying"}
    | {"offered", "joined", "seen", "so", "who", "that", "where", "which"}
)
"""The words that may follow a noun inside a name, so that the plural ending stands before them: `steps left`."""


def possessive(words: Words) -> Words:
    """Returns the possessive form of words; a letter that stands for something takes a whole `'s`.

    >>> possessive((Plain("the player"),)), possessive((Plain("the players"),)), possessive((Term("s"),))
    ((Plain(text="the player's"),), (Plain(text="the players'"),), (Term(text='s'), Plain(text="'s")))
    """
    if plain_text(words) in ("you", "You"):
        return (Plain(f"{plain_text(words)}r"),)
    is_plural_noun = bool(words) and isinstance(words[-1], Plain) and words[-1].text.endswith("s")
    return flat(words, "'" if is_plural_noun else "'s")


def bare(words: Words) -> Words:
    """Returns words without a leading article."""
    for article in ARTICLES if words and isinstance(words[0], Plain) else ():
        if words[0].text.startswith(article):
            return flat(words[0].text[len(article) :], words[1:])
    return words


def cut(words: Words, count: int) -> Words:
    """Returns words without their first `count` letters."""
    found: list[Span] = []
    for span in words:
        if count >= len(span.text):
            count -= len(span.text)
        else:
            found.append(Plain(span.text[count:]) if count and isinstance(span, Plain) else span)
            count = 0
    return tuple(found)


def without(words: Words, front: Words) -> Words | None:
    """Returns words without others in front of them; None if they do not begin with those.

    >>> without((Plain("the card's rank is 3"),), (Plain("the card"),))
    (Plain(text="'s rank is 3"),)
    """
    if not front or plain_text(words)[: len(text := plain_text(front))] != text:
        return None
    return cut(words, len(text)) if type(words[0]) is type(front[0]) else None


def predicate(flag: str, *, so: bool) -> str:
    """Returns the predicate of somebody whose flag has changed.

    >>> predicate("tired", so=True), predicate("tired", so=False), predicate("has moved", so=False)
    ('is tired', 'is no longer tired', 'has not moved')
    """
    verb, _, rest = flag.partition(" ")
    if verb in AUXILIARIES and rest:
        return flag if so else f"{verb} not {rest}"
    return f"is {flag}" if so else f"is no longer {flag}"


AUXILIARIES = ("is", "has", "can", "may", "must", "was", "will")
"""The verbs behind which `not` may stand."""


def without_article(name: str) -> str:
    """Returns a name without a leading article.

    >>> without_article("the stack of tiles"), without_article("fuel")
    ('stack of tiles', 'fuel')
    """
    return next((name[len(article) :] for article in ARTICLES if name.startswith(article)), name)


def determined(determiner: str, words: Words) -> Words:
    """Returns a noun with what stands before it: `each player`, `an attack`, `no token`; `` for nothing."""
    if determiner == "a":
        return article_before(words)
    return flat(f"{determiner} ", words) if determiner else words


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


def of_these(values: list[Words], name: str, *, is_number: bool = False) -> tuple[str | Words, ...]:
    """Returns the words for the arguments of a name: `of red`, or `red` after `craft of`, or the number alone after
    `forcefields in zone`.
    """
    names_number = is_number and len(values) == 1 and name.rpartition(" ")[0].endswith(PLACING)
    joint = " " if names_number or name.endswith(JOINING) else " of "
    return (joint, row(tuple(values))) if values else ()


def noun_once(before: str, after: Words) -> str:
    """Returns words without their last one, a noun behind a preposition, where the words that follow end with it.

    >>> noun_once("forcefields in zone", (Plain("the player's zone"),)), noun_once("forcefields in zone", (Plain("z"),))
    ('forcefields in', 'forcefields in zone')
    """
    words, said = before.split(), plain_text(after).split()
    if words[-1:] != said[-1:] or len(said) == 1 or not PREPOSITIONS.intersection(words[-2:-1]):
        return before
    kept = before.rstrip().removesuffix(words[-1])
    return kept if before.endswith(" ") else kept.rstrip()


def for_these(values: list[Words]) -> tuple[str | Words, ...]:
    return (" for ", row(tuple(values))) if values else ()


# ------------------------------------------------------------------ clauses about one thing

MODAL = ("can", "may", "could", "must", "cannot", "will", "might")
"""The verbs that are the same for one and for several."""
IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}


def of_several(verb: str) -> str | None:
    """Returns the form of a verb for several; None if a word is no verb that one does.

    >>> of_several("is"), of_several("carries"), of_several("lies"), of_several("may"), of_several("still")
    ('are', 'carry', 'lie', 'may', None)
    """
    if verb in IRREGULAR or verb in MODAL:
        return IRREGULAR.get(verb, verb)
    if not verb.endswith("s") or verb.endswith(("ss", "us")) or verb in ("always", "as", "its", "this"):
        return None
    if verb.endswith("ies") and len(verb) > len("lies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("shes", "ches", "xes", "sses")) else verb[:-1]


def relative(clause: Words, subject: Words, who: str, *, many: bool = False) -> Words | None:
    """Returns a clause about its subject as it stands behind it; None for a clause that does not begin with it.

    >>> card = (Plain("the card"),)
    >>> relative((Plain("the card's rank is 3"),), card, "that")
    (Plain(text='whose rank is 3'),)
    >>> relative((Plain("the card lies face up"),), card, "that", many=True)
    (Plain(text='that lie face up'),)
    """
    rest = without(clause, subject)
    if rest is None or not isinstance(rest[0], Plain):
        return None
    if rest[0].text.startswith("'s "):
        return flat("whose", cut(rest, len("'s")))
    verb = rest[0].text[1:].partition(" ")[0]
    several = of_several(verb) if rest[0].text.startswith(" ") else None
    if several is None:
        return None
    said = cut(rest, len(verb) + 1)
    among = without(said, (Plain(" one of "),)) if many else None
    if among is not None:
        said = flat(" among ", among)
    return flat(f"{who} {several if many else verb}", said)
