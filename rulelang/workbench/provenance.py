"""A log's header and a game -> the ways in which the game differs from the one that the log was played by, and advice.

other rules      they may play differently: their rules hash is another
another text     they play the same, in other words
another engine   another version of rulelang wrote the log
tampering        the log was changed: reading it fails, with the line (`log.reading`); where its hashes were made good
                 again, it differs from the rules that it names
"""

from __future__ import annotations

from enum import Enum

import attrs

from rulelang.api import Game
from rulelang.log.format import Header
from rulelang.program.values import clean
from rulelang.version import VERSION


class ProvenanceKind(Enum):
    """The ways in which a game can differ from the one that a log was played by."""

    RULES = "other rules"
    TEXT = "another text"
    ENGINE = "another engine"
    TAMPERING = "tampering"


@attrs.frozen
class Finding:
    """One mismatch between a log and a game, and what to do next."""

    kind: ProvenanceKind
    message: str
    advice: str

    @property
    def text(self) -> str:
        """The whole finding in one line."""
        return f"{self.kind.value}: {self.message}; {self.advice}"


def findings(header: Header, game: Game) -> tuple[Finding, ...]:
    """Returns the claims of a log's header that do not match a game: other rules, another text, another engine."""
    found = []
    if header.rules != game.rules_hash:
        here, there = _called(game.id, game.variants), _called(header.game, header.variants)
        message = f"the log was played by {there} as it was then ({clean(header.rules)[:16]}), this is {here} ({game.rules_hash})"
        if here != there:
            message = f"the log was played by {there} ({clean(header.rules)[:16]}), this is {here} ({game.rules_hash})"
        advice = "replay it with --under the rules of then, or move it to these with `rulelang log migrate`"
        found.append(Finding(ProvenanceKind.RULES, message, advice))
    elif header.text != game.text_hash:
        message = f"the rules are the same in other words ({clean(header.text)[:16]}, here {game.text_hash})"
        advice = "nothing to do: it replays as it was, and neither sentences nor citations are compared"
        found.append(Finding(ProvenanceKind.TEXT, message, advice))
    if header.engine != f"rulelang {VERSION}":
        message = f"{clean(header.engine)[:40]} wrote the log, this is rulelang {VERSION}"
        advice = "a log replays under every later version: if they agree, all is well"
        found.append(Finding(ProvenanceKind.ENGINE, message, advice))
    return tuple(found)


def blame(found: tuple[Finding, ...]) -> Finding:
    """Returns the cause of a difference between a log and a game, judged by all mismatches."""
    kinds = {one.kind: one for one in found}
    if ProvenanceKind.RULES in kinds:
        message = "they do something else than those that the log was played by"
        advice = "`rulelang bisect` finds the edit, `rulelang log migrate` moves the log to them"
        return Finding(ProvenanceKind.RULES, message, advice)
    if ProvenanceKind.ENGINE in kinds:
        message = "the rules are the same, and the two versions of rulelang disagree"
        advice = "that is a fault of rulelang: please report it, with the log"
        return Finding(ProvenanceKind.ENGINE, message, advice)
    message = "the rules and the version are those that wrote the log, so it was changed since, and its hashes with it"
    return Finding(ProvenanceKind.TAMPERING, message, "do not trust it from that line on; what comes before it agrees")


def _called(game: str, variants: tuple[str, ...]) -> str:
    return clean("+".join((game, *variants)))[:120]
