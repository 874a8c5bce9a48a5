"""Games by two rule sets with the same chance: for `diff --games` and `arena --against`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from rulelang.diagnostics.render import escaped
from rulelang.errors import RulelangError, RuntimeRules

from ...argument import load
from ...exits import Unreadable
from ...progress_message import waiting
from ...seats import invited_bots
from ..match_factory import are_traced, processes_for, spread, start_of

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.lab.arena import Fixture
    from rulelang.lab.bots import Bot
    from rulelang.workbench.comparison import Compared, DifferingPosition, Measured

WITNESSES = 3
MOST_LOOKED_AT = 12
"""The most seeds that are searched for witnesses."""
MOST_OPTIONS = 6


@attrs.frozen
class Meeting:
    """The games to be played: two names, the bots, the number of games."""

    before: str
    after: str
    bots: str | None
    games: int
    players: int | None = None
    seed: int = 0
    bot_seed: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    """The options of both games."""
    own_options: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = ((), ())
    """The options of only one game: by the rules before, and after."""
    jobs: int | None = None
    """The games that are played at once; None if that depends on how many there are."""
    folder: Path | None = None
    """The folder in which witnesses are saved."""

    def agreed(self, which: int) -> dict[str, str]:
        """Returns the options of the game by the rules before (0) or after (1)."""
        return {**dict(self.options), **dict(self.own_options[which])}

    @property
    def titles(self) -> tuple[str, str]:
        """The names of the two games, each with its own options: `exobase, hardcore=yes`."""
        before, after = (
            ", ".join((name, *(f"{option}={value}" for option, value in own)))
            for name, own in zip((self.before, self.after), self.own_options, strict=True)
        )
        return before, after


def meant(name: str, other: str) -> str:
    """Returns the game that is meant by a name beside another: a file that holds one variant means that variant, of the game
    that ships or of the other one.

    Raises UsageError if the file holds several. Beside a variant of its own the file is the game without it.
    """
    from rulelang import api

    if ".rules" not in name or other.startswith(f"{name}+"):
        return name
    try:
        loaded, variants = api.read(name)
    except api.NoSuchGame as error:
        raise Unreadable(str(error)) from None
    of, own = "", () if variants else loaded.variants_apart
    if not variants and not loaded.module.declarations:  # Variants alone, of a game that does not ship: the other one.
        of, own = f"{api.named(other)[0]}+", loaded.variants
    names = [f"{of}{name}+{variant.name.text}" for variant in own]
    if len(names) > 1:
        raise click.UsageError(f"{name} holds several variants: write {', '.join(names[:-1])} or {names[-1]}")
    return names[0] if names else name


def loaded_once(before: str, after: str) -> tuple[Game, Game]:
    """Loads the two games of a comparison, and tells the warnings of each once."""
    first = load(before)
    return first, first if before == after else load(after)


def report(meeting: Meeting, games: tuple[Game, Game], *, as_json: bool, more: dict[str, Any] | None = None) -> None:
    """Plays, and prints the table, the verdict and the witnesses; or one JSON document, with `more` in it."""
    from rulelang import disk
    from rulelang.workbench.comparison import compare, verdict

    first, second = games
    bots = _bots(meeting, first, second)
    players = _players(meeting, first, second, len(bots))
    if meeting.folder is not None:
        disk.check_folder(meeting.folder)
    found = compare(_watched(_pairs(meeting, bots, players), meeting.games))
    if as_json:
        seen = [_witness(*one) for one in _witnesses(meeting, bots, players)]
        facts: dict[str, Any] = {"games": meeting.games, "players": players, "bots": [bot.name for bot in bots]}
        facts["options"] = [meeting.agreed(which) for which in (0, 1)]
        said = {"verdict": verdict(found), "measures": [_data(one) for one in found]}
        click.echo(json.dumps({**(more or {}), **facts, **said, "witnesses": seen}, indent=2))
        return
    names = ", ".join(dict.fromkeys(bot.name for bot in bots))
    blocks = found[0].blocks if found else 0
    click.echo(
        f"{meeting.games} game{'s' * (meeting.games != 1)} each, {players} player{'s' * (players != 1)}, bots {names}; "
        f"{blocks} blocks of one seed over all seatings"
    )
    for sign, title in zip("AB", meeting.titles, strict=True):
        click.echo(f"{sign}: {escaped(title)}")
    titles = ("", "A", "B", "difference", "95 %", "effect", "p")
    _print_columns([titles, *(_row(one) for one in found)])
    click.echo(escaped(verdict(found)))
    # A log names a game that ships, and its variants; where other rules lie it does not say.
    ships = meeting.before == "+".join((first.id, *first.variants))
    for witness, path in _witnesses(meeting, bots, players):
        _print_witness(witness, path, None if ships else meeting.before)


def _bots(meeting: Meeting, *games: Game) -> tuple[Bot, ...]:
    default = "greedy" if all(game.ir.score is not None for game in games) else "random"
    return invited_bots(meeting.bots or default, ())


def _players(meeting: Meeting, first: Game, second: Game, bots: int) -> int:
    low, high = max(first.players[0], second.players[0]), min(first.players[1], second.players[1])
    if low > high:
        raise click.UsageError("no number of players can play both")
    count = meeting.players if meeting.players is not None else min(max(bots, low), high)
    if not low <= count <= high:
        raise click.UsageError(f"both can be played by {low} to {high} players, not {count}")
    return count


def _pairs(meeting: Meeting, bots: tuple[Bot, ...], players: int) -> Iterator[tuple[Measured, Measured]]:
    from rulelang.lab.arena import schedule

    names = (meeting.before, meeting.after)
    traced = are_traced(bots)
    starts = [start_of(name, players, meeting.agreed(which), traced=traced) for which, name in enumerate(names)]
    for name, start in zip(names, starts, strict=True):
        try:
            start(meeting.seed)
        except RuntimeRules:
            raise
        except RulelangError as error:
            raise click.UsageError(f"{name}: {error}") from None
    one = partial(_both, starts, bots)
    fixtures = tuple(schedule(len(bots), players, meeting.games, meeting.seed, meeting.bot_seed))
    jobs = processes_for(len(fixtures), meeting.jobs, names, bots)
    yield from spread(one, fixtures, jobs)


def _both(starts: Sequence[Any], bots: tuple[Bot, ...], fixture: Fixture) -> tuple[Measured, Measured]:
    from rulelang.workbench.comparison import measure

    before, after = (measure(start, bots, fixture) for start in starts)
    return before, after


def _watched(pairs: Iterable[tuple[Measured, Measured]], count: int) -> Iterator[tuple[Measured, Measured]]:
    with click.progressbar(pairs, length=count, label="Pairs", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield from bar


def _witnesses(
    meeting: Meeting, bots: tuple[Bot, ...], players: int
) -> Iterator[tuple[DifferingPosition, Path | None]]:
    """Yields positions in which options differ, each with the saved log that leads there, if any."""
    from rulelang.workbench.comparison import witness

    games = [load(name, quiet=True) for name in (meeting.before, meeting.after)]
    found = 0
    for number in range(min(MOST_LOOKED_AT, meeting.games)):
        seed = meeting.seed + number
        bot_seed = seed if meeting.bot_seed is None else meeting.bot_seed + number
        before, after = (game.start(players, seed, meeting.agreed(which)) for which, game in enumerate(games))
        with waiting("Looking for positions in which the options differ"):
            one = witness(before, after, bots, bot_seed)
        if one is None:
            continue
        found += 1
        yield attrs.evolve(one, seed=seed), _saved(meeting.folder, seed, before.log.text)
        if found == WITNESSES:
            return


def _saved(folder: Path | None, seed: int, log: str) -> Path | None:
    """Saves a witness under a new name, so that witnesses of earlier comparisons stay."""
    from rulelang import disk

    if folder is None:
        return None
    data = log.encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = next(path for path in _names(folder, seed) if not path.exists() or path.read_bytes() == data)
        disk.replace(path, data)
    except OSError as error:
        click.echo(escaped(f"{error.filename or folder}: {error.strerror}: this witness is not saved"), err=True)
        return None
    return path


def _names(folder: Path, seed: int) -> Iterator[Path]:
    yield folder / f"witness-{seed}.jsonl"
    for number in count(2):
        yield folder / f"witness-{seed}-{number}.jsonl"


def _print_columns(rows: Sequence[Sequence[str]]) -> None:
    """Prints rows under their titles, each column as wide as its longest cell: names first, then figures."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        click.echo(escaped("  ".join(cells).rstrip()))


def _row(one: Compared) -> tuple[str, ...]:
    scale, unit = (100.0, " %") if one.is_share else (1.0, "")
    before, after, difference, low, high = (
        f"{scale * value:.1f}" if one.is_share else f"{value:.2f}"
        for value in (one.before, one.after, one.difference, one.low, one.high)
    )
    mark = " *" if one.is_seen else ""
    return (
        one.name,
        before + unit,
        after + unit,
        difference + mark,
        f"{low} … {high}",
        "∞" if one.effect is None else f"{one.effect:.2f}",
        f"{one.p:.3f}",
    )


def _print_witness(witness: DifferingPosition, path: Path | None, rules: str | None) -> None:
    under = "" if rules is None else f" --under {rules}"
    where = f"  rulelang replay {path}{under}" if path is not None else ""
    click.echo(escaped(f"witness: seed {witness.seed}, after {witness.ply} choices, {witness.seat}{where}"))
    for word, options in (("no longer", witness.only_before), ("now", witness.only_after)):
        if options:
            shown = ", ".join(options[:MOST_OPTIONS]) + (" …" if len(options) > MOST_OPTIONS else "")
            click.echo(escaped(f"  {word}: {shown}"))


def _data(one: Compared) -> dict[str, object]:
    return {
        "measure": one.name,
        "before": round(one.before, 4),
        "after": round(one.after, 4),
        "difference": round(one.difference, 4),
        "interval": [round(one.low, 4), round(one.high, 4)],
        "effect": None if one.effect is None else round(one.effect, 4),
        "p": round(one.p, 4),
        "seen": one.is_seen,
        "would_be_seen": round(one.would_be_seen, 4),
        "blocks": one.blocks,
    }


def _witness(witness: DifferingPosition, path: Path | None) -> dict[str, object]:
    return {
        "seed": witness.seed,
        "choices": witness.ply,
        "seat": witness.seat,
        "no_longer": list(witness.only_before),
        "now": list(witness.only_after),
        "log": None if path is None else str(path),
    }
