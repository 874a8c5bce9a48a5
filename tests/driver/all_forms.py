"""Prints all that rulelang makes of some games: `python -m tests.driver.all_forms outspeed nim.rules`.

Two processes print the same, whatever the order in which they walk sets (`test_hash_order.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rulelang.api.checking import check_texts
from rulelang.api.game import Game
from rulelang.diagnostics.render import render_all
from rulelang.driver.chain import Unit, run
from rulelang.driver.dump import STAGES
from rulelang.editing.reach import JudgingRules
from rulelang.errors import RulelangError
from rulelang.rulebook.printed.book import book
from rulelang.rulebook.printed.markdown import markdown
from rulelang.scenarios.run import SEEDS, run_scenarios
from rulelang.texts.reader import Disk, find_entry


def forms(name: str) -> Iterator[str]:
    """Yields the diagnostics of a game, its form after each stage of the compiler, its printed rulebook, and the results of
    its scenarios."""
    disk, (base, *variants) = Disk(), name.split("+")
    entry = find_entry(base)
    checked = check_texts(disk, entry, tuple(variants))
    yield render_all(checked.diagnostics)
    if checked.game is None:
        return
    unit = run(Unit(disk, entry, tuple(variants)))
    for stage in STAGES:
        try:
            yield f"{stage.name} {stage.shown(unit)}"
        except RulelangError as error:
            yield f"{stage.name} {error}"
    if unit.lowered is not None:
        yield markdown(book(unit.lowered))
    yield from _results(checked.game)


def _results(game: Game) -> Iterator[str]:
    """Yields the results of a game's scenarios, and the parts of the rules by which an edit reaches each of them."""
    rules = JudgingRules(game)
    yield from (f"{part}:\n{text}" for part, text in rules.parts.texts.items())
    for result in run_scenarios(game, executor="generated", seeds=SEEDS[:1]):
        assert result.ran is not None, result
        yield f"{result.name} {result.passed} {sorted(result.hits)} {sorted(rules.came_by(result.ran))}"


if __name__ == "__main__":
    for named in sys.argv[1:]:
        print(f"{Path(named).name}:", *forms(named), sep="\n")
