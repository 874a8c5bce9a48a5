"""After any edit, the verdicts of what was played again and of what rested equal those of a run of everything."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rulelang.api import Game
from rulelang.editing.trials import Trials
from rulelang.scenarios.run import SEEDS, run_scenarios
from rulelang.texts.reader import find_entry
from rulelang.workspace.workspace import Workspace

TURNED = {"+=": "-=", "-=": "+=", "<=": "<", ">=": ">", "==": "!=", "and": "or", "or": "and", "red": "blue"}
MOST_TRIES = 40
"""The most edits that are made for each that leaves the rules sound."""


def _edits(workspace: Workspace, entry: Path, rng: Random) -> Iterator[Game]:
    """Yields the game after one small edit after the other of its rules, each of which leaves them sound."""
    loaded = workspace.loaded(entry)
    apart = {one.span.source.name for one in (*loaded.variants, *loaded.scenarios)}
    pairs = zip(loaded.paths, loaded.sources, strict=True)
    texts = {path: source.text for path, source in pairs if source.name not in apart}
    while True:
        for _ in range(MOST_TRIES):
            path = rng.choices(list(texts), [len(text) for text in texts.values()])[0]
            edited = _edited(texts[path], rng)
            workspace.put(path, edited)
            game = workspace.check(entry).rules
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


async def _follow(name: str, edits: int, rng: Random) -> list[int]:
    """Follows some edits of a game; returns how many scenarios rested at each."""
    workspace, entry = Workspace(), find_entry(name).resolve()
    first = workspace.check(entry).rules
    assert first is not None
    trials = Trials()
    await trials.run(first, first, lambda: None)
    rested = []
    games = _edits(workspace, entry, rng)
    for _ in range(edits):
        game = next(games)
        before = {one.node.title.raw: one.result for one in trials.trials}
        await trials.run(game, first, lambda: None)
        verdicts = {one.result.name: one.result.passed for one in trials.trials}
        everything = run_scenarios(game, executor="generated", seeds=SEEDS[:1])
        assert verdicts == {one.name: one.passed for one in everything}
        rested.append(sum(one.result is before.get(one.result.name) for one in trials.trials))
    return rested


@pytest.mark.long
def test_verdicts_after_an_edit_are_those_of_a_run_of_everything() -> None:
    rested = asyncio.run(_follow("outspeed", 4, Random(7)))
    assert any(rested)
