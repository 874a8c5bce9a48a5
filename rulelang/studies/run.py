"""A study and a folder -> all its games on disk, played here or on many machines.

    begin(study, folder)                     the folder, its cells checked
    for done in run(folder, Processes(2)):   (cell, chunk), as they are done
        …

What is there is not played again, so a study that was broken off goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang.errors import InvalidInput, RulelangError, RulesError, RuntimeRules
from rulelang.lab.cheating import OPEN
from rulelang.lab.own_bots import is_own_bot
from rulelang.log.format import Log
from rulelang.studies.cells import Preparing, ReadyCell, begun, without_idle
from rulelang.studies.figures.sequences import checked_stop, undecided
from rulelang.studies.playing import CellSetup, answers, match_of, numbered, played, seed_of
from rulelang.studies.portions import length_of, portion
from rulelang.studies.storage import Folder, versions
from rulelang.studies.study import Study, StudyCell
from rulelang.studies.workers import Workers

if TYPE_CHECKING:
    from rulelang.match.recording.events import Outcome

MOST_TRIES = 5
"""How often a chunk is played whose worker died."""


@attrs.frozen
class Task:
    """A chunk to be played: the folder, the cell and the name of its game, the chunk's number and its games. Relative paths
    of games and bots begin at `home`."""

    home: str
    folder: str
    prepared: ReadyCell
    study: Study
    chunk: int
    first: int
    many: int


def begin(study: Study, path: Path) -> Folder:
    """Checks every cell and writes what was asked into a folder; goes on with a folder that holds this study.

    Raises InvalidInput, which names a cell that is no game, and RulelangError if the folder cannot be used.
    """
    made_by, folder = versions(), Folder(path)
    if folder.holds(study):
        prepared_cells(folder)
        return folder
    if path.is_dir() and any(path.iterdir()):
        raise RulelangError(f"{path} is not empty and holds no study; choose another folder")
    preparing = Preparing(study, path)
    try:
        cells = [_checked(preparing, folder, cell) for cell in study.cells()]
    except BaseException:
        _clear(folder)
        raise
    checked_stop(study, tuple(_seats(preparing)))
    length = length_of(preparing.base, cells[0].players, study)
    facts = {"versions": made_by, "title": preparing.base.title, "seats": _seats(preparing), "length": length}
    folder.begin(study, {**facts, "digest": study.digest, "cells": [cell.to_data() for cell in cells]})
    return folder


def _seats(preparing: Preparing) -> list[str]:
    base = preparing.base
    return list(begun(base, base.players[1], dict(preparing.study.options)).seats)


def _checked(preparing: Preparing, folder: Folder, cell: StudyCell) -> ReadyCell:
    """Returns a cell whose game was checked; the text of its variant is on the disk by now."""
    path, text = folder.variant(cell.number).resolve(), preparing.variant_of(cell)
    for _ in range(len(cell.parameters) + 1):
        folder.put_variant(cell.number, text)
        try:
            return preparing.prepared(cell, path if text else None)
        except RulesError as error:
            text = without_idle(text, error)
    raise InvalidInput(f"the cell {cell.label} is not a valid game")


def _clear(folder: Folder) -> None:
    """Removes the variants of a study that did not begin."""
    for path in sorted((folder.path / "cells").glob("*.rules")):
        path.unlink()
    for path in (folder.path / "cells", folder.path):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def prepared_cells(folder: Folder) -> tuple[ReadyCell, ...]:
    """Returns the cells of a study that was begun; raises RulelangError if its rules have changed since."""
    study, found = folder.study(), []
    preparing = Preparing(study, folder.path)
    for cell, facts in zip(study.cells(), folder.cells(), strict=True):
        path = folder.variant(cell.number).resolve()
        prepared = preparing.prepared(cell, path if path.is_file() else None)
        if changed := prepared.changed(facts["rules_hash"], facts.get("bots", {})):
            raise RulelangError(f"{folder.path} was begun under other rules or bots: {changed} has changed since")
        found.append(prepared)
    return tuple(found)


def complete(folder: Folder, workers: Workers) -> Iterator[tuple[int, int]]:
    """Plays the missing games, or as many as it takes until the stopping figures are precise enough; yields as `run` does."""
    study = folder.study()
    if not study.stop:
        yield from run(folder, workers)
        return
    left: Collection[int] = [cell["number"] for cell in folder.cells()]
    chunks, told = 1, dict.fromkeys(left, 0)
    while left:
        there = dict.fromkeys(left, 0)
        for number, many in run(folder, workers, left, chunks=chunks):
            there[number] += many
            if there[number] > told[number]:
                told[number] = there[number]
                yield number, many
        if all(told[number] >= study.games for number in left):
            break
        left, chunks = undecided(folder), max(chunks + 1, chunks * 5 // 4)
    for cell in folder.cells():
        folder.compact(cell["number"])


def run(
    folder: Folder,
    workers: Workers,
    only: Collection[int] | None = None,
    games: int | None = None,
    chunks: int | None = None,
) -> Iterator[tuple[int, int]]:
    """Plays what is missing; yields the number of a cell and of its games for each chunk, at once for those that are there.

    `only` are the cells that are played, by default all; `games` is how many of each, by default as the study says,
    and `chunks` how many chunks of those. Raises RulelangError if a chunk fails, or its workers die again and again.
    """
    cells = tuple(cell for cell in prepared_cells(folder) if only is None or cell.cell.number in only)
    tasks = [task for task in _tasks(folder, cells, games) if chunks is None or task.chunk < chunks]
    is_whole = games is None and chunks is None
    missing: list[Task] = []
    for task in tasks:
        if folder.has(task.prepared.cell.number, task.chunk):
            yield task.prepared.cell.number, task.many
        else:
            missing.append(task)
    left = {cell.cell.number: 0 for cell in cells}
    for task in missing:
        left[task.prepared.cell.number] += 1
    for task in workers.done(play, missing, MOST_TRIES):
        number = task.prepared.cell.number
        left[number] -= 1
        if not left[number] and is_whole:
            folder.compact(number)
        yield number, task.many
    for cell in cells if is_whole else ():
        folder.compact(cell.cell.number)


def _tasks(folder: Folder, cells: tuple[ReadyCell, ...], games: int | None) -> Iterator[Task]:
    """Yields the chunks of all cells, the first of each cell first, so that all cells come on together."""
    study, where, length = folder.study(), str(folder.path.resolve()), folder.facts()["length"]
    home, played = str(Path.cwd()), [study.at(cell.cell, cell.players) for cell in cells]
    spans = [list(_spans(one, cell, games or study.games, length)) for one, cell in zip(played, cells, strict=True)]
    for chunk in range(max(map(len, spans), default=0)):
        for cell, one, span in zip(cells, played, spans, strict=True):
            if chunk < len(span):
                yield Task(home, where, cell, one, chunk, *span[chunk])


def _spans(study: Study, cell: ReadyCell, wanted: int, length: float) -> Iterator[tuple[int, int]]:
    """Yields the first game and the number of games of each chunk of a cell: whole blocks."""
    seats = 1 if study.is_random or len(study.bots) == 1 else cell.players
    block = seats * study.repeats
    games, many = -(-wanted // block) * block, max(portion(study, length) // block, 1) * block
    for first in range(0, games, many):
        yield first, min(many, games - first)


@lru_cache(maxsize=64)
def _table(prepared: ReadyCell, study: Study, home: str) -> CellSetup:
    """Returns the table of a cell, which each worker makes once."""
    return prepared.table(study, home)


def play(task: Task) -> Task:
    """Plays a chunk and writes its tables, unless they are there; returns the task."""
    folder, number = Folder(Path(task.folder)), task.prepared.cell.number
    if not folder.has(number, task.chunk):
        table = _table(task.prepared, task.study, task.home)
        folder.write(number, task.chunk, played(table, task.study, task.first, task.many))
    return task


def match_from(folder: Folder, cell: int, game: int, own: Collection[str] = ()) -> Shown:
    """Returns a game of a study, played again; `own` are the bots from files that may be imported. Raises RulelangError."""
    cells, study = folder.facts()["cells"], folder.study()
    if not 0 <= cell < len(cells):
        raise InvalidInput(f"the study has the cells 0 to {len(cells) - 1}")
    for name in study.all_bots:
        if is_own_bot(name) and name.removesuffix(OPEN) not in own:
            raise InvalidInput(f"{name.removesuffix(OPEN)} is code, which runs if you name it again, with --bot")
    prepared = prepared_cells(folder)[cell]
    study = study.at(prepared.cell, prepared.players)
    table, count, fault = _table(prepared, study, str(Path.cwd())), 0, ""
    try:
        match = match_of(table, study, game, traced=True)
    except RuntimeRules as error:
        header = begun(table.game, table.players, dict(table.options)).header
        seed = seed_of(study, numbered(study, len(table.seatings), game).block, at_random=table.is_random)
        return Shown(Log(attrs.evolve(header, seed=seed), ()), None, prepared.name, str(error), is_same=True)
    try:
        for _ in answers(table, study, match, game):
            count += 1
    except RulelangError as error:
        fault = str(error)
    was = folder.answers(cell, game)
    return Shown(match.log, match.outcome, prepared.name, fault, is_same=was is None or was == count)


@attrs.frozen(eq=False)
class Shown:
    """A game of a study that was played again: its log up to its fault, if there is one; its end, if it has one; the name of
    its rules; whether it took as many answers as before, which a bot that remembers other games may change."""

    log: Log
    outcome: Outcome | None
    name: str
    fault: str
    is_same: bool
