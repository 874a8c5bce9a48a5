"""One game played by the numbers of options, for programs that take millions of steps.

    game = load("connect_four").stepper(seed=7)
    count = game.restart()
    while count:
        count = game.step(rng.randrange(count))

On the native executor `step` and `restart` are machine code, which Python calls as its own functions; what that cannot
do, a machine does.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from operator import index
from typing import Protocol, runtime_checkable

from rulelang.errors import InvalidInput
from rulelang.machines.machine import Answer, Machine
from rulelang.machines.offers.offer import Offer
from rulelang.program.layout import OUTCOME, OUTCOME_VALUE
from rulelang.program.packing import members
from rulelang.program.results import result_of


class SteppedAlone(Protocol):
    """A game without a machine; see `machines.native.alone.NativeAlone`."""

    step: Callable[[int], int]
    restart: Callable[[], int]

    def take_keys(self, keys: array[int]) -> None: ...
    def leave(self) -> None: ...
    @property
    def is_left(self) -> bool: ...
    @property
    def packed(self) -> array[int]: ...
    @property
    def has_ended(self) -> bool: ...


@runtime_checkable
class StepsAlone(Protocol):
    """A machine that can have a game stepped without it."""

    def continue_from(self, packed: array[int], *, has_ended: bool = False) -> None:
        """Replaces its row, by one that `SteppedAlone.packed` returned."""

    def begin_alone(
        self, players: int, options: Mapping[int, int], step: Callable[[int], int], restart: Callable[[], int]
    ) -> SteppedAlone | None:
        """Lays out a game, with what is called where it cannot be stepped; None if it cannot be laid out."""


class Stepper:
    """A game in progress, of which `step` and `restart` return the
    number of options of the pending question, 0 when it is over.

    step       takes an option by its position from 0; raises InvalidInput if there is no such option, and RulelangError
               if the rules fail; then the game stays as it was
    restart    begins the next game; the first one has begun. Raises RulelangError if the rules fail; then there is no
               game, which counts as over, until the next one begins
    """

    def __init__(
        self,
        fresh: Callable[[int], Machine],
        keys: Callable[[Iterable[int]], array[int]],
        players: int,
        options: Mapping[int, int],
    ) -> None:
        """Begins game 0; `fresh(number)` is a machine that has not begun, `keys(numbers)`
        those of the streams of some games."""
        self._fresh, self._keys, self._players, self._options = fresh, keys, players, options
        self._number = 0
        self._machine: Machine | None = None
        """The machine of a game that is not, or no longer, stepped alone."""
        machine = fresh(0)
        self._alone = (
            machine.begin_alone(players, options, self._step, self._begin) if isinstance(machine, StepsAlone) else None
        )
        self.step: Callable[[int], int] = self._step
        self.restart: Callable[[], int] = self._restart
        if self._alone is not None:
            self.step = self._alone.step
            if not keys([0]):
                # All games begin alike.
                self.restart = self._alone.restart
        self._start()

    def _restart(self) -> int:
        self._number += 1
        return self._start()

    def _start(self) -> int:
        if self._alone is None:
            return self._begin()
        if keys := self._keys([self._number]):
            self._alone.take_keys(keys)
        return self._alone.restart()

    def _begin(self) -> int:
        """Begins a game on a machine; returns the number of its options."""
        self._leave_to(None)
        machine = self._fresh(self._number)
        machine.begin(self._players, self._options)
        return self._on(machine)

    def _on(self, machine: Machine) -> int:
        """Plays on with a machine whose options can be listed; returns their number."""
        offer = _offer(machine)
        count = 0 if offer is None else offer.count
        self._leave_to(machine)
        return count

    def _leave_to(self, machine: Machine | None) -> None:
        self._machine = machine
        if self._alone is not None:
            self._alone.leave()

    def _step(self, pick: int) -> int:
        """Takes a step on a machine, or refuses it; returns the number of options."""
        try:
            number = index(pick)
        except TypeError:
            raise InvalidInput("a pick is a whole number") from None
        offer = self._offer
        count = 0 if offer is None else offer.count
        if offer is None or not 0 <= number < count:
            raise InvalidInput(f"the game has {count} options, so there is no option {number}")
        after = offer.machine.fork()
        after.answer(offer.seat, offer[number])
        return self._on(after)

    @property
    def count(self) -> int:
        """The number of options of the pending question."""
        return 0 if (offer := self._offer) is None else offer.count

    @property
    def machine(self) -> Machine:
        """The game on a machine; the caller must not change it. Raises InvalidInput if the game could not begin."""
        if (machine := self._running) is None:
            raise InvalidInput(f"the rules failed in the set-up of game {self._number}")
        return machine

    @property
    def seat(self) -> int:
        """The seat that is asked, the first of several; -1 if the game is over."""
        return -1 if (offer := self._offer) is None else offer.seat

    @property
    def options(self) -> tuple[Answer, ...]:
        """The legal answers of the seat that is asked, in the order of `match.options`."""
        return () if (offer := self._offer) is None else tuple(offer)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none while the game goes on."""
        if (machine := self._running) is None:
            return ()
        row = machine.row
        winners = result_of(0, row[OUTCOME], row[OUTCOME_VALUE], is_over=machine.pending is None)[2]
        return tuple(members(winners))

    @property
    def _running(self) -> Machine | None:
        """The game on a machine; None if it could not begin."""
        if self._alone is None or self._alone.is_left:
            return self._machine
        machine = self._fresh(self._number)
        assert isinstance(machine, StepsAlone)
        machine.continue_from(self._alone.packed, has_ended=self._alone.has_ended)
        return machine

    @property
    def _offer(self) -> Offer | None:
        return None if (machine := self._running) is None else _offer(machine)


def _offer(machine: Machine) -> Offer | None:
    """Returns the options of the seat that is asked; None if none is."""
    pending = machine.pending
    return None if pending is None else Offer(machine, pending.seats[0])
