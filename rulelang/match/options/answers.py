"""A position -> its legal options, and the option that a text means.

on_offer(position, (0,))            take(1), take(2), take(3)
meant(position, "red: take(2)")     Option(0, 'take', …)
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.errors import UnknownOption
from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import written_answer
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.match.options.explain import alike_on_offer, labels
from rulelang.match.options.option import Option, Options, Wording, read_answer, read_leniently
from rulelang.match.position import Position


def on_offer(position: Position, seats: tuple[Seat, ...]) -> Options:
    """Returns the options of some of the seats to move."""
    pending = position.pending
    choice = None if pending is None else position.visibility.game.choices[pending.choice]
    return Options(position.machine, seats, None if choice is None else Labelled(position, choice))


class Labelled(Wording):
    """The words shared by the options of one position: their written forms, and labels for people, made when the first
    one is read.
    """

    __slots__ = ("_by_seat", "_position")
    is_labelled = True

    def __init__(self, position: Position, choice: Choice) -> None:
        self.game, self.choice, self._position = position.visibility.game, choice, position
        self._by_seat: dict[Seat, Callable[[Option], str]] | None = None

    def label(self, option: Option) -> str:
        """Returns an option's label for people."""
        if self._by_seat is None:
            self._by_seat = {}
        if option.seat not in self._by_seat:
            self._by_seat[option.seat] = labels(self._position, self.choice, option.seat)
        return self._by_seat[option.seat](option)


def meant(position: Position, text: str, *, lenient: bool = False) -> Option:
    """Returns the option that a text means; see `Match.option`. Raises UnknownOption."""
    choice = position.choice
    if choice is None:
        raise UnknownOption("there is nothing to choose")
    seat, words = _addressed(position, text)
    if lenient:
        return read_leniently(words, on_offer(position, (seat,)).first(MOST))
    return _written(position, choice, seat, words)


def _addressed(position: Position, text: str) -> tuple[Seat, str]:
    name, colon, words = text.partition(":")
    seats, to_move = position.seats, position.to_move
    if colon and name.strip() in seats:
        seat = Seat(seats.index(name.strip()))
        if seat not in to_move:
            raise UnknownOption(f"{name.strip()} has nothing to choose now")
        return seat, words
    if len(to_move) != 1:
        names = ", ".join(seats[seat] for seat in to_move)
        raise UnknownOption(f"say who: several are to choose ({names})")
    return to_move[0], text


def _written(position: Position, choice: Choice, seat: Seat, words: str) -> Option:
    """Returns the option with a written form; of several written alike, a legal one, else one that only a `needs`
    refuses."""
    game, machine, shared = position.game, position.machine, Labelled(position, choice)
    answers = read_answer(game, choice, words)
    if len(answers) > 1 or not machine.allows(seat, answers[0]):
        written = written_answer(game, choice, answers[0])
        few = Offer(machine, seat).few
        for answer in alike_on_offer(position, choice, seat, answers[0]) if few is None else few:
            if written_answer(game, choice, answer) == written:
                return shared.option(seat, answer)
        for answer in answers:
            refusal = machine.refusal(seat, answer)
            if refusal is not None and refusal.need is not None:
                return shared.option(seat, answer)
    return shared.option(seat, answers[0])
