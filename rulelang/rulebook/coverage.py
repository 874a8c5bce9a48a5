"""A ledger, rules and scenario results -> the clauses that are written, shown and played, and what each still lacks.

    heap -= n                                             [N-2]     cited
    scenario "a match is gone":                           [N-2]     shown: it passes, cites N-2 and runs that line
    needs n <= heap  "Only {heap} are left"               [N-3]     shown by a scenario in which it refuses

Invariant: a clause counts as shown only by scenarios that cite it, each of at most six clauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import attrs

from rulelang import api
from rulelang.rulebook.exercise import exercise
from rulelang.rulebook.ledger import Clause, ClauseForm, clauses_of
from rulelang.rulebook.lines import CitingLine, citing_lines
from rulelang.rulebook.mutation import Mutant
from rulelang.scenarios.run import ScenarioResult
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

MOST_SHOWN_AT_ONCE = 6
"""The most clauses that one scenario can show; a scenario that cites more shows none of them."""


@attrs.frozen
class ClauseReport:
    """One clause: the places that cite it, the scenarios that show it, and what it lacks (None if nothing)."""

    id: str
    kind: ClauseForm
    cited: tuple[str, ...]
    """Places, `outspeed.rules:31`."""
    shown: tuple[str, ...]
    """Names of scenarios."""
    exercised: int
    """The number of random games in which a line that cites it ran."""
    handled: str | None
    lacks: str | None


@attrs.frozen
class Coverage:
    """The clauses of a game's ledger, in its order."""

    clauses: tuple[ClauseReport, ...]
    games: int
    """The number of random games that were played."""
    heaps: tuple[str, ...]
    """The places of lines with more than four ids, which count for none of them."""

    @property
    def lacking(self) -> tuple[ClauseReport, ...]:
        """The clauses that lack something."""
        return tuple(clause for clause in self.clauses if clause.lacks is not None)

    def as_json(self) -> dict[str, object]:
        """Returns the report as plain data, for `cover --json`."""
        return {
            "clauses": [attrs.asdict(clause) for clause in self.clauses],
            "games": self.games,
            "heaps": list(self.heaps),
        }


def cover(
    game: api.Game,
    results: Iterable[ScenarioResult],
    games: int = 0,
    survivors: Iterable[Mutant] = (),
    variants: Iterable[tuple[api.Game, Iterable[ScenarioResult]]] = (),
) -> Coverage:
    """Returns the coverage of every clause: what cites, shows and exercises it.

    `results` are those of the game's scenarios on the interpreter; `games` random games are played as well. A
    line among the `survivors` of `mutation.survivors` shows nothing, since no scenario fails without it. `variants`
    are the game with each variant that cites clauses of the same rulebook, with the scenario results there.
    """
    parts = [_Part.of(game, results, games), *(_Part.of(other, found, games) for other, found in variants)]
    idle = frozenset((mutant.place, mutant.clauses) for mutant in survivors)
    reports = [_report(clause, parts, idle) for clause in clauses_of(game.internals.loaded.ledger)]
    heaps = tuple(dict.fromkeys(line.place for part in parts for line in part.lines if line.heap))
    return Coverage(tuple(reports), games, heaps)


def citing_variants(game: api.Game) -> tuple[str, ...]:
    """Returns the names of the variants whose own lines, scenarios aside, cite clauses."""
    found = []
    for variant in game.internals.loaded.variants:
        own = [
            o
            for o in variant.operations
            if not (isinstance(o, nodes.AddOperation) and isinstance(o.declaration, nodes.ScenarioDeclaration))
        ]
        if any(isinstance(node, nodes.CiteNode) for node in walk(tuple(own))):
            found.append(variant.name.text)
    return tuple(found)


@attrs.frozen
class _Part:
    """A game with or without a variant: its citing lines, its
    results, and the number of random games that ran each clause."""

    lines: tuple[CitingLine, ...]
    results: tuple[ScenarioResult, ...]
    ran: Mapping[str, int]

    @classmethod
    def of(cls, game: api.Game, results: Iterable[ScenarioResult], games: int) -> _Part:
        lines = citing_lines(game.internals.module, game.ir.sites)
        return cls(lines, tuple(results), exercised(lines, exercise(game, games), games) if games else {})

    def citing(self, clause: Clause) -> list[CitingLine]:
        """Returns the lines that cite a clause."""
        return [line for line in self.lines if clause.id in line.clauses and not line.heap]


def _report(clause: Clause, parts: list[_Part], idle: frozenset[tuple[object, ...]]) -> ClauseReport:
    cited = tuple(dict.fromkeys(line.place for part in parts for line in part.citing(clause)))
    named = running = False
    shown: list[str] = []
    for part in parts:
        lines = part.citing(clause)
        if cited and not lines:
            continue
        at_work = [line for line in lines if (line.place, line.clauses) not in idle]
        for result in part.results:
            if clause.id in result.clauses:
                named = True
                runs = _shows(result, clause, lines)
                running = running or runs
                shown += [result.name] if runs and (_shows(result, clause, at_work) or not lines) else []
    if shown:
        missing = None
    elif running:
        missing = "the scenarios that cite it pass without its lines, too"
    else:
        missing = "no passing scenario that cites it runs one of its lines" if named else "no scenario cites it"
        crowded = {r.name: len(r.clauses) for part in parts for r in part.results if _is_crowded(r, clause)}
        if crowded:
            name, many = next(iter(crowded.items()))
            missing = f'"{name}" cites {many} clauses, and one that cites more than {MOST_SHOWN_AT_ONCE} shows none'
    ran = max(part.ran.get(clause.id, 0) for part in parts)
    names = tuple(dict.fromkeys(shown))
    return ClauseReport(clause.id, clause.kind, cited, names, ran, clause.handled, _lack(clause, cited, missing))


def _is_crowded(result: ScenarioResult, clause: Clause) -> bool:
    return clause.id in result.clauses and len(result.clauses) > MOST_SHOWN_AT_ONCE


def _shows(result: ScenarioResult, clause: Clause, lines: list[CitingLine]) -> bool:
    if not result.passed or len(result.clauses) > MOST_SHOWN_AT_ONCE:
        return False
    # An example has no line of its own: it illustrates other rules.
    example = clause.kind == "example" and not lines
    return example or any(line.ran(result.hits, result.refused) for line in lines)


def _lack(clause: Clause, cited: tuple[str, ...], missing: str | None) -> str | None:
    match clause.kind:
        case "flavour":
            return None
        case "component" | "physical":
            return (
                None if cited or clause.handled else "no line cites it, and the ledger does not say how it is handled"
            )
        case "example":
            return missing
        case _:  # a clause of any other kind says what is done
            return missing if cited else "no line cites it"


def exercised(lines: tuple[CitingLine, ...], counts: Mapping[int, int], games: int) -> Counter[str]:
    """Returns, by clause, the number of random games in which
    its most frequent line ran; a static line counts in all."""
    found: Counter[str] = Counter()
    for line in lines:
        times = games if line.static else max((counts.get(site, 0) for site in line.sites | line.needs), default=0)
        for id in line.clauses if not line.heap else ():
            found[id] = max(found[id], times)
    return found
