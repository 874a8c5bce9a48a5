"""A position -> its legal options, and the option that a text means.

on_offer(position, (0,))            take(1), take(2), take(3)
meant(position, "red: take(2)")     Option(0, 'take', …)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.errors import UnknownOption
from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import written_answer
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.machine import Answer, Machine, Pending
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.match.deferred_events import Untold
from rulelang.match.options.explain import alike_on_offer, labels
from rulelang.match.options.lasting import lasting_options, written_once
from rulelang.match.options.namesakes import distinction, namesakes, numbered, parted
from rulelang.match.options.option import Option, Options, Wording, read_answer, read_leniently
from rulelang.match.position import Position
from rulelang.match.state import Moment


class Offered(Options):
    """The options of a position, with labels for people. The labels, and the position, are made when they are read."""

    __slots__ = ("_is_traced", "_labels", "_position", "_secrets", "_stand", "_visibility", "machine", "pending")
    is_labelled = True

    def __init__(
        self,
        visibility: Visibility,
        secrets: Secrets,
        machine: Machine,
        pending: Pending | None,
        stand: Moment | Untold,
        is_traced: bool,
    ) -> None:
        """Takes the parts of the position; see `Position`."""
        self._visibility, self._secrets, self._stand, self._is_traced = visibility, secrets, stand, is_traced
        self._machine = self.machine = machine
        self.pending = pending
        self.game = game = visibility.game
        self._offers = self._few = self._numbers = None
        self._position: Position | None = None
        self._labels: dict[Seat, Callable[[Option], str]] | None = None
        if pending is None:
            self._seats: Sequence[Seat] = ()
        else:
            self._seats, self.choice = pending.seats, game.choices[pending.choice]

    @property
    def position(self) -> Position:
        """The position."""
        if self._position is None:
            self._position = Position(
                self._visibility, self._secrets, self.machine, self.pending, self._stand, self._is_traced
            )
        return self._position

    def making(self, seat: Seat) -> Callable[[Answer], Option]:
        """Returns a function that returns the option that a seat's answer stands for: the same one again if it lasts."""
        lasting = self._visibility.lasting_options.get((self.choice.id, seat))
        if lasting is None:
            lasting = lasting_options(self._visibility, self.choice, seat)
        return lasting.__getitem__ if lasting is not None else super().making(seat)

    def written(self, option: Option) -> str:
        """Returns an option's written form, which no other option on offer has."""
        return written_once(self._visibility, self.choice, option.answer) + self.number_of(option)

    def label(self, option: Option) -> str:
        """Returns an option's label for people."""
        if self._labels is None:
            self._labels = {}
        if option.seat not in self._labels:
            self._labels[option.seat] = labels(self.position, self.choice, option.seat)
        label = self._labels[option.seat](option)
        if not self.number_of(option) or label == option.text:
            return label
        return f"{label} ({distinction(self.machine, self.choice, option.seat, option.answer)})"


class AsWritten(Wording):
    """The words of an option that was written without a number, as older logs write those that share their form."""

    __slots__ = ("_shared",)

    def __init__(self, shared: Options, choice: Choice) -> None:
        super().__init__(shared.game, choice)
        self._shared = shared

    def label(self, option: Option) -> str:
        """Returns an option's label for people."""
        return self._shared.label(option)


def on_offer(position: Position, seats: Sequence[Seat]) -> Options:
    """Returns the options of some of the seats to move."""
    offered = Offered(
        position.visibility,
        position.secrets,
        position.machine,
        position.pending,
        position.stand,
        position.is_traced,
    )
    offered._position, offered._seats = position, seats
    return offered


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
    """Returns the option with a written form; of several written
    alike, a legal one, else one that only a `needs` refuses."""
    game, machine, shared = position.game, position.machine, on_offer(position, ())
    answers, (plain, number) = read_answer(game, choice, words), parted(words)
    if number:
        return shared.option(seat, numbered(namesakes(machine, choice, seat, answers[0]), plain, number))
    if len(answers) > 1 or not machine.allows(seat, answers[0]):
        written = written_answer(game, choice, answers[0])
        few = Offer(machine, seat).few
        for answer in alike_on_offer(position, choice, seat, answers[0]) if few is None else few:
            if written_answer(game, choice, answer) == written:
                return AsWritten(shared, choice).option(seat, answer)
        for answer in answers:
            refusal = machine.refusal(seat, answer)
            if refusal is not None and refusal.need is not None:
                return shared.option(seat, answer)
    return shared.option(seat, answers[0])
