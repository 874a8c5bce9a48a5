"""Exit codes of commands: 0 success, 1 a failed check, 2 wrong
use (click's own), 3 an unreadable file, 130 interrupted.
"""

from __future__ import annotations

import click

NOT_SO = 1
UNREADABLE = 3
INTERRUPTED = 130
"""The exit code that shells report for a program ended by Ctrl-C: 128 plus the signal's number."""


class Refused(click.ClickException):
    """Raised to end a command with exit code 1: the answer to its question is no."""

    exit_code = NOT_SO

    def format_message(self) -> str:
        """Returns the message without control characters that a terminal would obey."""
        from rulelang.diagnostics.render import escaped

        return "\n".join(escaped(line) for line in self.message.splitlines())


class Unreadable(Refused):
    """Raised to end a command with exit code 3: a file or a log cannot be read."""

    exit_code = UNREADABLE
