"""The words for what can be done when a game is over, and the next game at the same table.

wished("ag")                  "again"
again(table, seed=5)          a new game of the same people and bots
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from rulelang.match.match import BareMatch
from rulelang.seed import Seed
from rulelang.session.table import GameTable, begin

Wish: TypeAlias = Literal["again", "new", "replay", "why", "more", "quit"]

AFTERWARDS: dict[Wish, str] = {
    "again": "play again with the same dice",
    "new": "play again with others",
    "replay": "step through this game",
    "why": "say why it ended like this",
    "more": "tell all that happened since you were last asked",
    "quit": "stop",
}
"""The words that are understood when a game is over, and what each does."""


def wished(text: str) -> Wish | None:
    """Returns the wish whose word somebody has typed, or begun to type; None if it is none of them.

    >>> wished("NEW"), wished("re"), wished("later")
    ('new', 'replay', None)
    """
    word = text.strip().casefold()
    return next((wish for wish in get_args(Wish) if word and wish.startswith(word)), None)


def again(table: GameTable, seed: Seed) -> GameTable:
    """Sets up the next game for the people and bots of a table,
    with the same agreement. Raises whatever `Game.start` raises.
    """
    header = table.header
    return begin(
        table.game,
        table.name,
        table.match.players,
        table.seats,
        seed=seed,
        agreed=dict(header.options),
        lone=header.lone,
        given=header.given,
    )


def last_event(match: BareMatch) -> int | None:
    """Returns the number of the event that ended a game, to be asked about; None while the game goes on."""
    ends = (event for event in match.events if any(change.what == "finish" for change in event.changes))
    return next((event.number for event in ends), None)
