"""The prompt when a game is over: the same again, another game, a replay, or the reason for the ending."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.session.after.afterwards import AFTERWARDS, again, last_event, wished

from ..reason import lines_of
from ..screen import tell

if TYPE_CHECKING:
    from rulelang.session.table import GameTable

    from .terminal import Terminal


def next_table(here: Terminal, log: Path | None) -> GameTable | None:
    """Asks people at a terminal how to go on after a game; returns the next table, or None."""
    table = here.table
    if not (table.people and here.console.is_terminal and sys.stdin.isatty()):
        return None
    offered = [word for word in AFTERWARDS if word != "replay" or log is not None]
    for word in (word for word in offered if word != "more"):  # which is offered beside the news
        here.console.print(here.styles(f"  {word:7} {AFTERWARDS[word]}"))
    while True:
        try:
            wish = wished(input("And now? "))
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return None
        match wish:
            case "again":
                return again(table, table.header.seed if table.header.seed is not None else 0)
            case "new":
                return again(table, secrets.randbelow(1_000_000))
            case "replay" if log is not None:
                _replay(log, table.name)
            case "why":
                _explain(here)
            case "more":
                tell(here.console, here.person.untold or [here.styles("  Nothing has happened since.")])
            case "quit":
                return None
            case _:  # any other word is none of those offered
                here.console.print(here.styles(f"Type one of {', '.join(offered)}.", "yellow"))


def _replay(log: Path, name: str) -> None:
    """Lets people step through the game that they have played."""
    context = click.get_current_context()
    root = context.find_root()
    assert isinstance(root.command, click.Group)
    command = root.command.get_command(root, "replay")
    assert command is not None
    context.invoke(command, log=log, under=name, step=True)


def _explain(here: Terminal) -> None:
    """Prints the ending, and what led to it, from the last answer on."""
    from rulelang.workbench.reasons.why import Asker, of_event

    match, people = here.table.match, here.table.people
    seat = people[0] if len(people) == 1 else None
    number = last_event(match)
    reason = () if number is None else of_event(match, number, Asker(seat, seat is None))
    here.tell_ending()
    here.console.print(here.styles("It came about like this:"))
    rules = tuple(link for link in reason if link.what != "change")
    for line in lines_of(rules, at_play=True):
        here.console.print(here.styles(f"  {line}"))
