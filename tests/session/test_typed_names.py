"""Whatever a menu shows can be typed: the words of an answer mean what its number means, in each game and each variant."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import attrs
import pytest

import rulelang
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.session.dialogue import Dialogue
from rulelang.session.question import Question
from tests.files import NAMES

STEPS, EVERY = 160, 16
"""Choices at random, and at every how many of them all menus are read."""
DEEP, WIDE = 3, 40
"""Menus inside of menus that are opened, and lines of each that are typed."""


@attrs.frozen
class Menu:
    """A question, and the numbers that lead to it."""

    asked: Question
    typed: tuple[str, ...]


def reached(match: BareMatch, typed: tuple[str, ...]) -> Option | Question | None:
    """Returns what one comes to who types this."""
    dialogue = Dialogue.of(match, match.to_move[0])
    came: Option | Question | None = dialogue.question
    for text in typed:
        came = dialogue.answer(text)
    return came


def menus(match: BareMatch) -> Iterator[Menu]:
    """Yields the menus of who is to move, one inside of the other."""
    came = reached(match, ())
    open_ = [Menu(came, ())] if isinstance(came, Question) else []
    while open_:
        menu = open_.pop()
        yield menu
        for line in (menu.asked.parts or menu.asked.lines)[:WIDE] if len(menu.typed) < DEEP else ():
            typed = (*menu.typed, line.key)
            came = reached(match, typed)
            if isinstance(came, Question):
                open_.append(Menu(came, typed))


def untyped(match: BareMatch, menu: Menu) -> Iterator[str]:
    """Yields the words of a menu that do not mean what stands beside them."""
    if menu.asked.members:
        for number, name in enumerate(menu.asked.names[:WIDE], start=1):
            if not same(match, menu, str(number), name):
                yield name
        return
    for line in (menu.asked.parts or menu.asked.lines)[:WIDE]:
        for words in (line.label, line.label.casefold()):
            if not same(match, menu, line.key, words):
                yield words


def same(match: BareMatch, menu: Menu, key: str, words: str) -> bool:
    """Returns whether words lead where the number of a line does."""
    try:
        by_words = reached(match, (*menu.typed, words))
    except rulelang.UnknownOption:
        return False
    return by_words == reached(match, (*menu.typed, key))


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
            for menu in menus(match):
                read += 1
                found |= {(menu.asked.heading, words) for words in untyped(match, menu)}
        match.push(luck.choice(match.options_of(match.to_move[0]).first(60)))
    assert read >= 3
    assert not found
