"""A game and the occupants of its seats -> a table: one choice
after another, with a log, until the game is over or left.

table = begin(game, "nim", 2, seats, seed=7)
while table.asked is not None:
    table.take(table.bot_option()) if table.is_bot(table.asked) else ...
"""

from __future__ import annotations

import contextlib
import errno
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import attrs

from rulelang.api import Game
from rulelang.errors import IllegalOption, InvalidInput, LogError, RuntimeRules
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.numbers import Seat
from rulelang.knowledge.knowledge import BOX
from rulelang.lab.bots import Bot, bot, looks_ahead
from rulelang.lab.seat_view import SeatView
from rulelang.log.file import LogFile
from rulelang.log.format import Header, Log, LogWriter, entries_for
from rulelang.log.recorded import Recorded
from rulelang.log.replay import Replay, resume
from rulelang.log.tree import tree_of
from rulelang.machines.executors import AUTO
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.options.standing import StandingAnswer
from rulelang.match.recording.events import AnsweredBy, Taken
from rulelang.playouts.rng import RandomStream
from rulelang.seed import Seed
from rulelang.session.clock import Timer
from rulelang.session.news import Audience
from rulelang.session.seats import Seats, seated
from rulelang.session.undo import Answered, answered, first_back, look_at_fairness, take_back

HINTS_BY_SCORE, HINTS = "planner", "mcts:200"
"""The bots that give hints: where the rules define a `score`, and where they do not."""


@attrs.define
class GameTable:
    """One game being played."""

    game: Game
    name: str
    """The name by which the game was loaded, which is enough to find it again."""
    match: BareMatch
    header: Header
    seats: Seats
    log: Path | None = None
    """The file to which the log is written during the game, if any."""
    writer: LogWriter | None = None
    allow_undo: bool = False
    thought: dict[int, int] = attrs.field(factory=dict)
    """By clock: the time that people have spent on answers that were taken back, and on the question from which they
    were; the next answer against the clock pays for it."""
    audience: Audience = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.audience = Audience(self.match, tuple(seat for seat, bot in enumerate(self.seats) if bot is None))

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play."""
        return self.audience.people

    @property
    def asked(self) -> int | None:
        """The seat that is to choose next; None when the game is over."""
        return next(iter(self.match.to_move), None)

    def is_bot(self, seat: int) -> bool:
        """Returns whether a bot plays a seat."""
        return self.seats[seat] is not None

    def bot_option(self) -> Option:
        """Returns the option that the asked bot takes.

        Its random numbers depend on the number of inputs, not on
        the bot's past, so a resumed game continues the same way.
        """
        return self._thinking(self.match)()

    def bot_thinking(self) -> Callable[[], Option]:
        """Returns a call in which the asked bot thinks, as in `bot_option`; another thread may make it while this table
        is read and played on."""
        # All that has happened is told here and now, so that the thread has nothing to tell.
        _ = self.match.event_count
        return self._thinking(self.match.fork())

    def _thinking(self, match: BareMatch) -> Callable[[], Option]:
        seat = self.asked
        thinks = None if seat is None else self.seats[seat]
        assert seat is not None
        assert thinks is not None
        return partial(thinks.choose, self._seen(match, Seat(seat)))

    def _seen(self, match: BareMatch, seat: Seat) -> SeatView:
        return SeatView(match, seat, RandomStream(str(self.header.seed), "bot", seat, self.match.inputs))

    def hint(self, seat: Seat) -> Option:
        """Returns the option that a bot would take for a person's seat, from what that seat may see. Raises RuntimeRules."""
        thinks = bot(HINTS_BY_SCORE if self.match.game.score is not None else HINTS)
        found = thinks.choose(self._seen(self.match, seat))
        return self.match.options_of(seat).of_answer(found.answer)

    def take(
        self, option: Option, elapsed: int | None = None, by: AnsweredBy | None = None, *, keeps: bool = True
    ) -> bool:
        """Takes an option, and then the answers that stand; returns whether any of them
        is a person's. Such a choice is on the disk when this returns, unless
        `keeps` is off: then it is once `sync` returns. Raises RuntimeRules, LogError."""
        choice = self.match.choice
        self.match.push(option, elapsed=elapsed, by=by)
        if elapsed is not None and choice is not None and choice.clock is not None:
            self.thought.pop(choice.clock, None)
        is_persons = self._give_standing() or not self.is_bot(option.seat)
        if keeps and is_persons:
            self.sync()
        return is_persons

    def beforehand(self, text: str) -> None:
        """Notes an answer that a person gives from now on, and gives it at once if the seat is asked; see
        `Match.beforehand`. Raises UnknownOption, InvalidInput, RuntimeRules, LogError."""
        self.match.beforehand(text)
        if self._give_standing():
            self.sync()

    def stand_again(self, answers: tuple[StandingAnswer, ...]) -> None:
        """Lets answers stand that stood before the log was reopened,
        and gives those that are due. Raises RuntimeRules, LogError."""
        self.match.stand_again(answers)
        if self._give_standing():
            self.sync()

    def _give_standing(self) -> bool:
        """Takes the answers that stand; returns whether there were any."""
        if not any(map(self.match.standing, self.people)):
            return False
        before = self.match.inputs
        self.match.give_standing()
        return self.match.inputs > before

    def timer(self, now: Callable[[], float]) -> Timer | None:
        """Starts the clock of the pending choice; returns None if it has none."""
        choice = self.match.choice
        spent = 0 if choice is None or choice.clock is None else self.thought.get(choice.clock, 0)
        return Timer.of(self.match, now, spent)

    def take_back(self, seat: int, *, times: int = 1, step: int | None = None, elapsed: int | None = None) -> None:
        """Takes back a seat's last choices, or all after a step of the log, with the bots' answers in between. They
        stay in the log. In a sealed round that still waits, the others' answers stay under seal. A clock gets no time
        back, not even what the question took from which they are taken back (`elapsed`).

        Raises Unfair, IllegalOption.
        """
        to, choice = self._back(seat, times, step), self.match.choice
        if elapsed is not None and choice is not None and choice.clock is not None:
            self.thought[choice.clock] = elapsed
        for clock, spent in take_back(self.match, seat, to):
            self.thought[clock] = self.thought.get(clock, 0) + spent
        self.sync()

    def can_undo(self, seat: int, *, times: int = 1, step: int | None = None) -> bool:
        """Returns whether a seat may take back its last choices, or all after a step of the log."""
        try:
            self._back(seat, times, step)
        except IllegalOption:
            return False
        return True

    def _back(self, seat: int, times: int, step: int | None) -> int:
        """Returns the number of the first input to take back. Raises Unfair, IllegalOption."""
        standing = answered(self.match.journal, self.match.game)
        if step is not None and any(one.private for one in standing):
            told = (one for one in standing if one.seat == seat or not one.private)
            counted = {shown.step: one.step for shown, one in zip(self.steps(seat), told, strict=True)}
            step = {0: 0, **counted}.get(step, -1)
        to = first_back(standing, seat, times=times, step=step).number
        if not self.allow_undo:
            look_at_fairness(self.match, seat, len(self.people), to)
        return to

    def steps(self, seat: int) -> tuple[Answered, ...]:
        """Returns the answers that stand, as a seat may read them."""
        told = entries_for(self.match.journal, seat, self.match.visibility.bit(Seat(seat)))
        return answered((entry for entry, _ in told), self.match.game)

    @property
    def has_begun(self) -> bool:
        """Returns whether a person has chosen anything, so that there is something to lose."""
        return any(isinstance(entry, Taken) and not self.is_bot(entry.seat) for entry in self.match.journal)

    def fault_said(self, fault: RuntimeRules) -> str:
        """Returns a sentence on a fault of the rules for the people here: a message may name secrets, so if the game has
        any, only the line is named. The log has the message."""
        game = self.game.ir
        place = f" ({game.sites[fault.site].span.place})" if 0 < fault.site < len(game.sites) else ""
        if self.hides:
            return f"the rules went wrong{place}: the log says how, with what you may not see"
        return f"the rules went wrong: {fault}{place}"

    @property
    def hides(self) -> bool:
        """Returns whether the game hides anything from anybody who sits here."""
        game = self.game.ir
        hidden = any(not state.scratch and state.visible != "all" for state in game.states)
        hidden |= any(zone.visible != "all" and zone.name != BOX for zone in game.zones)
        return hidden and not self.match.visibility.is_open

    # -------------------------------------------------------------- the log

    def write_to(self, path: Path) -> None:
        """Writes the log to a new file from now on. Raises FileExistsError, LogError."""
        file = LogFile.create(path)
        try:
            writer = LogWriter(file, self.header)
            for entry in self.match.journal:
                writer(entry)
            writer.sync()
        except LogError:
            file.discard()
            raise
        self.match.listen(writer)
        self.log, self.writer = path, writer

    def save(self, name: str) -> Path:
        """Writes the game so far to a new file, and returns it: the one named, else any here. Raises OSError, LogError."""
        return self._saved([Path(name)] if name else self._names(Path()))

    def keep(self, folder: Path) -> Path:
        """Makes sure that the game is on the disk; returns its log, else a new file in a folder.

        Raises OSError, LogError.
        """
        if self.log is not None:
            self.close()
            return self.log
        folder.mkdir(parents=True, exist_ok=True)
        return self._saved(self._names(folder))

    def close(self) -> None:
        """Closes the log. Raises LogError if it cannot be written to the disk."""
        if self.writer is not None:
            self.writer.close()

    def sync(self) -> None:
        """Flushes the log to the disk. Raises LogError."""
        if self.writer is not None:
            self.writer.sync()

    def _saved(self, paths: Iterable[Path]) -> Path:
        """Writes the game to the first of some paths at which no file exists; raises FileExistsError if all exist."""
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


def begin(
    game: Game,
    name: str,
    players: int,
    seats: Seats,
    *,
    seed: Seed = 0,
    agreed: Mapping[str, str] | None = None,
    lone: LoneOptions | None = None,
    given: str | None = None,
) -> GameTable:
    """Sets up a new game for a number of players, with the occupants of their seats; `given` is a position that it begins
    in. Raises whatever `Game.start` raises."""
    # Machine code is compiled for bots that think; people do not wait for Python.
    executor = AUTO if any(map(looks_ahead, seats)) else "generated"
    match = game.start(players, seed, dict(agreed or {}), executor, lone, given)
    bots = tuple((seat, bot.name) for seat, bot in zip(match.seats, seats, strict=True) if bot is not None)
    return GameTable(game, name, match, attrs.evolve(match.header, bots=bots), seats)


def go_on(
    game: Game,
    name: str | None,
    path: Path,
    file: LogFile,
    again: Replay,
    asked: tuple[str, ...],
    step: int | None = None,
    known: Mapping[str, Bot] | None = None,
) -> GameTable:
    """Continues a replayed log with the same seats, bots and dice, unless `asked` (`red=me`) says otherwise.
    `known` are further bots by name.

    With a `step`, continues from the position after it; the other lines of the log stay in it. Raises InvalidInput for
    impossible seats, LogError for a log that cannot be continued.
    """
    header = again.log.header
    bots = tuple(f"{seat}={bot}" for seat, bot in header.bots)
    people = tuple(f"{seat}=me" for seat in header.players if seat not in dict(header.bots))
    seats = seated((*bots, *people, *asked), header.players, game.ir.score is not None, known)
    if any(map(looks_ahead, seats)):
        again.match.internals.think_on(partial(game.internals.with_lone(header.lone).machine, AUTO))
    writer = resume(file, again)
    if step is not None:
        return_to(again, step)
        writer.sync()
    table = GameTable(game, name or "+".join((header.game, *header.variants)), again.match, header, seats, path, writer)
    table.audience.catch_up()
    return table


def return_to(again: Replay, step: int) -> None:
    """Brings the match at the end of a log to the position after
    a step, by taking back the answers that do not lead there

    and repeating those that do.

    Raises InvalidInput if there is no such step.
    """
    match, tree = again.match, tree_of(again.log.steps)
    last = len(again.positions) - 1
    if not 0 <= step <= last:
        raise InvalidInput(f"this log has no step {step}: its last is {last}")
    steps = again.log.steps
    wanted, now = tree.path(max(steps.stands(step), 0)), (0, *(tree.same.get(s, s) for s in steps.standing))
    common = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(wanted, now, strict=False)))
    if common < len(now):
        match.undo(to=steps.input(steps.standing[common - 1]))
    chance = match.internals.drawn_from
    with steps.opened() as log:
        for one in wanted[common:]:
            line = log[one].first
            assert line is not None
            if isinstance(chance, Recorded):
                chance.lead(match.position.row, log[one].rest)
            match.play(
                f"{line.record['seat']}: {line.record['option']}",
                elapsed=line.record.get("elapsed"),
                by=line.record.get("by"),
            )
