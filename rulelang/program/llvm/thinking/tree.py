"""The words of a tree search in machine code: those that it is given, those of its nodes and of their arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.program.low import model as low

SEARCH = (
    *("row", "frame", "nodes", "arms", "path", "logs", "found", "choices", "lengths"),
    *("games", "players", "longest", "node_room", "arm_room", "branches"),
    *("breadth", "curiosity"),
    *("node_count", "arm_count", "depth", "seen", "sum"),
)
"""The words that `search` is given: addresses of words, among them room for an arm for each option, and by question its
choice, and the words of an answer with each branch; then the number of games, the players, the most choices of a random game,
the nodes and arms that there is room for, the most branches of a question; two doubles, `WIDTH` and `CURIOSITY` of `lab.mcts`; and what it keeps between two calls: the numbers of nodes and arms, the
length of the path, the scores seen and their sum (a double)."""
NODE = ("visits", "first", "many", "known", "seat", "choice", "next")
"""The first words of a node, before its row: how often it was visited, its first arm, the number of its arms (-1: they are not
listed yet, 0: the game is over), how many of them were taken, who is asked, and where dice are rolled: the choice, and the next
node behind the same arm."""
ARM = ("taken", "won", "born", "there", "child", "next")
"""The first words of an arm, before its answer: how often it was taken, the reward (a double), at which visit it was taken
first, how often it was available since, the first node behind it, and the next arm of the same node."""


def has_search(program: low.Program) -> bool:
    """Returns whether a program can search by itself: seats choose one after another, and no score is defined."""
    return program.score is None and all(question.owing < 0 for question in program.questions)
