"""A person at the terminal: sees the screen and what happened, is asked, and is never punished for a slip of the keys.

    red, which route?
      1  Take the left route
      2  Take the middle route
    red> mid

At every prompt `?`, `undo`, `save`, `log`, `screen`, `back` and `quit` work too. Where a choice runs against a clock, it runs
while the person thinks, unless they sat down without one.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule

from rulelang.errors import IllegalOption, LogError, RulelangError, UnknownOption
from rulelang.machines.offer import MOST
from rulelang.match.match import Match
from rulelang.match.option import Option
from rulelang.match.refused import refused
from rulelang.screens.picture import on_screen, picture

from ..screen import draw, narrate
from ..screen.styles import QUIET, Ink
from .asking import NOTHING, Question, meant, question
from .countdown import Sand, read_line
from .pieces import Pieces

HELP = """\
An answer is its number, its words (their beginnings will do), or the whole of it as the log writes it.
  ?       what you cannot do now, and why
  back    ask me the question before
  screen  draw the screen again
  log     tell what has happened so far
  undo    take back your last choice
  save    save the game: save, or save FILE
  quit    stop (so does the end of the input)"""

MOST_REFUSALS = 40
LONG = 12
"""A list with more entries than this is printed in columns."""
TOLD_AT_FIRST = 40
"""Lines of what happened before somebody's first question."""


class Left(Exception):
    """The person has had enough, or the input ended: `why` says which; `is_interrupted` by Ctrl-C."""

    def __init__(self, why: str, *, is_interrupted: bool = False) -> None:
        self.why, self.is_interrupted = why, is_interrupted
        super().__init__(why)


class TakenBack(Exception):
    """The position is another one now: ask again who is to choose."""


@attrs.define
class Person:
    """Whoever sits at this terminal, for all the seats they play.

    `save` writes the game down and gives where; `take_back` undoes a seat's last choice or raises IllegalOption.
    """

    console: Console
    match: Match
    people: tuple[int, ...]
    """The seats played from here."""
    save: Callable[[str], Path]
    take_back: Callable[[int], None]
    told: dict[int, int] = attrs.field(factory=dict)
    """By seat: how many events it has been told of."""
    looking: int | None = None
    """Whose secrets may be on the screen."""
    now: Callable[[], float] | None = None
    """The time, in seconds, where clocks run for people; None: what an answer takes is what the rules say."""
    spoken_of: frozenset[str] = attrs.field(init=False)
    """The variables that people are told of."""

    def __attrs_post_init__(self) -> None:
        self.spoken_of = on_screen(self.match.game)

    @property
    def ink(self) -> Ink:
        """The colours of this table."""
        return Ink(self.match.seats)

    def choose(self, seat: int) -> tuple[Option, int | None]:
        """Asks for one choice, and gives what it took where a clock ran. Raises Left, and TakenBack after an undo."""
        self._hand_over(seat)
        self.tell(seat)
        self.show(seat)
        choice = self.match.choice
        assert choice is not None
        options = self.match.options_of(seat)
        few = tuple(options.first(MOST + 1))
        trail: list[tuple[Option, ...] | Pieces] = [few]
        if len(few) > MOST:
            trail = [Pieces.begun(self.match.game, choice, options.offer(seat).ways)]
        asked = None
        sand = None if self.now is None else Sand.of(self.match, self.now)
        while True:
            if asked is None:
                last = trail[-1]
                asked = last.question if isinstance(last, Pieces) else question(self.match.game, choice, last)
                self._put(seat, asked)
            text = self._read(f"{self.match.seats[seat]}> ", sand)
            if sand is not None and (text is None or sand.remaining() < 0):
                self.console.print(self.ink(f"The {sand.name} has run out.", "yellow"))
                return few[0], sand.left + 1
            assert text is not None
            if text.casefold() == "back":
                trail, asked = trail[:-1] or trail, None
            elif self._is_command(text, seat):
                asked = None
            elif isinstance(last := trail[-1], Pieces):
                then = self._piece(seat, last, text)
                if isinstance(then, Option):
                    return then, None if sand is None else sand.elapsed()
                if then is not None:
                    trail, asked = [*trail, then], None
            else:
                left = self._meant(seat, asked, few, text)
                if len(left) == 1:
                    return left[0], None if sand is None else sand.elapsed()
                if left:
                    trail, asked = [*trail, left], None

    # -------------------------------------------------------------- showing

    def tell(self, seat: int) -> None:
        """Tells what a seat has seen happen since it was last told."""
        already = min(self.told.get(seat, 0), self.match.event_count)
        lines = list(narrate(self.match.events_for(seat, already), self.match.seats, self.spoken_of))
        if not already and len(lines) > TOLD_AT_FIRST:
            lines = lines[-TOLD_AT_FIRST:]
        for line in lines:
            self.console.print(line)
        self.told[seat] = self.match.event_count

    def show(self, seat: int | None) -> None:
        """Draws the screen as a seat (None: a spectator) sees it."""
        self.console.print(Rule(style=QUIET))
        self.console.print(draw(picture(self.match, seat), self.match.seats, self.console))

    def _hand_over(self, seat: int) -> None:
        """Several people at one terminal: nobody sees the last one's secrets."""
        if len(self.people) > 1 and self.looking not in (None, seat) and self.console.is_terminal:
            self.console.clear()
            self.console.print(
                self.ink(f"It is for {self.match.seats[seat]} to choose. Press Enter when nobody else looks.")
            )
            self._read("")
        self.looking = seat

    def _put(self, seat: int, asked: Question) -> None:
        choice = self.match.choice
        prompt = self.match.prompt(seat) or "What do you do?"
        head = self.ink(f"\n{self.match.seats[seat]}: {prompt}", "bold")
        if len(asked.about) > 1:
            head.append(f"  ({asked.about.replace('_', ' ')})", QUIET)
        if choice is not None and choice.sealed and self.match.players > 1:
            head.append("  (nobody sees it before all have chosen)", QUIET)
        self.console.print(head)
        if asked.members:
            self._list((str(number), name) for number, name in enumerate(asked.members, start=1))
            self.console.print(self.ink(asked.note, QUIET))
            return
        self._list((line.key, line.label) for line in asked.lines)

    def _list(self, entries: Iterable[tuple[str, str]]) -> None:
        """Prints numbered entries, one a line; many of them in columns."""
        lines = [self.ink(f"{key:>4}  {label}") for key, label in entries]
        if len(lines) > LONG:
            self.console.print(Columns(lines, padding=(0, 2), equal=True, column_first=True))
        else:
            for line in lines:
                self.console.print(line)

    # -------------------------------------------------------------- reading

    def _read(self, prompt: str, sand: Sand | None = None) -> str | None:
        """Reads one line, None when the sand has run out; raises Left at the end of the input."""
        try:
            text = read_line(self.console, self.ink, prompt, sand)
        except UnicodeDecodeError:
            return ""
        except EOFError:
            self.console.print()
            raise Left("the input has ended") from None
        except KeyboardInterrupt:
            self.console.print()
            raise Left("interrupted", is_interrupted=True) from None
        if text is not None and not sys.stdin.isatty():
            self.console.print(self.ink(text))
        return None if text is None else text.strip()

    def _meant(self, seat: int, asked: Question, options: tuple[Option, ...], text: str) -> tuple[Option, ...]:
        """Gives the options that an answer leaves; none, and a word why, for what is not understood or not allowed."""
        if not text:
            return ()
        try:
            return meant(asked, text)
        except UnknownOption as error:
            trouble = str(error)
        whole = [option for option in options if option.text.casefold() == text.casefold()]
        if whole:
            return (whole[0],)
        self._refuse(seat, text, trouble)
        return ()

    def _piece(self, seat: int, pieces: Pieces, text: str) -> Pieces | Option | None:
        """Returns what is chosen with one more piece, or with the whole written out; None, and a word why, for neither."""
        if not text:
            return None
        with contextlib.suppress(RulelangError):
            whole = self.match.option(f"{self.match.seats[seat]}: {text}")
            if self.match.why_not(whole) is None:
                return whole
        try:
            then = pieces.meant(text)
        except UnknownOption as error:
            answer = pieces.as_it_stands if text.casefold() in NOTHING else None
            said = text if answer is None else self.match.options_of(seat).of_answer(answer).text
            self._refuse(seat, said, str(error))
            return None
        return self.match.options_of(seat).of_answer(then.answer) if then.is_whole else then

    def _refuse(self, seat: int, text: str, trouble: str) -> None:
        with contextlib.suppress(RulelangError):
            reason = self.match.why_not(self.match.option(f"{self.match.seats[seat]}: {text}"))
            if reason is not None:
                trouble = f"Not now: {reason}"
        self.console.print(
            self.ink(f"{trouble}   (? says what is not allowed and why, help what you can type)", "yellow")
        )

    def _is_command(self, text: str, seat: int) -> bool:
        """Does what a word that is no answer asks for; says whether it was one."""
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "?" | "why":
                self._explain(seat)
            case "help" | "h" if not rest:
                self.console.print(self.ink(HELP))
            case "screen" if not rest:
                self.show(seat)
            case "log" if not rest:
                for line in narrate(self.match.events_for(seat), self.match.seats, self.spoken_of):
                    self.console.print(line)
            case "save":
                self._save(rest.strip())
            case "undo" if not rest:
                self._undo(seat)
            case "quit" | "exit" | "q" if not rest:
                raise Left("")
            case _:
                return False
        return True

    def _explain(self, seat: int) -> None:
        found = list(refused(self.match, seat))
        if not found:
            self.console.print(self.ink("Every rule is content: all that could be chosen here is on the list."))
        for option, reason in found[:MOST_REFUSALS]:
            line = self.ink(f"   –  {option.label}: ", QUIET).append_text(self.ink(reason.message))
            self.console.print(line.append(f"  [{', '.join(reason.clauses)}]" if reason.clauses else "", QUIET))
        if len(found) > MOST_REFUSALS:
            self.console.print(self.ink(f"   –  and {len(found) - MOST_REFUSALS} more", QUIET))

    def _save(self, name: str) -> None:
        try:
            self.console.print(self.ink(f"Saved in {self.save(name)}"))
        except (OSError, LogError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            self.console.print(self.ink(f"It cannot be saved there: {reason or error}", "yellow"))

    def _undo(self, seat: int) -> None:
        try:
            self.take_back(seat)
        except IllegalOption as error:
            self.console.print(self.ink(str(error), "yellow"))
            return
        self.console.print(self.ink("Taken back."))
        raise TakenBack
