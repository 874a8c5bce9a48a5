"""Rules that nobody would write, on every executor: each takes the same steps to the same rows, and tells the same.

agree(kind, seed)             plays the random program of a seed in lock step; returns the number of answers
played_alike(…, game, seed)   plays any game so
logged(seed)                  plays the random text of a seed as matches; returns the number of answers
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from itertools import islice
from unittest.mock import patch

import attrs

from rulelang import api
from rulelang.errors import RulelangError, Unsupported
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat
from rulelang.lab.policy import ScorePolicy
from rulelang.machines.chance import Dice, Seeded, stream_keys
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.interpreter import Interpreter
from rulelang.machines.machine import Answer, Machine
from rulelang.machines.native.optimiser import OPTIMISED, PLAIN
from rulelang.playouts.batch import Fresh, played
from rulelang.playouts.rng import RandomStream
from rulelang.playouts.stepper import Stepper
from rulelang.playouts.stepping import Batch
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import Compiled, compile_game
from rulelang.program.python.loadable import Shelf
from tests.fuzz.finding import Finding
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.circular_ir import circular_game
from tests.generators.history_ir import history_game
from tests.generators.ir import random_game
from tests.generators.large_ir import large_game
from tests.generators.lasting_ir import lasting_game, wide_game
from tests.generators.missing_ir import missing_game
from tests.generators.secrets import sketched
from tests.machines.attempts import attempt
from tests.machines.test_generated import Recorder, strange_answers
from tests.oracle.reference import ReferenceMachine

PROGRAMS: dict[str, Callable[[int], GameRules]] = {
    "any": random_game,
    "board": board_game,
    "turns": game_in_turns,
    "wide": wide_game,
    "lasting": lasting_game,
    "history": history_game,
    "missing": missing_game,
    "large": large_game,
    "circular": circular_game,
    "lasting_board": partial(board_game, make=lasting_game),
    "wide_board": partial(board_game, make=wide_game),
    "lasting_turns": partial(game_in_turns, make=lasting_game),
}
"""The kinds of random programs, by the names that findings begin with."""
STEPS = 200_000
"""The budget of a program: some run for ever, and a recorder keeps all that they tell."""
LONGEST = 40
"""The most answers of one game."""
BATCH = 5
"""The number of games in a batch."""
MOST_LISTED = 200
SLOW = "reference", "interpreting"
"""The machines that take part in lock step only: some programs use up their budget at every answer."""
FEW = 6
"""The most answers that a bot compares."""
AHEAD = 2
"""The number of choices of each side that it looks ahead."""
OFTEN = 4
"""Of so many positions, bots look at one."""
RARELY = 10
"""Of so many programs, one is optimised by LLVM, which takes longer than all the rest."""
HAS_NATIVE = find_spec("llvmlite") is not None


class Kept:
    """A shelf in memory: the code of steps is printed once for all machines; faster code is left to its own machine."""

    def __init__(self) -> None:
        self._made: dict[str, bytes] = {}

    def read(self, name: str) -> bytes | None:
        """Returns what is kept under a name."""
        return self._made.get(name)

    def write(self, name: str, data: bytes) -> None:
        """Keeps the code of steps as it is printed at first."""
        if name in ("traced", "untraced"):
            self._made[name] = data


def attack(choose: random.Random) -> None:
    """Plays one random program, or text, on all executors; raises Finding also where one ends with a traceback."""
    kind = choose.choice(tuple(PROGRAMS)) if choose.random() < 0.8 else "logged"
    found = f"{kind} {choose.randrange(10**9)}"
    try:
        again(found)
    except Finding:
        raise
    except Exception as crash:
        raise Finding(f"{type(crash).__name__}: {crash}", found) from crash


def again(found: str) -> int:
    """Plays what a finding names; returns the number of answers."""
    kind, seed = found.split()
    return logged(int(seed)) if kind == "logged" else agree(kind, int(seed))


def agree(kind: str, seed: int) -> int:
    """Plays a random program in lock step; returns the number of answers. Raises Finding where executors differ."""
    return played_alike(f"{kind} {seed}", PROGRAMS[kind](seed), seed)


def played_alike(content: str, game: GameRules, seed: int) -> int:
    """Plays a game in lock step; returns the number of answers. Raises Finding, of a content, where executors differ."""
    game, rng, many = attrs.evolve(game, steps=STEPS), random.Random(seed), 0
    is_traced = bool(seed % 2)
    makers, chance = _makers(game, seed, is_traced=is_traced), Seeded(seed, game, lay_out(game))
    machines = [make(chance) for make in makers.values()]
    for machine in machines:
        machine.trace = Recorder(machine) if is_traced else None

    def same(what: str, act: Callable[[Machine], object]) -> object:
        return _same(content, what, dict(zip(makers, map(act, machines), strict=True)))

    fewest, most = game.players
    players = rng.randint(min(max(fewest, 2), most), most)
    begun = same("the set-up", lambda machine: attempt(machine.begin, players, {}))
    while begun is None and many < LONGEST:
        answer = _looked_at(game, same, rng)
        if answer is None:
            break
        begun = same("an answer", lambda machine, answer=answer: attempt(machine.answer, *answer))  # type: ignore[misc]
        many += 1
        if rng.randrange(OFTEN) == 0:
            fast = {name: machine for name, machine in zip(makers, machines, strict=True) if name not in SLOW}
            _same(content, "what bots think", _thought(game, fast, rng, players))
    same("what it tells", lambda machine: machine.trace and machine.trace.told)  # type: ignore[attr-defined]
    if not is_traced:
        for what, play in WITHOUT_MATCH.items():
            shown = {name: play(game, make, players, seed) for name, make in makers.items() if name not in SLOW}
            _same(content, what, shown)
    return many


def _same(content: str, what: str, found: dict[str, object]) -> object:
    """Returns what all machines have found, by their names; raises Finding where one differs from the first."""
    (first, expected), *others = found.items()
    for name, one in others:
        if one != expected:
            raise Finding(f"the {name} machine differs in {what} from the {first} one", content)
    return expected


def _thought(game: GameRules, machines: dict[str, Machine], rng: random.Random, players: int) -> dict[str, object]:
    """Returns how bots see an answer on each machine: its worth, and the lead after some more answers."""
    layout, word = lay_out(game), rng.randrange(2**62)

    def worth(machine: Machine) -> object:
        if machine.pending is None:
            return None
        policy, seat = ScorePolicy(game, layout, players, RandomStream(word), few=FEW), machine.pending.seats[0]
        answer, dice = policy.choose(machine, seat), Dice(str(word), game, layout)
        lead = policy.lead_after(machine, seat, answer, dice, AHEAD, AHEAD)
        return answer, *policy.after_each(machine, seat, [answer]), lead, policy.looked, policy.rng.word

    return {name: _tried(worth, machine) for name, machine in machines.items()}


def _batch(game: GameRules, make: Fresh, players: int, seed: int) -> object:
    """Returns the results of some random games, which a machine may play in one go."""
    return played(game, lay_out(game), make, make, players, BATCH, seed=seed, most=LONGEST)


def _side_by_side(game: GameRules, make: Fresh, players: int, seed: int) -> object:
    """Returns what some games side by side show after each step."""
    rng, shown = random.Random(seed), list[object]()
    batch = Batch(*_numbered(game, make, seed), players, {}, BATCH, LONGEST)
    while any(batch.counts):
        options = [batch.options(number) for number, count in enumerate(batch.counts) if count <= MOST_LISTED]
        shown.append((list(batch.seats), list(batch.counts), options))
        batch.step([rng.randrange(count) if count and rng.random() < 0.9 else -1 for count in batch.counts])
    return shown, batch.results


def _alone(game: GameRules, make: Fresh, players: int, seed: int) -> object:
    """Returns what two games that are played by the numbers of options show."""
    rng, shown = random.Random(seed), list[object]()
    stepper = _tried(Stepper, *_numbered(game, make, seed), players, {})
    if not isinstance(stepper, Stepper):
        return stepper
    count: object = stepper.count
    for _ in range(LONGEST):
        there = stepper.count
        options = stepper.options if there <= MOST_LISTED else None
        shown.append((count, there, stepper.seat, options, stepper.winners))
        count = _tried(stepper.step, rng.randrange(there)) if there else _tried(stepper.restart)
    return shown


def _tried(act: Callable[..., object], *arguments: object) -> object:
    """Returns what comes of something that may also find too many options to count."""
    try:
        return attempt(act, *arguments)
    except RulelangError as error:
        return type(error), str(error)


def _numbered(
    game: GameRules, make: Fresh, seed: int
) -> tuple[Callable[[int], Machine], Callable[[Iterable[int]], array[int]]]:
    """Returns what makes the machine of a game by its number, and the keys of the streams of some games."""
    layout = lay_out(game)
    return (
        lambda number: make(Seeded(f"{seed}:{number}", game, layout)),
        lambda numbers: stream_keys((f"{seed}:{number}" for number in numbers), game),
    )


WITHOUT_MATCH = {"a batch of games": _batch, "games side by side": _side_by_side, "games by numbers": _alone}
"""The ways to play many games, each a function of a game, what makes its machine, the players and a seed."""


def _looked_at(
    game: GameRules, same: Callable[[str, Callable[[Machine], object]], object], rng: random.Random
) -> tuple[Seat, Answer] | None:
    """Compares a position; returns a random answer, None if there is none."""
    same("the row", lambda machine: machine.row[: machine.layout.size])
    pending = same("the question", lambda machine: machine.pending)
    whose = Seat(rng.randrange(len(game.seats)))
    same("a score", lambda machine: attempt(machine.score, whose))
    if pending is None:
        return None
    seat = rng.choice(pending.seats)  # type: ignore[attr-defined]
    found = same("the options", lambda machine: attempt(listed, machine, seat))
    for answer in rng.sample(strange_answers(game, pending.choice, rng), 3):  # type: ignore[attr-defined]
        same("a refusal", lambda machine, answer=answer: attempt(machine.refusal, seat, answer))  # type: ignore[misc]
    return (seat, rng.choice(found)) if isinstance(found, list) and found else None


def listed(machine: Machine, seat: Seat) -> list[Answer]:
    """Returns the first options of a seat."""
    return list(islice(machine.options(seat), MOST_LISTED))


def _makers(game: GameRules, seed: int, *, is_traced: bool) -> dict[str, Fresh]:
    """Returns what makes the machines of a program, by their names."""
    layout, shelf = lay_out(game), Kept()
    compiled = compile_game(game, layout, shelf)
    makers: dict[str, Fresh] = {
        "reference": lambda chance: ReferenceMachine(game, chance, layout),
        "interpreting": lambda chance: Interpreter(compiled, chance),
        "generated": lambda chance: GeneratedMachine(compiled, chance),
    }
    stepped = None if is_traced else stepped_by_playouts(game, shelf)
    if stepped is not None:
        makers["playouts'"] = lambda chance: GeneratedMachine(stepped, chance)
    if HAS_NATIVE:
        from rulelang.machines.native.code import made
        from rulelang.machines.native.machine import NativeMachine

        with suppress(Unsupported), only_plain_code(OPTIMISED if seed // 3 % RARELY == 0 else PLAIN):
            native = made(compiled)
            if is_traced and seed // 2 % OFTEN:
                native.told.compile()
            makers["native"] = lambda chance: NativeMachine(native, chance)
    return makers


def stepped_by_playouts(game: GameRules, shelf: Shelf | None = None) -> Compiled | None:
    """Returns a game whose single steps are taken by the code of playouts; None if it has none."""
    compiled = compile_game(game, lay_out(game), shelf)
    plain = None if any(choice.sealed for choice in game.choices) else compiled.plain.prepare()
    compiled.plain.code = plain and attrs.evolve(plain, is_stepped=True)
    return compiled if plain else None


@contextmanager
def only_plain_code(effort: int = PLAIN) -> Iterator[None]:
    """Leaves machine code as it is at first, made with some effort: no other process makes it faster."""
    with (
        patch("rulelang.machines.native.code.Optimising", lambda *_: None),
        patch("rulelang.machines.native.compiler.PLAIN", effort),
        patch("rulelang.machines.native.telling.PLAIN", effort),
    ):
        yield


def logged(seed: int) -> int:
    """Plays a random text as matches on all executors; returns the number of answers. Raises Finding where events, keys
    or logs differ."""
    game = api.check_text(sketched(random.Random(seed))).game
    if game is None:
        return 0
    names = ["generated", "reference", *(["native"] if HAS_NATIVE else [])]
    with only_plain_code():
        matches = [game.start(seed=seed, executor=name) for name in names]
    rng, many = random.Random(seed), 0
    while matches[0].to_move and many < LONGEST:
        option = matches[0].options.pick(rng.randrange)
        said = f"{matches[0].seats[option.seat]}: {option}"
        events = [attempt(lambda match, said=said: list(match.play(said)), match) for match in matches]
        if any(one != events[0] for one in events):
            raise Finding("events differ", f"logged {seed}")
        if not isinstance(events[0], list):
            break
        many += 1
    if len({match.log.text for match in matches}) > 1:
        raise Finding("logs differ", f"logged {seed}")
    if len({repr(match.key) for match in (matches[0], *matches[2:])}) > 1:
        raise Finding("keys differ", f"logged {seed}")
    return many
