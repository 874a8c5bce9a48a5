"""A bot -> the same bot that sees all: it looks ahead from the true position in place of re-deals, with dice of its own.

    measured("greedy:open")        greedy that cheats

For figures alone: what it wins more than the bot that it is made of, at an equal budget, is the worth of what is hidden. No
seat at a table can be given to it, since neither `bots.bot` nor `own_bots.own_bot` knows it.
"""

from __future__ import annotations

import attrs

from rulelang.lab.bots import Bot, bot
from rulelang.lab.own_bots import is_own_bot, own_bot

OPEN = ":open"
"""The end of the name of a bot that sees all."""


def measured(name: str, home: str = "") -> Bot:
    """Returns a bot by its name, also one of somebody's file (see `own_bots`) or one that sees all. Raises KeyError for an
    unknown one, or one that does not look, and InvalidInput for a file that holds no such bot.

    >>> measured("mcts:50:open").sees_all, measured("mcts:50").sees_all
    (True, False)
    """
    known = name.removesuffix(OPEN)
    plain = own_bot(known, home) if is_own_bot(known) else bot(known)
    if not name.endswith(OPEN):
        return plain
    if not plain.looks_ahead and not is_own_bot(known):
        raise KeyError(name)
    return attrs.evolve(plain, name=name, sees_all=True)
