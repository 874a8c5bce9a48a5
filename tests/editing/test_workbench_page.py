"""The page on the workbench, followed to the letter in a browser: each sentence that tells what to do, or what is seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from rulelang.editing.templates import create_game
from tests.editing.browser import replace
from tests.files import DOCS
from tests.web.browser import PATIENCE, needs_chromium, running

PAGE = DOCS / "workbench.md"
STEP = re.compile(r"^\d+\. (.*(?:\n {3,4}\S.*)*)", re.M)
Do = Callable[..., None]


def _click_on_table(page: Page, name: str) -> None:
    page.frame_locator("#table-frame").get_by_role("button", name=name).first.click(timeout=PATIENCE)


def _see_on_table(page: Page, said: str) -> None:
    expect(page.frame_locator("#table-frame").locator("main")).to_contain_text(said, timeout=PATIENCE)


def _see(page: Page, said: str) -> None:
    shown = page.locator("#state, #sheet:not([hidden])").filter(has_text=said)
    expect(shown.first).to_be_visible(timeout=PATIENCE)


def _write(page: Page, new: str, old: str) -> None:
    replace(page, old, new)


def _click(page: Page, name: str) -> None:
    exact = page.get_by_role("button", name=name, exact=True)
    (exact if exact.count() else page.get_by_role("button", name=name).first).click(timeout=PATIENCE)


def _type(page: Page, label: str, text: str) -> None:
    page.get_by_label(label).fill(text)


def _choose(page: Page, label: str, value: str) -> None:
    page.get_by_label(label).select_option(value)


def _press(page: Page, keys: str) -> None:
    page.keyboard.press(keys.replace("Ctrl", "Control").replace("-", "+"))
    expect(page.locator("#tabs [aria-current=true] [title='not saved']")).to_have_count(0, timeout=PATIENCE)


SENTENCES: tuple[tuple[str, Do], ...] = (
    (r"On the table, click \*([^*]+)\*", _click_on_table),
    (r"The table shows `([^`]+)`", _see_on_table),
    (r"The page says `([^`]+)`", _see),
    (r"In the text, write `([^`]+)` in place of `([^`]+)`", _write),
    (r"Under \*([^*]+)\*, type `([^`]+)`", _type),
    (r"Under \*([^*]+)\*, choose `([^`]+)`", _choose),
    (r"Press \*([^*]+)\*", _press),
    (r"(?<!, )Click \*([^*]+)\*", _click),
)
"""What a sentence says, and what is done or seen then."""


def steps() -> list[list[tuple[Do, tuple[str, ...]]]]:
    """Returns the steps of the page, each as a list of things to do or to see, in order."""
    found = []
    for step in STEP.finditer(PAGE.read_text(encoding="utf-8")):
        text = re.sub(r"\s+", " ", step[1])
        parts = [(m.start(), do, m.groups()) for pattern, do in SENTENCES for m in re.finditer(pattern, text)]
        found.append([(do, groups) for _, do, groups in sorted(parts, key=lambda part: part[0])])
    return found


def test_each_step_says_what_to_do() -> None:
    listed = steps()
    assert len(listed) == len(re.findall(r"^\d+\. ", PAGE.read_text(encoding="utf-8"), flags=re.M))
    assert all(listed)


@needs_chromium
@pytest.mark.long
def test_the_page_on_the_workbench_can_be_followed(browser: Browser, tmp_path: Path) -> None:
    entry = create_game(tmp_path, "taking", "Taking")
    with running("edit", str(entry.parent), "--port", "0", "--no-open", "--pace", "0") as (address, _):
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        for step in steps():
            for do, words in step:
                do(page, *words)
        assert "1..5" in entry.read_text()
        assert "the bot leaves four" in (entry.parent / "scenarios/table.rules").read_text()
        assert (entry.parent / "dare/dare.rules").is_file()
        page.context.close()
