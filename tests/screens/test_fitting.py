"""Every choice fits a terminal of 80 columns and 24 rows, with its prompt: what has no room is folded."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from rich.console import Console

import rulelang
from cli.play.person import Person
from cli.screen import draw
from cli.screen.styles import Styles
from rulelang.lab.bots import bot
from rulelang.screens.model import Fold, Map, Part, ScreenCell, Words
from rulelang.screens.picture import picture
from rulelang.session.dialogue import Dialogue
from rulelang.session.question import MOST_LISTED, Question, question
from rulelang.session.table import GameTable, begin
from tests.screens.pictures import Seen, amid, reached

GAMES = ("outspeed", "empty_space", "exobase", "exit_velocity")
CHOICES = 12


def rows(table: GameTable, width: int, height: int) -> int:
    """Returns how many rows the screen and the first question of whoever is to choose take together, with rule and prompt."""
    match, seat = table.match, table.match.to_move[0]
    console = Console(width=width, height=height, file=io.StringIO(), color_system=None, force_terminal=True)
    person = Person(console, table)
    choice = match.choice
    assert choice is not None
    asked = person._question(seat, question(match.game, choice, tuple(match.options_of(seat))))
    screen = draw(picture(match, seat), person.styles, console, person._room(asked))
    return 2 + sum(len(console.render_lines(page, console.options, pad=False)) for page in (screen, asked))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_choices_fit_a_small_terminal(game: str) -> None:
    about = rulelang.load(game)
    players = max(2, about.players[0]) if about.players[1] > 1 else 1
    table = begin(about, game, players, (None,) + (bot("random"),) * (players - 1), seed=5)
    match = table.match
    for number in range(CHOICES):
        assert rows(table, 80, 24) <= 24, (number, match.choice)
        options = match.options_of(match.to_move[0])
        match.push(options[len(options) // 2])


def tall(rows: int) -> tuple[Part, ...]:
    """Returns a screen whose map has so many rows of three rooms."""
    lines = ("storage silo", "d5 L1 E0", "hit", "Li")
    row = tuple(ScreenCell(f"{column}1", "", lines, ("north", "east")) for column in "abc")
    return (Words("Day 1"), Map("", "square", (row,) * rows, (0,) * rows), Fold("Signs", Words("d: die")))


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (3, ("│ d5 L1 E0", "│ hit ", "│ Li")),
        (5, ("│ storage silo d5 L1 E0 │", "│ hit Li")),
        (8, ("a1 storage silo d5 L1 E0 hit Li ↑→", "screen map draws it")),
    ],
)
def test_a_map_that_is_too_high_has_fewer_lines_in_its_frames_and_else_becomes_a_list(
    rows: int, shown: tuple[str, ...]
) -> None:
    console = Console(width=80, height=24, file=io.StringIO(), color_system=None, force_terminal=True)
    console.print(draw(tall(rows), Styles(()), console, 19))
    assert isinstance(console.file, io.StringIO)
    drawn = console.file.getvalue()
    assert len(drawn.splitlines()) <= 19, drawn
    assert all(words in drawn for words in (*shown, "Day 1", "Signs")), drawn


def asked_from(dialogue: Dialogue, deep: int = 4) -> Iterator[Question]:
    """Yields a question, and those that follow when its first or its last line is taken."""
    asked, trail = dialogue.question, dialogue.trail
    yield asked
    listed = asked.parts or asked.lines
    for line in {line.key: line for line in (*listed[:1], *listed[-1:])}.values() if deep else ():
        answer = dialogue.answer(line.key)
        if isinstance(answer, Question):
            yield from asked_from(dialogue, deep - 1)
        dialogue.question, dialogue.trail = asked, trail


@pytest.mark.parametrize("game", GAMES)
def test_no_question_of_a_game_lists_more_than_thirty_lines(game: str) -> None:
    asked = [
        (name, one) for name, match in reached(game).items() for one in asked_from(Dialogue.of(match, match.to_move[0]))
    ]
    assert {name for name, _ in asked} == {*reached(game)}
    for name, one in asked:
        assert one.numbers or len(one.parts or one.lines) <= MOST_LISTED, name
        assert len(one.members) <= MOST_LISTED, name


def test_many_numbers_are_asked_in_the_words_of_what_they_are_for() -> None:
    match = reached("exit_velocity")["announcing#1"]
    asked = {one.heading: one.numbers for one in asked_from(Dialogue.of(match, match.to_move[0])) if one.heading}
    dialogue = Dialogue.of(match, match.to_move[0])
    dialogue.answer("research")
    assert (dialogue.question.heading, dialogue.question.numbers) == ("Research how much?", "1–220")
    assert all(heading.endswith("?") for heading in asked)


@pytest.mark.parametrize("game", GAMES)
def test_the_screen_drawn_again_fits_too_and_all_of_it_can_be_asked_for(game: str) -> None:
    seen = Seen(amid(game))
    dialogue = Dialogue.of(seen.match, seen.match.to_move[0])
    shown: list[list[str]] = []
    for command in ("screen", "screen all"):
        assert seen.person._is_command(command, dialogue)
        shown.append(seen.text().splitlines())
    assert len(shown[0]) + len(seen.console.render_lines(seen.asked(), pad=False)) < 24
    assert len(shown[0]) < len(shown[1])
    assert not [line for line in shown[1] if "▸" in line]


def test_a_part_is_opened_under_its_whole_title() -> None:
    seen = Seen(amid("exobase"))
    part = seen.person._part(seen.seat, "tasks")
    assert part is not None
    seen.person._open(part)
    assert seen.text().startswith("Tasks (dice of danger: what they bring; a die of 4 or less costs 1 health)\n")


def test_the_aim_is_told_where_a_part_of_the_screen_has_the_word_for_its_title() -> None:
    seen = Seen(amid("outspeed"))
    assert seen.person._part(seen.seat, "goal") is not None
    assert seen.person._is_command("goal", Dialogue.of(seen.match, seen.match.to_move[0]))
    assert "How it ends" in seen.text()


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_an_answer_on_offer(game: str) -> None:
    seen = Seen(amid(game))
    assert seen.person._is_command("hint", Dialogue.of(seen.match, seen.match.to_move[0]))
    hint = seen.text().replace("\n", " ").strip().removeprefix("A bot would answer: ")
    assert hint in {option.label for option in seen.match.options_of(seen.seat)}
