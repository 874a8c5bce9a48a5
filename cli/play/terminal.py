"""A table in a terminal: people are asked, bots' choices are told, and the ending is printed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import attrs
from rich.console import Console

from rulelang.errors import LogError, RuntimeRules
from rulelang.knowledge.phrase import spliced
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.screens.ending import ending
from rulelang.screens.picture import picture
from rulelang.session.after import shelf
from rulelang.session.news import PACE
from rulelang.session.table import GameTable

from ..exits import Refused
from ..logbook import counted
from ..progress_message import waiting
from ..screen import draw, narrate, tell
from ..screen.styles import Styles
from .countdown import is_hurried
from .person import Person
from .unanswered import HasAnswered, Left, TakenBack

AFTER = 11
"""The rows below the last screen: the ending, and what may come after it."""


@attrs.define
class Terminal:
    """A table, and the terminal at which it is played."""

    table: GameTable
    console: Console
    fast: bool = False
    at_most: int | None = None
    """The number of choices after which the game stops; by default, bots alone stop after MOST_CHOICES."""
    is_hurried: bool = False
    """Whether a person who watches has pressed Enter, so that the rest is told at once."""
    now: Callable[[], float] | None = None
    """The time in seconds, if clocks run for people."""
    person: Person = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.person = Person(self.console, self.table, self.now)

    @property
    def styles(self) -> Styles:
        """The colours of this table."""
        return Styles.of_match(self.table.match)

    def play(self) -> None:
        """Plays to the end. Raises Left if a person leaves, and Refused if the rules fail."""
        most = self.at_most or (None if self.table.people else MOST_CHOICES)
        try:
            for made in itertools.count():
                if (seat := self.table.asked) is None:
                    return
                if made == most:
                    raise Left(f"{counted(made)} made (--at-most sets how many)")
                try:
                    self._one(seat)
                except (HasAnswered, TakenBack):
                    continue
        except KeyboardInterrupt:
            raise Left("interrupted", is_interrupted=True) from None
        except RuntimeRules as error:
            raise Refused(f"{self.table.fault_said(error)}\n{self.keep()}") from None
        except LogError as error:
            raise Refused(f"{error}\nAll before this choice is kept. {self.keep()}") from None

    def _one(self, seat: int) -> None:
        """Has the occupant of a seat choose, and plays the choice."""
        if self.table.is_bot(seat):
            with waiting(f"{self.table.match.seat_names[seat]} thinks"):
                option = self.table.bot_option()
            self.table.take(option)
        else:
            self.table.take(*self.person.choose(seat))
        if not self.table.people and not self.fast:
            self._watch()

    def close(self) -> None:
        """Closes the log; raises Refused if it cannot be written to the disk."""
        try:
            self.table.close()
        except LogError as error:
            raise Refused(str(error)) from None

    def _watch(self) -> None:
        """Prints the choices of bots as a spectator sees them; on a terminal line by line, at a readable pace."""
        for line in narrate(self.table.audience.news(None), self.styles, self.person.spoken_of):
            if self.console.is_terminal:
                self.console.print(line, no_wrap=True, overflow="ellipsis")
                self.is_hurried = self.is_hurried or is_hurried(PACE)
            else:
                tell(self.console, [line])

    def keep(self) -> str:
        """Makes sure that the game is on the disk; returns a sentence
        on its file: its log, else one in the user's folder."""
        from platformdirs import user_state_path

        table = self.table
        try:
            path = table.keep(user_state_path("rulelang"))
        except (OSError, LogError) as error:
            return str(error) if table.log is not None else f"The game could not be kept: {error}"
        where = f"The log is {path}" if table.log is not None else "The game so far is kept"
        return f"{where}; go on with: rulelang play {table.name} --resume {path}"

    # -------------------------------------------------------------- the end

    def finish(self) -> None:
        """Prints the outcome of the game."""
        match, people = self.table.match, self.table.people
        seat = people[0] if len(people) == 1 else None
        if seat is not None:
            self.person.tell(seat)
        if not self.fast or people:
            rows = self.console.height - AFTER if self.console.is_terminal and people else None
            self.console.print(draw(picture(match, seat), self.styles, self.console, rows))
        self.tell_ending()

    def tell_ending(self) -> None:
        """Prints who has won, why, and the places, if the game is over."""
        people = self.table.people
        end = ending(self.table.match, people[0] if len(people) == 1 else None)
        if end is None:
            return
        line = self.styles(spliced((end.who, ".")), "bold")
        if end.why:
            line.append_text(self.styles(spliced((" ", _sentence(end.why)))))
        self.console.print(line)
        if end.places:
            self.console.print(self.styles(end.places))

    def shelve(self) -> Path | None:
        """Keeps a finished game; returns its log, None if bots alone have played without one, or it could not be kept.

        Raises Refused if the log cannot be written.
        """
        from platformdirs import user_data_path

        if self.table.log is not None or not self.table.people:
            self.close()
            return self.table.log
        try:
            return shelf.keep(self.table, user_data_path("rulelang") / "games")
        except (OSError, LogError) as error:
            self.console.print(self.styles(f"The game could not be kept: {error}", "yellow"))
            return None


def _sentence(text: str) -> str:
    """Returns a reason as a sentence, with its full stop in front of the clauses that it cites."""
    words, bracket, cited = text.partition(" [")
    return f"{words.rstrip('.')}.{bracket}{cited}"
