"""Every page of the docs is found on the site, and what the site leads to is there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulelang.editing.playground import Playground
from tests.files import DOCS, ROOT
from website.games import gallery_games, new_game
from website.sources import with_doors

MADE = {"index.md", "codes.md"}
"""The pages that the site makes or brings along."""


def _pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, dict):
        for one in nav.values():
            yield from _pages(one)
    else:
        for one in nav:
            yield from _pages(one)


def test_every_page_of_the_docs_is_in_the_navigation() -> None:
    settings = tomllib.loads((ROOT / "website/zensical.toml").read_text())
    listed = list(_pages(settings["project"]["nav"]))
    docs = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert sorted(listed) == sorted(docs | MADE)


def test_an_example_that_can_be_played_gets_a_door() -> None:
    nim = (ROOT / "tests/classics/nim.rules").read_text()
    page = with_doors(f"## One\n\n```rules\n{nim}```\n\n```rules E0203\nconstant players = 3\n```\n", "../play/")
    assert re.findall(r'href="([^"#]*)#(\w+)=', page) == [("../play/index.html", "nim")]
    assert "```rules E0203" not in page


def test_a_link_to_a_game_of_the_checkout_leads_to_the_playground() -> None:
    assert with_doors("[one](../games/outspeed/outspeed.rules)", "../play/") == "[one](../play/index.html#outspeed)"


def test_the_gallery_shows_every_game_that_ships_and_the_classics() -> None:
    names = [game.name for game in gallery_games()]
    assert {"outspeed", "exobase", "empty_space", "exit_velocity", "nim", "othello"} <= set(names)
    assert all(game.picture.is_file() for game in gallery_games()), "python -m tests.web.pictures makes them"


def rules_alone(text: str) -> list[str]:
    """Returns the lines of a text without blank lines, comments and scenarios."""
    without = re.sub(r"^scenario .*\n(?: .*\n|\n)*", "", text + "\n", flags=re.M)
    return [line for line in without.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def test_the_gallery_tells_of_every_game_and_how_many_lines_it_takes() -> None:
    told = dict(re.findall(r"\(`([\w./]+)`, (\d+)\s+lines\)", (DOCS / "gallery.md").read_text()))
    kept = [*(ROOT / "games").glob("*/*.rules"), *(ROOT / "examples").glob("*/*.rules")]
    games = {path.parent.relative_to(ROOT).as_posix(): sorted(path.parent.glob("*.rules")) for path in kept}
    for folder in ("tests/classics", "tests/library"):
        games |= {path.relative_to(ROOT).as_posix(): [path] for path in (ROOT / folder).glob("*.rules")}
    lines = {name: sum(len(rules_alone(path.read_text())) for path in paths) for name, paths in games.items()}
    assert told == {name: str(many) for name, many in lines.items()}


def test_a_new_game_is_begun_in_the_playground(tmp_path: Path) -> None:
    playground = Playground.opened(new_game().link, str(tmp_path), lambda page, text: None)
    assert playground.desk.names() == ("my_game.rules", "scenarios/first.rules", "rulebook.toml")
    assert playground.desk.live.table.match.to_move == (0,)
    playground.desk.close()
