"""`rulelang bench`: how fast games run here, as ratios within one run.

Every round measures all contestants of a race one after the other, and the median over the rounds counts: so a machine
that is busy or slow moves all of them alike. Absolute figures are guides.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

import attrs
import click

from ..argument import load
from ..exits import Refused

Work: TypeAlias = Callable[[], int]
"""Does a piece of work and says how much: plies, copies."""


@attrs.frozen
class Contestant:
    """One way to do it; the others of its race are compared with the one that `is_base`."""

    name: str
    work: Work
    is_base: bool = False


@attrs.frozen
class Race:
    """Several ways to do the same thing."""

    name: str
    unit: str
    contestants: tuple[Contestant, ...]


@attrs.frozen
class Figure:
    """The result of one contestant: how much a second, and the ratio to the base."""

    race: str
    name: str
    unit: str
    rate: float
    ratio: float


@click.command("bench")
@click.option("--seconds", default=0.3, show_default=True, help="For each contestant in each round.")
@click.option("--rounds", default=5, show_default=True, help="Of which the median counts.")
@click.option("--only", metavar="WORDS", help="Only races with these words in their names.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures for programs.")
def command(*, seconds: float, rounds: int, only: str | None, as_json: bool) -> None:
    """Measure how fast games run here.

    Random games of Outspeed and of the classic games on both executors, Connect Four against Python written by hand and
    against OpenSpiel where that is installed, playouts of board games as machine code where llvmlite is, a fork against a bare copy, a letter typed into the largest game until its
    diagnostics are there, and what it takes to start.

    \b
    Examples:
      rulelang bench
      rulelang bench --only connect --rounds 9
    """
    figures: list[Figure] = []
    races = list(_races())
    for race in races:
        if only is None or only.casefold() in race.name.casefold():
            found = run(race, seconds, max(rounds, 1))
            figures += found
            if not as_json:
                _print(found)
    if not figures:
        raise Refused(f"no race has `{only}` in its name (there are: {', '.join(race.name for race in races)})")
    guides = _guides(max(rounds, 1)) if only is None else {}
    if as_json:
        click.echo(json.dumps({"figures": [attrs.asdict(f) for f in figures], "guides_ms": guides}, indent=2))
        return
    for name, milliseconds in guides.items():
        click.echo(f"{name:<44}{milliseconds:>12,.0f} ms")
    if only is None and _checkout() is None:
        click.echo(
            "\nThe classic games and the Python written by hand are in the checkout only: run this there for them."
        )


def run(race: Race, seconds: float, rounds: int) -> list[Figure]:
    """Measures all contestants of a race, round by round."""
    rates: dict[str, list[float]] = {contestant.name: [] for contestant in race.contestants}
    for _ in range(rounds):
        for contestant in race.contestants:
            rates[contestant.name].append(_rate(contestant.work, seconds))
    base = next((c.name for c in race.contestants if c.is_base), race.contestants[0].name)
    figures = []
    for name, measured in rates.items():
        ratio = median(mine / other for mine, other in zip(measured, rates[base], strict=True))
        figures.append(Figure(race.name, name, race.unit, median(measured), ratio))
    return figures


def _rate(work: Work, seconds: float) -> float:
    done, start = 0, perf_counter()
    while (taken := perf_counter() - start) < seconds or not done:
        done += work()
    return done / taken


def _print(figures: list[Figure]) -> None:
    for i, figure in enumerate(figures):
        title = figure.race if i == 0 else ""
        rate = f"{figure.rate:,.0f} {figure.unit}/s"
        click.echo(f"{title:<20}{figure.name:<24}{rate:>22}{figure.ratio:>9.2f} ×")
    click.echo()


# ------------------------------------------------------------------ races


def _races() -> Iterator[Race]:
    yield _executors("outspeed", "outspeed", 4)
    checkout = _checkout()
    for path in sorted((checkout / "tests" / "classics").glob("*.rules")) if checkout else ():
        yield _executors(path.stem, str(path), None)
    yield from _boards(checkout)
    yield from _against_others(checkout)
    yield _forks()
    yield _keystrokes()


def _checkout() -> Path | None:
    """Returns the checkout that this runs from, if it does."""
    import rulelang

    root = Path(rulelang.__file__).resolve().parent.parent
    return root if (root / "tests" / "classics").is_dir() else None


def _executors(title: str, name: str, players: int | None) -> Race:
    contestants = tuple(
        Contestant(executor, _playouts(name, players, executor), executor == "reference")
        for executor in ("reference", "generated")
    )
    return Race(title, "plies", contestants)


def _playouts(name: str, players: int | None, executor: str) -> Work:
    """Returns a function that plays one random game and returns how many choices it took."""
    from rulelang.machines.chance import Seeded
    from rulelang.playouts.playout import playout
    from rulelang.playouts.rng import Luck

    game = load(name)
    luck = Luck("bench", name)
    chance = Seeded("bench", game.ir, game.layout)
    fresh, count = game.machine(executor), players or game.players[0]

    def play() -> int:
        machine = fresh(chance)
        machine.begin(count, {})
        return playout(machine, luck)

    return play


BOARDS = ("tic_tac_toe", "connect_four", "othello", "breakthrough")
"""Classics that are compiled to machine code, and that OpenSpiel has."""
BATCH = 64
"""So many playouts are one piece of work."""


def _boards(checkout: Path | None) -> Iterator[Race]:
    """Whole random games of the board games: on each executor that can, and by OpenSpiel."""
    spiel = _pyspiel()
    for name in BOARDS if checkout is not None else ():
        path = str(checkout / "tests" / "classics" / f"{name}.rules")  # type: ignore[operator]
        rivals = [Contestant("generated", _many(path, "generated"), True)]
        if importlib.util.find_spec("llvmlite") is not None:
            rivals.append(Contestant("native", _many(path, "native")))
        if spiel is not None:
            rivals.append(Contestant("OpenSpiel C++", _open_spiel(spiel, name)))
        yield Race(f"many {name}", "plies", tuple(rivals))


def _many(name: str, executor: str) -> Work:
    """Returns what plays many random games at once, and says how many choices they took."""
    game, seeds = load(name), itertools.count()
    return lambda: sum(game.playouts(BATCH, seed=next(seeds), executor=executor).lengths)


def _against_others(checkout: Path | None) -> Iterator[Race]:
    """Connect Four and Tic-tac-toe in other people's engines."""
    if checkout is None:
        return
    by_hand = _by_hand(checkout / "benchmarks" / "connect_four.py")
    classics = checkout / "tests" / "classics"
    generated = _playouts(str(classics / "connect_four.rules"), None, "generated")
    rivals = [Contestant("Python by hand", lambda: by_hand(random.Random(7)), True), Contestant("generated", generated)]
    spiel = _pyspiel()
    if spiel is not None:
        rivals.append(Contestant("OpenSpiel C++", _open_spiel(spiel, "connect_four")))
    yield Race("connect four", "plies", tuple(rivals))
    if spiel is not None:
        importlib.import_module("open_spiel.python.games.tic_tac_toe")
        yield Race(
            "tic-tac-toe",
            "plies",
            (
                Contestant("OpenSpiel Python", _open_spiel(spiel, "python_tic_tac_toe"), True),
                Contestant("generated", _playouts(str(classics / "tic_tac_toe.rules"), None, "generated")),
                Contestant("OpenSpiel C++", _open_spiel(spiel, "tic_tac_toe")),
            ),
        )


def _by_hand(path: Path) -> Callable[[random.Random], int]:
    spec = importlib.util.spec_from_file_location("connect_four", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    playout: Callable[[random.Random], int] = module.playout
    return playout


def _pyspiel() -> Any:
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def _open_spiel(pyspiel: Any, name: str) -> Work:
    game = pyspiel.load_game(name)
    luck = random.Random(7)

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(luck.choice(state.legal_actions()))
            plies += 1
        return plies

    return play


def _forks() -> Race:
    """A fork of the machine that people play on, against a bare copy of its row."""
    match = load("outspeed").start(4, 7, traced=False)
    machine, row = match.position.machine, list(match.position.row)

    def forks() -> int:
        for _ in range(1000):
            machine.fork()
        return 1000

    def copies() -> int:
        for _ in range(1000):
            row[:]
        return 1000

    return Race("fork of outspeed", "copies", (Contestant("bare row", copies, True), Contestant("fork", forks)))


LARGEST = "exit_velocity"
"""The game with the most text."""


TYPED = (
    ("a comment", "play:\n", "# {}\nplay:\n"),
    ("a statement", "    seated += 1\n", "    seated += 1\n    let one = {}\n"),
    ("a variable's range", "  seated: 0..8 = 0", "  seated: 0..{} = 0"),
)
"""What is typed into the largest game: with a number that is another one each time."""


def _keystrokes() -> Race:
    """From an edit of the largest game to its diagnostics, in a workspace and from nothing."""
    from rulelang.texts.reader import find_entry
    from rulelang.workspace.workspace import Workspace

    entry = find_entry(LARGEST)
    text = entry.read_text(encoding="utf-8")
    opened = Workspace()

    def type_on(workspace: Workspace, old: str, new: str) -> int:
        workspace.put(entry, text.replace(old, new.format(10 + workspace.version), 1))
        if any(d.is_error for d in workspace.diagnostics(entry)):
            raise Refused(f"{LARGEST} has faults")
        return 1

    contestants = (
        Contestant("from nothing", lambda: type_on(Workspace(), *TYPED[0][1:]), True),
        *(Contestant(name, partial(type_on, opened, old, new)) for name, old, new in TYPED),
    )
    return Race("keystroke", "checks", contestants)


# ------------------------------------------------------------------ guides


def _guides(rounds: int) -> dict[str, float]:
    """Returns what it takes to start, in milliseconds: each in a fresh interpreter, without what that takes by
    itself."""
    empty = _milliseconds(["-c", "pass"], rounds)
    main = __package__ or "cli"
    return {
        "an empty interpreter": empty,
        "import rulelang, beyond it": _milliseconds(["-c", "import rulelang"], rounds) - empty,
        "rulelang --help, whole": _milliseconds(["-m", main, "--help"], rounds),
        "load an unchanged game, beyond it": _milliseconds(["-c", "import rulelang; rulelang.load('outspeed')"], rounds)
        - empty,
        f"a keystroke in {LARGEST} to its diagnostics": _keystroke(rounds),
    }


def _keystroke(rounds: int) -> float:
    """Returns what one more letter takes in an open workspace, in milliseconds."""
    work = _keystrokes().contestants[1].work
    work()
    taken = []
    for _ in range(rounds):
        start = perf_counter()
        work()
        taken.append(perf_counter() - start)
    return median(taken) * 1000


def _milliseconds(words: list[str], rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        start = perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        taken.append(perf_counter() - start)
    return median(taken) * 1000
