"""A tree search in machine code: the memory of its tree, which grows with the search, and its results.

SearchCall(tree, words, rows, asked, search).play(games, rng)      what each game is worth
CandidateTries(call, asked, padded).tried(candidates, tries)       the same of some options of the root
tried_in(tree, answer)                                             what a search found of the options of the root
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from math import log
from typing import TypeAlias

import attrs

from rulelang.machines.machine import Answer
from rulelang.machines.native.engine import NativeMemory
from rulelang.machines.native.rows import PackedRows
from rulelang.program.llvm.frame import GOING, MOST_OPTIONS, RNG, STATUS
from rulelang.program.llvm.shape import Shape
from rulelang.program.llvm.thinking.plan import FORMS
from rulelang.program.llvm.thinking.tree import ARM, BUCKETS, NODE, PLAIN, SEARCH
from rulelang.program.randomness import signed
from rulelang.program.results import ScoreSearch, SeenSlot, TreeForms, TreeSearch, Tried

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
Padded: TypeAlias = Callable[[Sequence[Answer]], "array[int]"]
"""Returns several answers of a question as words, each as long as the longest of the game."""
PLACES = {name: i for i, name in enumerate(SEARCH)}
TAKEN, WON, BORN, NEXT = (ARM.index(name) for name in ("taken", "won", "born", "next"))


@attrs.frozen
class AskedOf:
    """The choice of each question of a game, and the slot of the seats that owe an answer; -1 if it asks one seat."""

    choices: Sequence[int]
    owing: Sequence[int]


@attrs.frozen(eq=False)
class TreeLists:
    """The lists of one game that a search reads, in words; see `SEARCH`."""

    choices: array[int]
    owing: array[int]
    copies: array[int]
    answers: array[int]
    classes: array[int]
    zones: array[int]
    starts: Sequence[int]
    """By kind: where its numbers begin in `classes`."""
    branches: int

    @classmethod
    def of(cls, forms: TreeForms, asked: AskedOf, shape: Shape, rows: PackedRows) -> TreeLists:
        """Returns the lists for the forms of a game."""
        printed = [*forms.kinds, *forms.names]
        starts = [0, *accumulate(map(len, printed))]
        by_question = [forms.answers[choice] for choice in asked.choices]
        branches = max(map(len, by_question), default=0)
        index, written = [0] * branches, list[int]()
        end = branches * (1 + len(by_question))
        for of_branch, widths in zip(by_question, shape.answers, strict=True):
            for form, of in zip(of_branch, widths, strict=True):
                index.append(end + len(written))
                written += (form.number, form.is_secret, len(form.parameters))
                for (how, names), width in zip(form.parameters, of, strict=True):
                    start = starts[len(forms.kinds) + names]
                    written += (PLAIN, width, 0) if how == "plain" else (FORMS[how], width, start)
            index += [0] * (branches - len(of_branch))
        zones: list[int] = []
        for slot, holder, kind in forms.zones:
            zones += (FORMS[holder], *rows.place(slot), starts[kind])
        return cls(
            choices=array("q", [-1, *asked.choices]),
            owing=array("q", [-1, *asked.owing]),
            copies=array("q", [0, *(any(form.has_copies for form in of) for of in by_question)]),
            answers=array("q", index + written),
            classes=array("q", chain.from_iterable(printed)),
            zones=array("q", zones),
            starts=starts[: len(forms.kinds)],
            branches=branches,
        )

    def sights(self, seen: Sequence[Sequence[SeenSlot]], rows: PackedRows) -> array[int]:
        """Returns the list of the slots that only some seats see; see `TreeSearch`."""
        index, found = list[int](), list[int]()
        for of_seat in seen:
            index += (2 * len(seen) + len(found), len(of_seat))
            for slot, how, kind in of_seat:
                found += (PLAIN, slot, 1, 0) if how == "plain" else (FORMS[how], *rows.place(slot), self.starts[kind])
        return array("q", index + found)


class TreeMemory(threading.local):
    """The memory of the trees of one thread, which are searched one after another."""

    def __init__(self, shape: Shape, rows: PackedRows, asked: AskedOf) -> None:
        """Makes room for a small tree of a game."""
        self.is_keyed = shape.keyed
        self.node, self.arm = len(NODE) + (0 if shape.keyed else shape.behind), len(ARM) + shape.width
        self._shape, self._rows, self._asked = shape, rows, asked
        self._lists: tuple[TreeForms, TreeLists] | None = None
        self.found, self.keys = (array("q", bytes(8 * MOST_OPTIONS)) for _ in range(2))
        self.worths = array("d", bytes(8 * PIECE))
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
        if not self.is_keyed:
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

    def begin(self, rows: Sequence[array[int]], asked: TreeSearch) -> None:
        """Makes the root a node at which a seat is asked in some packed rows."""
        seat = asked.seat
        if self.is_keyed:
            head = array("q", [0, -1, 0, 0, seat, 0, 0, 0])
        else:
            head = array("q", [0, 0, -1, 0, seat, 0, 0, 0]) + rows[0]
        self.nodes[: self.node] = head
        self.buckets = array("q", bytes(8 * BUCKETS * self.is_keyed))
        self.deals = array("q", b"".join(row.tobytes() for row in rows))
        self.known = array("q", chain.from_iterable(asked.known))
        self.sights = self.lists(asked.forms).sights(asked.seen, self._rows)

    def lists(self, forms: TreeForms) -> TreeLists:
        """Returns the lists of a game."""
        if self._lists is None or self._lists[0] is not forms:
            self._lists = forms, TreeLists.of(forms, self._asked, self._shape, self._rows)
        return self._lists[1]

    def place(self, words: array[int], forms: TreeForms) -> None:
        """Tells a search where the lists are, and their sizes."""
        lists = self.lists(forms)
        for name in ("nodes", "arms", "path", "logs", "found", "keys", "buckets", "deals", "known", "sights", "worths"):
            words[PLACES[name]] = getattr(self, name).buffer_info()[0]
        for name in ("choices", "owing", "copies", "answers", "classes", "zones"):
            words[PLACES[name]] = getattr(lists, name).buffer_info()[0]
        sizes = {
            "branches": lists.branches,
            "zones_many": len(forms.zones),
            "node_room": len(self.nodes) // self.node,
            "arm_room": len(self.arms) // self.arm,
        }
        for name, size in sizes.items():
            words[PLACES[name]] = size


class SearchCall:
    """A search from some packed rows in turn, whose tree lies in the memory of its thread."""

    def __init__(
        self,
        tree: TreeMemory,
        words: NativeMemory,
        rows: Sequence[array[int]],
        asked: TreeSearch,
        search: Callable[[int], int],
    ) -> None:
        self.tree, self.words, self.asked, self.search = tree, words, asked, search
        self.played = 0
        self.given = given = array("q", bytes(8 * len(SEARCH)))
        given[PLACES["row"]], given[PLACES["frame"]] = words.row_at, words.frame_at
        given[PLACES["players"]], given[PLACES["longest"]] = asked.players, asked.longest
        for name, value in (("breadth", asked.breadth), ("curiosity", asked.curiosity)):
            given[PLACES[name]] = array("q", array("d", [value]).tobytes())[0]
        given[PLACES["node_count"]] = 1
        given[PLACES["deals_many"]], given[PLACES["deal"]] = len(rows), -1
        tree.begin(rows, asked)

    def play(self, games: int, rng: int = 0) -> array[float] | None:
        """Plays so many games; returns what each is worth to the seat that searches, or None if some step trapped or the tree
        became too large."""
        tree, given, done = self.tree, self.given, array("d")
        self.words.frame[STATUS], self.words.frame[RNG] = GOING, signed(rng)
        while len(done) < games:
            many = given[PLACES["games"]] = min(games - len(done), PIECE)
            tree.know_logs(self.played + many)
            tree.place(given, self.asked.forms)
            played = self.search(given.buffer_info()[0])
            if played < 0:
                return None
            done += tree.worths[:played]
            self.played += played
            if played < many and not tree.grow(given):
                return None
        return done


class CandidateTries:
    """The tries of a few options of the root, which are the first arms of a tree."""

    def __init__(self, call: SearchCall, asked: ScoreSearch, padded: Padded) -> None:
        self.call, self.asked, tree = call, asked, call.tree
        self.firsts, many = firsts_of(asked.firsts, padded, tree.arm - len(ARM)), len(asked.firsts[0])
        self.leads = array("q", bytes(24 * asked.tree.players))
        tree.arms[: many * tree.arm] = array("q", bytes(8 * many * tree.arm))
        words = {
            "arm_count": many,
            "firsts_many": many,
            "firsts": self.firsts.buffer_info()[0],
            "thought": call.words.thought_at,
            "leads": self.leads.buffer_info()[0],
            "flat": asked.flat,
            "ahead": asked.ahead,
            "replies": asked.replies,
            "word": signed(asked.tree.rng),
        }
        for name, word in words.items():
            call.given[PLACES[name]] = word

    def tried(self, candidates: Sequence[int], tries: int) -> list[list[float]] | None:
        """Returns the worths of some candidates; see `lab.at_once.CandidateTries`."""
        given, thought, some = self.call.given, self.call.words.thought, array("q", candidates)
        thought[: len(self.asked.thought) - 1] = self.asked.thought[:-1]
        given[PLACES["candidates"]], given[PLACES["candidates_many"]] = some.buffer_info()
        given[PLACES["candidate"]] = len(some) - 1
        worths = self.call.play(tries * len(some))
        if worths is None:
            # Forks need zeros behind their rows, and a trap leaves other words there.
            thought[:] = array("q", bytes(8 * len(thought)))
            return None
        return [worths[n :: len(some)].tolist() for n in range(len(some))]


def firsts_of(firsts: Sequence[Sequence[Answer | None]], padded: Padded, width: int) -> array[int]:
    """Returns the answers that some options are in each position, as words; where one is not on offer, all are -1."""
    found, absent = array("q"), array("q", [-1] * width)
    for answers in firsts:
        there = [answer for answer in answers if answer is not None]
        if len(there) == len(answers):
            found += padded(there)
        else:
            for answer in answers:
                found += absent if answer is None else padded([answer])
    return found


def tried_in(tree: TreeMemory, answer: Callable[[array[int]], Answer]) -> list[Tried]:
    """Returns the options of the root that were taken, in the order in which they were taken first; `answer` reads the words of
    one."""
    arms = [arm for arm in tree.arms_of_root() if arm[TAKEN]]
    return [Tried(answer(arm[len(ARM) :]), arm[TAKEN], array("d", arm[WON : WON + 1].tobytes())[0]) for arm in arms]
