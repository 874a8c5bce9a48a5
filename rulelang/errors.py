"""What callers may catch.

RulelangError
  RulesError        the rules are faulty: `.diagnostics` says where and why
  IllegalOption     a known option that a `needs` refuses: `.message`, `.clauses`
  UnknownOption     an answer that names nothing on offer
  Uncountable       more sets than can be tried one by one, as `needs` would have it
  InvalidInput      a seed, a seat, a time, … that no match can take
  LogError          a log that cannot be read or written
    LogInUse        another process writes it
    SeveralLogs     one log was asked for, and the file holds several
    DamagedLog      it was changed, or lines are missing: `.line`, and what is whole before it
  ReplayMismatch    a log does not agree with what the rules do: `.line`, both sides
  RuntimeRules      the rules went wrong while running: `.rule`, `.place`
    RangeViolation    a number left its range, a zone its capacity
    RunawayRules      a loop that does not end
    NoOption          somebody must choose and has nothing to choose from
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.diagnostics.model import Diagnostic
    from rulelang.source import Span


class RulelangError(Exception):
    """Anything rulelang refuses."""


class RulesError(RulelangError):
    """The rules cannot be run; `diagnostics` holds every fault found."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        errors = [d for d in diagnostics if d.is_error]
        first = f"{errors[0].span.place}: {errors[0].code} {errors[0].message}" if errors else "no rules"
        super().__init__(first + (f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""))


class IllegalOption(RulelangError):
    """A rule forbids it: `message` is the rule's own words, `clauses` what it cites."""

    def __init__(self, message: str, clauses: tuple[str, ...] = (), span: Span | None = None) -> None:
        self.message, self.clauses, self.span = message, clauses, span
        super().__init__(message + (f" [{', '.join(clauses)}]" if clauses else ""))


class UnknownOption(RulelangError):
    """Nothing on offer is called that."""


class Uncountable(RulelangError):
    """There are too many sets for a `needs` to be tried on each: nobody can say how many options there are."""


class InvalidInput(RulelangError):
    """What no match can take: a seed that is no number or text, a seat that is not there, a time that is no number."""


class ReplayMismatch(RulelangError):
    """A log says one thing and the rules another, first at `line` (1-based) of the log."""

    def __init__(self, line: int, logged: str, played: str) -> None:
        self.line, self.logged, self.played = line, logged, played
        super().__init__(f"line {line}: the log has {logged}, the rules give {played}")


class LogError(RulelangError):
    """A log that cannot be read (not a log, edited, from the future) or written (the disk is full, a line too long)."""


class LogInUse(LogError):
    """A log that another process is writing; it can be read meanwhile."""


class SeveralLogs(LogError):
    """A file that holds several logs, where one was asked for."""


class DamagedLog(LogError):
    """A log that is whole only up to some line; `saved` are the choices that can be saved, `size` the bytes they take."""

    def __init__(self, message: str, line: int, saved: int, size: int) -> None:
        self.line, self.saved, self.size = line, saved, size
        super().__init__(message)


class RuntimeRules(RulelangError):
    """The rules went wrong while they ran; `site` is the id of the line in `Game.sites`."""

    def __init__(self, message: str, site: int = 0) -> None:
        self.message, self.site = message, site
        super().__init__(message)


class RangeViolation(RuntimeRules):
    """A number left its declared range, a zone its capacity, a slot its one thing."""


class RunawayRules(RuntimeRules):
    """A loop, a recursion or a round of whenever-rules did not come to an end."""


class NoOption(RuntimeRules):
    """A choice that must be made has no option."""
