"""`rulelang diff A B`: the rules that differ between two games, and the differences that can change play."""

from __future__ import annotations

import json
from collections import Counter
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, complete_game
from ...progress_message import waiting
from ...seats import OWN_BOTS, agreed_options
from .comparing import Meeting, loaded_once, meant, report

if TYPE_CHECKING:
    from rulelang.workbench.changes.differences import DeclarationDifference

CONTEXT = 1
"""The number of lines shown around a change."""


@click.command("diff")
@click.argument("before", metavar="A", shell_complete=complete_game)
@click.argument("after", metavar="B", shell_complete=complete_game)
@click.option("--games", type=click.IntRange(1), help="Play so many games by each on the same chances, and compare.")
@click.option("--bots", help="With --games: who plays.  [default: greedy, random without a score]")
@OWN_BOTS
@click.option("--players", type=int, help="With --games: how many play.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="With --games: what is agreed at both tables."
)
@click.option(
    "--before", "before_options", multiple=True, metavar="NAME=VALUE", help="With --games: what is agreed for A alone."
)
@click.option(
    "--after", "after_options", multiple=True, metavar="NAME=VALUE", help="With --games: what is agreed for B alone."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the first game.")
@click.option(
    "--bot-seed", "--luck", type=click.IntRange(0), help="Of the bots, in the first game.  [default: the game's seed]"
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), help="Games that are played at once.  [default: one a core if they are many]"
)
@click.option(
    "--witnesses",
    type=FilePath(),
    metavar="FOLDER",
    default="witnesses",
    show_default=True,
    help="Where logs of positions in which the options differ are saved.",
)
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
def command(
    *,
    before: str,
    after: str,
    games: int | None,
    bots: str | None,
    own_bots: tuple[str, ...],
    players: int | None,
    options: tuple[str, ...],
    before_options: tuple[str, ...],
    after_options: tuple[str, ...],
    seed: int,
    bot_seed: int | None,
    jobs: int | None,
    witnesses: Path,
    as_json: bool,
) -> None:
    """Say which declarations differ between the games A and B: both texts, their clauses, and whether each changes play.

    A and B are games, with or without variants, folders or files; a file that holds one variant means that variant. A
    difference changes words alone if A plays the same with it; whether that is so is tried. With --games, bots play both on the same chances: what differs, how sure that is
    (the unit is the block of one seed over all seatings), and positions where the options differ, as logs.

    \b
    Examples:
      rulelang diff outspeed outspeed+sprint
      rulelang diff outspeed outspeed+sprint --games 200
      rulelang diff exobase exobase --games 100 --after hardcore=yes
    """
    from rulelang.workbench.changes.differences import Effect, differences

    before, after = meant(before, after), meant(after, before)
    first, second = loaded_once(before, after)
    with waiting(f"Comparing {before} and {after}"):
        found = differences(first, second)
    titles = [{s.title.raw for s in game.internals.whole.scenarios} for game in (first, second)]
    added, removed = len(titles[1] - titles[0]), len(titles[0] - titles[1])
    agreed, *own = (tuple(agreed_options(some).items()) for some in (options, before_options, after_options))
    bots = ",".join((*filter(None, [bots]), *own_bots)) or None
    meeting = Meeting(
        before, after, bots, games or 0, players, seed, bot_seed, agreed, (own[0], own[1]), jobs, folder=witnesses
    )
    if as_json:
        facts = {"before": before, "after": after, "same_play": first.rules_hash == second.rules_hash}
        scenarios = {"added": sorted(titles[1] - titles[0]), "removed": sorted(titles[0] - titles[1])}
        data = {**facts, "differences": [_data(d) for d in found], "scenarios": scenarios}
        if games is not None:
            report(meeting, (first, second), as_json=True, more=data)
            return
        click.echo(json.dumps(data, indent=2))
        return
    for one in found:
        _print(one)
    kinds = Counter(one.kind.value for one in found)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no declaration differs"
    playing = sum(one.effect is not Effect.WORDS for one in found)
    click.echo(f"{told}; {playing} can change play; scenarios: {added} added, {removed} removed")
    if games is not None:
        click.echo()
        report(meeting, (first, second), as_json=False)


def _print(one: DeclarationDifference) -> None:
    cited = f" [{', '.join(one.clauses)}]" if one.clauses else ""
    click.echo(escaped(f"{one.kind.value}  {one.target}{cited}  {one.effect.value}"))
    lines = list(unified_diff(one.before.splitlines(), one.after.splitlines(), n=CONTEXT, lineterm=""))[3:]
    for line in lines:
        click.echo("  ..." if line.startswith("@@") else escaped(f"  {line}"))
    click.echo()


def _data(one: DeclarationDifference) -> dict[str, object]:
    return {
        "target": one.target,
        "kind": one.kind.value,
        "effect": one.effect.value,
        "before": one.before,
        "after": one.after,
        "clauses": list(one.clauses),
        "file": one.span.source.name,
        "line": one.span.source.position(one.span.start)[0],
    }
