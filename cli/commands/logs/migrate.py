"""`rulelang log migrate LOG --out FILE`: the same game as a log of newer rules, and a report of the differences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, OneOf, complete_game
from ...exits import Refused, Unreadable
from ...logbook import game_under, own_game, read
from ...progress_message import waiting

if TYPE_CHECKING:
    from rulelang.workbench.migrated import Migration


@click.command("migrate")
@click.argument("log", type=FilePath())
@click.option(
    "--out", required=True, type=FilePath(), metavar="FILE", help="The new log; one called .zst is compressed."
)
@click.option(
    "--to",
    "rules",
    metavar="RULES",
    shell_complete=complete_game,
    help="A variant, a game or a file.  [default: the rules that the log names, as they are now]",
)
@click.option(
    "--policy",
    type=OneOf(["stop", "skip", "nearest", "bot"]),
    default="nearest",
    show_default=True,
    help="What becomes of choices that the rules do not take.",
)
@click.option("--bots", metavar="BOT", help="With --policy bot: who chooses.")
@click.option("--nth", type=click.IntRange(1), help="Which log of a file with several.")
@click.option("--json", "as_json", is_flag=True, help="Print the report for programs.")
def command(
    *, log: Path, out: Path, rules: str | None, policy: str, bots: str | None, nth: int | None, as_json: bool
) -> None:
    """Move a LOG to newer rules, or to this version of rulelang: a new file, and a report of what is not as it was.

    The old log stays as it is. Choices and chance are told again as by `replay --under`; each choice that is replaced, left out or
    added is reported, and where the end is another one. Nothing is repaired silently: a log that was edited is refused.

    \b
    Examples:
      rulelang log migrate old.jsonl --out new.jsonl
      rulelang log migrate old.jsonl --to outspeed+hungry --policy stop --out new.jsonl
    """
    from rulelang import disk
    from rulelang.errors import LogError
    from rulelang.log.compressed import SUFFIX, packed
    from rulelang.workbench.divergence_report import Policy
    from rulelang.workbench.migrated import migrate

    from ...seats import bot_called

    if bots is not None:
        bot_called(bots)
    old = read(log, nth=nth)
    game = game_under(old.header, rules)
    try:
        with waiting(f"Playing {log} by the newer rules"):
            moved = migrate(old, game, Policy(policy), bots, own=own_game(old.header))
    except LogError as error:
        raise Unreadable(f"{log}: {error}") from None
    try:
        disk.create(out, packed(moved.text) if out.suffix == SUFFIX else moved.text)
    except FileExistsError:
        raise Refused(f"{out} exists already; nothing is overwritten") from None
    if as_json:
        click.echo(json.dumps({"out": str(out), "notes": list(old.notes), **_data(moved)}, indent=2))
        return
    for line in (*old.notes, *_report(moved, out)):
        click.echo(escaped(line))


def _report(moved: Migration, out: Path) -> list[str]:
    """Returns the report of a migration."""
    if moved.is_faithful:
        undone = f"; {moved.undone} that had been taken back are left out" if moved.undone else ""
        return [f"{out}: all {_as_it_was(moved.kept)}, and nothing else is different{undone}"]
    lines = [
        f"{out}: {_as_it_was(moved.kept)}, {moved.replaced} replaced, {moved.left_out} left out, {moved.added} added"
    ]
    for one in moved.instead:
        if not one.logged:
            lines.append(f"  before line {one.line}: added {one.told}")
        else:
            lines.append(f"  line {one.line}: {one.logged}" + (f" -> {one.told}" if one.told else " left out"))
    if moved.unread:
        lines.append(f"  left out at the end, {moved.unread} choice{'s' * (moved.unread != 1)}: {moved.stopped}")
    if moved.undone:
        lines.append(f"  left out, {moved.undone} choice{'s' * (moved.undone != 1)} that had been taken back")
    if moved.rewritten:
        lines.append(f"the old log is not what its own rules give: {moved.rewritten}")
    if moved.differences:
        many = len(moved.differences)
        lines += [f"{many} difference{'s' * (many > 1)}, the first:", f"  {moved.differences[0].sentence}"]
    if moved.ending is not None:
        before, after = moved.ending
        lines.append(f"the old log ends with {before.text}; the new one with {after.text}")
    return lines


def _data(moved: Migration) -> dict[str, object]:
    before, after = moved.ending if moved.ending is not None else (None, None)
    return {
        "faithful": moved.is_faithful,
        "kept": moved.kept,
        "replaced": moved.replaced,
        "left_out": moved.left_out,
        "added": moved.added,
        "undone": moved.undone,
        "after_the_stop": moved.unread,
        "stopped": moved.stopped,
        "instead": [{"line": one.line, "logged": one.logged, "told": one.told} for one in moved.instead],
        "rewritten": moved.rewritten,
        "differences": [one.sentence for one in moved.differences],
        "ending": None if before is None or after is None else {"log": before.text, "rules": after.text},
    }


def _as_it_was(choices: int) -> str:
    return "1 choice as it was" if choices == 1 else f"{choices} choices as they were"
