"""The reference machine: walks the IR, answers questions, and can be forked.

A walk keeps its place in the rules in Python generators, which cannot be copied, so a fork is a row with its past: the
inputs, the random outcomes, and writes from outside. It replays these before its next step.

    machine.fork().answer(0, (0, 2))      begins, takes the answers of `machine`, then take(2)

Invariant: the same inputs lead to the same row; a fork that comes to another row raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import attrs

from rulelang.errors import RunawayRules
from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Row, Seat, Slot
from rulelang.machines.chance import Tape
from rulelang.machines.evaluate import Locals
from rulelang.machines.machine import Answer, Chance, Pending, Trace
from rulelang.machines.walk import Finished
from rulelang.program.control import Control
from rulelang.program.layout import Layout
from tests.oracle.walk import Flow, WalkInFrames


@attrs.define
class PastInputs:
    """All inputs from outside, in order, for a fork to replay. The lists only grow."""

    players: int
    options: Mapping[int, int]
    answers: list[tuple[Seat, Answer]] = attrs.field(factory=list)
    edits: list[Row | None] = attrs.field(factory=list)
    """For each time that others could write to the row: the row that they left, or None if they did not change it."""
    draws: list[tuple[int, ...]] = attrs.field(factory=list)
    """The random outcomes."""

    def until_now(self) -> PastInputs:
        """Returns the history up to now, unaffected by later additions."""
        return PastInputs(self.players, self.options, self.answers[:], self.edits[:], self.draws[:])


class ReferenceMachine(WalkInFrames):
    """A `Machine` that walks the IR."""

    def __init__(
        self,
        game: GameRules,
        chance: Chance,
        layout: Layout | None = None,
        trace: Trace | None = None,
        *,
        hits: set[int] | None = None,
        refused: set[int] | None = None,
    ) -> None:
        super().__init__(game, chance, layout, trace, hits=hits, refused=refused)
        self._pending: Pending | None = None
        self._flow: Flow = iter(())  # type: ignore[assignment]
        self._history = PastInputs(0, {})
        self._asleep = False
        """Whether the past is still to be replayed up to the position of the row."""
        self._repeated: Iterator[Row | None] | None = None
        """The writes of others, while the past is replayed."""
        self._left: Row = []
        """The row at the last stop of the rules."""

    def begin(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up and runs to the first choice; see `Machine`."""
        self._history = PastInputs(players, dict(options))
        self._pass, self._deferred, self._entered = None, [], None
        self.meter.renew()
        self._set_up(players, options)
        self._flow = self._play()
        self._run_on(None)

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Takes a legal answer and runs on; see `Machine`."""
        if self._asleep:
            self._wake()
        self._others_wrote(self._left)
        self._history.answers.append((seat, answer))
        self.meter.renew()
        self._run_on((seat, answer))

    def _play(self) -> Flow:
        with suppress(Finished):
            yield from self._flow_of_call(self.game.main, ())

    def _run_on(self, answer: tuple[Seat, Answer] | None) -> None:
        self._pending = self._asked = None
        try:
            self._pending = next(self._flow) if answer is None else self._flow.send(answer)
        except StopIteration:
            pass
        except RecursionError:
            raise RunawayRules("the rules call each other too deep") from None
        self._left = list(self.row)

    # -------------------------------------------------------------- questions

    @property
    def pending(self) -> Pending | None:
        """The choice that the game waits for; None when it is over."""
        return self._pending

    @property
    def control(self) -> Control:
        """Raises TypeError, because the control state is not in the row."""
        raise TypeError("the reference machine keeps its place in the rules in Python's own frames")

    def locals(self, seat: Seat) -> dict[int, int]:
        """Returns the values of the locals that the pending choice may read; see `Machine`."""
        asked = self._asked_of(seat)
        return dict(asked[1]) if asked else {}

    def _asked_of(self, seat: Seat) -> tuple[Choice, Locals] | None:
        if self._pending is None or self._asked is None or seat not in self._pending.seats:
            return None
        choice, locals = self._asked
        frame = dict(locals)
        self._let_choose(choice, seat, frame)
        return choice, frame

    @property
    def past(self) -> PastInputs:
        """All that led here."""
        return self._history

    # -------------------------------------------------------------- forks

    def fork(self) -> ReferenceMachine:
        """Returns an independent copy, which replays the game from its start before its first step."""
        copy = ReferenceMachine(self.game, self.chance, self.layout)
        copy.row, copy._left = list(self.row), self._left
        copy._pending = self._pending
        copy._asked = None if self._asked is None else (self._asked[0], dict(self._asked[1]))
        copy._history, copy._asleep = self._history.until_now(), True
        return copy

    def rewritten(self, changes: Mapping[Slot, int]) -> ReferenceMachine:
        """Returns such a copy, with other values in some slots."""
        copy = self.fork()
        for slot, value in changes.items():
            copy.row[slot] = value
        return copy

    def _wake(self) -> None:
        """Replays the past, with recorded chance, up to the position of a fork."""
        past, row, left, pending = self._history, self.row, self._left, self._pending
        chance, trace, hits = self.chance, self.trace, self.hits
        self._asleep = False
        self.chance, self.trace, self.hits = Tape(iter(past.draws), self.layout), None, None
        self._repeated = iter(past.edits)
        self.begin(past.players, past.options)
        for seat, answer in past.answers:
            self.answer(seat, answer)
        if self.row != left or self.pending != pending:
            raise RuntimeError("the same inputs led to another position")
        self.row, self._left, self._repeated = row, left, None
        self.chance, self.trace, self.hits = chance, trace, hits

    def _drawn(self, *outcome: int) -> None:
        self._history.draws.append(outcome)

    def _begin_phase(self, procedure: int, arguments: tuple[int, ...]) -> None:
        before = list(self.row)
        if self.trace is not None:
            self.trace.enter_phase(procedure, arguments, self)
        self._others_wrote(before)

    def _others_wrote(self, before: Row) -> None:
        edit = list(self.row) if self.row != before else None
        if self._repeated is not None:
            edit = next(self._repeated)
            self.row[:] = edit or self.row
        self._history.edits.append(edit)
