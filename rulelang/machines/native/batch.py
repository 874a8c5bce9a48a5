"""Many games whose rows lie side by side, stepped by one call of machine code.

    batch = machine.begin_many(2, {}, keys, many=64, most=10_000)
    batch.step(array("q", picks))          how many games machine code left as they were

Invariant: a game that machine code could not step is as it was before, and `states` says so.
"""

from __future__ import annotations

from array import array

from rulelang.machines.machine import Answer
from rulelang.machines.native.code import Native
from rulelang.program.layout import OUTCOME, OUTCOME_VALUE
from rulelang.program.llvm.frame import BATCH, BEGIN, SteppedWords

ROOM = 64
"""The number of options of each game that are kept between steps; a longer list is made again."""


class NativeBatch:
    """Games side by side; after `step`, `seats`, `counts`, `states` and `lengths` describe each of them."""

    def __init__(
        self, native: Native, row: array[int], keys: array[int], many: int, most: int, begin: tuple[int, int]
    ) -> None:
        self._native, self._size = native, len(row)
        self._rows, self._opening = row * many, row
        self._places = {slot: place for slot, place, _ in native.shape.wide}
        self._options = array("q", bytes(8 * many * ROOM * native.width))
        self._keys = keys
        self.seats, self.counts, self.states, self.lengths = (array("q", bytes(8 * many)) for _ in range(4))
        held = {
            "rows": self._rows,
            "seats": self.seats,
            "counts": self.counts,
            "states": self.states,
            "lengths": self.lengths,
            "options": self._options,
            "keys": self._keys,
        }
        block, left = begin
        numbers = {"many": many, "room": ROOM, "most": most, "block": block, "left": left}
        places = {name: words.buffer_info()[0] for name, words in held.items()}
        self._given = array("q", [places.get(name, numbers.get(name, 0)) for name in BATCH])
        self._given_at = self._given.buffer_info()[0]
        self.step(array("q", [BEGIN]) * many)

    def unfit(self, picks: array[int]) -> int:
        """Returns the first game whose pick is neither one of its options nor LEAVE; -1 if all are."""
        self._given[BATCH.index("picks")] = picks.buffer_info()[0]
        found: int = self._native.pick_checked(self._given_at)
        return found

    def step(self, picks: array[int]) -> int:
        """Takes a step in each game: an option by its number, or LEAVE, LOOK, BEGIN (`program.llvm.frame`).

        Returns the number of games in which machine code could not.
        """
        self._native.keep_up()
        self._given[BATCH.index("picks")] = picks.buffer_info()[0]
        self._given[BATCH.index("frame")] = self._native.words.frame_at
        missed: int = self._native.step_many(self._given_at)
        return missed

    def renew(self, number: int, keys: array[int]) -> None:
        """Lays out a game anew, to be begun in the next step, with the keys of its random streams."""
        self._rows[number * self._size : (number + 1) * self._size] = self._opening
        self._keys[number * len(keys) : (number + 1) * len(keys)] = keys

    @property
    def words(self) -> SteppedWords:
        """The memory of all games."""
        compiled = self._native.compiled
        return SteppedWords(
            rows=self._rows,
            size=self._size,
            options=self._options,
            room=ROOM,
            width=self._native.width,
            question=compiled.question,
            choices=tuple(question.choice for question in compiled.control.blocks.questions),
            wide=frozenset(self._places),
        )

    def packed(self, number: int) -> array[int]:
        """Returns the row of a game as machine code reads it."""
        at = number * self._size
        return self._rows[at : at + self._native.behind]

    def options(self, number: int) -> list[Answer] | None:
        """Returns the options of a game; None if there are more than are kept."""
        count, width = self.counts[number], self._native.width
        if count > ROOM:
            return None
        at = number * ROOM * width
        question = self._rows[number * self._size + self._native.compiled.question] - 1
        return self._native.answers_in(self._options[at : at + count * width], question)

    def outcome(self, number: int) -> tuple[int, int]:
        """Returns the outcome in the row of a game: its kind and its value (`program.layout`)."""
        at, places = number * self._size, self._places
        return self._rows[at + places.get(OUTCOME, OUTCOME)], self._rows[at + places.get(OUTCOME_VALUE, OUTCOME_VALUE)]
