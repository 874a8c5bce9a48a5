"""A machine's trace -> the lines of a log for it, made at once, without knowledge.

    trace    enter(take, (2,)); set(heap, 0, 12, 10); leave(take)
    line     {"event":1,"cause":0,"depth":1,"rule":"take",...,"changes":[["set","heap","12","10"]]}

`match.recording.recorder` makes the same lines with everybody's knowledge, and decides where a line differs.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.ir.model import WHOLE, EndForm
from rulelang.ir.numbers import Seat, seats_of
from rulelang.ir.picks import told_name
from rulelang.knowledge.redaction import seat_name, zone_name
from rulelang.log.bare.wording import Opening, Phrases, Situation, ToldChange, as_json, change_of
from rulelang.machines.chance import Watched
from rulelang.machines.machine import Answer, LaidEnd, Machine, Silent
from rulelang.match.recording.parts import part_shown

Frame: TypeAlias = tuple[int, int, Opening]
"""A running rule: its number, its first event, and the beginning of that event's line."""


@attrs.frozen
class EchoMark:
    """The state of an echo between two steps."""

    frames: tuple[Frame, ...]
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
        self._frames: tuple[Frame, ...] = ()
        self._events = 0
        self._open: Opening | None = None
        """The beginning of the open event's line."""
        self._head, self._sentence, self._otherwise = "", "", ""
        self._told: list[ToldChange] = []
        self._drawn: list[str] = []

    def mark(self) -> EchoMark:
        """Returns the present state."""
        return EchoMark(self._frames, self._events)

    def back_to(self, mark: EchoMark) -> None:
        """Goes back to an earlier state."""
        self._frames, self._events = mark.frames, mark.events

    def begin(self, machine: Machine, inputs: int) -> None:
        """Begins a step of a machine, after a number of inputs."""
        self.machine, self.inputs, self.lines, self._open = machine, inputs, [], None

    def close(self) -> None:
        """Writes the open event, if there is one."""
        opening = self._open
        if opening is None:
            return
        self._open = None
        for drawn in self._drawn:
            self.inputs += 1
            self.lines.append(f'{{"n":{self.inputs},{drawn}')
        phrases, key = self.phrases, (opening, self._sentence, tuple(self._told))
        self.lines.append(self._head + (phrases.events.get(key) or phrases.event(*key)))

    def _begin(self, opening: Opening, cause: int | None, depth: int) -> None:
        """Opens an event."""
        number = self._events
        self._head = f'{{"event":{number},"cause":{"null" if cause is None else cause},"depth":{depth},'
        self._open, self._sentence, self._otherwise = opening, opening.sentence or '""', opening.otherwise or ""
        self._told, self._drawn, self._events = [], [], number + 1

    # -------------------------------------------------------------- rules

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        """Opens an event for a rule that begins."""
        if self._open is not None:
            self.close()
        phrases, frames, number = self.phrases, self._frames, self._events
        opening = phrases.openings.get((rule, arguments))
        if opening is None:
            opening = phrases.opening(rule, arguments, self.machine.row, self.machine.holes)
        self._begin(opening, frames[-1][1] if frames else None, len(frames))
        if opening.sentence is None or opening.otherwise is None:
            now = Situation(rule, self.machine.row, arguments, opening.locals, self.machine.holes)
            self._sentence, self._otherwise = phrases.sentences(opening, now)
        self._frames = (*frames, (rule, number, opening))

    def leave(self, rule: int) -> None:
        """Ends a rule."""
        if self._open is not None:
            if self._otherwise and not self._told and rule not in self.phrases.delayed:
                self._sentence = self._otherwise
            self.close()
        frames = self._frames
        while frames:
            frame, frames = frames[-1], frames[:-1]
            if frame[0] == rule:
                break
        self._frames = frames

    def _tell(self, change: ToldChange) -> None:
        """Adds a change to the open event; if there is none, opens another one for the running rule."""
        if self._open is None:
            frames = self._frames
            opening = self.phrases.going_on(frames[-1][2] if frames else None)
            self._begin(opening, frames[-1][1] if frames else None, max(len(frames) - 1, 0))
        self._told.append(change)

    # -------------------------------------------------------------- changes

    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        """Writes the change of a variable."""
        if not self.phrases.hidden[state]:
            self._tell((state, index, old, new, site))

    def move(self, kind: int, thing: int, source: int, target: int, end: LaidEnd | str, site: int) -> None:
        """Writes the move of a thing."""
        self._tell((kind, thing, source, target, end, site))

    def shuffle(self, zone: int, place: int, site: int) -> None:
        """Writes the shuffle of a pile."""
        about = self.game.zones[zone]
        name = zone_name(self.game, about, place - about.first_place)
        self._tell((change_of("shuffle", name), site))
        order = as_json([self.game.kinds[about.kind].names[thing] for thing in self.watched.order])
        stream = as_json(f"shuffle {about.name}")
        order = f',"order":{order}' if self.watched.order else ""
        self._drawn.append(f'"input":"shuffle","stream":{stream},"pile":{as_json(name)}{order}')

    def turn_up(self, kind: int, thing: int, site: int) -> None:
        """Writes that a thing was turned face up."""
        self._tell((change_of("reveal", self.phrases.thing(kind, thing)), site))

    def show(self, kind: int, thing: int, seats: int, part: int, site: int) -> None:
        """Writes that a thing, or a part of it, was shown to some."""
        shown = "" if part == WHOLE else part_shown(self.game, kind, thing, part)
        self._tell((change_of("show", self.phrases.thing(kind, thing), shown, self._seats(seats)), site))

    def roll(self, stream: int, face: int) -> None:
        """Writes a roll."""
        name, _, use = self.game.streams[stream].partition(" ")
        self._tell((change_of("roll", name, "", str(face)), 0))
        own = f'"for":{as_json(use)},' if use else ""
        self._drawn.append(f'"input":"roll","die":{as_json(name)},{own}"face":{face}')

    def pick(self, stream: int, value: int) -> None:
        """Writes a random pick."""
        name = self.game.streams[stream]
        text = self.phrases.picked(stream, value)
        self._tell((change_of("pick", told_name(self.game, stream), "", text), 0))
        self._drawn.append(f'"input":"pick","stream":{as_json(name)},"value":{as_json(text)}')

    def forced(self, choice: int, seat: int, answer: Answer) -> None:
        """Writes that a lone option was taken."""
        option = self.phrases.answer(choice, Seat(seat), answer)
        self._tell((change_of("forced", seat_name(self.game, Seat(seat)), "", option), self.game.choices[choice].site))

    def finish(self, how: EndForm | str, rule: int) -> None:
        """Writes the end of the game."""
        self._tell((change_of("finish", how), 0))
        self.close()

    def _seats(self, seats: int) -> str:
        return ", ".join(seat_name(self.game, seat) for seat in seats_of(self.players) if seats >> seat & 1)
