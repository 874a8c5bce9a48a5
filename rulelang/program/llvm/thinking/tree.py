"""The words of a tree search in machine code: those that it is given, those of its nodes and of their arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.program.low import model as low

SEARCH = (
    *("row", "frame", "nodes", "arms", "path", "logs"),
    *("games", "players", "longest", "node_room", "arm_room"),
    *("breadth", "curiosity"),
    *("node_count", "arm_count", "depth", "seen", "sum"),
)
"""The words that `search` is given: addresses of words; then the number of games, the players, the most choices of a random
game, the nodes and arms that there is room for; two doubles, `WIDTH` and `CURIOSITY` of `lab.mcts`; and what it keeps between
two calls: the numbers of nodes and arms, the length of the path, the scores seen and their sum (a double)."""
NODE = ("visits", "first", "many", "known", "seat")
"""The first words of a node, before its row: how often it was visited, its first arm, the number of its arms (-1: they are not
listed yet, 0: the game is over), how many of them were taken, and who is asked."""
ARM = ("taken", "won", "born", "child")
"""The first words of an arm, before its answer: how often it was taken, the reward (a double), at which visit it was taken
first, and the node behind it."""


def has_search(program: low.Program) -> bool:
    """Returns whether a program can search by itself: it rolls no dice, seats choose one after another, and no score is
    defined."""
    return program.score is None and not program.streams and all(question.owing < 0 for question in program.questions)
