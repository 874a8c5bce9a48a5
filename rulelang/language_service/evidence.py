"""Rules, scenarios and clauses -> the scenarios that show each: remarks above lines, and sentences for hovers.

lenses(service, path)                (Lens(range, "3 scenarios", places), Lens(range, "run", scenario="a title"), …)
shown_by(service, path, definition)  the scenarios that cite a clause which the rule cites, too
run(service, path, "a title")        "passes", or what is wrong with it
refusing(service, path, place)       the `needs` in a line; None if there is none
refused_there(service, path, place)  {path: (TextChange(…),)}, which adds a scenario of what it refuses
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

import attrs

from rulelang.api import Game, Match
from rulelang.errors import InvalidInput, RulelangError
from rulelang.lab.bots import bot
from rulelang.lab.seat_view import SeatView
from rulelang.language_service.document import EditorPlace, EditorRange, read_text
from rulelang.language_service.service import EditorSpan, LanguageService, TextChange
from rulelang.language_service.structure import rules_of
from rulelang.match.options.option import Option
from rulelang.match.refused import refused
from rulelang.playouts.rng import RandomStream
from rulelang.scenarios.run import run_scenarios
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk
from rulelang.workbench.excerpt import NoExcerpt, refusal, under_fresh_title

MOST_GAMES = 30
"""The most random games that are played."""
MOST_CHOICES = 120
"""The choices after which a game is left as it is."""
MOST_TRIED = 4
"""The most refused options of which a scenario is tried."""
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
    scenarios: tuple[str, ...] = ()
    """The titles of the scenarios that it runs, or plays on from."""


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
            places = _places(service, path, [s.title.span for s in shown])
            yield Lens(where.range, _many(len(shown), "scenario"), places)
            if shown:
                yield Lens(where.range, "run", does="run", scenarios=tuple(s.title.raw for s in shown))


def _of_scenarios(service: LanguageService, path: Path) -> Iterator[Lens]:
    loaded = service.loaded(path)
    for scenario in () if loaded is None else loaded.scenarios:
        where = service.place_of(path, scenario.title.span)
        if where is not None and where.path == path:
            title = (scenario.title.raw,)
            yield Lens(where.range, "run", does="run", scenarios=title)
            yield Lens(where.range, "play from here", does="play", scenarios=title)


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


def run(service: LanguageService, path: Path, *titles: str) -> str:
    """Returns a sentence on scenarios that were run: that they pass, or the first fault."""
    if service.loaded(path) is None:
        return "This file is not open."
    game = service.workspace.check(service.entry(path)).rules
    if game is None:
        return "The rules have errors: no scenario can be run."
    results = run_scenarios(game, titles=frozenset(titles), executor="generated")
    if not results:
        return f'There is no scenario "{titles[0]}" in force.'
    failed = [one for one in results if not one.passed]
    if len(results) > 1 and not failed:
        return f"All {len(results)} scenarios pass."
    one = (failed or results)[0]
    fault = next(iter(one.faults), None)
    said = "it passes" if one.passed else "it fails" if fault is None else fault.message
    more = f" ({len(failed)} of {len(results)} fail)" if len(results) > 1 else ""
    return f'"{one.name}": {said}{more}'


def _places(service: LanguageService, path: Path, spans: list[Span]) -> tuple[EditorSpan, ...]:
    found = (service.place_of(path, span) for span in spans)
    return tuple(place for place in found if place is not None)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


# ------------------------------------------------------------------ refusals


def refusing(service: LanguageService, path: Path, place: EditorPlace) -> nodes.NeedNode | None:
    """Returns the `needs` in the line of a place; None if there is none, or it is not of the game itself."""
    document, loaded = service.document(path), service.loaded(path)
    if document is None or loaded is None:
        return None
    pairs = zip(loaded.sources, loaded.paths, strict=True)
    name = next((source.name for source, there in pairs if there == path), None)
    start = document.offset(EditorPlace(place.line, 0))
    end = document.offset(EditorPlace(place.line + 1, 0))
    for top in loaded.module.declarations:
        if top.span.source.name == name and top.span.start <= end and start <= top.span.end:
            for node in walk(top):
                if isinstance(node, nodes.NeedNode) and start <= node.span.start < end:
                    return node
    return None


def refused_there(service: LanguageService, path: Path, place: EditorPlace) -> Mapping[Path, tuple[TextChange, ...]]:
    """Returns the change of a text that adds a scenario of what a `needs` refuses.

    A position in which it refuses something is looked for in random games. Raises InvalidInput if there is no `needs`, the rules have errors, or no game leads to a position where it refuses
    anything.
    """
    need, entry = refusing(service, path, place), service.entry(path)
    if need is None:
        raise InvalidInput("there is no `needs` in this line")
    game = service.workspace.check(entry).rules
    if game is None:
        raise InvalidInput("the rules have errors: no scenario can be made")
    for match, option in islice(_refused(game, need.span), MOST_TRIED):
        try:
            text = refusal(game, match, option).text
        except NoExcerpt:
            continue
        return _added(service, path, text)
    raise InvalidInput(f"in {MOST_GAMES} random games nothing was refused by this line alone that a scenario can show")


def _refused(game: Game, span: Span) -> Iterator[tuple[Match, Option]]:
    """Yields options that the `needs` at a span refuses in random games, at most one a game."""
    sites = {site.id for site in game.ir.sites if site.span == span}
    low, high = game.players
    for seed in range(MOST_GAMES):
        match = game.start(low + seed % (high - low + 1), seed)
        try:
            found = _played(match, seed, sites, span)
        except RulelangError:
            # A fault of the rules ends this game; another may do better.
            continue
        if found is not None:
            yield match, found


def _played(match: Match, seed: int, sites: set[int], span: Span) -> Option | None:
    """Plays a game at random until something is refused; returns that, None if nothing is."""
    who = bot("random")
    while match.to_move and match.inputs < MOST_CHOICES:
        choice = match.choice
        if choice is not None and any(need.site in sites for branch in choice.branches for need in branch.needs):
            for seat in match.to_move:
                for option, reason in refused(match, seat):
                    if reason.span == span:
                        return option
        seat = match.to_move[0]
        match.push(who.choose(SeatView(match, seat, RandomStream(str(seed), "bot", seat, match.inputs))))
    return None


def _added(service: LanguageService, path: Path, scenario: str) -> Mapping[Path, tuple[TextChange, ...]]:
    """Returns the change that adds a scenario to the file that holds most scenarios, or to the entry."""
    loaded, entry = service.loaded(path), service.entry(path)
    assert loaded is not None
    apart = {variant.span.source.name for variant in loaded.variants}
    files = Counter(one.span.source.name for one in loaded.scenarios if one.span.source.name not in apart)
    paths = {source.name: there for source, there in zip(loaded.sources, loaded.paths, strict=True)}
    there = paths[files.most_common(1)[0][0]] if files else entry
    document = service.document(there) or read_text("")
    text = document.source.text
    written = under_fresh_title(scenario, {one.title.raw for one in loaded.scenarios}).rstrip()
    end = document.place(len(text))
    lead = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
    return {there: (TextChange(EditorRange(end, end), f"{lead}{written}\n"),)}
