"""The folder of a study -> its report: figures for programs, sentences and tables for people.

report_of(folder).to_data()        {"cells": [{"parameters": {"size": 15}, "metrics": {"length": {…}}}]}
report_of(folder).markdown()       # Nim: a study …
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulelang.studies.figures.choosing import diverging
from rulelang.studies.figures.comparing import PairedDifference, amount, compared, is_share, verdict
from rulelang.studies.figures.estimates import Estimate
from rulelang.studies.figures.ladder import ladder, rungs
from rulelang.studies.figures.metrics import metrics_of
from rulelang.studies.figures.sequences import looked_at, looked_often
from rulelang.studies.figures.tables import CellTables, tables_of
from rulelang.studies.storage import Folder
from rulelang.studies.study import Study

HEADLINES = ("win(first)", "balance", "length", "score", "drawishness", "completion", "decision_share", "options")
"""The metrics of the first table, where a study has them."""
METHOD = """\
Each figure is of whole blocks: the games of one seed over all seatings (and repeats) are one observation. Means have
Student's interval on the means of blocks; shares have Wilson's, for the effective number of games (Korn and Graubard
1998); quantiles lie between order statistics (Conover 1999); ratios have the interval of their linear form (Cochran
1977); what is skewed has percentiles of 2,000 bootstrap samples of blocks. All intervals are at 95 %. Cells are played
on the same seeds, so their differences are paired by block, with p-values corrected by Holm (1979). The effect of a
swept value is the mean over the cells that have it less the mean over all cells, by block (a main effect; Box, Hunter
and Hunter 2005); its interval is not corrected. Games that were cut off or failed are counted in every share. The share of luck is an intraclass correlation (Shrout and Fleiss 1979)
over seats: of games on one seed, or of two games that share one source of chance (a first-order index of Sobol
1993). Choices and actions are of the sampled games, the first of each cell. `lift` is an association: who takes an
action may win more for another reason. A study that stops by itself has confidence sequences for all means of games
(Robbins 1970; Waudby-Smith et al. 2024), which hold however often one looks; its other intervals are those of a
fixed number of games."""


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

    def to_data(self) -> dict[str, Any]:
        """Returns the figures as plain data; a value that is a number stands as one."""
        return {
            "number": self.number,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "players": self.players,
            "games": self.games,
            "metrics": {name: estimate.to_data() for name, estimate in self.metrics.items()},
            "against_first": [one.to_data() for one in self.against],
        }


@attrs.frozen(eq=False)
class Report:
    """The report of a study, as far as its games are there."""

    title: str
    study: Study
    cells: tuple[CellReport, ...]
    faults: tuple[str, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Returns all figures as plain data."""
        cells = [cell.to_data() for cell in self.cells]
        return {"title": self.title, "study": self.study.to_data(), "cells": cells, "faults": list(self.faults)}

    def sentences(self) -> tuple[str, ...]:
        """Returns the findings in sentences, the most important first."""
        return tuple(_sentences(self))

    def csv(self) -> str:
        """Returns all figures, a line for each cell and metric."""
        out = io.StringIO()
        lines = csv.writer(out, lineterminator="\n")
        names = [axis.name for axis in self.study.axes]
        lines.writerow([*names, "metric", "estimate", "low", "high", "blocks"])
        for cell in self.cells:
            for name, one in cell.metrics.items():
                data = one.to_data()
                lines.writerow([*(cell.parameters[n] for n in names), name, *data.values()])
        return out.getvalue()

    def markdown(self) -> str:
        """Returns the report as Markdown: sentences, tables, the method."""
        study = self.study
        parts = [f"# {self.title}: a study", ""]
        parts += [f"{sum(cell.games for cell in self.cells):,} games, bots {', '.join(study.bots)}.", ""]
        parts += [f"- {sentence}" for sentence in self.sentences()]
        parts += ["", "## Figures", "", *self._table(self.headlines())]
        for cell in self.cells[1:]:
            if cell.against:
                parts += ["", f"### {cell.label} against {self.base_of(cell).label}", "", *_differences(cell.against)]
        parts += ["", "## All metrics", ""]
        for cell in self.cells:
            parts += [f"### {cell.label}", "", "| metric | estimate | 95 % |", "| --- | ---: | --- |"]
            parts += [f"| {name} | {shown(name, one)} | {interval(name, one)} |" for name, one in cell.metrics.items()]
            parts += [""]
        parts += ["## Method", "", METHOD, ""]
        return "\n".join(parts)

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

    def _table(self, names: list[str]) -> Iterator[str]:
        yield "| cell | games | " + " | ".join(names) + " |"
        yield "| --- | ---: |" + " ---: |" * len(names)
        for cell in self.cells:
            found = [cell.metrics.get(name) for name in names]
            told = [
                "" if one is None else f"{shown(name, one)} ({interval(name, one)})"
                for name, one in zip(names, found, strict=True)
            ]
            yield f"| {cell.label} | {cell.games} | " + " | ".join(told) + " |"


def report_of(folder: Folder) -> Report:
    """Returns the report of a study; raises RulelangError if the folder holds none, or no game is there yet."""
    from rulelang.errors import RulelangError

    facts, study = folder.facts(), folder.study()
    measures = tuple(name for name, _ in study.measures)
    cells: list[CellReport] = []
    faults: list[str] = []
    for told in facts["cells"]:
        number, players = int(told["number"]), int(told["players"])
        tables = tables_of(folder, number, tuple(facts["seats"][:players]), measures)
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
        faults += _faults(number, tables)
    if not cells:
        raise RulelangError(f"{folder.path} holds no game yet")
    return Report(str(facts["title"]), study, tuple(cells), tuple(faults))


MOST_FAULTS = 20
"""The most games that failed which a report names, of each cell."""


def _faults(cell: int, tables: CellTables) -> list[str]:
    games, faults = tables.by_game("game"), tables.by_game("end") == "fault"
    words = tables.by_game("fault")
    return [f"cell {cell}, game {games[i]}: {words[i]}".rstrip(": ") for i in faults.nonzero()[0][:MOST_FAULTS]]


def _plain(value: str) -> int | str:
    return int(value) if value.removeprefix("-").isdecimal() and value.isascii() else value


def shown(name: str, one: Estimate) -> str:
    """Returns an estimate as people read it: a share in percent."""
    return f"{100 * one.estimate:.1f} %" if is_share(name) else _number(one.estimate)


def interval(name: str, one: Estimate) -> str:
    """Returns an interval as people read it; `?` where one block says nothing about others."""
    if one.low is None or one.high is None:
        return "?"
    ends = (100 * one.low, 100 * one.high) if is_share(name) else (one.low, one.high)
    return f"{_number(ends[0])} to {_number(ends[1])}"


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def _differences(found: tuple[PairedDifference, ...]) -> Iterator[str]:
    yield "| metric | before | after | difference | 95 % | p |"
    yield "| --- | ---: | ---: | ---: | --- | ---: |"
    for one in found:
        scale = 100 if is_share(one.name) else 1
        before, after, low, high = (f"{scale * v:.2f}" for v in (one.before, one.after, one.low, one.high))
        mark = " *" if one.is_shown else ""
        difference = amount(one.name, one.difference, sign=True)
        yield f"| {one.name} | {before} | {after} | {difference}{mark} | {low} to {high} | {one.p:.3f} |"


def _sentences(report: Report) -> Iterator[str]:
    """Yields the sentences of a report; each names its cell where there are several."""
    several = len(report.cells) > 1
    for cell in report.cells if len(report.cells) <= 3 else report.cells[:1]:
        where = f" ({cell.label})" if several else ""
        yield from (sentence + where + "." for sentence in _of_cell(cell))
    for cell in report.cells[1:]:
        if cell.against:
            yield f"{cell.label} against {report.base_of(cell).label}: {verdict(cell.against)}."
    climbing = rungs((cell.parameters, cell.players, cell.metrics) for cell in report.cells)
    if len(climbing) > 1:
        yield ladder(climbing) + "."
    for name, width in report.study.stop:
        most = max(cell.games for cell in report.cells)
        yield f"It stopped by {name} ± {width:g} after at most {most:,} of {report.study.games:,} games of a cell."
    for fault in report.faults[:3]:
        yield f"The rules went wrong in {fault}; `rulelang lab show` plays it again."


def _of_cell(cell: CellReport) -> Iterator[str]:
    metrics = cell.metrics
    first = metrics.get("first_advantage")
    if first is not None and first.low is not None and first.high is not None:
        points, half = 100 * first.estimate, 50 * (first.high - first.low)
        if first.low > 0 or first.high < 0:
            word = "more" if points > 0 else "less"
            yield f"The first seat wins {abs(points):.1f} points {word} often than the average seat, ± {half:.1f}"
        else:
            yield f"No advantage of the first seat is shown ({points:.1f} points, ± {half:.1f})".replace(
                "(-0.0", "(0.0"
            )
    bots = sorted(set(cell.tables.games["bot"].tolist()))
    for bot in bots if len(bots) > 1 else ():
        yield f"{bot} wins {shown('win(', metrics[f'win({bot})'])} ({interval('win(', metrics[f'win({bot})'])}) of its seats"
    length = metrics["length"]
    yield f"A game takes {_number(length.estimate)} answers on average ({interval('length', length)})"
    for name, one in metrics.items():
        if name.startswith("use(") and one.high is not None and one.low is not None:
            action = name[4:-1]
            if one.high < 0.01:
                yield f"Hardly anybody takes {action}: in {100 * one.estimate:.1f} % of the decisions that offer it"
            elif one.low > 0.95 and one.estimate < 1:
                yield f"Almost nobody leaves {action} out where it is offered ({100 * one.estimate:.1f} %)"
    yield from _of_choices(metrics)
    if metrics["completion"].estimate < 1:
        yield f"{100 * (1 - metrics['completion'].estimate):.1f} % of the games do not end by the rules"


MOST_NAMED = 5
"""The most things that one sentence names."""


def _of_choices(metrics: Mapping[str, Estimate]) -> Iterator[str]:
    """Yields sentences of positions on the way, of forced play and of the reach of rules."""
    ahead = metrics.get("runaway_50")
    if ahead is not None and ahead.low is not None and ahead.low > 0:
        points, ends = 100 * ahead.estimate, interval("runaway_50", ahead)
        yield f"Who leads at half-time wins {points:.0f} points more often than an equal share ({ends})"
    for name, one in metrics.items():
        if name.startswith("hidden_worth(") and one.low is not None:
            yield f"{name[13:-1]} wins {100 * one.estimate:.1f} points more if it sees all ({interval(name, one)})"
    made = [(name[11:-1], one) for name, one in metrics.items() if name.startswith("luck_share(") and _is_certain(one)]
    for source, one in sorted(made, key=lambda pair: -pair[1].estimate)[:MOST_NAMED]:
        ends = interval("worth(", one)
        yield f"Of the variance of wins, {source} alone explains {100 * one.estimate:.0f} % ({ends})"
    forced = [(name[6:-1], one) for name, one in metrics.items() if name.startswith("worth(") and _is_certain(one)]
    for action, one in sorted(forced, key=lambda pair: -abs(pair[1].estimate))[:MOST_NAMED]:
        word, ends = "more" if one.estimate > 0 else "less", interval("worth(", _upright(one))
        yield f"Whoever must take {action} wins {100 * abs(one.estimate):.1f} points {word} than with other options ({ends})"
    never = [name[6:-1] for name, one in metrics.items() if name.startswith("fires(") and not one.estimate]
    if never:
        more = f" and {len(never) - MOST_NAMED} more" if len(never) > MOST_NAMED else ""
        yield f"No sampled game came to {', '.join(never[:MOST_NAMED])}{more}"


def _upright(one: Estimate) -> Estimate:
    """Returns how far an estimate is from 0, whichever way."""
    if one.estimate >= 0 or one.low is None or one.high is None:
        return one
    return Estimate(-one.estimate, -one.high, -one.low, one.blocks)


def _is_certain(one: Estimate) -> bool:
    """Returns whether an interval leaves out 0."""
    return one.low is not None and one.high is not None and not one.low <= 0 <= one.high
