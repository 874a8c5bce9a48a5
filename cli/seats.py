"""`--seat red=me`: who sits where.

    red=me    blue=greedy    all=random    2=first        (a seat's name or its number)

Nobody said: the first seat is you, the others are bots, greedy where the game says what to steer by.
"""

from __future__ import annotations

from typing import TypeAlias

import click

from rulelang.diagnostics.suggest import suggest
from rulelang.lab.bots import BOTS, Bot, bot

ME = "me"
Seats: TypeAlias = tuple[Bot | None, ...]
"""By seat: the bot that plays it, None for a person."""


def seated(asked: tuple[str, ...], names: tuple[str, ...], has_score: bool) -> Seats:
    """Returns who sits where, as the command line says; later words win. Raises UsageError."""
    default = bot("greedy" if has_score else "random")
    chosen: dict[int, Bot | None] = {}
    for words in asked:
        seat, equals, who = words.partition("=")
        if not equals:
            raise click.UsageError(f"--seat wants SEAT=WHO, such as {names[0]}=me; found {words!r}")
        for number in range(len(names)) if seat == "all" else (_seat(seat.strip(), names),):
            chosen[number] = _who(who.strip(), has_score)
    first = default if None in chosen.values() else None
    return tuple(chosen.get(seat, default if seat else first) for seat in range(len(names)))


def agreed_options(words: tuple[str, ...]) -> dict[str, str]:
    """Returns what `--option NAME=VALUE` agrees on. Raises UsageError."""
    agreed = {}
    for some in words:
        name, equals, value = some.partition("=")
        if not equals:
            raise click.UsageError(f"--option wants NAME=VALUE, found {some!r}")
        agreed[name.strip()] = value.strip()
    return agreed


def bot_called(text: str, *others: str) -> Bot:
    """Returns a bot by its name. Raises UsageError, which names the bots and whoever else could be meant."""
    try:
        return bot(text)
    except KeyError:
        known = [*others, *(b.name for b in BOTS)]
        near = suggest(text, known)
        hint = f"; did you mean {near}?" if near else f" ({', '.join(known)})"
        raise click.UsageError(f"nobody is called {text!r}{hint}") from None


def _seat(text: str, names: tuple[str, ...]) -> int:
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(names):
        return int(text) - 1
    near = suggest(text, names)
    hint = f"; did you mean {near}?" if near else f" (there are {', '.join(names)})"
    raise click.UsageError(f"no seat is called {text!r}{hint}")


def _who(text: str, has_score: bool) -> Bot | None:
    if text == ME:
        return None
    found = bot_called(text, ME)
    return found if has_score or not found.needs_score else bot("random")
