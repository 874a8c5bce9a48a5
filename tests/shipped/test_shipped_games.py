"""The games that ship keep every promise they make: all scenarios, with each variant, on both executors; every clause of
their rulebooks; no warning.

Each game, with each variant, is one test for each file of scenarios, so that the work spreads.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rulelang import api
from rulelang.rulebook.coverage import citing_variants, cover
from rulelang.rulebook.ledger import check_citations, check_silence
from rulelang.scenarios.run import lower_all, run_scenarios, scenarios_of
from rulelang.texts import loading
from rulelang.texts.reader import Disk
from rulelang.texts.shipped import game_folders

FOLDERS = {folder.name: folder for folder in game_folders()}


@cache
def loaded(name: str) -> loading.Loaded:
    return loading.load(Disk(), FOLDERS[name] / f"{name}.rules")


@cache
def game_of(name: str, variants: tuple[str, ...] = ()) -> api.Game:
    checked = api.check_loaded(loaded(name), variants)
    assert checked.game is not None, [(d.span.place, d.message) for d in checked.diagnostics]
    return checked.game


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
PARTS = [(name, variant, file) for name, variant in TABLES for file in dict.fromkeys(f for _, f in TITLES[name])]


@pytest.mark.parametrize(("name", "variant", "file"), PARTS, ids=["-".join(filter(None, part)) for part in PARTS])
def test_every_scenario_passes_on_both_executors(name: str, variant: str, file: str) -> None:
    results = run_scenarios(game_of(name, tuple(filter(None, [variant]))), file=file, executor="both")
    failed = [(result.name, fault.place, fault.message) for result in results for fault in result.faults]
    assert not failed
    assert all(result.passed for result in results)


@pytest.mark.parametrize("name", FOLDERS)
def test_no_scenario_is_left_out(name: str) -> None:
    """Each that is written applies to the game or to one of its variants, and lies in a file that is run above."""
    games = [game_of(name), *(game_of(name, (variant,)) for variant in VARIANTS[name])]
    applied = {(node.title.raw, node.span.source.name) for game in games for node in scenarios_of(game)}
    assert sorted(applied) == sorted(TITLES[name])
    assert len(TITLES[name]) > 100
    assert sorted(VARIANTS[name]) == sorted(variant.name.text for variant in loaded(name).variants)


def titles(game: api.Game) -> frozenset[str]:
    return frozenset(node.title.raw for node in scenarios_of(game))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_clause_of_the_rulebook_is_cited_and_shown(name: str) -> None:
    # The reference machine runs every scenario here: half a minute for the largest game. A variant runs only what it adds.
    game = game_of(name)
    variants = [game_of(name, (variant,)) for variant in citing_variants(game)]
    own = titles(game)
    added = [(other, run_scenarios(other, titles=titles(other) - own)) for other in variants]
    coverage = cover(game, run_scenarios(game), variants=added)
    assert len(coverage.clauses) > 100
    assert [(clause.id, clause.lacks) for clause in coverage.lacking] == []
    assert coverage.heaps == ()


@pytest.mark.parametrize(("name", "variant"), TABLES, ids=["-".join(filter(None, table)) for table in TABLES])
def test_a_game_that_ships_is_checked_without_a_word(name: str, variant: str) -> None:
    game = game_of(name, tuple(filter(None, [variant])))
    found = (*game.diagnostics, *lower_all(game), *(() if variant else (*check_citations(game), *check_silence(game))))
    assert [(d.code, d.span.place, d.message) for d in found] == []
