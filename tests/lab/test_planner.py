"""The tries of `planner` in machine code: the numbers of its Python, and what is left to that."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import attrs
import pytest

import rulelang
from rulelang.lab.bots import bot
from rulelang.lab.greedy import ranked
from rulelang.lab.planner import Thought, TriesAhead
from rulelang.lab.seat_view import SeatView
from rulelang.machines.native.thinking import planning
from rulelang.match.match import BareMatch
from rulelang.playouts.rng import RandomStream

pytest.importorskip("llvmlite")

CAREFUL = """\
game careful "Careful":
  players 2
  seats red, blue

names p, q: Player

die d6: 1..6

the game has:
  rounds: 0..9 = 0
each Player has:
  coins: 0..MOST = 9
  mood: 1..3 = 2, seen by owner

value score(p) = 10 * p.coins + p.mood

action bet(p, k: 1..3) "Bet {k}":
  needs k <= p.coins "Not so much"
  let face = roll(d6)
  if face > p.mood: p.coins += k
  if face <= p.mood: p.coins -= k

action wait(p) "Wait":
  p.mood = 3

play:
  turns p from first_player:
    p chooses one of bet, wait
    rounds += 1
    if rounds == 9: finish with ranking q in players by highest q.coins
"""


@attrs.define
class Noted:
    """Tries, and the result of each round."""

    tries: TriesAhead
    rounds: list[object] = attrs.field(factory=list)

    def tried(self, candidates: Sequence[int], until: int) -> tuple[int, list[float]] | None:
        """Tries some options, and notes what they led to."""
        found = self.tries.tried(candidates, until)
        self.rounds.append((tuple(candidates), found))
        return found


def thought(match: BareMatch, positions: int, *, at_once: bool) -> list[object] | None:
    """Returns what each option led to in each round, and the one that is left; None if machine code cannot go on."""
    one = Thought(SeatView(match, match.to_move[0], RandomStream(7)), positions)
    scores = dict(ranked(one.seen, one.deals, one.policy)[: one.candidates])
    tries = (one.tries_at_once if at_once else one.tries_in_turn)(list(scores), 11)
    if tries is None:
        return None
    noted = Noted(tries)
    best = one.halved(scores, noted)
    return None if best is None else [*noted.rounds, best.text]


def midway(game: rulelang.Game, players: int, seed: int, plies: int, executor: str = "native") -> BareMatch:
    """Returns a match after some random choices, at one between several options."""
    match, rng = game.start(players, seed, executor=executor, traced=False), RandomStream(seed)
    while plies > 0 or len(match.options.first(2)) < 2:
        match.push(match.options.pick(rng.randrange))
        plies -= 1
    return match


def careful(most: int) -> rulelang.Game:
    checked = rulelang.check_text(CAREFUL.replace("MOST", str(most)))
    assert checked.game is not None, checked.diagnostics
    checked.game.settle("native")
    return checked.game


@pytest.mark.parametrize(
    ("name", "players", "plies"),
    [
        *(("careful", 2, 1), ("outspeed", 3, 5), ("exobase", 1, 9)),
        *(pytest.param(name, 2, 12, marks=pytest.mark.long) for name in ("exit_velocity", "empty_space")),
    ],
)
def test_what_options_lead_to_is_the_same_in_machine_code(
    name: str, players: int, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = careful(99) if name == "careful" else rulelang.load(name)
    game.settle("native")
    for seed, positions, piece in ((1, 1, 100_000), (2, 400, 1), (3, 900, 100_000)):
        monkeypatch.setattr(planning, "PIECE", piece)
        found = thought(midway(game, players, seed, plies), positions, at_once=True)
        assert found is not None
        for executor in ("native", "generated"):
            assert found == thought(midway(game, players, seed, plies, executor), positions, at_once=False)


def test_a_step_that_machine_code_cannot_take_leaves_the_search_to_python() -> None:
    match = careful(9).start(2, 1, executor="native", traced=False)
    assert thought(match, 300, at_once=True) is None
    assert thought(match, 300, at_once=False) is not None
    assert bot("planner:300").choose(SeatView(match, 0, RandomStream(3))).text


def test_threads_that_plan_at_once_find_the_same() -> None:
    game = rulelang.load("outspeed")
    game.settle("native")
    alone = [thought(midway(game, 3, seed, 4), 300, at_once=True) for seed in range(4)]
    for threads in (1, 2, 4):
        with ThreadPoolExecutor(threads) as pool:
            found = pool.map(lambda seed: thought(midway(game, 3, seed, 4), 300, at_once=True), range(4))
            assert list(found) == alone


def test_a_bot_that_looks_ahead_in_python_needs_no_code_that_tells_a_trace() -> None:
    match = careful(99).start(2, 1, executor="generated", traced=False)
    assert bot("planner:100").choose(SeatView(match, 0, RandomStream(3))).text
    compiled = match.position.machine.compiled  # type: ignore[attr-defined]
    assert compiled.kept("untraced") is not None
    assert compiled.kept("traced") is None
