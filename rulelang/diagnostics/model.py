"""Faults found in rules, as values; `render` decides how they look.

A pass reports to a `Sink` and continues; an author's fault never raises an exception.

    E0207 outspeed.rules:31:18  no zone named `discrad`       Diagnostic(code, message, primary, labels, help)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang.diagnostics.suggest import suggest
from rulelang.source import Span

MOST_HINTS = 50
"""The number of misspelt names, in one run, for which a near name is looked for."""


@attrs.frozen
class Label:
    """A remark on a stretch of source."""

    span: Span
    text: str


@attrs.frozen
class Diagnostic:
    """One fault: its code in the registry, a message, its place, related places, and a hint.

    `code` is "E0207"; codes beginning with W warn. `message` is one phrase, lower case, without a full stop, that must
    make sense alone. `primary` is the fault's place with a remark (may be empty). `fix` is the text to put in place of
    the primary span, if it is certain.
    """

    code: str
    message: str
    primary: Label
    labels: tuple[Label, ...] = ()
    help: str | None = None
    fix: str | None = None

    @property
    def is_error(self) -> bool:
        return not self.code.startswith("W")

    @property
    def span(self) -> Span:
        return self.primary.span


@attrs.define(eq=False, repr=False)
class Sink:
    """Collects the diagnostics that the passes report.

    >>> from rulelang.source import NOWHERE
    >>> sink = Sink()
    >>> sink.report("E0201", "nothing here is named `x`", NOWHERE)
    >>> sink.has_errors
    True
    """

    found: list[Diagnostic] = attrs.field(factory=list)
    hints: int = 0
    """The number of calls of `near` so far."""

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        remark: str = "",
        *,
        labels: tuple[Label, ...] = (),
        help: str | None = None,
        fix: str | None = None,
    ) -> None:
        """Notes one fault."""
        self.found.append(Diagnostic(code, message, Label(span, remark), labels, help, fix))

    def extend(self, others: tuple[Diagnostic, ...] | list[Diagnostic]) -> None:
        self.found.extend(others)

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        """Returns the name that a misspelt one most likely stands
        for; None if no name is near, or after `MOST_HINTS` calls.
        """
        self.hints += 1
        return suggest(word, candidates) if self.hints <= MOST_HINTS else None

    @property
    def has_errors(self) -> bool:
        return any(d.is_error for d in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.sorted())

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Returns the diagnostics without duplicates, sorted by file, place and code."""
        seen: dict[tuple[str, int, str, str], Diagnostic] = {}
        for d in self.found:
            seen.setdefault((d.span.source.name, d.span.start, d.code, d.message), d)
        return tuple(seen[key] for key in sorted(seen))
