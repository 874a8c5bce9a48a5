"""Games by two rule sets with the same chance -> their
differences, with confidence intervals and detectable differences.

    for fixture in schedule(bots=2, players=4, games=200):
        before, after = measure(start_a, bots, fixture), measure(start_b, bots, fixture)
    compare(pairs)         # length 61.2 -> 54.8, -6.4 (-8.1 … -4.7), effect -0.9

The games of one seed, over all seatings, are a block: they share their chance in both rule sets. The unit of all
statistics is the block's difference, so seats of one game and games of one seed do not count as independent trials.
Intervals are Student's at 95 %; p-values are corrected for the number of comparisons (Holm 1979). An effect size is
the mean difference over its standard deviation between blocks (Cohen's d of paired differences).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from math import sqrt

import attrs

from rulelang.errors import RuntimeRules
from rulelang.knowledge.redaction import VALUE
from rulelang.lab.arena import Fixture, SeededStart, winning_seats
from rulelang.lab.bots import Bot, play_on
from rulelang.lab.statistics import detectable, holm, student, two_sided
from rulelang.match.match import BareMatch
from rulelang.playouts.playout import MOST_CHOICES

CERTAIN = 0.05
"""The level of significance: a difference counts as seen if its corrected p-value is below it."""
PERCENT = ("won by ", "forced choices", "one winner", "undecided", "unfinished", "faults")
"""The beginnings of the names of measures that are shares."""


@attrs.frozen
class Measured:
    """The measures of one game, by name; a measure that the game does not have is missing."""

    fixture: Fixture
    values: tuple[tuple[str, float], ...]


def measure(start: SeededStart, bots: Sequence[Bot], fixture: Fixture) -> Measured:
    """Plays one game; returns its length, wins by seat, score, use of actions, forced choices and lead changes."""
    match = start(fixture.seed)
    seated = tuple(bots[position] for position in fixture.seating)
    watching = _Watching(match)
    fault = 0.0
    try:
        watching.look()
        for option in play_on(match, seated, fixture.bot_seed, most=MOST_CHOICES):
            if option.branch != VALUE:
                watching.taken[option.branch] += 1
            watching.plies += 1
            watching.look()
    except RuntimeRules:
        fault = 1.0
    winners = winning_seats(match)
    outcome = match.outcome
    values: dict[str, float] = {"length": watching.plies}
    # Those who share one score play with each other, and nobody wins.
    is_shared = outcome is not None and outcome.kind == "score" and match.players > 1
    for seat, name in enumerate(() if is_shared else match.seats):
        values[f"won by {name}"] = 1 / len(winners) if seat in winners else 0.0
    if outcome is not None and outcome.scores:
        values["score"] = sum(outcome.scores) / len(outcome.scores)
    values["forced choices"] = watching.forced / max(watching.plies, 1)
    if not is_shared:
        values["one winner"] = float(len(winners) == 1)
    if match.game.score is not None and match.players > 1:
        values["lead changes"] = watching.lead_changes
    if fault:
        values["faults"] = fault
    elif match.to_move:
        values["unfinished"] = 1.0
    elif outcome is not None and outcome.kind == "undecided":
        values["undecided"] = 1.0
    values |= {f"action {name}": count for name, count in watching.taken.items()}
    return Measured(fixture, tuple(sorted(values.items())))


@attrs.define
class _Watching:
    """A running game: the number of choices with one option, and of changes of the lead."""

    match: BareMatch
    plies: int = 0
    forced: int = 0
    lead_changes: int = 0
    taken: Counter[str] = attrs.field(factory=Counter)
    _leader: int | None = None

    def look(self) -> None:
        match = self.match
        if not match.to_move:
            return
        self.forced += len(list(islice(match.options_of(match.to_move[0]), 2))) == 1
        if match.game.score is None or match.players == 1:
            return
        try:
            scores = [match.score(p) for p in range(match.players)]
        except RuntimeRules:
            return
        best = max((s for s in scores if s is not None), default=None)
        ahead = [p for p, s in enumerate(scores) if s == best]
        if len(ahead) == 1:
            self.lead_changes += self._leader not in (None, ahead[0])
            self._leader = ahead[0]


# ------------------------------------------------------------------ comparing


@attrs.frozen
class Compared:
    """One measure in both rule sets: means, the mean difference of blocks and its interval."""

    name: str
    before: float
    after: float
    blocks: int
    low: float
    high: float
    effect: float | None
    """Cohen's d of the blocks' differences; 0 if there is no
    difference at all, None if all blocks differ by the same."""
    p: float
    """The p-value, corrected for the number of comparisons."""
    would_be_seen: float
    """The least difference that this number of blocks and comparisons detects with a power of 80 %."""

    @property
    def difference(self) -> float:
        return self.after - self.before

    @property
    def is_seen(self) -> bool:
        return self.p < CERTAIN

    @property
    def is_share(self) -> bool:
        """Returns whether the measure is a share, shown in percentage points."""
        return self.name.startswith(PERCENT)


def compare(pairs: Iterable[tuple[Measured, Measured]]) -> tuple[Compared, ...]:
    """Compares pairs of games on the same fixture; returns the measures by name, actions last."""
    blocks: dict[tuple[int, int], list[tuple[dict[str, float], dict[str, float]]]] = {}
    names: set[str] = set()
    for before, after in pairs:
        one, other = dict(before.values), dict(after.values)
        names |= one.keys() | other.keys()
        blocks.setdefault((before.fixture.lineup, before.fixture.seed), []).append((one, other))
    chance = CERTAIN / max(len(names), 1)
    found = [_compared(name, list(blocks.values()), chance) for name in sorted(names, key=_rank)]
    corrected = holm([one.p for one in found])
    return tuple(attrs.evolve(one, p=p) for one, p in zip(found, corrected, strict=True))


def _rank(name: str) -> tuple[int, str]:
    order = (
        "length",
        "won by",
        "one winner",
        "score",
        "lead changes",
        "forced choices",
        "undecided",
        "unfinished",
        "faults",
        "action",
    )
    return next((i for i, start in enumerate(order) if name.startswith(start)), len(order)), name


def _compared(name: str, blocks: list[list[tuple[dict[str, float], dict[str, float]]]], chance: float) -> Compared:
    """Compares one measure: the mean difference of each block is one observation; `chance` is the level of the test."""
    befores = [_mean([one.get(name, 0.0) for one, _ in block]) for block in blocks]
    afters = [_mean([other.get(name, 0.0) for _, other in block]) for block in blocks]
    differences = [after - before for before, after in zip(befores, afters, strict=True)]
    n, middle = len(differences), _mean(differences)
    spread = sqrt(sum((d - middle) ** 2 for d in differences) / (n - 1)) if n > 1 else 0.0
    error = spread / sqrt(n)
    certain = student(n - 1, CERTAIN) if n > 1 else 0.0
    p = 1.0 if not middle or n < 2 else (two_sided(middle / error, n - 1) if error else _all_alike(n))
    return Compared(
        name,
        _mean(befores),
        _mean(afters),
        n,
        middle - certain * error,
        middle + certain * error,
        middle / spread if spread else None if middle else 0.0,
        p,
        detectable(n - 1, chance) * error if n > 1 else 0.0,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _all_alike(blocks: int) -> float:
    """Returns the probability that all differences have the same sign by chance (a sign test)."""
    return min(1.0, 2.0 * 0.5**blocks)


def verdict(found: Sequence[Compared]) -> str:
    """Returns one sentence on the differences seen, or on the size of a difference that would have been."""
    seen = [one for one in found if one.is_seen]
    if seen:
        return (
            "seen: "
            + "; ".join(f"{one.name} {_amount(one, one.difference)}" for one in seen[:6])
            + (f"; and {len(seen) - 6} more" if len(seen) > 6 else "")
        )
    main = next((one for one in found if one.name == "length"), None)
    if main is None or main.blocks < 2:
        return "nothing can be said of so few games"
    wins = [one.would_be_seen for one in found if one.name.startswith("won by ") and one.would_be_seen]
    if not any(one.would_be_seen for one in found) and not any(one.difference for one in found):
        return "no difference at all: every pair of games went the same way"
    # If all pairs are alike in a measure, its detectable difference is unknown.
    sizes = [f"{main.would_be_seen:.1f} choices or more in length"] if main.would_be_seen else []
    sizes += [f"{100 * max(wins):.0f} points in how often a seat wins"] if wins else []
    return "no difference seen" + (f"; one of {', or of '.join(sizes)} would have been" if sizes else "")


def _amount(one: Compared, value: float) -> str:
    return f"{100 * value:+.1f} points" if one.is_share else f"{value:+.2f}"


# ------------------------------------------------------------------ witnesses


@attrs.frozen(eq=False)
class DifferingPosition:
    """A position that both rule sets reach, in which a seat's options differ; `match` is the first's, with its log."""

    seed: int
    ply: int
    seat: str
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    match: BareMatch


def witness(
    before: BareMatch, after: BareMatch, bots: Sequence[Bot], bot_seed: int, most: int = 400
) -> DifferingPosition | None:
    """Plays a game by both rule sets, with the same choices, up to the first position where a seat's options differ.

    Returns None if the games diverge in another way, or not at all.
    """
    from rulelang.lab.seat_view import SeatView
    from rulelang.playouts.rng import RandomStream

    for ply in range(most):
        if not before.to_move or before.to_move != after.to_move or before.seats != after.seats:
            return None
        seat = before.to_move[0]
        old, new = ({option.text for option in islice(m.options_of(seat), 2000)} for m in (before, after))
        if old != new:
            fewer, more = tuple(sorted(old - new)), tuple(sorted(new - old))
            return DifferingPosition(0, ply, before.seats[seat], fewer, more, before)
        option = bots[seat % len(bots)].choose(SeatView(before, seat, RandomStream(bot_seed, "bot", seat, ply)))
        try:
            before.play(f"{before.seats[seat]}: {option.text}")
            after.play(f"{after.seats[seat]}: {option.text}")
        except RuntimeRules:
            return None
    return None
