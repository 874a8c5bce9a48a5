"""The keyboard of a terminal -> typed lines, with editing, history and completion.

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
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent


@attrs.define
class Keyboard:
    """The keyboard, with the history of the lines of this game."""

    _session: PromptSession[str] | None = None

    def line(self, prompt: str, words: tuple[str, ...] = ()) -> str:
        """Returns a line typed after a prompt, which can be completed from words. Raises whatever `input` raises.

        Ctrl-C first clears what is typed.
        """
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.history import InMemoryHistory

        if self._session is None:
            # The query for the cursor's position would leave stray input on terminals that do not support it.
            os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
            self._session = PromptSession(
                history=InMemoryHistory(), complete_while_typing=False, key_bindings=_clearing()
            )
        completer = WordCompleter(list(dict.fromkeys(words)), ignore_case=True, sentence=True)
        return self._session.prompt(prompt, completer=completer)

    @property
    def can_edit(self) -> bool:
        """Returns whether input and output are a terminal that can move its cursor."""
        is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        return is_terminal and os.environ.get("TERM", "dumb") != "dumb" and find_spec("prompt_toolkit") is not None


def _clearing() -> KeyBindings:
    """Returns the binding of Ctrl-C: it clears a line that has text, and interrupts on an empty one."""
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("c-c")
    def _(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt)

    return bindings
