"""The sources of chance of a game, and chance in which one source stays as it was while all others are drawn anew.

    sources(rules)            {"shuffle deck": (0,), "coin first": (1,), "random Player.race": (2, 3)}
    OneHeld(7, "else", (0,), rules, layout)    the deck lies as under seed 7, all else as under seed "else"

Two games that share one source alone are as alike as that source makes them: so much of the result is its luck.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulelang.ir.model import GameRules
from rulelang.ir.picks import die_of, told_name
from rulelang.machines.chance import Seeded
from rulelang.program.layout import Layout
from rulelang.program.randomness import key_of


def sources(rules: GameRules) -> Mapping[str, tuple[int, ...]]:
    """Returns the streams of each source of chance, by its name: a pile that is shuffled, a die and what it is thrown
    for, what `random` picks for. The streams of all owners and keys of a variable are one source.

    >>> from rulelang import load
    >>> sources(load("outspeed").ir)["shuffle stack"]
    (0,)
    """
    owners = {name for kind in rules.kinds for name in kind.names}
    found: dict[str, list[int]] = {}
    for stream in range(len(rules.streams)):
        found.setdefault(_source(rules, stream, owners), []).append(stream)
    return {name: tuple(streams) for name, streams in found.items()}


def _source(rules: GameRules, stream: int, owners: set[str]) -> str:
    """Returns the name of the source of a stream: that of the stream without an owner or a key."""
    if die_of(rules, stream) is None:
        return told_name(rules, stream)
    die, space, use = rules.streams[stream].partition(" ")
    owner, dot, rest = use.partition(".")
    use = rest if dot and owner in owners else use
    return die + space + re.sub(r"\([^()]+\)", "", use)


class OneHeld(Seeded):
    """Chance from a seed but for the streams that are held: these draw what they draw under a seed of their own.

    It is a class of its own because machine code derives all keys of a `Seeded` from its seed.
    """

    def __init__(self, held: int | str, other: str, streams: Sequence[int], rules: GameRules, layout: Layout) -> None:
        super().__init__(other, rules, layout)
        seeds = [str(held) if stream in streams else other for stream in range(len(rules.streams))]
        self.know(key_of(seed, name) for seed, name in zip(seeds, rules.streams, strict=True))
