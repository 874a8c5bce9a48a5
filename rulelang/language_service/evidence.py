"""Rules, scenarios and clauses -> the scenarios that show each: remarks above lines, and sentences for hovers.

lenses(service, path)                (Lens(range, "3 scenarios", places), Lens(range, "run", scenario="a title"), …)
shown_by(service, path, definition)  the scenarios that cite a clause which the rule cites, too
run(service, path, "a title")        "passes", or what is wrong with it
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import attrs

from rulelang.language_service.document import EditorRange
from rulelang.language_service.service import EditorSpan, LanguageService
from rulelang.language_service.structure import rules_of
from rulelang.scenarios.run import run_scenarios
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.walk import walk

_ID = re.compile(r"""^\s*id\s*=\s*["']([^"']+)["']""", re.M)
Does: TypeAlias = Literal["show", "run", "play"]
"""What a lens does: show places, run a scenario, or play from where its givens lead."""


@attrs.frozen
class Lens:
    """A remark above a line: the places that it shows, or the scenario that it runs or plays on from."""

    range: EditorRange
    title: str
    places: tuple[EditorSpan, ...] = ()
    does: Does = "show"
    scenario: str = ""


def lenses(service: LanguageService, path: Path) -> tuple[Lens, ...]:
    """Returns the remarks of a text: above each rule that cites clauses, how many scenarios show it; above each
    scenario, to run it and to play on; above each clause of a ledger, which lines and scenarios cite it."""
    loaded = service.loaded(path)
    if loaded is None:
        return ()
    if path.suffix == ".toml":
        return tuple(_of_clauses(service, path))
    return (*_of_rules(service, path), *_of_scenarios(service, path))


def _of_rules(service: LanguageService, path: Path) -> Iterator[Lens]:
    for node in rules_of(service, path):
        where = service.place_of(path, node.name.span)
        if where is not None and where.path == path and _cites(node):
            shown = _showing(service, path, node)
            yield Lens(
                where.range, _many(len(shown), "scenario"), _places(service, path, [s.title.span for s in shown])
            )


def _of_scenarios(service: LanguageService, path: Path) -> Iterator[Lens]:
    loaded = service.loaded(path)
    for scenario in () if loaded is None else loaded.scenarios:
        where = service.place_of(path, scenario.title.span)
        if where is not None and where.path == path:
            yield Lens(where.range, "run", does="run", scenario=scenario.title.raw)
            yield Lens(where.range, "play from here", does="play", scenario=scenario.title.raw)


def _of_clauses(service: LanguageService, path: Path) -> Iterator[Lens]:
    document, loaded = service.document(path), service.loaded(path)
    if document is None or loaded is None:
        return
    cites: dict[str, list[Span]] = {}
    for top in (*loaded.module.declarations, *loaded.variants):
        for one in walk(top):
            if isinstance(one, nodes.CiteNode):
                cites.setdefault(one.id, []).append(one.span)
    shown: dict[str, list[Span]] = {}
    for scenario in loaded.scenarios:
        for id in dict.fromkeys(one.id for one in walk(scenario) if isinstance(one, nodes.CiteNode)):
            shown.setdefault(id, []).append(scenario.title.span)
    for found in _ID.finditer(document.source.text):
        place = document.place(found.start(1))
        lines, titles = cites.get(found[1], []), shown.get(found[1], [])
        said = f"{_many(len(lines), 'line')}, {_many(len(titles), 'scenario')}"
        yield Lens(EditorRange(place, place), said, _places(service, path, [*lines, *titles]))


def _cites(node: nodes.Declaration) -> frozenset[str]:
    return frozenset(one.id for one in walk(node) if isinstance(one, nodes.CiteNode))


def _showing(service: LanguageService, path: Path, node: nodes.Declaration) -> list[nodes.ScenarioDeclaration]:
    """Returns the scenarios that cite a clause which a rule cites, too."""
    loaded, ids = service.loaded(path), _cites(node)
    return [] if loaded is None else [one for one in loaded.scenarios if ids & {cite.id for cite in one.cites}]


def shown_by(service: LanguageService, path: Path, name: str) -> tuple[str, ...]:
    """Returns the titles of the scenarios that cite a clause which the rule of a name cites, too."""
    found = (node for node in rules_of(service, path) if node.name.text == name)
    return tuple(dict.fromkeys(one.title.raw for node in found for one in _showing(service, path, node)))


def run(service: LanguageService, path: Path, title: str) -> str:
    """Returns a sentence on a scenario that was run: that it passes, or its first fault."""
    game = service.workspace.check(service.entry(path)).game
    if game is None:
        return "The rules have errors: no scenario can be run."
    results = run_scenarios(game, titles=frozenset({title}), executor="generated")
    if not results:
        return f'There is no scenario "{title}" in force.'
    fault = next(iter(results[0].faults), None)
    said = "it passes" if results[0].passed else "it fails" if fault is None else fault.message
    return f'"{title}": {said}'


def _places(service: LanguageService, path: Path, spans: list[Span]) -> tuple[EditorSpan, ...]:
    found = (service.place_of(path, span) for span in spans)
    return tuple(place for place in found if place is not None)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
