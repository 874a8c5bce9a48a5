"""`rulelang why LOG WHAT`: the reason why an event happened, a number is what it is, or an option was legal or not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ..argument import FilePath, complete_game
from ..exits import Refused
from ..logbook import replayed
from ..reason import data_of, lines_of, reason_for

if TYPE_CHECKING:
    from rulelang.log.replay import Replay

LONGEST_STEP = 9
_AT_STEP = re.compile(r"\s+(?:at|after|in)\s+step\s+([0-9]+)\s*\??$", re.IGNORECASE)
"""The end of a question that names a step in words."""


@click.command("why")
@click.argument("log", type=FilePath())
@click.argument("what", metavar="EVENT|VARIABLE@STEP|VALUE@STEP|OPTION@STEP")
@click.option("--game", shell_complete=complete_game, help="By these rules, if not those that the log names.")
@click.option(
    "--as", "seat", metavar="SEAT", help="Through this seat's eyes; or spectator.  [default: all, all that the log has]"
)
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
def command(log: Path, what: str, game: str | None, seat: str | None, *, as_json: bool) -> None:
    """Say why something in a LOG came about: the chain of causes, from an answer over the rules that called each other and
    the adjustments of what they read, to the change.

    WHAT is the number of an event; a variable or thing at a step (`red.fuel@12`, without a step: at the end); a value or a
    cell of data at a step (`reach(red)@12`), for what it is made of; or an option at a step, for what it needs, or why it was
    not there (`red: program(left)@12`). Questions as people put them are understood, too.

    \b
    Examples:
      rulelang why race.jsonl 31
      rulelang why race.jsonl red.fuel@12
      rulelang why race.jsonl "red: program(left)@12" --as red
      rulelang why race.jsonl "why may blue not take the left route at step 12?"
    """
    from rulelang.errors import InvalidInput
    from rulelang.workbench.playback import ALL, Looker
    from rulelang.workbench.reasons.why import Asker, NoReason

    _, again = replayed(log, game)
    if not again.positions:
        raise Refused("these rules lead to another set-up")
    try:
        looker = Looker.called(seat or ALL, again.log.header)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    about, step = _asked(what, again)
    try:
        reason = reason_for(again.positions[step].match, about, Asker(looker.seat, looker.sees_all))
    except NoReason as error:
        raise Refused(f"step {step}: {error}") from None
    if as_json:
        click.echo(json.dumps({"about": about, "step": step, **data_of(reason)}, indent=2))
        return
    for line in lines_of(reason):
        click.echo(escaped(line))


def _asked(what: str, again: Replay) -> tuple[str, int]:
    """Returns the subject and the step of `red.fuel@12`."""
    about, at, step = _AT_STEP.sub(r"@\1", what.strip()).rpartition("@")
    last = len(again.positions) - 1
    if not at:
        return what.strip(), last
    if not (step.isascii() and step.isdigit() and len(step) <= LONGEST_STEP):
        raise click.UsageError(f"a step is a number, not {step!r}")
    return about.strip(), min(int(step), last)
