"""The answers that people gave beforehand -> a file beside the log of their table, and back.

kept = KeptAnswers.beside(log)
kept.keep(match)           the answers that stand are on the disk
kept.read(match)           those that stood when the server was killed

The log has none of them, because what a seat says beforehand is its own business until it takes effect. Only the server
reads the file, as it reads the whole log.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import attrs

from rulelang import disk
from rulelang.errors import LogError, RulelangError
from rulelang.match.match import BareMatch
from rulelang.match.options.standing import MOST_GIVEN, StandingAnswer, read_standing

OWNER_ALONE = 0o600


@attrs.define
class KeptAnswers:
    """The file of one table, which is there as long as an answer stands."""

    path: Path
    answers: tuple[StandingAnswer, ...] = ()
    """The answers that the file holds."""

    @classmethod
    def beside(cls, log: Path) -> KeptAnswers:
        """Returns the file beside a log."""
        return cls(log.with_suffix(".beforehand"))

    def keep(self, match: BareMatch) -> None:
        """Writes the answers that stand, if they have changed. Raises LogError."""
        answers = tuple(one for seat in range(match.players) for one in match.standing(seat))
        if answers == self.answers:
            return
        try:
            if answers:
                data = json.dumps([_written(match, one) for one in answers])
                disk.replace(self.path, data.encode(), mode=OWNER_ALONE)
            else:
                self.path.unlink(missing_ok=True)
        except OSError as error:
            raise LogError(f"what stands beforehand cannot be kept: {error}") from None
        self.answers = answers

    def read(self, match: BareMatch) -> tuple[StandingAnswer, ...]:
        """Returns the answers of the file; none if there is no file, or one that does not fit the match."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RulelangError):
            self.answers = tuple(_read(match, one) for one in json.loads(self.path.read_bytes()))
        return self.answers


def _written(match: BareMatch, one: StandingAnswer) -> dict[str, Any]:
    said = f"{match.seats[one.seat]}: {one.said}"
    return {"said": said, "since": one.since, "choice": one.choice, "given": one.given}


def _read(match: BareMatch, record: dict[str, Any]) -> StandingAnswer:
    said, since, given = read_standing(match, record["said"]), int(record["since"]), int(record["given"])
    if not (0 <= since <= match.event_count and 0 <= given <= MOST_GIVEN):
        raise ValueError("written for another match")
    return attrs.evolve(said, since=since, choice=str(record["choice"]), given=given)
