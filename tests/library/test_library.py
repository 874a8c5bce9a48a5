"""The library: its parts play as if they stood in the game that includes them."""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from rulelang import api
from rulelang.driver.kept import made_of
from rulelang.errors import InvalidInput
from rulelang.language_service.document import EditorPlace
from rulelang.language_service.service import LanguageService
from rulelang.machines.chance import Seeded
from rulelang.rulebook.printed.book import book, lowered
from rulelang.rulebook.printed.markdown import markdown
from rulelang.scenarios.run import lower_all, run_scenarios
from rulelang.texts import shipped
from rulelang.texts.reader import parts_of
from rulelang.texts.shipped import parts
from rulelang.variants.expand import expand
from rulelang.workbench.changes.grouped_diagnostics import each_once
from tests.files import CLASSICS, DOCS, ROOT, TESTS
from tests.games.classics import machine_of, perft
from tests.machines.test_generated import play_in_lock_step
from tests.machines.test_native import in_lock_step

HERE = TESTS / "library"
EXAMPLES = re.compile(r"^```rules\n(.*?)^```", re.M | re.S)
GAMES = tuple(
    path.read_text() for folder in (HERE, CLASSICS, *(ROOT / "examples").iterdir()) for path in folder.glob("*.rules")
)
RECIPES = tuple(text for page in DOCS.glob("*.md") for text in EXAMPLES.findall(page.read_text()))
NAMES = tuple(path.stem for path in HERE.glob("*.rules"))
QUEENS_IN_ROWS = (8, 42, 140, 344, 568, 550, 312, 92)
"""Ways to set so many queens in the first rows; 92 is the known number for all eight."""


@pytest.mark.parametrize("part", parts())
def test_each_part_is_used_by_three_games_and_described(part: str) -> None:
    using = [text for text in (*GAMES, *RECIPES) if part in parts_of([text])]
    assert len(using) >= 3
    assert f"`std:{part}`" in (DOCS / "library.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_scenarios_of_games_that_use_the_library_hold(name: str) -> None:
    game = api.load(HERE / f"{name}.rules")
    outcomes = run_scenarios(game)
    assert outcomes
    assert all(one.passed for one in outcomes), [one for one in outcomes if not one.passed]


@pytest.mark.parametrize("name", NAMES)
def test_all_executors_agree_on_games_that_use_the_library(name: str) -> None:
    game = api.load(HERE / f"{name}.rules")
    assert play_in_lock_step(game.ir, 5, traced=True)
    chance = Seeded(1, game.ir, game.internals.layout)
    for seed in range(3):
        assert in_lock_step(game.internals.machine("native")(chance), game.internals.machine("generated")(chance), seed)


def test_queens_are_set_in_the_known_numbers_of_ways() -> None:
    machine = machine_of(api.load(HERE / "queens.rules"), "generated", 1, lone="asked")
    counts = [perft(machine, depth) for depth in range(1, 9)]
    # Each position has one option more, to stop, which leads no further.
    assert [many - before for many, before in zip(counts, (1, *QUEENS_IN_ROWS), strict=False)] == [*QUEENS_IN_ROWS]


def test_an_expanded_game_stands_alone_and_has_the_same_rules(tmp_path: Path) -> None:
    game = api.load(HERE / "whist.rules")
    alone = tmp_path / "alone.rules"
    alone.write_text(expand(game.internals.whole.module))
    assert "include" not in alone.read_text()
    assert api.load(alone).rules_hash == game.rules_hash


def test_a_variant_patches_what_a_part_declares(tmp_path: Path) -> None:
    shutil.copy(HERE / "whist.rules", tmp_path / "whist.rules")
    with (tmp_path / "whist.rules").open("a") as file:
        file.write('\nvariant short of whist "Thirty-two cards":\n  in Card if rank < seven: copies = 0\n')
        file.write("  replace setup:\n    deal(8)\n    trumps = random(Suit)\n")
        file.write(
            "  replace play:\n    repeat 8 times: trick()\n    finish with winner {p in players if ours(p) >= 5}\n"
        )
    match = api.load(f"{tmp_path / 'whist.rules'}+short").start(seed=1)
    assert len(match.options) == 8


def test_a_changed_part_makes_another_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(TESTS.parent / "library", tmp_path / "library")
    monkeypatch.setattr(shipped, "shelves", lambda: [tmp_path / "library"])
    entry = HERE / "whist.rules"
    before, hash_before = made_of(entry, ()), api.load(entry).rules_hash
    part = tmp_path / "library/cards/tricks.rules"
    part.write_text(part.read_text().replace("p.tricks += 1", "p.tricks += 2"))
    after = made_of(entry, ())
    assert before is not None
    assert after is not None
    assert before.texts != after.texts
    assert api.load(entry).rules_hash != hash_before


def test_a_part_that_two_files_include_is_read_once() -> None:
    text = (HERE / "whist.rules").read_text()
    twice = text.replace('include "std:cards/tricks"', 'include "std:cards/french"\ninclude "std:cards/tricks"')
    checked = api.check_text(twice)
    assert checked.game is not None
    assert checked.game.rules_hash == api.load(HERE / "whist.rules").rules_hash


@pytest.mark.parametrize(
    ("written", "code", "hint"),
    [
        ("std:cards/frensh", "E0215", "did you mean std:cards/french?"),
        ("std:nothing/like/this", "E0215", "there are: std:boards/eight"),
        ("std:../games/outspeed/outspeed", "E0215", "there are"),
        ("std:", "E0215", "there are"),
    ],
)
def test_a_part_that_is_not_there_is_refused_with_those_that_are(written: str, code: str, hint: str) -> None:
    text = f'game bare "Bare":\n  players 2\n\ninclude "{written}"\n\nplay:\n  finish with winner players\n'
    (fault,) = api.check_text(text).diagnostics
    assert fault.code == code
    assert hint in (fault.help or "")


@pytest.mark.parametrize("written", ["cards/french", "cards/french.rules", "../cards/french"])
def test_a_part_without_its_prefix_is_pointed_to(written: str, tmp_path: Path) -> None:
    entry = tmp_path / "bare.rules"
    entry.write_text(f'game bare "Bare":\n  players 2\n\ninclude "{written}"\n\nplay:\n  settle\n', encoding="utf-8")
    fault = api.check(entry).diagnostics[0]
    assert ('`include "std:cards/french"`' in (fault.help or "")) is not written.startswith("..")


def test_the_rulebook_leaves_out_what_a_part_has_beside() -> None:
    page = markdown(book(lowered(api.read(str(ROOT / "examples" / "bridge"))[0])))
    assert "### A trick" in page
    assert "### Trick" not in page


def test_a_game_that_misses_what_a_part_asks_for_is_told_the_name() -> None:
    text = 'game bare "Bare":\n  players 2\n\ninclude "std:cards/tricks"\n\nplay:\n  trick()\n'
    messages = [fault.message for fault in api.check_text(text).diagnostics]
    assert any("play_card" in message for message in messages)


def _place(text: str, word: str) -> EditorPlace:
    before = text[: re.search(rf"\b{word}\b", text).start()]  # type: ignore[union-attr]
    return EditorPlace(before.count("\n"), len(before) - before.rfind("\n") - 1)


def test_a_game_need_not_use_all_that_a_part_declares(tmp_path: Path) -> None:
    entry = tmp_path / "dealt.rules"
    text = (HERE / "bazaar.rules").read_text().partition("scenario")[0]
    entry.write_text(re.sub(r"action (look|lift).*\n", "", text).replace("look, bury, lift, ", "bury, "))
    loaded = api.load(entry).internals.loaded
    assert not each_once(loaded, loaded.combinations, partial(api.check_loaded, loaded), lower_all)


def test_an_editor_goes_to_the_part_and_renames_nothing_in_it() -> None:
    service, path = LanguageService(), HERE / "whist.rules"
    text = path.read_text()
    service.open(path, text)
    (there,) = service.definition(path, _place(text, "lay"))
    assert there.path == parts()["cards/tricks"]
    with pytest.raises(InvalidInput, match="library"):
        service.rename(path, _place(text, "lay"), "put")
    service.open(there.path, there.path.read_text())
    assert not any(service.faults(there.path).values())
    assert any(span.path == path for span in service.references(there.path, EditorPlace(there.range.start.line, 3)))
