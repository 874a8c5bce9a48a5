"""The rulebook at a prompt: its chapters and sections, and the clauses that speak of a word."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.prose.words import Plain
from rulelang.rulebook.printed.contents import MOST_INNER, contents, looked_up, readable
from rulelang.rulebook.printed.markdown import markdown
from rulelang.rulebook.printed.model import Document, Paragraph, Section
from rulelang.session.references import saying
from tests.conftest import Run
from tests.files import CLASSICS


def section(title: str, *inner: Section) -> Section:
    return Section(title.lower(), title, (Paragraph((Plain(f"About {title}."),)),), inner)


BOOK = Document(
    "Game",
    (
        section("Set-up"),
        section("Actions", section("Take a card"), section("Take a turn off"), section("Pass")),
        section("Detail", *(section(f"Part {n}") for n in range(MOST_INNER + 1))),
    ),
)


def test_the_contents_are_the_numbered_chapters() -> None:
    assert [(one.number, one.title) for one in contents(BOOK)] == [("1", "Set-up"), ("2", "Actions"), ("3", "Detail")]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("2", ["2"]),
        ("2.3", ["2.3"]),
        ("pass", ["2.3"]),
        ("TAKE", ["2.1", "2.2"]),
        ("a car", ["2.1"]),
        ("", []),
        ("9", []),
        ("dragon", []),
    ],
)
def test_a_section_is_found_by_its_number_or_words_of_its_title(asked: str, found: list[str]) -> None:
    assert [one.number for one in looked_up(BOOK, asked)] == found


def test_a_section_is_read_with_the_few_inside_it() -> None:
    text = markdown(readable(looked_up(BOOK, "2")[0]))
    assert "About Take a card." in text
    assert "About Pass." in text


def test_of_many_sections_inside_one_only_the_titles_are_read() -> None:
    text = markdown(readable(looked_up(BOOK, "3")[0]))
    assert "About Detail." in text
    assert "1. Part 0\n2. Part 1\n" in text
    assert "About Part 0." not in text


@pytest.mark.parametrize(
    ("game", "word", "clause"),
    [
        ("outspeed", "jam", "OS-7.11"),
        ("outspeed", "crowded", "OS-7.11"),
        ("exit_velocity", "tech up", "EV-14.10"),
    ],
)
def test_a_word_of_the_rulebook_finds_its_clause(game: str, word: str, clause: str) -> None:
    assert [one.name for one in saying(rulelang.load(game), word)] == [clause]


@pytest.mark.parametrize("word", ["", "a", "zzyzx", "?"])
def test_a_word_that_no_clause_says_finds_none(word: str) -> None:
    assert saying(rulelang.load("outspeed"), word) == ()


def test_rules_are_read_at_a_prompt(run: Run) -> None:
    played = run(
        "play",
        str(CLASSICS / "nim.rules"),
        "--seed",
        "1",
        "--seat",
        "all=me",
        typed="rules\nrules 1\nrules 99\nquit\n",
    ).output
    assert "  1     The game\n" in played
    assert "For 2 players." in played
    assert "No section is called '99'" in played
