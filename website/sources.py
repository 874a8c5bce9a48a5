"""The pages of `docs/` -> the folder that Zensical makes a site of.

write_sources(Path("made"))        zensical.toml, docs/index.md, docs/language.md …

Each example that is a whole game gets a door to the playground. Some pages are made from the program itself: the
commands, the codes of messages, the gallery.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from rulelang.api import Game
from rulelang.api.checking import check_text
from rulelang.diagnostics.codes.code import whole
from rulelang.editing.shared import SharedGame, write
from rulelang.errors import RulelangError
from website.games import gallery_games
from website.reference import code_pages, command_page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
HERE = Path(__file__).parent
FENCE = re.compile(r"^```rules(?: ([^\n]*))?\n(.*?)^```\n", re.M | re.S)
OUTSIDE = re.compile(r"\]\(\.\./games/(\w+)/[\w./]*\)")
"""A link to a game of the checkout; on the site it leads to the playground."""


def write_sources(folder: Path) -> None:
    """Writes the sources of the site into an empty folder."""
    docs = folder / "docs"
    shutil.copytree(DOCS, docs, ignore=shutil.ignore_patterns("examples"))
    shutil.copy(HERE / "zensical.toml", folder)
    shutil.copy(HERE / "index.md", docs)
    shutil.copy(HERE / "site.css", docs)
    (docs / "gallery.md").write_text(gallery())
    (docs / "commands.md").write_text(command_page((docs / "commands.md").read_text()))
    (docs / "codes.md").write_text(code_pages())
    for page in sorted(docs.rglob("*.md")):
        if page.name == "codes.md":
            # Its examples are a line or two each: none is a game to play.
            page.write_text(FENCE.sub(r"```rules\n\2```\n", page.read_text()))
            continue
        up = "../" * (len(page.relative_to(docs).parts) - (page.stem == "index"))
        page.write_text(with_doors(page.read_text(), f"{up}play/"))


def with_doors(text: str, playground: str) -> str:
    """Returns a page with a door to the playground below each example that can be played."""
    found = list[str]()
    for section in re.split(r"^(?=## )", text, flags=re.M):
        given, last, at = "", "", 0
        for match in FENCE.finditer(section):
            tag, body = match[1] or "", match[2]
            before = "" if tag == "given" else last if tag == "more" else given
            if tag == "given":
                given = body
            last = f"{before}\n{body}" if before else body
            found += section[at : match.start()], f"```rules\n{body}```\n", _door(last, playground)
            at = match.end()
        found.append(section[at:])
    return OUTSIDE.sub(rf"]({playground}index.html#\1)", "".join(found))


def _door(example: str, playground: str) -> str:
    """Returns a link that opens an example in the playground; "" if it cannot be played."""
    text = whole(example)
    game = check_text(text).game
    if game is None or not _asks(game):
        return ""
    link = write(SharedGame(game.id, texts={f"{game.id}.rules": text}))
    return f'\n<p class="door"><a href="{playground}index.html#{link}">Open in the playground</a></p>\n'


def _asks(game: Game) -> bool:
    """Returns whether a game gets as far as a choice."""
    if not game.ir.choices:
        return False
    try:
        # The interpreter would take ten times as long over the examples that never come to a choice.
        return bool(game.start(game.players[0], seed=1, executor="generated").to_move)
    except RulelangError:
        return False


def gallery() -> str:
    """Returns the page of the docs about all games, with pictures of those that can be played here."""
    cards = []
    for game in gallery_games():
        picture = (
            f"![{game.title} on the table](pictures/{game.picture.name})\n\n    " if game.picture.is_file() else ""
        )
        door = f"[Play and edit](../play/index.html#{game.link})"
        cards.append(f"-   {picture}**{game.title}**, for {game.players} · {door}\n")
    told = (DOCS / "gallery.md").read_text()
    return f'{told}\n## As their rules alone draw them\n\n<div class="grid cards" markdown>\n\n' + (
        "\n".join(cards) + "\n</div>\n"
    )
