"""A log -> its match, replayed input by input up to the end or the first difference.

    again = replay(read_log(path), game, ...)
    again.difference            # None: log and rules agree
    again.at(12)                # the match after step 12 with the events of that step, fast
    again.positions[12].match   # the same with its whole past, and undo

A replay of many inputs keeps only some checkpoints; other positions are replayed on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import overload

import attrs

from rulelang.errors import LogError, RulelangError
from rulelang.ir.model import GameRules
from rulelang.log.bare.run import Glimpses, Unlike, matches, played_bare
from rulelang.log.bare.wording import Phrases
from rulelang.log.checkpoints import Checkpoints
from rulelang.log.fields import NAMED_STREAMS
from rulelang.log.file import LogFile
from rulelang.log.format import LogWriter, Mark
from rulelang.log.player import Difference, NotOfTheSeed, Player, Start
from rulelang.log.reading import ReadLog, parse_log
from rulelang.log.recorded import Recorded
from rulelang.log.steps import NONE, Steps
from rulelang.machines.chance import Seeded
from rulelang.machines.machine import Chance
from rulelang.match.match import BareMatch
from rulelang.program.layout import Layout
from rulelang.program.values import clean

REMEMBERED = 2_000
"""The most inputs of a replay that keeps the match after each of them."""
PUT_OFF = 5_000
"""The same if nothing is compared, and results are computed when they are read."""


@attrs.frozen(eq=False)
class ReplayPosition:
    """The match after the input on a line of the log."""

    line: int
    match: BareMatch


class ReplayPositions(Sequence[ReplayPosition]):
    """The match after each step, with its whole past; for a long log, computed on demand."""

    def __init__(self, steps: Steps, count: int, matches: Iterator[BareMatch]) -> None:
        self._steps, self._count = steps, count
        self._matches = matches
        self._made: list[ReplayPosition] = []

    def __len__(self) -> int:
        return self._count

    def has_made(self, at: int) -> bool:
        """Returns whether the match after a step was computed before."""
        return range(self._count)[at] < len(self._made)

    @overload
    def __getitem__(self, at: int) -> ReplayPosition: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[ReplayPosition, ...]: ...
    def __getitem__(self, at: int | slice) -> ReplayPosition | tuple[ReplayPosition, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(self._count)))
        at = range(self._count)[at]
        while len(self._made) <= at:
            self._made.append(ReplayPosition(self._steps.line(len(self._made)), next(self._matches)))
        return self._made[at]


@attrs.frozen(eq=False)
class Replay:
    """A replayed log. `positions` has one for the set-up and one for each answer or undo."""

    log: ReadLog
    positions: ReplayPositions
    difference: Difference | None
    _checkpoints: Checkpoints | None = None
    _glimpses: Glimpses | None = None

    @property
    def match(self) -> BareMatch:
        """The match as far as log and rules agree; raises LogError if they disagree from the start."""
        if not self.positions:
            raise LogError("these rules lead to another set-up")
        return self.positions[-1].match

    @property
    def choices(self) -> int:
        """The number of choices that agree, those taken back included."""
        steps = self.log.steps
        return sum(steps.before(step) != NONE for step in range(1, len(self.positions)))

    @property
    def keeps_all(self) -> bool:
        """Returns whether the match after each step is kept; otherwise only some are, and the others are replayed."""
        return self._checkpoints is None

    def at(self, step: int) -> BareMatch:
        """Returns the match after a step (0: the set-up), quickly; it may know only the events of that step.

        Raises LogError if the log can no longer be read.
        """
        if self._checkpoints is None:
            return self.positions[step].match
        with self.log.steps.opened() as log:
            return self._checkpoints.at(range(len(self.positions))[step], log).fork()

    def glimpse(self, step: int) -> BareMatch:
        """Returns the match after a step with the events of that
        step alone; faster than `at` if earlier steps are deferred.

        Raises LogError if the log can no longer be read.
        """
        if self._checkpoints is not None:
            return self.at(step)
        if self._glimpses is not None and not self.positions.has_made(step):
            found = self._glimpses.glimpse(range(len(self.positions))[step])
            if found is not None:
                return found
        return self.positions[step].match.internals.glimpse()


def replay(
    log: ReadLog,
    game: GameRules,
    layout: Layout,
    start: Start,
    picks: Mapping[int, int] | None = None,
    *,
    same_text: bool = True,
    compares: bool = True,
    phrases: Phrases | None = None,
    look: Callable[[], None] | None = None,
) -> Replay:
    """Replays a log and compares the results.

    `start` starts the match of the header; `picks` (see `knowledge.secrets`) and `phrases` are the game's. With
    `same_text` false (the rules' words changed), sentences and citations are not compared; with `compares` false,
    nothing is: only an input that cannot be played is a difference. `look` is
    called before each step; whatever it raises ends the replay. Raises LogError for a log of another game, or of one seat.
    """
    header = log.header
    if header.game != game.id:
        raise LogError(f"this is a log of `{clean(header.game)[:40]}`, not of `{game.id}`")
    if header.viewer is not None:
        raise LogError("this log was made for one seat: what others know is not in it, so it cannot be played again")
    if picks is None:
        from rulelang.knowledge.analysis import secrets_of

        picks = secrets_of(game).picks
    is_short = log.inputs <= (REMEMBERED if compares else PUT_OFF)
    if header.seed is not None and is_short and (same_text or not compares):
        try:
            begun = _begun(start, Seeded(header.seed, game, layout))
            chance = Recorded(header.seed, game, layout, picks)
            inputs = played_bare(log, begun, chance, phrases, compares=compares, look=look)
            positions = ReplayPositions(log.steps, len(inputs) + 1, matches(begun, inputs))
            return Replay(log, positions, None, glimpses=Glimpses(begun, inputs, log.steps))
        except Unlike:
            pass
    if not compares and header.seed is not None:
        try:
            return _replayed(
                log, _players(log, game, layout, start, picks, same_text, Seeded(header.seed, game, layout)), look
            )
        except NotOfTheSeed:
            pass
    return _replayed(log, _players(log, game, layout, start, picks, same_text, None, compares), look)


def _begun(start: Start, chance: Chance) -> BareMatch:
    """Starts a match; raises Unlike if that fails."""
    try:
        return start(chance)
    except RulelangError as error:
        raise Unlike from error


def _players(
    log: ReadLog,
    game: GameRules,
    layout: Layout,
    start: Start,
    picks: Mapping[int, int],
    same_text: bool,
    seeded: Seeded | None,
    compares: bool = False,
) -> Callable[[], Player]:
    """Returns a factory of players for a log; a player that draws from the seed alone defers recording its steps."""
    header = log.header

    def player() -> Player:
        chance = Recorded(header.seed, game, layout, picks)
        told = header.format >= NAMED_STREAMS
        return Player(chance, start, same_text, header.players, compares, seeded, tells_undecided=told)

    return player


def _replayed(log: ReadLog, player: Callable[[], Player], look: Callable[[], None] | None) -> Replay:
    steps = log.steps
    if log.inputs <= (REMEMBERED if player().compares else PUT_OFF):
        kept: list[BareMatch] = []
        difference = _play(log, player(), lambda number, match: kept.append(match.fork()), look)
        return Replay(log, ReplayPositions(steps, len(kept), iter(kept)), difference)
    checkpoints = Checkpoints(steps, player().again)
    count, difference = _play_and_forget(log, player(), checkpoints, look)
    return Replay(log, ReplayPositions(steps, count, _played(log, player())), difference, checkpoints)


def _play(
    log: ReadLog, player: Player, heard: Callable[[int, BareMatch], None], look: Callable[[], None] | None
) -> Difference | None:
    """Replays a log to its end or the first difference, which it returns; `heard` gets the match after each step."""
    last = len(log.steps) - 1
    with log.steps.opened() as lines:
        for number in range(last + 1):
            if look is not None:
                look()
            difference = player.take(lines[number], is_last=number == last)
            if difference is not None:
                return difference
            assert player.match is not None
            heard(number, player.match)
    return None


def _play_and_forget(
    log: ReadLog, player: Player, checkpoints: Checkpoints, look: Callable[[], None] | None
) -> tuple[int, Difference | None]:
    """Replays a log with a match that keeps no past; returns
    the number of steps that agree, and the first difference."""
    steps, last = log.steps, len(log.steps) - 1
    with steps.opened() as lines:
        for number in range(last + 1):
            if look is not None:
                look()
            match = player.match
            if match is not None:
                match.forget()
                player.undo = partial(checkpoints.take_back, match, number, log=lines)
            difference = player.take(lines[number], is_last=number == last)
            if difference is not None:
                return number, difference
            assert player.match is not None
            if steps.stands(number) == number:
                checkpoints.keep(number, player.match.fork())
    return last + 1, None


def _played(log: ReadLog, player: Player) -> Iterator[BareMatch]:
    """Yields the match after each step, with its whole past."""
    with log.steps.opened() as lines:
        for number in range(len(log.steps)):
            player.take(lines[number], is_last=True)
            assert player.match is not None
            yield player.match.fork()


def resume(path: str | Path | LogFile, replayed: Replay) -> LogWriter:
    """Returns a writer that continues the log in a file with whatever its match does from now on.

    It drops a partial last line, and writes lines missing from the last step. The log in a file that is already open
    must be the one that was read. Raises ReplayMismatch if log and rules disagree, LogInUse if another process writes
    the log, and LogError if it cannot be written or was changed since it was read.
    """
    if replayed.difference is not None:
        raise replayed.difference.error
    log, match = replayed.log, replayed.match
    file = path if isinstance(path, LogFile) else _reopened(path, log)
    file.truncate(log.size)
    writer = LogWriter(file, log.header, Mark(log.size, len(log.lines) + 1, log.inputs, log.chain.digest))
    for entry in match.journal[len(log.lines) :]:
        writer(entry)
    match.listen(writer)
    return writer


def _reopened(path: str | Path, log: ReadLog) -> LogFile:
    """Reopens a log that was read before, and verifies that it has not changed."""
    file = LogFile.reopen(path)
    with file.reading as there:
        now = parse_log(there, file.path)
    if now.chain.digest != log.chain.digest:
        file.close()
        raise LogError(f"{path} was changed since it was read")
    return file
