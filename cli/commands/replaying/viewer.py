"""The state of stepping through a log, changed by keys: a terminal shows it, and tests press keys on it.

viewer.press("down"); viewer.press("/"); viewer.type("nitro"); viewer.press("enter")
viewer.playback.step
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

import attrs

from rulelang.errors import RulelangError

if TYPE_CHECKING:
    from rulelang.workbench.playback import Looker, Playback

Why = Callable[["Playback", str], list[str]]
"""A function that answers a question about the present step, in lines."""

HELP = """\
↑ ↓, k j       the step before, the next        PgUp PgDn  ten steps
Home End, f l  the first, the last              g          to a step by number
[ ]            the phase before, the next       < >        scroll what is below
r c s /        the next event of a rule, of a clause, of a seat, with a text
n N            the next one, the one before, of what was looked for last
e              other eyes: a spectator's, each seat's, all-seeing
u              show what was undone too         t          the log's next line
w              why: an event's number, a variable, or an option (red: take(3))
o              play on from here, as a line of its own
q              quit"""


class Inquiry(Enum):
    """The prompt at the foot of the screen."""

    STEP = "to step:"
    RULE = "the next event of the rule:"
    CLAUSE = "the next event that cites:"
    SEAT = "the next event of the seat:"
    TEXT = "the next event with:"
    WHY = "why (an event's number, a variable, red: take(3)):"
    WHO = "who plays on? (red=me blue=greedy; Enter: as before)"

    @property
    def words(self) -> str:
        """The words of the prompt."""
        return self.value


@attrs.frozen
class PlayOn:
    """A request to play on from a step, with the words for the seats, such as `red=me`."""

    step: int
    seats: tuple[str, ...]


ASKED = {
    "g": Inquiry.STEP,
    "r": Inquiry.RULE,
    "c": Inquiry.CLAUSE,
    "s": Inquiry.SEAT,
    "/": Inquiry.TEXT,
    "w": Inquiry.WHY,
    "o": Inquiry.WHO,
}
KINDS = {Inquiry.RULE: "rule", Inquiry.CLAUSE: "clause", Inquiry.SEAT: "seat", Inquiry.TEXT: "text"}
MOVES = {"down": 1, "j": 1, "right": 1, "up": -1, "k": -1, "left": -1, "pagedown": 10, "pageup": -10}
TENTH = 5
"""The number of rows by which the lower part is scrolled."""


@attrs.define
class Viewer:
    """A playback, the prompt at the foot, and the last search."""

    playback: Playback
    why: Why
    lookers: tuple[Looker, ...]
    asking: Inquiry | None = None
    typed: str = ""
    message: str = ""
    answer: tuple[str, ...] = ()
    """The lines shown instead of the board: help, or a reason."""
    scroll: int = 0
    sought: tuple[str, str] | None = None
    """The last search: its criterion and its text."""
    play_on: PlayOn | None = None
    is_over: bool = False

    def type(self, text: str) -> None:
        """Types a text, key by key."""
        for key in text:
            self.press(key)

    def press(self, key: str) -> None:
        """Handles a key: a character, or up, down, left, right,
        pageup, pagedown, home, end, enter, escape, backspace."""
        self.message = ""
        if self.asking is not None:
            self._edit(key)
            return
        if key in ("<", ">"):
            self.scroll = max(self.scroll + (TENTH if key == ">" else -TENTH), 0)
            return
        if self.answer:
            self.answer, self.scroll = (), 0
            if key in ("escape", "enter", "q"):
                return
        try:
            self._do(key)
        except RulelangError as error:
            self.message = str(error)

    def _do(self, key: str) -> None:
        playback = self.playback
        if key in MOVES:
            self._moved(lambda: playback.forward(MOVES[key]))
        elif key in ASKED:
            self.asking, self.typed = ASKED[key], ""
        elif key in ("home", "f", "end", "l"):
            self._moved(lambda: playback.go(0 if key in ("home", "f") else playback.last))
        elif key in ("[", "]"):
            if not playback.to_phase(1 if key == "]" else -1):
                self.message = f"no phase begins {'after' if key == ']' else 'before'} this step"
            self.scroll = 0
        elif key in ("n", "N"):
            self._seek(1 if key == "n" else -1)
        elif key == "e":
            at = self.lookers.index(playback.looker)
            playback.looker = self.lookers[(at + 1) % len(self.lookers)]
        elif key == "u":
            playback.with_undone = not playback.with_undone
            playback.go(playback.step)
        elif key == "t":
            self._next_line()
        elif key in ("?", "h"):
            self.answer = tuple(HELP.splitlines())
        elif key in ("q", "escape"):
            self.is_over = True

    def _moved(self, move: Callable[[], None]) -> None:
        move()
        self.scroll = 0

    def _next_line(self) -> None:
        """Shows the next of the log's lines, and after the last the one that stands."""
        playback = self.playback
        lines = playback.tree.lines
        number = 1 if playback.line is None else playback.line + 1
        playback.line = number if number <= lines and lines > 1 else None
        self.message = "there is one line in this log" if lines == 1 else ""
        playback.go(playback.step)

    def _seek(self, direction: int) -> None:
        if self.sought is None:
            self.message = "nothing was looked for yet: / r c s"
        elif not self.playback.to_event(*self.sought, direction):
            self.message = f"no {self.sought[0]} {self.sought[1]!r} {'after' if direction > 0 else 'before'} this step"
        self.scroll = 0

    def _edit(self, key: str) -> None:
        """Handles a key for the prompt at the foot of the screen."""
        if key == "escape":
            self.asking = None
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            asked, self.asking = self.asking, None
            assert asked is not None
            try:
                self._answered(asked, self.typed.strip())
            except RulelangError as error:
                self.message = str(error)
        elif len(key) == 1 and key.isprintable():
            self.typed += key

    def _answered(self, asked: Inquiry, text: str) -> None:
        match asked:
            case Inquiry.STEP if text.isascii() and text.isdigit() and len(text) < 10:
                self.playback.go(int(text))
                self.scroll = 0
            case Inquiry.STEP:
                self.message = f"a step is a number, not {text!r}" if text else ""
            case Inquiry.WHY:
                self.answer, self.scroll = tuple(self.why(self.playback, text)) if text else (), 0
            case Inquiry.WHO:
                self.play_on, self.is_over = PlayOn(self.playback.step, tuple(text.split())), True
            case _ if text:
                self.sought = KINDS[asked], text
                self._seek(1)
            case _:  # an empty text is not searched for
                pass
