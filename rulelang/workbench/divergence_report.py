"""The result of telling a log by other rules: differences by level, the fate of choices, both endings.

told.differences[0].sentence      # step 4, in move(red): the log has red.fuel: 9 -> 7, these rules give red.fuel: 9 -> 6
told.ending                       # that of the log and that by these rules
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, assert_never

import attrs

from rulelang.api import Game, Match
from rulelang.ir.model.vocabulary import EndForm
from rulelang.log.reading import ReadLog
from rulelang.source import NOWHERE, Span


class Policy(Enum):
    """The treatment of a choice that cannot be taken by the rules."""

    STOP = "stop"
    SKIP = "skip"
    NEAREST = "nearest"
    BOT = "bot"


class Level(Enum):
    """The level of a difference, from words alone to the winner."""

    SETUP = "set-up"
    ASKED = "asked for something else"
    ILLEGAL = "illegal now"
    EVENT = "event"
    VIEW = "view"
    OUTCOME = "outcome"
    FAULT = "fault"


SHORT = 80
"""The most characters of each side of a difference that is told in short."""


def _begun(text: str) -> str:
    """Returns the beginning of a text, up to the end of a word.

    >>> _begun("a" * 90)
    'aaaa...aaaa …'
    """
    if len(text) <= SHORT:
        return text
    words = text[:SHORT].rpartition(" ")[0] or text[:SHORT]
    return f"{words} …"


@attrs.frozen
class ToldDifference:
    """One place where the rules tell the game differently."""

    level: Level
    step: int
    """The number of the step: 0 is the set-up, then each choice that stands counts."""
    line: int
    logged: str
    """What the log has there, "" if it has nothing; `told` is what these rules give."""
    told: str
    rule: str = ""
    """The rule that made or refused it."""
    clauses: tuple[str, ...] = ()
    span: Span = attrs.field(default=NOWHERE, repr=False, eq=False)

    @property
    def in_short(self) -> str:
        """The sentence with the beginning of each side alone, as a deal of many cards is long.

        >>> told = ToldDifference(Level.EVENT, 1, 3, f"deal(5){' and more' * 99}", "deal(4)", "deal")
        >>> told.in_short
        'step 1, in deal: the log has deal(5) and more ... and more …; these rules give deal(4)'
        """
        return attrs.evolve(self, logged=_begun(self.logged), told=_begun(self.told)).sentence

    @property
    def sentence(self) -> str:
        """Both sides in one sentence, with the rule, its clauses and its place."""
        where = "in the set-up" if self.step == 0 else f"step {self.step}"
        cited = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        place = f" ({self.span.place})" if self.span is not NOWHERE else ""
        match self.level:
            case Level.ILLEGAL:
                return f"{where}: {self.logged} is illegal now: {self.told}{cited}{place}"
            case Level.ASKED:
                return f"{where}: the log has {self.logged}; these rules {self.told}"
            case Level.OUTCOME:
                return f"the log ends with {self.logged}; these rules with {self.told}{cited}"
            case Level.FAULT:
                return f"{where}: {self.logged} goes wrong under these rules: {self.told}"
            case Level.VIEW:
                said = f"the log tells {self.logged}; these rules tell {self.told}"
            case Level.SETUP | Level.EVENT if not self.logged:
                said = f"only these rules have {self.told}"
            case Level.SETUP | Level.EVENT if not self.told:
                said = f"only the log has {self.logged}"
            case Level.SETUP | Level.EVENT:
                said = f"the log has {self.logged}; these rules give {self.told}"
            case _:
                assert_never(self.level)
        rule = f", in {self.rule}{cited}{place}" if self.rule else ""
        return f"{where}{rule}: {said}"


@attrs.frozen
class Ending:
    """The ending of a game in a log; `how` is None if it has not ended."""

    how: EndForm | None = None
    winners: tuple[str, ...] = ()
    ranking: tuple[tuple[str, ...], ...] = ()
    scores: tuple[int, ...] = ()
    clauses: tuple[str, ...] = attrs.field(default=(), eq=False)

    @classmethod
    def of(cls, record: Mapping[str, Any] | None) -> Ending:
        """Returns the ending on a line of a log."""
        if record is None:
            return cls()
        groups = tuple(tuple(group) for group in record["ranking"])
        clauses = tuple(record["clauses"])
        return cls(record["end"], tuple(record["winners"]), groups, tuple(record["scores"]), clauses)

    @property
    def text(self) -> str:
        """The ending in words."""
        if not self.how:
            return "a game that goes on"
        places = " > ".join(" = ".join(group) for group in self.ranking)
        who = places or ", ".join(self.winners)
        scores = f", scores {', '.join(map(str, self.scores))}" if self.scores else ""
        return f"{self.how} {who}".rstrip() + scores


@attrs.frozen
class Tally:
    """The fate of the log's choices, and the number of answers the rules asked beyond them."""

    taken: int = 0
    replaced: int = 0
    left_out: int = 0
    added: int = 0


@attrs.frozen
class Instead:
    """One choice of the log that was replaced: `told` is the answer in its place, "" for none.

    For an answer that is not in the log, `logged` is "" and the line is that of the log's next choice.
    """

    line: int
    logged: str
    told: str


@attrs.frozen(eq=False)
class Parting:
    """The position at the first difference: after the choice on
    a line of the log, or before it if it cannot be taken."""

    line: int
    is_after: bool
    match: Match


@attrs.frozen(eq=False)
class Retold:
    """A game told by other rules. `steps` are the matches after the set-up and each choice, if they were kept."""

    log: ReadLog
    game: Game
    policy: Policy
    differences: tuple[ToldDifference, ...]
    tally: Tally
    instead: tuple[Instead, ...]
    """The choices that were replaced."""
    ending: tuple[Ending, Ending]
    """The endings in the log and by these rules."""
    stopped: str
    """The reason why it stops before the log does; "" if it does not."""
    match: Match | None
    parted: Parting | None

    @property
    def is_unchanged(self) -> bool:
        """Returns whether the rules tell the same game."""
        return not self.differences

    @property
    def first(self) -> ToldDifference | None:
        """The first difference in more than words; if there is none, the first of all."""
        more = (one for one in self.differences if one.level is not Level.VIEW)
        return next(more, self.differences[0] if self.differences else None)

    @property
    def keeps_winner(self) -> bool:
        """Returns whether the same seats win; for a log without an ending, whether there is no difference."""
        before, after = self.ending
        return before.winners == after.winners and before.how == after.how if before.how else self.is_unchanged


def grouped(differences: tuple[ToldDifference, ...]) -> Iterator[tuple[ToldDifference, int]]:
    """Yields the first difference of each level and rule, and the number of such differences."""
    counts: dict[tuple[Level, str], list[ToldDifference]] = {}
    for one in differences:
        counts.setdefault((one.level, one.rule.partition("(")[0]), []).append(one)
    for some in counts.values():
        yield some[0], len(some)
