"""Words onto a terminal: seats in their colours, control characters as pictures of themselves.

Ink(("red", "ann"))("red and ann")      # "red" in red, "ann" in the first colour that nobody is called
"""

from __future__ import annotations

import re

from rich.text import Text

from ..console import safe

COLOURS = {
    "red": "red",
    "green": "green",
    "blue": "bright_blue",
    "yellow": "yellow",
    "purple": "magenta",
    "orange": "dark_orange",
    "cyan": "cyan",
    "pink": "hot_pink",
    "white": "bold",
    "black": "bright_black",
    "brown": "orange4",
}
"""How seats that are called after a colour look."""
SPARE = ("cyan", "magenta", "yellow", "green", "bright_blue", "red", "dark_orange")
"""For seats with other names, in their order."""
QUIET = "bright_black"
"""For labels, backs and whatever is not the point."""


class Ink:
    """Writes text in which the seats have their colours."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        spare = iter(c for c in SPARE if c not in {COLOURS.get(seat) for seat in seats})
        self.styles = {seat: COLOURS.get(seat) or next(spare, "bold") for seat in seats}
        # What is called after a colour looks so, unless a seat does.
        self.styles = {**COLOURS, **self.styles}
        names = "|".join(re.escape(name) for name in sorted(self.styles, key=len, reverse=True))
        self._names = re.compile(rf"(?<![A-Za-z])(?:{names})(?![A-Za-z])")

    def __call__(self, text: str, style: str = "") -> Text:
        """Gives text that may be printed."""
        written = safe(text, style)
        for found in self._names.finditer(written.plain):
            written.stylize(self.styles[found.group()], *found.span())
        return written

    def of(self, text: str) -> str:
        """Gives the look of the first name in a text, "" if there is none."""
        found = self._names.search(text)
        return self.styles[found.group()] if found else ""
