"""A match and a seat -> the names that each hidden thing could have by what the others have done.

    north did not follow hearts           from then on nothing that it held is a heart
    "this card is red", says the rule     the card that got a mark for it is red

Of each answer of another seat that a seat can read, it is worked out what makes it legal; and of each step, what lets
it have done in the open what it did. Where things lie that cannot be followed, they are all what any of them could be.

Invariant: what a thing is, or a copy of it, is always among its names.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from operator import and_

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import Choice, Local, Op, Over
from rulelang.ir.numbers import Seat
from rulelang.knowledge.knowledge import Knowledge
from rulelang.match.deferred_events import Past
from rulelang.match.match import BareMatch
from rulelang.match.redeals.formulas import UNSAID, Formula, Names, Narrowing, all_of, holds, mentioned, negated
from rulelang.match.redeals.inference import SeatReading, UnknownThing
from rulelang.match.redeals.reader import follow
from rulelang.match.redeals.steps import TellingLines
from rulelang.match.redeals.tracks import Tracks, tracked

PATIENCE = 8
"""The number of steps after which nobody goes on to conclude anything, if nothing came of it and something was missed."""
ANYTHING = -1
"""The mask of a thing of which the others have told nothing."""


@attrs.frozen
class Suspected:
    """The conclusions of a seat from what the others did."""

    masks: Mapping[int, tuple[int, ...]]
    """By kind and thing: the names that it could have; ANYTHING if nothing is known of it."""
    open: tuple[Formula, ...]
    """What holds as well, about several things at once."""
    whole: bool
    """Whether there is nothing else that the seat could tell from what others did."""
    idle: int = 0
    """The number of steps so far, if they have told nothing of any thing and something was missed."""

    def narrowed(self, knowledge: Knowledge, seat: Seat, kind: int) -> Knowledge:
        """Returns the knowledge in which the seat knows of things of a kind what it has concluded, too."""
        lying = knowledge.kinds[kind]
        if lying is None or kind not in self.masks:
            return knowledge
        guesses = tuple(map(and_, lying.could[seat], self.masks[kind]))
        could = (*lying.could[:seat], guesses, *lying.could[seat + 1 :])
        kinds = (*knowledge.kinds[:kind], attrs.evolve(lying, could=could), *knowledge.kinds[kind + 1 :])
        return attrs.evolve(knowledge, kinds=kinds)

    def fits(self, names: Names) -> bool:
        """Returns whether a deal agrees with what holds of several things at once."""
        return all(holds(formula, names) for formula in self.open)


NOTHING = Suspected({}, (), False)
"""The conclusions from a match of which the past is not known."""


def suspected(match: BareMatch, seat: Seat, *, only_narrowing: bool = False) -> Suspected:
    """Returns the conclusions of a seat from what the others did, worked out once for each moment.

    With `only_narrowing`, games of which the rules never tell what a thing is are not looked at.
    """
    steps = TellingLines.of(match.visibility, match.internals.secrets)
    if not match.is_traced or match.internals.placed is not None or steps.is_silent:
        return NOTHING
    if only_narrowing and not steps.narrow:
        return NOTHING
    about: Hashable = ("suspected", seat)
    waiting: list[tuple[BareMatch | None, Past | None, BareMatch]] = []
    after, found = match, None
    before: BareMatch
    for before, past in match.internals.backwards():
        found = _kept(after, about)
        if found is not None:
            break
        waiting.append((before, past, after))
        after = before
    else:
        found = _kept(after, about)
        if found is None:
            waiting.append((None, None, after))
    for earlier, answered, after in reversed(waiting):
        found = _next(found, earlier, answered, after, seat, steps)
        chapter = after.internals.moment.chapter
        if chapter is not None:
            chapter.listed[about] = found
    return found or NOTHING


def _kept(match: BareMatch, about: Hashable) -> Suspected | None:
    chapter = match.internals.moment.chapter
    if chapter is None or chapter.only is not None or chapter.is_forgotten:
        return NOTHING
    kept = chapter.listed.get(about)
    assert kept is None or isinstance(kept, Suspected)
    return kept


def _next(
    found: Suspected | None,
    before: BareMatch | None,
    past: Past | None,
    after: BareMatch,
    seat: Seat,
    steps: TellingLines,
) -> Suspected:
    """Returns the conclusions after one more step; without an earlier match, after the set-up."""
    if found is NOTHING:
        return NOTHING
    return _Step(found or _beginning(after), before, past, after, seat, steps).read()


def _beginning(match: BareMatch) -> Suspected:
    return Suspected({kind.id: (ANYTHING,) * kind.size for kind in match.game.kinds if kind.movable}, (), True)


@attrs.define
class _Step:
    """One step, as a seat sees it."""

    found: Suspected
    before: BareMatch | None
    past: Past | None
    after: BareMatch
    seat: Seat
    steps: TellingLines
    now: Narrowing = attrs.field(init=False)
    tracks: Tracks = attrs.field(init=False)
    at: int = 0
    """The number of passages so far."""

    def __attrs_post_init__(self) -> None:
        self.now = Narrowing(
            {kind: list(masks) for kind, masks in self.found.masks.items()}, list(self.found.open), self.found.whole
        )
        chapter, known = self.after.internals.moment.chapter, self.after.visibility.beginning
        assert chapter is not None
        begun = known if self.before is None else self.before.internals.moment.knowledge
        self.tracks = tracked(
            begun, self.after.internals.moment.knowledge, chapter.trail.passages, self.seat, self._names, self._marks
        )

    def _names(self, kind: int, thing: int) -> int:
        """Returns the names that a thing could have before the step."""
        return self._begun.guesses(self.seat, kind)[thing] & self.found.masks[kind][thing]

    def _marks(self, kind: int, thing: int) -> tuple[int, ...]:
        """Returns the values of a thing's own public variables, before the step."""
        if self.before is None:
            return ()
        game, layout, row, about = (
            self.after.game,
            self.after.internals.layout,
            self.before.position.row,
            self.after.game.kinds[kind],
        )
        marks = (s for s in game.states if s.owner == about.name and s.visible == "all" and not s.scratch)
        sizes = ((layout.states[s.id], layout.state_sizes[s.id] // about.size) for s in marks)
        return tuple(row[first + thing * size + i] for first, size in sizes for i in range(size))

    @property
    def bit(self) -> int:
        """The bit of the seat."""
        return self.after.visibility.bit(self.seat)

    def read(self) -> Suspected:
        """Returns the conclusions after the step."""
        if self.before is not None and self.past is not None:
            self._answer(self.before, self.past)
        if self._may_tell() and not follow(self.steps, self, self.before, self.past, self.after):
            self.miss()
        while self.at < len(self.tracks.merged):
            self.passed()
        self.now.settle(self.could)
        masks = {kind: tuple(masks) for kind, masks in self.now.masks.items()}
        masks = {
            kind: self.found.masks[kind] if masks == self.found.masks[kind] else masks for kind, masks in masks.items()
        }
        silent = not self.now.open and all(mask == ANYTHING for several in masks.values() for mask in several)
        idle = self.found.idle + 1 if silent and not self.now.whole else 0
        return NOTHING if idle > PATIENCE else Suspected(masks, tuple(self.now.open), self.now.whole, idle)

    def _may_tell(self) -> bool:
        chapter = self.after.internals.moment.chapter
        assert chapter is not None
        if self.before is None or not self.steps.tell:
            return self.steps.tell
        begun = {event.rule for event in chapter.events}
        rules = [rule.id for rule in self.after.game.rules if rule.name in begun]
        return self.steps.may_run(self.before.choice, (*rules, *(f.rule for f in self.before.internals.moment.frames)))

    # -------------------------------------------------------------- things

    def could(self, kind: int, thing: int) -> int:
        """Returns the names that a thing could have at this point of the step; 0 if it cannot be followed."""
        return self._by_knowledge(kind, thing) & self.now.masks[kind][thing] if kind in self.now.masks else 1 << thing

    def _by_knowledge(self, kind: int, thing: int) -> int:
        before, after = self._begun.guesses(self.seat, kind)[thing], self._ended.guesses(self.seat, kind)[thing]
        if self.at > self.tracks.last_merge:
            return after
        if self.at <= self.tracks.first_merge:
            return before
        return before & after if not (before & before - 1 or after & after - 1) else 0

    @property
    def _begun(self) -> Knowledge:
        return self.after.visibility.beginning if self.before is None else self.before.internals.moment.knowledge

    @property
    def _ended(self) -> Knowledge:
        return self.after.internals.moment.knowledge

    def passed(self) -> None:
        """Notes that the next thing has moved, was shown, or a pile was shuffled."""
        kind, things = self.tracks.merged[self.at]
        if things:
            alike = {self.could(kind, thing) for thing in things}
            masks, union = self.now.masks[kind], 0
            self.now.whole &= len(alike) == 1 or not any(names & names - 1 for names in alike)
            for thing in things:
                union |= masks[thing]
            for thing in things:
                masks[thing] = union
            lost = {(kind, thing) for thing in things}
            kept = [formula for formula in self.now.open if not mentioned(formula) & lost]
            self.now.whole &= len(kept) == len(self.now.open)
            self.now.open = kept
        self.at += 1

    def learn(self, formula: Formula) -> None:
        """Notes that a formula holds."""
        self.now.learn(formula, self.could)

    def miss(self) -> None:
        """Notes that something may have been told that was not understood."""
        self.now.whole = False

    def inference(self, row: list[int], unsure: frozenset[int]) -> SeatReading:
        """Returns a reader of expressions with the eyes of the seat."""
        return SeatReading(self.after.visibility, self.after.internals.secrets, row, self.bit, self.could, unsure)

    # -------------------------------------------------------------- what is told

    def _answer(self, match: BareMatch, past: Past) -> None:
        """Reads what makes an answer legal."""
        choice = match.choice
        assert choice is not None
        branch = choice.branches[past.answer[0]]
        told = self.steps.of_choice(choice)
        if told.at_all:
            self.now.whole = False
        if past.seat == self.seat:
            if told.own:
                self._refusals(match, choice)
            return
        if choice.sealed or choice.private:
            self.now.whole &= not told.needs[past.answer[0]]
            return
        if not told.needs[past.answer[0]]:
            return
        try:
            values = dict(match.position.locals(choice, past.seat))
        except RuntimeRules:
            self.now.whole = False
            return
        for parameter, value in zip(branch.parameters, past.answer[1:], strict=True):
            values[parameter.variable.id] = value
        reader = self.inference(match.position.row, self.steps.unsure(values, self.seat))
        locals = reader.locals(values)
        for parameter in branch.parameters:
            if parameter.domain.mask is not None and self.steps.is_told(parameter.domain):
                member = Op("in", (Local(parameter.variable.id), parameter.domain.mask))
                self.learn(reader.formula(member, locals) if parameter.low is None else UNSAID)
        for need in branch.needs:
            if self.steps.is_told(need.condition):
                self.learn(reader.formula(need.condition, locals))

    def _refusals(self, match: BareMatch, choice: Choice) -> None:
        """Reads the conditions that make the seat's own options legal or illegal."""
        reader = self.inference(match.position.row, frozenset())
        locals, machine = reader.locals(match.position.locals(choice, self.seat)), match.position.machine
        for number, branch in enumerate(choice.branches):
            names = tuple(parameter.variable for parameter in branch.parameters)
            over = Over("count", names, tuple(parameter.domain for parameter in branch.parameters), None, None)
            ways = reader.passing(over, locals)
            if ways is None or any(parameter.low is not None for parameter in branch.parameters):
                self.miss()
                continue
            for values, there, inner in ways:
                formula = all_of([there, *(reader.formula(need.condition, inner) for need in branch.needs)])
                if not isinstance(formula, bool):
                    said = [value.thing if isinstance(value, UnknownThing) else value for value in values]
                    answer = number, *(value for value in said if isinstance(value, int))
                    self.learn(formula if machine.allows(self.seat, answer) else negated(formula))
