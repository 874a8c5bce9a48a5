"""Many logs and other rules -> the numbers of games that are unchanged or keep their winner, and the edits that change
the rest.

    struck = Summary()
    for log in logs:
        struck.add(impact_on(log, game, edits))     # one after another: only counts are kept

Differences are grouped by the edits without which a log's first difference disappears, worst first: those that change
the most winners. If no edit is to blame, the rule of the first difference stands for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import attrs

from rulelang.api import Game
from rulelang.log.reading import ReadLog
from rulelang.workbench.changes.edits import Edits
from rulelang.workbench.divergence import is_well_up_to, retell
from rulelang.workbench.divergence_report import Level, Policy

Verdict: TypeAlias = Literal["unchanged", "keeps its winner", "another end", "not read"]
UNCHANGED: Final = "unchanged"
KEEPS: Final = "keeps its winner"
LOSES: Final = "another end"
UNREAD: Final = "not read"
MOST_UNREAD = 10
"""The number of unreadable logs that are named."""
VERDICTS: tuple[Verdict, ...] = (UNCHANGED, KEEPS, LOSES, UNREAD)
"""The verdicts on a log, the best first."""


@attrs.frozen
class Impact:
    """The impact of other rules on one log; `because` names the edits, or the rule, and `taken` is the share of its
    choices that stand.
    """

    verdict: Verdict
    level: Level | None = None
    because: str = ""
    clauses: tuple[str, ...] = ()
    sentence: str = ""
    step: int = 0
    taken: float = 1.0

    def record(self) -> dict[str, Any]:
        """Returns the impact as plain data for JSON."""
        level = "" if self.level is None else self.level.value
        return {**attrs.asdict(self), "level": level, "clauses": list(self.clauses)}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Impact:
        """Returns the impact that `record` encodes."""
        fields = {field.name: record[field.name] for field in attrs.fields(cls)}
        level = Level(fields["level"]) if fields["level"] else None
        return cls(**{**fields, "level": level, "clauses": tuple(fields["clauses"])})


def impact_on(
    log: ReadLog, game: Game, edits: Edits | None, policy: Policy = Policy.NEAREST, bot: str | None = None
) -> Impact:
    """Returns the impact of other rules on a log; raises LogError for a log that cannot be replayed."""
    told = retell(log, game, policy, bot, only_compares=True)
    if told.is_unchanged:
        return Impact(UNCHANGED)
    first, tally = told.first, told.tally
    assert first is not None
    if first.level is Level.ILLEGAL:
        # What its seat remembers may give the reason.
        first = retell(log, game, policy, bot, until=first.step).first or first
    blamed = edits.culprits(is_well_up_to(told)) if edits is not None else ()
    because = " and ".join(edit.name for edit in blamed) or first.rule.partition("(")[0] or first.level.value
    clauses = tuple(dict.fromkeys(c for edit in blamed for c in edit.clauses)) or first.clauses
    choices = tally.taken + tally.replaced + tally.left_out
    taken = tally.taken / choices if choices else 0.0
    verdict: Verdict = KEEPS if told.keeps_winner else LOSES
    return Impact(verdict, first.level, because, clauses, first.sentence, first.step, round(taken, 4))


@attrs.frozen
class CauseGroup:
    """The effect of one cause: the number of logs, how many of them end differently, and its first occurrence."""

    because: str
    logs: int
    other_end: int
    clauses: tuple[str, ...]
    example: str
    sentence: str


@attrs.define
class Summary:
    """The impact of other rules on many logs; its size does not grow with them."""

    logs: int = 0
    verdicts: Counter[Verdict] = attrs.field(factory=Counter)
    levels: Counter[str] = attrs.field(factory=Counter)
    first_steps: Counter[int] = attrs.field(factory=Counter)
    """The number of logs by choice of their first difference, in tens."""
    taken: Counter[int] = attrs.field(factory=Counter)
    """The number of logs by share of their choices that stand, in tenths."""
    unread: list[tuple[str, str]] = attrs.field(factory=list)
    """The first logs that cannot be read, each with the reason."""
    _groups: dict[str, CauseGroup] = attrs.field(factory=dict)

    def add(self, name: str, impact: Impact) -> None:
        """Adds the impact on one log."""
        self.logs += 1
        self.verdicts[impact.verdict] += 1
        if impact.verdict == UNREAD and len(self.unread) < MOST_UNREAD:
            self.unread.append((name, impact.sentence))
        if impact.level is None:
            return
        self.levels[impact.level.value] += 1
        self.first_steps[impact.step // 10] += 1
        self.taken[int(impact.taken * 10)] += 1
        old = self._groups.get(impact.because, CauseGroup(impact.because, 0, 0, impact.clauses, name, impact.sentence))
        more = impact.verdict == LOSES
        self._groups[impact.because] = attrs.evolve(old, logs=old.logs + 1, other_end=old.other_end + more)

    @property
    def groups(self) -> Iterator[CauseGroup]:
        """The causes, worst first."""
        yield from sorted(self._groups.values(), key=lambda g: (-g.other_end, -g.logs, g.because))

    def record(self) -> dict[str, Any]:
        """Returns the summary as plain data for JSON."""
        return {
            "logs": self.logs,
            "verdicts": {name: self.verdicts[name] for name in VERDICTS},
            "levels": dict(self.levels.most_common()),
            "unread": [{"log": name, "because": reason} for name, reason in self.unread],
            "causes": [{**attrs.asdict(group), "clauses": list(group.clauses)} for group in self.groups],
        }
