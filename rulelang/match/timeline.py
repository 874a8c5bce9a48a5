"""A match in time: steps are atomic, and can be taken back, recorded later, and forked.

    timeline.push(option)        # the events it caused; without listeners, they are made when they are read
    timeline.undo()              # as if it had never happened
    timeline.fork()              # an independent match in the same position

Invariant: the state outside the machine's row is in `Moment`, a value, so a fork shares it, and undo restores an older
one. An untraced timeline records nothing: no events, no knowledge, no journal. A traced one may record a step only when
somebody reads its results (`match.deferred_events`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn, Self

import attrs

from rulelang import seed as seeds
from rulelang.errors import IllegalOption, InvalidInput, RuntimeRules, UnknownOption
from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.knowledge.rendering import Pointing
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.knowledge.visible_knowledge import known_when_given
from rulelang.machines.chance import Seeded, Watched
from rulelang.machines.explicit import Explicit, NeedsChance, ShufflesLate
from rulelang.machines.machine import Chance, Machine, Trace, clock_reading
from rulelang.match import inputs
from rulelang.match.chance_outcomes import Possible, as_settled
from rulelang.match.deferred_events import Events, OptionTaken, Past, Retelling, Teller, Untold, moment_at, since
from rulelang.match.options import explain
from rulelang.match.options.answers import Offered
from rulelang.match.options.option import Option, choice_answered
from rulelang.match.position import Position
from rulelang.match.recording.events import AnsweredBy, Drawn, Entry, Event, Fault, Taken, Undone
from rulelang.match.recording.interchangeable import named_in
from rulelang.match.recording.journal import Journal, Listener
from rulelang.match.recording.recorder import Recorder
from rulelang.match.recording.viewer_text import taken_words
from rulelang.match.state import UNSEALED, Chapter, Moment, RedealRecord, SealedAnswers, Waiting
from rulelang.program.layout import Layout
from rulelang.program.values import clean

Fresh = Callable[[Chance], Machine]
"""Makes a machine that has not begun."""


class Timeline:
    """The course of one game, whose steps can be taken back.

    `machine` returns a fresh machine that draws from a chance; `options` are the values of
    the option variables by state. With `explicit_chance`, random outcomes are asked for
    (`play_chance`). `probe` is called with the match before it begins, and returns a trace
    that hears everything, sees the middle of a step (`MatchInternals.midst`), and may write
    to the row when a phase begins.
    """

    def __init__(
        self,
        game: GameRules,
        layout: Layout,
        machine: Fresh,
        players: int,
        *,
        seed: int | str = 0,
        options: Mapping[int, int] | None = None,
        explicit_chance: bool = False,
        traced: bool = True,
        chance: Chance | None = None,
        probe: Callable[[Self], Trace] | None = None,
        listener: Listener | None = None,
        secrets: Secrets,
        visibility: Visibility | None = None,
        thinking: Callable[[], Fresh] | None = None,
        placed: Row | None = None,
    ) -> None:
        self.game, self._layout, self.players = game, layout, players
        self._secrets = secrets
        self.visibility = visibility or Visibility(game, layout, players, self._secrets.scratch)
        self.drawing: RedealRecord | None = None
        self.is_traced = traced
        self._begun = dict(options or {})
        self._watched = Watched(chance or Seeded(seeds.checked(seed), game, layout))
        self._explicit, self._fresh, self._placed = explicit_chance, machine, placed
        """The row in which it began in place of the set-up, if any; its past before that cannot be replayed."""
        # Who hears each entry when it is noted hears a shuffle as it comes out: with them, it is asked for at once.
        self._late, self._named = _settled_streams(game) if explicit_chance else (frozenset(), frozenset())
        if probe is not None or listener is not None:
            self._late = frozenset()
        self._thinking = thinking
        """The factory of the machines on which bots think; None if they think on those of the match."""
        self._past: Past | None = None
        self._waiting: Waiting | None = None
        self._journal = Journal(listeners=[listener] if listener else [])
        self._machine = machine(self._watched)
        self._offered: Offered | None = None
        self._stand: Moment | Untold = Moment(known_when_given(self.visibility, self.visibility.beginning, placed))
        self._written: Moment | Untold = self._stand
        self._teller: Teller | None = None
        self._recorder: Recorder | None = None
        self._probe = None if probe is None else probe(self)
        if self._is_unheard():
            try:
                self._begin_on(self._machine)
            except RuntimeRules:
                self._machine = machine(self._watched)
            else:
                if self.is_traced:
                    self._put_off(self._stand, None, None, 1)
                return
        with self._as_a_whole(machine(self._watched)):
            self._begin()

    @property
    def position(self) -> Position:
        """The present position: a value that does not change when the match goes on."""
        return (self._offer() if self._offered is None else self._offered).position

    def _offer(self) -> Offered:
        """Returns the options of the present position, which stay the same when the match goes on."""
        if (waiting := self._waiting) is None:
            machine, stand = self._machine.fork(), self._stand
            pending = machine.pending
        else:
            machine, pending, stand = waiting.machine, None, waiting.midst
        offered = Offered(self.visibility, self._secrets, machine, pending, stand, self.is_traced)
        self._offered = offered
        return offered

    @property
    def inputs(self) -> int:
        """The number of inputs so far: choices, random outcomes, undos."""
        self._catch_up()
        return self._journal.inputs

    @property
    def can_undo(self) -> bool:
        """Returns whether there is an answer to take back."""
        return self._past is not None

    @property
    def drawn(self) -> tuple[tuple[str, int, int | tuple[int, ...]], ...]:
        """The draws of the last step: form, stream and outcome of each."""
        return tuple(self._watched.drawn)

    @property
    def journal(self) -> tuple[Entry, ...]:
        """The entries of a log of this match, in order; those taken back, too, except where explicit chance settles shuffles
        late."""
        self._catch_up()
        entries, waiting, orders, ahead = self._journal.entries, self._waiting, self._moment.orders, 0
        if waiting is not None:
            # The row is that from before the step, whose first draws are noted already.
            orders = waiting.midst.orders
            ahead = sum(isinstance(entry, Drawn) for entry in entries[len(entries) - waiting.noted :])
        return as_settled(entries, orders, self.game, self._machine.row, self._layout, ahead)

    @property
    def taken(self) -> Taken | None:
        """The last answer in the journal, whether it was taken back or not; None before the first."""
        if isinstance(self._stand, Untold) and self._stand.option is not None:
            return next(entry for entry in self._stand.entries if isinstance(entry, Taken))
        return self._journal.taken

    def listen(self, listener: Listener) -> None:
        """Calls a listener with every further entry of the journal; see `match.recording.journal`."""
        if not callable(listener):
            raise InvalidInput(f"a listener is a function of an entry, not {seeds.described(listener)}")
        if self._late:
            raise InvalidInput(
                "with explicit chance, shuffles come out later than they are told: give the listener at the start"
            )
        self._catch_up()
        self._journal.listeners.append(listener)

    # -------------------------------------------------------------- forward

    def push(
        self, option: Option, *, elapsed: int | None = None, by: AnsweredBy | None = None
    ) -> Events | tuple[Event, ...]:
        """Takes an option of this moment that is known to be legal, without checking it again; see `play`."""
        offered, stand = self._offered, self._stand
        if offered is None:
            offered = self._offer()
        choice = choice_answered(option, self.game, offered.pending)
        if elapsed is None and by is None and self._is_unheard():
            is_written, seal = stand is self._written or type(stand) is Moment, stand.seal
            number = self._journal.inputs + 1 if is_written else None
            if choice.sealed or seal.answers:
                seal = seal.after(option.seat, option.answer, offered.machine, choice)
            self._past = Past(self._past, offered.machine, stand, option.seat, option.answer, number)
            self._offered = None
            if self._layout.streams:
                self._watched.forget()
            try:
                self._machine.answer(option.seat, option.answer)
            except BaseException as error:
                self._go_back(self._past)
                if not (self.is_traced and isinstance(error, RuntimeRules)):
                    raise
            else:
                if self.is_traced:
                    return self._put_off(stand, offered.machine, option, number, seal)
                if seal is not stand.seal:
                    self._moment = attrs.evolve(self._moment, seal=seal)
                return ()
        reading = self._reading(elapsed)
        with self._as_a_whole(offered.machine):
            return self._push(option, choice, offered.machine, reading, by)

    def _push(
        self,
        option: OptionTaken,
        choice: Choice,
        before: Machine,
        reading: int | None,
        by: AnsweredBy | None = None,
    ) -> tuple[Event, ...]:
        seat, answer, text, moment = option.seat, option.answer, option.text, self._moment
        self._past = Past(self._past, before, moment, seat, answer, self.inputs + 1, reading, by)
        if self.is_traced:
            row = self._machine.row
            known = named_in(self.visibility, self._secrets, row, choice, seat, answer, moment.knowledge)
            if known is not moment.known:
                moment = attrs.evolve(moment, knowledge=known)
            pointing = Pointing(self.visibility, row, known)
            words = taken_words(pointing, self._secrets, choice, seat, answer, text)
            self._note(Taken(seat, choice.name, words, choice.sealed, reading, choice.private, by))
            if explain.asks_in_secret(choice, self._secrets) and (
                guesses := explain.guesses(self.position, choice, seat)
            ):
                moment = attrs.evolve(moment, guesses={**moment.guesses, **guesses})
        if choice.sealed:
            seal = SealedAnswers((*moment.seal.answers, (seat, answer)), moment.seal.before or before)
            moment = attrs.evolve(moment, seal=seal)
        self._moment = moment

        clock = None if reading is None else self.position.clock

        def act(machine: Machine) -> None:
            if reading is not None and clock is not None:
                machine.row[self._layout.states[clock.reading]] = reading
            machine.answer(seat, answer)

        return self._step(act, before, (seat, choice.name, text))

    def play_chance(self, outcome: Possible | int) -> tuple[Event, ...]:
        """Takes a random outcome, resumes the step that waited for it, and returns the events since."""
        waiting = self._waiting
        wanted = outcome.outcome if isinstance(outcome, Possible) else outcome
        if waiting is None or all(wanted != possible for possible, _ in waiting.needs.outcomes):
            raise UnknownOption("the match does not wait for this random outcome")
        further = waiting.needs.after(wanted)
        waiting = attrs.evolve(waiting, given=(*waiting.given, wanted))
        if further is not None:
            # Between two cards of a shuffle nothing happens, so the step need not run again.
            self._waiting, self._offered = attrs.evolve(waiting, needs=further), None
            return ()
        with self._as_a_whole(self._machine):
            self._waiting = None
            return self._step(waiting.act, waiting.before, waiting.answer, waiting)

    def _begin(self) -> None:
        self._step(self._begin_on, self._machine, None)

    def _begin_on(self, machine: Machine) -> None:
        """Begins this game on a machine: by its set-up, or in the position that it was given."""
        if self._placed is None:
            machine.begin(self.players, self._begun)
        else:
            machine.row = self._placed[:]

    def _step(
        self,
        act: Callable[[Machine], None],
        before: Machine,
        answer: tuple[int, str, str] | None,
        earlier: Waiting | None = None,
    ) -> tuple[Event, ...]:
        """Runs the machine to the next choice; an `earlier` attempt waited for an outcome, which has been given."""
        if not self._explicit:
            return self._run(self._machine, act, before, answer)
        settles = bool(self._moment.orders.piles) or (answer is None and bool(self._late))
        settles = settles or (earlier is not None and earlier.settles)
        try:
            return self._run(self._asking(before, answer, earlier, settles), act, before, answer, earlier)
        except ShufflesLate:
            return self._run(self._asking(before, answer, earlier, settles=True), act, before, answer, earlier)

    def _forked(self, before: Machine, answer: object) -> Machine:
        """Returns the machine to take a step with explicit chance: the set-up where it does not begin with an answer."""
        return self._fresh(self._watched) if answer is None else before.fork()

    def _asking(self, before: Machine, answer: object, earlier: Waiting | None, settles: bool) -> Machine:
        """Returns a machine for a step that asks for each random outcome behind those given."""
        machine, orders, picks = self._forked(before, answer), self._moment.orders, self._secrets.picks
        given, known = ((), []) if earlier is None else (earlier.given, [*earlier.known])
        if not self._late and not self._named:
            machine.chance = Watched(Explicit(self.game, self._layout, given, picks, known))
            return machine
        from rulelang.machines.interpreter import CutRules
        from rulelang.machines.settling.interpreter import SettlingInterpreter
        from rulelang.machines.settling.late_chance import LateExplicit

        streams = {"late": self._late, "named": self._named}
        late = LateExplicit(self.game, self._layout, given, picks, known, **streams, orders=orders)
        if settles:
            settling = SettlingInterpreter(CutRules(self.game, self._layout, machine.control), late)
            settling.row = settling.row if answer is None else list(machine.row)
            return settling
        machine.chance = Watched(late)
        return machine

    def _run(
        self,
        machine: Machine,
        act: Callable[[Machine], None],
        before: Machine,
        answer: tuple[int, str, str] | None,
        earlier: Waiting | None = None,
    ) -> tuple[Event, ...]:
        """Runs a machine to the next choice, as `_step` does."""
        self._machine, moment = machine, self._moment
        given, noted = ((), 0) if earlier is None else (earlier.given, earlier.noted)
        asked = before.pending if answer is not None else None
        owing = bool(moment.seal.answers) and asked is not None and len(asked.seats) > 1
        watched = machine.chance if isinstance(machine.chance, Watched) else self._watched
        watched.drawn = []
        entries: list[Event | Drawn] = []
        recorder = self._recording(machine, moment, entries) if self.is_traced else None
        self._recorder = recorder
        machine.trace = recorder or self._probe
        try:
            act(machine)
        except NeedsChance as needs:
            self._machine, new = before, entries[noted:]
            self._note(*new)
            stopped, midst = before.fork(), moment.after(owing)
            if recorder is not None:
                recorder.close()
                midst = moment.recorded(recorder, owing, answer, entries)
            asks, noted = watched.chance, noted + len(new)
            stopped.row, midst = list(machine.row), midst.with_orders(asks)
            known, settles = (tuple(asks.known), asks.settles) if isinstance(asks, Explicit) else ((), False)
            self._waiting = Waiting(
                act, before, moment, answer, given, known, settles, noted, needs, machine=stopped, midst=midst
            )
            return tuple(entry for entry in new if isinstance(entry, Event))
        except RuntimeRules as error:
            if recorder is not None:
                recorder.close()
                self._note(*entries[noted:], Fault(clean(str(error))))
            if self._past is not None:
                self._go_back(self._past)
            raise
        finally:
            machine.trace, self._offered, self._recorder = None, None, None
        if self._late or self._named:
            # It may have been taken by an interpreter; the row is that of any machine.
            self._machine = self._forked(before, answer)
            self._machine.row = list(machine.row)
        self._machine.chance = self._watched
        if recorder is None:
            self._moment = moment.after(owing).with_orders(watched.chance)
            return ()
        recorder.close()
        self._note(*entries[noted:])
        self._moment = moment.recorded(recorder, owing, answer, entries).with_orders(watched.chance)
        self._offered = None
        if machine.pending is None and (outcome := self.position.told_outcome) is not None:
            self._note(outcome)
        return tuple(entry for entry in entries[noted:] if isinstance(entry, Event))

    def _recording(self, machine: Machine, moment: Moment, entries: list[Event | Drawn]) -> Recorder:
        watched = machine.chance if isinstance(machine.chance, Watched) else self._watched
        recorder = Recorder(
            machine,
            self.visibility,
            self._secrets,
            watched,
            moment.knowledge,
            moment.frames,
            moment.events,
            entries.append,
            moment.guesses,
            moment.noted,
            self._probe,
        )

        def reordered(kind: int, place: int, order: Sequence[Thing]) -> None:
            recorder.knowledge = recorder.knowledge.reordered(kind, place, order)

        if hasattr(machine, "reordered"):
            machine.reordered = reordered
        return recorder

    @contextmanager
    def _as_a_whole(self, before: Machine) -> Iterator[None]:
        """Makes the body atomic: its entries are told at the end, and if it raises, the match is restored.

        A fault of the rules is told, too: it is in the journal, and `_step` has already restored the match.
        """
        self._catch_up()
        kept = self._past, self._stand, self._waiting
        self._offered = None
        page, count = self._journal.page, self._journal.inputs
        fault: RuntimeRules | None = None
        try:
            try:
                yield
            except RuntimeRules as error:
                fault = error
            self._journal.tell()
        except BaseException:
            self._machine = before.fork()
            self._machine.chance, self._offered = self._watched, None
            self._past, self._stand, self._waiting = kept
            self._written = self._stand
            self._journal.back_to(page, count)
            raise
        finally:
            self._offered = None
        if fault is not None:
            raise fault

    def _reading(self, elapsed: int | None) -> int | None:
        """Returns a clock's reading as it is stored; see `clock_reading`."""
        if elapsed is None:
            return None
        taken = inputs.whole(elapsed, "the time that an answer took")
        return None if self.position.clock is None else clock_reading(taken, self.position.time_left)

    def _note(self, *entries: Entry) -> None:
        for entry in entries if self.is_traced else ():
            self._journal.note(entry)

    # -------------------------------------------------------------- deferred steps

    def _is_unheard(self) -> bool:
        """Returns whether a step may be recorded later, because nobody listens."""
        if self._explicit or self._probe is not None:
            return False
        if not self.is_traced:
            return True
        return not self._journal.listeners and isinstance(self._watched.chance, Seeded)

    def _put_off(
        self,
        stand: Moment | Untold,
        before: Machine | None,
        option: Option | None,
        number: int | None,
        seal: SealedAnswers = UNSEALED,
    ) -> Events:
        """Returns the events of the step that an option led to, computed when they are read; see `Untold`."""
        step = self._stand = Untold(stand, before, option, number, seal, self._teller or self._own_teller())
        return Events(step)

    def _own_teller(self) -> Teller:
        """Returns the functions that retell deferred steps on forks of a copy of this match."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._past = copy._offered = copy._probe = copy._recorder = None
        self._teller = Teller(copy._retold, copy._followed)
        return self._teller

    def _retold(self, moment: Moment, steps: Sequence[Untold]) -> Iterator[Retelling]:
        """Yields the results of several steps in a row, the first of which may be the set-up, on a copy of this match."""
        # Few matches are read long after they were played, and all would wait for its module.
        from rulelang.match.fast_forward import told

        if steps[0].before is None:
            moment, entries = self._begun_again(moment)
            yield moment, entries
            steps = steps[1:]
        if steps:
            yield from told(self.visibility, self._secrets, self._watched.chance, moment, steps)

    def _followed(self, moment: Moment, steps: Sequence[Untold]) -> Iterator[Moment]:
        """Yields the moment after each of several steps in a row; see `followed`."""
        from rulelang.match.fast_forward import followed

        return followed(self.visibility, self._secrets, self._watched.chance, moment, steps)

    def _begun_again(self, moment: Moment) -> Retelling:
        copy = self.fork()
        copy._stand, copy._journal = moment, Journal()
        copy._machine = self._fresh(copy._watched)
        copy._begin()
        return copy._moment, copy._journal.entries

    def _catch_up(self) -> None:
        """Records the deferred steps."""
        for step in since(self._stand, self._written):
            for entry in step.entries:
                self._journal.note(entry)
            self._journal.tell()
        self._written = self._stand

    @property
    def _moment(self) -> Moment:
        return moment_at(self._stand)

    @_moment.setter
    def _moment(self, moment: Moment) -> None:
        self._stand = moment

    # -------------------------------------------------------------- back

    def undo(self, seat: int | None = None, *, to: int | None = None) -> None:
        """Takes back the last answer (of one seat, if given), or the input with a number, and everything after it.

        Raises IllegalOption if there is none. The same dice come again.
        """
        inputs.viewer(seat, self.players)
        if to is not None:
            inputs.whole(to, "the number of an input")
        past = self._past
        while past is not None and (seat not in (None, past.seat) or to not in (None, past.number)):
            past = past.previous
        if past is None:
            raise IllegalOption("there is nothing to take back")
        with self._as_a_whole(self._machine):
            self._go_back(past)
            self._written = self._stand
            if self._late:
                # What was taken back may have been shown other things than those that come next.
                self._journal.cut(past.number)
            else:
                self._note(Undone(past.number))

    def _go_back(self, past: Past) -> None:
        # The machine of the past is shared with forks, and may be the one before a seal.
        self._machine = past.machine.fork()
        self._machine.chance = self._watched
        self._past, self._stand, self._waiting, self._offered = past.previous, past.stand, None, None

    def forget(self) -> None:
        """Drops the past to save memory in a very long match.

        Afterwards nothing can be taken back, the journal starts
        empty, and asking for earlier events raises RulelangError.
        """
        self._catch_up()
        self._past, self._offered = None, None
        self._journal.forget()
        chapter = self._moment.chapter
        if chapter is not None:
            self._moment = attrs.evolve(self._moment, chapter=Chapter.forgotten(chapter, self.visibility.viewers))

    # -------------------------------------------------------------- copies

    def fork(self, *, traced: bool | None = None) -> Self:
        """Returns an independent match in the same position; an untraced one plays faster and records nothing."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._machine, copy._offered = self._machine.fork(), None
        copy._journal = self._journal.fork()
        copy._probe, copy._recorder = None, None
        copy.is_traced = self.is_traced if traced is None else traced
        copy._watched = Watched(self._watched.chance)
        copy._machine.chance = copy._watched
        return copy

    __copy__ = fork

    def __deepcopy__(self, memo: object) -> Self:
        return self.fork()

    def __reduce__(self) -> NoReturn:
        """Raises TypeError: running rules cannot be pickled, a log can."""
        raise TypeError("a match cannot be pickled: keep its log (`match.log.text`), and replay that")


def _settled_streams(game: GameRules) -> tuple[frozenset[int], frozenset[int]]:
    """Returns the streams of the shuffles that explicit chance settles late, and those of draws that need a machine which
    says what its locals stand for."""
    # Few matches have explicit chance, and all would wait for its module.
    from rulelang.machines.settling.streams import late_streams, named_streams

    return late_streams(game), named_streams(game)
