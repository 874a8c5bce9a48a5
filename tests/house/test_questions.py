"""Whoever asks finds the answer in two clicks: from the README to the questions, and from there to the section."""

from __future__ import annotations

import re

import pytest

from tests.files import DOCS, ROOT

ASKED = re.compile(r"^\| ([^|]+\?) \| \[[^\]]+\]\(([^)#]+)#([^)]+)\) \|$", re.M)
QUESTIONS = ASKED.findall((DOCS / "questions.md").read_text(encoding="utf-8"))


def anchors(page: str) -> set[str]:
    """Returns the anchors of a page's headings, as they are made where Markdown is shown."""
    headings = re.findall(r"^#{1,6} (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_readme_leads_to_the_questions() -> None:
    assert "(docs/questions.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_page_of_the_docs_is_one_click_from_them() -> None:
    linked = set(re.findall(r"\]\(([\w./-]+\.md)", (DOCS / "questions.md").read_text(encoding="utf-8")))
    assert linked == {path.name for path in DOCS.glob("*.md")} - {"questions.md"}


def test_at_least_ten_questions_are_asked() -> None:
    assert len(QUESTIONS) >= 10


@pytest.mark.parametrize(("question", "page", "anchor"), QUESTIONS, ids=[question for question, _, _ in QUESTIONS])
def test_a_question_leads_to_a_section_that_is_there(question: str, page: str, anchor: str) -> None:
    assert anchor in anchors(page), question
