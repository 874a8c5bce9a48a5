"""`rulelang replay LOG`: replays a log, reports where rules and log disagree, and lets people step through it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from rulelang.diagnostics.render import escaped

from ..argument import FilePath, OneOf, complete_game
from ..exits import NOT_SO
from ..logbook import counted, read, repaired, replayed

if TYPE_CHECKING:
    from rich.console import Console

    from rulelang.log.replay import Replay
    from rulelang.workbench.playback import Playback
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
    type=OneOf(["stop", "skip", "nearest", "bot"]),
    default="nearest",
    show_default=True,
    help="With --under: what becomes of choices that the rules do not take.",
)
@click.option(
    "--bots", metavar="BOT", help="With --policy bot: who chooses.  [default: greedy, random without a score]"
)
@click.option("--to", "to", type=int, metavar="N", help="Show the position after step N, and what led to it.")
@click.option("--as", "seat", metavar="SEAT", help="Through this seat's eyes, or all.  [default: a spectator's]")
@click.option(
    "--tree", "as_tree", is_flag=True, help="Show the lines of play: what was undone, and what was played instead."
)
@click.option(
    "--line", type=click.IntRange(1), metavar="N", help="Show this line of play.  [default: the one that stands]"
)
@click.option("--undone", is_flag=True, help="Show undos, and what was taken back, as steps too.")
@click.option(
    "--transcript", type=OneOf(["text", "md"]), is_flag=False, flag_value="text", help="Print the game as prose."
)
@click.option("--nth", type=click.IntRange(1), help="Which log of a file with several.  [default: each, in brief]")
@click.option("--step", is_flag=True, help="Step through it (in a terminal: the default).")
@click.option("--repair", "out", type=FilePath(), metavar="NEW-FILE", help="Write what is whole of a damaged log here.")
@click.option("--json", "as_json", is_flag=True, help="Only say whether log and rules agree, for programs.")
@click.option("--web", is_flag=True, help="Look at it in a browser, with a timeline; --under stands beside it.")
@click.option("--open/--no-open", "opens", default=True, help="With --web: whether to open the browser.")
@click.option("--steps", is_flag=True, help="Print each step for programs, one JSON object a line.")
def command(
    *,
    log: Path,
    under: str | None,
    policy: str,
    bots: str | None,
    to: int | None,
    seat: str | None,
    as_tree: bool,
    line: int | None,
    undone: bool,
    transcript: str | None,
    nth: int | None,
    step: bool,
    out: Path | None,
    as_json: bool,
    steps: bool,
    web: bool,
    opens: bool,
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
      rulelang replay race.jsonl --transcript md --as red
      rulelang replay race.jsonl --tree
      rulelang replay race.jsonl --steps --as all
      rulelang replay all.jsonl.zst --nth 3
      rulelang replay race.jsonl --repair saved.jsonl
    """
    from rulelang.log.reading import holds_several
    from rulelang.workbench.divergence_report import Policy

    from ..seats import bot_called
    from .changes.retelling import tell
    from .logs.each import each
    from .serve import show_log

    if out is not None:
        click.echo(escaped(repaired(log, out)))
        return
    if bots is not None:
        bot_called(bots)
    show = Showing(seat, line, undone, to, step, steps, as_tree, transcript, as_json)
    if web:
        show_log(log, under, opens=opens)
    elif nth is None and not show.is_asked and holds_several(log):
        each(log, under, Policy(policy), bots, as_json=as_json)
    elif under is not None and not show.is_asked:
        tell(read(log, nth=nth), log, under, policy, bots, seat, as_json=as_json)
    else:
        _replay(LogOrigin(log, under, nth), show)


@attrs.frozen
class Showing:
    """The form in which a replay is shown, and its viewer."""

    seat: str | None
    line: int | None
    undone: bool
    to: int | None
    step: bool
    steps: bool
    as_tree: bool
    transcript: str | None
    as_json: bool

    @property
    def is_prose(self) -> bool:
        """Returns whether the output is prose: a tree, or a transcript."""
        return self.as_tree or self.transcript is not None

    @property
    def is_asked(self) -> bool:
        """Returns whether positions are to be shown, and not only a verdict."""
        return self.to is not None or self.step or self.steps or self.is_prose


@attrs.frozen
class LogOrigin:
    """The log from which a person may play on, and the rules for that."""

    log: Path
    under: str | None
    nth: int | None


def _replay(origin: LogOrigin, show: Showing) -> None:
    """Replays a log, shows it, and reports whether log and rules agree."""
    from rulelang.workbench.provenance import blame, findings

    from ..console import terminal
    from .replaying.lines import tree_data

    is_looked_at = not (show.as_json or show.steps or show.is_prose or show.to is not None) and _can_show(terminal())
    game, again = replayed(origin.log, origin.under, nth=origin.nth, compares=not is_looked_at)
    found = findings(again.log.header, game)
    notes = (*again.log.notes, *(one.text for one in found))
    cause = blame(found) if again.difference is not None else None
    if show.as_json and not show.as_tree:
        _print_json(again, notes, cause)
        return
    playback = _playback(again, show.seat, show.line, undone=show.undone) if again.positions else None
    if playback is not None and show.steps:
        _print_steps(playback)
        return
    if playback is not None and show.as_tree and show.as_json:
        click.echo(tree_data(playback))
        return
    for note in notes:
        click.echo(escaped(note), err=show.transcript is not None)
    if playback is not None and is_looked_at and again.difference is None:
        _on_screen(playback, origin)
        return
    if playback is not None:
        _show_steps(playback, show)
    if not (playback is not None and show.is_prose and again.difference is None):
        _verdict(again, cause)


def _show_steps(playback: Playback, show: Showing) -> None:
    """Prints the steps, or one of them, or lets a person step through them in a terminal."""
    from ..console import terminal
    from .replaying.lines import tree
    from .replaying.transcript import transcript as written

    if show.is_prose:
        for text in tree(playback) if show.as_tree else written(playback, show.transcript or "text"):
            click.echo(text)
    elif show.to is not None:
        playback.step = playback.numbered(show.to)
        _show(playback, terminal())
    elif show.step or (sys.stdin.isatty() and sys.stdout.isatty()):
        _step_through(playback, terminal())


def _playback(again: Replay, seat: str | None, line: int | None, *, undone: bool) -> Playback:
    """Returns the playback that is shown; ends the command with 2 for an unknown viewer or line."""
    from rulelang.errors import InvalidInput, LogError
    from rulelang.workbench.playback import Looker, Playback

    try:
        playback = Playback(again, Looker.called(seat, again.log.header), line, undone)
        assert playback.path
    except (InvalidInput, LogError) as error:
        raise click.UsageError(str(error)) from None
    return playback


def _verdict(again: Replay, cause: Finding | None) -> None:
    """Prints whether log and rules agree; ends the command with 1 if they do not."""
    from .changes.retelling import say_agreement, say_difference

    found = again.difference
    if found is None:
        say_agreement(counted(again.choices), is_complete=again.log.is_complete)
        return
    say_difference(found.line, counted(again.choices), found.logged, found.played)
    if cause is not None:
        click.echo(escaped(cause.text))
    sys.exit(NOT_SO)


def _print_json(again: Replay, notes: tuple[str, ...], cause: Finding | None) -> None:
    found = again.difference
    data: dict[str, object] = {"agrees": found is None, "choices": again.choices}
    data |= {"complete": again.log.is_complete, "notes": list(notes)}
    if found is not None:
        data |= {"line": found.line, "logged": found.logged, "played": found.played}
    if cause is not None:
        data |= {"cause": cause.kind.value}
    click.echo(json.dumps(data, indent=2))
    if found is not None:
        sys.exit(NOT_SO)


def _print_steps(playback: Playback) -> None:
    """Prints a JSON object for the set-up and each step, as the viewer sees them; ends the command with 1 if log and
    rules differ, as the last object says."""
    from rulelang.log.format import record_of
    from rulelang.workbench.playback import SECRET

    again, seats, looker = playback.again, playback.seats, playback.looker
    is_whole = playback.line is None
    with again.log.steps.opened() as log:
        steps = filter(playback.is_told, range(playback.last + 1)) if is_whole else playback.path
        for number in steps:
            match, first = again.at(number), log[number].first
            data: dict[str, object] = {"step": playback.number(number), "line": playback.log_line(number)}
            if first is not None and playback.answer(number) != SECRET:
                data |= {"undo": first.record["to"]} if first.what == "undo" else {"seat": first.record["seat"]}
            outcome = looker.outcome(match)
            data["events"] = [record_of(event, seats) for event in playback.events(number)]
            asked = match.to_move if looker.sees_all else match.view(looker.seat).to_move
            data["to_move"] = [seats[seat] for seat in asked]
            data["outcome"] = None if outcome is None else record_of(outcome, seats)
            click.echo(json.dumps(data))
    found = again.difference
    if found is not None:
        click.echo(json.dumps({"line": found.line, "logged": found.logged, "played": found.played}))
        sys.exit(NOT_SO)


def _show(playback: Playback, console: Console, *, whole: bool = False) -> None:
    """Draws the position after the step, with the events of the step (or of all steps up to it)."""
    from rulelang.screens.picture import on_screen

    from ..screen import draw, narrate
    from ..screen.styles import Styles

    match, step = playback.match, playback.step
    styles = Styles.of_match(match)
    for one in [s for s in playback.path if s <= step] if whole else [step]:
        for line in narrate(playback.events(one), styles, on_screen(match.game)):
            console.print(line)
    console.print(draw(playback.picture(), styles, console))
    begins = playback.log_line(step)
    where = "" if begins is None else f"  (line {begins})"
    console.print(styles(f"step {playback.number(step)} of {playback.number(playback.last)}{where}", "bold"))


def _step_through(playback: Playback, console: Console) -> None:
    """Lets a person step through a replay by typed lines."""
    from ..console import say

    _show(playback, console)
    say(KEYS)
    while True:
        try:
            text = input("replay> ").strip().casefold()
        except EOFError:
            click.echo()
            return
        except KeyboardInterrupt:
            click.echo()
            raise
        match text:
            case "q" | "quit":
                return
            case "" | "n" | "next":
                playback.forward()
            case "p" | "b" | "back":
                playback.forward(-1)
            case "f" | "first":
                playback.go(0)
            case "l" | "last":
                playback.go(playback.last)
            case "v":
                _show(playback, console, whole=True)
                continue
            case _ if text.isascii() and text.isdigit() and len(text) < 10:
                playback.go(int(text))
            case _:  # any other input is not a command
                say(KEYS)
                continue
        _show(playback, console)


def _can_show(console: Console) -> bool:
    """Returns whether output and keyboard are a terminal that can be drawn on."""
    return console.is_terminal and sys.stdin.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _on_screen(playback: Playback, source: LogOrigin) -> None:
    """Lets a person step through a replay on the whole screen, and play on from a step."""
    from rulelang.workbench.playback import Looker

    from .replaying.application import show
    from .replaying.questions import why
    from .replaying.viewer import Viewer

    lookers = (Looker(), *(Looker(seat) for seat in range(len(playback.seats))), Looker(sees_all=True))
    viewer = Viewer(playback, why, lookers)
    show(viewer)
    wish = viewer.play_on
    if wish is None:
        return
    if source.nth is not None:
        raise click.UsageError("a log to continue must be in a file of its own: rulelang log cat --nth")
    context = click.get_current_context().find_root()
    assert isinstance(context.command, click.Group)
    play = context.command.get_command(context, "play")
    assert play is not None
    context.invoke(play, game=source.under, resume=source.log, at=wish.step, seats=wish.seats)
    context.exit()
