"""A machine's trace -> the lines of a log for it, made at once, without knowledge.

    trace    enter(take, (2,)); set(heap, 0, 12, 10); leave(take)
    line     {"event":1,"cause":0,"depth":1,"rule":"take",...,"changes":[["set","heap","12","10"]]}

`match.recording.recorder` makes the same lines with everybody's knowledge, and decides where a line differs.
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import WHOLE, EndForm
from rulelang.ir.numbers import Seat, seats_of
from rulelang.ir.picks import told_name
from rulelang.knowledge.redaction import seat_name, zone_name
from rulelang.log.bare.wording import Phrases, Situation, as_json, change_of
from rulelang.machines.chance import Watched
from rulelang.machines.machine import Answer, LaidEnd, Machine, Silent
from rulelang.match.recording.parts import part_shown


@attrs.define
class _Frame:
    """A running rule: its first event, and its arguments."""

    rule: int
    event: int
    call: str


@attrs.frozen
class EchoMark:
    """The state of an echo between two steps."""

    frames: tuple[_Frame, ...]
    events: int


class Echo(Silent):
    """A `Trace` that writes the lines of a step into `lines`, without their running hashes.

    `inputs` counts the inputs so far. Raises Unechoed. It does not support games in which visibility varies.
    """

    def __init__(self, phrases: Phrases, machine: Machine, watched: Watched, players: int) -> None:
        self.phrases, self.game, self.watched, self.players = phrases, phrases.game, watched, players
        self.machine = machine
        self.lines: list[str] = []
        self.inputs = 0
        self._frames: tuple[_Frame, ...] = ()
        self._events = 0
        self._is_open, self._goes_on = False, False
        self._head, self._front, self._sentence, self._otherwise = "", "", '""', ""
        self._clauses: tuple[str, ...] = ()
        self._told: list[str] = []
        self._drawn: list[str] = []

    def mark(self) -> EchoMark:
        """Returns the present state."""
        return EchoMark(self._frames, self._events)

    def back_to(self, mark: EchoMark) -> None:
        """Goes back to an earlier state."""
        self._frames, self._events = mark.frames, mark.events

    def begin(self, machine: Machine, inputs: int) -> None:
        """Begins a step of a machine, after a number of inputs."""
        self.machine, self.inputs, self.lines, self._is_open = machine, inputs, [], False

    def close(self) -> None:
        """Writes the open event, if there is one."""
        if not self._is_open:
            return
        self._is_open = False
        for drawn in self._drawn:
            self.inputs += 1
            self.lines.append(f'{{"n":{self.inputs},{drawn}')
        on = ',"goes_on":true}' if self._goes_on else "}"
        cited = self.phrases.clauses(self._clauses)
        changes = ",".join(self._told)
        self.lines.append(f'{self._head}{self._front}{cited},"sentence":{self._sentence},"changes":[{changes}]{on}')

    # -------------------------------------------------------------- rules

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        """Opens an event for a rule that begins."""
        if self._is_open:
            self.close()
        phrases = self.phrases
        opening = phrases.openings.get((rule, arguments))
        if opening is None:
            opening = phrases.opening(rule, arguments, self.machine.row, self.machine.holes)
        frames, event = self._frames, self._events
        cause = frames[-1].event if frames else "null"
        self._head = f'{{"event":{event},"cause":{cause},"depth":{len(frames)},'
        self._front, self._clauses = opening.front, opening.clauses
        self._is_open, self._goes_on, self._told, self._drawn = True, False, [], []
        sentence, otherwise = opening.sentence, opening.otherwise
        if sentence is None or otherwise is None:
            now = Situation(rule, self.machine.row, arguments, opening.locals, self.machine.holes)
            sentence = self._said(rule, now, "told") if sentence is None else sentence
            otherwise = self._said(rule, now, "otherwise") if otherwise is None else otherwise
        self._sentence, self._otherwise = sentence, otherwise
        self._events = event + 1
        self._frames = (*frames, _Frame(rule, event, opening.call))

    def leave(self, rule: int) -> None:
        """Ends a rule."""
        if self._is_open:
            if self._otherwise and not self._goes_on and not self._told and rule not in self.phrases.delayed:
                self._sentence = self._otherwise
            self.close()
        frames = self._frames
        while frames:
            frame, frames = frames[-1], frames[:-1]
            if frame.rule == rule:
                break
        self._frames = frames

    def _said(self, rule: int, now: Situation, which: str) -> str:
        about = self.game.rules[rule]
        template = about.otherwise if which == "otherwise" else about.told or about.label
        assert template is not None
        return self.phrases.said(template, now)

    def _event(self, site: int) -> None:
        """Continues the open event; if there is none, opens another one for the running rule."""
        if not self._is_open:
            frame = self._frames[-1] if self._frames else None
            rule = self.game.rules[frame.rule] if frame else None
            cause, name = (frame.event, rule.name) if frame and rule else ("null", self.game.id)
            what, call = (rule.what, frame.call) if frame and rule else ("game", self.game.id)
            depth = max(len(self._frames) - 1, 0)
            self._head = f'{{"event":{self._events},"cause":{cause},"depth":{depth},'
            self._front = self.phrases.front(name, what, call)
            self._sentence, self._otherwise, self._clauses = '""', "", ()
            self._is_open, self._goes_on, self._told, self._drawn = True, frame is not None, [], []
            self._events += 1
        cited = self.phrases.cited.get((self._clauses, site))
        self._clauses = self.phrases.citing(self._clauses, site) if cited is None else cited

    # -------------------------------------------------------------- changes

    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        """Writes the change of a variable."""
        phrases = self.phrases
        if phrases.hidden[state]:
            return
        self._event(site)
        change = phrases.sets.get((state, index, old, new))
        self._told.append(phrases.change_set(state, index, old, new) if change is None else change)

    def move(self, kind: int, thing: int, source: int, target: int, end: LaidEnd | str, site: int) -> None:
        """Writes the move of a thing."""
        self._event(site)
        phrases = self.phrases
        change = phrases.moves.get((kind, thing, source, target, end))
        self._told.append(phrases.change_move(kind, thing, source, target, end) if change is None else change)

    def shuffle(self, zone: int, place: int, site: int) -> None:
        """Writes the shuffle of a pile."""
        about = self.game.zones[zone]
        name = zone_name(self.game, about, place - about.first_place)
        self._event(site)
        self._told.append(change_of("shuffle", name))
        order = as_json([self.game.kinds[about.kind].names[thing] for thing in self.watched.order])
        stream = as_json(f"shuffle {about.name}")
        order = f',"order":{order}' if self.watched.order else ""
        self._drawn.append(f'"input":"shuffle","stream":{stream},"pile":{as_json(name)}{order}')

    def turn_up(self, kind: int, thing: int, site: int) -> None:
        """Writes that a thing was turned face up."""
        self._event(site)
        self._told.append(change_of("reveal", self.phrases.thing(kind, thing)))

    def show(self, kind: int, thing: int, seats: int, part: int, site: int) -> None:
        """Writes that a thing, or a part of it, was shown to some."""
        self._event(site)
        shown = "" if part == WHOLE else part_shown(self.game, kind, thing, part)
        self._told.append(change_of("show", self.phrases.thing(kind, thing), shown, self._seats(seats)))

    def roll(self, stream: int, face: int) -> None:
        """Writes a roll."""
        name, _, use = self.game.streams[stream].partition(" ")
        self._event(0)
        own = f'"for":{as_json(use)},' if use else ""
        self._drawn.append(f'"input":"roll","die":{as_json(name)},{own}"face":{face}')
        self._told.append(change_of("roll", name, "", str(face)))

    def pick(self, stream: int, value: int) -> None:
        """Writes a random pick."""
        name = self.game.streams[stream]
        text = self.phrases.picked(stream, value)
        self._event(0)
        self._drawn.append(f'"input":"pick","stream":{as_json(name)},"value":{as_json(text)}')
        self._told.append(change_of("pick", told_name(self.game, stream), "", text))

    def forced(self, choice: int, seat: int, answer: Answer) -> None:
        """Writes that a lone option was taken."""
        self._event(self.game.choices[choice].site)
        option = self.phrases.answer(choice, Seat(seat), answer)
        self._told.append(change_of("forced", seat_name(self.game, Seat(seat)), "", option))

    def finish(self, how: EndForm | str, rule: int) -> None:
        """Writes the end of the game."""
        self._event(0)
        self._told.append(change_of("finish", how))
        self.close()

    def _seats(self, seats: int) -> str:
        return ", ".join(seat_name(self.game, seat) for seat in seats_of(self.players) if seats >> seat & 1)
