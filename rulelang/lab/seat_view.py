"""A match and a seat -> the seat's view, its options, and re-deals of the parts that it may not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from rulelang.errors import InvalidInput
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.redeals.drawing import drawn
from rulelang.match.redeals.redeal import redeals
from rulelang.match.state import BUDGET, RedealKind
from rulelang.match.view import View
from rulelang.playouts.rng import RandomStream


class SeatView:
    """A match as one seat sees it: `seat`, `options`, `view()` and `redeal()`.

    It does not reveal the real position, the seed or other hands. It is valid for one moment only: after the next
    input, make another.
    """

    __slots__ = ("_look", "_of", "_redeals", "options", "rng", "seat")

    def __init__(self, match: BareMatch, seat: int, rng: RandomStream) -> None:
        self.seat = Seat(seat)
        self.rng = rng
        # Labels are worded by the match, which a bot must not have.
        self.options = match.options_of(seat).unlabelled()
        self._look: Callable[[], View] = partial(match.view, seat)
        self._of: Callable[[RedealKind], Iterator[BareMatch]] = partial(_redeals_of, match, self.seat, rng)
        self._redeals = self._of("known")

    def view(self) -> View:
        """Returns the seat's view of the position."""
        return self._look()

    def deal_by(self, kind: RedealKind) -> None:
        """Sets the kind of re-deals from now on; see `Match.redeal`. If one kind finds nothing, the next simpler one
        is used.

        Raises InvalidInput for an untraced match, unless the kind is `known`.
        """
        self._redeals = self._of(kind)

    def redeal(self) -> BareMatch:
        """Returns a position that this seat could not tell from the real one, with fresh dice."""
        return next(self._redeals)


class OpenView(SeatView):
    """A seat's view whose re-deals are the true position, with fresh dice: for measuring what is hidden (`cheating`)."""

    def __init__(self, match: BareMatch, seat: int, rng: RandomStream) -> None:
        super().__init__(match, seat, rng)
        self._of = lambda kind: _true(match, rng)
        self._redeals = self._of("known")


def _true(match: BareMatch, rng: RandomStream) -> Iterator[BareMatch]:
    while True:
        dice = Seeded(f"deal {rng.randrange(2**62)}", match.game, match.layout)
        yield match.fork(traced=False).fork_with(dice)


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
