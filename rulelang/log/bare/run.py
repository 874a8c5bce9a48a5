"""A log -> its answers, replayed on a bare machine as long as everything agrees with the log: fast, without a match.

    again = played_bare(log, match, compares=True)
    again.match_after(12)       # a match, made on demand

Draws come from the seed. If anything is not exactly as in the log (a difference, a fault, another way to write an
answer), `Unlike` is raised; then `log.player` replays the log, and reports the difference in words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat, seats_of
from rulelang.knowledge.redaction import seat_name
from rulelang.log.bare.event_writer import Echo, EchoMark
from rulelang.log.bare.wording import Phrases
from rulelang.log.fields import what_of
from rulelang.log.format import DIGITS, canonical, record_of
from rulelang.log.reading import ReadLog
from rulelang.log.recorded import Recorded
from rulelang.log.steps import EVENT, NONE, LogLine, Steps
from rulelang.machines.chance import Seeded, Watched
from rulelang.machines.generated import SILENT
from rulelang.machines.machine import Answer, Machine, Pending, clock_reading
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.match.deferred_events import Reached
from rulelang.match.match import BareMatch
from rulelang.match.options import answers
from rulelang.match.options.namesakes import parted
from rulelang.match.outcome import outcome_of
from rulelang.match.position import Position
from rulelang.match.recording.events import AnsweredBy

SEAL = len(',"h":""}') + DIGITS
"""The length of the end of a line with a running hash."""

KEPT_FROM = 500
"""The fewest answers of a log whose machines are kept after each: a look into a shorter log plays it again as fast."""


class Unlike(Exception):
    """Raised if a bare machine cannot confirm that everything agrees with the log."""


@attrs.define(unsafe_hash=True)
class PlayedAnswer:
    """An answer of a log, and the reading of a person's clock: a value, not frozen because one is made at each choice."""

    seat: Seat
    answer: Answer
    elapsed: int | None
    by: AnsweredBy | None
    after: Machine | None = attrs.field(repr=False)
    """A copy of the machine after it, in a long log that was not compared."""


@attrs.frozen
class PlayedUndo:
    """The number of an input that a log takes back."""

    to: int


Input: TypeAlias = PlayedAnswer | PlayedUndo


def matches(start: BareMatch, inputs: Sequence[Input]) -> Iterator[BareMatch]:
    """Yields the match at the beginning of a log, and the match after each of its inputs."""
    match = start
    yield match.fork()
    for one in inputs:
        if isinstance(one, PlayedUndo):
            match.undo(to=one.to)
        else:
            choice = match.choice
            assert choice is not None
            match.push(
                answers.on_offer(match.position, ()).option(one.seat, one.answer), elapsed=one.elapsed, by=one.by
            )
        yield match.fork()


class Glimpses:
    """The positions after the answers of a log, as the bare machine came by them, for a look at single steps."""

    def __init__(self, start: BareMatch, inputs: Sequence[Input], steps: Steps) -> None:
        self._start, self._inputs, self._steps = start, inputs, steps
        self._reached: dict[int, Reached] = {0: start.internals.reached}

    def glimpse(self, step: int) -> BareMatch | None:
        """Returns the match after a step, with the events of that step alone; None if it has to be played again for
        that: after an undo, and where a clock was read.
        """
        steps, path, at = self._steps, list[tuple[int, PlayedAnswer, Machine]](), step
        while at not in self._reached:
            one = self._inputs[at - 1]
            if steps.stands(at) != at or isinstance(one, PlayedUndo) or one.after is None or one.elapsed is not None:
                return None
            path.append((at, one, one.after))
            at = steps.before(at)
        reached = self._reached[at]
        for number, one, after in reversed(path):
            reached = self._reached[number] = self._start.internals.reached_from(reached, one.seat, one.answer, after)
        return self._start.internals.glimpse_of(reached)


def played_bare(
    log: ReadLog,
    begun: BareMatch,
    chance: Recorded,
    phrases: Phrases | None,
    *,
    compares: bool,
    look: Callable[[], None] | None = None,
) -> list[Input]:
    """Replays a log on a machine like that of the match `begun`; returns its inputs. Raises Unlike, and whatever `look`
    raises, which is called before each step."""
    header, game = log.header, begun.game
    if header.seed is None or begun.seats != header.players or (compares and begun.visibility.shifting is not None):
        raise Unlike
    if phrases is None or phrases.game is not game:
        phrases = Phrases(game, begun.internals.layout, begun.internals.secrets)
    phrases.shorten()
    player, found = _Player(log, begun, chance, phrases, compares), list[Input]()
    try:
        with log.steps.opened() as lines:
            for step in range(len(log.steps)):
                if look is not None:
                    look()
                found += player.take(step, lines.written(step))
    except (RulelangError, KeyError, ValueError, RecursionError) as error:
        raise Unlike from error
    return found


@attrs.frozen
class _Mark:
    """A machine between two steps, and the state of its echo."""

    machine: Machine
    echo: EchoMark | None


class _Player:
    """Replays the steps of a log on a bare machine. Raises Unlike, and whatever the rules raise."""

    def __init__(self, log: ReadLog, start: BareMatch, chance: Recorded, phrases: Phrases, compares: bool) -> None:
        self.log, self.start, self.game, self.phrases = log, start, start.game, phrases
        self.recorded, self.watched = chance, Watched(Seeded(log.header.seed or 0, start.game, start.internals.layout))
        self.machine = start.internals.unbegun() if compares else start.position.machine.fork()
        self.machine.chance = self.watched
        self.echo = Echo(phrases, self.machine, self.watched, start.players) if compares else None
        self.keeps = not compares and log.choices >= KEPT_FROM
        self.inputs = 0
        self.seats = [seat_name(self.game, seat) for seat in seats_of(start.players)]
        self._last = len(log.steps) - 1
        steps = log.steps
        self._marks: dict[int, _Mark] | None = None
        if any(steps.stands(step) != step for step in range(len(steps))):
            self._marks = {}

    def take(self, step: int, lines: list[str]) -> list[Input]:
        """Replays a step of the log; returns its input, [] for the set-up."""
        self.watched.drawn = []
        echo = self.echo
        found: list[Input] = []
        draws: list[str] = []
        if echo is None:
            draws = [line for line in lines[step > 0 :] if not line.startswith(EVENT)]
            # What is drawn by a step that somebody listens to is known at once; else it would be drawn anew.
            self.machine.trace = SILENT if draws else None
        if step == 0:
            self._begin()
        else:
            self.inputs += 1
            line, begin = lines[0], f'{{"n":{self.inputs},"input":"choice",'
            if line.startswith(begin):
                found.append(self._answer(line[len(begin) : -SEAL], line[-SEAL:]))
            else:
                found.append(self._undo(step, json.loads(line)))
            lines = lines[1:]
        if found and isinstance(found[0], PlayedUndo):
            if lines:
                raise Unlike
        elif echo is not None:
            self._compare(echo, lines, is_last=step == self._last)
        else:
            self._look_at_draws(draws)
        if self._marks is not None:
            self._marks[step] = _Mark(self.machine.fork(), None if echo is None else echo.mark())
        return found

    def _begin(self) -> None:
        if self.echo is not None:
            self.machine.trace = self.echo
            self.echo.begin(self.machine, 0)
            self.start.internals.begin_on(self.machine)
        else:
            self.watched.drawn = [*self.start.drawn]  # type: ignore[list-item]

    def _undo(self, step: int, record: dict[str, Any]) -> PlayedUndo:
        stands = self.log.steps.stands(step)
        if record["input"] != "undo" or stands == NONE or self._marks is None:
            raise Unlike
        mark = self._marks[stands]
        self.machine = mark.machine.fork()
        self.machine.chance = self.watched
        if self.echo is not None and mark.echo is not None:
            self.machine.trace = self.echo
            self.echo.back_to(mark.echo)
        return PlayedUndo(record["to"])

    def _answer(self, fields: str, seal: str) -> PlayedAnswer:
        """Takes the answer of a line, given its fields from the seat on and its end with the running hash."""
        machine, pending = self.machine, self.machine.pending
        if pending is None or not seal.startswith(',"h":"'):
            raise Unlike
        name, text, elapsed, by = self.phrases.fields(fields)
        choice, reading = self.game.choices[pending.choice], None
        seat, plain = Seat(self.seats.index(name)), parted(text)[0]
        answer = self._meant(pending, choice, seat, text)
        if elapsed is not None and choice.clock is not None:
            clock = self.game.clocks[choice.clock]
            states = self.start.internals.layout.states
            reading = clock_reading(elapsed, machine.row[states[clock.state]])
            machine.row[states[clock.reading]] = reading
        if self.echo is not None:
            wanted = self.phrases.answered(choice.id, seat, answer)
            if plain != text:
                wanted = f'{wanted[:-1]}{text[len(plain) :]}"'
            wanted += "" if reading is None else f',"elapsed":{reading}'
            if fields != (wanted if by is None else f'{wanted},"by":"{by}"'):
                raise Unlike
            self.echo.begin(machine, self.inputs)
        machine.answer(seat, answer)
        return PlayedAnswer(seat, answer, elapsed, by, machine.fork() if self.keeps else None)

    def _meant(self, pending: Pending, choice: Choice, seat: Seat, text: str) -> Answer:
        """Returns the legal answer that a text means; see `BareMatch.option`."""
        if seat not in pending.seats:
            raise Unlike
        found, is_numbered = self.phrases.meant(choice.id, text), bool(parted(text)[1])
        answer = found[0]
        if not is_numbered and len(found) > 1 and (alike := self._alike(choice, seat, found)) is not None:
            return alike
        if is_numbered or len(found) > 1 or self.machine.refusal(seat, answer) is not None:
            start = self.start
            position = Position(
                start.visibility, start.internals.secrets, self.machine, pending, start.position.stand, True
            )
            answer = answers.meant(position, f"{self.seats[seat]}: {text}").answer
            if self.machine.refusal(seat, answer) is not None:
                raise Unlike
        return answer

    def _alike(self, choice: Choice, seat: Seat, found: Sequence[Answer]) -> Answer | None:
        """Returns the first answer on offer of those written alike; None where too many are on offer to look."""
        if len(found) < MOST and self.phrases.names_each(choice, found[0][0]):
            return next((one for one in found if self.machine.refusal(seat, one) is None), None)
        written = self.phrases.written(choice, found[0])
        few = Offer(self.machine, seat).few or ()
        return next((one for one in few if self.phrases.written(choice, one) == written), None)

    # -------------------------------------------------------------- comparing

    def _compare(self, echo: Echo, lines: list[str], *, is_last: bool) -> None:
        echo.close()
        played, machine = echo.lines, self.machine
        if machine.pending is None:
            outcome = outcome_of(machine.row, self.game, self.start.internals.layout, self.start.players)
            if outcome is not None:
                played.append(canonical(record_of(outcome, self.start.seats))[:-1])
        if len(lines) != len(played) and not (is_last and len(lines) < len(played)):
            raise Unlike
        for line, wanted in zip(lines, played, strict=False):
            if line != wanted:
                _same(line, wanted)
        self.inputs = echo.inputs

    def _look_at_draws(self, lines: list[str]) -> None:
        records = [json.loads(line) for line in lines]
        if not records and not self.watched.drawn:
            return
        forms = [(what_of(record), record) for record in records]
        drawn = [LogLine(0, form, record) for form, record in forms if form in ("roll", "pick", "shuffle", "fault")]
        self.inputs += len(drawn)
        if (drawn or self.watched.drawn) and not self.recorded.gave(self.watched.drawn, drawn):
            raise Unlike


def _same(line: str, wanted: str) -> None:
    """Raises Unlike if a line differs from another, apart from its running hash."""
    if (
        not line.startswith(wanted)
        or len(line) != len(wanted) + SEAL
        or line[len(wanted) : len(wanted) + 6] != ',"h":"'
    ):
        raise Unlike
