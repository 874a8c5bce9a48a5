"""`rulelang lab …`: studies of what rules do, with many games."""

from __future__ import annotations

import click

from . import compare, report, run, show, sweep, tune, watch

EPILOG = """\b
Examples:
  rulelang lab sweep outspeed starting_fuel=6..18/2 --games 400 --bots greedy
  rulelang lab compare outspeed outspeed+sprint --games 200
  rulelang lab run study.toml --out fuel --jobs 2
  rulelang lab report fuel --html fuel.html
  rulelang lab show fuel 17 --cell 3
"""


@click.group("lab", epilog=EPILOG)
def command() -> None:
    """Measure the effect of rules: bots play a game many times, under each value of what you vary.

    A study is a folder: its tables (Parquet) are read by `lab report`, DuckDB and pandas. Needs the extra `lab`.
    """


for one in (run.command, sweep.command, compare.command, watch.command, report.command, show.command, tune.command):
    command.add_command(one)
