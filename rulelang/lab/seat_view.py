"""A match and a seat -> what that seat has to go by: its view, its options, re-deals of what it may not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeals
from rulelang.match.view import View
from rulelang.playouts.rng import RandomStream


class SeatView:
    """A match as one seat sees it: `seat`, `options`, `view()` and `redeal()`.

    It does not reveal the real position, the seed or other hands. It is valid for one moment: once the match goes on,
    make another.
    """

    __slots__ = ("_look", "_redeals", "luck", "options", "seat")

    def __init__(self, match: BareMatch, seat: int, luck: RandomStream) -> None:
        self.seat = Seat(seat)
        self.luck = luck
        # A label is put into words by the match, which a bot must not have.
        self.options = match.options_of(seat).unlabelled()
        self._look: Callable[[], View] = partial(match.view, seat)
        self._redeals: Iterator[BareMatch] = redeals(match, self.seat, luck)

    def view(self) -> View:
        """Returns the seat's view of the position."""
        return self._look()

    def redeal(self) -> BareMatch:
        """Returns a position that this seat could not tell from the real one, with fresh dice."""
        return next(self._redeals)
