"""A match and a seat -> the seat's view, its options, and re-deals of the parts that it may not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Protocol, cast, runtime_checkable

from rulelang.errors import InvalidInput
from rulelang.ir.numbers import Seat
from rulelang.lab.nodes import seen_by_others
from rulelang.machines.chance import Seeded
from rulelang.machines.machine import Machine, MachineChoice
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option, Options
from rulelang.match.redeals.drawing import drawn
from rulelang.match.redeals.redeal import Redeals, asked_of_others, redeals, sealed_again, sight_of
from rulelang.match.state import BUDGET, RedealKind
from rulelang.match.view import View
from rulelang.playouts.rng import RandomStream
from rulelang.program.results import GreedyChoice, SeenSlot


@runtime_checkable
class ChoosesGreedily(Protocol):
    """A machine that makes such choices."""

    def greedily(self, asked: GreedyChoice, before: ChoosesGreedily | None) -> MachineChoice | None:
        """Returns a choice in its row, given the machine before the answers under seal, if there are any; None if it
        cannot make it."""


@cache
def _chooses(machine: type[Machine]) -> bool:
    return issubclass(machine, ChoosesGreedily)


class SeatView:
    """A match as one seat sees it: `seat`, `options`, `view()` and `redeal()`.

    It does not reveal the real position, the seed or other hands. It is valid for one moment only: after the next
    input, make another.
    """

    __slots__ = ("_asks", "_look", "_of", "_redeals", "_sights", "options", "rng", "seat")

    def __init__(self, match: BareMatch, seat: int, rng: RandomStream) -> None:
        self.seat = Seat(seat)
        self.rng = rng
        # Labels are worded by the match, which a bot must not have.
        self.options = match.options_of(seat).unlabelled()
        self._look: Callable[[], View] = partial(match.view, seat)
        self._of: Callable[[RedealKind], Iterator[BareMatch]] = partial(_redeals_of, match, self.seat, rng)
        self._redeals = self._of("known")
        self._asks: Callable[[int, int, int], MachineChoice | None] | None = partial(
            _asked, match, self.seat, self.options, self._redeals
        )
        self._sights: Callable[[], list[list[SeenSlot]] | None] = partial(seen_by_others, match, self.seat)

    def view(self) -> View:
        """Returns the seat's view of the position."""
        return self._look()

    def deal_by(self, kind: RedealKind) -> None:
        """Sets the kind of re-deals from now on; see `Match.redeal`. If one kind finds nothing, the next simpler one
        is used.

        Raises InvalidInput for an untraced match, unless the kind is `known`.
        """
        self._redeals, self._asks = self._of(kind), None

    def redeal(self) -> BareMatch:
        """Returns a position that this seat could not tell from the real one, with fresh dice."""
        return next(self._redeals)


class OpenView(SeatView):
    """A seat's view whose re-deals are the true position, with fresh dice: for measuring what is hidden (`cheating`)."""

    def __init__(self, match: BareMatch, seat: int, rng: RandomStream) -> None:
        super().__init__(match, seat, rng)
        self._of = lambda kind: _true(match, rng)
        self._redeals, self._asks = self._of("known"), None


def _true(match: BareMatch, rng: RandomStream) -> Iterator[BareMatch]:
    while True:
        dice = Seeded(f"deal {rng.randrange(2**62)}", match.game, match.internals.layout)
        yield match.fork(traced=False).internals.fork_with(dice)


def machine_choice(seen: SeatView, deals: int, stay: int, compared: int) -> MachineChoice | None:
    """Returns the choice of a seat that its machine makes as `greedy` would, in re-deals drawn from the same random
    numbers; None if it cannot make it. See `GreedyChoice`."""
    return None if seen._asks is None else seen._asks(deals, stay, compared)


def dealt_machines(seen: SeatView, many: int) -> list[Machine] | None:
    """Returns the machines of a seat's next re-deals; None, with nothing drawn, if no machine deals them by itself."""
    return seen._redeals.machines(many) if isinstance(seen._redeals, Redeals) else None


def redealt_machines(seen: SeatView, many: int) -> tuple[list[Machine], list[list[SeenSlot]]] | None:
    """Returns the machines of a seat's next re-deals, and by seat the slots that it sees and this seat does not; None,
    with nothing drawn, if no machine deals them by itself, or if a seat knows more than it sees."""
    sights = seen._sights() if isinstance(seen._redeals, Redeals) else None
    machines = None if sights is None else dealt_machines(seen, many)
    return None if sights is None or machines is None else (machines, sights)


def _asked(
    match: BareMatch,
    seat: Seat,
    options: Options,
    known: Iterator[BareMatch],
    deals: int,
    stay: int,
    compared: int,
) -> MachineChoice | None:
    """Returns the choice of a seat for its machine to make, in deals of what it does not see or, if it has `known` more,
    of what it does not know; None if the machine cannot."""
    offer = options.offer(seat)
    if offer.few is None or offer.is_wide:
        return None
    sight = sight_of(match, seat)
    if sight is None:
        return known.greedily(deals, stay, compared) if isinstance(known, Redeals) else None
    sealed = sealed_again(match, seat)
    if sealed and options.choice.has_sets:
        return None
    asked = GreedyChoice(sight, match.players, sealed, asked_of_others(match, seat), deals, stay, compared)
    machine, before = _thinking(match, match.position.machine), match.position.seal.before
    return None if machine is None else machine.greedily(asked, None if before is None else _thinking(match, before))


def _thinking(match: BareMatch, machine: Machine) -> ChoosesGreedily | None:
    """Returns the machine on which bots think in the position of another; None if it cannot choose by itself."""
    if match.internals.thinking is not None:
        row, machine = machine.row, match.internals.thinking()(machine.chance)
        machine.row = row[:]
    return cast(ChoosesGreedily, machine) if _chooses(type(machine)) else None


def lone_option(seen: SeatView) -> Option | None:
    """Returns a seat's only option, or any one if so many sets are refused that none is found in order; None if it has
    several. Raises Uncountable if none is found at all.
    """
    found = seen.options.first(2)
    if not found:
        return seen.options.pick(seen.rng.randrange)
    return found[0] if len(found) == 1 else None


def _redeals_of(match: BareMatch, seat: Seat, rng: RandomStream, kind: RedealKind) -> Iterator[BareMatch]:
    if kind == "known":
        return redeals(match, seat, rng, thinking=True)
    if not match.is_traced:
        raise InvalidInput(f"re-deals that are {kind} need a match that is traced")
    again = partial(drawn, match, seat, rng, BUDGET, None, False, chained=kind == "chain")
    return iter(again, None)
