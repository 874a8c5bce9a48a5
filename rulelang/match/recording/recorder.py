"""A machine's trace -> events, random outcomes, and knowledge.

One event is open at a time. It is closed, and emitted with what was drawn for it, when another rule begins, when its own ends,
and when the game stops for a choice. Who may read the name of a thing is settled at once: later knowledge changes no words.

    before   nitro lies in red's hand, which red sees
    trace    move(nitro, red.tokens, discards)
    change   "nitro: red.tokens -> discards", for everybody: discards lie face up
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import CALLED, CHOOSER, DRAWS, MIXED, THROWS, EndForm, GameRules, StateVariable
from rulelang.ir.numbers import NO_THING, Mask, Row, Seat, Slot, Thing
from rulelang.ir.picks import told_name
from rulelang.ir.types import NONE, PLAYER, KindType, Type
from rulelang.knowledge.knowledge import ANY, Knowledge
from rulelang.knowledge.redaction import (
    EVERYONE,
    NOBODY,
    Hole,
    Words,
    back,
    cell_name,
    said_seat,
    said_zone,
    seat_name,
    secret,
    sorted_things,
    zone_name,
)
from rulelang.knowledge.rendering import Draft, Pointing, Scene, knowers_of_sight
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Shifting, Visibility
from rulelang.knowledge.visible_knowledge import known_when_given
from rulelang.knowledge.witnesses import Witnesses
from rulelang.machines.chance import Watched
from rulelang.machines.evaluate import contents
from rulelang.machines.machine import Answer, LaidEnd, Machine, Trace, ValueFunction
from rulelang.machines.meter import Patience
from rulelang.match.recording.announced import as_much_as, named_alike, type_key
from rulelang.match.recording.call_stack import (
    OpenEvent,
    RuleFrame,
    begun,
    going_on,
    having_told,
    saying,
    tellers,
)
from rulelang.match.recording.change_words import assigned, moved, open_writes, seat_names, thing_words
from rulelang.match.recording.events import Change, Drawn, Event, Told
from rulelang.match.recording.interchangeable import copies_of
from rulelang.match.recording.journal import unheard
from rulelang.match.recording.parts import ShownParts
from rulelang.match.recording.rule_words import RuleWords, readers_of, words_kept, words_of
from rulelang.match.recording.step_record import NOTHING_LEFT, Draw, Passage, Passing, Trail
from rulelang.match.recording.viewer_text import SecretAnswers, answer_words, known_as, value_draft
from rulelang.program.layout import index_at
from rulelang.program.packing import mask_of


@attrs.define(eq=False, repr=False)
class Recorder:
    """A `Trace` that passes events and outcomes to `emit`, in order, and keeps `knowledge` up to date.

    `also` is another trace, which hears everything after this one and may write to the row when a phase begins.
    """

    machine: Machine
    visibility: Visibility
    secrets: Secrets
    watched: Watched
    knowledge: Knowledge
    frames: tuple[RuleFrame, ...]
    events: int
    """The number of events so far, which is the next one's number."""
    emit: Callable[[Event | Drawn], None] = unheard
    guesses: SecretAnswers = attrs.field(factory=dict)
    noted: Mapping[int, Mask] = attrs.field(factory=dict)
    """By local: the viewers who may know it; see `Witnesses`."""
    also: Trace | None = None
    passages: list[Passage] = attrs.field(factory=list)
    """The passages of things; see `match.recording.step_record`."""
    patience: Patience = attrs.field(factory=Patience)
    game: GameRules = attrs.field(init=False, default=attrs.Factory(lambda self: self.visibility.game, takes_self=True))
    """The game that is recorded."""
    _open: OpenEvent | None = None
    _begun: list[OpenEvent] = attrs.field(factory=list)
    """The events that are not emitted yet, the open one included: to some viewers the first may still continue."""
    _ended: tuple[RuleFrame, ...] = ()
    """The rules that have ended while their changes may still follow."""
    _has_set: bool = False
    """Whether a variable that everybody sees has changed since a rule was last entered."""
    _block: object | None = None
    _came: dict[int, int] = attrs.field(factory=dict)
    """By kind: the mask of the things that have moved in the running `simultaneously`."""

    def go_on(self, knowledge: Knowledge, guesses: SecretAnswers) -> None:
        """Begins a step behind the last one: `knowledge` is as its answer leaves it."""
        self.knowledge, self.guesses, self.passages, self.patience = knowledge, guesses, [], Patience()
        self._ended, self._has_set, self._block, self._came = (), False, None, {}

    def close(self) -> None:
        """Emits the open event, if there is one, and the earlier ones that could still continue."""
        events, self._begun, self._open = self._begun, [], None
        for event in events:
            for drawn in event.drawn:
                self.emit(drawn)
            self.emit(event.closed(self.game))

    def _close_for(self, seers: Mask) -> None:
        """Closes the open event for some viewers; to the others it may continue."""
        if seers == EVERYONE:
            self.close()
            return
        self._open = None
        for event in self._begun:
            event.still = Mask(event.still & ~seers)

    def trail(self, entries: Sequence[Event | Drawn]) -> Trail:
        """Returns the trail of the step, with the viewers of each draw that was told."""
        told = [entry.seers for entry in entries if isinstance(entry, Drawn)]
        drawn = self.watched.drawn
        if not drawn and not self.passages:
            return NOTHING_LEFT
        seers = told if len(told) == len(drawn) else [NOBODY] * len(drawn)
        draws = (Draw(*one, who) for one, who in zip(drawn, seers, strict=True))
        return Trail(tuple(draws), tuple(self.passages))

    # -------------------------------------------------------------- rules

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        """Begins an event for a rule."""
        called, outside, noted = EVERYONE, None, self.noted
        aware = self.frames[-1].seers if self.frames else EVERYONE
        if CALLED in noted:
            called = self._called()
            aware = Mask(called & aware)
        if THROWS in noted or DRAWS in noted:
            self._forget(THROWS, DRAWS)
        if aware == EVERYONE:
            self.close()
        else:
            outside = going_on(self.game, self.frames, self.events).closed(self.game)
            self._close_for(aware)
        if self._has_set:
            self._ended, self._has_set = (), False
        frame, event = self._entered(rule, arguments, called, aware, outside)
        self._begin(event)
        self.frames += (frame,)
        if self.also is not None:
            self.also.enter(rule, arguments)

    def _entered(
        self, rule: int, arguments: tuple[int, ...], called: Mask, aware: Mask, outside: Event | None
    ) -> tuple[RuleFrame, OpenEvent]:
        """Returns the frame of a rule and its first event, with their words."""
        kept, key, words = words_kept(self.visibility, self.secrets, rule), None, None
        if kept is not None:
            key = arguments if kept.is_plain else kept.key(self._pointing, self.noted, arguments, self._functions)
            words = None if key is None else kept.made.get(key)
        if words is None:
            words = self._rule_words(rule, arguments)
            if kept is not None and key is not None:
                kept.keep(key, words)
        return begun(self.game, self.frames, rule, self.events, words, (called, aware, outside))

    def _rule_words(self, rule: int, arguments: tuple[int, ...]) -> RuleWords:
        about, row = self.game.rules[rule], self.machine.row
        around = arguments[len(about.parameters) :]
        locals = {v.id: value for v, value in zip(about.around, around, strict=False)}
        told = self._witnesses().told(locals, row)
        drafts = self._arguments(rule, arguments, locals, told)
        secret = self.secrets.locals
        scene = Scene(self.visibility, row, self.knowledge, locals, told, secret, patience=self.patience)
        return words_of(about, arguments, drafts, scene, self._pointing)

    def _arguments(
        self, rule: int, arguments: tuple[int, ...], locals: dict[int, int], told: dict[int, int]
    ) -> list[Draft]:
        """Returns the words for a rule's arguments; adds the arguments to `locals`, and their readers to `told`."""
        words: list[Draft] = []
        for i, (variable, value) in enumerate(zip(self.game.rules[rule].parameters, arguments, strict=False)):
            locals[variable.id] = value
            seers = self._who_was_told(rule, i, arguments)
            words.append(value_draft(self.game, value, variable.type, seers))
            told[variable.id] = seers & self._pointing.of_all(variable.type, value)
            if variable.id in self.secrets.locals and variable.id not in self.secrets.witnessed:
                self.noted = {**self.noted, variable.id: seers}
        return words

    @property
    def _functions(self) -> Mapping[int, ValueFunction]:
        """Functions for what sentences compute; none once words have overdrawn their budget."""
        return {} if self.patience.is_over else self.machine.holes

    @property
    def _pointing(self) -> Pointing:
        return Pointing(self.visibility, self.machine.row, self.knowledge)

    def _witnesses(self) -> Witnesses:
        return Witnesses(self.visibility, self.secrets, self.knowledge, self.noted)

    def witness(self, id: int, values: tuple[int, ...]) -> None:
        """Notes the viewers who may know a local that is about to be bound."""
        secrets, seers = self.secrets, EVERYONE
        witness = secrets.witnesses[id]
        local = CALLED if witness.local == CHOOSER else witness.local
        if local in secrets.things and local in witness.reads:
            self._point(secrets.things[local], values[witness.reads.index(local)])
        elif id in secrets.looked_up and (found := self._witnesses().found(id, values, self.machine.row)):
            self._single_out(*found)
        if local == MIXED:
            self.knowledge = self._witnesses().mixed(id, values, self.machine.row)
        if local == CALLED or id not in secrets.evident:
            seers = self._witnesses().seers(id, values, self.machine.row)
        if self.noted.get(local) != seers:
            self.noted = {**self.noted, local: seers}
        if self.also is not None:
            self.also.witness(id, values)

    def _point(self, type: Type, value: int, to: Mask = EVERYONE, slot: int = -1) -> None:
        """Notes that things are pointed at anew: viewers who followed them must identify them by their places again."""
        kind = kind_of(type, self.game)
        if kind is None or value == NONE:
            return
        self._single_out(kind.id, (Thing(value),) if isinstance(type, KindType) else sorted_things(kind, value), to)
        if slot >= 0 and isinstance(type, KindType):
            self.knowledge = self.knowledge.put_down(slot, kind.id, Thing(value))

    def _single_out(self, kind: int, things: tuple[Thing, ...], to: Mask = EVERYONE) -> None:
        told = {thing: self._pointing.pointed(kind, thing, mask_of(things)) for thing in things}
        for thing, seers in told.items():
            others = self.knowledge.followers(kind, thing) & ~to
            self.knowledge = self.knowledge.singled_out(kind, thing, seers | others)

    def leave(self, rule: int) -> None:
        """Ends the event of a rule."""
        event, frames, is_delayed = self._open, self.frames, rule in self.visibility.delayed
        if event is not None and event.words.otherwise and not event.changes and not is_delayed:
            event.sentence = event.words.otherwise
        at = len(frames) - 1
        while at > 0 and frames[at].rule != rule:
            at -= 1
        ended = frames[at] if frames and frames[at].rule == rule else None
        if ended is not None and not is_delayed:
            for event in self._begun:
                if event.number == ended.event:
                    event.idle = event.still
        self._close_for(EVERYONE if ended is None else ended.seers)
        if THROWS in self.noted:
            self._forget(THROWS)
        if ended is not None and ended.called != EVERYONE:
            self.noted = {**self.noted, CALLED: ended.called}
        if is_delayed:
            self._ended = (*self._ended, *frames[at:][::-1])
        self.frames = frames[:at] if at > 0 else ()
        if self.also is not None:
            self.also.leave(rule)

    def enter_phase(self, procedure: int, arguments: tuple[int, ...], machine: Machine) -> None:
        """Passes the beginning of a phase on to the other trace, which may write to the row."""
        if self.also is not None:
            self.also.enter_phase(procedure, arguments, machine)
            self.knowledge = known_when_given(self.visibility, self.knowledge, machine.row)

    def _who_was_told(self, rule: int, position: int, arguments: tuple[int, ...]) -> Mask:
        return readers_of(self.visibility, self.secrets, self.noted, rule, arguments, position)

    def _event(self) -> OpenEvent:
        """Returns the open event; if there is none, opens another one for the running rule."""
        if self._open is None:
            self._begin(going_on(self.game, self.frames, self.events))
        assert self._open is not None
        return self._open

    def _begin(self, event: OpenEvent) -> None:
        self._open = event
        self._begun.append(event)
        self.events += 1

    def _called(self) -> Mask:
        """Returns the viewers who may know of the present call, as its witness has noted."""
        called = self._everyone_or(self.noted[CALLED])
        self._forget(CALLED)
        return called

    def _forget(self, *locals: int) -> None:
        left = dict(self.noted)
        for one in locals:
            left.pop(one, None)
        self.noted = left

    @property
    def _aware(self) -> Mask:
        """The viewers who may know that something is drawn now: who know of the running rule and of the way that it took."""
        running = self.frames[-1].seers if self.frames else EVERYONE
        return self._everyone_or(Mask(self.noted.get(DRAWS, EVERYONE) & running))

    def _everyone_or(self, seers: Mask) -> Mask:
        everybody = (1 << self.visibility.viewers) - 1
        return EVERYONE if seers & everybody == everybody else seers

    def _change(self, site: int, change: Change) -> None:
        """Adds a change made by a line of the rules to the open event."""
        clauses = self._clauses(site)
        self._tell(change if not clauses or change.clauses is clauses else change.citing(clauses))

    def _tell(self, change: Change) -> None:
        """Adds a change to the open event, with the clauses of its line."""
        event = self._open or self._event()
        for clause in change.clauses:
            if clause not in event.clauses:
                event.clauses += (clause,)
        event.changes.append(change)

    def _clauses(self, site: int) -> tuple[str, ...]:
        """Returns the clauses that a line cites."""
        return self.game.sites[site].clauses if 0 <= site < len(self.game.sites) else ()

    # -------------------------------------------------------------- variables

    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        """Records a write to a variable."""
        about, slot = self.game.states[state], Slot(self.visibility.layout.states[state] + index)
        if state in self.visibility.plain:
            self._has_set = True
            line = self.visibility.open_writes.get((state, site)) or open_writes(self.visibility, state, site)
            covered = line.covered
            if line.saying:
                covered = self._covered(line.saying, line.word, slot, old, new, ())
            self._tell(line.change(index, old, new, covered))
        elif state not in self.visibility.inner:
            seers = self.visibility.of_cell(about, index, self.machine.row)
            self._has_set |= seers == EVERYONE
            before = self._pointing
            self._point(about.type, new, seers, slot)
            self._notice(about, index, slot, new, site, seers)
            after = self._pointing
            words, covered = self._assigned(before, after, about, index, old, new), EVERYONE
            if not about.untold:
                saying, word = self.visibility.said.by(state, site), type_key(about.type, 0)[0]
                covered = self._covered(saying, word, slot, old, new, words.after) if saying else NOBODY
            if old == new:
                seers = Mask(seers & ~(before.knowers_of(about, slot) & after.knowers_of(about, slot)))
            self._change(site, Change("set", words.name, words.before, words.after, seers, words.told, covered))
        shifting = self.visibility.shifting
        if shifting is not None and state in shifting.read:
            row = list(self.machine.row)
            row[slot] = old
            self._look_again(shifting, site, row)
        if self.also is not None:
            self.also.set(state, index, old, new, site)

    def set_again(self, state: int, index: int, value: int, site: int) -> None:
        """Records a write that nobody need be told of: viewers who may not see the variable forget its value."""
        about, slot = self.game.states[state], Slot(self.visibility.layout.states[state] + index)
        self._notice(about, index, slot, value, site, self.visibility.of_cell(about, index, self.machine.row))

    def _notice(self, about: StateVariable, index: int, slot: Slot, value: int, site: int, seers: Mask) -> None:
        if about.visible == "expr":
            self.knowledge = self.knowledge.noticed(slot, value, seers)
        if seers == EVERYONE or about.id in self.visibility.inner:
            return
        values: tuple[int, ...] = (value,)
        if not self.secrets.constants.get((site, about.id), False):
            owner = index_at(about.dimensions, index)[0][0] if about.owner == PLAYER else -1
            answered = (self.guesses.get((asked, owner), ()) for asked in sorted(self.secrets.asked.get(about.id, ())))
            values = tuple(sorted({value for values in answered for value in values})) or ANY
        self.knowledge = self.knowledge.guessed(slot, values if value in values else ANY)

    _assigned = staticmethod(assigned)

    def _covered(self, saying: Mapping[int, bool], word: str, slot: Slot, old: int, new: int, after: Words) -> Mask:
        """Returns the viewers whom the sentence of a running rule tells a change, in a hole for its value or amount."""
        amount = None if NONE in (old, new) else (word, abs(new - old))
        told = tellers(self.frames, self._ended, saying, slot, ((word, new), amount))
        if told:
            self.frames = having_told(self.frames, saying, slot)
            self._ended = having_told(self._ended, saying, slot) if self._ended else ()
        return as_much_as(told.values(), after)

    def _words(self, draft: Draft) -> Words:
        """Returns the words of a draft, with its things named to the viewers who can identify them now."""
        return self._pointing.words(draft)

    # -------------------------------------------------------------- things

    def move(self, kind: int, thing: Thing, source: int, target: int, end: LaidEnd, site: int) -> None:
        """Records the move of a thing."""
        row, visibility, knowledge = self.machine.row, self.visibility, self.knowledge
        leaves, enters = visibility.of_place(kind, source, row), visibility.of_place(kind, target, row)
        came = self._came.setdefault(kind, 0) if self._is_at_once() else 0
        copies = 0
        if knowledge.lying(kind).alike[thing] != 1 << thing:
            copies = copies_of(self.game, visibility.layout, row, kind, thing, knowledge.things_at(kind, source))
        self.knowledge = knowledge.moved(
            kind, thing, source, target, leaves=leaves, enters=enters, end=end, came=came, copies=copies
        )
        self._came[kind] = came | 1 << thing
        self._pass("move", kind, thing, source, target, end)
        self._tell_move(kind, thing, source, target, end, site)
        shifting = self.visibility.shifting
        if shifting is not None and shifting.looks_at_things:
            self._look_again(shifting, site, self.machine.row)
        if self.also is not None:
            self.also.move(kind, thing, source, target, end, site)

    def _tell_move(self, kind: int, thing: Thing, source: int, target: int, end: LaidEnd, site: int) -> None:
        """Adds the words for a move, once it is known who can follow it."""
        seers, zones = self._identified(kind, thing), self.visibility.zones_at[kind]
        self._settle(kind, thing, moved=True)
        covered = EVERYONE
        if not (zones[source][0].untold or zones[target][0].untold):
            covered = self._names(kind, thing, thing_words(self.visibility, kind, thing, seers), moves=True)
        places, clauses = (source, target), self._clauses(site)
        self._change(site, moved(self.visibility, kind, thing, places, end, seers, covered, clauses))

    def _names(self, kind: int, thing: Thing, subject: Words, moves: bool = False) -> Mask:
        """Returns the viewers to whom a running rule's sentence named a thing or its copy; if it `moves`, for one move."""
        about, slot = self.game.kinds[kind], self.visibility.layout.places[kind] + thing
        frames = [frame for frame in self.frames if frame.spoken and not (moves and slot in frame.told)]
        named = [(f.rule, seers) for f in frames if (seers := named_alike(f.spoken, about, thing)) is not None]
        if not named:
            return NOBODY
        self.frames = having_told(self.frames, dict(named), slot) if moves else self.frames
        return as_much_as((seers for _, seers in named), subject)

    def _is_at_once(self) -> bool:
        """Returns whether moves of a `simultaneously` are being made; forgets the arrivals of an earlier one."""
        block = self.machine.at_once
        if block is None or block is not self._block:
            self._came, self._block = {}, block
        return block is not None

    def shuffle(self, zone: int, place: int, site: int) -> None:
        """Records the shuffle of a pile."""
        about = self.game.zones[zone]
        instance = place - about.first_place
        name = zone_name(self.game, about, instance)
        seen = self.visibility.of_zone(about, instance, self.machine.row)
        self.knowledge = self.knowledge.shuffled(about.kind, place, self.watched.order, seen=seen)
        self.passages.append(Passage("shuffle", about.kind, NO_THING, place, place, "", seen, len(self.watched.drawn)))
        said = (said_zone(self.game, about, instance),)
        covered = EVERYONE if about.untold else NOBODY
        told = Told("is shuffled", said)
        self._change(site, Change("shuffle", (name,), seers=self._aware, told=told, covered=covered))
        order = tuple(self.game.kinds[about.kind].names[thing] for thing in self.watched.order)
        self._event().drawn += (Drawn("shuffle", f"shuffle {about.name}", order, name, seen, self._aware),)
        if self.also is not None:
            self.also.shuffle(zone, place, site)

    def turn_up(self, kind: int, thing: Thing, site: int) -> None:
        """Records that a thing was turned face up."""
        self.knowledge = self.knowledge.turned_up(kind, thing)
        self._pass("show", kind, thing)
        told = Told("is revealed", self._named(kind, thing, said=True))
        self._settle(kind, thing)
        named = self._named(kind, thing)
        self._change(site, Change("reveal", named, told=told, covered=self._names(kind, thing, named)))
        if self.also is not None:
            self.also.turn_up(kind, thing, site)

    def show(self, kind: int, thing: Thing, seats: int, part: int, site: int) -> None:
        """Records that a thing, or a part of it, was shown to some."""
        self.knowledge = ShownParts(self.game).shown(self.knowledge, kind, thing, seats, part)
        self._pass("show", kind, thing)
        noted, said = ShownParts(self.game).words(
            self.knowledge, kind, thing, part, self._named(kind, thing, said=True)
        )
        told = Told("is shown to", said, (), (self._seats(seats, name_of=said_seat),))
        self._change(site, Change("show", self._named(kind, thing), noted, (self._seats(seats),), told=told))
        self._settle(kind, thing)
        if self.also is not None:
            self.also.show(kind, thing, seats, part, site)

    def _look_again(self, shifting: Shifting, site: int, before: Row) -> None:
        """Shows the contents of zones and variables to the viewers who have come to see them.

        Viewers who may not know that others see them now are not told.
        """
        row, visibility, layout = self.machine.row, self.visibility, self.visibility.layout
        for zone in shifting.zones:
            for instance in range(layout.zone_sizes[zone.id]):
                seers = visibility.of_zone(zone, instance, row)
                aware = knowers_of_sight(visibility, zone, instance, row, self.knowledge)
                for thing in contents(row, layout, zone, instance):
                    more = seers & ~self.knowledge.knowers(zone.kind, thing)
                    if more:
                        self.knowledge = self.knowledge.shown(zone.kind, thing, more)
                        self._pass("show", zone.kind, thing)
                        named = self._named(zone.kind, thing)
                        self._change(site, Change("show", named, (), (self._seats(more),), aware | more))
        for state in shifting.states:
            for at in range(layout.state_sizes[state.id]):
                slot = layout.states[state.id] + at
                now, known = visibility.of_cell(state, at, row), visibility.of_cell(state, at, before)
                # Where a secret decides whether it is written, to remember it would tell whether it has been.
                forgets = state.id in self.secrets.doubtful
                known |= 0 if forgets else self.knowledge.cell_knowers(slot, row[slot])
                more = now & ~known
                self.knowledge = self.knowledge.noticed(slot, row[slot], now if forgets else known | more)
                if more:
                    words = (
                        f"{cell_name(self.game, state, at)} = ",
                        *self._words(value_draft(self.game, row[slot], state.type, EVERYONE)),
                    )
                    self._change(site, Change("show", words, (), (self._seats(more),), more))

    def _seats(self, seats: int, name_of: Callable[[GameRules, Seat], str] = seat_name) -> str:
        return seat_names(self.game, self.visibility.players, seats, name_of)

    def _named(self, kind: int, thing: Thing, *, said: bool = False) -> Words:
        """Returns the words for a thing, as viewers know it now: its written form or, if it is `said`, its name."""
        return thing_words(self.visibility, kind, thing, self._identified(kind, thing), said=said)

    def _identified(self, kind: int, thing: Thing) -> Mask:
        """Returns the viewers who can identify a thing now."""
        return Mask(self._pointing.told(kind, thing, 1 << thing))

    def _pass(
        self, what: Passing, kind: int, thing: Thing, source: int = -1, target: int = -1, end: LaidEnd = ""
    ) -> None:
        knowers = self.knowledge.knowers(kind, thing)
        self.passages.append(Passage(what, kind, thing, source, target, end, knowers, len(self.watched.drawn)))

    def _settle(self, kind: int, thing: Thing, moved: bool = False) -> None:
        """Lets the words of the open event name a thing to those who know it now, until it has moved once."""
        self.knowledge = self.knowledge.spread(kind, thing)
        pointing = self._pointing
        for event in self._begun:
            if event.words.names_things and event.still and (kind, thing) not in event.settled:
                event.call = known_as(event.call, kind, thing, pointing, event.still, moved)
                sentence = known_as(event.sentence, kind, thing, pointing, event.still, moved)
                if sentence is not event.sentence:
                    event.sentence = sentence
                    self.frames = saying(self.frames, event.number, sentence, self.game)
                if moved:
                    event.settled |= {(kind, thing)}

    # -------------------------------------------------------------- chance, choices, the end

    @property
    def _behind_the_screen(self) -> Mask:
        """The viewers who may know the present draw: they see its use."""
        return self.noted.get(THROWS, EVERYONE)

    def _drew(self, what: Literal["roll", "pick"], stream: int, value: str, seers: Mask, said: Words) -> None:
        name, called = self.game.streams[stream], told_name(self.game, stream)
        self._event().drawn += (Drawn(what, name, (value,), called, seers, self._aware),)
        self._change(0, Change(what, (called,), (), said, self._aware))

    def roll(self, stream: int, face: int) -> None:
        """Records a roll."""
        self._drew("roll", stream, str(face), (seers := self._behind_the_screen), secret(str(face), seers))
        if self.also is not None:
            self.also.roll(stream, face)

    def pick(self, stream: int, value: int) -> None:
        """Records a random pick. The trace identifies the thing when it moves."""
        seers = self._behind_the_screen
        kind = self.game.kinds[self.secrets.picks[stream]] if stream in self.secrets.picks else None
        if kind is None or not kind.movable or value == NONE:
            text = str(value) if kind is None or value == NONE else kind.names[value]
            self._drew("pick", stream, text, seers, secret(text, seers))
        else:
            self.knowledge = self.knowledge.drawn(kind.id, self.watched.among)
            self._point(KindType(kind.name, kind.size), value)
            thing = kind.names[value]
            self._drew("pick", stream, thing, NOBODY, (Hole(((thing, 0),), *back(kind)),))
        if self.also is not None:
            self.also.pick(stream, value)

    def forced(self, choice: int, seat: Seat, answer: Answer) -> None:
        """Records that a lone option was taken."""
        option, _ = answer_words(self._pointing, self.secrets, choice, seat, answer)
        site = self.game.choices[choice].site
        self._change(site, Change("forced", (seat_name(self.game, seat),), (), option))
        if self.also is not None:
            self.also.forced(choice, seat, answer)

    def finish(self, how: EndForm, rule: int) -> None:
        """Records the end of the game."""
        self._change(0, Change("finish", (how,)))
        self.close()
        if self.also is not None:
            self.also.finish(how, rule)
