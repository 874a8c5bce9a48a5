"""The folder of a study -> its report: the figures of each cell, and what differs between them.

report_of(folder).cells[0].metrics["length"]        Estimate(61.2, 58.9, 63.5, 400)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from rulelang.lab.arena import FAULT
from rulelang.studies.figures.choosing import diverging
from rulelang.studies.figures.comparing import PairedDifference, compared, is_share
from rulelang.studies.figures.courses import MOMENTS, OverTime, over_time
from rulelang.studies.figures.effects import MainEffect, effects
from rulelang.studies.figures.estimates import Estimate
from rulelang.studies.figures.ladder import Rung, rungs
from rulelang.studies.figures.metrics import metrics_of
from rulelang.studies.figures.sequences import looked_at, looked_often
from rulelang.studies.figures.tables import CellTables, tables_of
from rulelang.studies.playing import seed_of
from rulelang.studies.storage import Folder
from rulelang.studies.study import Study

HEADLINES = ("win(first)", "balance", "length", "score", "drawishness", "completion", "decision_share", "options")
"""The metrics of the first table, where a study has them."""
MOST_BARS = 40
"""About as many bars at most show how long games are."""


@attrs.frozen
class LengthBar:
    """The number of games that take from `low` to `high` answers."""

    low: int
    high: int
    games: int

    @property
    def label(self) -> str:
        """The lengths in words.

        >>> LengthBar(7, 7, 3).label, LengthBar(8, 9, 1).label
        ('7', '8 to 9')
        """
        return f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"


@attrs.frozen(eq=False)
class CellReport:
    """The figures of one cell, and its differences to the first."""

    number: int
    parameters: Mapping[str, str]
    players: int
    games: int
    metrics: Mapping[str, Estimate]
    against: tuple[PairedDifference, ...]
    tables: CellTables = attrs.field(repr=False)

    @property
    def label(self) -> str:
        """The cell in words."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items()) or "base"

    @cached_property
    def lengths(self) -> tuple[LengthBar, ...]:
        """The number of games of each length, or of some lengths together where there would be too many bars."""
        counts = Counter(self.tables.by_game("answers").tolist())
        width = max(1, (max(counts) - min(counts)) // MOST_BARS)
        starts = range(min(counts), max(counts) + 1, width)
        return tuple(LengthBar(at, at + width - 1, sum(counts[n] for n in range(at, at + width))) for at in starts)

    @cached_property
    def over_time(self) -> tuple[OverTime, ...]:
        """The score and the measures over a game, as far as they were seen on the way."""
        return tuple(over_time(self.tables))

    def to_data(self) -> dict[str, Any]:
        """Returns the figures as plain data; a value that is a number stands as one."""
        return {
            "number": self.number,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "players": self.players,
            "games": self.games,
            "metrics": {name: estimate.to_data() for name, estimate in self.metrics.items()},
            "against_first": [one.to_data() for one in self.against],
            "lengths": [attrs.asdict(bar) for bar in self.lengths],
            "over_time": [
                {"name": name, "seat": seat, "percent": moment} | estimate.to_data()
                for name, seat, moment, estimate in self.moments()
            ],
        }

    def moments(self) -> Iterator[tuple[str, str, int, Estimate]]:
        """Yields each number over a game: its name, the seat, the part of the game in percent, the mean there."""
        for course in self.over_time:
            for seat, told in course.by_seat.items():
                for moment, estimate in zip(MOMENTS, told, strict=True):
                    yield course.name, seat, moment, estimate

    def figures(self) -> Iterator[tuple[str, Estimate, float | None]]:
        """Yields all figures by name, the differences to the first cell with their p-values."""
        for name, estimate in self.metrics.items():
            yield name, estimate, None
        for one in self.against:
            yield f"difference({one.name})", one.apart, one.p
        for bar in self.lengths:
            yield f"games_of_length({bar.label})", Estimate(bar.games, None, None, self.games), None
        for name, seat, moment, estimate in self.moments():
            yield f"over_time({name}, {seat}, {moment} %)", estimate, None


@attrs.frozen
class FoundFault:
    """A game that failed: its cell, its number, the seed of its chance, what went wrong, and the bot that failed; "" where the
    rules did."""

    cell: int
    game: int
    seed: int | str
    fault: str
    bot: str

    @property
    def text(self) -> str:
        """The game and its fault in words."""
        return f"cell {self.cell}, game {self.game} (seed {self.seed}): {self.fault}".rstrip(": ")


@attrs.frozen(eq=False)
class Report:
    """The report of a study, as far as its games are there."""

    title: str
    study: Study
    cells: tuple[CellReport, ...]
    faults: tuple[FoundFault, ...] = ()

    @cached_property
    def effects(self) -> tuple[MainEffect, ...]:
        """The distance by which each value that is swept moves each metric; () where fewer than two names are swept."""
        return effects(self.study.axes, [(cell.parameters, cell.tables) for cell in self.cells])

    @cached_property
    def rungs(self) -> tuple[Rung, ...]:
        """The rungs of a ladder of skill, the lowest first."""
        return rungs((cell.parameters, cell.players, cell.metrics) for cell in self.cells)

    def headlines(self) -> list[str]:
        """Returns the metrics that are shown first: those that the study has, without shares that are 0 or 1 everywhere."""
        found = []
        for name in (*HEADLINES, *(n for n, _ in self.study.measures)):
            estimates = {cell.metrics[name].estimate for cell in self.cells if name in cell.metrics}
            if estimates and not (is_share(name) and estimates in ({0.0}, {1.0})):
                found.append(name)
        return found

    def base_of(self, cell: CellReport) -> CellReport:
        """Returns the cell to which another one is compared: the first with as many players."""
        return next(one for one in self.cells if one.players == cell.players)


def report_of(folder: Folder) -> Report:
    """Returns the report of a study; raises RulelangError if the folder holds none, or no game is there yet."""
    from rulelang.errors import RulelangError

    facts, study = folder.facts(), folder.study()
    cells: list[CellReport] = []
    faults: list[FoundFault] = []
    for told in facts["cells"]:
        number, players = int(told["number"]), int(told["players"])
        tables = tables_of(folder, number, tuple(facts["seats"][:players]), study)
        if tables is None:
            continue
        first = next((cell for cell in cells if cell.players == players), None)
        against = () if first is None else compared(first.tables, tables)
        if study.stop and first is not None:
            against = looked_at(against, first.tables, tables, study.blocks)
        games = len(tables.blocks)
        metrics = metrics_of(tables)
        if study.stop:
            metrics |= looked_often(metrics, tables, study.blocks)
        if first is not None:
            metrics |= dict(diverging(first.tables, tables))
        cells.append(CellReport(number, dict(told["parameters"]), players, games, metrics, against, tables))
        faults += _faults(number, study, tables)
    if not cells:
        raise RulelangError(f"{folder.path} holds no game yet")
    return Report(str(facts["title"]), study, tuple(cells), tuple(faults))


MOST_FAULTS = 20
"""The most games that failed which a report names, of each cell."""


def _faults(cell: int, study: Study, tables: CellTables) -> Iterator[FoundFault]:
    games, words, bots = (tables.by_game(name) for name in ("game", "fault", "rule"))
    at_random = set(tables.games["bot"].tolist()) == {"random"}
    for i in (tables.by_game("end") == FAULT).nonzero()[0][:MOST_FAULTS]:
        seed = seed_of(study, int(tables.blocks[i]), at_random=at_random)
        yield FoundFault(cell, int(games[i]), seed, str(words[i]), str(bots[i]))


def _plain(value: str) -> int | str:
    return int(value) if value.removeprefix("-").isdecimal() and value.isascii() else value
