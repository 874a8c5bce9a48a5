"""Where the files lie that tests read: the checkout, its games, and the small games and logs kept for tests alone."""

import json
from pathlib import Path

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "games"
DOCS = ROOT / "docs"
TESTS = ROOT / "tests"
CLASSICS = TESTS / "classics"
SMALL_GAMES = TESTS / "games"
GALLERY = TESTS / "screens" / "gallery.rules"
VARIANTS: dict[str, tuple[str, ...]] = {
    row["game"]: tuple(variant["name"] for variant in row["variants"])
    for row in json.loads((GAMES / "catalogue.json").read_text(encoding="utf-8"))["games"]
}
"""The variants of each game that ships, from the list of games: each process would take seconds to read the rules."""
NAMES = [f"{game}{variant}" for game, names in VARIANTS.items() for variant in ("", *(f"+{name}" for name in names))]
"""Every game that ships, and each with each of its variants."""
ONE_OF_EACH = ("empty_space+solo", "exit_velocity+short", "exobase+mild", "outspeed+hungry")
"""A variant of each game that ships, for what is dear and much the same with any."""
