"""A log and newer rules -> the log of the same game by these rules, and a report of what has changed in it.

    moved = migrate(read_log("old.jsonl"), load("outspeed"), Policy.NEAREST)
    moved.text                         # the new log: it replays under these rules without a difference
    moved.instead                      # the replaced choices, with the lines of the old log

If the rules do the same, nothing is inserted or dropped, and undone choices stay in the log. By other rules the
choices that stand are told again (`workbench.divergence`), and undone ones are left out, since they led to nothing.
"""

from __future__ import annotations

from io import BytesIO

import attrs

from rulelang.api import Game, Match, replay
from rulelang.errors import LogError, RulelangError
from rulelang.log.format import Log
from rulelang.log.player import Difference
from rulelang.log.reading import ReadLog, parse_log
from rulelang.workbench.divergence import retell
from rulelang.workbench.divergence_report import Ending, Instead, Policy, ToldDifference
from rulelang.workbench.provenance import ProvenanceKind, blame, findings


class Immovable(RulelangError):
    """Raised for a log that cannot be moved to these rules."""


@attrs.frozen
class Migration:
    """A log moved to other rules."""

    text: bytes = attrs.field(repr=False)
    kept: int
    """The number of choices that are unchanged."""
    instead: tuple[Instead, ...] = ()
    undone: int = 0
    """The number of choices that had been taken back and are left out."""
    unread: int = 0
    """The number of choices after the point where the game stops by these rules."""
    stopped: str = ""
    differences: tuple[ToldDifference, ...] = ()
    ending: tuple[Ending, Ending] | None = None
    """The endings of the old and the new log; None if nothing differs."""
    rewritten: str = ""
    """The first difference between the old log and the rules by
    which it was played, with its cause; "" if there is none."""

    @property
    def is_faithful(self) -> bool:
        """Returns whether the game is the same in every respect."""
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

    `own` are the rules by which it was played, if they are known. Raises Immovable if these rules cannot set up the
    game, and LogError for a log that was edited, is one seat's, or belongs to another game.
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
    """Returns the first difference between a log and its own
    rules, with its cause; raises LogError if it was edited."""
    if difference is None:
        return ""
    cause = blame(findings(log.header, own))
    text = f"{difference.error}; {cause.text}"
    if cause.kind is ProvenanceKind.TAMPERING:
        raise LogError(text)
    return text


def _written(log: ReadLog, match: Match, game: Game) -> bytes:
    """Returns the log of a match, which is replayed before it is returned; raises Immovable if the replay differs."""
    header = attrs.evolve(match.header, bots=log.header.bots)
    text = Log.of(header, match).text.encode()
    difference = replay(parse_log(BytesIO(text)), under=game).difference
    if difference is not None:
        raise Immovable(f"the new log would not replay: {difference.error}")
    return text
