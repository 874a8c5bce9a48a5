"""A log's header and a game -> in what the game is not what the log was played by.

    other rules      they may do something else: the hash of what they do is another one
    another text     they do the same, in other words
    another engine   another version of rulelang wrote the log

A log that was changed is none of these: reading it fails, with the line (`log.reading`).
"""

from __future__ import annotations

from rulelang.api import Game
from rulelang.log.format import Header
from rulelang.program.values import clean
from rulelang.version import VERSION


def agrees(header: Header, game: Game) -> tuple[str, ...]:
    """Returns what a log's header says of its rules that is not so of a game: other rules, another text, another engine."""
    found = []
    if header.rules != game.rules_hash:
        found.append(f"other rules: the log was played by {header.rules}, these are {game.rules_hash}")
    elif header.text != game.text_hash:
        found.append(f"another text: the rules are the same in other words ({header.text}, here {game.text_hash})")
    if header.engine != f"rulelang {VERSION}":
        found.append(f"another engine: {clean(header.engine)[:40]} wrote the log, this is rulelang {VERSION}")
    return tuple(found)
