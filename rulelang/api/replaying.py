"""Logs -> replayed matches.

replay("race.jsonl").difference        None, or the first place where rules and log disagree
"""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.api.game import Game
from rulelang.api.loading import games, load
from rulelang.api.match import Match
from rulelang.errors import InvalidInput, LogError
from rulelang.machines.machine import Chance
from rulelang.program.values import clean
from rulelang.seed import described

if TYPE_CHECKING:
    from rulelang.log.format import Header, Log
    from rulelang.log.reading import ReadLog
    from rulelang.log.replay import Replay


def replay(log: str | Path | Log | ReadLog, under: str | Game | None = None, *, compares: bool = True) -> Replay:
    """Plays a log again and compares it, up to the end or the first
    difference; the result holds both sides of the difference.

    With `compares` false, the log is played without comparing, which
    is faster: only an input that the rules refuse is a difference.

    `log` is a file or a log; `under` names the rules to play it by, if not those that the log names: variants of its
    game (`sprint+hungry`), a game as `load` takes it, or a loaded game. Raises LogError for a log that cannot be
    played again, and whatever `load` and `Game.start` raise.

    >>> match = load("outspeed").start(players=3, seed=7)
    >>> for _ in range(12):
    ...     events = match.play(match.options[0])
    >>> replay(match.log).match.key == match.key
    True
    >>> replay(match.log, under="sprint").difference
    Difference(...)
    """
    return replay_looking(log, under, compares=compares)


def replay_looking(
    log: str | Path | Log | ReadLog,
    under: str | Game | None = None,
    *,
    compares: bool = True,
    look: Callable[[], None] | None = None,
) -> Replay:
    """Returns the replay of a log, as `replay` does; `look` is called before each step, and whatever it raises ends it."""
    from rulelang.log.format import Log
    from rulelang.log.reading import ReadLog, parse_log, read_log
    from rulelang.log.replay import replay as play_again

    if isinstance(log, Log):
        log = parse_log(BytesIO(log.text.encode()))
    elif isinstance(log, (str, Path)):
        log = read_log(log)
    elif not isinstance(log, ReadLog):
        raise InvalidInput(f"a log is a path, `match.log` or what `read_log` returns, not {described(log)}")
    if not isinstance(under, Game | str | None):
        raise InvalidInput(f"rules are named by a text, or are a game, not {described(under)}")
    header = log.header
    game = under if isinstance(under, Game) else load(rules_of(header, under))
    inside = game.internals.of_format(header.format)

    def start(chance: Chance) -> Match:
        return inside.begin(header, chance)

    picks, same_text = inside.secrets.picks, header.text == inside.text_hash
    phrases = inside.with_lone(header.lone).phrases
    return play_again(
        log, inside.ir, inside.layout, start, picks, same_text=same_text, compares=compares, phrases=phrases, look=look
    )


def rules_of(header: Header, under: str | None) -> str:
    """Returns the name of the game to load for a log; a log does not record where the rules lie on disk."""
    base = under.partition("+")[0] if under and not os.path.exists(under) else under
    if under and base and (os.path.exists(base) or base in games() or base.endswith(".rules")):
        return under
    if header.game not in games():
        raise LogError(f"this is a log of `{clean(header.game)[:40]}`, which does not ship: say under which rules")
    variants = header.variants if under is None else (under,) if under else ()
    return "+".join((header.game, *variants))
