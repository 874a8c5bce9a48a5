"""The playground's Python, without a browser: lines of pages are opened, heard and closed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from rulelang.editing.playground import EDIT, Playground
from rulelang.editing.shared import SharedGame, read, write
from rulelang.errors import InvalidInput
from tests.editing.desk import NIM

LINK = write(SharedGame("nim", texts={"nim.rules": NIM}))


class Lines:
    """The messages that pages were sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str | None]] = []

    def post(self, page: str, text: str | None) -> None:
        self.sent.append((page, text))

    async def heard(self, page: str, wanted: str) -> dict[str, Any]:
        """Waits for a message of a page that holds some words."""
        for _ in range(6_000):
            for to, text in self.sent:
                if to == page and text is not None and wanted in text:
                    self.sent.remove((to, text))
                    found = json.loads(text)
                    assert isinstance(found, dict)
                    return found
            await asyncio.sleep(0.02)
        raise AssertionError(f"{page} was not told of {wanted}")


def _said(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def test_a_page_is_shown_the_table_and_plays(tmp_path: Path) -> None:
    async def play() -> None:
        lines = Lines()
        playground = Playground.opened(LINK, str(tmp_path), lines.post)
        playground.hear("table", playground.desk.table)
        assert lines.sent == [("table", None)]
        frame = await lines.heard("table", "Take 3")
        step = int(frame["main"].partition('data-step="')[2].partition('"')[0])
        playground.hear("table", text=json.dumps({"do": "choose", "text": "take 3", "step": step}))
        await lines.heard("table", "18")
        playground.hear("table", gone=True)
        playground.desk.close()

    asyncio.run(play())


def test_an_edit_goes_into_the_link(tmp_path: Path) -> None:
    async def edit() -> None:
        lines = Lines()
        playground = Playground.opened(LINK, str(tmp_path), lines.post)
        playground.hear("page", EDIT)
        playground.hear("page", text=_said(1, "initialize", processId=None, rootUri=None, capabilities={}))
        await lines.heard("page", "capabilities")
        playground.hear("page", text=_said(2, "rulelang/files"))
        assert (await lines.heard("page", "keywords"))["result"]["table"] == playground.desk.table
        playground.desk.add("nim.rules", NIM.replace("1..3", "1..5"))
        playground.hear("page", text=_said(3, "rulelang/link"))
        link = (await lines.heard("page", "link"))["result"]["link"]
        assert "1..5" in read(link).texts["nim.rules"]
        playground.hear("page", gone=True)
        assert not playground.desk.windows
        playground.desk.close()

    asyncio.run(edit())


def test_a_path_that_shows_nothing_is_told(tmp_path: Path) -> None:
    async def ask() -> None:
        lines = Lines()
        playground = Playground.opened(LINK, str(tmp_path), lines.post)
        playground.hear("page", "/r/nothing/here")
        await lines.heard("page", "no such page")
        playground.hear("page", text="nobody hears this")
        playground.desk.close()

    asyncio.run(ask())


def test_a_game_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no game"):
        Playground.opened("no_such", str(tmp_path), lambda page, text: None)


@pytest.mark.parametrize(("like", "game"), [("dice", "hop"), ("outspeed", "hop")])
def test_a_new_game_is_a_link(tmp_path: Path, like: str, game: str) -> None:
    async def begin() -> None:
        lines = Lines()
        playground = Playground.opened(LINK, str(tmp_path / "first"), lines.post)
        playground.hear("page", EDIT)
        playground.hear("page", text=_said(1, "initialize", processId=None, rootUri=None, capabilities={}))
        playground.hear("page", text=_said(2, "rulelang/new", name="../hop", title="", like=like))
        assert "name is" in (await lines.heard("page", "trouble"))["result"]["trouble"]
        playground.hear("page", text=_said(3, "rulelang/new", name=game, title="", like=like))
        path = (await lines.heard("page", "path"))["result"]["path"]
        playground.desk.close()
        following = Playground.opened(path.removeprefix("#"), str(tmp_path / "second"), lines.post)
        assert f"{game}.rules" in following.desk.names()
        assert (following.desk.game.id == game) == (like == "dice")
        following.desk.close()

    asyncio.run(begin())
