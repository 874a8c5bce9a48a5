"""A log and other rules -> the same game told by those rules: its differences, and its ending.

    retold = retell(read_log("race.jsonl"), load("outspeed+hungry"), Policy.NEAREST)
    retold.differences[0].sentence      # step 4, in move(red): the log has red.fuel: 9 -> 7, these rules give red.fuel: 9 -> 6
    retold.ending                       # that of the log and that by these rules

The log's choices are the players' intentions, its random outcomes are those of chance (`log.recorded`). A choice that
can be taken is taken, whatever has happened in between; a policy decides on the others:

    stop       the game ends there
    skip       it is left out; questions beyond the log are passed on, or end the game
    nearest    the most similar legal option is taken
    bot        a bot chooses, and plays on if the log ends before the game does
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

import attrs

from rulelang.api import Game, Match
from rulelang.errors import LogError, RulelangError, RuntimeRules, UnknownOption
from rulelang.ir.model import Choice
from rulelang.knowledge.redaction import VALUE
from rulelang.lab.bots import Bot, bot
from rulelang.lab.seat_view import SeatView
from rulelang.log.bare.event_writer import Echo
from rulelang.log.bare.wording import Unechoed
from rulelang.log.format import Record, record_of
from rulelang.log.reading import ReadLog
from rulelang.log.recorded import Led
from rulelang.log.replay import REMEMBERED
from rulelang.log.steps import EVENT, LogLine, OpenSteps, Step
from rulelang.log.words import changes_in_words, in_words
from rulelang.machines.chance import Watched
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.recording.events import Entry, Event
from rulelang.playouts.rng import RandomStream
from rulelang.program.values import clean
from rulelang.source import NOWHERE, Span
from rulelang.workbench.divergence_report import Ending, Instead, Level, Parting, Policy, Retold, Tally, ToldDifference
from rulelang.workbench.suggestion import nearest

LOOK_AHEAD = 5
"""The number of a seat's next choices among which the answer to an unexpected question is searched for."""
MOST_READ = 200
"""The most choices of the log that are held at once."""
MOST_EXTRA = 5_000
"""The most answers beyond the log's; a game that takes more is abandoned."""


@attrs.frozen
class _Move:
    """A choice of the log that stands, and its results."""

    line: LogLine
    rest: tuple[LogLine, ...]

    @classmethod
    def of(cls, step: Step) -> _Move:
        assert step.first is not None, "the set-up is no choice"
        return cls(step.first, step.rest)

    @property
    def seat(self) -> str:
        return str(self.line.record["seat"])

    @property
    def option(self) -> str:
        return str(self.line.record["option"])

    @property
    def text(self) -> str:
        return clean(f"{self.seat}: {self.option}")[:200]


def retell(
    log: ReadLog,
    game: Game,
    policy: Policy = Policy.NEAREST,
    bot_name: str | None = None,
    *,
    until: int | None = None,
    forgets: bool = True,
    only_compares: bool = False,
) -> Retold:
    """Tells a log's game by other rules, up to its end or to a
    step (`until`). If it `forgets`, the match keeps no past.

    If it `only_compares`, the match knows nothing of its events, which takes a third of the time: reasons why a choice
    is illegal then do not count on what its seat remembers.

    `bot_name` is the bot of the policy `bot`, by default greedy, or random if the rules define no score. Raises
    LogError for a log of one seat, or of another game.
    """
    header = log.header
    if header.viewer is not None:
        raise LogError("this log was made for one seat: what others know is not in it, so it cannot be played again")
    if header.game != game.id:
        raise LogError(f"this is a log of `{clean(header.game)[:40]}`, not of `{game.id}`")
    game = attrs.evolve(game, internals=game.internals.of_format(header.format))
    who = bot(bot_name or ("greedy" if game.ir.score is not None else "random"))
    same_text = header.text == game.text_hash
    with log.steps.opened() as lines:
        for is_echoed in (True, False) if only_compares and policy is not Policy.BOT else (False,):
            chance = Led(header.seed, game.ir, game.internals.layout, game.internals.secrets.picks, lines.draws())
            telling = _Telling(log, lines, log.steps.standing, game, policy, who, chance, same_text, forgets, is_echoed)
            with suppress(Unechoed):
                if telling.set_up(lines[0].rest):
                    telling.go_through(until)
                return telling.retold(until)
    raise AssertionError("a match of its own needs no echo")


@attrs.define
class _Telling:
    """A game that is being told."""

    log: ReadLog
    lines: OpenSteps
    standing: Sequence[int]
    """The steps of the log that stand."""
    game: Game
    policy: Policy
    bot: Bot
    chance: Led
    same_text: bool
    forgets: bool
    is_echoed: bool
    """Whether the events are those of an echo, and not of a traced match."""
    echo: Echo | None = None
    match: Match | None = None
    heard: list[Entry] = attrs.field(factory=list)
    differences: list[ToldDifference] = attrs.field(factory=list)
    tally: Tally = attrs.field(factory=Tally)
    instead: list[Instead] = attrs.field(factory=list)
    stopped: str = ""
    parted: Parting | None = None
    step: int = 0
    extra: int = 0
    waiting: dict[str, deque[int]] = attrs.field(factory=dict)
    """By seat: the numbers, from 0, of its choices that are still to come."""
    moves: dict[int, _Move] = attrs.field(factory=dict)
    """The choices of the log that were read last, by their numbers."""

    @property
    def _now(self) -> Match:
        assert self.match is not None, "there is a match once it is set up"
        return self.match

    @property
    def _choice(self) -> Choice:
        assert self._now.choice is not None, "somebody is asked"
        return self._now.choice

    # -------------------------------------------------------------- the set-up

    def set_up(self, lines: tuple[LogLine, ...]) -> bool:
        """Starts the match as the log did; returns whether there is one."""
        header = self.log.header
        agreed = {name: value for name, value in header.options if self.game.internals.takes(name, value)}
        for name, value in header.options:
            if name not in agreed:
                self._differ(Level.SETUP, 1, f"{name} = {value} agreed on", "know no such agreement", "options")
        self.chance.lead([0] * self.game.internals.layout.size, lines)
        try:
            match = self.game.internals.begin(header, self.chance, agreed, self._echoing if self.is_echoed else None)
        except Unechoed:
            raise
        except RuntimeRules as error:
            self._differ(Level.FAULT, 1, "the set-up", str(error))
            return False
        except RulelangError as error:
            self._differ(Level.SETUP, 1, f"{len(header.players)} players", f"no game: {error}", "players")
            self.stopped = "the game cannot be set up so"
            return False
        if match.seats != header.players:
            seats = " and ".join((", ".join(header.players), ", ".join(match.seats))).split(" and ")
            self._differ(Level.SETUP, 1, f"the seats {seats[0]}", f"the seats {seats[1]}", "seats")
            self.stopped = "the seats are others"
            return False
        self.match, self.heard = match, list(match.journal)
        match.listen(self.heard.append)
        self._compare(lines, Level.SETUP)
        return True

    # -------------------------------------------------------------- the choices

    def go_through(self, until: int | None) -> None:
        """Plays the log's choices by the policy: each seat's in order, the seats as the rules ask them."""
        self.waiting = {seat: deque() for seat in self._now.seats}
        for at in range(len(self.standing)):
            self.waiting[self._move(at).seat].append(at)
        while any(self.waiting.values()) and not self.stopped:
            if not self._now.to_move:
                self._over()
                return
            asked = sorted((self.waiting[seat][0], seat) for seat in self._asked() if self.waiting[seat])
            if until is not None and self._next >= until:
                return
            self._go_on([seat for _, seat in asked])
            if self.forgets and self.log.inputs > REMEMBERED and self.policy is not Policy.BOT:
                self._now.forget()
        if self.policy is Policy.BOT and until is None and self.log.is_complete:
            self._play_out()

    def _echoing(self, match: BareMatch) -> Echo:
        """Returns the echo that hears the steps of a match. Raises Unechoed."""
        if match.visibility.shifting is not None:
            raise Unechoed("the viewers of something vary")
        middle = match.internals.midst
        chance = middle.machine.chance
        assert isinstance(chance, Watched)
        self.echo = Echo(self.game.internals.phrases, middle.machine, chance, match.players)
        return self.echo

    def _push(self, option: Option, elapsed: int | None = None) -> None:
        """Takes an option, and hears what happens. Raises RuntimeRules, after which nothing has happened."""
        self.heard.clear()
        if self.echo is None:
            self._now.push(option, elapsed=elapsed)
            return
        mark = self.echo.mark()
        self.echo.begin(self._now.internals.midst.machine, 0)
        try:
            self._now.push(option, elapsed=elapsed)
        except RuntimeRules:
            self.echo.back_to(mark)
            raise

    def _events(self) -> list[Record]:
        """Returns the events of the last step."""
        if self.echo is not None:
            self.echo.close()
            return [json.loads(line) for line in self.echo.lines if line.startswith(EVENT)]
        return [record_of(entry, self._now.seats) for entry in self.heard if isinstance(entry, Event)]

    @property
    def _next(self) -> int:
        """The first of the choices that are still to come."""
        return min(queue[0] for queue in self.waiting.values() if queue)

    def _move(self, at: int) -> _Move:
        """Reads a choice of the log that stands, by its number from 0."""
        found = self.moves.get(at)
        if found is None:
            if len(self.moves) >= MOST_READ:
                self.moves.clear()
            found = self.moves[at] = _Move.of(self.lines[self.standing[at]])
        return found

    def _asked(self) -> list[str]:
        return [self._now.seats[seat] for seat in self._now.to_move]

    def _go_on(self, seats: list[str]) -> None:
        """Plays the next choice of the log that can be taken now; else treats the first one by the policy."""
        refused: ToldDifference | None = None
        for seat in seats:
            at = self.waiting[seat][0]
            move = self._move(at)
            self.step = at + 1
            found = self._meant(move)
            if isinstance(found, Option):
                self.waiting[seat].popleft()
                self._take(move, found)
                return
            refused = refused or found
        if refused is None:
            self.differences.append(self._unanswered())
            self._part(self.differences[-1].line)
            self._instead_of(None)
            return
        self.step = refused.step
        self.differences.append(refused)
        self._part(refused.line)
        self._instead_of(seats[0], same=refused.level is Level.ILLEGAL)

    def _instead_of(self, seat: str | None, *, same: bool = False) -> None:
        """Treats a seat's next choice, which cannot be taken, by the policy; None if the log has no answer here."""
        wanted = self._move(self.waiting[seat][0]) if seat is not None else None
        if self.policy is Policy.STOP:
            self.stopped = f"stopped at step {self.step}" + (f": {wanted.text}" if wanted is not None else "")
            return
        ahead = self._ahead(seat) if seat is not None and not same else 0
        if seat is not None and (ahead or (same and self.policy is Policy.SKIP)):
            for _ in range(ahead or 1):
                self._leave_out(self._move(self.waiting[seat].popleft()))
            return
        option = self._chosen(self._now.seats.index(seat) if seat else self._now.to_move[0], wanted)
        if option is None or self.extra >= MOST_EXTRA:
            self.stopped = f"nothing answers what is asked at step {self.step}"
            return
        if same and seat is not None:
            self.waiting[seat].popleft()
            assert wanted is not None
            self.instead.append(Instead(wanted.line.number, wanted.text, self._written(option)))
            self._count(replaced=1)
            self._answer(option)
            return
        line = wanted.line.number if wanted is not None else self._move(self._next).line.number
        self._add(option, line)

    def _meant(self, move: _Move) -> Option | ToldDifference:
        """Returns the option that a choice of the log means now, or the difference if there is none."""
        match = self._now
        asked = match.to_move
        if move.seat not in match.seats or match.seats.index(move.seat) not in asked:
            return self._other_question(move)
        try:
            option = match.option(f"{move.seat}: {move.option}")
        except UnknownOption as error:
            same = self._is_same_question(move)
            return self._illegal(move, str(error), (), NOWHERE) if same else self._other_question(move)
        reason = match.why_not(option)
        if reason is None:
            return option
        return self._illegal(move, reason.message, reason.clauses, reason.span)

    def _is_same_question(self, move: _Move) -> bool:
        """Returns whether a choice of the log answers the present
        question, though with an option that it does not have."""
        names = {branch.name for branch in self._choice.branches}
        head = move.option.partition("(")[0]
        if head in names or self._choice.name != move.line.record["choice"]:
            return head in names
        is_value = not any(line.record.get("rule") == head for line in move.rest)
        return is_value == (VALUE in names)

    def _illegal(self, move: _Move, why: str, clauses: tuple[str, ...], span: Span) -> ToldDifference:
        rule = move.option.partition("(")[0]
        return ToldDifference(Level.ILLEGAL, self.step, move.line.number, move.text, clean(why), rule, clauses, span)

    def _other_question(self, move: _Move) -> ToldDifference:
        return self._question(move.line.number, move.text)

    def _unanswered(self) -> ToldDifference:
        """Returns the difference for a question to a seat that has no more choices in the log."""
        self.step = self._next + 1
        return self._question(self._move(self._next).line.number, "no answer")

    def _question(self, line: int, logged: str) -> ToldDifference:
        choice = self._choice
        site = self.game.ir.sites[choice.site]
        rule = choice.name.partition("#")[0]
        names = [branch.name for branch in choice.branches if branch.name != VALUE]
        wanted = " or ".join(names[:4]) + (" …" if len(names) > 4 else "") if names else f"a value in {rule}"
        asked = f"ask {', '.join(self._asked())} for {wanted}"
        return ToldDifference(Level.ASKED, self.step, line, logged, asked, rule, site.clauses, site.span)

    def _take(self, move: _Move, option: Option) -> None:
        """Plays a choice of the log unchanged, and compares the results."""
        match = self._now
        self.chance.lead(match.position.row, move.rest)
        try:
            self._push(option, move.line.record.get("elapsed"))
        except RuntimeRules as error:
            self._differ(Level.FAULT, move.line.number, move.text, clean(str(error)))
            self._part(move.line.number)
            self._leave_out(move)
            return
        self._count(taken=1)
        self._compare(move.rest, Level.EVENT, move.line.number)

    def _ahead(self, seat: str) -> int:
        """Returns the number of a seat's choices to skip before its answer to the present question; 0 for none."""
        for number, at in enumerate(islice(self.waiting[seat], LOOK_AHEAD)):
            move = self._move(at)
            named = {branch.name for branch in self._choice.branches if not branch.declines}
            same = move.line.record["choice"] == self._choice.name or move.option.partition("(")[0] in named
            if number and same and isinstance(self._meant(move), Option):
                return number
        return 0

    def _chosen(self, seat: int, wanted: _Move | None) -> Option | None:
        match = self._now
        if self.policy is Policy.BOT:
            seed = 0 if self.log.header.seed is None else self.log.header.seed
            return self.bot.choose(SeatView(match, seat, RandomStream(seed, "bot", seat, self.extra)))
        options = list(match.options_of(seat))
        declines = [option for option in options if self._choice.branches[option.answer[0]].declines]
        if self.policy is Policy.SKIP:
            return declines[0] if declines else options[0] if len(options) == 1 else None
        return nearest(wanted.option if wanted is not None else "", options, declines)

    def _answer(self, option: Option) -> None:
        """Plays an answer that is not in the log."""
        match = self._now
        self.extra += 1
        self.chance.lead(match.position.row, ())
        try:
            self._push(match.option(f"{match.seats[option.seat]}: {option.text}"))
        except RuntimeRules as error:
            self._differ(Level.FAULT, 0, option.text, clean(str(error)))
            self.extra = MOST_EXTRA

    def _over(self) -> None:
        """Handles a game that has ended before the log has."""
        move = self._move(self._next)
        self.step = self._next + 1
        self._differ(Level.ASKED, move.line.number, move.text, "have ended the game already")
        self._part(move.line.number)
        for at in sorted(at for queue in self.waiting.values() for at in queue):
            self._leave_out(self._move(at))

    def _play_out(self) -> None:
        while self.match is not None and self.match.to_move and self.extra < MOST_EXTRA:
            option = self._chosen(self.match.to_move[0], None)
            if option is None:
                return
            self._add(option, len(self.log.lines) + 2)

    def _add(self, option: Option, line: int) -> None:
        """Plays an answer beyond those of the log, before one of its lines."""
        self.instead.append(Instead(line, "", self._written(option)))
        self._count(added=1)
        self._answer(option)

    def _leave_out(self, move: _Move) -> None:
        self.instead.append(Instead(move.line.number, move.text, ""))
        self._count(left_out=1)

    def _written(self, option: Option) -> str:
        return clean(f"{self._now.seats[option.seat]}: {option.text}")[:200]

    # -------------------------------------------------------------- comparing

    def _compare(self, lines: tuple[LogLine, ...], level: Level, choice: int = 1) -> None:
        """Notes the first difference between the log's lines of a step and its events."""
        logged = [line for line in lines if line.what == "event"]
        played = self._events()
        number = lines[0].number if lines else 1
        if not self.log.is_complete and (lines[-1].number if lines else choice) > len(self.log.lines):
            # A log may end in the middle of a step.
            played = played[: len(logged)]
        for text in self.chance.missed:
            self._differ(level, number, "that outcome", clean(text))
        found = self._first([line.record for line in logged], played)
        if found is not None:
            at, before, after = found
            number = logged[min(at, len(logged) - 1)].number if logged else number
            self._differ_in(level, number, before, after)
        elif not self.same_text:
            self._compare_words(logged, played)
        if self.parted is None and self.differences and self.differences[-1].level is not Level.VIEW:
            self._part(choice, is_after=True)

    def _first(
        self, logged: list[Mapping[str, Any]], played: list[Record]
    ) -> tuple[int, Mapping[str, Any] | None, Mapping[str, Any] | None] | None:
        old, new = [_deed(record) for record in logged], [_deed(record) for record in played]
        if old == new:
            return None
        for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if what != "equal":
                return i, logged[i] if j > i else None, played[k] if m > k else None
        return None

    def _compare_words(self, logged: list[LogLine], played: list[Record]) -> None:
        for line, record in zip(logged, played, strict=True):
            if line.record["sentence"] != record["sentence"] and record["sentence"]:
                old, new = (f'"{clean(str(r["sentence"]))[:200]}"' for r in (line.record, record))
                self._differ(Level.VIEW, line.number, old, new, record["call"], tuple(record["clauses"]))
                return

    def _differ_in(
        self, level: Level, number: int, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
    ) -> None:
        """Notes a difference between two events, one of which may be missing."""
        rule = after or before
        assert rule is not None
        logged, told = "", ""
        if before is not None and after is not None and before["call"] == after["call"]:
            logged, told = _apart(before["changes"], after["changes"])
        else:
            logged = in_words(before) if before is not None else logged
            told = in_words(after) if after is not None else told
        self._differ(level, number, logged, told, clean(str(rule["call"]))[:80], tuple(rule["clauses"]))

    def _differ(
        self, level: Level, line: int, logged: str, told: str, rule: str = "", clauses: tuple[str, ...] = ()
    ) -> None:
        name = rule.partition("(")[0]
        span = next((r.span for r in self.game.ir.rules if r.name == name), NOWHERE)
        self.differences.append(ToldDifference(level, self.step, line, logged, told, rule, clauses, span))

    def _part(self, line: int, *, is_after: bool = False) -> None:
        if self.parted is None and self.match is not None:
            self.parted = Parting(line, is_after, self.match.fork())

    def _count(self, **more: int) -> None:
        self.tally = attrs.evolve(self.tally, **{name: getattr(self.tally, name) + n for name, n in more.items()})

    # -------------------------------------------------------------- the end

    def retold(self, until: int | None) -> Retold:
        """Returns the retold log."""
        last = self.lines[self.standing[-1] if self.standing else 0]
        ends = [line.record for line in last.rest if line.what == "end"]
        before = Ending.of(ends[-1] if ends else None)
        outcome = self.match.outcome if self.match is not None else None
        after = Ending.of(record_of(outcome, self.log.header.players) if outcome is not None else None)
        if before.how and before != after and until is None:
            self.differences.append(
                ToldDifference(Level.OUTCOME, self.step, 0, before.text, after.text, clauses=after.clauses)
            )
        return Retold(
            self.log,
            self.game,
            self.policy,
            tuple(self.differences),
            self.tally,
            tuple(self.instead),
            (before, after),
            self.stopped,
            self.match,
            self.parted,
        )


def _deed(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """Returns the deed of an event, without its number, words and clauses."""
    return record["call"], tuple(map(tuple, record["changes"]))


def _apart(before: list[list[str]], after: list[list[str]]) -> tuple[str, str]:
    """Returns the first changes of one event that differ, in words."""
    old, new = [tuple(change) for change in before], [tuple(change) for change in after]
    for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            return _changes(before[i:j]), _changes(after[k:m])
    return _changes(before), _changes(after)


def _changes(changes: list[list[str]]) -> str:
    return clean(changes_in_words(changes, 3))[:300] or "nothing of it"


def is_well_up_to(told: Retold) -> Callable[[Game], bool]:
    """Returns a predicate: whether a game tells a log without a difference up to the first one found.

    Differences in words alone do not count if there are others.
    """
    first = told.first
    assert first is not None

    def is_well(game: Game) -> bool:
        # The ending is known only at the end.
        until = None if first.level is Level.OUTCOME else first.step
        again = retell(told.log, game, told.policy, until=until, only_compares=True)
        more = (one for one in again.differences if one.level is not Level.VIEW or first.level is Level.VIEW)
        return all(one.step > first.step for one in more)

    return is_well
