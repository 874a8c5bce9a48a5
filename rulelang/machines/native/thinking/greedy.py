"""A choice of `greedy` in machine code: deals of what a seat does not see, and the options compared in them.

call = GreedyCall.of(native, packed, before, asked, question)      None if Python has to choose
call.deal(rng)                                                      the next word of the random numbers, or None
call.best(thought, rng)                                             the best answer, or None
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Protocol

import attrs

from rulelang.ir.numbers import Seat, Slot
from rulelang.machines.machine import Answer
from rulelang.machines.native.engine import NativeMemory
from rulelang.machines.native.rows import PackedRows
from rulelang.program.llvm.frame import GOING, RNG, STATUS
from rulelang.program.llvm.thinking.plan import FORMS, PLAN
from rulelang.program.llvm.thinking.thought import MOST_COMPARED, OUTSIDE
from rulelang.program.randomness import WORD, signed
from rulelang.program.results import GreedyChoice, HolderForm, KindSight, SeatSight

PLACES = {name: i for i, name in enumerate(PLAN)}
MOST_LISTED = 512
"""The most options of a question that machine code is asked about."""
PER_THING, PER_KIND = 20, 128
"""The words of a plan for each thing, and beside them for each kind: more than it ever has."""


class GreedyCode(Protocol):
    """The parts of a game's machine code (`machines.native.code.Native`) with which it chooses."""

    words: NativeMemory
    rows: PackedRows
    behind: int
    width: int
    lengths: list[list[int]]
    sights: dict[SeatSight, array[int]]
    deal_unseen: Any
    rank: Any

    def laid(self, row: array[int]) -> NativeMemory: ...
    def padded(self, question: int, answers: Sequence[Answer]) -> array[int]: ...
    def answers_in(self, words: array[int], question: int) -> list[Answer]: ...


@attrs.define(eq=False)
class GreedyCall:
    """One choice, in the words of a plan of its own."""

    native: GreedyCode
    row: array[int]
    question: int
    words: array[int]
    players: int

    @classmethod
    def of(
        cls, native: GreedyCode, row: array[int], before: array[int], asked: GreedyChoice, question: int
    ) -> GreedyCall | None:
        """Returns a choice in a packed row, given that before the answers under seal; None if no question waits there."""
        cells = asked.sight.cells
        if question < 0 or asked.compared > MOST_COMPARED or any(slot in native.rows.words for slot, _ in cells):
            return None
        kept = native.sights.get(asked.sight)
        if kept is None:
            kept = native.sights[asked.sight] = _template(native, asked)
        words, deals = kept[:], PLACES["deals"]
        words[deals], words[PLACES["stay"]], words[PLACES["compared"]] = asked.deals, asked.stay, asked.compared
        words[PLACES["asked"]] = question + 1
        lists = {
            "lengths": native.lengths[question],
            "sealed": [word for seat, answer in asked.sealed for word in _sealed(native, question, seat, answer)],
            "others": [word for other in asked.others for word in other],
        }
        more: list[int] = []
        for name, several in lists.items():
            words[PLACES[name]] = len(words) + len(more)
            more += several
        words[PLACES["sealed_many"]], words[PLACES["others_many"]] = len(asked.sealed), len(asked.others)
        words.fromlist(more)
        words[PLACES["before"]] = len(words)
        words += before
        words[PLACES["dealt"]] = len(words)
        words += before
        words.frombytes(bytes(8 * native.behind * asked.deals))
        return cls(native, row, question, words, asked.players)

    def deal(self, rng: int) -> int | None:
        """Deals with random numbers from a word on; returns the next word, or None if Python has to deal."""
        native = self.native
        memory = native.laid(self.row)
        memory.frame[RNG] = signed(rng)
        if native.deal_unseen(memory.row_at, memory.frame_at, self.words.buffer_info()[0]):
            return None
        return memory.frame[RNG] & WORD

    def best(self, thought: array[int], rng: int) -> Answer | None:
        """Returns the best answer by a policy, whose thought is `lab.policy.Thinks`; None if Python has to compare.

        Random numbers from a word on say which answers are compared, and in which order.
        """
        native = self.native
        memory, width = native.words, native.width
        memory.frame[STATUS], memory.frame[RNG] = GOING, signed(rng)
        memory.thought[: len(thought) - 1] = thought[:-1]
        self.words[PLACES["policy_word"]] = thought[-1]
        found = native.rank(memory.frame_at, memory.thought_at, self.words.buffer_info()[0])
        if found < 0:
            memory.thought[:] = array("q", bytes(8 * len(memory.thought)))
            return None
        at = OUTSIDE + found * width
        return native.answers_in(memory.thought[at : at + width], self.question)[0]


def _template(native: GreedyCode, asked: GreedyChoice) -> array[int]:
    """Returns the words of a plan that are the same for all choices of a seat."""
    kinds = asked.sight.kinds
    most = max((len(kind.classes) for kind in kinds), default=0)
    words = [0] * len(PLAN)
    words[PLACES["seat"]], words[PLACES["sights_many"]] = asked.sight.seat, len(kinds)
    words[PLACES["options_room"]], words[PLACES["sights"]] = MOST_LISTED, len(words)
    for kind in kinds:
        words += _sight(native, kind)
    words[PLACES["cells_many"]], words[PLACES["cells"]] = len(asked.sight.cells), len(words)
    for slot, values in asked.sight.cells:
        words += (slot, len(values), *values)
    rooms = {
        "options": MOST_LISTED * native.width,
        "held": most + 4,
        "mark": most,
        "order": most,
        "ranked": MOST_COMPARED,
    }
    for name, size in rooms.items():
        words[PLACES[name]] = len(words)
        words += [0] * size
    words[PLACES["kinds"]] = len(words)
    words += [0] * sum(PER_THING * len(kind.classes) + PER_KIND for kind in kinds)
    words[PLACES["plan_end"]] = len(words)
    return array("q", words)


def _sight(native: GreedyCode, kind: KindSight) -> list[int]:
    things = sorted(range(len(kind.classes)), key=kind.classes.__getitem__)
    words = [len(things), kind.places, kind.faces, len(kind.hidden), len(kind.zones), len(kind.speakers)]
    words += [*things, *kind.classes]
    for slot, form, joins in kind.hidden:
        words += (*_slot(native, slot, form), joins)
    for slot, form in (*kind.zones, *kind.speakers):
        words += _slot(native, slot, form)
    return words


def _slot(native: GreedyCode, slot: Slot, form: HolderForm) -> tuple[int, int, int]:
    wide = native.rows.words.get(slot)
    return (FORMS[form], slot, 1) if wide is None else (FORMS[form], wide.start, wide.stop - wide.start)


def _sealed(native: GreedyCode, question: int, seat: Seat, answer: Answer | None) -> list[int]:
    given = bytes(native.width) if answer is None else native.padded(question, [answer])
    return [seat, answer is not None, *given]
