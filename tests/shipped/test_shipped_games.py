"""The games that ship keep every promise they make: all scenarios,
with each variant; every clause of their rulebooks; no warning.

A game's scenarios run on generated Python, which is nine times as fast as the reference, with every seed, and with the
first one on both executors, where its clauses are counted. Those of a variant run where they are in force, on the
reference, for which nothing is compiled. The long tests run all of a game's scenarios with each variant: those that the
variant adds and one in so many others on both executors and with every seed, what is left on generated Python with the
first.
`EVERYWHERE=1` in the environment runs all on both. Each variant is one test for each file of scenarios, so that the work
spreads.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from rulelang import api
from rulelang.rulebook.coverage import citing_variants, cover
from rulelang.rulebook.ledger import check_citations, check_silence
from rulelang.scenarios.run import SEEDS, ScenarioResult, lower_all, run_scenarios, scenarios_of
from rulelang.texts.shipped import game_folders
from tests.seeds import rest_long

ON_BOTH = 1 if os.environ.get("EVERYWHERE") else 18
"""One in so many of the game's own scenarios runs on both executors with each variant, others with another variant."""
ELSE = "both" if os.environ.get("EVERYWHERE") else "generated"
"""The executor of what need not run on both."""
FOLDERS = {folder.name: folder for folder in game_folders()}


@cache
def game_of(name: str, variants: tuple[str, ...] = ()) -> api.Game:
    return api.load("+".join((name, *variants)))


def written(folder: Path, pattern: str) -> list[tuple[str, str]]:
    """Returns the first group of each match in a game's rules files, with its file; no rules are read as rules for it."""
    found = []
    for path in sorted(folder.rglob("*.rules")):
        text = path.read_text(encoding="utf-8")
        found += [(name, str(path.relative_to(folder))) for name in re.findall(pattern, text, re.M)]
    return found


VARIANTS = {name: [variant for variant, _ in written(folder, r"^variant (\w+)")] for name, folder in FOLDERS.items()}
TITLES = {name: written(folder, r'^ *scenario "([^"]*)"') for name, folder in FOLDERS.items()}
TABLES = [(name, variant) for name in FOLDERS for variant in ("", *VARIANTS[name])]
PARTS = [
    (name, variant, file)
    for name, variant in TABLES
    if variant
    for file in dict.fromkeys(file for _, file in TITLES[name])
]
FILES = [(name, file) for name in FOLDERS for file in dict.fromkeys(file for _, file in TITLES[name])]


@pytest.mark.long
@pytest.mark.parametrize(("name", "variant", "file"), PARTS, ids=["-".join(part) for part in PARTS])
def test_every_scenario_passes_with_each_variant(name: str, variant: str, file: str) -> None:
    game = game_of(name, (variant,))
    lying = frozenset(title for title, at in TITLES[name] if at == file)
    shared = sorted(lying & titles(game_of(name)))
    first = VARIANTS[name].index(variant) * ON_BOTH // len(VARIANTS[name])
    own = lying.difference(shared) | frozenset(shared[first::ON_BOTH])
    on_both = run_scenarios(game, titles=own, executor="both")
    results = (*on_both, *run_scenarios(game, titles=lying - own, executor=ELSE, seeds=SEEDS[:1]))
    assert failures(results) == []
    assert {result.name for result in results} == lying & titles(game)


@pytest.mark.parametrize("table", [table for table in TABLES if table[1]], ids="-".join)
def test_what_a_variant_adds_passes_with_it(table: tuple[str, str]) -> None:
    name, variant = table
    game = game_of(name, (variant,))
    own = titles(game) - titles(game_of(name))
    results = run_scenarios(game, titles=own, seeds=SEEDS[:1])
    assert failures(results) == []
    assert {result.name for result in results} == own


def failures(results: Iterable[ScenarioResult]) -> list[tuple[str, str, str]]:
    failed = [(result.name, fault.place, fault.message) for result in results for fault in result.faults]
    assert bool(failed) is any(not result.passed for result in results)
    return failed


@pytest.mark.long
@pytest.mark.parametrize("name", FOLDERS)
def test_no_scenario_is_left_out(name: str) -> None:
    """Each that is written applies to the game or to one of its variants, and lies in a file that is run above."""
    games = [game_of(name), *(game_of(name, (variant,)) for variant in VARIANTS[name])]
    applied = {(node.title.raw, node.span.source.name) for game in games for node in scenarios_of(game)}
    assert sorted(applied) == sorted(TITLES[name])
    assert len(TITLES[name]) > 100
    assert sorted(VARIANTS[name]) == sorted(variant.name.text for variant in game_of(name).internals.loaded.variants)


def titles(game: api.Game) -> frozenset[str]:
    return frozenset(node.title.raw for node in scenarios_of(game))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_scenario_passes(name: str) -> None:
    results = run_scenarios(game_of(name), executor="generated", seeds=SEEDS[:1])
    assert failures(results) == []
    assert {result.name for result in results} == titles(game_of(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", rest_long(FOLDERS, "outspeed"))
def test_every_scenario_passes_on_both_executors_and_every_clause_of_the_rulebook_is_cited_and_shown(name: str) -> None:
    # The reference runs every scenario here, which takes some ten seconds for the largest game. A variant runs only
    # what it adds.
    game = game_of(name)
    variants = [game_of(name, (variant,)) for variant in citing_variants(game)]
    own = titles(game)
    added = [(other, run_scenarios(other, titles=titles(other) - own, seeds=SEEDS[:1])) for other in variants]
    results = run_scenarios(game, executor="both", seeds=SEEDS[:1])
    assert failures(results) == []
    coverage = cover(game, results, variants=added)
    assert len(coverage.clauses) > 100
    assert [(clause.id, clause.lacks) for clause in coverage.lacking] == []
    assert coverage.heaps == ()


@pytest.mark.long
@pytest.mark.parametrize(("name", "file"), FILES, ids="-".join)
def test_every_scenario_passes_whatever_the_seed(name: str, file: str) -> None:
    game = game_of(name)
    second, last = (run_scenarios(game, file=file, executor=ELSE, seeds=(seed,)) for seed in SEEDS[1:])
    assert failures((*second, *last)) == []
    written = {title for title, at in TITLES[name] if at == file} & titles(game)
    assert {result.name for result in second} == {result.name for result in last} == written


@pytest.mark.parametrize(("name", "variant"), TABLES, ids=["-".join(filter(None, table)) for table in TABLES])
def test_a_game_that_ships_is_checked_without_a_word(name: str, variant: str) -> None:
    game = game_of(name, tuple(filter(None, [variant])))
    found = (*game.diagnostics, *lower_all(game), *(() if variant else (*check_citations(game), *check_silence(game))))
    assert [(d.code, d.span.place, d.message) for d in found] == []


@pytest.mark.parametrize("name", FOLDERS)
def test_a_lone_option_is_taken_in_every_game(name: str) -> None:
    """No game and no variant departs from the rule, so whoever knows one game is not surprised by another."""
    assert not written(FOLDERS[name], r"^ *(lone options are \w+)")
