"""A replayed log that is viewed step by step as one viewer may see it: the present step, and ways to move to others.

    playback = Playback.of(again, Looker.called("red", header))
    playback.forward(); playback.to_phase(); playback.to_event("clause", "OS-6.12")
    playback.events(), playback.picture()       # of the present step

The steps are those of one line of the log, by default the one that stands; undone steps are left out unless they are
asked for. Nothing here draws or reads keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from rulelang.api import Match
from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput, UnknownOption
from rulelang.ir.numbers import Mask, Seat
from rulelang.knowledge.phrase import spliced
from rulelang.knowledge.redaction import read
from rulelang.knowledge.secrets import hides_anything
from rulelang.log.format import SEALED, Header, entries_for, record_of
from rulelang.log.replay import Replay
from rulelang.log.tree import Tree, tree_of
from rulelang.log.words import in_words, sides
from rulelang.match.match import BareMatch as Bare
from rulelang.match.recording.events import Event, Outcome, Taken, Undone
from rulelang.match.view import told
from rulelang.screens.model import Part
from rulelang.screens.picture import picture

SPECTATOR, ALL = "spectator", "all"
"""The names of viewers who are not seats: one sees what everybody may see, the other everything."""
SECRET = "(secret)"
"""The replacement for an answer that the viewer may not know, or not completely."""
KINDS = ("rule", "clause", "seat", "text")
"""The criteria by which an event can be searched for."""


@attrs.frozen
class Looker:
    """The viewer of a log: a seat, a spectator (None), or one who sees all."""

    seat: int | None = None
    sees_all: bool = False

    @classmethod
    def called(cls, name: str | None, header: Header) -> Looker:
        """Returns the viewer with a name: a seat, spectator (or None), or all; raises InvalidInput for another name."""
        if name in header.players:
            return cls(header.players.index(name))
        if name in (None, SPECTATOR):
            return cls()
        if name == ALL:
            return cls(sees_all=True)
        raise InvalidInput(f"no seat is called {name!r}{hint(str(name), (*header.players, SPECTATOR, ALL))}")

    def name(self, seats: tuple[str, ...]) -> str:
        """Returns the viewer's name."""
        return ALL if self.sees_all else SPECTATOR if self.seat is None else seats[self.seat]

    def events(self, match: Bare, after: int) -> tuple[Event, ...]:
        """Returns the events of a match as the viewer sees them, without the first `after`."""
        if match.event_count <= after:
            return ()
        return (
            told(match.internals.moment.chapter, None, after) if self.sees_all else match.events_for(self.seat, after)
        )

    def outcome(self, match: Bare) -> Outcome | None:
        """Returns the outcome of a match, as the viewer sees it."""
        return match.outcome if self.sees_all else match.outcome_for(self.seat)

    def picture(self, match: Bare) -> tuple[Part, ...]:
        """Returns the screen that the viewer sees."""
        return picture(match.opened(), None) if self.sees_all else picture(match, self.seat)


@attrs.define
class Playback:
    """A replay and a step in it."""

    again: Replay
    looker: Looker
    line: int | None = None
    """The line of the log that is viewed; None for the one that stands."""
    with_undone: bool = False
    """Whether undos, and the answers that they took back, are steps, too."""
    step: int = 0
    """The present step of the log."""
    _labels: dict[tuple[Looker, int], str] = attrs.field(factory=dict, repr=False)
    _told: dict[int, bool] = attrs.field(factory=dict, repr=False)
    _tree: Tree | None = attrs.field(default=None, repr=False)

    @property
    def tree(self) -> Tree:
        """The lines of the log."""
        if self._tree is None:
            self._tree = tree_of(self.again.log.steps)
        return self._tree

    @property
    def title(self) -> str:
        """The game's title, and the variants that are played."""
        return " + ".join((self.match.game.title, *self.again.log.header.variants))

    @property
    def seats(self) -> tuple[str, ...]:
        """The written names of the seats."""
        return self.again.log.header.players

    @property
    def last(self) -> int:
        """The last step of the log that agrees with the rules."""
        return len(self.again.positions) - 1

    @property
    def path(self) -> tuple[int, ...]:
        """The steps that can be viewed, from the set-up on; raises LogError for a line that does not exist."""
        if self.with_undone:
            return tuple(step for step in range(self.last + 1) if self.is_told(step))
        steps = self.again.log.steps
        path = (0, *steps.standing) if self.line is None else self.tree.line(self.line)
        return tuple(step for step in path if step <= self.last and self.is_told(step))

    def is_told(self, step: int) -> bool:
        """Returns whether the viewer is told of a step: not of an answer to a question that only its chooser learns of, nor
        that it was taken back, unless the viewer sees something of it."""
        private = {choice.name for choice in self.again.match.game.choices if choice.private}
        if step == 0 or self.looker.sees_all or not private:
            return True
        if step not in self._told:
            steps = self.again.log.steps
            with steps.opened() as log:
                first = log[step].first
            assert first is not None
            if first.what == "undo":
                back = (one for one in range(1, step) if steps.input(one) >= first.record["to"])
                self._told[step] = any(map(self.is_told, back))
            else:
                is_own = self.looker.seat is not None and first.record["seat"] == self.seats[self.looker.seat]
                is_seen = steps.stands(step) == step and bool(self.events(step))
                self._told[step] = is_own or is_seen or first.record["choice"] not in private
        return self._told[step]

    def number(self, step: int) -> int:
        """Returns the number of a step among the steps that the viewer is told of."""
        return sum(self.is_told(one) for one in range(1, step + 1))

    def numbered(self, number: int) -> int:
        """Returns the step with a number among the steps that the viewer is told of; the last one for a larger number."""
        told = [step for step in range(self.last + 1) if self.is_told(step)]
        return told[min(max(number, 0), len(told) - 1)]

    def log_line(self, step: int) -> int | None:
        """Returns the line of the log on which a step begins; None where the game hides anything from the viewer: so many
        lines may stand before it that they tell how much happened in secret."""
        if not self.looker.sees_all and hides_anything(self.match.game):
            return None
        return self.again.log.steps.line(step)

    # -------------------------------------------------------------- the present step

    def ahead(self) -> Iterator[int]:
        """Yields the steps that can be viewed, each after its results have been computed, so that later jumps are fast.

        None of a very long log, of which only some are kept.
        """
        for step in self.path if self.again.keeps_all else ():
            self.again.positions[step].match.internals.moment  # noqa: B018 (what came of it is worked out now)
            yield step

    @property
    def match(self) -> Bare:
        """The match after the step."""
        return self.again.glimpse(self.step)

    @property
    def match_with_events(self) -> Bare:
        """The match after the step, with the events of all steps before it."""
        return self.again.positions[self.step].match

    def events(self, step: int | None = None) -> tuple[Event, ...]:
        """Returns the events of a step, as the viewer sees them; of the present step by default."""
        step = self.step if step is None else step
        return self.looker.events(self.again.glimpse(step), self.again.glimpse(step - 1).event_count if step else 0)

    def difference(self) -> tuple[int, str, str] | None:
        """Returns the difference between the step and the log: the line, and both sides; None if they agree."""
        step, steps = self.step, self.again.log.steps
        if steps.stands(step) != step:
            return None
        with steps.opened() as log:
            logged = [line for line in log[step].rest if line.what == "event"]
        after = self.again.glimpse(step - 1).event_count if step else 0
        played = [record_of(event, self.seats) for event in told(self.match.internals.moment.chapter, None, after)]
        for line, record in zip(logged, played, strict=False):
            if any(line.record[name] != record[name] for name in ("call", "changes")):
                return line.number, *sides(line.record, record)
        if len(logged) > len(played):
            return logged[len(played)].number, in_words(logged[len(played)].record), "nothing more"
        if len(played) > len(logged) and step < self.last:
            return steps.line(step + 1), "nothing more", in_words(played[len(logged)])
        return None

    def picture(self) -> tuple[Part, ...]:
        """Returns the screen after the step."""
        return self.looker.picture(self.match)

    def picture_before(self) -> tuple[Part, ...] | None:
        """Returns the screen before the step; None for the set-up."""
        return self.looker.picture(self.again.glimpse(self.step - 1)) if self.step else None

    def answer(self, step: int) -> str:
        """Returns the answer of a step, as the viewer may read it: `red: take(2)`; "" for the set-up."""
        if step == 0:
            return ""
        key = self.looker, step
        if key not in self._labels:
            if self.again.log.steps.stands(step) == step:
                self._labels[key] = self._label(step)
            else:
                self._label_all()
        return self._labels[key]

    def _label(self, step: int) -> str:
        """Returns the answer of a step that succeeded."""
        taken, looker = self.again.glimpse(step).taken, self.looker
        assert taken is not None
        seat = self.seats[taken.seat]
        if looker.sees_all or taken.seat == looker.seat:
            return f"{seat}: {read(taken.option)}"
        if taken.sealed and not self._is_opened(step):
            return f"{seat}: {SEALED}"
        if taken.private:
            return SECRET
        viewer = 1 << (len(self.seats) if looker.seat is None else looker.seat)
        return f"{seat}: {read(taken.option, Mask(viewer))}"

    def _is_opened(self, step: int) -> bool:
        """Returns whether a sealed answer was opened before it was taken back."""
        steps = self.again.log.steps
        sealed = {choice.name for choice in self.match.game.choices if choice.sealed}
        with steps.opened() as log:
            for later in range(step, self.last + 1):
                first, rest = log[later].first, log[later].rest
                assert first is not None
                if first.what == "undo" and first.record["to"] <= steps.input(step):
                    return False
                if rest or (first.what != "undo" and first.record["choice"] not in sealed):
                    return True
        return False

    def _label_all(self) -> None:
        match = self.again.match
        assert isinstance(match, Match)
        seat = None if self.looker.seat is None else Seat(self.looker.seat)
        seen = entries_for(match.journal, seat, match.visibility.bit(seat))
        told = match.journal if self.looker.sees_all else (entry for entry, _ in seen)
        step = 0
        for entry in told:
            if isinstance(entry, Taken):
                step += 1
                self._labels[self.looker, step] = f"{self.seats[entry.seat]}: {read(entry.option)}"
            elif isinstance(entry, Undone):
                step += 1
                self._labels[self.looker, step] = f"undo to {record_of(entry, self.seats)['to']}"

    def said(self, step: int) -> str:
        """Returns the answer of a step in words for people: `Red: Take 2 counters`, or `Red: (secret)` if the viewer
        may not know it.
        """
        answer, steps = self.answer(step), self.again.log.steps
        if step == 0 or steps.stands(step) != step:
            return answer
        match = self.again.glimpse(step - 1)
        seat, _, written = answer.partition(": ")
        if seat not in self.seats:
            return answer
        who = match.seat_names[self.seats.index(seat)]
        try:
            said = match.option(answer).label
        except UnknownOption:
            said = SEALED if written == SEALED else SECRET
        return spliced((who, ": ", said))

    def sentence(self, step: int) -> str:
        """Returns a step in words: the first sentence of its events, unless another seat did that; else the answer."""
        if step == 0:
            return "the set-up"
        if self.again.log.steps.stands(step) != step:
            return self.answer(step)
        told = (event for event in self.events(step) if event.sentence and not event.goes_on and not event.is_untold)
        first = next((event for event in told if event.what not in ("phase", "play", "setup")), None)
        # If several answers are carried out at once, the first event may be another seat's.
        if first is None or first.actor is None or self.seats[first.actor] != self.answer(step).partition(":")[0]:
            return self.said(step)
        if first.says_who:
            return first.text
        return spliced((self.match.seat_names[first.actor], ": ", first.text))

    # -------------------------------------------------------------- moving

    def go(self, step: int) -> None:
        """Goes to a step, or to the last one before it that can be viewed."""
        self.step = max((one for one in self.path if one <= step), default=0)

    def forward(self, many: int = 1) -> None:
        """Goes a number of steps forward (back, if negative), as far as possible."""
        path = self.path
        at = path.index(self.step) if self.step in path else sum(one < self.step for one in path)
        self.step = path[min(max(at + many, 0), len(path) - 1)]

    def to_phase(self, direction: int = 1) -> bool:
        """Goes to the next step (with -1, the previous one) in which a phase begins; returns whether there is one."""
        return self._to(lambda event: event.what == "phase" and not event.goes_on, direction)

    def to_event(self, kind: str, wanted: str, direction: int = 1) -> bool:
        """Goes to the next step (with -1, the previous one) with
        an event of a rule, a clause or a seat, or with a text.

        Returns whether there is one. Raises InvalidInput for another kind.
        """
        wanted = wanted.strip().casefold()
        if kind not in KINDS:
            raise InvalidInput(f"events are looked for by {', '.join(KINDS)}, not {kind!r}")
        if kind == "seat":
            return self._to_step(lambda step: self._is_of(step, wanted), direction)
        return bool(wanted) and self._to(lambda event: self._fits(event, kind, wanted), direction)

    def _is_of(self, step: int, seat: str) -> bool:
        """Returns whether a seat answered or acted in a step."""
        actors = (self.seats[event.actor].casefold() for event in self.events(step) if event.actor is not None)
        return self.answer(step).casefold().startswith(f"{seat}:") or seat in actors

    def _fits(self, event: Event, kind: str, wanted: str) -> bool:
        match kind:
            case "rule":
                return event.rule.casefold() == wanted
            case "clause":
                return any(clause.casefold() == wanted for clause in event.clauses)
            case _:  # a text is searched for in everything that is told
                words = (read(event.call), read(event.sentence), *(change.text for change in event.changes))
                return any(wanted in text.casefold() for text in words)

    def _to(self, fits: Callable[[Event], bool], direction: int) -> bool:
        return self._to_step(lambda step: any(map(fits, self.events(step))), direction)

    def _to_step(self, fits: Callable[[int], bool], direction: int) -> bool:
        path = self.path if direction > 0 else self.path[::-1]
        for step in path:
            if (step - self.step) * direction > 0 and fits(step):
                self.step = step
                return True
        return False
