"""The workbench in a browser, used as a person uses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect, sync_playwright

from tests.editing.browser import replace
from tests.editing.desk import NIM
from tests.web.browser import CHROMIUM, PATIENCE, needs_chromium, running

pytestmark = [needs_chromium, pytest.mark.long]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this file."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM)
        yield found
        found.close()


@pytest.fixture
def bench(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Path]]:
    """The workbench with a game of nim, and its file."""
    path = tmp_path / "nim.rules"
    path.write_text(NIM)
    words = (str(path), "--port", "0", "--no-open", "--pace", "0", "--seat", "second=first")
    with running("edit", *words) as (address, _):
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        yield page, path
        assert not faults


def _table(page: Page) -> FrameLocator:
    return page.frame_locator("#table-frame")


def test_an_edit_makes_the_table_follow(bench: tuple[Page, Path]) -> None:
    page, path = bench
    _table(page).get_by_role("button", name="Take 3").click()
    expect(_table(page).locator("main")).to_contain_text("17", timeout=PATIENCE)
    replace(page, "1..3", "1..5")
    expect(_table(page).get_by_role("button", name="Take 5")).to_be_visible(timeout=PATIENCE)
    expect(_table(page).locator("main")).to_contain_text("17")
    assert path.read_text() == NIM
    page.keyboard.press("Control+s")
    expect(page.locator("#tabs [title='not saved']")).to_have_count(0, timeout=PATIENCE)
    assert path.read_text() == NIM.replace("1..3", "1..5")


def test_rules_that_part_are_shown_and_taken(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    _table(page).get_by_role("button", name="Take 3").click()
    expect(_table(page).locator("main")).to_contain_text("17", timeout=PATIENCE)
    replace(page, "heap -= n", "heap -= n + 1")
    expect(page.locator("#follows")).to_have_attribute("data-follows", "parted", timeout=PATIENCE)
    expect(page.locator("#follows")).to_contain_text("take")
    page.get_by_role("button", name="Both boards").click()
    expect(_table(page).get_by_role("heading", name="By the other rules")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Go on by these rules").click()
    expect(page.locator("#follows")).to_have_attribute("data-follows", "same", timeout=PATIENCE)
    expect(_table(page).locator("main")).to_contain_text("15", timeout=PATIENCE)


def test_a_broken_edit_leaves_the_table(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    replace(page, "heap -= n", "heep -= n")
    expect(page.locator("#faults")).to_contain_text("E0201", timeout=PATIENCE)
    expect(page.locator(".cm-lintRange-error")).not_to_have_count(0, timeout=PATIENCE)
    expect(_table(page).get_by_role("button", name="Take 3")).to_be_visible()
    page.locator("#faults button").first.click()
    replace(page, "heep", "heap")
    expect(page.locator("#faults")).to_have_count(0, timeout=PATIENCE)


def test_a_file_changed_outside_is_never_written_over_silently(bench: tuple[Page, Path]) -> None:
    page, path = bench
    path.write_text(NIM.replace("1..3", "1..2"))
    expect(page.locator(".cm-content")).to_contain_text("1..2", timeout=PATIENCE)
    replace(page, "1..2", "1..4")
    path.write_text(NIM.replace("1..3", "1..6"))
    expect(page.locator("#state .trouble")).to_contain_text("changed outside", timeout=PATIENCE)
    page.keyboard.press("Control+s")
    page.wait_for_timeout(300)
    assert path.read_text() == NIM.replace("1..3", "1..6")
    page.get_by_role("button", name="Take the file").click()
    expect(page.locator(".cm-content")).to_contain_text("1..6", timeout=PATIENCE)
