"""The registry's entry for one diagnostic code."""

from __future__ import annotations

import attrs

FRAME = 'game sketch "Sketch":\n  players 2\n\n'
PLAY = "\nplay:\n  settle\n"


@attrs.frozen
class Code:
    """One kind of fault: `id` is never used again, `bad` shows it and `good` is the same text put right.

    The examples omit what every game has; `whole` adds a header and a `play:` phase.
    """

    id: str
    title: str
    explanation: str
    bad: str
    good: str


def whole(example: str) -> str:
    """Returns an example as a complete game.

    >>> print(whole("constant heap = 21\\n"))
    game sketch "Sketch":
      players 2
    <BLANKLINE>
    constant heap = 21
    <BLANKLINE>
    play:
      settle
    <BLANKLINE>
    """
    lines = example.split("\n")
    if example.startswith("# a whole file"):
        return example
    head = "" if any(line.startswith("game ") for line in lines) else FRAME
    tail = "" if any(line.startswith("play:") for line in lines) else PLAY
    return head + example + tail
