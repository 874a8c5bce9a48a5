"""The functions of the low-level IR that go through piles, as Python that knows their format (`program.packing`).

pile_size(S, M, r0)      # the number of things in the pile of slot r0
"""

from __future__ import annotations

import re

TEXTS = {
    "pile_size": """\
def pile_size(S, M, r0):
    return S[r0].bit_length() + 15 >> 4""",
    "pile_things": """\
def pile_things1(S, M, r0):
    pile, found = S[r0], 0
    while pile:
        found |= 1 << (pile & 65535)
        pile >>= 16
    return found >> 1""",
    "pile_take": """\
def pile_take1(S, M, r0, r1):
    pile, r1 = S[r0], r1 + 1
    if pile & 65535 == r1:
        S[r0] = pile >> 16
        return 0
    rest, at = pile >> 16, 16
    while rest:
        if rest & 65535 == r1:
            S[r0] = rest >> 16 << at | pile & (1 << at) - 1
            return 0
        rest >>= 16
        at += 16
    return 0""",
    "pile_sort": """\
def pile_sort{0}(S, M, r0, r1):
    pile, things = S[r0], []
    while pile:
        thing = (pile & 65535) - 1
        things.append((mixed(r1 ^ T{0}[thing]), thing))
        pile >>= 16
    things.sort(reverse=True)
    for _, thing in things:
        pile = pile << 16 | thing + 1
    S[r0] = pile
    return 0""",
}
"""By name, without the number behind it, which is that of a table for `pile_sort`."""


def text_of_helper(name: str) -> str | None:
    """Returns the text of a function that is known by its name; None for any other.

    >>> text_of_helper("pile_size").splitlines()[0]
    'def pile_size(S, M, r0):'
    """
    stem, number = re.fullmatch(r"(.*?)(\d*)", name).groups()  # type: ignore[union-attr]
    text = TEXTS.get(stem)
    return None if text is None else text.replace("{0}", number)
