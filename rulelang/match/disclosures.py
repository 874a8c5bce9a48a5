"""A match and one of its inputs -> the viewers who have learned something hidden since, which decides whether it may be undone.

    pot += roll(d6)                            # whoever reads the face
    if next(p).secret > 3: hot = yes           # whoever may not know the secret, and sees `hot`, also where it stays
    show(top(deck), p)                         # p, even if the deck is shuffled afterwards

The steps since are played again by the interpreter. What a viewer could have worked out before is nothing new to it.
What it could not is told where chance shows it something, where it comes to know a thing or to see a variable, and where
a line that reads what it may not know does something that it sees, or would have done so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import (
    Assign,
    Bind,
    Branch,
    Cell,
    Choice,
    Contents,
    Eliminate,
    Expr,
    Finish,
    GameRules,
    InSlot,
    Local,
    Loop,
    Move,
    Op,
    Pick,
    Repeat,
    Reveal,
    Roll,
    Show,
    Shuffle,
    Simultaneous,
    Statement,
    TopOf,
    When,
)
from rulelang.ir.model.traits import traits
from rulelang.ir.numbers import Mask, Seat, Slot, Thing
from rulelang.ir.walk import walk
from rulelang.knowledge.guesses import Guesses
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import EVERYONE, NOBODY
from rulelang.knowledge.rendering import Looking
from rulelang.machines.chance import Tape, Watched
from rulelang.machines.evaluate import Locals
from rulelang.machines.interpreter import CutRules, Interpreter
from rulelang.machines.machine import Answer, Silent
from rulelang.match.deferred_events import Past
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.position import Position
from rulelang.match.recording.events import Drawn
from rulelang.match.state import Chapter
from rulelang.program.layout import flat

Locations: TypeAlias = Callable[[], Position]


def learnt_since(match: BareMatch, number: int) -> Mask:
    """Returns the viewers who have been told something hidden since before an input; EVERYONE where that cannot be
    found out, because the past was dropped or chance is asked for."""
    earlier = match.earlier()
    at = next((i for i, (_, past) in enumerate(earlier) if past.number == number), None)
    draws = draws_until(match.internals.moment.chapter)
    if at is None or draws is None or match.chance or match.internals.placed is not None:
        return EVERYONE
    before, _ = earlier[at]
    machine = _Noticing(
        CutRules(match.game, match.internals.layout, match.position.machine.control),
        Tape(draws, match.internals.layout),
    )
    machine.begin(match.players, match.given)
    for _, one in earlier[:at]:
        answer_again(machine, one)
    if machine.row[: match.internals.layout.size] != before.position.row[: match.internals.layout.size]:
        return EVERYONE
    watching = _Watching(machine)
    again = before.internals.played_by(machine, watching)
    machine.midst = lambda: again.internals.midst
    machine.follow()
    watching.look()
    for _, past in earlier[at:]:
        choice, seal, told = again.position.choice, again.position.seal, len(again.journal)
        assert choice is not None
        option = Option(past.seat, choice.name, past.answer, choice.branches[past.answer[0]].name, "")
        try:
            again.push(option, elapsed=past.reading)
        except RuntimeRules:
            return EVERYONE
        if choice.sealed and seal.answers and not again.position.seal.answers:
            machine.learnt = EVERYONE  # Everybody is told what others had chosen.
        drawn = (entry.seers for entry in again.journal[told:] if isinstance(entry, Drawn))
        for seers in drawn:
            machine.learnt = Mask(machine.learnt | seers)
    return machine.learnt


def answer_again(machine: Interpreter, past: Past) -> None:
    """Repeats an answer of the past on a machine, with the time that it took."""
    pending = machine.pending
    assert pending is not None
    clock = machine.game.choices[pending.choice].clock
    if clock is not None and past.reading is not None:
        machine.row[machine.layout.states[machine.game.clocks[clock].reading]] = past.reading
    machine.answer(past.seat, past.answer)


def draws_until(chapter: Chapter | None) -> Iterator[tuple[int, ...]] | None:
    """Returns all draws up to a chapter, in order; None if some were dropped, or never happened."""
    found: list[Chapter] = []
    while chapter is not None:
        if chapter.only is not None or chapter.is_forgotten:
            return None
        found.append(chapter)
        chapter = chapter.previous
    values = (draw.value for chapter in reversed(found) for draw in chapter.trail.draws)
    return (value if isinstance(value, tuple) else (value,) for value in values)


class _Noticing(Interpreter):
    """An interpreter that collects the viewers who learn something by the lines that it runs."""

    midst: Locations | None = None
    learnt: Mask = NOBODY

    def follow(self) -> None:
        """Begins to collect."""
        self._of: dict[int, Mask] = {}
        """By local: who may know its value."""
        self._guarded = _guarded(self.game)
        """By the id of a condition: the bodies of which it decides."""

    # -------------------------------------------------------------- who may know what a line reads

    def _seers(self, parts: Iterable[object], locals: Locals) -> Mask:
        """Returns the viewers who may know everything that some expressions read; what is drawn in them is told, if it
        is, by itself."""
        assert self.midst is not None
        midst = self.midst()
        known = midst.witnesses.told(locals, self.row)
        # Who can point at a thing need not know which it is: it may lie face down where all see it.
        things = midst.secrets.things
        known |= {
            id: Mask(seers & known.get(id, EVERYONE)) if id in things else seers for id, seers in self._of.items()
        }
        look = Looking(
            self.row, self.game, self.layout, visibility=midst.visibility, knowledge=midst.knowledge, told=known
        )
        seers = EVERYONE
        for part in parts:
            if part is None:
                continue
            if any(isinstance(node, Roll | Pick | Cell) for node in walk(part)) and midst.secrets.draws(part):
                continue
            try:
                look.afresh().value(part, dict(locals))  # type: ignore[arg-type]
            except (RuntimeRules, KeyError):
                return NOBODY
            seers = Mask(seers & look.seers)
        return seers

    def _notice(self, lacking: Mask, reach: Mask = EVERYONE) -> None:
        """Notes that viewers who do not know the values that a line reads have seen its effects."""
        self.learnt = Mask(self.learnt | (~lacking & reach))

    def _draws(self, part: object) -> bool:
        assert self.midst is not None
        return part is not None and self.midst().secrets.draws(part)

    # -------------------------------------------------------------- lines

    def _change(self, statement: Statement, locals: Locals) -> None:
        if self.midst is not None:
            self._look_at(statement, locals)
        super()._change(statement, locals)

    def _look_at(self, statement: Statement, locals: Locals) -> None:
        match statement:
            case Assign(place=place, value=value, least=least, most=most):
                seers = self._seers((*place.index, value, least, most), locals)
                self._notice(seers, self._sight(statement, locals))
            case Bind(variable=variable, value=value, least=least, most=most):
                known = self._seers((value, least, most), locals)
                self._of[variable.id] = NOBODY if self._draws(value) else known
            case Move(what=what, count=count, to=to):
                whose = (*_told_by(what.mask), *_told_by(what.pile))
                self._notice(self._seers((count, *to.index, *whose), locals))
            case Show(things=things, seats=seats):
                self._notice(self._seers((*_told_by(things), seats), locals))
            case Reveal(things=things):
                self._notice(self._seers(_told_by(things), locals))
            case Shuffle(index=index):
                self._notice(self._seers(index, locals))
            case Eliminate(who=who):
                self._notice(self._seers((who,), locals))
            case _:  # no other statement that cannot stop reads anything
                pass

    def _sight(self, assign: Assign, locals: Locals) -> Mask:
        """Returns the viewers who see the variable that a line writes; EVERYONE where that is not known."""
        assert self.midst is not None
        state, visibility = self.game.states[assign.place.state], self.midst().visibility
        if state.scratch:
            return NOBODY
        if state.visible == "all" or self._draws(assign.place.index):
            return EVERYONE
        try:
            at = flat(state.dimensions, self._question().values(assign.place.index, dict(locals)))
        except (RuntimeRules, KeyError):
            return EVERYONE
        return visibility.of_cell(state, at, self.row) if at >= 0 else NOBODY

    def _arguments(self, procedure: int, arguments: tuple[Expr, ...], locals: Locals) -> tuple[int, ...]:
        if self.midst is not None:
            parameters = self.game.procedures[procedure].parameters
            for variable, argument in zip(parameters, arguments, strict=True):
                self._of[variable.id] = NOBODY if self._draws(argument) else self._seers((argument,), locals)
        return super()._arguments(procedure, arguments, locals)

    def _finish(self, end: Finish, locals: Locals) -> None:
        if self.midst is not None:
            self._notice(NOBODY if end.how == "ranking" else self._seers((end.value,), locals))
        super()._finish(end, locals)

    # -------------------------------------------------------------- conditions

    def _holds(self, condition: Expr | None, locals: Locals) -> bool:
        if self.midst is not None and condition is not None:
            bodies = self._guarded.get(id(condition))
            reach = EVERYONE if bodies is None else self._seen_of(bodies, locals)
            self._notice(self._seers((condition,), locals), reach)
        return super()._holds(condition, locals)

    def _settled(self, loop: Loop, locals: Locals) -> list[int]:
        if self.midst is not None:
            self._goes_over(loop, [key.value for key in loop.keys], locals)
        return super()._settled(loop, locals)

    def _passes(self, block: Simultaneous, locals: Locals) -> None:
        if self.midst is not None:
            self._goes_over(block, [], locals)
        super()._passes(block, locals)

    def _goes_over(self, loop: Loop | Simultaneous, keys: Sequence[Expr], locals: Locals) -> None:
        reach, source = self._seen_of((loop.body,), locals), loop.source
        self._notice(self._seers((*_told_by(source.mask), *_told_by(source.pile)), locals), reach)
        if keys:
            for member in self._sequence(source, dict(locals)) if not self._draws(source) else ():
                self._notice(self._seers(keys, {**locals, loop.variable.id: member}), reach)
        self._of[loop.variable.id] = self._seers((source.mask, source.pile), locals)

    def _times(self, loop: Repeat, locals: Locals) -> int | None:
        if self.midst is not None:
            self._notice(self._seers((loop.times,), locals), self._seen_of((loop.body,), locals))
        return super()._times(loop, locals)

    def _seen_of(self, bodies: Iterable[Sequence[Statement]], locals: Locals) -> Mask:
        """Returns the viewers who may see something of what some bodies do."""
        reach = NOBODY
        for statement in (statement for body in bodies for statement in body):
            of = traits(statement)
            match of.effect:
                case "writes":
                    assert isinstance(statement, Assign)
                    reach = Mask(reach | self._sight(statement, locals))
                case "decides" | "goes over" | "repeats" if not isinstance(statement, Simultaneous):
                    reach = Mask(reach | self._seen_of(of.bodies, locals))
                case "binds" | "tells" | "expands":
                    pass
                case _:  # any other statement is, or may hold, something that all see
                    return EVERYONE
        return reach

    # -------------------------------------------------------------- questions

    def _offered(self, choice: Choice, locals: Locals) -> tuple[Seat, Answer | None, bool]:
        if self.midst is None:
            return super()._offered(choice, locals)
        self._notice(self._seers((choice.who,), locals))
        seat, answer, is_forced = super()._offered(choice, locals)
        if (answer is None or is_forced) and seat >= 0:
            self._notice(Mask(self._who_knows_options(choice, locals) | 1 << seat))
        return seat, answer, is_forced

    def _who_knows_options(self, choice: Choice, locals: Locals) -> Mask:
        """Returns the viewers who may know which options there are."""
        seers = EVERYONE
        for branch in choice.branches:
            domains = [parameter.domain for parameter in branch.parameters]
            parts = [of for domain in domains for of in (domain.mask, domain.pile)]
            needs = [need.condition for need in branch.needs if not need.after]
            seers = Mask(seers & self._seers((*parts, *needs), locals))
            if any(need.after for need in branch.needs) and self._reads_hidden(branch):
                return NOBODY
        return seers

    def _reads_hidden(self, branch: Branch) -> bool:
        assert self.midst is not None
        own = [parameter.variable.id for parameter in branch.parameters]
        needs = tuple(need.condition for need in branch.needs)
        return self.midst().secrets.course.depends(needs, but=own)

    def _bind_parameters(self, branch: Branch, answer: Answer, locals: Locals) -> None:
        if self.midst is not None:
            choice = next(c for c in self.game.choices if any(b is branch for b in c.branches))
            seat = 0 if choice.actor is None else 1 << locals[choice.actor.id]
            secret = self.midst().secrets.parameters(branch)
            for parameter, is_secret in zip(branch.parameters, secret, strict=True):
                self._of[parameter.variable.id] = Mask(seat) if is_secret else EVERYONE
        super()._bind_parameters(branch, answer, locals)


def _guarded(game: GameRules) -> dict[int, tuple[tuple[Statement, ...], ...]]:
    """Returns, by the id of each condition of a game, the bodies of which it decides; equal conditions may be one."""
    found: dict[int, tuple[tuple[Statement, ...], ...]] = {}
    for node in walk((game.procedures, game.choices)):
        match node:
            case When():
                bodies = (*(body for _, body, _ in node.branches), node.otherwise)
                conditions = tuple(condition for condition, _, _ in node.branches)
            case Loop() | Simultaneous() | Repeat() if node.condition is not None:
                bodies, conditions = (node.body,), (node.condition,)
            case _:  # no other node has bodies that it may leave out
                continue
        for condition in conditions:
            found[id(condition)] = (*found.get(id(condition), ()), *bodies)
    return found


def _is_plain(part: Expr | None) -> bool:
    """Returns whether an expression names things by the place where they lie, which tells nothing of them."""
    if isinstance(part, Op) and part.name == "single":
        return _is_plain(part.arguments[0])
    return part is None or isinstance(part, Contents | InSlot | TopOf | Local | Pick)


def _told_by(part: Expr | None) -> tuple[Expr, ...]:
    """Returns the expressions that a line tells of where it names things: of those named by their place, whose place it is."""
    if isinstance(part, Op) and part.name == "single":
        return _told_by(part.arguments[0])
    if isinstance(part, Contents | InSlot | TopOf):
        return part.index
    return () if part is None or _is_plain(part) else (part,)


@attrs.define(eq=False)
class _Watching(Silent):
    """A trace that notices who comes to know a thing, or to see a variable."""

    machine: _Noticing
    knowledge: Knowledge | None = None
    seen: dict[Slot, Mask] = attrs.field(factory=dict)

    def look(self) -> None:
        machine = self.machine
        if machine.midst is None:
            return
        midst, before = machine.midst(), self.knowledge
        now = self.knowledge = midst.knowledge
        for kind, lying in enumerate(now.kinds):
            last = None if before is None else before.kinds[kind]
            if lying is None or last is None or lying.could is last.could:
                continue
            for viewer, (old, new) in enumerate(zip(last.could, lying.could, strict=True)):
                if old is not new and _is_narrower(old, new, lying.alike):
                    machine.learnt = Mask(machine.learnt | 1 << viewer)
        visibility, row = midst.visibility, midst.row
        for state in visibility.shifting.states if visibility.shifting is not None else ():
            for at in range(machine.layout.state_sizes[state.id]):
                slot = Slot(machine.layout.states[state.id] + at)
                seers = visibility.who_knows(state, at, row, now)
                machine.learnt = Mask(machine.learnt | (seers & ~self.seen.get(slot, seers)))
                self.seen[slot] = seers

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        self.look()

    def witness(self, id: int, values: tuple[int, ...]) -> None:
        self.look()

    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        self.look()

    def move(self, kind: int, thing: int, source: int, target: int, end: str, site: int) -> None:
        self.look()

    def turn_up(self, kind: int, thing: int, site: int) -> None:
        self.look()

    def show(self, kind: int, thing: int, seats: int, part: int, site: int) -> None:
        self.look()

    def shuffle(self, zone: int, place: int, site: int) -> None:
        self.look()

    def pick(self, stream: int, value: int) -> None:
        """Notices who knows what the drawn thing was drawn from: of others, the thing tells nothing until it is seen."""
        machine, before = self.machine, self.knowledge
        if machine.midst is None or before is None:
            return
        kind, watched = machine.midst().secrets.picks.get(stream), machine.chance
        if kind is not None and machine.game.kinds[kind].movable and isinstance(watched, Watched):
            for viewer in range(before.viewers) if len(watched.among) > 1 else ():
                if any(before.knows(viewer, kind, Thing(thing)) for thing in watched.among):
                    machine.learnt = Mask(machine.learnt | 1 << viewer)
        self.look()


def _is_narrower(old: Guesses, new: Guesses, alike: Sequence[int]) -> bool:
    """Returns whether somebody who guessed so before knows more of a
    thing now; to tell it from its copies does not count."""
    before, after = (sorted(_printed(guess, alike) for guess in guesses) for guesses in (old, new))
    if before == after:
        return False
    return any(_printed(a, alike) & ~_printed(b, alike) for a, b in zip(old, new, strict=True))


def _printed(guess: int, alike: Sequence[int]) -> int:
    """Returns a mask with all copies of the things in it."""
    found, rest = 0, guess
    while rest:
        copies = alike[(rest & -rest).bit_length() - 1]
        found |= copies
        rest &= ~copies
    return found
