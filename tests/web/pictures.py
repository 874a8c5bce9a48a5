"""The pictures of tables in the docs and the gallery: `python -m tests.web.pictures [GAME…]` makes them anew, in Chromium.

Each is a table of one of the games after some choices of bots, seen by its first seat.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.files import CLASSICS, ROOT
from tests.web.browser import CHROMIUM, opened, play_by_clicking, serving

PICTURES = ROOT / "docs/pictures"
TABLES = (("outspeed", "3", 8), ("empty_space", "3", 40), ("exobase", "4", 14), ("exit_velocity", "3", 12))
"""The games, with their seeds and the clicks before the picture."""
SMALL = (
    ("breakthrough", "3", 12), ("connect_four", "3", 8), ("ko", "3", 6), ("kuhn", "3", 1), ("nim", "3", 2),
    ("othello", "3", 8), ("pig", "3", 4), ("tic_tac_toe", "3", 2),
)  # fmt: skip
"""The classics, on a smaller page."""
EXAMPLES = (("clearing", "3", 4),)
"""The examples whose cards are shown, on a smaller page, too."""


def main() -> None:
    """Makes all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        every = (*TABLES, *SMALL, *EXAMPLES)
        wanted = set(sys.argv[1:]) or {game for game, _, _ in every}
        for game, seed, clicks in (one for one in every if one[0] in wanted):
            is_small = (game, seed, clicks) not in TABLES
            classic, example = CLASSICS / f"{game}.rules", ROOT / "examples" / game
            rules = game if not is_small else str(classic if classic.exists() else example)
            with tempfile.TemporaryDirectory() as folder, serving(Path(folder), rules, "--seed", seed) as (address, _):
                page = opened(browser, address, *((1000, 620) if is_small else (1280, 800)))
                play_by_clicking(page, seed=5, most=clicks)
                page.wait_for_timeout(500)
                page.screenshot(path=PICTURES / f"{game}.png")
        browser.close()


if __name__ == "__main__":
    main()
