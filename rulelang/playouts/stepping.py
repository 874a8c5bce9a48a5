"""Many games side by side, played with answers from outside, for machine learning.

    batch = load("connect_four").play_batch(64, seed=7)
    while any(count for count in batch.counts):
        batch.step([rng.randrange(count) if count else -1 for count in batch.counts])
    batch.results.wins(0)

Game number i has the dice of `start(seed="SEED:i")`, and is played as that match would be. On the native executor, one
call of machine code steps all games; a game that it cannot step is stepped by a machine of its own.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import attrs

from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer, Machine
from rulelang.machines.offers.offer import Offer
from rulelang.playouts.batch import Playouts
from rulelang.program.layout import OUTCOME, OUTCOME_VALUE, PLAYING
from rulelang.program.llvm.frame import BEGIN, LEAVE, OVER, UNLISTED, UNTAKEN, SteppedWords
from rulelang.program.results import FAULT, RESULTS, PlayoutResult, result_of

MOST_COUNTED = 2**63 - 1
"""The largest number of options that an array holds; of more, as
where any set of many things may be chosen, it stands for all."""


@attrs.frozen
class Padded:
    """The options of every game: from entry `(game * most +
    option) * width` on, `values` hold one answer, padded with -1.

    `numpy.asarray(padded.values).reshape(padded.shape)` takes them without copying.
    """

    values: array[int]
    shape: tuple[int, int, int]


class Stepped(Protocol):
    """Games that lie side by side, without a machine each; see `machines.native.batch.NativeBatch`."""

    seats: array[int]
    counts: array[int]
    states: array[int]
    lengths: array[int]

    def unfit(self, picks: array[int]) -> int: ...
    def step(self, picks: array[int]) -> int: ...
    def packed(self, number: int) -> array[int]: ...
    def options(self, number: int) -> list[Answer] | None: ...
    def outcome(self, number: int) -> tuple[int, int]: ...
    def renew(self, number: int, keys: array[int]) -> None: ...
    @property
    def words(self) -> SteppedWords: ...


@runtime_checkable
class StepsMany(Protocol):
    """A machine that can have many games stepped together."""

    def continue_from(self, packed: array[int]) -> None:
        """Replaces its row, by one that `Stepped.packed` returned."""

    def begin_many(
        self, players: int, options: Mapping[int, int], keys: array[int], many: int, most: int
    ) -> Stepped | None:
        """Begins games side by side, with the keys of their random
        streams, one game after the other; None if they cannot be.
        """


class Batch:
    """Games in progress; after each `step`, `seats` and `counts` describe the pending questions.

    seats      the seat that is asked in each game (the first of several); -1 if none is
    counts     the number of its options, at most MOST_COUNTED; 0 if the game is over, was cut short, or the rules failed
    """

    def __init__(
        self,
        fresh: Callable[[int], Machine],
        keys: Callable[[Iterable[int]], array[int]],
        players: int,
        options: Mapping[int, int],
        many: int,
        most: int,
    ) -> None:
        """Begins `many` games; `fresh(number)` is a machine that has not
        begun, `keys(numbers)` those of the streams of some games."""
        self._fresh, self._keys, self._players, self._begun, self._most = fresh, keys, players, options, most
        self._numbers = list(range(many))
        """By game: the number that its seed has."""
        self._faults = set[int]()
        self._machines: dict[int, Machine] = {}
        """The machines of the games that do not lie side by side, by number."""
        self._offers: dict[int, Offer] = {}
        self._together = _together(fresh, keys, players, options, many, most) if many else None
        if self._together is not None:
            self.seats, self.counts, self._lengths = (
                self._together.seats,
                self._together.counts,
                self._together.lengths,
            )
        else:
            self.seats, self.counts, self._lengths = (
                array("q", [-1] * many),
                array("q", [0] * many),
                array("q", [0] * many),
            )
        for number in range(many):
            if self._together is None or self._together.states[number] == UNTAKEN:
                self._begin(number)
        self._take_over(array("q", [LEAVE]) * many)

    def __len__(self) -> int:
        return len(self.seats)

    def step(self, picks: Sequence[int]) -> None:
        """Takes an option in each game, by its position from 0; -1 leaves a game as it is.

        Raises InvalidInput if there are more or fewer picks than
        games, or a game has no such option; then no game has changed.
        """
        if len(picks) != len(self):
            raise InvalidInput(f"{len(self)} games want {len(self)} picks, not {len(picks)}")
        try:
            chosen = array("q", picks)
        except (TypeError, OverflowError):
            raise InvalidInput("a pick is a whole number") from None
        unfit = self._unfit(chosen)
        if unfit >= 0:
            raise InvalidInput(f"game {unfit} has {self.counts[unfit]} options, so there is no option {chosen[unfit]}")
        alone = [(number, chosen[number]) for number in self._machines if chosen[number] >= 0]
        if self._together is not None:
            for number in self._machines:
                chosen[number] = LEAVE
            if self._together.step(chosen):
                self._take_over(chosen)
        for number, pick in alone:
            self._answer(number, self._offers[number][pick])

    def restart(self, games: Iterable[int]) -> None:
        """Begins some games anew, each with the next seed of its own: that of game i is then "SEED:i + n", "SEED:i + 2n", …
        for n games.
        """
        chosen = list(dict.fromkeys(games))
        for number in chosen:
            self._numbers[number] += len(self)
            self._faults.discard(number)
            self._machines.pop(number, None)
            self._offers.pop(number, None)
            self._lengths[number] = 0
        if self._together is None:
            for number in chosen:
                self._begin(number)
            return
        picks = array("q", [LEAVE]) * len(self)
        for number in chosen:
            self._together.renew(number, self._keys([self._numbers[number]]))
            picks[number] = BEGIN
        if self._together.step(picks):
            for number in chosen:
                if self._together.states[number] == UNTAKEN:
                    self._begin(number)
            self._take_over(picks)

    def machine(self, number: int) -> Machine:
        """Returns a machine in the position of a game; the caller must not change it."""
        return self._machines[number] if number in self._machines else self._alone(number)

    @property
    def alone(self) -> tuple[int, ...]:
        """The games that have a machine of their own, and do not lie with the others."""
        return tuple(self._machines)

    @property
    def words(self) -> SteppedWords | None:
        """The memory of the games that lie side by side; None if they do not."""
        return None if self._together is None else self._together.words

    def _unfit(self, picks: array[int]) -> int:
        """Returns the first game that has no such option; -1 if there is none."""
        if self._together is not None:
            return self._together.unfit(picks)
        return next((i for i, pick in enumerate(picks) if not LEAVE <= pick < max(self.counts[i], 0)), -1)

    def options(self, number: int) -> tuple[Answer, ...]:
        """Returns the legal answers of the seat that is asked in one game, in the order of `match.options`."""
        if not self.counts[number]:
            return ()
        if number in self._offers or self._together is None:
            return tuple(self._offers[number])
        kept = self._together.options(number)
        return tuple(Offer(self._alone(number), Seat(self.seats[number])) if kept is None else kept)

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
        return Playouts(*(columns or [array("q") for _ in range(RESULTS)]), seats=self._players)

    def _result(self, number: int) -> PlayoutResult:
        length, machine = self._lengths[number], self._machines.get(number)
        if number in self._faults:
            return length, FAULT, 0, 0, PLAYING
        if machine is not None:
            row = machine.row
            return result_of(length, row[OUTCOME], row[OUTCOME_VALUE], is_over=machine.pending is None)
        assert self._together is not None
        return result_of(length, *self._together.outcome(number), is_over=self._together.states[number] == OVER)

    # -------------------------------------------------------------- games with a machine of their own

    def _take_over(self, picks: array[int]) -> None:
        """Takes the step of each game that could not go with the others, on a machine of its own."""
        together = self._together
        if together is None:
            return
        for number, state in enumerate(together.states):
            if number in self._machines or number in self._faults or state not in (UNTAKEN, UNLISTED):
                continue
            machine = self._machines[number] = self._alone(number)
            if state == UNTAKEN:
                self._answer(number, Offer(machine, Seat(self.seats[number]))[picks[number]])
            else:
                self._look(number)

    def _alone(self, number: int) -> Machine:
        """Returns a machine at the position of a game that lies among the others."""
        machine = self._fresh(self._numbers[number])
        assert self._together is not None
        assert isinstance(machine, StepsMany)
        machine.continue_from(self._together.packed(number))
        return machine

    def _begin(self, number: int) -> None:
        machine = self._machines[number] = self._fresh(self._numbers[number])
        self._try(number, lambda: machine.begin(self._players, self._begun))
        self._look(number)

    def _answer(self, number: int, answer: Answer) -> None:
        machine, seat = self._machines[number], Seat(self.seats[number])
        if self._try(number, lambda: machine.answer(seat, answer)):
            self._lengths[number] += 1
        self._look(number)

    def _try(self, number: int, act: Callable[[], object]) -> bool:
        """Returns whether it succeeded; a game whose rules fail takes no more steps."""
        try:
            act()
        except RulelangError:
            self._faults.add(number)
            return False
        return True

    def _look(self, number: int) -> None:
        """Updates the seat that is asked in a game and its options."""
        self.seats[number], self.counts[number] = -1, 0
        self._offers.pop(number, None)
        if number in self._faults or self._lengths[number] >= self._most:
            return
        machine = self._machines[number]
        pending = machine.pending
        if pending is None:
            return
        offer = Offer(machine, pending.seats[0])
        try:
            self.counts[number] = min(offer.count, MOST_COUNTED)
        except RulelangError:
            self._faults.add(number)
            return
        self.seats[number], self._offers[number] = pending.seats[0], offer


def _together(
    fresh: Callable[[int], Machine],
    keys: Callable[[Iterable[int]], array[int]],
    players: int,
    options: Mapping[int, int],
    many: int,
    most: int,
) -> Stepped | None:
    """Returns the games side by side; None if their machine steps one at a time."""
    machine = fresh(0)
    if not isinstance(machine, StepsMany):
        return None
    return machine.begin_many(players, options, keys(range(many)), many, most)
