"""The games of the gallery -> their names, titles, pictures and links to the playground.

gallery_games()        (GalleryGame("outspeed", "Outspeed", …), …)
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from rulelang.api.loading import games
from rulelang.editing.shared import SharedGame, write
from rulelang.editing.templates import texts_of
from rulelang.pages.editor import OtherGame

ROOT = Path(__file__).parent.parent
CLASSICS = ROOT / "tests/classics"
_TITLE = re.compile(r'^game \w+ "([^"]*)"', re.M)
_PLAYERS = re.compile(r"^  players (\S+)", re.M)


@attrs.frozen
class GalleryGame:
    """A game: its name, its title, how many play, and the text of its link."""

    name: str
    title: str
    players: str
    link: str

    @property
    def door(self) -> OtherGame:
        """The game as the playground lists it."""
        return OtherGame(self.link, self.title)

    @property
    def picture(self) -> Path:
        """The picture of its table, which `python -m tests.web.pictures` makes."""
        return ROOT / "docs/pictures" / f"{self.name}.png"


def gallery_games() -> tuple[GalleryGame, ...]:
    """Returns the games that ship, then the classics, which the playground gets as texts."""
    shipped = (_game(name, (ROOT / "games" / name / f"{name}.rules").read_text(), name) for name in games())
    classics = (
        _game(path.stem, text := path.read_text(), write(SharedGame(path.stem, texts={path.name: text})))
        for path in sorted(CLASSICS.glob("*.rules"))
    )
    return (*shipped, *classics)


def new_game() -> OtherGame:
    """Returns a small whole game to begin with, as `rulelang new` writes it."""
    return OtherGame(write(SharedGame("my_game", texts=texts_of("my_game", "My game"))), "A new game")


def _game(name: str, text: str, link: str) -> GalleryGame:
    title, players = _TITLE.search(text), _PLAYERS.search(text)
    return GalleryGame(name, title[1] if title else name, players[1].replace("..", " to ") if players else "", link)
