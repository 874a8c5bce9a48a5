"""Answers <-> words: the options, their written forms, and the option that a text means.

An option is written as a call of its rule, without the chooser; in a choice of a value, as the value alone.

    steal(blue, metal, 2)    pass    left    {nitro, nitro}

`read_answer` reads only the exact written form, which logs and scenarios hold. `read_leniently` finds the legal option
that a person means by beginnings of words, in any case, or by its number in the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import overload

import attrs

from rulelang.errors import InvalidInput, UnknownOption
from rulelang.ir.model import Branch, Choice, GameRules, Parameter
from rulelang.ir.numbers import Seat
from rulelang.knowledge.guesses import Rng
from rulelang.knowledge.redaction import VALUE, written_answer
from rulelang.machines.machine import Answer, Machine, Pending
from rulelang.machines.offers.offer import MOST, Below, Offer
from rulelang.match.options.namesakes import may_share, numbers, parted
from rulelang.program.values import clean, not_found, read_value, split_arguments
from rulelang.seed import described

LONGEST = 250_000
"""The most characters in an answer that are read. The largest set has 4,096 members."""
SHOWN = 100
"""The most options that `repr` and errors show."""


_QUALIFIER = re.compile(r"\b[A-Za-z_]\w*\.(?=[A-Za-z_])")
"""The qualifier before a member, as in `Sea.a1`."""


@attrs.define(unsafe_hash=True, repr=False)
class Option:
    """One way to answer: the seat, the choice, and the answer. A value, which must not be changed.

    `choice` is the choice's stable name, `branch` the name of the branch, `answer` the branch's number and the
    parameters as the machine takes them. `label` is for people. Words are made when they are read, because playouts
    never read them.
    """

    seat: Seat
    choice: str
    answer: Answer
    branch: str
    _words: str | Wording = attrs.field(eq=False)

    @property
    def text(self) -> str:
        """The option in its written form."""
        words = self._words
        return words if isinstance(words, str) else words.written(self)

    @property
    def label(self) -> str:
        """The option's label for people."""
        return self._words if isinstance(self._words, str) else self._words.label(self)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Option({self.seat}, {self.choice!r}, {self.answer}, {self.branch!r}, {self.text!r})"


class Wording:
    """The words shared by the options of one choice: their written form, which is also their label."""

    __slots__ = ("choice", "game")
    is_labelled = False
    """Whether its options have labels other than their written forms."""

    def __init__(self, game: GameRules, choice: Choice) -> None:
        self.game, self.choice = game, choice

    def written(self, option: Option) -> str:
        """Returns an option's written form."""
        return written_answer(self.game, self.choice, option.answer)

    def label(self, option: Option) -> str:
        """Returns an option's label for people."""
        return option.text

    def option(self, seat: Seat, answer: Answer) -> Option:
        """Returns the option that an answer stands for."""
        return self.making(seat)(answer)

    def options(self, seat: Seat, answers: Iterable[Answer]) -> list[Option]:
        """Returns the options that a seat's answers stand for."""
        return list(map(self.making(seat), answers))

    def making(self, seat: Seat) -> Callable[[Answer], Option]:
        """Returns a function that returns the option that a seat's answer stands for."""
        name, names = self.choice.name, self.choice.branch_names
        return lambda answer: Option(seat, name, answer, names[answer[0]], self)


class Options(Wording):
    """The options of the seats to move: sorted by seat and answer (see `Machine.options`), each once.

    They are counted and picked without being listed, so there may be 2**32 or more: `len` is limited, `count` is not.
    They are valid for one moment only: after the next input, ask the match again.
    """

    __slots__ = ("_few", "_machine", "_numbers", "_offers", "_seats")

    def __init__(self, game: GameRules, choice: Choice, machine: Machine, seats: Sequence[Seat]) -> None:
        """Takes the seats to move; none if nothing is asked, and then no `choice` is read."""
        self.game, self.choice, self._machine, self._seats = game, choice, machine, seats
        self._offers: dict[int, Offer] | None = None
        self._numbers: dict[Seat, dict[Answer, str]] | None = None
        """The numbers of options that would be written alike, by seat, once somebody has asked."""
        self._few: list[Answer] | None = None
        """All answers, if a single seat is asked and they are few; None also as long as nobody has asked (`_listed`)."""

    def written(self, option: Option) -> str:
        """Returns an option's written form, which no other option on offer has."""
        return super().written(option) + self.number_of(option)

    def number_of(self, option: Option) -> str:
        """Returns the number in an option's written form, `#2`; "" if no other on offer would be written alike."""
        if not may_share(self.game, self.choice, option.answer):
            return ""
        if self._numbers is None:
            self._numbers = {}
        if option.seat not in self._numbers:
            self._numbers[option.seat] = numbers(self._machine, self.choice, option.seat)
        return self._numbers[option.seat].get(option.answer, "")

    @property
    def count(self) -> int:
        """The number of options. Raises Uncountable, see `rulelang.errors`."""
        few = self._listed()
        return sum([self.offer(seat).count for seat in self._seats]) if few is None else len(few)

    def __len__(self) -> int:
        """Returns the number of options. Raises OverflowError beyond the limit of `len`, and Uncountable."""
        few = self._few or self._listed()
        return self.count if few is None else len(few)

    def __iter__(self) -> Iterator[Option]:
        few = self._few or self._listed()
        if few is None:
            return chain.from_iterable(map(self._all_of, self._seats))
        return map(self.making(self._seats[0]), few)

    def __bool__(self) -> bool:
        return bool(self._listed()) or any(self.offer(seat).first(1) for seat in self._seats)

    def __contains__(self, option: object) -> bool:
        if not isinstance(option, Option) or option.seat not in self._seats:
            return False
        return option.answer in self.offer(option.seat) and option == self.option(option.seat, option.answer)

    @overload
    def __getitem__(self, position: int) -> Option: ...
    @overload
    def __getitem__(self, position: slice) -> list[Option]: ...
    def __getitem__(self, position: int | slice) -> Option | list[Option]:
        """Returns the option at a position, from 0 or, below 0, from the end, or a list of those in a slice.

        Raises IndexError, Uncountable. A slice from the start, `options[:3]`, works even if they cannot be counted.
        """
        if isinstance(position, slice):
            if position.start is None and position.step is None and position.stop is not None and position.stop >= 0:
                return self.first(position.stop)
            return [self[at] for at in range(self.count)[position]]
        few = self._listed()
        if few is not None:
            return self.option(self._seats[0], few[position])
        at = position if position >= 0 else position + self.count
        for seat in self._seats if at >= 0 else ():
            offer = self.offer(seat)
            if at < offer.count:
                return self.option(seat, offer[at])
            at -= offer.count
        raise IndexError(position)

    def __repr__(self) -> str:
        texts = [option.text for option in self.first(SHOWN + 1)]
        return f"<{', '.join(texts[:SHOWN])}{', …' if len(texts) > SHOWN else ''}>"

    def first(self, most: int) -> list[Option]:
        """Returns the first options, at most `most` of them."""
        found: list[Option] = []
        for seat in self._seats:
            found += self.options(seat, self.offer(seat).first(most - len(found)))
        return found

    def pick(self, rng: Rng | Below) -> Option:
        """Returns a random option, each equally likely, drawn by `random.Random`, say, or by a function that returns a
        number below another. Raises Uncountable if none that meets the needs is found, InvalidInput for no such rng.

        >>> import random, rulelang
        >>> rulelang.load("outspeed").start(players=3, seed=7).options.pick(random.Random(1)).text
        'program(right)'
        """
        below = rng if callable(rng) else getattr(rng, "randrange", None)
        if below is None:
            raise InvalidInput(f"an option is picked by a `random.Random`, not {described(rng)}")
        few = self._few or self._listed()
        if few is not None:
            return self.making(self._seats[0])(few[below(len(few))])
        if len(self._seats) == 1:
            return self.option(self._seats[0], self.offer(self._seats[0]).pick(below))
        return self[below(self.count)]

    def of_answer(self, answer: Answer) -> Option:
        """Returns the option of the one seat that an answer stands for."""
        (seat,) = self._seats
        return self.option(seat, answer)

    def some(self, most: int, below: Below) -> list[Option]:
        """Returns `most` different options for each seat, drawn at random; all of them if there are no more."""
        return [option for seat in self._seats for option in self.options(seat, self.offer(seat).some(most, below))]

    def unlabelled(self) -> Options:
        """Returns the same options with only their written forms."""
        return Options(self.game, self.choice, self._machine, self._seats) if self._seats else self

    def _listed(self) -> list[Answer] | None:
        """Returns all answers, if a single seat is asked, and they are few and come as a list."""
        if self._few is None and self._offers is None and len(self._seats) == 1:
            found = self._machine.options(self._seats[0])
            if type(found) is list and 0 < len(found) <= MOST:
                self._few = found
        return self._few

    def offer(self, seat: Seat) -> Offer:
        """Returns the answers of one of the seats."""
        if self._offers is None:
            self._offers = {}
        offer = self._offers.get(seat)
        if offer is None:
            offer = self._offers[seat] = Offer(self._machine, seat)
        return offer

    def _all_of(self, seat: Seat) -> Iterable[Option]:
        offer = self.offer(seat)
        return map(self.making(seat), offer if offer.few is None else offer.few)


# ------------------------------------------------------------------ reading the written form


def read_answer(game: GameRules, choice: Choice, text: str) -> list[Answer]:
    """Returns the answers that a text could stand for: several if things are written alike, the lowest first; a number
    among them is not read.

    They need not be legal. Raises UnknownOption if the text names no branch or no value, with the names close to it.
    """
    if len(text) > LONGEST:
        raise UnknownOption(f"an answer of {len(text):,} characters is too long")
    text = " ".join(parted(text)[0].split())
    name, arguments = _head(text)
    found = [n for n, branch in enumerate(choice.branches) if branch.name == name and name != VALUE]
    for number in found:
        branch = choice.branches[number]
        if len(arguments) == len(branch.parameters):
            return _answers(game, number, branch, arguments)
    for number, branch in enumerate(choice.branches):
        if branch.name == VALUE:
            return _answers(game, number, branch, split_arguments(_without_name(text, branch)))
    if found:
        branch = choice.branches[found[0]]
        wanted = ", ".join(parameter.variable.name for parameter in branch.parameters)
        raise UnknownOption(f"`{branch.name}` wants ({wanted})" if wanted else f"`{branch.name}` stands alone")
    raise UnknownOption(not_found(name, "option", [branch.name for branch in choice.branches]))


def _head(text: str) -> tuple[str, list[str]]:
    """Returns the name and the arguments of `name(a, b)`."""
    if text.endswith(")") and "(" in text:
        name, inner = text[:-1].split("(", 1)
        return name.strip(), split_arguments(inner)
    return text, []


def _without_name(text: str, branch: Branch) -> str:
    """Returns the value in `kept {a, b}` or `kept({a, b})`, where a person has named the choice as well."""
    for parameter in branch.parameters:
        name = parameter.variable.name
        if text.startswith((f"{name} ", f"{name}(")) and name:
            inner = text[len(name) :].strip()
            return inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
    return text


def _answers(game: GameRules, number: int, branch: Branch, arguments: list[str]) -> list[Answer]:
    if len(arguments) != len(branch.parameters):
        raise UnknownOption(f"{len(branch.parameters)} values are wanted, found {len(arguments)}")
    answers: list[Answer] = [(number,)]
    for text, parameter in zip(arguments, branch.parameters, strict=True):
        values = _values(game, text, parameter)
        answers = [(*answer, value) for answer in answers for value in values][:MOST]
    return answers


def _values(game: GameRules, text: str, parameter: Parameter) -> list[int]:
    return read_value(game, text, parameter.variable.type)


# ------------------------------------------------------------------ reading what people write


def read_leniently(text: str, options: Iterable[Option]) -> Option:
    """Returns the one legal option that a person means by its full form, its number, or the beginnings of its words.

    `st bl me 2` and `STEAL(blue, metal, 2)` are `steal(blue, metal, 2)`, and so is `metal 2` if no other option fits
    it; `Sea.a1` is `a1`. Raises UnknownOption for none or several.
    """
    offered = [option for option, _ in zip(options, range(MOST), strict=False)]
    fits = fitting(text, offered)
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise UnknownOption(could_be(text, fits))
    raise UnknownOption(not_found(text.strip(), "option", [option.text for option in offered]))


def could_be(text: str, options: Sequence[Option]) -> str:
    """Returns a sentence on a text that may mean several options."""
    some = ", ".join(f"`{option.label}`" for option in options[:4])
    return f"`{clean(text.strip())[:40]}` could be {some}" + (" or another" if len(options) > 4 else "")


def fitting(text: str, offered: Sequence[Option]) -> list[Option]:
    """Returns the options that a person may mean, as in `read_leniently`.
    Raises UnknownOption for a text that is too long."""
    if len(text) > LONGEST:
        raise UnknownOption(f"an answer of {len(text):,} characters is too long")
    wanted = _QUALIFIER.sub("", text).strip().casefold()
    same = [option for option in offered if option.text.casefold() == wanted]
    if same:
        return same[:1]
    if re.fullmatch(r"\d{1,4}", wanted, re.ASCII) and 1 <= int(wanted) <= len(offered):
        return [offered[int(wanted) - 1]]
    words = _words(wanted)
    said = [(option, _words(option.text.casefold())) for option in offered if words]
    fits = [option for option, its in said if _is_begun(words[0], its[0]) and _begins(words, its)]
    fits = fits or [option for option, its in said if _begins(words, its[1:])]
    fits = fits or [option for option, _ in said if _begins_some_order(words, option.text.casefold())]
    exact = [option for option in fits if len(_words(option.text)) == len(words)]
    return exact if len(exact) == 1 else fits


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+|-\d+", text)


def _begins(wanted: list[str], words: list[str]) -> bool:
    """Returns whether each wanted word begins one of the words, in order."""
    at = 0
    for word in wanted:
        while at < len(words) and not _is_begun(word, words[at]):
            at += 1
        if at == len(words):
            return False
        at += 1
    return True


def _begins_some_order(wanted: list[str], text: str) -> bool:
    """Returns whether the wanted words begin words of a written option, in order but for the members of its sets.

    >>> _begins_some_order(["blue", "gr"], "peek({green, blue})"), _begins_some_order(["b2", "a1"], "move(a1, b2)")
    (True, False)
    """
    # Between braces any of the words may be next; elsewhere each stands alone.
    runs = re.split(r"[{}]", text)
    bags = [bag for n, run in enumerate(runs) for bag in ([_words(run)] if n % 2 else [[word] for word in _words(run)])]
    at = 0
    for word in wanted:
        while at < len(bags) and not any(_is_begun(word, one) for one in bags[at]):
            at += 1
        if at == len(bags):
            return False
        bags[at].remove(min((one for one in bags[at] if _is_begun(word, one)), key=len))
    return True


def _is_begun(wanted: str, word: str) -> bool:
    return word == wanted if wanted.lstrip("-").isdigit() else word.startswith(wanted)


# ------------------------------------------------------------------ options from outside


def checked_option(value: object) -> Option | str:
    """Returns an option or its written form; raises InvalidInput for anything else."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Option):
        raise InvalidInput(f"an option is one of `match.options` or its written form, not {described(value)}")
    answer = value.answer
    if not (isinstance(answer, tuple) and all(isinstance(n, int) and not isinstance(n, bool) for n in answer)):
        raise InvalidInput("an option's answer is a tuple of numbers")
    return value


def choice_answered(value: Option, game: GameRules, pending: Pending | None) -> Choice:
    """Returns the pending choice, which an option answers; raises UnknownOption for one of another match or moment."""
    if not isinstance(value, Option):
        raise InvalidInput(f"an option is one of `match.options`, not {described(value)}")
    if pending is None:
        raise UnknownOption("there is nothing to choose")
    choice = game.choices[pending.choice]
    if value.choice != choice.name or value.seat not in pending.seats:
        raise UnknownOption("this option answers another choice: ask the match for its options again")
    answer, lengths = value.answer, choice.answer_lengths
    if not answer or not 0 <= answer[0] < len(lengths) or len(answer) != lengths[answer[0]]:
        raise UnknownOption("this option is of another game")
    return choice
