"""`rulelang play GAME`: people and bots play a game in the terminal."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import attrs
import click

from ..argument import FilePath, OneOf, complete_game, load
from ..exits import INTERRUPTED, Refused

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.ir.model.vocabulary import LoneOptions
    from rulelang.scenarios.opening import ScenarioOpening
    from rulelang.seed import Seed
    from rulelang.session.table import GameTable

    from .terminal import Terminal


@click.command("play")
@click.argument("game", shell_complete=complete_game, required=False)
@click.option("--players", type=int, help="How many play.  [default: 4, or what the game allows]")
@click.option("--seed", help="A number or a word that the dice come from: the same seed, the same dice.")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="SEAT=WHO",
    help="Who sits where: me, random, first, greedy, planner or mcts; SEAT or all.",
)
@click.option("--bot", metavar="WHO", help="Who takes the other seats: a bot, or FILE.py:NAME, one of your own.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="What is agreed at the table.")
@click.option(
    "--from", "start", metavar="SCENARIO", help="Begin where the givens of this scenario lead, or in a file's position."
)
@click.option("--lone", type=OneOf(["asked", "taken"]), help="Ask for an option that is alone, or take it.")
@click.option("--log", type=FilePath(dir_okay=False), help="Write the log here as the game goes.")
@click.option("--resume", type=FilePath(dir_okay=False), help="Go on with the game of a log.")
@click.option(
    "--at", type=click.IntRange(0), metavar="STEP", help="With --resume: go on from this step, on whichever line it is."
)
@click.option(
    "--at-most",
    type=click.IntRange(1),
    metavar="CHOICES",
    help="Stop after so many choices.  [default: 10000 among bots alone]",
)
@click.option("--fast", is_flag=True, help="With bots alone, print only how it ends.")
@click.option("--allow-undo", is_flag=True, help="Take back choices even when people have seen hidden things since.")
@click.option(
    "--clock/--no-clock",
    default=None,
    help="Whether clocks run while you think, or each answer takes what the rules say.  [default: on a terminal]",
)
def command(
    *,
    game: str | None,
    players: int | None,
    seed: str | None,
    seats: tuple[str, ...],
    bot: str | None,
    options: tuple[str, ...],
    start: str | None,
    lone: LoneOptions | None,
    log: Path | None,
    resume: Path | None,
    at: int | None,
    at_most: int | None,
    fast: bool,
    allow_undo: bool,
    clock: bool | None,
) -> None:
    """Play a GAME in the terminal, you against bots.

    Without --seat, the first seat is you and the others are bots: greedy where the game says what to steer by, else
    random. At every prompt, ? says what is not allowed and why; undo, save, log, help and quit work too.

    \b
    Examples:
      rulelang play outspeed
      rulelang play outspeed --players 3 --seat red=me --seat green=random
      rulelang play outspeed --bot mine.py:careful
      rulelang play outspeed+sprint --seat all=random --fast --log race.jsonl
      rulelang play outspeed --from "nitro is spent"
      rulelang play outspeed --resume race.jsonl
      rulelang play outspeed --resume race.jsonl --at 12   another way from there
    """
    from ..console import terminal
    from .terminal import Terminal

    if log is not None and log.suffix == ".zst":
        raise click.UsageError("a log is written line by line, so not compressed: `rulelang log cat` does that later")
    if at is not None and resume is None:
        raise click.UsageError("--at goes on from a step of a log: --resume LOG")
    if resume is not None:
        said = {"--players": players, "--seed": seed, "--option": options or None, "--from": start, "--bot": bot}
        _refuse({**said, "--lone": lone, "--log": log})
        table = _resumed(resume, game, seats, at)
    elif game is not None:
        table = _new(
            game, players=players, seed=seed, seats=seats, bot=bot, options=options, start=start, lone=lone, log=log
        )
    else:
        raise click.UsageError("which game? (`rulelang games` lists them; --resume LOG goes on with one)")
    table.allow_undo = allow_undo
    runs = sys.stdin.isatty() if clock is None else clock
    _play(Terminal(table, terminal(), fast, at_most, now=monotonic if runs else None))


def _play(here: Terminal) -> None:
    """Plays at a terminal until a game is over and nobody wants another, or a person leaves."""
    from .afterwards import next_table

    while _played(here):
        log = here.shelve()
        if here.table.log is not None:
            click.echo(f"The log is {here.table.log}")
        elif log is not None:
            click.echo("The game is kept: rulelang log lists it.")
        table = next_table(here, log)
        if table is None:
            return
        table.allow_undo = here.table.allow_undo
        here = attrs.evolve(here, table=table)


def _played(here: Terminal) -> bool:
    """Plays one game at a terminal; returns whether it has come to its end."""
    from .unanswered import Left

    if not here.fast or here.table.people:
        _greet(here)
    try:
        here.play()
    except Left as left:
        _leave(here, left.why)
        if left.is_interrupted:
            click.get_current_context().exit(INTERRUPTED)
        return False
    here.finish()
    return True


def _refuse(given: dict[str, object]) -> None:
    """Refuses options that a resumed log decides; raises UsageError for those that are not None."""
    said = [name for name, value in given.items() if value is not None]
    if said:
        raise click.UsageError(f"the log says how its game goes on: leave out {', '.join(said)}")


def _new(
    name: str,
    *,
    players: int | None,
    seed: str | None,
    seats: tuple[str, ...],
    bot: str | None,
    options: tuple[str, ...],
    start: str | None,
    lone: LoneOptions | None,
    log: Path | None,
) -> GameTable:
    """Sets up a new game."""
    from rulelang.errors import RulelangError, RuntimeRules
    from rulelang.session.seats import names_at, usual_players
    from rulelang.session.table import begin

    from ..progress_message import waiting
    from ..seats import agreed_options, seated, seed_given

    game = load(name)
    drawn = seed_given(seed)
    given = None
    if start is not None:
        if players is not None or options:
            raise click.UsageError("the scenario says who play, and what is agreed: leave out --players and --option")
        begins = _opening(game, start, drawn)
        given, players, lone = begins.text, begins.players, lone or begins.lone
    count = players if players is not None else usual_players(game.players)
    who = seated(seats, names_at(game.ir, count), game.ir.score is not None, bot)
    agreed = agreed_options(options)
    try:
        # The rules are tried before a file is created.
        with waiting(f"Setting up {name}"):
            table = begin(game, name, count, who, seed=drawn, agreed=agreed, lone=lone, given=given)
    except RuntimeRules:
        raise
    except RulelangError as error:
        raise click.UsageError(str(error)) from None
    if log is not None:
        try:
            table.write_to(log)
        except FileExistsError:
            raise Refused(f"{log} exists already; nothing is overwritten (--resume goes on with a log)") from None
    return table


def _opening(game: Game, start: str, seed: Seed) -> ScenarioOpening:
    """Returns the position that a scenario leads to, or that a file holds."""
    from rulelang.api.positions import read_position
    from rulelang.errors import RulelangError, RuntimeRules
    from rulelang.scenarios.opening import ScenarioOpening, opening

    try:
        if Path(start).suffix == ".rules" and Path(start).is_file():
            text = Path(start).read_text(encoding="utf-8")
            return ScenarioOpening(text, read_position(game.internals, text).players, None)
        return opening(game, start, seed)
    except RuntimeRules:
        raise
    except (RulelangError, UnicodeDecodeError, OSError) as error:
        raise click.UsageError(str(error)) from None


def _resumed(path: Path, name: str | None, seats: tuple[str, ...], step: int | None) -> GameTable:
    """Resumes a log with the same seats, bots and dice, unless --seat says otherwise."""
    from rulelang.errors import InvalidInput, LogError, LogInUse, ReplayMismatch
    from rulelang.lab.own_bots import own_bots
    from rulelang.log.file import LogFile
    from rulelang.session.table import go_on
    from rulelang.workbench.provenance import blame, findings

    from ..exits import Unreadable
    from ..logbook import replayed
    from ..seats import checked

    # From here on no other process can write the log, so the log that is read now is the one that is resumed.
    try:
        file = LogFile.reopen(path)
    except LogInUse:
        raise
    except LogError as error:
        raise Unreadable(str(error)) from None
    game, again = replayed(path, name, file)
    for note in again.log.notes:
        click.echo(note)
    checked(seats, again.log.header.players)
    try:
        return go_on(game, name, path, file, again, seats, step, own_bots(seats))
    except ReplayMismatch as error:
        cause = blame(findings(again.log.header, game))
        raise Refused(f"{path}, {error}\n{cause.text}") from None
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None


def _greet(here: Terminal) -> None:
    """Prints the game, the players and the seed."""
    from rulelang.knowledge.phrase import spliced
    from rulelang.screens.aim import aim_of

    from ..screen.aim import aimed

    console, styles, table = here.console, here.styles, here.table
    console.print(styles(" + ".join((table.game.title, *table.game.variants)), "bold underline"))
    for seat, bot in zip(table.match.seat_names, table.seats, strict=True):
        console.print(styles(spliced(("  ", seat, ": ", "you" if bot is None else f"{bot.name} bot"))))
    console.print(styles(f"Seed {table.header.seed}: the same seed gives the same dice."))
    aim = aim_of(table.match, table.people[0]) if table.people else None
    if aim is not None:
        console.print(aimed(aim, styles, so_far=False))
    if table.people:
        console.print(styles("Type help for all that you can type, quit to stop."))
        if not sys.stdin.isatty():
            console.print(styles("Standard input is not a terminal: answers are read from it, one a line."))
        elif console.is_terminal and aim is not None and not table.has_begun:
            # On a small terminal the first screen would push the aim out of sight.
            console.print(styles("Press Enter to begin."))
            with contextlib.suppress(EOFError):
                input()
    elif console.is_terminal and sys.stdin.isatty():
        console.print(styles("Press Enter to be told the rest at once."))


def _leave(here: Terminal, why: str) -> None:
    """Prints that the game stops here, and the file in which it is kept."""
    here.console.print(here.styles(f"{why.capitalize()}: the game stops here." if why else "The game stops here."))
    if here.table.log is not None or here.table.has_begun:
        here.console.print(here.styles(here.keep()), soft_wrap=True)
