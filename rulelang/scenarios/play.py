"""One run of a scenario: its lines, in order, in one match with one seed.

    given … at bonus     plays the game from its start, declining where possible, until that phase is about to begin
    red: …               plays the match on to the next choice
    expect …             checks the position there

A line that cannot be carried out ends the run; an expectation that fails is noted, and the run continues.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from rulelang.errors import RulelangError, RuntimeRules
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat
from rulelang.ir.picks import streams_of, thrown_from
from rulelang.ir.scenarios import (
    AfterLine,
    AskedLine,
    CanLine,
    DrawLine,
    Expectation,
    HappenedLine,
    HoldsLine,
    InputLine,
    LayLine,
    LostLine,
    OptionPattern,
    OthersLine,
    PileOrder,
    RulePattern,
    Scenario,
    ScenarioLine,
    SeesLine,
    StandingPoint,
    StartingPoint,
    ThrowLine,
    WonLine,
    WriteLine,
)
from rulelang.knowledge.redaction import written_answer
from rulelang.knowledge.rendering import Looking
from rulelang.machines.chance import Scripted, WaitingResults
from rulelang.machines.evaluate import contents
from rulelang.machines.givens.arrangement import Arrangement, CannotGive
from rulelang.machines.machine import Pending, Trace
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.position import Position
from rulelang.program.layout import LOST, OUTCOME, PLAYING
from rulelang.program.packing import mask_of, members
from rulelang.scenarios import messages
from rulelang.scenarios.matching import Answers, No
from rulelang.scenarios.probe import ProbedCall, RuleProbe
from rulelang.source import Span

MOST_ANSWERS = 2_000
"""The most answers on the way to the phase of the givens, and for one `others`."""


@attrs.frozen
class Failure:
    """A failed expectation: what was expected and found, and its place."""

    message: str
    span: Span
    clauses: tuple[str, ...] = ()
    of_rules: bool = False
    """Whether the rules themselves failed: a value out of range, runaway rules, nothing to choose from."""

    @property
    def place(self) -> str:
        """`scenarios/bonus.rules:12:3`."""
        return self.span.place


class ScenarioStopped(Exception):
    """Raised when a scenario cannot continue."""

    def __init__(self, message: str, line: ScenarioLine | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message)


@attrs.define
class Play:
    """A running scenario. `picks` are the kinds of things that streams pick (see `ir.picks`)."""

    scenario: Scenario
    game: GameRules
    chance: Scripted
    picks: Mapping[int, int]
    start: Callable[[Callable[[BareMatch], Trace]], BareMatch]
    """Starts the match with a probe."""
    probe: RuleProbe = attrs.field(init=False)
    match: BareMatch = attrs.field(init=False)
    """The match, set as soon as it is about to begin."""
    faults: list[Failure] = attrs.field(factory=list, init=False)
    _line: ScenarioLine | None = attrs.field(default=None, init=False)
    _moment: StartingPoint | None = attrs.field(default=None, init=False)
    _after: list[AfterLine] = attrs.field(factory=list, init=False)
    _results: list[tuple[ThrowLine | DrawLine, WaitingResults]] = attrs.field(factory=list, init=False)
    _spoken: dict[int, int] = attrs.field(factory=dict, init=False)
    """By seat for which a line has answered since the last `expect`: the phase of that answer."""
    _sealed: int | None = attrs.field(default=None, init=False)
    """The sealed choice that the last line answered for one of
    several seats; the answer takes effect when all are in."""

    def __attrs_post_init__(self) -> None:
        moment = self.scenario.moment
        self._moment = moment if isinstance(moment, StartingPoint) else None
        self.probe = RuleProbe(self.game, self._phase_begins, self._rule_ends)

    def run(self) -> tuple[Failure, ...]:
        """Carries out all lines; returns the failures."""

        def whole() -> None:
            self._begin()
            self._go_on()

        return self._noting(whole)

    def go_on(self) -> tuple[Failure, ...]:
        """Carries out the lines after the givens, once `begin` has carried out those; returns the failures."""
        return self._noting(self._go_on)

    def go_to_fault(self) -> tuple[Failure, ...]:
        """Carries out the lines after the givens up to the first that fails; returns the failures."""

        def as_far_as_it_goes() -> None:
            for line in self.scenario.lines:
                self._carry_out(line)
                if self.faults:
                    return
            self._close()

        return self._noting(as_far_as_it_goes)

    def _go_on(self) -> None:
        for line in self.scenario.lines:
            self._carry_out(line)
        self._close()

    def begin(self) -> tuple[Failure, ...]:
        """Carries out the givens alone, and what stands before them; returns the failures."""
        return self._noting(self._begin)

    def _noting(self, act: Callable[[], None]) -> tuple[Failure, ...]:
        try:
            act()
        except ScenarioStopped as broken:
            self._fault(broken.message, broken.line or self._line)
        except CannotGive as fault:
            self._fault(str(fault), self._line)
        except RuntimeRules as error:
            self._rules_fault(error)
        except RulelangError as error:
            self._fault(str(error), self._line)
        return tuple(self.faults)

    def _begin(self) -> None:
        for line in self.scenario.opening:
            self._carry_out(line)
        self._line = None
        self.start(self._listen)
        if isinstance(self.scenario.moment, StandingPoint):
            for line in self.scenario.arranged:
                if not isinstance(line, WriteLine | LayLine):
                    self._carry_out(line)
        given = 0
        while self._moment is not None:
            if self._pending is None or given == MOST_ANSWERS:
                raise ScenarioStopped(
                    f"the game never reaches `{self._moment.text}`", next(iter(self.scenario.arranged), None)
                )
            self._push(self._answers.decline())
            given += 1

    def _push(self, option: Option, elapsed: int | None = None) -> None:
        """Plays the match on with an option."""
        assert self._pending is not None
        self.probe.chosen.add((self._pending.choice, option.answer[0]))
        self.match.push(option, elapsed=elapsed)

    def _listen(self, match: BareMatch) -> Trace:
        self.match = match
        return self.probe

    def _close(self) -> None:
        for after in self._after:
            self._fault(f"`{after.pattern.text}` never came to its end", after)
        for line, waiting in self._results:
            if waiting.left:
                what = f"roll of {line.die}" if isinstance(line, ThrowLine) else "draw"
                self._fault(f"this {what} never came", line)

    @property
    def _position(self) -> Position:
        return self.match.internals.midst

    @property
    def _answers(self) -> Answers:
        return Answers(self._position)

    @property
    def _pending(self) -> Pending | None:
        return self._position.pending

    # -------------------------------------------------------------- callbacks of the probe

    def _phase_begins(self, procedure: int, arguments: tuple[int, ...]) -> None:
        moment = self._moment
        if moment is None or procedure not in moment.procedures:
            return
        types = [variable.type for variable in self.game.procedures[procedure].parameters]
        fitting = zip(moment.arguments or (), arguments, types, strict=False)
        if not all(self._answers.fits(sought, value, type) for sought, value, type in fitting):
            return
        self._moment = None
        table = Arrangement(self._position.row, self.game, self._position.layout)
        self._line = next((line for line in self.scenario.arranged if isinstance(line, LayLine)), None)
        table.arrange(self.scenario.arranged)
        for line in self.scenario.arranged:
            self._line = line
            match line:
                case WriteLine():
                    table.write(line)
                case LayLine():
                    table.lay(line)
                case _:  # any other line is played later
                    self._carry_out(line)
        self.probe.forget()

    def _rule_ends(self, call: ProbedCall) -> None:
        for after in [after for after in self._after if self._is(after.pattern, call)]:
            self._after.remove(after)
            for line in after.lines:
                self._expect(line)

    # -------------------------------------------------------------- lines

    def _carry_out(self, line: ScenarioLine) -> None:
        self._line = line
        match line:
            case ThrowLine() | DrawLine():
                self._results.append((line, self._let_come(line)))
            case AfterLine():
                self._after.append(line)
            case InputLine():
                self._input(line)
            case OthersLine():
                self._others(line)
            case _:  # any other line is an expectation
                self._expect(line)
                self._spoken.clear()

    def _input(self, line: InputLine) -> None:
        found = self._answers.find(line.seat, line.option)
        if isinstance(found, No):
            raise ScenarioStopped(self._refused(line.seat, line.option, found))
        if line.elapsed is not None and self.match.clock is None:
            raise ScenarioStopped("no clock runs here")
        self._spoken[line.seat] = self.probe.phase
        choice = self._pending.choice if self._pending is not None else None
        self._sealed = choice if choice is not None and self.game.choices[choice].sealed else None
        self.probe.forget()
        self._push(found, line.elapsed)

    def _refused(self, seat: Seat, pattern: OptionPattern, no: No) -> str:
        if not no.absent:
            return f"{self.game.seats[seat]} cannot {pattern.text}: {no}"
        return f"{no}{self._taken(seat)}"

    def _taken(self, seat: Seat) -> str:
        """Returns a note for a seat that was not asked because its lone option was taken."""
        if seat not in self.probe.taken:
            return ""
        choice, answer = self.probe.taken[seat]
        option = written_answer(self.game, self.game.choices[choice], answer)
        return f" (the only option was taken without asking: {option})"

    def _others(self, line: OthersLine) -> None:
        """Answers for all seats that are asked and not named, until a named seat is asked or the phase is over.

        Outside any phase each of them answers once.
        """
        phase, given = self.probe.phase, 0
        done: set[int] = set()
        self.probe.forget()
        while (pending := self._pending) is not None and not self.probe.is_over(phase) and given < MOST_ANSWERS:
            named = {seat for seat, spoken in self._spoken.items() if spoken == self.probe.phase} | line.later
            free = [seat for seat in pending.seats if seat not in named and (phase or seat not in done)]
            if not free:
                break
            found = self._answers.find(free[0], line.option)
            if isinstance(found, No):
                if found.absent and (given or line.option.declines):
                    break
                raise ScenarioStopped(self._refused(free[0], line.option, found))
            self._push(found)
            done.add(free[0])
            given += 1
        if not given and not line.option.declines:
            raise ScenarioStopped(f"nobody else is asked; {messages.asked(self.game, self._pending)}")

    def _let_come(self, line: ThrowLine | DrawLine) -> WaitingResults:
        if isinstance(line, ThrowLine):
            return self.chance.wait(thrown_from(self.game, line.die), (frozenset({f}) for f in line.faces))
        streams = streams_of(self.game, self.picks, line.kind)
        return self.chance.wait(streams, (frozenset(members(mask)) for mask in line.items))

    # -------------------------------------------------------------- expectations

    def _expect(self, line: ScenarioLine) -> None:
        try:
            match line:
                case HoldsLine(expectations=expectations):
                    for expectation in expectations:
                        self._hold(expectation, line)
                case WonLine():
                    self._won(line)
                case LostLine():
                    if self._position.row[OUTCOME] != LOST:
                        self._fault(f"expected the game to be lost; {self._ending()}", line)
                case CanLine():
                    self._can(line)
                case AskedLine():
                    self._asked(line)
                case SeesLine():
                    self._sees(line)
                case HappenedLine():
                    self._happened(line)
                case _:  # every other line does something, and expects nothing
                    pass
        except RuntimeRules as error:
            self._fault(f"this cannot be evaluated: {error}", line)

    def _hold(self, expectation: Expectation | PileOrder, line: ScenarioLine) -> None:
        look = self._answers.look()
        if isinstance(expectation, PileOrder):
            zone = self.game.zones[expectation.zone]
            instance = look.instance(zone, expectation.index, {})
            things = contents(look.row, look.layout, zone, instance) if instance >= 0 else []
            same = len(things) >= len(expectation.items) if expectation.open else len(things) == len(expectation.items)
            if not same or not all(mask >> t & 1 for mask, t in zip(expectation.items, things, strict=False)):
                found = f"{expectation.name} is {messages.pile(self.game, zone.kind, things)}"
                self._fault(f"expected {expectation.text}; {found}", line, expectation.span)
        elif not look.holds(expectation.condition, {}):
            found = ", ".join(messages.side(side, look) for side in expectation.sides) or "it does not hold"
            self._fault(f"expected {expectation.text}; {found}{self._unanswered()}", line, expectation.span)

    def _unanswered(self) -> str:
        """Returns a note if an answer waits for those of other seats; else ""."""
        pending = self._pending
        if pending is None or pending.choice != self._sealed:
            return ""
        return f" (nothing happens before all have answered: {messages.asked(self.game, pending)})"

    def _won(self, line: WonLine) -> None:
        wanted = self._answers.look().value(line.winners, {})
        outcome = self._position.outcome
        over = self._position.row[OUTCOME] != PLAYING or self._pending is None
        if not over or mask_of(outcome.winners if outcome else ()) != wanted:
            self._fault(f"expected winner {line.text}; {self._ending()}", line)

    def _ending(self) -> str:
        outcome = self._position.outcome
        if outcome is None and self._pending is not None:
            return f"the game goes on: {messages.asked(self.game, self._pending)}"
        if outcome is None:
            return "the game ended without a winner"
        if outcome.kind == "lost":
            return "the game is lost"
        if outcome.kind == "score":
            return f"the game ended with a score of {outcome.scores[0]}"
        if outcome.kind == "undecided":
            return "the game ended undecided"
        names = [self.game.seats[seat] for seat in outcome.winners]
        return f"the winner is {names[0]}" if len(names) == 1 else f"the winners are {{{', '.join(names)}}}"

    def _can(self, line: CanLine) -> None:
        found = self._answers.find(line.seat, line.option)
        because = f" because of [{', '.join(line.clauses)}]" if line.clauses and not line.legal else ""
        if line.legal:
            if isinstance(found, No):
                self._fault(f"expected {line.text}; {found}", line)
        elif not isinstance(found, No):
            self._fault(f"expected {line.text}; nothing forbids it", line)
        elif found.unasked:
            hint = f"if that is meant, write `expect {self.game.seats[line.seat]} is not asked`"
            self._fault(f"expected {line.text}{because}; {found}{self._taken(line.seat)}; {hint}", line)
        elif not set(line.clauses) <= set(found.clauses):
            self._fault(f"expected {line.text}{because}; but: {found}", line)

    def _asked(self, line: AskedLine) -> None:
        pending = self._pending
        if line.asked != (pending is not None and line.seat in pending.seats):
            found = messages.asked(self.game, pending)
            self._fault(f"expected {line.text}; {found}{self._taken(line.seat)}", line)

    def _sees(self, line: SeesLine) -> None:
        position = self._position
        visibility, knowledge = position.visibility, position.moment.knowledge
        look = Looking(position.row, self.game, position.layout, visibility=visibility, knowledge=knowledge, told={})
        value = look.value(line.value, {})
        sees = bool(look.seers & visibility.bit(line.seat))
        if sees != line.sees:
            name = self.game.seats[line.seat]
            words = messages.said(value, line.type, self._answers.look(), line.value)
            found = f"{name} knows it: {words}" if sees else f"not all of it is known to {name}"
            self._fault(f"expected {line.text}; {found}", line)

    def _happened(self, line: HappenedLine) -> None:
        if any(self._is(line.pattern, call) for call in self.probe.happened):
            return
        rules = {rule for rule, _ in line.pattern.rules}
        calls = [messages.call(self.game, *call) for call in self.probe.happened if call[0] in rules]
        since = ", ".join(dict.fromkeys(calls)) or "it did not happen"
        self._fault(f"expected event {line.pattern.text}; since the last input: {since}", line)

    def _is(self, pattern: RulePattern, call: ProbedCall) -> bool:
        """Returns whether a call of a rule fits a pattern."""
        rule, values = call
        types = [variable.type for variable in self.game.rules[rule].parameters]
        for wanted, arguments in pattern.rules:
            fitting = zip(arguments or (), values, types, strict=False)
            if wanted == rule and all(self._answers.fits(sought, value, type) for sought, value, type in fitting):
                return True
        return False

    # -------------------------------------------------------------- faults

    def _fault(self, message: str, line: ScenarioLine | None, span: Span | None = None) -> None:
        clauses = line.clauses if line is not None else ()
        self.faults.append(Failure(message, span or (line.span if line is not None else self.scenario.span), clauses))

    def _rules_fault(self, error: RuntimeRules) -> None:
        site = self.game.sites[error.site] if 0 < error.site < len(self.game.sites) else None
        where = f" ({site.span.place})" if site is not None else ""
        line = self._line
        span = line.span if line is not None else self.scenario.span
        self.faults.append(
            Failure(f"the rules went wrong: {error}{where}", span, site.clauses if site else (), of_rules=True)
        )
