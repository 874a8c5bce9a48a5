"""The races of `rulelang bench`.

Board games are played at random by Python and C that were written by hand (`benchmarks/`), by OpenSpiel where that is
installed, and from the rules: on each executor without a match (`playouts`), and as a user of the API plays them.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang.ir.numbers import Seat

from ...argument import load
from ...exits import Refused
from .api import api_races
from .boards import board_races
from .bots import bot_races
from .logs import log_races
from .race import Contestant, Race, Work

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.api.match import Match

SHIPPED = ("outspeed", "empty_space", "exobase", "exit_velocity")
BOARDS = ("tic_tac_toe", "connect_four", "othello", "breakthrough")
"""The classics that are written by hand in `benchmarks/` and are in OpenSpiel."""
DEALT = {"whist_52": 31, "hearts": 6, "hanabi": 8}
"""The games of `tests/redeals/` in which hidden cards are dealt anew, and the number of choices before that."""
BATCH = 64
"""The number of playouts, or of games that are stepped together, in one piece of work."""
MANY = 4000
"""The number of playouts of machine code in one piece of work, which C plays as many of at once."""
LONGEST = 300
"""The most choices of a game in a race, so that all contestants play games of the same length."""


def races(game: str | None) -> Iterator[Race]:
    """Yields the races of all games, or those of one."""
    if game is not None:
        yield Race(game, "plies", partial(ways_to_play, game))
        return
    checkout = checked_out()
    for name in SHIPPED:
        yield Race(name, "plies", partial(ways_to_play, name))
    for path in sorted((checkout / "tests" / "classics").glob("*.rules")) if checkout else ():
        if path.stem not in BOARDS:
            yield Race(path.stem, "plies", partial(ways_to_play, str(path)))
    for name in BOARDS if checkout else ():
        assert checkout is not None
        yield Race(name, "plies", partial(board, name, checkout))
    yield Race("fork of outspeed", "copies", forks)
    for name in SHIPPED:
        yield Race(f"replay of {name}", "choices", partial(replays, name))
    for name, plays in DEALT.items() if checkout else ():
        assert checkout is not None
        yield Race(
            f"redeals of {name}",
            "deals",
            partial(redeals, str(checkout / "tests" / "redeals" / f"{name}.rules"), plays),
        )
    yield from bot_races(checkout, _pyspiel())
    yield from api_races(checkout, by_hand_in)
    yield from log_races()
    yield from board_races(checkout, _pyspiel()) if _has_llvm() else ()
    yield Race("keystroke", "checks", keystrokes)


def redeals(path: str, plays: int) -> tuple[Contestant, ...]:
    """Returns the contestants for re-deals in the middle of a match: by default, as bots think in them, of the next
    moment each time, and the same match played to there again, against which they are held."""
    from rulelang.match.redeals.redeal import redeals as thought

    game, rng = load(path), random.Random(7)

    def played(more: int = plays) -> Match:
        match, chooser = game.start(seed=7), random.Random(7)
        for _ in range(more):
            match.push(chooser.choice(match.options.first(LONGEST)))
        return match

    there, bots = played(), thought(played(), Seat(0), rng, thinking=True)

    def at_the_next_moment() -> int:
        after = there.fork()
        after.push(after.options.first(1)[0])
        return int(after.redeal(0, rng).exact)

    def done(*_: object) -> int:
        return 1

    return (
        Contestant("the match played anew", lambda: done(played().events), is_base=True),
        Contestant("by default", lambda: int(there.redeal(0, rng).exact)),
        Contestant("one choice later", at_the_next_moment),
        Contestant("for bots", lambda: done(next(bots))),
    )


def checked_out() -> Path | None:
    """Returns the checkout from which this runs; None if it is installed."""
    import rulelang

    root = Path(rulelang.__file__).resolve().parent.parent
    return root if (root / "tests" / "classics").is_dir() else None


def ways_to_play(name: str) -> tuple[Contestant, ...]:
    """Returns the contestants for random games: without a match on each executor, and through the API."""
    return (
        Contestant("generated", _one_by_one(name, "generated"), is_base=True),
        Contestant("reference", _one_by_one(name, "reference")),
        *_through_the_api(name),
        *(_through_the_api_on_machine_code(name) if _has_llvm() else ()),
    )


def board(name: str, checkout: Path) -> tuple[Contestant, ...]:
    """Returns the contestants for random games of a board game, hand-written ones included."""
    path, spiel = str(checkout / "tests" / "classics" / f"{name}.rules"), _pyspiel()
    by_hand = by_hand_in(checkout / "benchmarks" / f"{name}.py").playout
    rng = random.Random(7)
    contestants = [
        Contestant("Python by hand", lambda: int(by_hand(rng)), is_base=True),
        Contestant("reference", _one_by_one(path, "reference")),
        Contestant("playouts", _many(path, "generated", BATCH)),
        *_through_the_api(path),
    ]
    if _has_llvm():
        contestants.append(Contestant("playouts, native", _many(path, "native", MANY)))
        contestants += _through_the_api_on_machine_code(path)
        contestants.append(Contestant("play_batch, native", _stepped(path, "native")))
        contestants.append(Contestant("stepper, native", _step_by_step(path, "native")))
    if spiel is not None:
        contestants.append(Contestant("OpenSpiel C++", _open_spiel(spiel, name)))
    if shutil.which("cc") is not None:
        contestants.append(
            Contestant("C by hand", None, timed=partial(_in_c, checkout / "benchmarks" / "boards.c", name))
        )
    return tuple(contestants)


def _through_the_api(name: str) -> tuple[Contestant, ...]:
    return (
        Contestant("API", _match(name, traced=False)),
        Contestant("API, traced", _match(name, traced=True)),
        Contestant("API, all read", _match(name, traced=True, reads=True)),
    )


def _has_llvm() -> bool:
    return importlib.util.find_spec("llvmlite") is not None


def _through_the_api_on_machine_code(name: str) -> tuple[Contestant, ...]:
    return (
        Contestant("API, native", _match(name, traced=False, executor="native")),
        Contestant("API, native, traced", _match(name, traced=True, executor="native")),
    )


def _settled(name: str, executor: str) -> Game:
    """Returns a game that an executor plays as fast as it will."""
    game = load(name)
    game.settle(executor)
    return game


def _match(name: str, *, traced: bool, reads: bool = False, executor: str = "generated") -> Work:
    """Returns a function that plays a random game through the API and returns the number of choices."""
    game, rng, seeds = _settled(name, executor), random.Random(7), itertools.count()

    def play() -> int:
        match, plies = game.start(seed=next(seeds), traced=traced, executor=executor), 0
        while match.to_move and plies < LONGEST:
            match.push(match.options.pick(rng.randrange))
            plies += 1
        if reads:
            len(match.events)
        return plies

    return play


def _one_by_one(name: str, executor: str) -> Work:
    """Returns a function that plays one random game and returns the number of choices."""
    from rulelang.machines.chance import Seeded
    from rulelang.playouts.playout import playout
    from rulelang.playouts.rng import RandomStream

    game = _settled(name, executor)
    rng = RandomStream("bench", name)
    chance = Seeded("bench", game.ir, game.internals.layout)
    fresh, count = game.internals.machine(executor), game.players[0]

    def play() -> int:
        machine = fresh(chance)
        machine.begin(count, {})
        return playout(machine, rng, LONGEST)

    return play


def _many(name: str, executor: str, many: int) -> Work:
    """Returns a function that plays many random games at once and returns the number of choices."""
    from rulelang.program.python.playing import WORTH_PRINTING

    game, seeds, played = _settled(name, executor), itertools.count(), 0

    def play() -> int:
        return sum(game.playouts(many, seed=next(seeds), executor=executor).lengths)

    while executor == "generated" and played < WORTH_PRINTING:
        # What is printed once it is worth it is printed before the race.
        played += play()
    return play


def _stepped(name: str, executor: str) -> Work:
    """Returns a function that steps many random games together, with
    answers drawn in Python, and returns the number of choices."""
    game, seeds, drawn = _settled(name, executor), itertools.count(), random.Random(7).random

    def play() -> int:
        batch = game.play_batch(BATCH, seed=next(seeds), at_most=LONGEST, executor=executor)
        while any(batch.counts):
            batch.step([int(drawn() * count) if count else -1 for count in batch.counts])
        return sum(batch.results.lengths)

    return play


def _step_by_step(name: str, executor: str) -> Work:
    """Returns a function that plays one random game by the numbers of options and returns the number of choices."""
    stepper, drawn = load(name).stepper(executor=executor), random.Random(7).random
    step, restart = stepper.step, stepper.restart

    def play() -> int:
        plies, count = 0, restart()
        while count and plies < LONGEST:
            count = step(int(drawn() * count))
            plies += 1
        return plies

    return play


def by_hand_in(path: Path) -> Any:
    """Returns a module of `benchmarks/`."""
    spec = importlib.util.spec_from_file_location(f"by_hand_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _in_c(source: Path, name: str, seconds: float) -> tuple[int, float]:
    """Returns the plies of random games that a C program plays in a number of seconds, and the seconds it took."""
    many, taken, plies = 1000, 0.0, 0
    while taken < seconds or not plies:
        words = [_compiled(source), name, str(many), "7"]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        plies, taken = int(said[0]), float(said[1])
        many = int(many * min(max(1.2 * seconds / max(taken, 1e-4), 2), 100))
    return plies, taken


@cache
def _compiled(source: Path) -> str:
    """Returns the path of the compiled program, in a temporary folder of its own."""
    program = Path(tempfile.mkdtemp(prefix="rulelang-bench-")) / source.stem
    subprocess.run(["cc", "-O2", "-o", str(program), str(source)], check=True)
    return str(program)


def _pyspiel() -> Any:
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def _open_spiel(pyspiel: Any, name: str) -> Work:
    game, drawn = pyspiel.load_game(name), random.Random(7).random

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(drawn() * len(actions))])
            plies += 1
        return plies

    return play


def replays(name: str) -> tuple[Contestant, ...]:
    """Returns the contestants for one random game: played by a bare
    machine, and replayed from its log with and without comparing.


    Rates are choices a second: a replay that takes 1.3 times as long as its playout has a ratio of 0.77.
    """
    from io import BytesIO

    from rulelang import api
    from rulelang.log.reading import parse_log
    from rulelang.machines.chance import Seeded
    from rulelang.playouts.playout import playout
    from rulelang.playouts.rng import RandomStream

    game = load(name, quiet=True)
    match, rng = game.start(game.players[0], seed="bench"), random.Random(7)
    while match.to_move and match.inputs < LONGEST:
        match.push(rng.choice(list(match.options)))
    text = match.log.text.encode()
    log, fresh = parse_log(BytesIO(text)), game.internals.machine("generated")

    def bare() -> int:
        machine = fresh(Seeded("bench", game.ir, game.internals.layout))
        machine.begin(game.players[0], {})
        return playout(machine, RandomStream("bench", name), LONGEST)

    def again(compares: bool) -> int:
        if api.replay(log, under=game, compares=compares).difference is not None:
            raise Refused(f"a log of {name} differs from its own rules")
        return log.choices

    return (
        Contestant("playout", bare, True),
        Contestant("replay, not compared", lambda: again(False)),
        Contestant("replay, compared", lambda: again(True)),
        Contestant("opening it", lambda: parse_log(BytesIO(text)).choices),
    )


def forks() -> tuple[Contestant, ...]:
    """Returns the contestants for a fork of the generated machine and a bare copy of its row."""
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

    return Contestant("bare row", copies, True), Contestant("fork", forks)


LARGEST = "exit_velocity"
"""The game with the most text."""


TYPED = (
    ("a comment", "play:\n", "# {}\nplay:\n"),
    ("a statement", "    seated += 1\n", "    seated += 1\n    let one = {}\n"),
    ("a variable's range", "  seated: 0..8 = 0", "  seated: 0..{} = 0"),
)
"""The edits of the largest game: a name, the old text, and the new text with a number that changes each time."""


def keystrokes() -> tuple[Contestant, ...]:
    """Returns the contestants for diagnostics after an edit of the largest game: in a workspace and from scratch."""
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

    return (
        Contestant("from nothing", lambda: type_on(Workspace(), *TYPED[0][1:]), True),
        *(Contestant(name, partial(type_on, opened, old, new)) for name, old, new in TYPED),
    )
