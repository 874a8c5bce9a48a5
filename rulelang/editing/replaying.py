"""A game that was played, and other rules -> the same moment by those rules, or the first difference on the way there.

found = follow(log, game, seats)
found.table, found.parting        the table to go on from; None, or where the rules part and which rule does it
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import attrs

from rulelang.api import Game, Match, replay
from rulelang.api.replaying import replay_looking
from rulelang.errors import LogError, RulelangError
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.log.format import Log
from rulelang.log.reading import ReadLog, parse_log
from rulelang.session.seats import Seats
from rulelang.session.table import GameTable, begin
from rulelang.workbench.divergence import retell
from rulelang.workbench.divergence_report import Policy, ToldDifference


@attrs.frozen(eq=False)
class Followed:
    """A game by other rules: the table, and where the rules part, if they do."""

    table: GameTable
    parting: ToldDifference | None = None


def played(table: GameTable) -> ReadLog:
    """Returns the log of a table as it stands."""
    assert isinstance(table.match, Match)
    return parse_log(BytesIO(Log.of(table.header, table.match).text.encode()))


def follow(
    log: ReadLog, game: Game, seats: Seats, look: Callable[[], None] | None = None, *, takes: bool = False
) -> Followed:
    """Returns a game by other rules, up to its end or the first difference; if it `takes` them, as far as its choices
    can be played. `look` is called before each step, and whatever it raises ends it.

    Raises RulelangError for rules that cannot set the game up.
    """
    again = replay_looking(log, under=game, compares=not takes, look=look)
    parting = None if again.difference is None else retell(log, game, Policy.STOP).first
    name = "+".join((game.id, *game.variants))
    if not again.positions:
        header = log.header
        table = begin(game, name, len(header.players), seats, seed=header.seed or 0, agreed=dict(header.options))
        return Followed(table, parting)
    if not isinstance(again.match, Match):
        raise LogError("this game cannot be played on")
    header = attrs.evolve(again.match.header, bots=log.header.bots)
    return Followed(GameTable(game, name, again.match, header, seats), parting)


def first_difference(log: bytes, game: Game) -> int:
    """Returns the first step of a log that goes another way by the rules of a game; 0 if they do not begin it at all."""
    try:
        return len(replay(parse_log(BytesIO(log)), under=game).positions)
    except RulelangError:
        return 0


def begin_in(game: Game, given: str, seats: Seats, lone: LoneOptions | None) -> GameTable:
    """Returns a table with a game that begins in a position; if a bot is asked there, a person changes seats with it, so
    that the position stays.

    Raises RulelangError for a position in which nobody can play.
    """
    name = "+".join((game.id, *game.variants))
    table = begin(game, name, len(seats), seats, lone=lone, given=given)
    asked = table.asked
    if asked is None or None not in seats or seats[asked] is None:
        return table
    changed = list(seats)
    person = seats.index(None)
    changed[asked], changed[person] = None, seats[asked]
    return begin(game, name, len(seats), tuple(changed), lone=lone, given=given)


def trouble_of(error: RulelangError) -> str:
    """Returns a sentence on rules that cannot play a game at all."""
    return f"These rules cannot play the game on the table: {error}"
