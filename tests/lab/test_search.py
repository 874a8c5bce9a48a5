"""The tree search of `mcts` in machine code: the numbers of its Python, and what is left to that."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

import rulelang
from rulelang.lab import mcts
from rulelang.lab.at_once import Tries
from rulelang.lab.bots import bot, play_on
from rulelang.lab.mcts import Search, halved
from rulelang.lab.seat_view import SeatView
from rulelang.machines.native.thinking import search
from rulelang.match.match import BareMatch
from rulelang.playouts.rng import RandomStream
from rulelang.program.llvm.frame import MOST_OPTIONS
from rulelang.program.results import Tried
from tests.games.classics import classic

pytest.importorskip("llvmlite")
REDEALS = Path(__file__).parents[1] / "redeals"

SAVINGS = """\
game savings "Savings":
  players PLAYERS
  seats red, blue

names p: Player

the game has:
  coins: 0..99 = 0
  debt: 0..99 = 0
  rounds: 0..8 = 0

action save(p, k: 1..4) "Save {k}":
  coins += k

action owe(p, k: 1..3) "Owe {k}":
  debt += k * k

play:
  turns p from first_player:
    p chooses one of save, owe
    rounds += 1
    if rounds == 8: finish with score coins - debt
"""


def begun(game: rulelang.api.Game, seed: int) -> BareMatch:
    return game.start(2, seed, executor="native", traced=False)


def at(game: rulelang.api.Game, plies: int, executor: str = "native") -> BareMatch:
    """Returns a match after so many choices."""
    match = game.start(min(game.ir.players), 5, executor=executor, traced=False)
    for _ in range(plies):
        match.push(match.options[0])
    return match


def searched(match: BareMatch, seed: int) -> Search:
    return Search(SeatView(match, match.to_move[0], RandomStream(seed)))


def by_machine(match: BareMatch, seed: int, iterations: int) -> list[Tried] | None:
    one = searched(match, seed)
    one.root()
    return one.tried_at_once(iterations)


def in_python(match: BareMatch, seed: int, iterations: int) -> list[Tried]:
    one = searched(match, seed)
    return one.tried_in_turn(one.root(), iterations)


def savings(players: str) -> rulelang.api.Game:
    checked = rulelang.check_text(SAVINGS.replace("PLAYERS", players))
    assert checked.game is not None, checked.diagnostics
    return checked.game


@pytest.mark.parametrize(
    "name", ["breakthrough", "connect_four", "ko", "nim", "othello", "pig", "tic_tac_toe", "1", "2"]
)
def test_machine_code_tries_each_option_as_often_as_python_and_is_as_content(name: str) -> None:
    game = savings(name) if name.isdigit() else classic(name)
    game.settle("native")
    for plies, seed, iterations in ((0, 1, 1), (1, 2, 60), (3, 3, 25)):
        match = at(game, plies)
        tried = by_machine(match, seed, iterations)
        assert tried
        assert tried == in_python(match, seed, iterations)


def test_a_tree_grows_while_it_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    match = at(classic("connect_four"), 2)
    wanted = by_machine(match, 1, 900)
    monkeypatch.setattr(search, "PIECE", 7)
    for name, value in (("FIRST_NODES", 2), ("FIRST_ARMS", MOST_OPTIONS + 1), ("MOST_KEPT", 1)):
        monkeypatch.setattr(search, name, value)
    native = match.position.machine.native  # type: ignore[attr-defined]
    native.tree.clear()
    assert by_machine(match, 1, 900) == wanted
    assert len(native.tree.nodes) == 2 * native.tree.node
    assert sum(one.taken for one in wanted or ()) == 900
    monkeypatch.setattr(search, "MOST_WORDS", 1)
    assert by_machine(match, 1, 900) is None


def test_threads_that_search_at_once_find_the_same() -> None:
    match = at(classic("connect_four"), 2)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda number: by_machine(match, number % 2, 400), range(6)))
    assert found[0] == found[2] == found[4] != found[1]
    assert found[1] == found[3] == found[5]


GOOFSPIEL = """\
game goofspiel "Goofspiel":
  players 2..3

names p, q: Player

kind Prize "prize":
  worth: 1..5
  | worth |
  | 1..5  |

the game has:
  prizes: pile of Prize, face down
  offered: slot for Prize, face up
each Player has:
  points: 0..99 = 0
  bids: set of 1..5 = {1, 2, 3, 4, 5}
  bid: 0..5 = 0

setup:
  move Prize to prizes
  shuffle(prizes)

action bid(p, n in p.bids) "Bid {n}":
  p.bid = n
  p.bids -= {n}

play:
  repeat 5 times:
    move top(prizes) to offered
    each p in players secretly chooses one of bid
    for p in players if p.bid == max(q.bid for q in players): p.points += offered.worth
    move offered to box
  finish with ranking p in players by highest p.points
"""


RUBIES = """\
game rubies "Rubies":
  players 2
  seats red, blue

names p, q: Player; s: Stone

enum Sort: ruby, opal, glass

kind Stone "stone":
  sort: Sort
  | copies | sort |
  | 3      | Sort |

the game has:
  bag: pile of Stone, face down
  shown: group of Stone, face up
each Player has:
  pouch: group of Stone, seen by owner
  left: slot for Stone, seen by owner

setup:
  move Stone to bag
  shuffle(bag)
  for p in players:
    move 3 of bag to p.pouch
    move top(bag) to p.left

action show_some(p, some in up to 2 of p.pouch) "Show {some}": move some to shown

action show_one(p, s in PLACES) "Show {s}": move s to shown

play:
  turns p from first_player:
    p chooses one of show_some, show_one, or pass
    if count(shown) > 4: finish with winner {q in players if count(q.pouch) == max(count(q.pouch) for q in players)}
"""


def written(text: str) -> rulelang.api.Game:
    checked = rulelang.check_text(text)
    assert checked.game is not None, checked.diagnostics
    return checked.game


def hidden(name: str) -> rulelang.api.Game:
    """Returns a game in which seats do not know all."""
    texts = {"goofspiel": GOOFSPIEL, "rubies": RUBIES.replace("PLACES", "p.pouch")}
    if name in texts:
        return written(texts[name])
    return classic(name) if name == "kuhn" else rulelang.load(REDEALS / f"{name}.rules")


@pytest.mark.parametrize(
    "name", ["goofspiel", "guessing", "hanabi", "kuhn", "leduc", "liars_dice", "passing", "rubies", "whist"]
)
def test_what_seats_do_not_know_is_dealt_anew_for_each_game(name: str) -> None:
    game = hidden(name)
    game.settle("native")
    for plies, seed, iterations in ((0, 1, 1), (1, 2, 150), (2 * (name != "kuhn"), 3, 40)):
        match = at(game, plies)
        tried = by_machine(match, seed, iterations)
        assert tried
        assert tried == in_python(match, seed, iterations)


def test_options_that_read_alike_are_left_to_python() -> None:
    game = written(RUBIES.replace("PLACES", "{s in Stone if s in p.pouch or s == p.left}"))
    game.settle("native")
    matches = (begun(game, seed) for seed in range(20))
    match = next(match for match in matches if any("#" in option.text for option in match.options))
    assert by_machine(match, 1, 10) is None
    assert sum(one.taken for one in in_python(match, 1, 10)) == 10


def test_a_step_that_machine_code_cannot_take_leaves_the_search_to_python() -> None:
    text = SAVINGS.replace("PLAYERS", "1").replace("coins += k", "coins += k * 8")
    checked = rulelang.check_text(text.replace("0..99 = 0\n  debt", "0..30 = 0\n  debt"))
    assert checked.game is not None, checked.diagnostics
    checked.game.settle("native")
    match = at(checked.game, 0)
    assert by_machine(match, 1, 50) is None
    assert sum(one.taken for one in in_python(match, 1, 50)) == 50


BETS = """\
game bets "Bets":
  players 2
  seats red, blue

names p: Player

die d6: 1..6
die coin: 0..1

each Player has:
  coins: 0..99 = 9
the game has:
  stake: 0..9 = 1
  rounds: 0..9 = 0

action bet(p, k: 1..3) "Bet {k}":
  needs k <= stake and k <= p.coins "Not so much"
  let face = roll(d6)
  if face > 3: p.coins += k
  if face <= 3: p.coins -= k

action fold(p) "Fold":
  p.coins -= 1

action raise(p) "Raise":
  needs stake < 3 "High enough"
  stake += 1

play:
  repeat:
    rounds += 1
    let who = red if roll(coin) == 0 else blue
    if roll(d6) < 3:
      who chooses one of raise, fold
    else:
      who chooses one of bet, raise, fold
    if red.coins == 0: finish with winner blue
    if blue.coins == 0: finish with winner red
    if rounds == 9: finish with winner {p in players if p.coins == max(q.coins for q in players)}
"""


@pytest.mark.parametrize("seed", range(3))
def test_dice_decide_who_is_asked_what(seed: int) -> None:
    checked = rulelang.check_text(BETS)
    assert checked.game is not None, checked.diagnostics
    checked.game.settle("native")
    match = at(checked.game, seed)
    tried = by_machine(match, seed, 200)
    assert tried
    assert tried == in_python(match, seed, 200)


def by_score(match: BareMatch, seed: int, iterations: int, *, by_machine: bool) -> list[object]:
    """Returns the worth of each try, and the option that is left."""
    one = searched(match, seed)
    root = one.root()
    texts = root.best_first[:6]
    tries = one.tries_at_once(texts, iterations) if by_machine else one.tries_in_turn(root, texts)
    assert tries is not None
    return noted(texts, iterations, tries)


def noted(texts: list[str], iterations: int, tries: Tries) -> list[object]:
    found: list[object] = []

    def tried(some: Sequence[str], many: int) -> list[list[float]] | None:
        worths = tries(some, many)
        found.append((tuple(some), worths))
        return worths

    found.append(halved(texts, iterations, tried))
    return found


@pytest.mark.parametrize(
    ("name", "players", "plies"),
    [
        *(("outspeed", 3, 0), ("exobase", 1, 9)),
        *(pytest.param(name, 2, 12, marks=pytest.mark.long) for name in ("exit_velocity", "empty_space")),
    ],
)
def test_what_the_score_says_of_candidates_is_the_same_in_machine_code(
    name: str, players: int, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcts, "FLAT", 4)
    game = rulelang.load(name)
    game.settle("native")
    for seed in range(2):
        match = game.start(players, seed, executor="native", traced=False)
        rng = RandomStream(seed)
        for _ in range(plies + 20 * seed):
            match.push(match.options.pick(rng.randrange))
        if len(match.options.first(2)) > 1:
            found = by_score(match, seed, 90, by_machine=True)
            assert found == by_score(match, seed, 90, by_machine=False)


@pytest.mark.parametrize("name", ["greedy", "mcts:20"])
def test_bots_choose_the_same_on_any_number_of_threads(name: str) -> None:
    game = rulelang.load("outspeed")
    game.settle("native")

    def played(seed: int) -> list[str]:
        match = game.start(3, seed, executor="native", traced=False)
        return [option.text for option in islice(play_on(match, (bot(name),) * 3, seed), 5)]

    alone = list(map(played, range(3)))
    for threads in (1, 2, 4):
        with ThreadPoolExecutor(threads) as pool:
            assert list(pool.map(played, range(3))) == alone
