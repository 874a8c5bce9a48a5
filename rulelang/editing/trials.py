"""The scenarios of a game as its rules change -> which pass, which fail, and which do so only since an edit.

await trials.run(game, show)        plays them in the background, file by file; a further edit ends it
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import attrs

from rulelang.api import Game
from rulelang.pages.editor import ShownScenario
from rulelang.scenarios.run import ScenarioResult, run_scenarios, scenarios_of
from rulelang.syntax import nodes


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


@attrs.define
class Trials:
    """The scenarios of the game on the desk."""

    trials: tuple[Trial, ...] = ()
    is_running: bool = False
    _passed: dict[str, tuple[str, str, str]] = attrs.field(factory=dict)
    """By title: the rules, their texts and the scenario's own text with which it passed last."""
    _first: dict[str, bool] = attrs.field(factory=dict)
    """By title: whether a scenario passed when it was first played."""

    async def run(self, game: Game, at_first: Game, show: Callable[[], None]) -> None:
        """Plays all scenarios of a game, earlier failures first; plays failing ones under the rules `at_first` as well."""
        every = scenarios_of(game)
        red = {trial.node.span.source.name for trial in self.trials if not trial.result.passed}
        again = self._reached(game, every)
        files = sorted({node.span.source.name for node in again}, key=lambda file: (file not in red, file))
        self.is_running = True
        self._note(every, {})
        found: dict[str, ScenarioResult] = {}
        try:
            for file in files:
                titles = frozenset(node.title.raw for node in again if node.span.source.name == file)
                results = await asyncio.to_thread(run_scenarios, game, file=file, titles=titles, executor="generated")
                found |= {result.name: result for result in results}
                self._passed |= {
                    node.title.raw: (game.rules_hash, game.text_hash, node.span.text)
                    for node in again
                    if node.title.raw in found and found[node.title.raw].passed
                }
                self._note(every, found)
            await self._look_back(at_first)
            self._note(every, found)
        finally:
            self.is_running = False
            show()

    def _reached(
        self, game: Game, every: tuple[nodes.ScenarioDeclaration, ...]
    ) -> tuple[nodes.ScenarioDeclaration, ...]:
        """Returns the scenarios that an edit can have changed: those that have not passed yet, as they are written now,
        by the same rules and texts."""
        now = game.rules_hash, game.text_hash
        return tuple(node for node in every if self._passed.get(node.title.raw) != (*now, node.span.text))

    async def _look_back(self, at_first: Game) -> None:
        """Finds the failing scenarios that passed under the first rules."""
        titles = {trial.result.name for trial in self.trials if not trial.result.passed} - self._first.keys()
        if titles:
            results = await asyncio.to_thread(run_scenarios, at_first, titles=frozenset(titles), executor="generated")
            self._first |= {result.name: result.passed for result in results}

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
            span = trial.node.title.span if fault is None else fault.span
            line, column = span.source.position(span.start)
            said = "" if fault is None else fault.message
            yield ShownScenario(
                trial.result.name, span.source.name, line - 1, column - 1, trial.result.passed, trial.is_turned, said
            )
