"""After any edit, the verdicts of what was played again and of what rested equal those of a run of everything."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path
from random import Random

import pytest

from rulelang.api import Game
from rulelang.editing.trials import Trials
from rulelang.scenarios.run import SEEDS, run_scenarios
from rulelang.texts.reader import find_entry
from rulelang.workspace.workspace import Workspace
from tests.files import CLASSICS

TURNED = {"+=": "-=", "-=": "+=", "<=": "<", ">=": ">", "==": "!=", "and": "or", "or": "and", "red": "blue"}
MOST_TRIES = 40
"""The most edits that are made for each that leaves the rules sound."""


def _edits(workspace: Workspace, entry: Path, variants: tuple[str, ...], rng: Random) -> Iterator[Game]:
    """Yields the game after one small edit after the other of its texts, each of which leaves its rules sound."""
    loaded = workspace.loaded(entry)
    apart = {one.span.source.name for one in (*loaded.variants, *loaded.scenarios)}
    texts = dict(zip(loaded.paths, (source.text for source in loaded.sources), strict=True))
    rules = [path for path, source in zip(loaded.paths, loaded.sources, strict=True) if source.name not in apart]
    while True:
        for _ in range(MOST_TRIES):
            # Every fourth edit may be one of scenarios, or of a variant.
            among = rules if rules and rng.randrange(4) else list(texts)
            path = rng.choices(among, [len(texts[one]) for one in among])[0]
            edited = _edited(texts[path], rng)
            workspace.put(path, edited)
            game = workspace.check(entry, variants).rules
            if game is not None:
                if rng.randrange(2):
                    texts[path] = edited
                yield game
                break
            workspace.put(path, texts[path])
        else:
            return


def _edited(text: str, rng: Random) -> str:
    """Returns a text with another number, another operator, or a line less, more or elsewhere."""
    word = rng.choice([one for one in re.finditer(r"\d+|[+<>=-]=|\w+", text) if one[0].isdigit() or one[0] in TURNED])
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            return "".join([*lines[:at], *lines[at + 1 :]])
        case 1:
            return "".join([*lines[:at], lines[at], *lines[at:]])
        case 2:
            return "".join([*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]])
        case _:
            other = TURNED.get(word[0]) or str(int(word[0]) + rng.choice((-1, 1)))
            return text[: word.start()] + other + text[word.end() :]


async def _follow(entry: Path, edits: int, rng: Random, variants: tuple[str, ...] = ()) -> list[int]:
    """Follows some edits of a game; returns how many scenarios rested at each."""
    workspace = Workspace()
    first = workspace.check(entry, variants).rules
    assert first is not None
    trials = Trials()
    await trials.run(first, first, lambda: None)
    rested = []
    games = _edits(workspace, entry, variants, rng)
    for _ in range(edits):
        game = next(games)
        before = {one.node.title.raw: one.result for one in trials.trials}
        await trials.run(game, first, lambda: None)
        verdicts = {one.result.name: one.result.passed for one in trials.trials}
        everything = run_scenarios(game, executor="generated", seeds=SEEDS[:1])
        assert verdicts == {one.name: one.passed for one in everything}, _difference(workspace, entry)
        rested.append(sum(one.result is before.get(one.result.name) for one in trials.trials))
    return rested


def _difference(workspace: Workspace, entry: Path) -> str:
    """Returns the lines in which the texts of a game differ from those on the disk."""
    loaded = workspace.loaded(entry)
    pairs = ((path.read_text(), source.text) for path, source in zip(loaded.paths, loaded.sources, strict=True))
    return "".join(
        line
        for old, new in pairs
        if old != new
        for line in ndiff(old.splitlines(True), new.splitlines(True))
        if line[0] != " "
    )


@pytest.mark.parametrize(("game", "seed"), [("breakthrough", 1), ("breakthrough", 2)])
def test_verdicts_after_an_edit_are_those_of_a_run_of_everything(game: str, seed: int) -> None:
    asyncio.run(_follow(CLASSICS / f"{game}.rules", 4, Random(seed)))


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "edits", "variants"),
    [
        ("outspeed", 4, ()),
        ("outspeed", 2, ("sprint",)),
        ("empty_space", 2, ()),
        ("exobase", 2, ()),
        ("exit_velocity", 2, ()),
    ],
)
def test_verdicts_after_an_edit_of_a_large_game_are_those_of_a_run_of_everything(
    game: str, edits: int, variants: tuple[str, ...]
) -> None:
    rested = asyncio.run(_follow(find_entry(game).resolve(), edits, Random(7), variants))
    assert any(rested)
