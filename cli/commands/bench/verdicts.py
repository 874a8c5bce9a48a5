"""Small edits at random places of each large game -> the times until the scenarios that they reach are judged, the table has
followed, and random games have been compared."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from rulelang.errors import RulelangError

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.editing.trials import Trial
    from rulelang.scenarios.run import ScenarioResult
    from rulelang.session.table import GameTable

NAME = "verdicts in"
GAMES = ("outspeed", "empty_space", "exobase", "exit_velocity")
EDITS = 9
"""The edits of each game."""
SEED = 1
CHOICES = 40
"""The choices of the game on the table, each a random one."""
COMPARED = 8
"""The random games of which the time for each is taken."""
TURNED = {"+=": "-=", "-=": "+=", "<=": "<", ">=": ">", "==": "!="}


def verdicts(wanted: str = "") -> dict[str, float]:
    """Returns milliseconds of the CPU from an edit to the first verdict and to those of all scenarios that it can reach, and
    how many these are, from there until the game on the table has followed, and for one of the random games that are
    compared; for the games with `wanted` in the names of their figures.

    An edit is a number that is one more, a sign that is another, or a letter more in a text; each is taken back.
    """
    found: dict[str, float] = {}
    for game in GAMES:
        if wanted in f"{NAME} {game}":
            found |= asyncio.run(_of(game))
    return found


def _fresh(trials: tuple[Trial, ...], before: tuple[ScenarioResult, ...]) -> int:
    """Returns how many results are none of those before, which are held: a new one may lie where a freed one lay."""
    known = set(map(id, before))
    return sum(id(trial.result) not in known for trial in trials)


async def _of(name: str) -> dict[str, float]:
    from rulelang.editing.replaying import follow, played
    from rulelang.editing.trials import Trials
    from rulelang.texts.reader import find_entry
    from rulelang.workspace.workspace import Workspace

    workspace, entry, trials = Workspace(), find_entry(name).resolve(), Trials()
    first = workspace.check(entry).rules
    assert first is not None
    reached, began, taken = list[int](), list[float](), list[float]()
    before: tuple[ScenarioResult, ...] = ()
    shown: list[float] = []

    def show() -> None:
        if not shown and _fresh(trials.trials, before):
            shown.append(process_time())

    async def judge(game: Game) -> None:
        await trials.run(game, first, show, at_once=True)
        await trials.run(game, first, show)

    await judge(first)
    table = _table(first)
    log, followed, compared = played(table), list[float](), list[float]()
    for path, edited, text in _edits(workspace, entry):
        workspace.put(path, edited)
        before = tuple(trial.result for trial in trials.trials)
        shown.clear()
        start = process_time()
        game = workspace.check(entry).rules
        if game is not None:
            await judge(game)
            taken.append((process_time() - start) * 1000)
            began.append(((shown or [process_time()])[0] - start) * 1000)
            reached.append(_fresh(trials.trials, before))
            start = process_time()
            with suppress(RulelangError):
                follow(log, game, table.seats)
            followed.append((process_time() - start) * 1000)
            compared = compared or [_compared(first, game)]
        workspace.put(path, text)
        again = workspace.check(entry).rules
        assert again is not None
        if game is not None:
            await judge(again)
        if len(taken) == EDITS:
            break
    what = f"{NAME} {name} after an edit"
    return {
        f"{what}: the first": median(began),
        f"{what}: the last": median(taken),
        f"{what}: the last, at most": max(taken),
        f"{what}: scenarios": median(reached),
        f"{what}: the table follows": median(followed),
        f"{what}: the table follows, at most": max(followed),
        f"{what}: each random game": compared[0],
    }


def _table(game: Game) -> GameTable:
    """Returns a table of people with a game under way."""
    from rulelang.session.table import begin

    players, rng = game.players[0], Random(SEED)
    table = begin(game, game.id, players, (None,) * players, seed=SEED)
    for _ in range(CHOICES):
        if options := list(table.match.options):
            table.match.push(rng.choice(options))
    return table


def _compared(first: Game, game: Game) -> float:
    """Returns the milliseconds that it takes to compare one random game by edited rules, once their code is there."""
    from rulelang.editing.sample import compared, played_at_random

    logs = [played_at_random(first, first.players[0], seed) for seed in range(COMPARED)]
    compared(game, logs[0])
    start = process_time()
    for log in logs:
        compared(game, log)
    return (process_time() - start) / COMPARED * 1000


def _edits(workspace: object, entry: Path) -> Iterator[tuple[Path, str, str]]:
    """Yields edits of the rules of a game: the file, its text then, and its text before."""
    from rulelang.workspace.workspace import Workspace

    assert isinstance(workspace, Workspace)
    loaded, rng = workspace.loaded(entry), Random(SEED)
    apart = {one.span.source.name for one in (*loaded.variants, *loaded.scenarios)}
    pairs = zip(loaded.paths, loaded.sources, strict=True)
    places = [
        (path, source.text, found)
        for path, source in pairs
        if source.name not in apart
        for found in re.finditer(r'\b\d+\b|[-+<>=]=|(?<=")[A-Z]\w+', source.text)
    ]
    while True:
        path, text, found = rng.choice(places)
        word = found[0]
        other = str(int(word) + 1) if word.isdecimal() else TURNED.get(word, f"{word}s")
        yield path, text[: found.start()] + other + text[found.end() :], text
