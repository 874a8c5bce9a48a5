"""The site as a stranger meets it: built, opened in Chromium, an example edited, the game played on."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from rulelang.editing.shared import SharedGame, Splice, write
from tests.editing.browser import replace
from tests.files import ROOT
from tests.web.browser import REQUIRED, needs_chromium

SLOW = 120_000
"""The milliseconds for which Python may start in a page, on a machine that does other things too."""
pytestmark = [needs_chromium, pytest.mark.long, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built."""
    if not (ROOT / "web/node_modules/pyodide").is_dir() or shutil.which("node") is None:
        assert not REQUIRED, "make site sets it up"
        pytest.skip("Pyodide is not installed: make site")
    pytest.importorskip("zensical")
    from website.__main__ import build

    folder = tmp_path_factory.mktemp("site") / "site"
    build(folder)
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address at which the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which a fault of a script, or a request to any other machine, fails the test."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on(
        "request", lambda asked: None if asked.url.startswith((address, "data:", "blob:")) else faults.append(asked.url)
    )
    yield page
    assert not faults
    page.context.close()


def _opened(page: Page, address: str) -> None:
    """Opens a page of the playground and waits for its Python."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]", timeout=SLOW)
    page.frame_locator("#table-frame").locator("main[data-step]:not([data-step=''])").wait_for(timeout=SLOW)


def test_an_example_is_opened_edited_and_played_on(page: Page, address: str) -> None:
    page.goto(f"{address}/tutorial/")
    door = page.get_by_role("link", name="Open in the playground").nth(1).get_attribute("href")
    assert door is not None
    _opened(page, f"{address}/tutorial/{door}")
    table = page.frame_locator("#table-frame")
    table.get_by_role("button", name="Take 3").click()
    expect(table.locator("main")).to_contain_text("Take 3", timeout=SLOW)
    replace(page, "1..3", "1..5")
    expect(table.get_by_role("button", name="Take 5")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Copy a link").click()
    expect(page.locator("#notice")).to_contain_text("holds the edit", timeout=SLOW)
    link = page.url
    table.get_by_role("button", name="Take 5").click()
    page.goto("about:blank")
    _opened(page, link)
    expect(page.locator(".cm-content")).to_contain_text("1..5")
    expect(table.get_by_role("button", name="Take 5")).to_be_visible(timeout=SLOW)


def test_a_link_holds_an_edit_of_a_game_that_ships(page: Page, address: str) -> None:
    text = (ROOT / "games/outspeed/outspeed.rules").read_text()
    title = re.search(r'"Outspeed"', text)
    assert title is not None
    edit = Splice.between(text, text.replace('"Outspeed"', '"Inspeed"', 1))
    link = write(SharedGame("outspeed", edits={"outspeed.rules": edit}))
    assert len(link) < 200
    _opened(page, f"{address}/play/index.html#{link}")
    expect(page.locator(".cm-content").first).to_contain_text("Inspeed", timeout=SLOW)
    expect(page.locator("#tabs [title='not saved']")).to_have_count(1, timeout=SLOW)


def test_a_link_that_is_cut_short_says_so(page: Page, address: str) -> None:
    page.goto(f"{address}/play/index.html#nim=eJyr")
    expect(page.locator("#notice")).to_contain_text("cut short", timeout=SLOW)


def test_each_page_is_found_and_asks_no_other_machine(page: Page, address: str, site: Path) -> None:
    for path in (
        "",
        "gallery/",
        "tutorial/",
        "language/",
        "how-to/",
        "questions/",
        "commands/",
        "codes/",
        "internals/",
    ):
        answer = page.goto(f"{address}/{path}")
        assert answer is not None
        assert answer.ok, path
    expect(page.get_by_role("link", name="Gallery").first).to_be_visible()
    assert (site / "gallery/index.html").read_text().count("Play and edit") >= 12
