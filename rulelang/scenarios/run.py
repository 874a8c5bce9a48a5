"""The scenarios of a game -> their results: which pass, the sites that they ran, and their failures.

    scenario "the last one wins":        ScenarioResult("the last one wins", passed=True, hits={…})
      given heap = 1
      first: take(1)
      expect winner first

A scenario that leaves something to chance runs with several seeds; any other runs once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

import attrs

from rulelang.api import Game, Internals
from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.errors import RulelangError
from rulelang.ir import model as ir
from rulelang.ir.numbers import Slot
from rulelang.ir.scenarios import AfterLine, Scenario, ScenarioLine, SeesLine, StandingPoint
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.chance import Scripted, Seeded
from rulelang.machines.executors import EXECUTORS, Noted
from rulelang.machines.givens.placing import standing_row
from rulelang.machines.interpreter import CutRules
from rulelang.machines.machine import Chance, Machine, Trace
from rulelang.match.match import BareMatch
from rulelang.program.violations import slot_name
from rulelang.scenarios import messages
from rulelang.scenarios.play import Failure, Play
from rulelang.seed import Seed
from rulelang.semantics.names.scope import World
from rulelang.semantics.scenarios.scenario import lower_scenario
from rulelang.syntax import nodes

SEEDS: tuple[Seed, ...] = (1, 2, 3)


Visibilities: TypeAlias = dict[tuple[object, ...], Visibility]
"""By treatment of lone options, seats and players: what scenarios of a game with them share."""


@attrs.frozen
class Ran:
    """The course of a scenario's runs, from which `ir.encoding.parts` finds what they have come by."""

    rules: frozenset[int]
    """The rules that began."""
    branches: frozenset[tuple[int, int]]
    """The options that were chosen or taken, by choice and branch."""
    scenario: Scenario


@attrs.frozen
class ScenarioResult:
    """The result of one scenario. `hits` and `refused` are sites of the game, from the interpreter only."""

    name: str
    clauses: tuple[str, ...]
    """All clauses that it cites, those on its lines included."""
    passed: bool
    seconds: float
    faults: tuple[Failure, ...] = ()
    hits: frozenset[int] = frozenset()
    """The sites that ran or were evaluated."""
    refused: frozenset[int] = frozenset()
    """The sites of the `needs` that refused an answer."""
    ran: Ran | None = attrs.field(default=None, eq=False, repr=False)
    """None for a faulty scenario."""


def scenarios_of(game: Game) -> tuple[nodes.ScenarioDeclaration, ...]:
    """Returns the scenarios that must pass: the game's own except voided ones, and those of the variants in force.

    A scenario outside the variant in a file that holds one variant and nothing of the game belongs to that variant. A
    scenario whose number of players the variants do not allow is left out.
    """
    whole = game.internals.whole
    base = {declaration.span.source.name for declaration in whole.loaded.module.declarations}
    by_file: dict[str, list[str]] = {}
    for variant in whole.loaded.variants:
        by_file.setdefault(variant.span.source.name, []).append(variant.name.text)
    in_force = _stack(game)

    def applies(scenario: nodes.ScenarioDeclaration) -> bool:
        file = scenario.span.source.name
        owners = by_file.get(file, [])
        if not (file in base or len(owners) != 1 or owners[0] in in_force):
            return False
        return not in_force or list(game.variants) == owners or _may_play(game, scenario)

    return tuple(scenario for scenario in whole.scenarios if applies(scenario))


def _may_play(game: Game, scenario: nodes.ScenarioDeclaration) -> bool:
    """Returns whether the game can be played by as many seats as a scenario names."""
    low, high = game.players
    return all(low <= len(step.names) <= high for step in scenario.steps if isinstance(step, nodes.PlayersStep))


def variants_own(game: Game) -> frozenset[str]:
    """Returns the titles of the scenarios that belong to the variants in force."""
    loaded = game.internals.whole.loaded
    base = {declaration.span.source.name for declaration in loaded.module.declarations}
    in_force = [variant for variant in loaded.variants if variant.name.text in _stack(game)]
    beside = {variant.span.source.name for variant in in_force} - base
    spans = [variant.span for variant in in_force]
    return frozenset(
        node.title.raw
        for node in scenarios_of(game)
        if node.span.source.name in beside
        or any(node.span.source == s.source and s.start <= node.span.start < s.end for s in spans)
    )


def _stack(game: Game) -> set[str]:
    """Returns the names of the variants in force, including those that they are based on."""
    of = {variant.name.text: variant.of.text for variant in game.internals.whole.loaded.variants}
    found: set[str] = set()
    for name in game.variants:
        while name in of and name not in found:
            found.add(name)
            name = of[name]
    return found


Lower: TypeAlias = Callable[
    [World, ir.GameRules, nodes.ScenarioDeclaration], tuple[Scenario | None, tuple[Diagnostic, ...]]
]


def lower_all(game: Game, lower: Lower = lower_scenario) -> tuple[Diagnostic, ...]:
    """Returns the faults that are found in a game's scenarios
    without running them; `lower` may cache some of the work."""
    found: list[Diagnostic] = []
    titles: dict[str, nodes.ScenarioDeclaration] = {}
    for node in game.internals.whole.loaded.scenarios:
        first = titles.setdefault(node.title.raw, node)
        if first is not node:
            label = Label(first.title.span, "the first one")
            message = f'two scenarios are called "{node.title.raw}"'
            found.append(Diagnostic("E0710", message, Label(node.title.span, "called so again"), (label,)))
    for node in scenarios_of(game):
        found.extend(lower(game.internals.world, game.ir, node)[1])
    return tuple(found)


def unreadable(game: Game) -> tuple[nodes.ScenarioDeclaration, ...]:
    """Returns the base game's scenarios that name something which the variants have removed."""
    own = variants_own(game)
    return tuple(
        node
        for node in scenarios_of(game)
        if node.title.raw not in own and any(d.is_error for d in lower_scenario(game.internals.world, game.ir, node)[1])
    )


def run_scenarios(
    game: Game,
    only: str | None = None,
    *,
    file: str | None = None,
    titles: frozenset[str] | None = None,
    executor: str = "reference",
    seeds: tuple[Seed, ...] = SEEDS,
) -> tuple[ScenarioResult, ...]:
    """Runs the scenarios of a game, in order: `only` those with this in their titles, those of one `file`, those
    with these `titles`.

    `executor` is reference, generated or both; with both, a scenario passes if it passes on each and both reach the
    same position. One that leaves something to chance runs with each of the `seeds`. Faulty scenarios do not pass.
    """
    chosen = (node for node in scenarios_of(game) if only is None or only in node.title.raw)
    chosen = (node for node in chosen if titles is None or node.title.raw in titles)
    chosen = (node for node in chosen if file is None or node.span.source.name == file)
    return tuple(run_each(game, chosen, executor, seeds))


def run_each(
    game: Game,
    chosen: Iterable[nodes.ScenarioDeclaration],
    executor: str = "reference",
    seeds: tuple[Seed, ...] = SEEDS,
    visibilities: Visibilities | None = None,
) -> Iterator[ScenarioResult]:
    """Yields the results of some of a game's scenarios as they are run; see `run_scenarios`. Runs of one game may share
    `visibilities`."""
    names = tuple(one.name for one in EXECUTORS if one.is_whole) if executor == "both" else (executor,)
    runs = _Runs(game, names, game.internals.secrets, seeds, {} if visibilities is None else visibilities)
    return map(runs.result, chosen)


def run_scenario(game: Game, node: nodes.ScenarioDeclaration, secrets: Secrets) -> ScenarioResult:
    """Runs one scenario, which need not be in the game's texts, on the interpreter; `secrets` are the game's."""
    return _Runs(game, ("reference",), secrets).result(node)


def began(game: Game, node: nodes.ScenarioDeclaration, seed: Seed) -> tuple[Scenario, BareMatch, tuple[Failure, ...]]:
    """Returns a scenario, a match in which its givens have taken effect, and the failures on the way.

    Raises RulelangError for a scenario with faults.
    """
    play = _prepared(game, node, seed)
    faults = play.begin()
    return play.scenario, play.match, faults


def played_to_fault(
    game: Game, node: nodes.ScenarioDeclaration, seed: Seed
) -> tuple[Scenario, BareMatch, tuple[Failure, ...]]:
    """Returns a scenario, the match at its first line that fails, or at its end, and the failures.

    Raises RulelangError for a scenario with faults.
    """
    play = _prepared(game, node, seed)
    faults = play.begin() or play.go_to_fault()
    return play.scenario, play.match, faults


def carried_out(game: Game, node: nodes.ScenarioDeclaration, seed: Seed) -> tuple[BareMatch, int]:
    """Returns the match at the end of a scenario, and the number of its events before the givens took effect.

    Raises RulelangError for a scenario with faults or one that fails.
    """
    play = _prepared(game, node, seed, traced=True)
    if faults := play.begin():
        raise RulelangError(faults[0].message)
    before = play.match.event_count
    if faults := play.go_on():
        raise RulelangError(faults[0].message)
    return play.match, before


def _prepared(game: Game, node: nodes.ScenarioDeclaration, seed: Seed, *, traced: bool = False) -> Play:
    """Returns a run of a scenario that has not begun; raises RulelangError for a scenario with faults."""
    scenario, diagnostics = lower_scenario(game.internals.world, game.ir, node)
    if scenario is None:
        raise RulelangError(next(d.message for d in diagnostics if d.is_error))
    return _Runs(game, ("generated",), game.internals.secrets).play(scenario, "generated", seed, Noted(), traced=traced)


@attrs.frozen
class _Runs:
    """The parts shared by all runs of a game's scenarios."""

    game: Game
    executors: tuple[str, ...]
    secrets: Secrets
    seeds: tuple[Seed, ...] = SEEDS
    visibilities: Visibilities = attrs.field(factory=dict)

    def result(self, node: nodes.ScenarioDeclaration) -> ScenarioResult:
        """Runs one scenario, over several seeds if it leaves anything to chance."""
        began = time.perf_counter()
        scenario, diagnostics = lower_scenario(self.game.internals.world, self.game.ir, node)
        noted, rules, branches = Noted(), set[int](), set[tuple[int, int]]()
        faults = tuple(Failure(d.message, d.span) for d in diagnostics if d.is_error)
        for seed in self.seeds:
            if scenario is None:
                break
            plays = [self.play(scenario, executor, seed, noted) for executor in self.executors]
            faults = self._faults(plays)
            rules.update(*(play.probe.began for play in plays))
            branches.update(*(play.probe.chosen for play in plays))
            is_open = any(play.chance.is_open for play in plays)
            if faults and is_open:
                faults = tuple(attrs.evolve(fault, message=f"{fault.message} (seed {seed})") for fault in faults)
            if faults or not is_open:
                break
        clauses = scenario.clauses if scenario is not None else tuple(cite.id for cite in node.cites)
        seconds = time.perf_counter() - began
        return ScenarioResult(
            node.title.raw,
            clauses,
            not faults,
            seconds,
            faults,
            frozenset(noted.hits),
            frozenset(noted.refused),
            Ran(frozenset(rules), frozenset(branches), scenario) if scenario is not None else None,
        )

    def _faults(self, plays: list[Play]) -> tuple[Failure, ...]:
        """Plays a scenario on each executor; returns the failures, and the first difference between the executors."""
        found = [play.run() for play in plays]
        faults: list[Failure] = []
        for executor, mine in zip(self.executors, found, strict=True):
            for fault in mine:
                if all(fault in theirs for theirs in found):
                    faults += [] if fault in faults else [fault]
                else:
                    faults.append(attrs.evolve(fault, message=f"on the {executor} executor alone: {fault.message}"))
        return tuple(faults or _differences(plays))

    def play(self, scenario: Scenario, executor: str, seed: Seed, noted: Noted, *, traced: bool = False) -> Play:
        """Returns one run of a scenario, which has not begun; `traced`, if it is to tell of its events."""
        inside = self.game.internals.with_lone(scenario.lone)
        prepared, layout, rules = inside.machine(executor), inside.layout, inside.ir
        visibility = self._visibility(inside, scenario)
        named = visibility.game
        chance = Scripted(Seeded(seed, rules, layout), rules, layout)

        def start(probe: Callable[[BareMatch], Trace]) -> BareMatch:
            moment, row = scenario.moment, None
            machine: Callable[[Chance], Machine] = partial(prepared, noted=noted)
            if isinstance(moment, StandingPoint):
                row = standing_row(CutRules.of(rules, layout), scenario, moment)
            return BareMatch(
                named,
                layout,
                machine,
                scenario.players,
                options=dict(scenario.options),
                chance=chance,
                traced=traced
                or any(_is_about_sight(line) for line in (*scenario.opening, *scenario.arranged, *scenario.lines)),
                probe=probe,
                secrets=self.secrets,
                visibility=visibility,
                placed=row,
            )

        return Play(scenario, named, chance, self.secrets.picks, start)

    def _visibility(self, inside: Internals, scenario: Scenario) -> Visibility:
        """Returns the visibility of a scenario's game, whose seats have the scenario's names."""
        key = scenario.lone, scenario.seats, scenario.players
        if key not in self.visibilities:
            named = messages.renamed(inside.ir, scenario.seats)
            said, unshown = self.game.internals.said, self.secrets.scratch
            self.visibilities[key] = Visibility(named, inside.layout, scenario.players, unshown, said=said)
        return self.visibilities[key]


def _differences(plays: list[Play]) -> list[Failure]:
    """Returns the first difference between the final positions of executors without failures."""
    first, *others = plays
    mine, found = first.match.position, list[str]()
    for other in others:
        theirs = other.match.position
        for slot in map(Slot, range(mine.layout.size)):
            if mine.row[slot] != theirs.row[slot]:
                found.append(f"{slot_name(first.game, mine.layout, slot)} is {mine.row[slot]} or {theirs.row[slot]}")
        if mine.pending != theirs.pending:
            found.append(" or ".join(messages.asked(first.game, pending) for pending in (mine.pending, theirs.pending)))
    return [Failure(f"the executors end apart: {found[0]}", first.scenario.span)] if found else []


def _is_about_sight(line: ScenarioLine) -> bool:
    return isinstance(line, SeesLine) or (
        isinstance(line, AfterLine) and any(_is_about_sight(inner) for inner in line.lines)
    )
