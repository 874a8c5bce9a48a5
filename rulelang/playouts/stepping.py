"""Many games side by side, played with answers from outside, for machine learning.

    batch = load("connect_four").play_batch(64, seed=7)
    while any(count for count in batch.counts):
        batch.step([rng.randrange(count) if count else -1 for count in batch.counts])
    batch.results.wins(0)

Game number i has the dice of `start(seed="SEED:i")`, and is played as that match would be.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import attrs

from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer, Machine
from rulelang.machines.offers.offer import Offer
from rulelang.playouts.batch import FAULT, PlayoutResult, Playouts, result_of
from rulelang.program.layout import OUTCOME, OUTCOME_VALUE


@attrs.frozen
class Padded:
    """The options of every game: from entry `(game * most + option) * width` on, `values` hold one answer, padded with
    -1.

    `numpy.asarray(padded.values).reshape(padded.shape)` takes them without copying.
    """

    values: array[int]
    shape: tuple[int, int, int]


class Batch:
    """Games in progress; after each `step`, `seats` and `counts` describe the pending questions.

    seats      the seat that is asked in each game (the first of several); -1 if none is
    counts     the number of its options; 0 if the game is over, was cut short, or the rules failed
    """

    def __init__(self, start: Callable[[int], Machine], many: int, most: int) -> None:
        self._most = most
        self._lengths = array("q", [0] * many)
        self._faults = set[int]()
        self._machines: list[Machine | None] = []
        self._offers: list[Offer | None] = [None] * many
        self.seats, self.counts = array("q", [-1] * many), array("q", [0] * many)
        for number in range(many):
            try:
                self._machines.append(start(number))
            except RulelangError:
                self._machines.append(None)
                self._faults.add(number)
            self._look(number)

    def __len__(self) -> int:
        return len(self._machines)

    def step(self, picks: Sequence[int]) -> None:
        """Takes an option in each game, by its position from 0; -1 leaves a game as it is.

        Raises InvalidInput if there are more or fewer picks than games, or a game has no such option; then no game has
        changed.
        """
        if len(picks) != len(self):
            raise InvalidInput(f"{len(self)} games want {len(self)} picks, not {len(picks)}")
        for number, pick in enumerate(picks):
            if not -1 <= pick < max(self.counts[number], 0):
                raise InvalidInput(f"game {number} has {self.counts[number]} options, so there is no option {pick}")
        for number, pick in enumerate(picks):
            machine, offer = self._machines[number], self._offers[number]
            if pick >= 0 and machine is not None and offer is not None:
                try:
                    machine.answer(Seat(self.seats[number]), offer[int(pick)])
                    self._lengths[number] += 1
                except RulelangError:
                    self._faults.add(number)
                self._look(number)

    def options(self, number: int) -> tuple[Answer, ...]:
        """Returns the legal answers of the seat that is asked in one game, in the order of `match.options`."""
        offer = self._offers[number]
        return () if offer is None else tuple(offer)

    @property
    def padded(self) -> Padded:
        """The options of all games in one array."""
        options = [self.options(number) for number in range(len(self))]
        most = max(map(len, options), default=0)
        width = max((len(answer) for found in options for answer in found), default=0)
        values = array("q", [-1]) * (len(options) * most * width)
        for number, found in enumerate(options):
            for position, answer in enumerate(found):
                at = (number * most + position) * width
                values[at : at + len(answer)] = array("q", answer)
        return Padded(values, (len(options), most, width))

    @property
    def results(self) -> Playouts:
        """The results of each game so far; running games count as unfinished."""
        columns = [array("q", column) for column in zip(*map(self._result, range(len(self))), strict=True)]
        return Playouts(*(columns or [array("q") for _ in range(4)]))

    def _result(self, number: int) -> PlayoutResult:
        machine, length = self._machines[number], self._lengths[number]
        if machine is None or number in self._faults:
            return length, FAULT, 0, 0
        row = machine.row
        return result_of(length, row[OUTCOME], row[OUTCOME_VALUE], is_over=machine.pending is None)

    def _look(self, number: int) -> None:
        """Updates the seat that is asked in a game and its options."""
        machine = self._machines[number]
        self.seats[number], self.counts[number], self._offers[number] = -1, 0, None
        if machine is None or number in self._faults or self._lengths[number] >= self._most:
            return
        pending = machine.pending
        if pending is None:
            return
        offer = Offer(machine, pending.seats[0])
        try:
            self.counts[number] = offer.count
        except RulelangError:
            self._faults.add(number)
            return
        self.seats[number], self._offers[number] = pending.seats[0], offer
