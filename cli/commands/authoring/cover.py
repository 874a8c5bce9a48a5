"""`rulelang cover GAME`: the coverage of the rulebook's clauses by rules, scenarios and random games."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from ...argument import GAME, load
from ...console import safe, style_for, terminal
from ...exits import NOT_SO, Refused
from ...progress_message import waiting

if TYPE_CHECKING:
    from rulelang.rulebook.coverage import ClauseReport, Coverage
    from rulelang.rulebook.mutation import Mutant


@click.command("cover")
@GAME
@click.option("--json", "as_json", is_flag=True, help="Print the report for programs.")
@click.option(
    "--games", default=20, show_default=True, help="Random games that are played to see which clauses come up."
)
@click.option("--mutate", is_flag=True, help="Take each citing line out: does a scenario notice? (Slow.)")
@click.option("--all", "list_all", is_flag=True, help="List every clause, not only those that lack something.")
def command(*, game: str, as_json: bool, games: int, mutate: bool, list_all: bool) -> None:
    """Hold the clauses of a GAME's rulebook against its rules and scenarios.

    A clause is well when a line of the rules cites it and a scenario that cites it runs that line, or when the ledger
    says in words how it is handled. Exit code 1 means that a clause lacks something.

    \b
    Examples:
      rulelang cover outspeed
      rulelang cover outspeed --mutate
      rulelang cover outspeed --json
    """
    from rulelang.rulebook.coverage import citing_variants, cover
    from rulelang.scenarios.run import run_scenarios

    about = load(game)
    if not about.internals.loaded.ledger:
        raise Refused(f'{game} has no rulebook: name its ledger, `rulebook "rulebook.toml"`, under `game`')
    with waiting(f"Playing the scenarios of {game}"):
        results = run_scenarios(about)
    names = [name for name in citing_variants(about) if name not in about.variants]
    others = [load(f"{game}+{name}") for name in names]
    with waiting(f"Playing {game} and its variants at random"):
        variants = [(other, run_scenarios(other)) for other in others]
        report = cover(about, results, max(games, 0), variants=variants)
    survivors: tuple[Mutant, ...] = ()
    if mutate:
        from rulelang.rulebook.mutation import survivors as surviving

        with waiting("Taking each line out that cites a clause"):
            survivors = surviving(about, results)
            for other, found in variants:
                survivors += surviving(other, found, base=about.internals.module)
    if as_json:
        data = report.as_json()
        if mutate:
            data["survivors"] = [{"place": m.place, "clauses": list(m.clauses)} for m in survivors]
        click.echo(json.dumps(data, indent=2))
    else:
        _print(report, list_all=list_all)
        if mutate:
            _print_survivors(survivors)
    if report.lacking or survivors:
        sys.exit(NOT_SO)


def _print(report: Coverage, *, list_all: bool) -> None:
    from rich.table import Table

    style = style_for(sys.stdout)
    rows = report.clauses if list_all else report.lacking
    if rows:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for title in ("clause", "kind", "cited", "shown", "played", "lacks"):
            table.add_column(title, justify="right" if title in ("cited", "shown", "played") else "left")
        for clause in rows:
            table.add_row(*(safe(text) for text in _row(clause)))
        terminal().print(table)
        click.echo()
    for place in report.heaps:
        click.echo(f"{place} cites so many clauses that it counts for none")
    kinds = Counter(clause.kind for clause in report.clauses)
    well = Counter(clause.kind for clause in report.clauses if clause.lacks is None)
    for kind in sorted(kinds):
        click.echo(f"{kind:<14} {well[kind]:>4} of {kinds[kind]:>4}")
    total, lacking = len(report.clauses), len(report.lacking)
    verdict = style("bad", f"{lacking} with something missing") if lacking else style("good", "nothing is missing")
    click.echo(f"{total} clause{'s' * (total != 1)}, {verdict}")


def _row(clause: ClauseReport) -> tuple[str, ...]:
    counts = (len(clause.cited), len(clause.shown), clause.exercised)
    remark = clause.lacks or (f"handled: {clause.handled}" if clause.handled else "")
    return (clause.id, clause.kind, *(str(n) for n in counts), remark)


def _print_survivors(survivors: tuple[Mutant, ...]) -> None:
    from rulelang.diagnostics.render import escaped

    click.echo()
    for mutant in survivors:
        click.echo(f"{escaped(mutant.place)}: no scenario notices when it is gone  [{', '.join(mutant.clauses)}]")
    several = "1 line survives" if len(survivors) == 1 else f"{len(survivors)} lines survive"
    click.echo(several if survivors else "every line that cites a clause is noticed")
