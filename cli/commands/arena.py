"""`rulelang arena GAME`: bots play many games, and the results are counted."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from rulelang.diagnostics.render import escaped
from rulelang.diagnostics.suggest import hint
from rulelang.errors import RulelangError, RuntimeRules

from ..argument import GAME, complete_game, load
from ..console import print_table
from ..exits import Refused
from ..seats import OWN_BOTS, agreed_options, invited_bots
from .match_factory import are_traced, processes_for, spread, start_of

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.ir.model import StateVariable
    from rulelang.lab.arena import Fixture, Played, Result, SeededStart, Standing
    from rulelang.lab.bots import Bot

COUNTED = ("turn", "round")
"""The variables of every game that show its length, unless they stay 0."""
MOST_FAULTS = 10
"""The most games with faults of the rules that are listed."""
MOST_ENDS = 6
"""The most kinds of endings that are listed for people."""
MOST_VALUES = 12
"""The most values that are listed for people; of more, the range is printed."""


@click.command("arena")
@GAME
@click.option(
    "--bots",
    default="greedy,random",
    show_default=True,
    help="Who plays; planner:500 looks at 500 positions, mcts:500 imagines 500 games; greedy:listed re-deals exactly.",
)
@OWN_BOTS
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="For each lineup.")
@click.option("--players", type=int, help="How many play.  [default: as many as there are bots, if the game allows it]")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="What is agreed at the table.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the first game.")
@click.option(
    "--bot-seed", "--luck", type=click.IntRange(0), help="Of the bots, in the first game.  [default: the game's seed]"
)
@click.option("--note", "notes", multiple=True, metavar="VARIABLE", help="Count its values at the end too.")
@click.option("--actions", is_flag=True, help="Say how often each action was taken.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), help="Games that are played at once.  [default: one a core if they are many]"
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures for programs.")
@click.option(
    "--against", metavar="GAME", shell_complete=complete_game, help="Other rules, played on the same chances: compare."
)
def command(
    *,
    game: str,
    against: str | None,
    bots: str,
    own_bots: tuple[str, ...],
    games: int,
    players: int | None,
    options: tuple[str, ...],
    seed: int,
    bot_seed: int | None,
    notes: tuple[str, ...],
    actions: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Let bots play many games of a GAME, and count who wins, how long it takes and how it ends.

    All bots meet at one table where the seats suffice, taking turns in every seat on the same seeds; of more bots than
    seats, every choice of as many as there are seats is a lineup. So in a game for one player each bot plays alone.
    Intervals are Wilson's, at 95 %; games on one seed hang together, so they count for as many independent games as they
    are worth. The same command gives the same figures, whatever --jobs says. Ctrl-C ends it with the figures so far.

    \b
    Examples:
      rulelang arena outspeed --bots greedy,random --games 400
      rulelang arena exobase --bots planner:2000,greedy,random --games 1000 --jobs 2
      rulelang arena exobase --bots greedy --option hardcore=yes --note day
      rulelang arena exit_velocity --bots greedy --players 3 --note rounds --actions
      rulelang arena exobase --bots greedy --bot mine.py:careful --games 200
      rulelang arena outspeed --against outspeed+sprint --bots greedy --games 200
    """
    from rulelang.lab.arena import schedule, standings

    agreed = agreed_options(options)
    if against is not None:
        from .changes.comparing import Meeting, loaded_once, meant, report

        game, against, bots = meant(game, against), meant(against, game), ",".join((bots, *own_bots))
        meeting = Meeting(game, against, bots, games, players, seed, bot_seed, tuple(agreed.items()), jobs=jobs)
        report(meeting, loaded_once(game, against), as_json=as_json, more={"before": game, "after": against})
        return
    about, invited = load(game), invited_bots(bots, own_bots)
    low, high = about.players
    count = players if players is not None else min(max(len(invited), low), high)
    noted = _noted(about, notes)
    start = start_of(game, count, agreed, traced=are_traced(invited))
    _try(start, seed)
    fixtures = tuple(schedule(len(invited), count, games, seed, bot_seed))
    slots = tuple(about.internals.layout.states[state.id] for state in noted)
    processes = processes_for(len(fixtures), jobs, [game], invited)
    found = standings(_watched(_all_played(start, invited, fixtures, slots, processes), len(fixtures)))
    if as_json:
        told = [_data(standing, invited, noted, about) for standing in found]
        facts = {"game": game, "players": count, "options": agreed}
        facts |= {"first_seed": seed, "first_luck": seed if bot_seed is None else bot_seed}
        click.echo(json.dumps({**facts, "lineups": told}, indent=2))
    for standing in () if as_json else found:
        _print(standing, invited, noted, about, actions=actions)
    _refuse_faults(found)


def _refuse_faults(found: Sequence[Standing]) -> None:
    """Raises Refused if the rules failed in some game."""
    faults = [f"seed {seed}: {fault}" for standing in found for seed, fault in standing.faults]
    if faults:
        raise Refused("\n".join(["the rules went wrong:", *faults[:MOST_FAULTS]]))


# ------------------------------------------------------------------ the games


def _try(start: SeededStart, seed: int) -> None:
    """Refuses a number of players or an option that the game does not have, before any game is played."""
    try:
        start(seed)
    except RuntimeRules:
        raise
    except RulelangError as error:
        raise click.UsageError(str(error)) from None


def _all_played(
    start: SeededStart, bots: tuple[Bot, ...], fixtures: Sequence[Fixture], slots: tuple[int, ...], jobs: int
) -> Iterator[Played]:
    """Returns the results of the games in the order of the fixtures, however many processes play them."""
    from rulelang.lab.arena import play

    return spread(partial(play, start, bots, noted=slots), fixtures, jobs)


def _watched(played: Iterable[Played], count: int) -> Iterator[Played]:
    """Yields results and reports progress on standard error if
    that is a terminal; after the first, Ctrl-C ends them."""
    done = 0
    with click.progressbar(played, length=count, label="Games", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        try:
            for game in bar:
                yield game
                done += 1
        except KeyboardInterrupt:
            if not done:
                raise
    if done < count:
        click.echo(f"Stopped after {done} of {count} games.", err=True)


def _noted(game: Game, names: tuple[str, ...]) -> list[StateVariable]:
    """Returns the variables whose values are counted: turns and
    rounds, if the game has them, and the requested ones."""
    simple = {state.name: state for state in game.ir.states if not state.dimensions and not state.owner}
    for name in names:
        if name not in simple:
            raise click.UsageError(f"no variable of the game's own is called {name!r}{hint(name, simple)}")
    return [simple[name] for name in dict.fromkeys((*COUNTED, *names))]


# ------------------------------------------------------------------ results


def _print(standing: Standing, bots: tuple[Bot, ...], noted: list[StateVariable], game: Game, *, actions: bool) -> None:
    """Prints the statistics of one lineup."""
    rows = [_row(result, bots) for result in standing.results]
    print_table(("bot", "won", "of", "rate", "95 %", "mean score"), rows)
    plies = standing.plies
    middle = f"half of them {plies.quantile(0.25)} to {plies.quantile(0.75)}"
    click.echo(f"  choices: {plies.lowest} to {plies.highest}, {middle}, mean {plies.mean:.1f}")
    ends = [f"{_end(end)} {count}" for end, count in standing.ends[:MOST_ENDS]]
    click.echo(f"  ended: {', '.join(ends)}" + (", …" if len(standing.ends) > MOST_ENDS else ""))
    for state, counts in _told(noted, standing):
        if len(counts) > MOST_VALUES:
            click.echo(f"  {state.name}: {_spread(counts)}")
            continue
        values = [f"{_value(game, state, value)}: {all} ({won})" for value, (all, won) in counts.items()]
        click.echo(f"  {state.name} (of these won): {', '.join(values)}")
    if actions:
        _print_actions(standing)
    click.echo()


def _spread(counts: Mapping[int, tuple[int, int]]) -> str:
    from rulelang.lab.statistics import Spread

    spread = Spread.of(value for value, (all, _) in counts.items() for _ in range(all))
    parts = ", ".join(f"{percent} % up to {spread.quantile(percent / 100)}" for percent in (10, 50, 90))
    return f"{spread.lowest} to {spread.highest}; {parts}"


def _print_actions(standing: Standing) -> None:
    """Prints the number of times that each action was taken."""
    rows = [(f"  {name}", str(times), f"{times / standing.games:.2f}") for name, times in standing.taken]
    print_table(("  action", "times", "a game"), rows)


def _told(
    noted: list[StateVariable], standing: Standing
) -> Iterator[tuple[StateVariable, Mapping[int, tuple[int, int]]]]:
    """Yields the counts of values that are worth printing; a game without turns has none for them."""
    for state, counts in zip(noted, standing.noted, strict=True):
        if not state.builtin or set(counts) != {0}:
            yield state, counts


def _row(result: Result, bots: tuple[Bot, ...]) -> tuple[str, ...]:
    rate = result.rate
    interval = f"{100 * rate.low:.1f}–{100 * rate.high:.1f} %"
    score = "" if result.score is None else f"{result.score:.1f}"
    return bots[result.bot].name, f"{rate.wins:g}", f"{rate.games}", f"{100 * rate.rate:.1f} %", interval, score


def _end(end: tuple[str, str]) -> str:
    kind, rule = end
    return f"{kind} in {rule}" if rule else kind


def _value(game: Game, state: StateVariable, value: int) -> str:
    from rulelang.program.values import written

    return escaped(written(value, state.type, game.ir))


def _data(standing: Standing, bots: tuple[Bot, ...], noted: list[StateVariable], game: Game) -> dict[str, Any]:
    """Returns the figures for programs; lengths are pairs of a number of choices and the number of such games."""
    return {
        "games": standing.games,
        "bots": [
            {
                "bot": bots[result.bot].name,
                "won": result.rate.wins,
                "of": result.rate.games,
                "rate": round(result.rate.rate, 4),
                "interval": [round(result.rate.low, 4), round(result.rate.high, 4)],
                "mean_score": result.score,
            }
            for result in standing.results
        ],
        "choices": sorted(Counter(standing.plies.values).items()),
        "actions": dict(standing.taken),
        "ends": [{"how": how, "rule": rule, "games": count} for (how, rule), count in standing.ends],
        "noted": {
            state.name: [
                {"value": _value(game, state, value), "games": all, "won": won} for value, (all, won) in counts.items()
            ]
            for state, counts in _told(noted, standing)
        },
    }
