"""Turns names and texts into games, games into matches, logs into replays: the public API.

    load("outspeed+sprint")        a Game, from the compile cache if it has not changed
    check_text(text)               the game, if it can be played, and all diagnostics

The parser and the checks are imported only when they are needed: a game from the compile cache runs without them.

    >>> import rulelang
    >>> game = rulelang.load("outspeed")
    >>> game.title
    'Outspeed'
    >>> match = game.start(players=4, seed=7)
    >>> match.to_move
    (0, 1, 2, 3)
    >>> rulelang.replay(match.log).difference is None
    True

Invariant: faulty rules raise or are told with their place; a game that loads can be played.
"""

from rulelang.api.checking import check, check_loaded, check_text, result_of
from rulelang.api.game import Checked, Game
from rulelang.api.internals import Internals
from rulelang.api.loading import games, load
from rulelang.api.match import Match
from rulelang.api.names import NoSuchGame, named, read
from rulelang.api.replaying import replay, rules_of

__all__ = [
    "Checked",
    "Game",
    "Internals",
    "Match",
    "NoSuchGame",
    "check",
    "check_loaded",
    "check_text",
    "games",
    "load",
    "named",
    "read",
    "replay",
    "result_of",
    "rules_of",
]
