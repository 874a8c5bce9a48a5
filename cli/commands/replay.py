"""`rulelang replay LOG`: plays a log again, says where rules and log disagree, and lets people step through it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ..argument import FilePath, complete_game
from ..exits import NOT_SO
from ..logbook import counted, holds_several, read, repaired, replayed

if TYPE_CHECKING:
    from rich.console import Console

    from rulelang.log.replay import Replay
    from rulelang.workbench.provenance import Finding

KEYS = "n next   p back   f first   l last   a number: that step   v what happened   q quit"


@click.command("replay")
@click.argument("log", type=FilePath())
@click.option(
    "--under",
    "--game",
    "under",
    metavar="RULES",
    shell_complete=complete_game,
    help="By other rules: a variant, a game or a file.",
)
@click.option(
    "--policy",
    type=click.Choice(["stop", "skip", "nearest", "bot"]),
    default="nearest",
    show_default=True,
    help="With --under: what becomes of choices that the rules do not take.",
)
@click.option(
    "--bots", metavar="BOT", help="With --policy bot: who chooses.  [default: greedy, random without a score]"
)
@click.option("--to", "to", type=int, metavar="N", help="Show the position after step N, and what led to it.")
@click.option("--as", "seat", metavar="SEAT", help="Through this seat's eyes.  [default: a spectator's]")
@click.option("--nth", type=click.IntRange(1), help="Which log of a file with several.  [default: each, in brief]")
@click.option("--step", is_flag=True, help="Step through it (in a terminal: the default).")
@click.option("--repair", "out", type=FilePath(), metavar="NEW-FILE", help="Write what is whole of a damaged log here.")
@click.option("--json", "as_json", is_flag=True, help="Only say whether log and rules agree, for programs.")
@click.option("--steps", is_flag=True, help="Print each step for programs, one JSON object a line.")
def command(
    *,
    log: Path,
    under: str | None,
    policy: str,
    bots: str | None,
    to: int | None,
    seat: str | None,
    nth: int | None,
    step: bool,
    out: Path | None,
    as_json: bool,
    steps: bool,
) -> None:
    """Play a LOG again and compare every line with what the rules do.

    With --under, the same choices and the same chance are played by other rules, on to the end: what differs, which change
    of the rules it comes from, and what of the game would have been different. A file may hold several logs, and be compressed
    (zstd). Exit code 1 means that they differ; 3 that the file is no log or was edited.

    \b
    Examples:
      rulelang replay race.jsonl
      rulelang replay race.jsonl --to 12 --as red
      rulelang replay race.jsonl --under hungry --policy bot
      rulelang replay race.jsonl --steps --as red
      rulelang replay all.jsonl.zst --nth 3
      rulelang replay race.jsonl --repair saved.jsonl
    """
    from rulelang.workbench.provenance import blame, findings
    from rulelang.workbench.told import Policy

    from ..console import terminal
    from ..seats import bot_called
    from .changes.retelling import tell
    from .logs.each import each

    if out is not None:
        click.echo(escaped(repaired(log, out)))
        return
    if bots is not None:
        bot_called(bots)
    if nth is None and to is None and not step and not steps and holds_several(log):
        each(log, under, Policy(policy), bots, as_json=as_json)
        return
    if under is not None and to is None and not step and not steps:
        tell(read(log, nth=nth), log, under, policy, bots, seat, as_json=as_json)
        return
    game, again = replayed(log, under, nth=nth)
    found = findings(again.log.header, game)
    notes = (*again.log.notes, *(one.text for one in found))
    cause = blame(found) if again.difference is not None else None
    if as_json:
        _print_json(again, notes, cause)
        return
    if steps:
        _print_steps(again, _viewer(again, seat))
        return
    for note in notes:
        click.echo(escaped(note))
    console = terminal()
    if again.positions:
        viewer = _viewer(again, seat)
        if to is not None:
            _show(again, min(max(to, 0), len(again.positions) - 1), viewer, console)
        elif step or (sys.stdin.isatty() and sys.stdout.isatty()):
            _step_through(again, viewer, console)
    _verdict(again, cause)


def _viewer(again: Replay, seat: str | None) -> int | None:
    names = again.log.header.players
    if seat is not None and seat not in names:
        raise click.UsageError(f"no seat is called {seat!r} (there are {', '.join(names)})")
    return names.index(seat) if seat is not None else None


def _verdict(again: Replay, cause: Finding | None) -> None:
    """Says whether log and rules agree; ends the command with 1 where they do not."""
    from .changes.retelling import say_agreement, say_difference

    found = again.difference
    steps = len(again.positions) - 1
    if found is None:
        say_agreement(counted(steps), is_complete=again.log.is_complete)
        return
    say_difference(found.line, counted(max(steps, 0)), found.logged, found.played)
    if cause is not None:
        click.echo(escaped(cause.text))
    sys.exit(NOT_SO)


def _print_json(again: Replay, notes: tuple[str, ...], cause: Finding | None) -> None:
    found = again.difference
    data: dict[str, object] = {"agrees": found is None, "choices": max(len(again.positions) - 1, 0)}
    data |= {"complete": again.log.is_complete, "notes": list(notes)}
    if found is not None:
        data |= {"line": found.line, "logged": found.logged, "played": found.played}
    if cause is not None:
        data |= {"cause": cause.kind.value}
    click.echo(json.dumps(data, indent=2))
    if found is not None:
        sys.exit(NOT_SO)


def _print_steps(again: Replay, viewer: int | None) -> None:
    """Prints a JSON object for the set-up and each step, through somebody's eyes; ends the command with 1 where log and
    rules differ, which the last object says."""
    from rulelang.log.format import record_of

    seats, already = again.log.header.players, 0
    with again.log.steps.opened() as log:
        for number in range(len(again.positions)):
            match, first = again.at(number), log[number].first
            told = match.events_for(viewer, already) if match.event_count > already else ()
            data: dict[str, object] = {"step": number, "line": again.log.steps.line(number)}
            if first is not None:
                data |= {"undo": first.record["to"]} if first.what == "undo" else {"seat": first.record["seat"]}
            outcome = match.outcome_for(viewer)
            data["events"] = [record_of(event, seats) for event in told]
            data["to_move"] = [seats[seat] for seat in match.to_move]
            data["outcome"] = None if outcome is None else record_of(outcome, seats)
            click.echo(json.dumps(data))
            already = match.event_count
    found = again.difference
    if found is not None:
        click.echo(json.dumps({"line": found.line, "logged": found.logged, "played": found.played}))
        sys.exit(NOT_SO)


def _show(again: Replay, number: int, viewer: int | None, console: Console, *, whole: bool = False) -> None:
    """Draws the position after a step, with what happened in it (or in all steps up to it)."""
    from rulelang.screens.picture import on_screen, picture

    from ..screen import draw, narrate
    from ..screen.styles import Ink

    match = again.positions[number].match if whole else again.at(number)
    already = again.at(number - 1).event_count if number and not whole else 0
    for line in narrate(match.events_for(viewer, already), Ink.of_match(match), on_screen(match.game)):
        console.print(line)
    console.print(draw(picture(match, viewer), Ink.of_match(match), console))
    last = len(again.positions) - 1
    console.print(Ink.of_match(match)(f"step {number} of {last}  (line {again.log.steps.line(number)})", "bold"))


def _step_through(again: Replay, viewer: int | None, console: Console) -> None:
    """Goes through the steps by keys."""
    number, last = 0, len(again.positions) - 1
    _show(again, number, viewer, console)
    click.echo(KEYS)
    while True:
        try:
            text = input("replay> ").strip().casefold()
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return
        match text:
            case "q" | "quit":
                return
            case "" | "n" | "next":
                number += 1
            case "p" | "b" | "back":
                number -= 1
            case "f" | "first":
                number = 0
            case "l" | "last":
                number = last
            case "v":
                _show(again, number, viewer, console, whole=True)
                continue
            case _ if text.isascii() and text.isdigit() and len(text) < 10:
                number = int(text)
            case _:
                click.echo(KEYS)
                continue
        number = min(max(number, 0), last)
        _show(again, number, viewer, console)
