"""The table: a match, who sits at it, and the log that is kept; plays on until it is over or everybody leaves."""

from __future__ import annotations

import contextlib
import errno
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
from rich.console import Console

from rulelang.api import Game
from rulelang.errors import IllegalOption, LogError, RuntimeRules
from rulelang.lab.rng import Luck
from rulelang.lab.seat_view import SeatView
from rulelang.log.file import LogFile
from rulelang.log.format import Header, Log, LogWriter
from rulelang.match.match import Match
from rulelang.match.recording.events import Taken
from rulelang.screens.picture import picture

from ..exits import Refused
from ..screen import draw, narrate
from ..screen.styles import QUIET, Ink
from ..seats import Seats
from .person import Left, Person, TakenBack

PACE = 0.3
"""Seconds from line to line, when bots play among themselves on a terminal."""


@attrs.define
class Table:
    """One game being played here."""

    game: Game
    name: str
    """The game as the command line has it: enough to find it again."""
    match: Match
    header: Header
    seats: Seats
    console: Console
    log: Path | None = None
    """Where the log is written as the game goes, if it is."""
    writer: LogWriter | None = None
    fast: bool = False
    allow_undo: bool = False
    person: Person = attrs.field(init=False)
    _told: int = 0

    def __attrs_post_init__(self) -> None:
        people = tuple(seat for seat, bot in enumerate(self.seats) if bot is None)
        self.person = Person(self.console, self.match, people, self.save, self.take_back)

    @property
    def ink(self) -> Ink:
        """The colours of this table."""
        return Ink.of_match(self.match)

    def play(self) -> None:
        """Plays on to the end. Raises Left when a person does, and Refused when the rules themselves go wrong."""
        try:
            while self.match.to_move:
                try:
                    self._one()
                except TakenBack:
                    continue
        except KeyboardInterrupt:
            raise Left("interrupted", is_interrupted=True) from None
        except RuntimeRules as error:
            site = self.game.ir.sites[error.site] if 0 < error.site < len(self.game.ir.sites) else None
            place = f" ({site.span.place})" if site else ""
            raise Refused(f"the rules went wrong: {error}{place}\n{self.keep()}") from None
        except LogError as error:
            raise Refused(f"{error}\nAll before this choice is kept. {self.keep()}") from None

    def _one(self) -> None:
        """One choice by somebody."""
        seat = self.match.to_move[0]
        bot, elapsed = self.seats[seat], None
        if bot is None:
            option, elapsed = self.person.choose(seat)
        else:
            # Luck that depends on where the game is, not on what came before: a game that is resumed goes on the same way.
            luck = Luck(str(self.header.seed), "bot", seat, self.match.inputs)
            option = bot.choose(SeatView(self.match, seat, luck))
        self.match.push(option, elapsed=elapsed)
        if bot is None:
            self._sync()
        if not self.person.people and not self.fast:
            self._watch()

    def _sync(self) -> None:
        """Has the log put on the disk: what a person chose is not lost, whatever happens next. Raises LogError."""
        if self.writer is not None:
            self.writer.sync()

    def close(self) -> None:
        """Ends the log; raises Refused where it cannot be put on the disk."""
        if self.writer is not None:
            try:
                self.writer.close()
            except LogError as error:
                raise Refused(str(error)) from None

    def _watch(self) -> None:
        """Bots among themselves: tells what happens, as a spectator sees it; on a terminal line by line, at a pace to follow."""
        for line in narrate(self.match.events_for(None, self._told), self.ink, self.person.spoken_of):
            if self.console.is_terminal:
                self.console.print(line, no_wrap=True, overflow="ellipsis")
                time.sleep(PACE)
            else:
                self.console.print(line)
        self._told = self.match.event_count

    @property
    def has_begun(self) -> bool:
        """Returns whether a person has chosen anything: whether there is something to lose."""
        return any(isinstance(entry, Taken) and self.seats[entry.seat] is None for entry in self.match.journal)

    # -------------------------------------------------------------- what a person may ask for

    def save(self, name: str) -> Path:
        """Writes the game so far to a new file, and returns it: the one named, else any here. Raises OSError, LogError."""
        return self._saved([Path(name)] if name else self._names(Path()))

    def _saved(self, paths: Iterable[Path]) -> Path:
        """Writes the game to the first of some paths where there is no file; raises FileExistsError where all have one."""
        log = Log.of(self.header, self.match)
        path = Path()
        for path in paths:
            with contextlib.suppress(FileExistsError):
                log.save(path)
                return path
        raise FileExistsError(errno.EEXIST, "there is a file of that name already; nothing is overwritten", str(path))

    def _names(self, folder: Path) -> Iterator[Path]:
        stem = "+".join((self.game.id, *self.game.variants)) + f"-{self.header.seed}"
        yield folder / f"{stem}.jsonl"
        for number in range(2, 10_000):
            yield folder / f"{stem}-{number}.jsonl"

    def take_back(self, seat: int) -> None:
        """Undoes a seat's last choice, through bots and dice. Raises IllegalOption where that would be unfair."""
        if not self.allow_undo and len(self.person.people) > 1:
            raise IllegalOption("several people play here: taking back needs --allow-undo")
        before = self.match.fork()
        before.undo(seat)
        if not self.allow_undo and has_learnt(before, self.match, seat):
            raise IllegalOption("you have seen hidden things since then: taking back needs --allow-undo")
        self.match.undo(seat)
        self._sync()

    def keep(self) -> str:
        """Makes sure that nothing is lost, and says where the game is: its log, else a file among the user's own."""
        if self.log is not None:
            try:
                self.close()
            except Refused as error:
                return error.message
            return f"The log is {self.log}; go on with: rulelang play {self.name} --resume {self.log}"
        from platformdirs import user_state_path

        folder = user_state_path("rulelang")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = self._saved(self._names(folder))
        except (OSError, LogError) as error:
            return f"The game could not be kept: {error}"
        return f"The game so far is kept; go on with: rulelang play {self.name} --resume {path}"

    # -------------------------------------------------------------- the end

    def finish(self) -> None:
        """Says how the game ended."""
        seat = self.person.people[0] if len(self.person.people) == 1 else None
        outcome = self.match.outcome_for(seat)
        if seat is not None:
            self.person.tell(seat)
        if not self.fast or self.person.people:
            self.console.print(draw(picture(self.match, seat), self.ink, self.console))
        if outcome is None:
            return
        names = self.match.seat_names
        match outcome.kind:
            case "winner":
                who = " and ".join(names[s] for s in outcome.winners) or "nobody"
                text = f"{who} {'win' if len(outcome.winners) > 1 else 'wins'}"
                if 1 < len(outcome.winners) == len(names):
                    text = f"A draw: {who}"
            case "ranking":
                groups = (" and ".join(names[s] for s in group) for group in outcome.ranking)
                text = "   ".join(f"{place}. {group}" for place, group in enumerate(groups, start=1))
            case "score":
                text = f"The game ends with a score of {', '.join(str(n) for n in outcome.scores)}"
            case _:
                text = "The game is lost" if self.match.players == 1 else "The game ends, and nobody wins"
        line = self.ink(text, "bold")
        line.append(f"  ({outcome.rule}{_cited(outcome.clauses)})", QUIET)
        self.console.print(line)
        if outcome.kind in ("winner", "ranking") and outcome.scores:
            scores = "   ".join(f"{name} {n}" for name, n in zip(names, outcome.scores, strict=False))
            self.console.print(self.ink(f"worth to bots  {scores}", QUIET))


def _cited(clauses: tuple[str, ...]) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""


def has_learnt(before: Match, now: Match, seat: int) -> bool:
    """Returns whether a seat has come to know something hidden since: a thing's face, or what others chose in
    secret."""
    was_sealed = before.choice is not None and before.choice.sealed
    if was_sealed and not now.position.seal.answers and len(before.to_move) + len(before.position.seal.answers) > 1:
        return True
    old, new = before.eyes(seat), now.eyes(seat)
    return any(
        new.thing(kind.id, thing) is not None and old.thing(kind.id, thing) is None
        for kind in now.game.kinds
        if kind.movable
        for thing in range(kind.size)
    )


def new_log(path: Path, header: Header, match: Match) -> LogWriter:
    """Begins the log of a match, and has it hear of what comes; refuses to write over a file that is there."""
    try:
        file = LogFile.create(path)
    except FileExistsError:
        raise Refused(f"{path} exists already; nothing is overwritten (--resume goes on with a log)") from None
    try:
        writer = LogWriter(file, header)
        for entry in match.journal:
            writer(entry)
        writer.sync()
    except LogError:
        file.discard()
        raise
    match.listen(writer)
    return writer
