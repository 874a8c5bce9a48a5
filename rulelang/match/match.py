"""One game in progress: who must choose, the options, why others are refused, and the events. Players use only this.

match = BareMatch(game, layout, machine, players=2, seed=7, secrets=secrets_of(game))
match.to_move                       # (0,)
list(match.options)                 # take(1), take(2), take(3)
match.play("red: take(2)")          # the events it caused
match.undo()                        # as if it had never been
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from typing import Generic, Self, TypeVar

import attrs

from rulelang import seed as seeds
from rulelang.errors import IllegalOption, InvalidInput
from rulelang.ir.model import Choice, Clock
from rulelang.ir.numbers import Mask, Row, Seat, seats_of
from rulelang.ir.types import Type
from rulelang.knowledge.canonical import ThingReferences
from rulelang.knowledge.redaction import read, said_seat, seat_name
from rulelang.knowledge.secrets import Secrets
from rulelang.machines.chance import Watched
from rulelang.machines.explicit import NeedsChance
from rulelang.machines.machine import Answer, Chance, Machine, Trace
from rulelang.match import inputs
from rulelang.match.chance_outcomes import Possible, possible
from rulelang.match.deferred_events import Events, Past, Reached, Untold, known_at, moment_at, told_late
from rulelang.match.options import answers, explain
from rulelang.match.options.explain import Reason, shown
from rulelang.match.options.option import Option, Options, checked_option
from rulelang.match.options.standing import MOST_STANDING, StandingAnswer, due, read_standing
from rulelang.match.position import Position
from rulelang.match.recording.events import AnsweredBy, Event, Outcome, Undone
from rulelang.match.recording.journal import Journal
from rulelang.match.state import Chapter, Moment, RedealRecord
from rulelang.match.timeline import Fresh, Timeline
from rulelang.match.view import Eyes, State, View, information, told
from rulelang.program.layout import Layout


class BareMatch(Timeline):
    """One game in progress: a timeline, and queries about its present position. See `Timeline` for how it begins."""

    _standing: tuple[StandingAnswer, ...] = ()

    @property
    def internals(self) -> MatchInternals[Self]:
        """The inside, which the other rooms work with; programs that use rulelang are promised nothing about it."""
        return MatchInternals(self)

    def _hide_seed(self) -> None:
        """Leaves out what would tell the seed; a match without a log says nothing of it."""

    # -------------------------------------------------------------- turns and options

    @property
    def seats(self) -> tuple[str, ...]:
        """The written names of the seats in this game."""
        return tuple(seat_name(self.game, seat) for seat in seats_of(self.players))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of the seats for people."""
        return tuple(said_seat(self.game, seat) for seat in seats_of(self.players))

    @property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that must choose now; () when the game is over or waits for a random outcome."""
        pending = (self._offer() if self._offered is None else self._offered).pending
        return () if pending is None else pending.seats

    @property
    def choice(self) -> Choice | None:
        """The pending choice."""
        return self.position.choice

    @property
    def options(self) -> Options:
        """The options of the seats to move: lazy, sorted, each once."""
        return self._offer() if self._offered is None else self._offered

    def options_of(self, seat: int) -> Options:
        """Returns the options of one seat; none if it is not asked. Raises InvalidInput for an unknown seat."""
        asked = inputs.seat(seat, self.players)
        return answers.on_offer(self.position, tuple(s for s in self.to_move if s == asked))

    def shown(self, seat: int) -> Callable[[Option], str]:
        """Returns a function for the words that an option's rule
        `shows` (what it costs and brings); "" if it shows nothing."""
        choice = self.choice
        return (lambda option: "") if choice is None else shown(self.position, choice, inputs.seat(seat, self.players))

    def prompt(self, seat: int) -> str:
        """Returns the question that a seat is asked, as it may read it; "" if there is none."""
        return explain.prompt(self.position, inputs.seat(seat, self.players))

    def topic(self, seat: int) -> str:
        """Returns the text of what the question of a seat is about:
        of the thing or member that it names; "" if there is none."""
        return explain.topic(self.position, inputs.seat(seat, self.players))

    def text(self, type: Type, value: int, seat: int) -> str:
        """Returns the text of a thing or member, as a seat may read it; "" if it has none, or several."""
        return explain.text(self.position, type, value, inputs.seat(seat, self.players))

    def option(self, text: str, *, lenient: bool = False) -> Option:
        """Returns the option that a text means, `red: take(2)` or, if only one seat is to move, `take(2)`.

        It need not be legal (unless `lenient`, which searches only the legal options). Raises UnknownOption.
        """
        if not isinstance(text, str):
            raise InvalidInput(f"an option is written as a text, not {seeds.described(text)}")
        return answers.meant(self.position, text, lenient=lenient)

    def why_not(self, option: Option | str) -> Reason | None:
        """Returns the reason why an option is refused: the first
        `needs` that fails, in its own words; None if it is legal.
        """
        given = checked_option(option)
        return explain.reason(self.position, self.option(given) if isinstance(given, str) else given)

    @property
    def clock(self) -> Clock | None:
        """The clock that the pending choice runs against, if any."""
        return self.position.clock

    @property
    def time_left(self) -> int:
        """The time left on the clock of the pending choice, in its units; 0 without a clock."""
        return self.position.time_left

    def late(self, seat: int) -> Option | None:
        """Returns the answer of a seat that is asked and does not answer in time: that it declines; None if the question
        waits for ever, or is put to others. `choice.seconds` is the time."""
        asked, choice = inputs.seat(seat, self.players), self.choice
        if choice is None or choice.seconds is None or choice.decline is None or asked not in self.to_move:
            return None
        return self.options.option(asked, (choice.decline,))

    @property
    def chance(self) -> tuple[Possible, ...]:
        """The random outcomes that the game waits for, with their probabilities; () if it waits for none."""
        return () if self._waiting is None else possible(self._waiting.needs, self.game, self._secrets.picks)

    # -------------------------------------------------------------- playing

    def play(
        self, option: Option | str, *, elapsed: int | None = None, by: AnsweredBy | None = None
    ) -> Events | tuple[Event, ...]:
        """Takes an option, given or written, and returns the events it caused.

        `elapsed` is the time that a person took, in units of the clock that the choice runs against: if it exceeds the
        time left, the answer does not count. By default, the rules' own table gives the time. `by` is for the log: the
        table gave the answer, because the seat's time was up ("clock"), or because it had said so before ("standing").

        Raises UnknownOption (no option has that name), IllegalOption (a rule forbids
        it), InvalidInput (not an option, or not a time), RuntimeRules (the rules
        went wrong), and anything a listener raises. The match is then unchanged.
        """
        given = checked_option(option)
        chosen = self.option(given) if isinstance(given, str) else given
        reason = explain.reason(self.position, chosen)
        if reason is not None:
            raise IllegalOption(reason.message, reason.clauses, reason.span)
        events = self.push(chosen, elapsed=elapsed, by=inputs.answered_by(by, self.choice, chosen.answer))
        return (*events, *self.give_standing()) if self._standing else events

    def beforehand(self, text: str) -> StandingAnswer:
        """Notes an answer that a seat gives from now on, asked or not: `red: pass until raise`.

        `play` gives it whenever the question is put for which it was given first, as long as it is legal, until the
        seat is told that the named rule took effect or the named variable changed, and at most 100 times. Nobody else
        learns of it. An undo withdraws all. Raises UnknownOption, InvalidInput.
        """
        said = read_standing(self, text)
        others = tuple(one for one in self._standing if (one.seat, one.answer) != (said.seat, said.answer))
        if sum(one.seat == said.seat for one in others) >= MOST_STANDING:
            raise InvalidInput(f"{MOST_STANDING} answers of a seat may stand at a time: withdraw some")
        self._standing = (*others, said)
        return said

    def stand_again(self, answers: tuple[StandingAnswer, ...]) -> None:
        """Lets answers stand that stood in another match of the same course."""
        self._standing = answers

    def standing(self, seat: int) -> tuple[StandingAnswer, ...]:
        """Returns the answers of a seat that stand, which nobody else may know."""
        asked = inputs.seat(seat, self.players)
        return tuple(one for one in self._standing if one.seat == asked)

    def withdraw(self, seat: int) -> None:
        """Takes back all answers of a seat that stand."""
        asked = inputs.seat(seat, self.players)
        self._standing = tuple(one for one in self._standing if one.seat != asked)

    def give_standing(self) -> tuple[Event, ...]:
        """Takes the answers that stand for who is asked now, one after another; returns the events that they caused."""
        events: list[Event] = []
        while self._standing:
            option, self._standing = due(self, self._standing)
            if option is None:
                break
            try:
                events += self.push(option, by="standing")
            except BaseException:
                self._standing = ()
                raise
        return tuple(events)

    def undo(self, seat: int | None = None, *, to: int | None = None) -> None:
        """Takes back the last answer (of one seat, if given), or the input with a number, and everything after it.

        Answers that stand are withdrawn. Raises IllegalOption if there is nothing to take back. The same dice come again.
        """
        super().undo(seat, to=to)
        self._standing = ()

    def opened(self) -> Self:
        """Returns an independent match in the same position in which
        everyone knows everything: for viewers who may see all.

        Raises InvalidInput where explicit chance has not been asked yet what lies where in a pile.
        """
        if self.position.orders.piles:
            raise InvalidInput("nobody has asked yet what lies where in a shuffled pile, so nobody can see it")
        copy = self.fork()
        copy.visibility = attrs.evolve(self.visibility, is_open=True)
        copy._moment = attrs.evolve(self._moment, knowledge=self.position.knowledge.opened())
        return copy

    @property
    def exact(self) -> bool:
        """Returns whether this match was drawn with the exact
        probability: for a re-deal, whether all courses were listed.
        """
        return self.drawing is None or self.drawing.exact

    # -------------------------------------------------------------- reading

    @property
    def state(self) -> State:
        """The whole position by written names, hidden things included: `match.state["red.fuel"]`."""
        return State(self.position)

    @property
    def given(self) -> Mapping[int, int]:
        """The values of the option variables with which the match began, by state."""
        return self._begun

    def earlier(self) -> list[tuple[Self, Past]]:
        """Returns the match before each answer, from the first on; for reading only."""
        return list(self.internals.backwards())[::-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, with nothing hidden."""
        return told(self._moment.chapter, None)

    @property
    def event_count(self) -> int:
        """The number of events so far."""
        return self._moment.chapter.end if self._moment.chapter is not None else 0

    def events_for(self, seat: int | None, after: int = 0) -> tuple[Event, ...]:
        """Returns the events as a seat (None: a spectator) saw them, without the first `after` of all (see `event_count`)."""
        bit = self.visibility.bit(inputs.viewer(seat, self.players))
        return told(self._moment.chapter, bit, inputs.whole(after, "how many events came before"))

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it goes on."""
        return self.position.outcome

    def outcome_for(self, seat: int | None) -> Outcome | None:
        """Returns the outcome as a seat (None: a spectator) may read it: without `score`s computed from hidden things."""
        return self.position.outcome_for(inputs.viewer(seat, self.players))

    def score(self, seat: int) -> int | None:
        """Returns the rules' present `score` of a seat; None if they define none. Raises RuntimeRules."""
        machine = self._machine if self._waiting is None else self._waiting.machine
        return machine.score(inputs.seat(seat, self.players))

    @property
    def key(self) -> Hashable:
        """A key that is equal for positions that play alike: the row up to interchangeable things, public knowledge,
        and control state.

        It also holds the pending choice, and is the same on every executor. Where a random outcome is waited for, it is made of
        the position before the answer, the answer, and what has come out since.
        """
        waiting = self._waiting
        if waiting is None:
            return self.position.key(self.internals.references)
        machine = waiting.before
        if waiting.answer is None:
            return (self.players, *sorted(self._begun.items())), None, waiting.given
        before = Position(self.visibility, self._secrets, machine, machine.pending, waiting.moment, self.is_traced)
        return before.key(self.internals.references), waiting.answer, waiting.given

    def view(self, seat: int | None) -> View:
        """Returns a seat's view of the position; None is a spectator."""
        return View.of(self.position, inputs.viewer(seat, self.players))

    def information(self, seat: int | None) -> Hashable:
        """Returns everything a seat has seen and chosen, in order: its information set, with perfect recall."""
        return information(self.position, inputs.viewer(seat, self.players))

    def eyes(self, seat: int | None) -> Eyes:
        """Returns a function that words templates for a seat: for screens."""
        return Eyes(self.position, inputs.viewer(seat, self.players))


M = TypeVar("M", bound=BareMatch)


@attrs.frozen(eq=False)
class MatchInternals(Generic[M]):
    """The inside of a match: what the other rooms read of it, and how they copy it."""

    match: M

    # -------------------------------------------------------------- what it is made of

    @property
    def layout(self) -> Layout:
        """The layout of its rows."""
        return self.match._layout

    @property
    def secrets(self) -> Secrets:
        """The locals of its rules that hold secrets."""
        return self.match._secrets

    @property
    def placed(self) -> Row | None:
        """The row in which it began in place of the set-up, if any; its past before that cannot be replayed."""
        return self.match._placed

    @property
    def thinking(self) -> Callable[[], Fresh] | None:
        """The factory of the machines on which bots think; None if they think on those of the match."""
        return self.match._thinking

    def think_on(self, thinking: Callable[[], Fresh]) -> None:
        """Sets the factory of the machines on which bots think."""
        self.match._thinking = thinking

    @property
    def drawn_from(self) -> Chance:
        """The source of its random outcomes."""
        return self.match._watched.chance

    @property
    def needs(self) -> NeedsChance | None:
        """The random outcome that the match waits for, with `explicit_chance`."""
        return None if self.match._waiting is None else self.match._waiting.needs

    @property
    def moment(self) -> Moment:
        """The state of the game that is not in the machine's row."""
        return self.match._moment

    @property
    def midst(self) -> Position:
        """The position in the middle of a step, for a probe. It is not a copy: read it at once, and do not write to it.

        Between steps it is the present position.
        """
        match = self.match
        moment, recorder = match._moment, match._recorder
        if recorder is not None:
            moment = attrs.evolve(moment, knowledge=recorder.knowledge, noted=recorder.noted)
        pending = None if match._waiting is not None else match._machine.pending
        return Position(match.visibility, match._secrets, match._machine, pending, moment, match.is_traced)

    @property
    def references(self) -> ThingReferences:
        """The slots through which this game's rows refer to things."""
        match = self.match
        found = match.visibility.references.get("things")
        if not isinstance(found, ThingReferences):
            found = ThingReferences.of(match.game, match._layout, match._machine.control)
            match.visibility.references["things"] = found
        return found

    # -------------------------------------------------------------- its beginning

    def unbegun(self) -> Machine:
        """Returns a machine of this game, with its chance, that has not begun."""
        return self.match._fresh(self.match._watched)

    def begin_on(self, machine: Machine) -> None:
        """Begins this game on a machine: by its set-up, or in the position that it was given."""
        self.match._begin_on(machine)

    def again(self, chance: Chance) -> BareMatch:
        """Returns a match of the same game, seats and options from the start, with chance from elsewhere.

        If that chance raises `NeedsChance`, the match waits and has no machine to continue with.
        """
        match = self.match
        more = {"options": match._begun, "chance": chance, "secrets": match._secrets, "placed": match._placed}
        return BareMatch(match.game, match._layout, match._fresh, match.players, **more)  # type: ignore[arg-type]

    # -------------------------------------------------------------- its past

    def backwards(self) -> Iterator[tuple[M, Past]]:
        """Yields the match before each answer, from the last one on; for reading only."""
        past = self.match._past
        while past is not None:
            copy = self.match.fork()
            copy._machine, copy._stand, copy._past, copy._waiting = past.machine, past.stand, past.previous, None
            copy._written = copy._stand
            yield copy, past
            past = past.previous

    def return_to(self, earlier: M, number: int) -> None:
        """Takes back the input with a number and everything after it; `earlier` is this match before that input."""
        match = self.match
        with match._as_a_whole(match._machine):
            match._machine, match._moment = earlier._machine.fork(), earlier._moment
            match._written = match._stand
            match._machine.chance, match._past, match._waiting = match._watched, earlier._past, None
            match._note(Undone(number))

    def count_on_from(self, inputs: int) -> None:
        """Sets the number of inputs so far, for a match that is replayed from its middle."""
        self.match._catch_up()
        self.match._journal.inputs = inputs

    def glimpse(self) -> M:
        """Returns a match in the same position whose last step alone
        can be read: fast if many earlier steps are deferred."""
        step = self.match._stand
        if not isinstance(step, Untold):
            return self.match
        moment, entries = step.glimpse()
        copy = self.match.fork()
        copy._stand, copy._journal = moment, Journal()
        copy._written = copy._stand
        for entry in entries:
            copy._journal.note(entry)
        return copy

    @property
    def reached(self) -> Reached:
        """The present position, from which others are reached without a match; see `reached_from`."""
        return Reached(self.match.position.machine, self.match._stand)

    def reached_from(self, before: Reached, seat: Seat, answer: Answer, after: Machine) -> Reached:
        """Returns the position that an answer led to, given the machine after it. Nothing is run or recorded."""
        match, machine, stand, asked = self.match, before.machine, before.stand, before.machine.pending
        assert asked is not None
        choice, seal = match.game.choices[asked.choice], stand.seal
        option = Options(match.game, choice, machine, (seat,)).option(seat, answer)
        if choice.sealed or seal.answers:
            seal = seal.after(seat, answer, machine, choice)
        return Reached(after, Untold(stand, machine, option, None, seal, match._teller or match._own_teller()))

    def glimpse_of(self, reached: Reached) -> M:
        """Returns a match in a position with nothing to take back, whose last step alone can be read."""
        copy = self.match.fork()
        copy._machine, copy._stand, copy._past, copy._waiting = reached.machine.fork(), reached.stand, None, None
        copy._machine.chance, copy._written = copy._watched, copy._stand
        return copy.internals.glimpse()

    # -------------------------------------------------------------- copies

    def fork_with(self, chance: Chance) -> M:
        """Returns an independent match in the same position, with another source of chance."""
        copy = self.match.fork()
        copy._watched = copy._machine.chance = Watched(chance)
        copy._teller = None
        return copy

    def played_by(self, machine: Machine, probe: Trace) -> M:
        """Returns an independent match in the same position on another machine; `probe` hears all of it."""
        copy = self.fork_with(machine.chance)
        machine.chance = copy._watched
        copy._machine, copy._probe = machine, probe
        return copy

    def aside(self, seat: Seat, *, traced: bool, told: bool) -> M:
        """Returns this match with nothing to undo and the past as a seat saw it: what all re-deals for it have in common.

        Unless `told`, the inputs so far are not counted, and the past is put into words when somebody reads it. A log of
        the copy does not reveal the seed.
        """
        match = self.match
        if told:
            match._catch_up()
        copy = match.fork(traced=traced)
        copy._hide_seed()
        copy._teller, copy._past, copy._waiting, copy._standing = None, None, None, ()
        copy._journal = match._journal.emptied()
        stand, bit = match._stand, match.visibility.bit(seat)
        past = partial(_as_seen, stand, bit)
        copy._stand = past() if told else told_late(known_at(stand), past)
        return copy

    def dealt(self, machine: Machine, moment: Moment, drawing: RedealRecord) -> M:
        """Returns a match in another position with the past of this one, which is `aside`; the moment's own past is
        left out."""
        match = self.match
        copy = object.__new__(type(match))
        copy.__dict__.update(match.__dict__)
        copy._watched = machine.chance if isinstance(machine.chance, Watched) else Watched(machine.chance)
        machine.chance = copy._watched
        copy._machine, copy._offered, copy._journal = machine, None, match._journal.fork()
        past = partial(_behind, match._stand, moment)
        copy._stand = copy._written = told_late(moment, past) if isinstance(match._stand, Untold) else past()
        copy.drawing = drawing
        return copy


def _as_seen(stand: Moment | Untold, bit: Mask) -> Moment:
    """Returns a moment with the past as one viewer saw it."""
    moment = moment_at(stand)
    past = attrs.evolve(Chapter.of(moment.chapter, None, ()), only=bit)
    frames = tuple(attrs.evolve(frame, call=(read(frame.call, bit),)) for frame in moment.frames)
    return attrs.evolve(moment, frames=frames, chapter=past)


def _behind(stand: Moment | Untold, moment: Moment) -> Moment:
    """Returns a moment with the past of another."""
    past = moment_at(stand)
    assert past.chapter is not None
    # What is listed for one re-deal is not true of another.
    return attrs.evolve(moment, frames=past.frames, chapter=attrs.evolve(past.chapter, listed={}))
