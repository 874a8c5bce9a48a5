"""Where the files lie that tests read: the checkout, its games, and the small games and logs kept for tests alone."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "games"
DOCS = ROOT / "docs"
TESTS = ROOT / "tests"
CLASSICS = TESTS / "classics"
SMALL_GAMES = TESTS / "games"
GALLERY = TESTS / "screens" / "gallery.rules"
