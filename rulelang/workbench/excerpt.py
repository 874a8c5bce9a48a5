"""A step of a match -> the shortest scenario found that shows it: the position, the answer, and the results.

    scenario "red: play_bonus(nitro)":                               [OS-5.9, OS-5.16]
      players red, blue
      given red.tokens = {nitro} at bonus
      red: play_bonus(nitro)
      expect red.zone == 4 and red.tokens == {}

The first draft gives the whole position at the beginning of the last phase, and every answer and draw since. If it
does not lead to the step again, an earlier phase is tried, and at last the whole match. Then parts are left out (delta
debugging, Zeller and Hildebrandt 2002) as long as the scenario passes, and fails without its last answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

import attrs

from rulelang.api import Game, Match
from rulelang.errors import RulelangError
from rulelang.ir.model import Const, GameRules, StateVariable, Zone
from rulelang.ir.numbers import Row
from rulelang.ir.picks import die_of
from rulelang.knowledge.redaction import call, read, zone_name
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import is_inner
from rulelang.machines.chance import Tape
from rulelang.machines.evaluate import contents
from rulelang.machines.interpreter import CutRules, Interpreter
from rulelang.machines.machine import Answer, Machine, Silent
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.position import Position
from rulelang.match.recording.events import Event
from rulelang.match.recording.step_record import Draw
from rulelang.program.values import written
from rulelang.scenarios.run import ScenarioResult, run_scenario
from rulelang.semantics.scenarios.scenario import lower_scenario
from rulelang.source import NOWHERE, SourceText
from rulelang.syntax import nodes
from rulelang.syntax.parser import parse

MOST_PHASES = 12
"""The most beginnings of phases that are tried, the latest first."""
MOST_LATE = 4
"""The most phases for which the position right before the answer is tried."""
MOST_TRIED = 300
"""The most scenarios that are played to find out what can be left out."""
WIDTH = 100
"""The most characters of a line of givens."""
MOST_CLAUSES = 7
"""The most clauses that the scenario cites, so that `cover` counts it."""


class NoExcerpt(RulelangError):
    """Raised if no scenario shows a step; the message says why."""


@attrs.frozen
class Excerpt:
    """A written scenario, and the number of scenarios that were played to find it."""

    text: str
    tried: int


@attrs.frozen
class _Beginning:
    """A position in a phase at which a scenario may begin; `step` is the step in which it occurred."""

    phase: str
    step: int
    drawn: int | None
    """The number of draws of that step before it; None for all."""
    row: Row


@attrs.frozen
class _Draft:
    """A scenario in parts: `givens` and `lines`, which can be left out, and the parts that stay."""

    head: tuple[str, ...]
    at: str
    givens: tuple[str, ...]
    lines: tuple[str, ...]
    answer: str
    expects: tuple[str, ...]
    as_begun: frozenset[str] = frozenset()
    """The givens of variables that have their initial values, which can probably be left out."""

    def text(self, *, answers: bool = True) -> str:
        """Returns the written scenario, or without `answers` the same
        without its last answer, to see whether it still passes."""
        givens = [f"  given {row}" for row in _rows(self.givens)]
        if givens and self.at:
            givens[0] += f" at {self.at}"
        last = [f"  {self.answer}"] if answers and self.answer else []
        lines = [*self.head, *givens, *(f"  {line}" for line in self.lines), *last, *(f"  {e}" for e in self.expects)]
        return "\n".join(lines) + "\n"


def excerpt(game: Game, match: BareMatch, step: int, title: str = "", expects: Sequence[str] = ()) -> Excerpt:
    """Returns a scenario that shows the effect of answer number `step` of a match; `expects` replace the expectations.

    Steps count the answers that stand, from 1. Raises NoExcerpt if there is no such step, or no scenario leads to it.
    """
    earlier = match.earlier()
    if not 1 <= step <= len(earlier):
        raise NoExcerpt(f"there are steps 1 to {len(earlier)}: answers that were not taken back")
    drafts = _Drafts(match, step, step - 1, title, tuple(expects))
    if not drafts.events():
        raise NoExcerpt(
            f"nothing came of step {step} alone: its answer lay sealed, or was all there was; ask for a later one"
        )
    return _shortest(drafts, _Tries(game, match.internals.secrets))


def refusal(game: Game, match: BareMatch, option: Option, title: str = "") -> Excerpt:
    """Returns a scenario that shows why an option is refused now: the rule that refuses it there is the same one.

    Raises NoExcerpt if no rule refuses it, or no scenario leads there.
    """
    reason = match.why_not(option)
    if reason is None:
        raise NoExcerpt(f"no rule refuses {option.text}")
    sites = frozenset(site.id for site in match.game.sites if site.span == reason.span != NOWHERE)
    if reason.is_outside or not sites:
        raise NoExcerpt(f"{option.text} is no option, and no rule has to refuse it")
    now = len(match.earlier())
    claim = f"{match.seats[option.seat]} cannot {_called(match.game, match.position, option.answer)}"
    cited = f"  [{', '.join(reason.clauses)}]" if reason.clauses else ""
    head = title or f"{claim}: {reason.message}"
    drafts = _Drafts(match, now, now, head, (f"{claim}{cited}",), reason.clauses)
    return _shortest(drafts, _Tries(game, match.internals.secrets, sites))


def under_fresh_title(scenario: str, known: Collection[str]) -> str:
    """Returns a written scenario under its title, with a number behind it if that is one of the `known` titles.

    >>> under_fresh_title('scenario "all":', {"all", "all (2)"})
    'scenario "all (3)":'
    """
    head, title, rest = scenario.split('"', 2)
    numbered = itertools.chain((title,), (f"{title} ({n})" for n in itertools.count(2)))
    return f'{head}"{next(one for one in numbered if one not in known)}"{rest}'


def _shortest(drafts: _Drafts, tries: _Tries) -> Excerpt:
    for draft in drafts.all():
        draft = tries.sayable(draft)
        if tries.shows(draft):
            return Excerpt(_shortened(draft, tries).text(), tries.count)
    raise NoExcerpt("no scenario leads there: what chance gave, or where the rules stood, cannot be said in one")


def _called(game: GameRules, position: Position, answer: Answer) -> str:
    """Returns an answer at a position as scenarios write it."""
    choice = position.choice
    assert choice is not None
    branch = choice.branches[answer[0]]
    return call(
        branch.name, [written(v, p.variable.type, game) for v, p in zip(answer[1:], branch.parameters, strict=True)]
    )


def claims(game: Game, match: BareMatch, step: int) -> tuple[str, ...]:
    """Returns the claims that a scenario of answer number `step` of a match can make: one for each variable and place that
    it changed, and one for the end of the game.

    Raises NoExcerpt if there is no such step.
    """
    if not 1 <= step <= len(match.earlier()):
        raise NoExcerpt("nothing has been chosen at the table yet")
    drafts = _Drafts(match, step, step - 1, "", ())
    return drafts.claims(drafts.events())


# ------------------------------------------------------------------ first drafts


@attrs.frozen
class _Drafts:
    match: BareMatch
    step: int
    """The number of answers that the scenario may give."""
    before: int
    """The number of answers before what it shows: the last one, or what is refused after it."""
    title: str
    wanted: tuple[str, ...]
    clauses: tuple[str, ...] = ()
    """The clauses of the rule that refuses."""

    def all(self) -> Iterator[_Draft]:
        """Yields complete scenarios that may lead to the step, those that begin late first. Raises NoExcerpt for a match
        that began in a position without a text."""
        if self.match.internals.placed is not None:
            yield self._since_given()
            return
        beginnings = [one for one in self._beginnings() if one.step <= self.before][-MOST_PHASES:]
        phases = dict.fromkeys(one.phase for one in reversed(beginnings))
        earlier = self.match.earlier()
        row = (earlier[self.before][0] if self.before < len(earlier) else self.match).position.row
        late = [_Beginning(phase, self.before, None, row) for phase in list(phases)[:MOST_LATE]]
        seen: set[str] = set()
        for one in (*late, *reversed(beginnings)):
            draft = self._draft(one)
            if draft.text() not in seen:
                seen.add(draft.text())
                yield draft
        yield self._draft(None)

    def _since_given(self) -> _Draft:
        """Returns the scenario of a match that began in a position: its givens, and every answer and draw since."""
        text = self.match.header.given if isinstance(self.match, Match) else None
        scenario = None if text is None else _scenario(text)
        if scenario is None:
            raise NoExcerpt("this game began in a position that nobody has written down")
        givens, drawn, at = list[str](), list[str](), ""
        for step in scenario.steps:
            if isinstance(step, nodes.GivenStep):
                said = f'"{step.at.raw}"' if isinstance(step.at, nodes.TextNode) else step.at and step.at.span.text
                at = at or said or ""
                source = step.span.source.text
                givens += [source[place.span.start : value.span.end] for place, value in step.assignments]
            elif isinstance(step, nodes.DrawnStep):
                drawn.append(step.span.text.strip())
        draft = self._draft(None)
        return attrs.evolve(draft, at=at, givens=tuple(givens), lines=(*drawn, *draft.lines))

    def _beginnings(self) -> list[_Beginning]:
        """Replays the match; returns the positions at which phases were about to begin."""
        match = self.match
        draws = [draw for chapter in self._chapters() for draw in chapter]
        values = (draw.value if isinstance(draw.value, tuple) else (draw.value,) for draw in draws)
        rules = CutRules(match.game, match.internals.layout, match.position.machine.control)
        machine = Interpreter(rules, Tape(values, match.internals.layout))
        listener = _Phases()
        machine.trace = listener
        machine.begin(match.players, match.given)
        for _, past in match.earlier()[: self.before]:
            listener.begin_step()
            machine.answer(past.seat, past.answer)
        return listener.found

    def _chapters(self) -> list[tuple[Draw, ...]]:
        """Returns the draws of each step, the set-up first."""
        found = []
        chapter = self.match.internals.moment.chapter
        while chapter is not None:
            found.append(chapter.trail.draws)
            chapter = chapter.previous
        return found[::-1]

    def _draft(self, start: _Beginning | None) -> _Draft:
        game, match = self.match.game, self.match
        draws = self._chapters()
        first = 0 if start is None else start.step
        lines: list[str] = []
        earlier = match.earlier()
        for number in range(first, self.step + 1):
            own = draws[number]
            if start is not None and number == first:
                own = () if start.drawn is None else own[start.drawn :]
            if number > first:
                before, past = earlier[number - 1]
                lines += self._lines_of(own)
                after = "" if past.reading is None else f" after {past.reading}"
                lines.append(f"{match.seats[past.seat]}: {_called(game, before.position, past.answer)}{after}")
            else:
                lines += self._lines_of(own)
        answer, events = ("", ()) if self.before == self.step else (lines.pop(), self.events())
        head = (self._head(answer, events), f"  players {', '.join(match.seats)}")
        givens = () if start is None else tuple(self._givens(start.row))
        phase = "" if start is None else start.phase
        return _Draft(head, phase, givens, tuple(lines), answer, self._expects(events))

    def _head(self, answer: str, events: tuple[Event, ...]) -> str:
        told = [event for event in events if event.changes] or list(events)
        cites = dict.fromkeys((*self.clauses, *(clause for event in told for clause in event.clauses)))
        clauses = list(cites)[:MOST_CLAUSES]
        game, given = self.match.game, self.match.given
        agreed_on = [s for s in game.states if s.id in given and s.initial != Const(given[s.id])]
        options = ", ".join(f"{s.name} = {written(given[s.id], s.type, game)}" for s in agreed_on)
        agreed = f" with {options}" if options else ""
        cited = f"  [{', '.join(clauses)}]" if clauses else ""
        title = (self.title or answer).replace('"', "'")
        return f'scenario "{title}"{agreed}:{cited}'

    def events(self) -> tuple[Event, ...]:
        """Returns the events of the step."""
        chapters = []
        chapter = self.match.internals.moment.chapter
        while chapter is not None:
            chapters.append(chapter)
            chapter = chapter.previous
        return tuple(chapters[::-1][self.step].events)

    def _lines_of(self, draws: tuple[Draw, ...]) -> list[str]:
        lines = []
        game = self.match.game
        for draw in draws:
            name = game.streams[draw.stream]
            die = die_of(game, draw.stream)
            if die is not None:
                lines.append(f"roll {game.dice[die].name} {draw.value}")
            elif draw.form == "pick":
                kind = self.match.internals.secrets.picks.get(draw.stream)
                said = str(draw.value) if kind is None else game.kinds[kind].names[draw.value]  # type: ignore[index]
                lines.append(f"draw {said}")
            elif isinstance(draw.value, tuple) and draw.value:
                zone = next(zone for zone in game.zones if f"shuffle {zone.name}" == name)
                names = game.kinds[zone.kind].names
                lines.append(f"draw {', '.join(names[thing] for thing in draw.value)}")
        return lines

    def _givens(self, row: Row) -> Iterator[str]:
        """Yields the givens for a whole position."""
        match = self.match
        for state, at, name in match.visibility.cells:
            if _may_be_given(match, state):
                value = row[match.internals.layout.states[state.id] + at]
                yield f"{name} = {written(value, state.type, match.game)}"
        for zone, instance, name in match.visibility.heaps:
            if zone.name != "box" and not self._is_of_absent(zone, instance):
                yield f"{name} = {self._lying(zone, instance, row)}"

    def _is_of_absent(self, zone: Zone, instance: int) -> bool:
        return (
            zone_name(self.match.game, zone, instance).partition(".")[0] in self.match.game.seats[self.match.players :]
        )

    def _lying(self, zone: Zone, instance: int, row: Row) -> str:
        match = self.match
        names = [match.game.kinds[zone.kind].names[t] for t in contents(row, match.internals.layout, zone, instance)]
        if zone.form == "pile" and names:
            return f"top {', '.join(names)}"
        if zone.form == "slot":
            return names[0] if names else "none"
        return "{" + ", ".join(names) + "}"

    def _expects(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        """Returns the expectations: the requested ones, else all variables and places that the step changed."""
        if self.wanted:
            return tuple(f"expect {one}" for one in self.wanted)
        found = self.claims(events)
        parts = [one for one in found if not _stands_alone(one)]
        rows = (f"expect {' and '.join(parts[i : i + 3])}" for i in range(0, len(parts), 3))
        return (*rows, *(f"expect {one}" for one in found if _stands_alone(one)))

    def claims(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        """Returns the claims that hold after the step: the variables and places that it changed, and the end of the game;
        if there are none, its first event."""
        match, after = self.match, self._after()
        changed = {read(change.subject) for event in events for change in event.changes if change.what == "set"}
        found = []
        for state, at, name in match.visibility.cells:
            if name in changed and _may_be_given(match, state):
                value = after.row[match.internals.layout.states[state.id] + at]
                found.append(f"{name} == {written(value, state.type, match.game)}")
        found += self._places(events, after.row)
        outcome = after.outcome
        if outcome is not None and outcome.kind == "lost":
            found.append("lost")
        elif outcome is not None and outcome.kind == "undecided":
            found.append("winner none")
        elif outcome is not None and outcome.kind in ("winner", "ranking"):
            names = [self.match.seats[seat] for seat in outcome.winners]
            found.append(f"winner {names[0] if len(names) == 1 else '{' + ', '.join(names) + '}'}")
        if not found:
            calls = [read(event.call) for event in events if event.what in ("verb", "action")]
            found = [f"event {calls[0]}"] if calls else []
        return tuple(found)

    def _after(self) -> Position:
        earlier = self.match.earlier()
        return earlier[self.step][0].position if self.step < len(earlier) else self.match.position

    def _places(self, events: tuple[Event, ...], row: Row) -> Iterator[str]:
        """Yields the contents of the groups and slots that things entered or left."""
        moves = [change for event in events for change in event.changes if change.what == "move"]
        touched = {read(words) for change in moves for words in (change.before, change.after)}
        for zone, instance, name in self.match.visibility.heaps:
            if name in touched and zone.form != "pile" and zone.name != "box":
                yield f"{name} == {self._lying(zone, instance, row)}"


def _stands_alone(claim: str) -> bool:
    """Returns whether a claim is no condition, which `and` could join to another."""
    return claim == "lost" or claim.startswith(("winner ", "event "))


def _may_be_given(match: BareMatch, state: StateVariable) -> bool:
    return not (state.builtin or state.option or state.scratch or is_inner(match.game, state.id))


def _rows(parts: Sequence[str]) -> Iterator[str]:
    """Yields rows of parts separated by commas, as many in a row as fit."""
    row = ""
    for part in parts:
        if row and (len(row) + len(part) > WIDTH or " = top " in row + part):
            yield row
            row = ""
        row = f"{row}, {part}" if row else part
    if row:
        yield row


class _Phases(Silent):
    """A trace that notes the beginnings of phases in a match that is replayed step by step."""

    def __init__(self) -> None:
        self._step = self._drawn = 0
        self.found: list[_Beginning] = []

    def begin_step(self) -> None:
        """Notes that the next answer is about to be given."""
        self._step, self._drawn = self._step + 1, 0

    def enter_phase(self, procedure: int, arguments: tuple[int, ...], machine: Machine) -> None:
        """Notes that a phase is about to begin."""
        game = machine.game
        about = game.procedures[procedure]
        values = [written(a, v.type, game) for a, v in zip(arguments, about.parameters, strict=False)]
        is_play = about.rule is not None and game.rules[about.rule].what == "play"
        phase = "" if is_play else call(about.name, values)
        self.found.append(_Beginning(phase, self._step, self._drawn, list(machine.row)))

    def roll(self, stream: int, face: int) -> None:
        """Notes a roll."""
        self._drawn += 1

    def pick(self, stream: int, value: int) -> None:
        """Notes a random pick."""
        self._drawn += 1

    def shuffle(self, zone: int, place: int, site: int) -> None:
        """Notes a shuffle."""
        self._drawn += 1


# ------------------------------------------------------------------ shortening


@attrs.define
class _Tries:
    """Plays drafts, and remembers whether each of them shows the step, or a refusal by one of the `sites`."""

    game: Game
    secrets: Secrets
    sites: frozenset[int] = frozenset()
    count: int = 0
    _known: dict[str, bool] = attrs.field(factory=dict)
    _read: dict[str, bool] = attrs.field(factory=dict)

    def shows(self, draft: _Draft) -> bool:
        """Returns whether a draft passes, and fails without its last answer, or without the rule that refuses."""
        text = draft.text()
        if text not in self._known:
            result = self._result(text)
            passes = result is not None and result.passed
            if passes and self.sites:
                passes = result is not None and not self.sites.isdisjoint(result.refused)
            elif passes:
                idle = self._result(draft.text(answers=False))
                passes = idle is not None and any(one.message.startswith("expected ") for one in idle.faults)
            self._known[text] = passes
        return self._known[text]

    def sayable(self, draft: _Draft) -> _Draft:
        """Returns a draft without the lines that no scenario can express, such as faces and parts without a name."""
        at = f" at {draft.at}" if draft.at else ""
        players = draft.head[-1]
        return attrs.evolve(
            draft,
            givens=tuple(one for one in draft.givens if self._can_be_read(f"{players}\n  given {one}{at}")),
            lines=tuple(one for one in draft.lines if self._can_be_read(f"{players}\n  {one}")),
        )

    def _can_be_read(self, lines: str) -> bool:
        if lines not in self._read:
            node = _scenario(f'scenario "a part":\n{lines}\n')
            self._read[lines] = (
                node is not None and lower_scenario(self.game.internals.world, self.game.ir, node)[0] is not None
            )
        return self._read[lines]

    def _result(self, text: str) -> ScenarioResult | None:
        """Returns the result of a draft; None if it cannot be read."""
        self.count += 1
        node = _scenario(text)
        return None if node is None else run_scenario(self.game, node, self.secrets)


def _scenario(text: str) -> nodes.ScenarioDeclaration | None:
    """Returns the tree of a scenario; None if there is any fault in it."""
    parsed = parse(SourceText("a scenario", text))
    found = [one for one in parsed.module.declarations if isinstance(one, nodes.ScenarioDeclaration)]
    return found[0] if found and not parsed.diagnostics else None


def _shortened(draft: _Draft, tries: _Tries) -> _Draft:
    """Returns a draft from which nothing more can be left out, or the best one when the tries are used up."""
    told = attrs.evolve(draft, givens=tuple(given for given in draft.givens if given not in draft.as_begun))
    draft = told if tries.shows(told) else draft
    while True:
        shorter = _fewer(_fewer(draft, "lines", tries), "givens", tries)
        if shorter == draft or tries.count >= MOST_TRIED:
            return _with_short_piles(shorter, tries)
        draft = shorter


def _with_short_piles(draft: _Draft, tries: _Tries) -> _Draft:
    """Returns a draft that gives of each pile only the things that must lie on top."""
    for given in draft.givens:
        name, top, things = given.partition(" = top ")
        names = things.split(", ") if top else []
        for size in range(1, len(names)):
            shorter = f"{name} = top {', '.join(names[:size])}, ..."
            tried = attrs.evolve(draft, givens=tuple(shorter if one == given else one for one in draft.givens))
            if tries.shows(tried):
                draft = tried
                break
    return draft


def _fewer(draft: _Draft, what: str, tries: _Tries) -> _Draft:
    """Returns a draft in which each of the `lines` or `givens`
    is needed: halves are left out first, then smaller pieces."""
    size = len(getattr(draft, what))
    while size and tries.count < MOST_TRIED:
        at = 0
        while at < len(parts := getattr(draft, what)) and tries.count < MOST_TRIED:
            fewer = attrs.evolve(draft, **{what: parts[:at] + parts[at + size :]})
            if tries.shows(fewer):
                draft = fewer
            else:
                at += size
        size //= 2
    return draft
