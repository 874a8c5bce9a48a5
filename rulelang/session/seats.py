"""Words such as `red=me` -> the occupant of each seat: a bot, or a person.

    red=me    blue=greedy    all=random    2=first        (a seat's name or its number)

By default the first seat is a person and the others are bots, greedy ones if the game defines a `score`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import seats_of
from rulelang.knowledge.redaction import seat_name
from rulelang.lab.bots import BOTS, Bot, bot

ME = "me"
USUAL_PLAYERS = 4
"""The default number of players, if the game allows it."""
Seats: TypeAlias = tuple[Bot | None, ...]
"""By seat: the bot that plays it, None for a person."""


def usual_players(players: tuple[int, int]) -> int:
    """Returns the default number of players for a game (fewest, most).

    >>> usual_players((2, 6)), usual_players((1, 2)), usual_players((5, 8))
    (4, 2, 5)
    """
    low, high = players
    return min(max(USUAL_PLAYERS, low), high)


def names_at(rules: GameRules, players: int) -> tuple[str, ...]:
    """Returns the written names of the seats of a match; all that the rules know for an impossible number of players."""
    low, high = rules.players
    return tuple(seat_name(rules, seat) for seat in seats_of(players)) if low <= players <= high else rules.seats


def seated(
    asked: tuple[str, ...],
    names: tuple[str, ...],
    has_score: bool,
    known: Mapping[str, Bot] | None = None,
    default: Bot | None = None,
) -> Seats:
    """Returns the occupant of each seat; later words win. Raises InvalidInput.

    `known` are further bots by name; `default` takes the seats that are not spoken of.

    >>> [bot.name if bot else "a person" for bot in seated(("blue=me",), ("red", "blue", "green"), False)]
    ['random', 'a person', 'random']
    """
    default = default or bot("greedy" if has_score else "random")
    chosen: dict[int, Bot | None] = {}
    for words in asked:
        seat, equals, who = words.partition("=")
        if not equals:
            raise InvalidInput(f"a seat is given as SEAT=WHO, such as {names[0]}=me; found {words!r}")
        for number in range(len(names)) if seat == "all" else (_seat(seat.strip(), names),):
            chosen[number] = _who(who.strip(), has_score, known or {})
    first = default if None in chosen.values() else None
    return tuple(chosen.get(seat, default if seat else first) for seat in range(len(names)))


def bot_called(text: str, *others: str) -> Bot:
    """Returns a bot by its name. Raises InvalidInput, which lists the bots and `others`."""
    try:
        return bot(text)
    except KeyError:
        known = [*others, *(b.name for b in BOTS)]
        raise InvalidInput(f"nobody is called {text!r}{hint(text, known)}") from None


def _seat(text: str, names: tuple[str, ...]) -> int:
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(names):
        return int(text) - 1
    raise InvalidInput(f"no seat is called {text!r}{hint(text, names)}")


def _who(text: str, has_score: bool, known: Mapping[str, Bot]) -> Bot | None:
    if text == ME:
        return None
    found = known[text] if text in known else bot_called(text, ME)
    return found if has_score or not found.needs_score else bot("random")
