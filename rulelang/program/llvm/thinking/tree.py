"""The words of a tree search in machine code: those that it is given, those of its nodes and of their arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.program.low import model as low

SEARCH = (
    *("row", "frame", "nodes", "arms", "path", "logs", "found", "keys", "buckets"),
    *("deals", "known", "choices", "owing", "copies", "answers", "classes", "zones", "sights"),
    *("worths", "thought", "leads", "candidates", "firsts"),
    *("games", "players", "longest", "node_room", "arm_room", "branches", "deals_many", "zones_many"),
    *("candidates_many", "firsts_many", "flat", "ahead", "replies", "seat", "until"),
    *("breadth", "curiosity"),
    *("node_count", "arm_count", "depth", "deal", "told", "answered", "seen", "sum", "worth"),
    *("word", "seed", "candidate", "looked", "used"),
)
"""The words that `search` and `try_ahead` are given. First come addresses of words, among them room for an arm and a key for
each option; the rows in which games begin, and what each seat knows there, as a number; by question its choice, the slot of the seats that owe an
answer (-1 if it asks one), whether two of its answers may be written alike, and how those with each branch are written; what is
printed on each thing of each kind, as a number; the zones in which all see what lies; and by seat the zones that only it and not
the searching seat sees, from which its knowledge follows where no number is given (0). Then the number of games, the players,
the most choices of a random game, the nodes and arms that there is room for, the most branches of a question, the rows and the
zones; two doubles, `WIDTH` and `CURIOSITY` of `lab.mcts`; and what is kept between two calls: the numbers of nodes and arms, the
length of the path, the row in which the last game began, the keys of the answers since, the scores seen and their sum, and what the
last game was worth to the seat that searches (doubles). `planner` is told its seat, and to look at positions
`until` they are so many; it keeps how many it looked at, and how many of them the last try used."""
NODE = ("visits", "first", "many", "known", "seat", "key", "next", "best")
"""The first words of a node, before its row: how often it was visited, its first arm, and who is asked. Where rows are kept, the
number of its arms (-1: they are not listed yet, 0: the game is over), and how many of them were taken; where nodes are found by
key, that key, and the next node with a key like it; where the rules have a `score`, whether the option that looks best is known, and
the key of it."""
ARM = ("taken", "won", "born", "there", "child", "next", "key")
"""The first words of an arm, before its answer: how often it was taken, and the reward (a double). Where rows are kept, at which
visit it was taken first, and the node behind it; where nodes are found by key, how often it was available since, the next arm of
the same node, and the key of its answer."""
PLAIN = -1
"""The form of a slot or a parameter that counts as it is."""
BUCKETS = 1 << 13
"""The lists in which nodes are found by key."""


def is_keyed(program: low.Program) -> bool:
    """Returns whether its nodes are found by key, since a position does not follow from the answers that all have seen."""
    is_random = program.streams > 0 or program.hides or program.score is not None
    return is_random or any(question.owing >= 0 for question in program.questions)


def node_size(program: low.Program) -> int:
    """Returns the words of a node, which has a row unless it is found by key."""
    return len(NODE) + (0 if is_keyed(program) else program.row - program.scratch)


def has_deals(program: low.Program) -> bool:
    """Returns whether a program can deal anew what a seat does not know."""
    return program.score is not None or program.hides
