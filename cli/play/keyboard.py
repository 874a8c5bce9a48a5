"""A line that somebody types at a terminal, with editing, history and completion.

Keyboard().line("red> ", ("Take the left route", "pass"))      Tab completes, arrows go back to earlier lines
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession


@attrs.define
class Keyboard:
    """The keyboard: reads typed lines, and remembers those of this game."""

    _session: PromptSession[str] | None = None

    def line(self, prompt: str, words: tuple[str, ...] = ()) -> str:
        """Returns a line that is typed behind a prompt, which may be completed from words. Raises what `input` raises."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.history import InMemoryHistory

        if self._session is None:
            # Asking a terminal where its cursor is leaves an answer in the input of those that do not know the question.
            os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
            self._session = PromptSession(history=InMemoryHistory(), complete_while_typing=False)
        completer = WordCompleter(list(dict.fromkeys(words)), ignore_case=True, sentence=True)
        return self._session.prompt(prompt, completer=completer)

    @property
    def can_edit(self) -> bool:
        """Returns whether somebody types at a terminal that can move its cursor."""
        is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        return is_terminal and os.environ.get("TERM", "dumb") != "dumb" and find_spec("prompt_toolkit") is not None
