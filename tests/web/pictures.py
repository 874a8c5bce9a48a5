"""The pictures of tables in the docs: `python -m tests.web.pictures` makes them anew, in Chromium.

Each is a table of one of the games after some choices of bots, seen by its first seat.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.files import ROOT
from tests.web.browser import CHROMIUM, opened, play_by_clicking, serving

PICTURES = ROOT / "docs/pictures"
TABLES = (("outspeed", "3", 8), ("empty_space", "3", 40), ("exobase", "4", 14), ("exit_velocity", "3", 12))
"""The games, with their seeds and the clicks before the picture."""


def main() -> None:
    """Makes all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for game, seed, clicks in TABLES:
            with tempfile.TemporaryDirectory() as folder, serving(Path(folder), game, "--seed", seed) as (address, _):
                page = opened(browser, address)
                play_by_clicking(page, seed=5, most=clicks)
                page.wait_for_timeout(500)
                page.screenshot(path=PICTURES / f"{game}.png")
        browser.close()


if __name__ == "__main__":
    main()
