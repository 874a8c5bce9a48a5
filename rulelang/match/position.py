"""The position of a match as one value, for code that reads a game and does not play on.

    position = match.position
    match.play("take(2)")
    position.row            # as it was before

Invariant: nobody writes to a position. Its machine is a copy of the playing one, made on first use.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import attrs

from rulelang.ir.model import Choice, Clock, GameRules
from rulelang.ir.numbers import Row, Seat, seats_of
from rulelang.knowledge.canonical import ThingReferences, key_of
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import seat_name
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.knowledge.visible_knowledge import laid_out
from rulelang.knowledge.witnesses import Witnesses
from rulelang.machines.evaluate import Locals
from rulelang.machines.machine import Machine, Pending, asked_locals
from rulelang.machines.meter import Patience
from rulelang.match.deferred_events import Untold, known_at, moment_at
from rulelang.match.outcome import outcome_of, score_seers
from rulelang.match.recording.events import Outcome
from rulelang.match.state import Moment, SealedAnswers
from rulelang.program.equivalence import SETTLED, OpenOrders
from rulelang.program.layout import Layout


@attrs.define(eq=False, slots=False)
class Position:
    """The position of a game and the knowledge of its seats: a value, not frozen because one is made at each choice."""

    visibility: Visibility
    secrets: Secrets
    machine: Machine
    pending: Pending | None
    """The pending question; None when the game is over, or waits for a random outcome."""
    stand: Moment | Untold
    """The state outside the row, or the deferred step from which it is computed."""
    is_traced: bool

    @property
    def moment(self) -> Moment:
        """The state outside the row."""
        return moment_at(self.stand)

    @property
    def wordless(self) -> Moment:
        """The same, but its rules and events may have no words, which nobody then waits for."""
        return known_at(self.stand)

    @property
    def orders(self) -> OpenOrders:
        """The piles whose order explicit chance has not been asked for yet."""
        return self.stand.orders if isinstance(self.stand, Moment) else SETTLED

    @property
    def game(self) -> GameRules:
        """The game that is played."""
        return self.visibility.game

    @property
    def layout(self) -> Layout:
        """The layout of the row."""
        return self.visibility.layout

    @property
    def players(self) -> int:
        """The number of players."""
        return self.visibility.players

    @property
    def row(self) -> Row:
        """The flat row with the whole position, hidden things included. See `program.layout`."""
        return self.machine.row

    @property
    def seats(self) -> tuple[str, ...]:
        """The written names of the seats in this game."""
        return tuple(seat_name(self.game, seat) for seat in seats_of(self.players))

    @property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that must choose now; see `Match.to_move`."""
        return () if self.pending is None else self.pending.seats

    def asked_before(self, seat: Seat | None) -> tuple[Seat, ...]:
        """Returns the seats that must choose now, as far as a seat (None: a spectator) is told: of a question that is put
        in secret, nobody but its chooser."""
        choice = self.choice
        return self.to_move if choice is None or not choice.private or seat in self.to_move else ()

    @property
    def choice(self) -> Choice | None:
        """The pending choice."""
        return None if self.pending is None else self.visibility.game.choices[self.pending.choice]

    @property
    def clock(self) -> Clock | None:
        """The clock that the pending choice runs against, if any."""
        choice = self.choice
        return None if choice is None or choice.clock is None else self.game.clocks[choice.clock]

    @property
    def time_left(self) -> int:
        """The time left on the clock of the pending choice, in its units; 0 without a clock."""
        return 0 if self.clock is None else self.row[self.layout.states[self.clock.state]]

    @property
    def seal(self) -> SealedAnswers:
        """The answers under seal, and the machine before the first of them."""
        return self.stand.seal

    @cached_property
    def knowledge(self) -> Knowledge:
        """The knowledge of each seat; in an untraced match, what it can see at present."""
        known = self.wordless.knowledge
        return known if self.is_traced else laid_out(self.visibility, known, self.row)

    @cached_property
    def witnesses(self) -> Witnesses:
        """The readers of the values of locals; in an untraced match, everyone."""
        if not self.is_traced:
            return Witnesses(self.visibility, self.secrets, None, {})
        return Witnesses(self.visibility, self.secrets, self.knowledge, self.wordless.noted)

    def locals(self, choice: Choice, seat: Seat) -> Locals:
        """Returns the values of the locals that the pending choice may read, the chooser among them."""
        return asked_locals(self.machine, choice, seat)

    @cached_property
    def patience(self) -> Patience:
        """The budget shared by all questions about the position; see `Patience`."""
        return Patience()

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it goes on."""
        return outcome_of(self.row, self.game, self.layout, self.players)

    @cached_property
    def told_outcome(self) -> Outcome | None:
        """The outcome with the readers of its `score`s, which may be computed from hidden things."""
        outcome = self.outcome
        if outcome is None or outcome.kind not in ("winner", "ranking", "undecided"):
            return outcome
        return attrs.evolve(outcome, seers=score_seers(self.row, self.visibility, self.knowledge))

    def outcome_for(self, seat: Seat | None) -> Outcome | None:
        """Returns the outcome as a seat (None: a spectator) may read it."""
        outcome = self.told_outcome
        return None if outcome is None else outcome.seen(self.visibility.bit(seat))

    def key(self, references: ThingReferences) -> Hashable:
        """Returns a key that is equal for positions that play alike; see `Match.key`."""
        pending, machine = self.machine.pending, self.machine
        inner: Hashable = None if pending is None else (pending.choice, pending.seats, self.seal.answers)
        row = machine.row
        if self.orders.piles:
            row, places = self.orders.sorted(row, self.game, self.layout)
            inner = inner, places
        return key_of(references, row, self.knowledge if self.is_traced else None, inner)
