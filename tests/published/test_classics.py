"""The language against the world: node counts, positions and game values that others have published."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.machines.machine import Answer, Machine
from rulelang.match.match import BareMatch
from rulelang.scenarios.run import run_scenarios
from tests.files import CLASSICS, TESTS
from tests.games.classics import NAMES, classic, machine_of, perft
from tests.seeds import rest_long

CONNECT_FOUR = (7, 49, 343, 2401, 16807, 117649, 823536)


@pytest.mark.parametrize("depth", rest_long(range(1, 8), 1, 2, 3, 4, 5))
def test_connect_four_has_the_known_numbers_of_openings(depth: int) -> None:
    assert perft(machine_of(classic("connect_four"), "generated", 2), depth) == CONNECT_FOUR[depth - 1]


@pytest.mark.long
def test_the_reference_counts_the_same_openings() -> None:
    assert perft(machine_of(classic("connect_four"), "reference", 2), 4) == CONNECT_FOUR[3]


OTHELLO = (4, 12, 56, 244, 1396, 8200)
"""Positions after so many discs and passes; passes that are forced count as moves."""


@pytest.mark.parametrize("depth", rest_long(range(1, 7), 1, 2, 3, 4, 5))
def test_othello_has_the_known_numbers_of_openings_where_lone_options_are_asked(depth: int) -> None:
    game = classic("othello")
    assert perft(machine_of(game, "generated", 2, lone="asked"), depth) == OTHELLO[depth - 1]
    if depth < 4:
        assert perft(machine_of(game, "reference", 2, lone="asked"), depth) == OTHELLO[depth - 1]
    assert (perft(machine_of(game, "generated", 2), depth) == OTHELLO[depth - 1]) == (depth < 6)


CHESS_RULES = TESTS / "perft" / "chess.rules"
"""Apart from the classics, which are played at random on the reference machine: there it is slow."""
CHESS = {"opening": (20, 400, 8902), "fifth": (44, 1486, 62379)}
"""Moves to so many plies from the opening, and from the fifth of the positions that programs are tried on."""


@pytest.mark.long
@pytest.mark.parametrize("position", CHESS)
def test_chess_has_the_known_numbers_of_moves_where_lone_options_are_asked(position: str) -> None:
    game = api.load(CHESS_RULES)
    for executor, depth in (("generated", 3), ("reference", 1)):
        match = game.start(options={"position": position}, lone="asked", executor=executor, traced=False)
        counts = [perft(match.position.machine, plies) for plies in range(1, depth + 1)]
        assert counts == [*CHESS[position][:depth]]


def test_options_and_play_count_the_same_openings_of_othello() -> None:
    def count(match: BareMatch, depth: int) -> int:
        if not depth or not match.to_move:
            return int(not depth)
        total = 0
        for option in list(match.options):
            match.play(option)
            total += count(match, depth - 1)
            match.undo(option.seat)
        return total

    match = classic("othello").start(lone="asked", traced=False)
    assert [count(match, depth) for depth in range(1, 5)] == [*OTHELLO[:4]]


@attrs.define
class _Forced:
    """Hears of moves that are taken without asking: they are positions all the same."""

    machine: Machine
    seen: set[tuple[int, ...]]

    def forced(self, choice: int, seat: int, answer: Answer) -> None:
        self.seen.add(_marks(self.machine))

    def __getattr__(self, name: str) -> object:
        return lambda *arguments: None


def _marks(machine: Machine) -> tuple[int, ...]:
    game = classic("tic_tac_toe")
    mark = next(s.id for s in game.ir.states if s.name == "mark")
    at = game.internals.layout.states[mark]
    return tuple(machine.row[at : at + 9])


@pytest.mark.long
def test_tic_tac_toe_has_the_known_numbers_of_games_and_positions() -> None:
    # All 255,168 games are played: 12 seconds.
    games = 0
    seen: set[tuple[int, ...]] = set()
    todo = [machine_of(classic("tic_tac_toe"), "generated", 2)]
    while todo:
        machine = todo.pop()
        seen.add(_marks(machine))
        pending = machine.pending
        if pending is None:
            games += 1
            continue
        for answer in machine.options(pending.seats[0]):
            child = machine.fork()
            child.trace = _Forced(child, seen)  # type: ignore[assignment]
            child.answer(pending.seats[0], answer)
            child.trace = None
            todo.append(child)
    assert games == 255168
    assert len(seen) == 5478


# ------------------------------------------------------------------ Kuhn poker


@attrs.frozen
class Node:
    """A node of a game tree: who chooses (-1 is chance), what that seat knows, what follows, or what it pays the first."""

    seat: int
    information: object
    children: tuple[tuple[str, Fraction, Node], ...]
    value: int = 0


def _tree(match: BareMatch) -> Node:
    if match.outcome is not None:
        stakes = {seen.name: seen.value or 0 for seen in match.view(None).variables}
        first, second = (stakes[f"{seat}.stake"] for seat in match.seats)
        return Node(-2, None, (), second if match.outcome.winners[0] == 0 else -first)
    if match.chance:
        children = []
        for possible in match.chance:
            child = match.fork()
            child.play_chance(possible)
            children.append((possible.text, possible.probability, _tree(child)))
        return Node(-1, None, tuple(children))
    seat = match.to_move[0]
    following = []
    for option in match.options:
        child = match.fork()
        child.play(option)
        following.append((option.text, Fraction(0), _tree(child)))
    return Node(seat, match.information(seat), tuple(following))


def _count(node: Node, kinds: dict[str, int], sets: set[tuple[int, object]]) -> None:
    kinds["chance" if node.seat == -1 else "terminal" if node.seat == -2 else "decision"] += 1
    if node.seat >= 0:
        sets.add((node.seat, node.information))
    for _, _, child in node.children:
        _count(child, kinds, sets)


def kuhn() -> Node:
    return _tree(classic("kuhn").start(explicit_chance=True))


def test_kuhn_poker_has_twelve_information_sets_and_the_known_nodes() -> None:
    kinds: dict[str, int] = defaultdict(int)
    sets: set[tuple[int, object]] = set()
    _count(kuhn(), kinds, sets)
    assert dict(kinds) == {"chance": 4, "decision": 24, "terminal": 30}
    assert len(sets) == 12


class Solver:
    """Counterfactual regret minimisation over information sets (Zinkevich and others, 2007)."""

    def __init__(self) -> None:
        self.regret: dict[tuple[int, object], dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self.total: dict[tuple[int, object], dict[str, float]] = defaultdict(lambda: defaultdict(float))

    def policy(self, key: tuple[int, object], options: list[str]) -> dict[str, float]:
        positive = {o: max(self.regret[key][o], 0.0) for o in options}
        whole = sum(positive.values())
        return {o: positive[o] / whole if whole else 1 / len(options) for o in options}

    def average(self, key: tuple[int, object], options: list[str]) -> dict[str, float]:
        whole = sum(self.total[key][o] for o in options)
        return {o: self.total[key][o] / whole if whole else 1 / len(options) for o in options}

    def walk(self, node: Node, reach: tuple[float, float]) -> float:
        """Returns the value for the first player, and learns."""
        if node.seat == -2:
            return float(node.value)
        if node.seat == -1:
            return sum(
                float(p) * self.walk(child, (reach[0] * float(p), reach[1] * float(p))) for _, p, child in node.children
            )
        key = (node.seat, node.information)
        options = [o for o, _, _ in node.children]
        policy = self.policy(key, options)
        values = {}
        for option, _, child in node.children:
            onward = (reach[0] * policy[option], reach[1]) if node.seat == 0 else (reach[0], reach[1] * policy[option])
            values[option] = self.walk(child, onward)
        value = sum(policy[o] * values[o] for o in options)
        sign = 1 if node.seat == 0 else -1
        for option in options:
            self.regret[key][option] += sign * reach[1 - node.seat] * (values[option] - value)
            self.total[key][option] += reach[node.seat] * policy[option]
        return value

    def value(self, node: Node) -> float:
        """Returns the value of the average policies."""
        if node.seat == -2:
            return float(node.value)
        if node.seat == -1:
            return sum(float(p) * self.value(child) for _, p, child in node.children)
        policy = self.average((node.seat, node.information), [o for o, _, _ in node.children])
        return sum(policy[o] * self.value(child) for o, _, child in node.children)


@pytest.mark.long
def test_kuhn_poker_is_worth_minus_one_eighteenth_to_the_first_player() -> None:
    tree, solver = kuhn(), Solver()
    for _ in range(2000):
        solver.walk(tree, (1.0, 1.0))
    assert solver.value(tree) == pytest.approx(-1 / 18, abs=0.003)


@pytest.mark.parametrize(
    "path",
    [*(CLASSICS / f"{name}.rules" for name in NAMES), pytest.param(CHESS_RULES, marks=pytest.mark.long)],
    ids=lambda path: path.stem,
)
def test_the_scenarios_of_a_classic_pass_on_both_executors(path: Path) -> None:
    results = run_scenarios(api.load(path), executor="both")
    assert [(result.name, result.faults) for result in results if not result.passed] == []
    assert len(results) >= (10 if path == CHESS_RULES else 0)
