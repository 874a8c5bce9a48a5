"""Whole games of bots, looked at in terminals of three sizes: the screen fits, and what stands there is for people."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from random import Random

import attrs
import pytest
from rich.console import Console

import rulelang
from cli.play.person import Person
from cli.screen import draw, narrate
from rulelang.api import Match
from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import back
from rulelang.program.values import clean
from rulelang.screens.narration import told
from rulelang.screens.picture import picture
from rulelang.session.question import question
from rulelang.session.table import GameTable
from tests.screens.pictures import SIZES
from tests.screens.test_written_forms import is_written


@attrs.frozen
class Played:
    """A whole game: how many sit there, the seed, options that end it in good time, and how often it is looked at."""

    players: int
    seed: int
    every: int
    options: dict[str, int] = attrs.field(factory=dict, hash=False)


GAMES = {
    "outspeed": Played(4, 3, 9),
    "outspeed+sprint": Played(6, 2, 9),
    "empty_space": Played(3, 4, 17, {"most_rounds": 9}),
    "empty_space+solo": Played(1, 5, 17),
    "exobase": Played(1, 3, 11),
    "exobase+mild": Played(1, 6, 11),
    "exit_velocity": Played(3, 4, 41, {"max_rounds": 1}),
    "exit_velocity+untimed": Played(4, 8, 41, {"max_rounds": 1}),
}
MOST = 1500
"""Choices, far more than such a game has."""
UNKNOWN = re.compile(r"(?<![^\s(])\?(?![^\s),])")
"""A question mark by itself, where a word for what one may not know should be."""


@cache
def looked_at(name: str) -> tuple[Match, ...]:
    """Returns positions of a whole game of random bots, the last of them its end."""
    played, found = GAMES[name], list[Match]()
    match, rng = rulelang.load(name).start(played.players, played.seed, options=played.options), Random(played.seed)
    for number in range(MOST):
        if not match.to_move:
            break
        if number % played.every == 0:
            found.append(match.fork())
        match.push(rng.choice(match.options_of(match.to_move[0]).first(60)))
    return (*found, match)


def printed(name: str, match: Match, width: int, height: int) -> list[str]:
    """Returns the rows of a terminal when whoever is to move has been asked: a rule, the screen, the question, the prompt."""
    file, seat = io.StringIO(), match.to_move[0] if match.to_move else None
    console = Console(width=width, height=height, file=file, color_system=None, force_terminal=True)
    person = Person(console, GameTable(rulelang.load(name), name, match, match.header, (None,) * match.players))
    if seat is None or match.choice is None:
        console.print(draw(picture(match, None), person.styles, console, height - 2))
    else:
        asked = person._question(seat, question(match.game, match.choice, tuple(match.options_of(seat))))
        person.show(seat, person._room(asked))
        console.print(asked)
        console.print(f"{match.seat_names[seat]}> ")
    return file.getvalue().splitlines()


def nouns(game: ir.GameRules) -> Iterator[tuple[str, str]]:
    """Yields what is counted in a game: one and several."""
    for kind in game.kinds:
        yield clean(kind.label or kind.name), back(kind)[1]
    for node in walk(game):
        if isinstance(node, ir.Counted):
            yield clean(node.one), clean(node.many)


def miscounted(game: ir.GameRules) -> re.Pattern[str]:
    """Returns what finds `1 tokens` and `3 token`."""
    pairs = [(one, many) for one, many in set(nouns(game)) if one and one != many]
    several = "|".join(re.escape(many) for _, many in pairs)
    single = "|".join(re.escape(one) for one, _ in pairs)
    return re.compile(rf"(?<![\w.,:/-])(?:1 (?:{several})|(?:0|[2-9]|\d\d+) (?:{single}))(?![\w'])")


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", GAMES)
def test_every_screen_of_a_whole_game_fits(name: str, size: str) -> None:
    width, height = SIZES[size]
    for number, match in enumerate(looked_at(name)):
        rows = printed(name, match, width, height)
        assert len(rows) <= height, (number, "\n".join(rows))
        assert max(map(len, rows)) <= width, (number, "\n".join(rows))


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_told_in_words_for_people(name: str) -> None:
    positions = looked_at(name)
    end, wrong = positions[-1], miscounted(positions[-1].game)
    assert end.outcome is not None, "the game is not over"
    boards = {board.kind for board in end.game.boards}
    own = frozenset(n for kind in end.game.kinds if kind.id in boards for n in kind.names) | {
        die.name for die in end.game.dice
    }
    styles = Person(Console(), GameTable(rulelang.load(name), name, end, end.header, (None,) * end.players)).styles
    lines = [line.plain for viewer in (0, None) for line in narrate(end.events_for(viewer), styles)]
    shown = [line for match in positions for line in printed(name, match, 140, 50)]
    faults = {found: line for line in (*lines, *shown) for found in (*is_written(line, own), *wrong.findall(line))}
    faults |= dict.fromkeys(("?" for line in (*lines, *shown) if UNKNOWN.search(line)), "a screen or sentence")
    assert not faults, "\n".join(f"{found}   in   {line}" for found, line in faults.items())
    assert len(lines) > 2 * len(positions)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_no_sentence_tells_of_more_than_happens(name: str) -> None:
    """What a sentence names by its number is not told again; so what is told again differs from the sentence."""
    end = looked_at(name)[-1]
    for line in told(end.events_for(None), end.seat_names):
        for change in line.changes:
            subject = re.split(" rises | falls ", change)[0].split()[-1]
            assert change.startswith(f"{subject} ") or not re.search(rf"\d+ {re.escape(subject)}\b", line.sentence), (
                line.sentence,
                change,
            )


def test_a_wrong_plural_would_be_found() -> None:
    wrong = miscounted(looked_at("outspeed")[-1].game)
    assert wrong.findall("1 bonus tokens, 3 bonus token, 2 bonus tokens, 1 bonus token") == [
        "1 bonus tokens",
        "3 bonus token",
    ]
    assert UNKNOWN.search("deck: 3 cards, top ?")
    assert not UNKNOWN.search("Which route?")
