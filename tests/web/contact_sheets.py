"""Tables of many games on a few sheets, to look at: `python -m tests.web.contact_sheets FOLDER [NAME…]`.

Each game is played for some clicks, then shot four times: 1280 x 800 and 390 x 844, light and dark. A sheet holds one of
these shots of several games. Games are the four that ship, the classics, the examples, those of the library's tests, and
every example in the docs that has a board or a screen.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Error, sync_playwright

from rulelang import api
from rulelang.diagnostics.codes.code import whole
from tests.files import CLASSICS, ROOT, TESTS
from tests.house.test_docs import EXAMPLES
from tests.web.browser import CHROMIUM, FRAME, PLAYING, hosting, opened

LOOKS = ((1280, 800, "light"), (1280, 800, "dark"), (390, 844, "light"), (390, 844, "dark"))
CLICKS = 6
"""The most clicks before the shots."""
A_SHEET = {1280: 6, 390: 10}
"""By width: the most shots on a sheet."""
PLAYED = re.compile(r"^(board|hexes|graph|track|ring|screen)\b|pile of|slot for|map ", re.M)


def found(folder: Path) -> Iterator[tuple[str, str]]:
    """Yields the name and the path of each game to look at; examples of the docs are written into a folder."""
    for game in ("outspeed", "empty_space", "exobase", "exit_velocity"):
        yield game, game
    for place in (CLASSICS, TESTS / "library", *sorted((ROOT / "examples").iterdir())):
        for path in sorted(place.glob("*.rules")) if place.is_dir() else ():
            yield path.stem, str(path)
    for where, tag, text in EXAMPLES:
        if tag in ("", "more", "given") and PLAYED.search(text):
            sketch = folder / f"{where.replace('.md:', '_')}.rules"
            sketch.write_text(whole(text))
            if api.check(sketch).game is not None:
                yield sketch.stem, str(sketch)


def shots(browser: Browser, folder: Path, name: str, path: str) -> None:
    """Plays a game and takes its four shots, whole pages on the narrow ones."""
    with tempfile.TemporaryDirectory() as logs, hosting(Path(logs), path) as (address, _):
        page = opened(browser, address)
        try:
            page.evaluate(PLAYING, [5, CLICKS, 6000])
        except Error as fault:
            print(f"{name}: {str(fault).splitlines()[0]}")
        for width, height, scheme in LOOKS:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.wait_for_selector(FRAME)
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                print(f"{name}: {wide} px wide on a page of {width}")
            page.screenshot(path=folder / f"{name}.{width}.{scheme}.png", full_page=width == 390)
        page.close()


def sheets(browser: Browser, folder: Path, names: list[str]) -> None:
    """Puts the shots onto sheets, by width and scheme."""
    page = browser.new_page(viewport={"width": 1900, "height": 1000})
    for width, _, scheme in LOOKS:
        there = [name for name in names if (folder / f"{name}.{width}.{scheme}.png").exists()]
        for first in range(0, len(there), A_SHEET[width]):
            wide = 620 if width > 1000 else 370
            figures = "".join(
                f'<figure><figcaption>{name}</figcaption><img src="{name}.{width}.{scheme}.png" width="{wide}"></figure>'
                for name in there[first : first + A_SHEET[width]]
            )
            sheet = folder / "sheet.html"
            sheet.write_text(
                f"<style>body{{display:flex;flex-wrap:wrap;gap:6px;margin:0;align-items:start}} figure{{margin:0;max-height:950px;overflow:hidden}}</style>{figures}"
            )
            page.goto(sheet.as_uri())
            page.screenshot(path=folder / f"sheet-{width}-{scheme}-{first // A_SHEET[width]}.png", full_page=True)


def main() -> None:
    """Takes the shots of all games, or of those named, and makes the sheets."""
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as written, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        games = [(name, path) for name, path in found(Path(written)) if not sys.argv[2:] or name in sys.argv[2:]]
        for name, path in games:
            try:
                shots(browser, folder, name, path)
            except Exception as fault:  # one game must not keep the others from being looked at
                print(f"{name}: {fault!r}"[:300])
        sheets(browser, folder, [name for name, _ in games])
        browser.close()


if __name__ == "__main__":
    main()
