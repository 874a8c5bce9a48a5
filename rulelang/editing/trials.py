"""The scenarios of a game as its rules change -> which pass, which fail, and which do so only since an edit.

await trials.run(game, at_first, show)      plays them in small portions; a further edit ends it
await trials.confirm(game, show)            plays those that passed with the other seeds, too
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import attrs

from rulelang.api import Game
from rulelang.driver.collector import held_back
from rulelang.editing.reach import EditReach, JudgingRules, is_beyond
from rulelang.pages.editor import ShownScenario
from rulelang.scenarios.run import SEEDS, ScenarioResult, run_each, scenarios_of
from rulelang.seed import Seed
from rulelang.syntax import nodes

T = TypeVar("T")
MOMENT = 0.6
"""The seconds for which scenarios are played at once, and the table waits."""
FEW = 20
"""The most scenarios that the interpreter plays sooner than a game's Python is printed."""
SHOWN_EVERY = 0.1
"""The seconds between two times that verdicts are shown, after the first ones."""
PORTION = 4
"""The number of scenarios that are played before their verdicts are shown, and anything else is looked at."""


class GivenUp(Exception):
    """Raised in work for whose result nobody waits any more."""


async def in_thread(work: Callable[[Callable[[], None]], T]) -> T:
    """Returns the result of some work, done in a thread. If the caller is cancelled, the work ends as well, where it looks
    next: it calls what it is given, which then raises GivenUp."""
    is_given_up = threading.Event()

    def look() -> None:
        if is_given_up.is_set():
            raise GivenUp

    try:
        return await asyncio.to_thread(work, look)
    except asyncio.CancelledError:
        is_given_up.set()
        raise


@attrs.frozen(eq=False)
class Trial:
    """A scenario and its last result; `was_passed` is the first one, None if it was no scenario then."""

    node: nodes.ScenarioDeclaration
    result: ScenarioResult
    was_passed: bool | None

    @property
    def is_turned(self) -> bool:
        """Returns whether it fails since an edit."""
        return self.was_passed is True and not self.result.passed


@attrs.frozen
class PassedTrial:
    """A scenario that passed by the present rules: its text then, and the parts of the rules that it came by, with all
    seeds if it is confirmed."""

    own: str
    came_by: frozenset[str]
    is_confirmed: bool = False

    def with_more(self, came_by: frozenset[str]) -> PassedTrial:
        """Returns the pass with the other seeds, too."""
        return attrs.evolve(self, came_by=self.came_by | came_by, is_confirmed=True)


@attrs.define
class Trials:
    """The scenarios of the game on the desk."""

    trials: tuple[Trial, ...] = ()
    _passed: dict[str, PassedTrial] = attrs.field(factory=dict)
    """By title: the passes that hold by the last rules."""
    _last: JudgingRules | None = None
    """The rules by which scenarios were played last."""
    _judged: set[str] = attrs.field(factory=set)
    """By title: the scenarios that were played by these rules."""
    _first: dict[str, bool] = attrs.field(factory=dict)
    """By title: whether a scenario passed when it was first played."""

    async def run(self, game: Game, at_first: Game, show: Callable[[], None], *, at_once: bool = False) -> None:
        """Plays the scenarios of a game that an edit can have changed with their first seed, earlier failures first; plays
        failing ones under the rules `at_first` as well.

        A few scenarios are played by the interpreter, which begins at once. The Python that plays many is also what the table
        needs: of those, what is played `at_once` is played for a moment, and the next call plays the others.
        """
        loop, due = asyncio.get_running_loop(), 0.0
        every, ends = scenarios_of(game), loop.time() + MOMENT
        rules = self._goes_over_to(game, every)
        red = {trial.result.name for trial in self.trials if not trial.result.passed}
        again = [node for node in every if node.title.raw not in self._passed.keys() | self._judged]
        are_few = len(again) <= FEW
        executor = "reference" if are_few else "generated"
        self._note(every, {})
        show()
        # Who knows what is played last: it takes longer, and is played after each edit.
        for portion in _portions(sorted(again, key=lambda node: (node.title.raw not in red, is_beyond(node)))):
            if at_once and not are_few and loop.time() > ends:
                break
            found = await _played(rules, portion, executor, SEEDS[:1])
            for node in portion:
                result = found[node.title.raw]
                self._judged.add(result.name)
                self._passed.pop(result.name, None)
                if result.passed and result.ran is not None:
                    self._passed[result.name] = PassedTrial(node.span.text, rules.came_by(result.ran))
            self._note(every, found)
            if (now := loop.time()) > due:
                show()
                due = now + SHOWN_EVERY
        await self._look_back(at_first)
        self._note(every, {})
        show()

    async def confirm(self, game: Game, show: Callable[[], None]) -> None:
        """Plays the scenarios that passed with the seeds that are left, which takes twice as long; a further edit ends
        it."""
        every = scenarios_of(game)
        rules = self._goes_over_to(game, every)
        passed = [(node, self._passed.get(node.title.raw)) for node in every]
        left = [node for node, one in passed if one is not None and not one.is_confirmed]
        for portion in _portions(left):
            found = await _played(rules, portion, "generated", SEEDS[1:])
            for node in portion:
                one, result = self._passed.pop(node.title.raw), found[node.title.raw]
                if result.passed and result.ran is not None:
                    self._passed[node.title.raw] = one.with_more(rules.came_by(result.ran))
            failed = {name: result for name, result in found.items() if not result.passed}
            if failed:
                self._note(every, failed)
                show()

    def _goes_over_to(self, game: Game, every: tuple[nodes.ScenarioDeclaration, ...]) -> JudgingRules:
        """Goes over to the rules of a game, and forgets the passes that may not hold by them; returns these rules."""
        last = self._last
        if last is not None and last.game is game:
            return last
        self._last, self._judged = JudgingRules(game), set()
        known, self._passed = self._passed, {}
        if last is not None and known:
            edit = EditReach.between(last, self._last)
            same = ((node, known.get(node.title.raw)) for node in every)
            self._passed = {
                node.title.raw: passed
                for node, passed in same
                if passed is not None and passed.own == node.span.text and not edit.reaches(node, passed.came_by)
            }
        return self._last

    async def _look_back(self, at_first: Game) -> None:
        """Finds the failing scenarios that passed under the first rules."""
        titles = {trial.result.name for trial in self.trials if not trial.result.passed} - self._first.keys()
        if titles:
            failed = [node for node in scenarios_of(at_first) if node.title.raw in titles]
            results = await _played(JudgingRules(at_first), failed, "generated", SEEDS)
            self._first |= {name: result.passed for name, result in results.items()}

    def _note(self, every: tuple[nodes.ScenarioDeclaration, ...], found: dict[str, ScenarioResult]) -> None:
        """Takes new results, with those before them for the scenarios that have not been played again yet."""
        known = {trial.node.title.raw: trial.result for trial in self.trials} | found
        self._first |= {title: True for title, result in found.items() if result.passed}
        self.trials = tuple(
            Trial(node, known[node.title.raw], self._first.get(node.title.raw))
            for node in every
            if node.title.raw in known
        )

    def shown(self) -> tuple[ShownScenario, ...]:
        """Returns the scenarios with their places."""
        return tuple(self._shown())

    def _shown(self) -> Iterator[ShownScenario]:
        for trial in self.trials:
            fault = next(iter(trial.result.faults), None)
            title = trial.node.title.span
            span = title if fault is None else fault.span
            line, column = span.source.position(span.start)
            said = "" if fault is None else fault.message
            head = title.source.name, title.source.position(title.start)[0] - 1
            name, passed = trial.result.name, trial.result.passed
            yield ShownScenario(name, span.source.name, line - 1, column - 1, passed, trial.is_turned, said, head)


async def _played(
    rules: JudgingRules, portion: Sequence[nodes.ScenarioDeclaration], executor: str, seeds: tuple[Seed, ...]
) -> dict[str, ScenarioResult]:
    """Returns the results of some scenarios by their titles."""

    def play(look: Callable[[], None]) -> dict[str, ScenarioResult]:
        found = dict[str, ScenarioResult]()
        # The first run prints the game's Python, all of which stays.
        with held_back():
            for result in run_each(rules.game, portion, executor, seeds, rules.visibilities):
                found[result.name] = result
                look()
        return found

    return await in_thread(play)


def _portions(scenarios: Sequence[nodes.ScenarioDeclaration]) -> Iterator[Sequence[nodes.ScenarioDeclaration]]:
    return (scenarios[first : first + PORTION] for first in range(0, len(scenarios), PORTION))
