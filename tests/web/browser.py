"""Chromium for tests: where it is found, and how a page is played by clicking."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect
from uvicorn import Config, Server

from cli.commands.serve import path_to, shelf_games
from cli.serving import HOME, listening, names_of, table_of
from rulelang.web.application import application
from tests.web.site import hall_in, load

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REQUIRED = os.environ.get("RULELANG_REQUIRE_CHROMIUM") == "1"
needs_chromium = pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="there is no Chromium on this machine")
FRAME = "main[data-step]:not([data-step=''])"
PATIENCE = 120_000
"""The milliseconds for which a test waits for a page, on a machine that does other things too."""
expect.set_options(timeout=PATIENCE)


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[str, list[str]]]:
    """Runs `rulelang serve`; yields its address and the links that it prints."""
    with running("serve", *words, "--port", "0", "--no-open", "--pace", "0", "--games", str(folder)) as found:
        yield found


@contextmanager
def hosting(
    folder: Path, game: str | None = None, *, players: int | None = None, seats: tuple[str, ...] = ()
) -> Iterator[tuple[str, list[str]]]:
    """Serves tables from a thread of this process, which has loaded games already; yields what `serving` does."""
    listens = listening(HOME, 0)
    base, hall = f"http://{HOME}:{listens.getsockname()[1]}", hall_in(folder)
    address, links = f"{base}/", list[str]()
    if game is not None:
        table = table_of(hall, load(game), game, players, "3", seats, allow_undo=False)
        address = base + path_to(hall, table)
        links = [base + hall.path(table.id, f"seat {seat}") for seat in table.table.people]
    server = Server(Config(application(hall, shelf_games(game), names_of(listens), "/"), log_level="critical"))
    thread = Thread(target=server.run, kwargs={"sockets": [listens]})
    thread.start()
    try:
        yield address, links
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


@contextmanager
def running(*words: str) -> Iterator[tuple[str, list[str]]]:
    """Runs a command that serves pages; yields its address and the links that it prints."""
    command = [sys.executable, "-m", "rulelang.cli", *words]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address, links = server.stdout.readline().strip(), []
        while (line := server.stdout.readline()) and not line.startswith("Ctrl-C"):
            links.append(line.rpartition(" ")[2].strip())
        yield address, links
    finally:
        server.kill()
        server.wait()


def opened(browser: Browser, address: str, width: int = 1280, height: int = 800, *, touch: bool = False) -> Page:
    """Returns a page that shows a table; a fault in its script fails the test."""
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch, reduced_motion="reduce")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(address)
    page.wait_for_selector(FRAME, timeout=PATIENCE)
    assert not faults
    return page


PLAYING = """
async ([seed, most, patience]) => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const pick = (some) => some[Math.floor(random() * some.length)];
  const main = () => document.querySelector("main");
  for (let made = 0; made < most; made++) {
    for (const begun = Date.now(); !main().querySelector("#asking") && !main().dataset.outcome; ) {
      if (Date.now() - begun > patience) throw new Error("nothing is asked");
      await pause(5);
    }
    if (main().dataset.outcome) return made;
    const step = main().dataset.step;
    const field = document.getElementById("number");
    if (field) {
      const [low, high] = [Number(field.min), Number(field.max)];
      field.value = low + Math.floor(random() * (high - low + 1));
      field.form.requestSubmit();
    } else {
      const places = [...main().querySelectorAll("[data-choose]"), ...main().querySelectorAll("[data-done]")];
      pick(places).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    const notice = document.getElementById("notice");
    for (const begun = Date.now(); main().dataset.step === step && !notice.textContent; ) {
      if (Date.now() - begun > patience) throw new Error("nothing came of it");
      await pause(2);
    }
    notice.textContent = "";
  }
  return most;
}
"""
"""A player in the page, who clicks on anything that leads on, on the board as well as in the list."""


def play_by_clicking(page: Page, seed: int, most: int) -> int:
    """Plays a seat's game by clicks in its page, until it is over or so many are made; returns their number."""
    made = page.evaluate(PLAYING, [seed, most, PATIENCE])
    assert isinstance(made, int)
    return made


def choose_first(page: Page, *, touch: bool = False) -> bool:
    """Clicks the first thing that leads on; returns whether the game goes on."""
    page.wait_for_selector("#asking, main[data-outcome]", timeout=PATIENCE)
    if page.locator("main[data-outcome]").count():
        return False
    main = page.locator("main")
    step = main.get_attribute("data-step")
    field = page.locator("#number")
    if field.count():
        field.fill(field.get_attribute("min") or "1")
        page.locator("form.number button").click()
    else:
        members = page.locator("#answers [data-member]")
        done = page.locator("[data-done]")
        # Nothing may be too little, and then there is no button: a member more at each try.
        one = (
            done
            if done.count() and (page.locator("#notice.shown").count() == 0)
            else page.locator("#answers [data-member][aria-pressed='false']").first
            if members.count()
            else page.locator("#answers [data-choose]").first
        )
        if touch:
            one.tap()
        else:
            one.click()
    moved = page.locator(f"main:not([data-step='{step}']), #notice.shown")
    expect(moved.first).to_be_attached(timeout=PATIENCE)
    return True
