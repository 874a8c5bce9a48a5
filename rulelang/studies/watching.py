"""A sampled game -> rows on its choices, the worth of each, and the rules that it reached.

    decisions    how many options there were, what was taken, who led and by how much
    actions      how often each seat was offered each action, and each thing in one, and how often it took it
    values       by position on the way and seat: its mean part of the win when all play on, at random or as a bot does
    weights      by position: how much hangs on the choice
    worths       by position and action: what it is worth to be forced to take it, against being forced not to
    looks        by position: how much of it the seat that acts does not see
    rules        how often each named rule began
    courses      by position and seat: each measure, at the first position of a round, or at each where no rounds are counted

Positions are spread evenly over the game, however long it is. Invariant: options are compared on the same random numbers, which depend
on the number of the game and of the answer alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.errors import RulelangError, Uncountable
from rulelang.ir.model import Choice, GameRules
from rulelang.knowledge.redaction import VALUE, written_answer
from rulelang.lab.arena import winning_seats
from rulelang.lab.bots import Bot, play_on
from rulelang.lab.policy import few_of
from rulelang.machines.chance import Seeded
from rulelang.machines.machine import Answer, Silent
from rulelang.playouts.batch import answers_base, rng_of
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from rulelang.program.layout import OUTCOME, OUTCOME_VALUE, SCORE
from rulelang.program.packing import members
from rulelang.program.results import result_of
from rulelang.studies.measures import Measure, MeasuredCourse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rulelang.api.match import Match
    from rulelang.match.match import BareMatch
    from rulelang.match.options.option import Option, Options
    from rulelang.playouts.batch import Playouts

TABLES: Mapping[str, tuple[str, ...]] = {
    "decisions": ("game", "answer", "seat", "options", "action", "leader", "margin", "repeated"),
    "actions": ("game", "seat", "action", "offered", "taken", "won"),
    "values": ("game", "answer", "seat", "value", "error", "score"),
    "weights": ("game", "answer", "seat", "gap", "error", "stake", "narrow"),
    "worths": ("game", "answer", "seat", "action", "worth"),
    "looks": ("game", "answer", "seat", "hidden", "cells"),
    "rules": ("game", "rule", "times"),
    "courses": ("game", "answer", "seat", "measure", "value"),
}
"""The columns of the tables of sampled games."""
MOST_OFFERED = 500
"""The most options of a decision that are looked through for the actions on offer."""
MOST_NAMES = 100_000
"""The most options whose names are kept."""
MOST_KEPT = 40
"""The most positions of a game that are valued."""
MOST_LOOKS, MOST_WEIGHED = 8, 10
"""The most positions of a game that are looked at for hidden things, and whose options are compared."""
MOST_COMPARED = 12
"""The most options of a position that are compared."""
NEAR_BEST = 0.75
"""An option counts as good from here on, between the mean of all and the best."""


@attrs.frozen
class _Kept:
    """A position on the way: the number of its answer, the seat that gives it, and the match there, if it is needed."""

    answer: int
    seat: int
    match: Match


class SampledGame:
    """A game that is being recorded; `valuing` says by which playouts positions are valued, None that none is.

    Its positions are compared with those before, and looked at for what they hide, if it `is_looked_at`; it must be traced
    then, if the rules hide anything.
    """

    def __init__(
        self,
        seed: str,
        valuing: Valuing | None,
        names: OptionNames,
        measures: Sequence[Measure] = (),
        *,
        hides: bool = True,
        is_looked_at: bool = True,
    ) -> None:
        self._seed, self._valuing, self._names = seed, valuing, names
        self._hides, self._is_looked_at = hides, is_looked_at
        self._course, self._stood = MeasuredCourse(measures), set[Hashable]()
        self._decisions: list[tuple[int, int, int, str, int | None, int | None, int | None]] = []
        self._answers: list[Option] = []
        self._offered, self._taken = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
        self._next: tuple[int, int, int | None, int | None, int | None] = (0, 0, None, None, None)
        self._kept: list[_Kept] = []
        self._step = 1

    def before(self, match: Match) -> None:
        """Looks at a position in which somebody has to choose."""
        seat = match.to_move[0]
        options = match.options_of(seat)
        offered, choice, names = options.offer(seat).first(MOST_OFFERED), options.choice.name, self._names
        self._offered.update({(seat, name) for answer in offered for name in names.of(choice, answer)})
        repeated = self._repeats(match) if self._is_looked_at else None
        count = len(offered) if len(offered) < MOST_OFFERED else _count(options)
        self._next = seat, count, *lead(match), repeated
        answer = len(self._answers)
        self._course.at(answer, match)
        if answer % self._step == 0:
            # Where nothing is valued and nothing looked at, it need not be copied.
            self._keep(
                _Kept(answer, seat, match.fork() if self._valuing or (self._hides and self._is_looked_at) else match)
            )

    def _repeats(self, match: Match) -> int:
        """Returns 1 if a position has stood before in this game, else 0."""
        # Without a trace, what seats know is no part of a position.
        here = (match.fork(traced=False) if match.is_traced else match).key
        before = len(self._stood)
        self._stood.add(here)
        return int(len(self._stood) == before)

    def _keep(self, position: _Kept) -> None:
        """Keeps a position; if there are too many, every other one goes, and from now on half as many come."""
        self._kept.append(position)
        if len(self._kept) > MOST_KEPT:
            self._kept, self._step = self._kept[::2], 2 * self._step

    def after(self, option: Option) -> None:
        """Records the option that was taken."""
        seat, count, leader, margin, repeated = self._next
        self._decisions.append((len(self._answers), seat, count, option.branch, leader, margin, repeated))
        self._answers.append(option)
        self._taken.update((seat, name) for name in self._names.of(option.choice, option.answer))

    def rows(self, match: Match, won: Sequence[float]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yields the rows of the game, which is over, without its number: the table's name, and the other columns."""
        for decision in self._decisions:
            yield "decisions", decision
        for (seat, action), offered in sorted(self._offered.items()):
            yield "actions", (seat, action, offered, self._taken[seat, action], won[seat])
        for name, times in begun(match, self._answers).items():
            yield "rules", (name, times)
        self._course.at(len(self._answers), match, is_over=True)
        for measured in self._course.rows():
            yield "courses", measured
        for kept in _spread(self._kept, MOST_LOOKS) if self._is_looked_at else ():
            yield "looks", (kept.answer, kept.seat, *_look(kept.match, kept.seat, hides=self._hides))
        if self._valuing is None:
            return
        for kept in self._kept:
            for row in _valued(kept.match, self._valuing, self._luck(kept)):
                yield "values", (kept.answer, *row)
        chosen = [kept for kept in self._kept if self._is_open(kept)]
        for kept in _spread(chosen, MOST_WEIGHED):
            compared = _compared(kept.match, self._valuing, self._luck(kept), self._names)
            if compared is not None:
                yield "weights", (kept.answer, *compared.weight())
                for action, worth in compared.worths():
                    yield "worths", (kept.answer, compared.seat, action, worth)

    def _is_open(self, kept: _Kept) -> bool:
        """Returns whether there was something to choose in a position; a game that failed ends in one without a choice."""
        return kept.answer < len(self._decisions) and self._decisions[kept.answer][2] != 1

    def _luck(self, kept: _Kept) -> str:
        """Returns the seed of all playouts from a position."""
        return f"{self._seed}:{kept.answer}"


def _spread(positions: list[_Kept], most: int) -> list[_Kept]:
    """Returns as many positions as may be, evenly spread."""
    count = len(positions)
    return positions if count <= most else [positions[i * count // most] for i in range(most)]


def _count(options: Options) -> int:
    """Returns the number of options; the number that is looked through if they cannot be counted."""
    try:
        return options.count
    except Uncountable:
        return MOST_OFFERED


class OptionNames:
    """The names under which the options of a game are counted: the action, and the action with the things in it.

    Things that are written alike have one name, so a name depends on the answer alone.
    """

    def __init__(self, rules: GameRules) -> None:
        self._rules = rules
        self._choices = {choice.name: choice for choice in rules.choices}
        self._known: dict[tuple[str, Answer], tuple[str, ...]] = {}

    def of(self, choice: str, answer: Answer) -> tuple[str, ...]:
        """Returns the names of an answer to a choice; () if it is a value, which belongs to no action."""
        names = self._known.get((choice, answer))
        if names is None:
            if len(self._known) >= MOST_NAMES:
                self._known.clear()
            names = self._known[choice, answer] = self._made(self._choices[choice], answer)
        return names

    def _made(self, choice: Choice, answer: Answer) -> tuple[str, ...]:
        action = choice.branches[answer[0]].name
        if action == VALUE:
            return ()
        text = written_answer(self._rules, choice, answer)
        return (action,) if text == action else (action, text)


def lead(match: BareMatch) -> tuple[int | None, int | None]:
    """Returns the seat that leads alone by the game's own score, None if none does; and the score of the first less that of
    the second, None if nothing is scored."""
    scores = [score for score in _scores(match) if score is not None] if match.players > 1 else []
    if len(scores) < 2:
        return None, None
    first, second = sorted(scores, reverse=True)[:2]
    return (scores.index(first) if first > second else None), first - second


def _scores(match: BareMatch) -> list[int | None]:
    """Returns the present score of each seat; None where there is none."""
    if match.game.score is None:
        return [None] * match.players
    try:
        return [match.score(seat) for seat in range(match.players)]
    except RulelangError:
        return [None] * match.players


# ---------------------------------------------------------------------------------------------- rules


class _Begun(Silent):
    """Counts the rules that begin, by number."""

    def __init__(self) -> None:
        self.times = Counter[int]()

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        self.times[rule] += 1


def names_of(rules: GameRules) -> tuple[str, ...]:
    """Returns the names of the rules whose reach is counted, each once, then the clauses that rules cite, in brackets."""
    named = dict.fromkeys(rule.name for rule in rules.rules if rule.name and rule.name != "eliminate")
    return (*named, *dict.fromkeys(f"[{clause}]" for rule in rules.rules for clause in rule.clauses))


def begun(match: Match, answers: Sequence[Option]) -> dict[str, int]:
    """Returns how often each named rule began, and rules that cite each clause, when a game is played again."""
    counts, machine = _Begun(), match.internals.unbegun()
    machine.trace = counts
    with suppress(RulelangError):
        match.internals.begin_on(machine)
        for option in answers:
            machine.answer(option.seat, option.answer)
    found = dict.fromkeys(names_of(match.game), 0)
    for rule in match.game.rules:
        for name in (rule.name, *(f"[{clause}]" for clause in rule.clauses)):
            if name in found:
                found[name] += counts.times[rule.id]
    return found


# ---------------------------------------------------------------------------------------------- positions


def _look(match: Match, seat: int, *, hides: bool) -> tuple[int, int]:
    """Returns the number of variables and things that the seat that acts does not see, and of all; of all variables alone where
    the rules hide nothing."""
    if not hides:
        return 0, len(match.visibility.cells)
    view = match.view(seat)
    cells, seen = len(match.visibility.cells), len(view.variables)
    backs = sum(heap.things.count(None) for heap in view.zones)
    return max(cells - seen, 0) + backs, max(cells, seen) + sum(heap.count for heap in view.zones)


@attrs.frozen(eq=False)
class Valuing:
    """The playouts by which a position is valued: their number, and the bot that plays on in all seats; None for random games,
    which machine code plays."""

    many: int
    bot: Bot | None = None

    def parts(self, match: Match, luck: str) -> NDArray[Any]:
        """Returns the parts of the win in playouts from a position: a row for each, a column for each seat."""
        if self.bot is not None:
            return self._by_bot(self.bot, match, None, luck)
        return parts_of(match.playouts(self.many, luck), match.players)

    def parts_after(self, match: Match, option: Option, luck: str) -> NDArray[Any]:
        """Returns the same for playouts that begin with an option."""
        if self.bot is not None:
            return self._by_bot(self.bot, match, option, luck)
        return _after(match, option, self.many, luck)

    def _by_bot(self, bot: Bot, match: Match, option: Option | None, luck: str) -> NDArray[Any]:
        """Returns the same for playouts of a bot; a fault of the rules is nobody's win, unless the option leads to it."""
        import numpy as np

        parts = np.zeros((self.many, match.players))
        for number in range(self.many):
            dice = Seeded(f"{luck}:{number}", match.game, match.internals.layout)
            copy = match.fork(traced=False).internals.fork_with(dice)
            if option is not None:
                copy.push(option)
            with suppress(RulelangError):
                for _ in play_on(copy, (bot,) * match.players, f"{luck}:{number}"):
                    pass
            winners = winning_seats(copy)
            for seat in winners:
                parts[number, seat] = 1 / len(winners)
        return parts


def _valued(match: Match, valuing: Valuing, luck: str) -> Iterator[tuple[int, float, float, int | None]]:
    """Yields each seat with its mean part of the win in playouts, the standard error of that, and its present score."""
    parts, many = valuing.parts(match, luck), valuing.many
    errors = parts.std(axis=0, ddof=1) / many**0.5 if many > 1 else [0.0] * match.players
    for seat, score in enumerate(_scores(match)):
        yield seat, float(parts[:, seat].mean()), float(errors[seat]), score


def parts_of(found: Playouts, players: int) -> NDArray[Any]:
    """Returns the parts of the win in playouts: a row for each, a column for each seat; a solo game that is scored is won."""
    return _parts(list(zip(found.winners, found.kinds, strict=True)), players)


def _parts(ends: Sequence[tuple[int, int]], players: int) -> NDArray[Any]:
    """Returns the same for the masks of winners and the codes of outcomes."""
    import numpy as np

    parts = np.zeros((len(ends), players))
    for number, (mask, kind) in enumerate(ends):
        for seat in members(mask):
            parts[number, seat] = 1 / mask.bit_count()
        if players == 1 and kind == SCORE:
            parts[number, 0] = 1.0
    return parts


@attrs.frozen(eq=False)
class _Compared:
    """The options of a position, and what the seat that acts makes of each: a row for each, a column for each playout."""

    seat: int
    options: tuple[Option, ...]
    parts: NDArray[Any]
    names: OptionNames

    def weight(self) -> tuple[int, float, float, float, float]:
        """Returns the seat; how much better the best option is than the second, and the standard error of that; how much
        better than the mean; the share of good options.

        Half of the playouts say which options are the best, the other half how much better they are: the best of several
        estimates is too high.
        """
        chosen, told = self.parts[:, ::2].mean(axis=1), self.parts[:, 1::2]
        best, second = (-chosen).argsort(kind="stable")[:2]
        gaps = told[best] - told[second]
        error = float(gaps.std(ddof=1) / len(gaps) ** 0.5) if len(gaps) > 1 else 0.0
        stake = float(told[best].mean() - told.mean())
        means = self.parts.mean(axis=1)
        # The means of options that are alike may differ by an error of rounding.
        good = means > means.mean() + NEAR_BEST * (means.max() - means.mean()) + 1e-12
        return self.seat, float(gaps.mean()), error, stake, float(good.mean())

    def worths(self) -> Iterator[tuple[str, float]]:
        """Yields each action, and each action with its things, and how much more the seat wins with it than with others."""
        means = self.parts.mean(axis=1)
        names = [self.names.of(option.choice, option.answer) for option in self.options]
        for name in dict.fromkeys(name for some in names for name in some):
            of = [name in some for some in names]
            if not all(of):
                yield name, float(means[of].mean() - means[[not one for one in of]].mean())


def _compared(match: Match, valuing: Valuing, luck: str, names: OptionNames) -> _Compared | None:
    """Returns the comparison of a position's options; None if there are not two, or the rules go wrong after one."""
    import numpy as np

    seat, rng = match.to_move[0], RandomStream(luck, "options")
    options = few_of(list(match.options_of(seat).first(MOST_OFFERED)), MOST_COMPARED, rng, lambda one: one.answer[0])
    options.sort(key=lambda option: option.answer)
    if len(options) < 2 or valuing.many < 2:
        return None
    try:
        parts = np.stack([valuing.parts_after(match, option, luck)[:, seat] for option in options])
    except RulelangError:
        return None
    return _Compared(seat, tuple(options), parts, names)


def _after(match: Match, option: Option, many: int, luck: str) -> NDArray[Any]:
    """Returns the parts of the win in playouts that begin with an option."""
    next_ = match.fork(traced=False)
    next_.push(option)
    counters = slice(match.internals.layout.counters, match.internals.layout.size)
    if next_.to_move and next_.position.row[counters] == match.position.row[counters]:
        return parts_of(next_.playouts(many, luck), match.players)
    # Chance plays a part in the step itself, so each playout needs a step of its own.
    return _parts([_forced(match, option, luck, number) for number in range(many)], match.players)


def _forced(match: Match, option: Option, luck: str, number: int) -> tuple[int, int]:
    """Returns the winners of a playout that begins with an option, and the code of its outcome."""
    machine = match.position.machine.fork()
    machine.chance = Seeded(f"{luck}:{number}", match.game, match.internals.layout)
    machine.answer(option.seat, option.answer)
    plies = playout(machine, rng_of(answers_base(luck), number))
    row, is_over = machine.row, machine.pending is None
    _, _, winners, _, kind = result_of(plies, row[OUTCOME], row[OUTCOME_VALUE], is_over=is_over)
    return winners, kind
