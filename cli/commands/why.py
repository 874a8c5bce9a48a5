"""`rulelang why LOG WHAT`: why something happened, why a variable is what it is, why an option was not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ..argument import FilePath, complete_game
from ..exits import Refused
from ..logbook import replayed

if TYPE_CHECKING:
    from rulelang.log.replay import Replay
    from rulelang.workbench.reasons import Absence, Link

LONGEST_STEP = 9


@click.command("why")
@click.argument("log", type=FilePath())
@click.argument("what", metavar="EVENT|VARIABLE@STEP|OPTION@STEP")
@click.option("--game", shell_complete=complete_game, help="By these rules, if not those that the log names.")
@click.option("--as", "seat", metavar="SEAT", help="Through this seat's eyes.  [default: all that the log has]")
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
def command(log: Path, what: str, game: str | None, seat: str | None, *, as_json: bool) -> None:
    """Say why something in a LOG came about: the chain of causes, from an answer over the rules that called each other.

    WHAT is the number of an event; a variable or thing at a step (`red.fuel@12`, without a step: at the end); or an option at
    a step, for why it was not there (`red: program(left)@12`).

    \b
    Examples:
      rulelang why race.jsonl 31
      rulelang why race.jsonl red.fuel@12
      rulelang why race.jsonl "red: program(left)@12" --as red
    """
    from rulelang.workbench.reasons import is_option, of_absence, of_event, of_variable

    _, again = replayed(log, game)
    if not again.positions:
        raise Refused("the set-up is another one under these rules")
    names = again.log.header.players
    if seat is not None and seat not in names:
        raise click.UsageError(f"no seat is called {seat!r} (there are {', '.join(names)})")
    viewer, sees_all = (names.index(seat), False) if seat is not None else (None, True)
    about, step = _asked(what, again)
    if is_option(about):
        if seat is not None and not about.startswith(f"{seat}:"):
            raise Refused(f"{seat} does not see what others may choose from")
        _tell_absence(of_absence(again.at(step), about), about, as_json=as_json)
        return
    if about.isascii() and about.isdigit() and len(about) <= LONGEST_STEP:
        chain = of_event(again, int(about), viewer, sees_all=sees_all)
    else:
        chain = of_variable(again, about, step, viewer, sees_all=sees_all)
    if not chain:
        raise Refused(f"nothing in this log is called {about!r}, or nothing changed it up to step {step}")
    if as_json:
        click.echo(json.dumps({"chain": [_data(link) for link in chain]}, indent=2))
        return
    for depth, link in enumerate(chain):
        click.echo(escaped(f"{'  ' * depth}{_said(link)}"))


def _asked(what: str, again: Replay) -> tuple[str, int]:
    """Splits `red.fuel@12` into what is asked about and the step."""
    about, at, step = what.rpartition("@")
    last = len(again.positions) - 1
    if not at:
        return what.strip(), last
    if not (step.isascii() and step.isdigit() and len(step) <= LONGEST_STEP):
        raise click.UsageError(f"a step is a number, not {step!r}")
    return about.strip(), min(int(step), last)


def _said(link: Link) -> str:
    cited = f" [{', '.join(link.clauses)}]" if link.clauses else ""
    place = f"  ({link.place})" if link.place else ""
    return f"{link.text}{cited}{place}"


def _data(link: Link) -> dict[str, object]:
    return {"what": link.what, "text": link.text, "clauses": list(link.clauses), "place": link.place}


def _tell_absence(absence: Absence | None, about: str, *, as_json: bool) -> None:
    from rulelang.source import NOWHERE

    if absence is None:
        click.echo(json.dumps({"offered": True}, indent=2) if as_json else escaped(f"{about} was on offer"))
        return
    place = absence.span.place if absence.span is not NOWHERE else ""
    if as_json:
        data = {"offered": False, "because": absence.message, "clauses": list(absence.clauses), "place": place}
        click.echo(json.dumps({**data, "nearest": absence.nearest}, indent=2))
        return
    cited = f" [{', '.join(absence.clauses)}]" if absence.clauses else ""
    click.echo(escaped(f"{absence.message}{cited}" + (f"  ({place})" if place else "")))
    if absence.nearest:
        click.echo(escaped(f"the nearest on offer was {absence.nearest}"))
