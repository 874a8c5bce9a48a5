"""`replay LOG --under RULES`: the differences of the same game by other rules, their causes, and its ending."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...console import say, terminal
from ...exits import NOT_SO, Unreadable
from ...logbook import counted, game_under, own_game

if TYPE_CHECKING:
    from rich.console import Console

    from rulelang.api import Game
    from rulelang.log.reading import ReadLog
    from rulelang.match.match import BareMatch
    from rulelang.workbench.changes.edits import Edit
    from rulelang.workbench.divergence_report import Retold, ToldDifference

MOST_SHOWN = 12
"""The most kinds of differences that are listed for people."""


def tell(
    log: ReadLog, path: Path, under: str, policy: str, bots: str | None, seat: str | None, *, as_json: bool
) -> None:
    """Plays a log's game by other rules and prints the differences; ends the command with 1 if there are any."""
    from rulelang.errors import LogError
    from rulelang.workbench.divergence import retell
    from rulelang.workbench.divergence_report import Policy
    from rulelang.workbench.provenance import blame, findings

    game, own = game_under(log.header, under), own_game(log.header)
    try:
        told = retell(log, game, Policy(policy), bots)
    except LogError as error:
        raise Unreadable(f"{path}: {error}") from None
    blamed = _blamed(told, own) if told.differences else ()
    notes = (*log.notes, *(one.text for one in (findings(log.header, own) if own is not None else ())))
    here = findings(log.header, game)
    is_own = log.header.rules == game.rules_hash
    cause = blame(here) if told.differences and is_own else None
    if as_json:
        data = _data(told, blamed, notes)
        click.echo(json.dumps(data if cause is None else {**data, "cause": cause.kind.value}, indent=2))
    else:
        for note in notes:
            say(note)
        _print(told, blamed, own, seat)
        if cause is not None:
            say(cause.text)
    if told.differences:
        sys.exit(NOT_SO)


def _blamed(told: Retold, own: Game | None) -> tuple[Edit, ...]:
    """Returns the smallest set of edits without which the first difference disappears."""
    from rulelang.workbench.changes.edits import Edits
    from rulelang.workbench.divergence import is_well_up_to

    if own is None:
        return ()
    return Edits.of(own, told.game).culprits(is_well_up_to(told))


# ------------------------------------------------------------------ for people


def _print(told: Retold, blamed: tuple[Edit, ...], own: Game | None, seat: str | None) -> None:
    tally, first = told.tally, told.first
    if first is None:
        say_agreement(counted(tally.taken), is_complete=told.log.is_complete)
        return
    say_difference(first.line, counted(_before(first)), first.logged, first.told)
    for edit in blamed:
        cited = f" [{', '.join(edit.clauses)}]" if edit.clauses else ""
        say(f"  because of       {edit.name}{cited} ({edit.span.place})", 19)
    _print_boards(told, own, seat, terminal())
    _print_differences(told)
    _print_ending(told)


def say_agreement(choices: str, *, is_complete: bool) -> None:
    """Prints that a log and the rules agree."""
    end = "to the end of the game" if is_complete else "as far as it goes"
    click.echo(f"{choices} played again {end}: the log and the rules agree")


def say_difference(line: int, choices: str, logged: str, told: str) -> None:
    """Prints the first difference between a log and the rules, after a number of choices that agree."""
    click.echo(f"line {line}: the log and the rules differ, after {choices} that agree")
    say(f"  the log has      {logged or 'nothing of it'}", 19)
    say(f"  the rules give   {told or 'nothing of it'}", 19)


def _before(first: ToldDifference) -> int:
    return max(first.step - 1, 0)


def _print_differences(told: Retold) -> None:
    from rulelang.workbench.divergence_report import grouped

    kinds = list(grouped(told.differences))
    click.echo(f"\nWhat differs (what the rules do not take is treated so: {told.policy.value})")
    for one, count in kinds[:MOST_SHOWN]:
        times = f", {count} times" if count > 1 else ""
        say(f"  {one.level.value}{times}: {one.sentence}", 4)
    if len(kinds) > MOST_SHOWN:
        click.echo(f"  and {len(kinds) - MOST_SHOWN} more kinds")


def _print_ending(told: Retold) -> None:
    before, after = told.ending
    tally = told.tally
    click.echo("\nWhat of this game would have been different")
    click.echo(
        f"  choices          {tally.taken} as they were, {tally.replaced} replaced, {tally.left_out} left out, {tally.added} added"
    )
    say(f"  the log          {before.text}", 19)
    say(f"  these rules      {after.text}", 19)
    if told.stopped:
        say(f"  {told.stopped}", 2)
    elif before.how and not after.how:
        say("  the log has no more answers, and these rules ask on (--policy bot plays to the end)", 2)
    elif before.how:
        click.echo("  the winner stays" if told.keeps_winner else "  it ends in another way")


def _print_boards(told: Retold, own: Game | None, seat: str | None, console: Console) -> None:
    """Draws the positions at the first difference, of log and rules, side by side if there is room."""
    from rulelang.diagnostics.suggest import hint
    from rulelang.screens.picture import picture

    from ...screen.styles import Styles
    from ..replaying.frame import side_by_side

    if told.parted is None:
        return
    theirs = told.parted.match
    names = told.log.header.players
    if seat is not None and seat not in names:
        raise click.UsageError(f"no seat is called {seat!r}{hint(seat, names)}")
    viewer = names.index(seat) if seat is not None else None
    boards: list[tuple[str, BareMatch]] = [("these rules", theirs)]
    logged = _logged(told, own)
    if logged is not None:
        boards.insert(0, ("the log", logged))
    for line in side_by_side(
        [(title, picture(match, viewer)) for title, match in boards], Styles(names), console.width
    ):
        console.print(line)


def _logged(told: Retold, own: Game | None) -> BareMatch | None:
    """Returns the log's own position at the first difference; None without the rules by which it was played."""
    from rulelang.api import replay
    from rulelang.errors import RulelangError

    if own is None or told.parted is None:
        return None
    try:
        again = replay(told.log, under=own)
    except RulelangError:
        return None
    parted = told.parted
    lines = (again.log.steps.line(step) for step in range(len(again.positions)))
    before = sum(line < parted.line or (line == parted.line and parted.is_after) for line in lines)
    return again.at(before - 1) if before else None


# ------------------------------------------------------------------ for programs


def _data(told: Retold, blamed: tuple[Edit, ...], notes: tuple[str, ...]) -> dict[str, object]:
    first = told.first
    data: dict[str, object] = {
        "agrees": first is None,
        "choices": _before(first) if first is not None else told.tally.taken,
        "complete": told.log.is_complete,
        "notes": list(notes),
    }
    if first is not None:
        data |= {"line": first.line, "logged": first.logged, "played": first.told}
    before, after = told.ending
    return data | {
        "policy": told.policy.value,
        "taken": told.tally.taken,
        "replaced": told.tally.replaced,
        "left_out": told.tally.left_out,
        "added": told.tally.added,
        "stopped": told.stopped,
        "because": [{"edit": edit.name, "clauses": list(edit.clauses), "place": edit.span.place} for edit in blamed],
        "differences": [
            {
                "level": one.level.value,
                "step": one.step,
                "line": one.line,
                "logged": one.logged,
                "told": one.told,
                "rule": one.rule,
                "clauses": list(one.clauses),
                "place": one.span.place,
                "sentence": one.sentence,
            }
            for one in told.differences
        ],
        "ending": {"log": before.text, "rules": after.text},
        "keeps_winner": told.keeps_winner,
    }
