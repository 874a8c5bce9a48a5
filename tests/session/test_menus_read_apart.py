"""No two answers of one menu read alike: in the classics and in the examples of the docs; `test_typed_names.py` asks the games that ship."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rulelang import api
from rulelang.diagnostics.codes.code import whole
from rulelang.errors import RulelangError
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.session.dialogue import Dialogue
from tests.games import classics
from tests.games.written import game
from tests.house.test_docs import EXAMPLES

MOST = 200
"""The options of a position whose labels are compared, and the most lines of a question."""


def alike(match: BareMatch) -> Iterator[str]:
    """Yields what would stand twice in a menu, or among the options, of somebody who is asked."""
    for seat in match.to_move:
        asked = Dialogue.of(match, Seat(seat)).question
        lines = [line.label for line in asked.parts or asked.lines]
        options = [option.label for option in match.options_of(seat).first(MOST)] if not lines else []
        for labels in (lines, options):
            yield from {label for label in labels if [one.casefold() for one in labels].count(label.casefold()) > 1}
        forms: dict[str, set[str]] = {}
        for name, form in zip(asked.names, asked.members, strict=True):
            forms.setdefault(name, set()).add(form)
        yield from (name for name, some in forms.items() if len(some) > 1)


def read(match: BareMatch, plies: int, every: int = 1) -> set[str]:
    """Returns what reads alike in a game of so many answers at random."""
    luck, found = Random(plies), set[str]()
    for step in range(plies):
        if not match.to_move:
            break
        if step % every == 0:
            found.update(alike(match))
        match.push(luck.choice(match.options_of(match.to_move[0]).first(60)))
    return found


ALIKE = """\
game alike "Alike":
  players 2
  seats red, blue
names p, q: Player; n: 1..20; k: Token
kind Token "token":
  colour: enum(ruby, jade)
  | copies | colour       |
  | 3      | {ruby, jade} |
the game has:
  left: group of Token
  right: group of Token
setup:
  move 1 of {k in Token if k.colour == ruby} to left
  move 1 of {k in Token if k.colour == ruby and k in box} to right
  move {k in Token if k in box} to left
action take(p, n) "Take some": settle
action lay(p, n) "Take some": settle
action rest(p) "Rest": settle
action sleep(p) "Rest": settle
action pick(p, k in left + right, q) "Pick": settle
play:
  turns p from red: p chooses one of MENU
"""
MENUS = {
    "rest, sleep": ["Rest", "Rest (sleep)"],
    "take, lay": ["Take some … (take)", "Take some … (lay)"],
    "take": [f"Take some ({n})" for n in range(1, 21)],
    "pick": ["Pick (the left) (ruby, red)", "Pick (the left) (ruby, blue)", "Pick (the right) (ruby, red)"],
}


@pytest.mark.parametrize("menu", MENUS)
def test_answers_that_their_authors_call_alike_say_what_they_stand_for(menu: str, tmp_path: Path) -> None:
    match = game(ALIKE.replace("MENU", menu), tmp_path).start(2, seed=1)
    dialogue = Dialogue.of(match, Seat(0))
    labels = [line.label for line in dialogue.question.lines]
    assert not list(alike(match))
    assert labels[: len(MENUS[menu])] == MENUS[menu]
    for line in dialogue.question.lines:
        assert Dialogue.of(match, Seat(0)).answer(line.label) == Dialogue.of(match, Seat(0)).answer(line.key)


@pytest.mark.parametrize("name", classics.NAMES)
def test_no_two_answers_of_a_classic_read_alike(name: str) -> None:
    assert not read(classics.classic(name).start(seed=2), 6)


@pytest.mark.long
def test_no_two_answers_of_an_example_read_alike() -> None:
    found, played = dict[str, set[str]](), 0
    for place, tag, text in EXAMPLES:
        if tag == "upon" or re.fullmatch(r"E\d{4}", tag) or "choose" not in text:
            continue
        rules = api.check_text(whole(text)).game
        if rules is None:
            continue
        try:
            some = read(rules.start(seed=1), 12, 2)
        except RulelangError:  # a sketch may break off
            continue
        played += 1
        if some:
            found[place] = some
    assert played > 40
    assert not found
