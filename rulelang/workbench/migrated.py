"""A log and newer rules -> the log of the same game by those, and what is not in it as it was.

    moved = migrate(read_log("old.jsonl"), load("outspeed"), Policy.NEAREST)
    moved.text                         # the new log: it replays under these rules without a difference
    moved.instead                      # what was put in the place of what, with the line of the old log

Of rules that do the same, nothing is inserted or dropped, and what was undone stays in the log. By other rules the choices that
stand are told again (`workbench.retold`), and what was undone is left out: it led to nothing.
"""

from __future__ import annotations

from io import BytesIO

import attrs

from rulelang.api import Game, Match, replay
from rulelang.errors import LogError, RulelangError
from rulelang.log.format import Log
from rulelang.log.player import Difference
from rulelang.log.reading import ReadLog, parse_log
from rulelang.workbench.provenance import ProvenanceKind, blame, findings
from rulelang.workbench.retold import retell
from rulelang.workbench.told import Ending, Instead, Policy, ToldDifference


class Immovable(RulelangError):
    """A log that cannot be moved to these rules."""


@attrs.frozen
class Migration:
    """A log moved to other rules."""

    text: bytes = attrs.field(repr=False)
    kept: int
    """Choices that are as they were."""
    instead: tuple[Instead, ...] = ()
    undone: int = 0
    """Choices that had been taken back, and are left out."""
    unread: int = 0
    """Choices after the place where the game stops by these rules."""
    stopped: str = ""
    differences: tuple[ToldDifference, ...] = ()
    ending: tuple[Ending, Ending] | None = None
    """In the old log and in the new one; None where nothing is different."""
    rewritten: str = ""
    """The first place where the old log differs from the rules that it was played by, and why; "" where it does not."""

    @property
    def is_faithful(self) -> bool:
        """Returns whether nothing of the game is different."""
        return not (self.instead or self.differences or self.unread or self.rewritten)

    @property
    def replaced(self) -> int:
        return sum(bool(one.logged and one.told) for one in self.instead)

    @property
    def left_out(self) -> int:
        return sum(not one.told for one in self.instead)

    @property
    def added(self) -> int:
        return sum(not one.logged for one in self.instead)


def migrate(
    log: ReadLog,
    game: Game,
    policy: Policy = Policy.NEAREST,
    bot_name: str | None = None,
    *,
    own: Game | None = None,
) -> Migration:
    """Moves a log to other rules, or to this version of rulelang.

    `own` are the rules that it was played by, if they are known. Raises Immovable where these rules cannot set the game up,
    and LogError for a log that was edited, of one seat or of another game.
    """
    own, rewritten = game if log.header.rules == game.rules_hash else own, ""
    if own is not None and log.header.rules == own.rules_hash:
        again = replay(log, under=own)
        if again.difference is None and own is game:
            assert isinstance(again.match, Match)
            return Migration(_written(log, again.match, game), log.choices)
        rewritten = _rewritten(log, own, again.difference)
    told = retell(log, game, policy, bot_name, forgets=False)
    if told.match is None:
        why = told.differences[0].sentence if told.differences else told.stopped
        raise Immovable(f"these rules cannot set this game up: {why}")
    tally, standing = told.tally, len(log.steps.standing)
    return Migration(
        _written(log, told.match, game),
        tally.taken,
        told.instead,
        log.choices - standing,
        standing - tally.taken - tally.replaced - tally.left_out,
        told.stopped,
        told.differences,
        told.ending,
        rewritten,
    )


def _rewritten(log: ReadLog, own: Game, difference: Difference | None) -> str:
    """Returns where and why a log differs from its own rules; raises LogError if it was edited."""
    if difference is None:
        return ""
    cause = blame(findings(log.header, own))
    text = f"{difference.error}; {cause.text}"
    if cause.kind is ProvenanceKind.TAMPERING:
        raise LogError(text)
    return text


def _written(log: ReadLog, match: Match, game: Game) -> bytes:
    """Returns a match as a log, which is played again before it is handed out; raises Immovable where it would differ."""
    header = attrs.evolve(match.header, bots=log.header.bots)
    text = Log.of(header, match).text.encode()
    difference = replay(parse_log(BytesIO(text)), under=game).difference
    if difference is not None:
        raise Immovable(f"the new log would not replay: {difference.error}")
    return text
