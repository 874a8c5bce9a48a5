"""A tree search in machine code: the memory of its tree, which grows with the search, and its results.

searched(tree, words, root, asked, search)     whether the search came to its end
tried_in(tree, answer)                         what it found of the options of the root
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from math import log

from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer
from rulelang.machines.native.engine import NativeMemory
from rulelang.program.llvm.frame import GOING, MOST_OPTIONS, RNG, STATUS
from rulelang.program.llvm.thinking.tree import ARM, NODE, SEARCH
from rulelang.program.randomness import signed
from rulelang.program.results import TreeSearch, Tried

FIRST_NODES = 1 << 9
"""The nodes that a tree has room for at first."""
FIRST_ARMS = MOST_OPTIONS + (1 << 13)
"""The arms that a tree has room for at first; a game begins only where there is room for a question with the most options."""
PIECE = 10_000
"""The most games in one call, so that Ctrl-C is heard."""
MOST_KEPT = 1 << 23
"""The most words of a tree that are kept for the next search."""
MOST_WORDS = 1 << 27
"""The words of a tree, a gigabyte, from which on it does not grow; Python, which keeps fewer rows, searches instead."""
PLACES = {name: i for i, name in enumerate(SEARCH)}
TAKEN, WON, BORN, NEXT = (ARM.index(name) for name in ("taken", "won", "born", "next"))


class TreeMemory(threading.local):
    """The memory of the trees of one thread, which are searched one after another."""

    def __init__(
        self, row: int, width: int, choices: Sequence[int], lengths: Sequence[Sequence[int]], *, is_sampled: bool
    ) -> None:
        """Makes room for a small tree of rows; `choices` are those of the questions, `lengths` the words of an answer by
        question and branch."""
        self.is_sampled = is_sampled
        self.node, self.arm = len(NODE) + row, len(ARM) + width
        self.choices = array("q", [-1, *choices])
        self.branches = max(map(len, lengths), default=0)
        filled = [[*of, *[0] * (self.branches - len(of))] for of in ([], *lengths)]
        self.lengths = array("q", chain.from_iterable(filled))
        self.found = array("q", bytes(8 * MOST_OPTIONS))
        self.logs = array("d", [0.0])
        """The logarithm of each number: that of a processor's library may differ in its last bit."""
        self.clear()

    def clear(self) -> None:
        """Makes a tree small again."""
        self.nodes = array("q", bytes(8 * self.node * FIRST_NODES))
        self.arms = array("q", bytes(8 * self.arm * FIRST_ARMS))
        self.path = array("q", bytes(16 * (FIRST_NODES + 1)))

    def shrink(self) -> None:
        """Makes a tree small again that has grown large."""
        if len(self.nodes) + len(self.arms) > MOST_KEPT:
            self.clear()

    def grow(self, words: array[int]) -> bool:
        """Doubles the lists that might become full in the next game; returns False for a tree that is as large as may be."""
        if len(self.nodes) + len(self.arms) > MOST_WORDS:
            return False
        nodes, arms = len(self.nodes) // self.node, len(self.arms) // self.arm
        if words[PLACES["node_count"]] == nodes:
            self.nodes.frombytes(bytes(8 * self.node * nodes))
            self.path.frombytes(bytes(16 * nodes))
        if words[PLACES["arm_count"]] + MOST_OPTIONS > arms:
            self.arms.frombytes(bytes(8 * self.arm * arms))
        return True

    def arms_of_root(self) -> list[array[int]]:
        """Returns the arms of the root, in the order in which they were taken first."""
        first, many = self.nodes[NODE.index("first")], self.nodes[NODE.index("many")]
        if not self.is_sampled:
            return sorted(map(self._arm, range(first, first + many)), key=lambda arm: arm[BORN])
        arms: list[array[int]] = []
        while first >= 0:
            arms.append(self._arm(first))
            first = arms[-1][NEXT]
        return arms

    def _arm(self, number: int) -> array[int]:
        return self.arms[number * self.arm : (number + 1) * self.arm]

    def know_logs(self, most: int) -> None:
        """Computes the logarithms of numbers up to one."""
        self.logs.extend(map(log, range(len(self.logs), most + 1)))

    def begin(self, root: array[int], seat: Seat) -> None:
        """Makes a packed row the root, at which a seat is asked."""
        first, many = (-1, 0) if self.is_sampled else (0, -1)
        self.nodes[: self.node] = array("q", [0, first, many, 0, seat, 0, 0, *root])

    def place(self, words: array[int]) -> None:
        """Tells a search where the lists are, and their sizes."""
        for name in ("nodes", "arms", "path", "logs", "found", "choices", "lengths"):
            words[PLACES[name]] = getattr(self, name).buffer_info()[0]
        words[PLACES["branches"]] = self.branches
        words[PLACES["node_room"]], words[PLACES["arm_room"]] = (
            len(self.nodes) // self.node,
            len(self.arms) // self.arm,
        )


def searched(
    tree: TreeMemory, words: NativeMemory, root: array[int], asked: TreeSearch, search: Callable[[int], int]
) -> bool:
    """Returns whether `search` came to its end from a packed row; it did not if some step trapped, or if the tree
    became too large."""
    given = array("q", bytes(8 * len(SEARCH)))
    given[PLACES["row"]], given[PLACES["frame"]] = words.row_at, words.frame_at
    given[PLACES["players"]], given[PLACES["longest"]] = asked.players, asked.longest
    for name, value in (("breadth", asked.breadth), ("curiosity", asked.curiosity)):
        given[PLACES[name]] = array("q", array("d", [value]).tobytes())[0]
    given[PLACES["node_count"]] = 1
    tree.begin(root, asked.seat)
    words.frame[STATUS], words.frame[RNG] = GOING, signed(asked.rng)
    done = 0
    while done < asked.games:
        many = given[PLACES["games"]] = min(asked.games - done, PIECE)
        tree.know_logs(done + many)
        tree.place(given)
        played = search(given.buffer_info()[0])
        if played < 0:
            return False
        done += played
        if played < many and not tree.grow(given):
            return False
    return True


def tried_in(tree: TreeMemory, answer: Callable[[array[int]], Answer]) -> list[Tried]:
    """Returns the options of the root that were taken, in the order in which they were taken first; `answer` reads the words of
    one."""
    arms = [arm for arm in tree.arms_of_root() if arm[TAKEN]]
    return [Tried(answer(arm[len(ARM) :]), arm[TAKEN], array("d", arm[WON : WON + 1].tobytes())[0]) for arm in arms]
