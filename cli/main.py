"""`rulelang COMMAND …`: the group of commands.

A command is a file of `commands/` and a line in COMMANDS; `play`, which is larger, has a room of its own. The module
of a command is imported when it runs, so that `rulelang --help` and shell completion stay fast.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from contextlib import suppress
from typing import NamedTuple

import click

from rulelang.diagnostics.suggest import suggest
from rulelang.disk import is_full
from rulelang.errors import RulelangError

from .console import show_what_it_can
from .exits import INTERRUPTED, Refused, Unreadable


class Command(NamedTuple):
    """One command: its name, its module, its help. (A plain tuple, because attrs would slow down `--help`.)"""

    name: str
    module: str
    help: str


COMMANDS = (
    Command("games", "commands.games", "List the games that can be played."),
    Command("new", "commands.authoring.new", "Write a small game to start from."),
    Command("check", "commands.authoring.check", "Look for faults in rules, without running them."),
    Command("play", "play.command", "Play a game in the terminal."),
    Command("serve", "commands.serve", "Play in a browser, each seat by a link."),
    Command("edit", "commands.edit", "Edit a game in a browser, with the game on the table beside it."),
    Command("replay", "commands.replay", "Play a log again, and say where it differs."),
    Command("log", "commands.logs.group", "List games played; ask, move, join and compress logs."),
    Command("test", "commands.authoring.scenarios", "Run the scenarios of a game."),
    Command("watch", "commands.authoring.watch", "Check, test and replay again at each save."),
    Command("cover", "commands.authoring.cover", "Say which clauses of the rulebook the rules and scenarios cover."),
    Command("diff", "commands.changes.diff", "Say which rules differ between two games."),
    Command("impact", "commands.changes.impact", "Say what other rules do to games that were played."),
    Command("why", "commands.why", "Say why something in a log came about."),
    Command("scenario", "commands.authoring.scenario", "Print a step of a log as a scenario."),
    Command("bisect", "commands.changes.bisect", "Find the edit of the rules that makes a log differ."),
    Command("rulebook", "commands.authoring.rulebook", "Print the rules of a game as people read them."),
    Command("sheets", "commands.authoring.sheets", "Print a game's cards, boards and mats, to cut out."),
    Command("expand", "commands.authoring.expand", "Print a game with its variants as one file."),
    Command("dump", "commands.authoring.dump", "Print a game as the compiler sees it."),
    Command("fmt", "commands.authoring.fmt", "Put rules files into the one style."),
    Command("lsp", "commands.lsp", "Serve an editor: faults, names and edits of rules."),
    Command("explain", "commands.authoring.explain", "Explain the code of a message."),
    Command("arena", "commands.arena", "Let bots play many games, and count."),
    Command("lab", "commands.lab.group", "Ask what rules do to a game, with figures that hold."),
    Command("bench", "commands.bench", "Measure how fast games run here."),
)

EPILOG = """\b
Examples:
  rulelang play outspeed                     you against bots
  rulelang play outspeed+sprint --seed 7     with a variant
  rulelang new nim && rulelang test nim      a game of your own
  rulelang explain E0207                     what a message means

\b
A GAME is the name of a game that ships, a folder or a .rules file, with
variants after it: outspeed+sprint, my/nim.rules, "my/nim+misere".

\b
Exit codes:
  0  fine
  1  what was asked about is not so: faults, a red scenario, a log that differs
  2  the command was called wrongly
  3  a file or a log cannot be read
  130  interrupted (Ctrl-C)

\b
Completion: eval "$(_RULELANG_COMPLETE=bash_source rulelang)"   (or zsh, fish)
Colour: only on terminals; NO_COLOR=1 turns it off, FORCE_COLOR=1 on.
"""


class Commands(click.Group):
    """The group: finds commands in COMMANDS, and turns errors of rulelang into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of all commands, in the order of COMMANDS."""
        return [command.name for command in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns a command by its name; imports its module."""
        for command in COMMANDS:
            if command.name == cmd_name:
                found = importlib.import_module(f"{__package__}.{command.module}").command
                assert isinstance(found, click.Command)
                return found
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the called command; refuses an unknown one with a suggestion of the nearest name."""
        name = args[0] if args else ""
        near = suggest(name, self.list_commands(ctx))
        if near and not ctx.resilient_parsing and self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(f"there is no command {name!r}; did you mean `{near}`?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(command.name, command.help) for command in COMMANDS])

    def invoke(self, ctx: click.Context) -> object:
        """Runs a command; prints a refusal as one line."""
        for stream in (sys.stdout, sys.stderr):
            show_what_it_can(stream)
        try:
            try:
                return super().invoke(ctx)
            finally:
                # Output that is still held back would fail after all this, where nobody can say so.
                sys.stdout.flush()
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)
        except RulelangError as error:
            raise Refused(str(error)) from None
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            if error.filename is None:
                _give_up_output()
                raise Unreadable(f"what this prints cannot be written: {error.strerror or error}") from None
            full = "; make room on the disk and do it again: nothing was changed" if is_full(error) else ""
            raise Unreadable(f"{error.filename}: {error.strerror or error}{full}") from None


def _give_up_output() -> None:
    """Sends what could not be written nowhere, so that the end of the process does not try again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """Prints the version and the executor for many games, and ends the command."""
    if is_asked:
        # Slow to import, and needed only here.
        from importlib import metadata, util

        library = util.find_spec("llvmlite") is not None
        fastest = f"native, by llvmlite {metadata.version('llvmlite')}" if library else "generated Python"
        hint = "" if library else "; machine code needs rulelang[native]"
        click.echo(f"rulelang {metadata.version('rulelang')}\nfastest executor: {fastest}{hint}")
        context.exit()


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show the version and the fastest executor, and exit.",
)
def main() -> None:
    """Plays, checks and tests board games whose rulebook is written in the rules language."""
    # The objects of the rules live as long as the command, so frequent garbage collection would only cost time.
    gc.set_threshold(50_000, 20, 50)
