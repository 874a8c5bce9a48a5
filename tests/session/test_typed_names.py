"""Whatever a menu shows can be typed: the words of an answer mean what its number means, in each game and each variant."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from random import Random
from typing import TypeAlias

import attrs
import pytest

import rulelang
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.session.dialogue import Dialogue
from rulelang.session.question import Question
from tests.files import NAMES
from tests.session.test_menus_read_apart import alike

STEPS, EVERY = 160, 16
"""Choices at random, and at every how many of them all menus are read."""
DEEP, WIDE = 3, 40
"""Menus inside of menus that are opened, and lines of each that are typed."""


@attrs.frozen
class Menu:
    """A question, and the numbers that lead to it."""

    asked: Question
    typed: tuple[str, ...]


Came: TypeAlias = Option | Question | None


@attrs.frozen
class Typing:
    """The dialogues of who is to move in a position, by what was typed; each goes on from the one before."""

    match: BareMatch
    begun: dict[tuple[str, ...], tuple[Dialogue, Came]] = attrs.field(factory=dict)

    def reached(self, typed: tuple[str, ...]) -> Came:
        """Returns what one comes to who types this."""
        return self._at(typed)[1]

    def _at(self, typed: tuple[str, ...]) -> tuple[Dialogue, Came]:
        if typed not in self.begun:
            if not typed:
                dialogue = Dialogue.of(self.match, self.match.to_move[0])
                self.begun[typed] = dialogue, dialogue.question
            else:
                dialogue = copy(self._at(typed[:-1])[0])
                self.begun[typed] = dialogue, dialogue.answer(typed[-1])
        return self.begun[typed]


def menus(typing: Typing) -> Iterator[Menu]:
    """Yields the menus of who is to move, one inside of the other."""
    came = typing.reached(())
    open_ = [Menu(came, ())] if isinstance(came, Question) else []
    while open_:
        menu = open_.pop()
        yield menu
        for line in (menu.asked.parts or menu.asked.lines)[:WIDE] if len(menu.typed) < DEEP else ():
            typed = (*menu.typed, line.key)
            came = typing.reached(typed)
            if isinstance(came, Question):
                open_.append(Menu(came, typed))


def untyped(typing: Typing, menu: Menu) -> Iterator[str]:
    """Yields the words of a menu that do not mean what stands beside them."""
    if menu.asked.members:
        for number, name in enumerate(menu.asked.names[:WIDE], start=1):
            if not same(typing, menu, str(number), name):
                yield name
        return
    for line in (menu.asked.parts or menu.asked.lines)[:WIDE]:
        for words in (line.label, line.label.casefold()):
            if not same(typing, menu, line.key, words):
                yield words


def same(typing: Typing, menu: Menu, key: str, words: str) -> bool:
    """Returns whether words lead where the number of a line does."""
    try:
        by_words = typing.reached((*menu.typed, words))
    except rulelang.UnknownOption:
        return False
    return by_words == typing.reached((*menu.typed, key))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_what_a_menu_shows_can_be_typed(name: str) -> None:
    game = rulelang.load(name)
    match, luck = game.start(max(game.players[0], min(3, game.players[1])), 7), Random(name)
    found, read = set[tuple[str, str]](), 0
    for step in range(STEPS):
        if not match.to_move:
            break
        if step % EVERY == 0:
            found |= {("two read alike", words) for words in alike(match)}
            typing = Typing(match)
            for menu in menus(typing):
                read += 1
                found |= {(menu.asked.heading, words) for words in untyped(typing, menu)}
        match.push(luck.choice(match.options_of(match.to_move[0]).first(60)))
    assert read >= 3
    assert not found
