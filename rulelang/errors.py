"""The exceptions that callers may catch.

RulelangError
  RulesError        the rules are faulty: `.diagnostics` says where and why
  IllegalOption     a known option that a rule refuses: `.message`, `.clauses`, `.span`
  UnknownOption     an answer that names nothing on offer
  Uncountable       too many sets to try a `needs` on each
  Unsupported       machine code cannot do what these rules need yet
  InvalidInput      a seed, seat, time or other argument that a match does not accept
  LogError          a log that cannot be read or written
    LogInUse        another process is writing it
    SeveralLogs     one log was asked for, and the file holds several
    DamagedLog      it was edited, or lines are missing: `.line`, and the size of the intact part before it
    ReplayMismatch    a log disagrees with the rules: `.line`, `.logged`, `.played`
    RuntimeRules      the rules went wrong while running: `.message`, `.site`
    RangeViolation    a number left its range, a zone its capacity
    RunawayRules      a loop that does not end
    NoOption          a choice that must be made has no option
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.diagnostics.model import Diagnostic
    from rulelang.source import Span


class RulelangError(Exception):
    """The base class of everything rulelang raises."""


class RulesError(RulelangError):
    """The rules cannot be run; `diagnostics` holds every fault found."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        errors = [d for d in diagnostics if d.is_error]
        first = f"{errors[0].span.place}: {errors[0].code} {errors[0].message}" if errors else "no rules"
        super().__init__(first + (f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""))


class IllegalOption(RulelangError):
    """A rule refuses this option: `message` is the rule's own wording, `clauses` are those it cites."""

    def __init__(self, message: str, clauses: tuple[str, ...] = (), span: Span | None = None) -> None:
        self.message, self.clauses, self.span = message, clauses, span
        super().__init__(message + (f" [{', '.join(clauses)}]" if clauses else ""))


class UnknownOption(RulelangError):
    """No option on offer has that name."""


class Uncountable(RulelangError):
    """Too many sets to try a `needs` on each, so the options cannot be counted."""


class Unsupported(RulelangError):
    """A game has something that the low-level IR cannot say yet; the message names it."""


class InvalidInput(RulelangError):
    """An argument that a match does not accept: a seed, seat or time of the wrong type, or out of range."""


class ReplayMismatch(RulelangError):
    """A log disagrees with the rules, first at `line` (1-based) of the log."""

    def __init__(self, line: int, logged: str, played: str) -> None:
        self.line, self.logged, self.played = line, logged, played
        super().__init__(f"line {line}: the log has {logged}, the rules give {played}")


class LogError(RulelangError):
    """A log cannot be read (not a log, edited, from a newer version) or written (the disk is full, a line is too long)."""


class LogInUse(LogError):
    """Another process is writing the log; it can still be read."""


class SeveralLogs(LogError):
    """One log was asked for, and the file holds several."""


class DamagedLog(LogError):
    """A log that is intact only up to `line`; its first `size` bytes hold `saved` choices, which can be recovered."""

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
    """A loop, a recursion or a round of `whenever` rules did not end."""


class NoOption(RuntimeRules):
    """A choice that must be made has no option."""
