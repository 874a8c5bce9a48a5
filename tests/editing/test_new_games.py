"""A new game is complete, is written as a whole, and gets a desk of its own; nothing that is there is overwritten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang import api, disk
from rulelang.api.loading import games
from rulelang.editing.templates import TEMPLATES, create_game
from rulelang.errors import InvalidInput
from rulelang.scenarios.run import run_scenarios, variants_own
from tests.editing.desk import HOST, NIM, Page, client_of, desk_of, pages


@pytest.mark.parametrize("like", TEMPLATES)
def test_a_new_game_has_no_fault_and_passes_its_own_scenarios(tmp_path: Path, like: str) -> None:
    entry = create_game(tmp_path, "hop", "Hop", like)
    checked = api.check(entry)
    assert not checked.diagnostics
    assert checked.game is not None
    results = run_scenarios(checked.game)
    assert results
    assert all(result.passed for result in results)
    checked.game.playouts(20, executor="generated")


@pytest.mark.parametrize(
    "name", ["", "..", "../out", "a/b", "/tmp/a", "A", "a b", "a\0b", "ä", "_", "a" * 99, "nim.rules"]
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        create_game(tmp_path / "here", name, "Hop")
    assert not [*tmp_path.iterdir()]


def test_what_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "away").symlink_to(tmp_path.parent)
    (tmp_path / "nowhere").symlink_to("no such file")
    before = sorted(tmp_path.iterdir())
    for name in ("file", "empty", "away", "nowhere"):
        with pytest.raises(FileExistsError):
            create_game(tmp_path, name, "Hop")
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "file").read_text() == "mine"
    assert not [*(tmp_path / "empty").iterdir()]


def test_a_game_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        if path.name == "rulebook.toml":
            raise OSError(28, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr(disk, "create", full)
    with pytest.raises(OSError, match="No space"):
        create_game(tmp_path, "hop", "Hop")
    assert not [*tmp_path.iterdir()]


def test_the_page_makes_a_game_in_its_folder_and_opens_it(tmp_path: Path) -> None:
    game = tmp_path / "nim"
    game.mkdir()
    (game / "nim.rules").write_text(NIM)
    desk = desk_of(game / "nim.rules", tmp_path / "tables")
    with client_of(desk) as client, client.websocket_connect(f"ws://{HOST}/edit/secret/live") as socket:
        page = Page(socket, desk)
        page.ask("rulelang/files")
        form = page.ask("rulelang/templates")["form"]
        assert all(f'value="{like}"' in form for like in (*TEMPLATES, *games()))
        for name in ("../hop", "", "nim.rules", "Hop"):
            assert "name is" in page.ask("rulelang/new", name=name, title="", like="dice")["trouble"]
        assert "like one of" in page.ask("rulelang/new", name="hop", title="", like="chess")["trouble"]
        assert [path.name for path in game.iterdir()] == ["nim.rules"]

        path = page.ask("rulelang/new", name="hop", title="", like="dice")["path"]
        assert path.startswith("/edit/secret/")
        assert 'game hop "Hop"' in (game / "hop/hop.rules").read_text()
        assert "exists already" in page.ask("rulelang/new", name="hop", title="", like="board")["trouble"]
        assert "Hop" in client.get(path).text
        assert client.get("/edit/secret/guessed").status_code == 404
        assert client.get(path.replace("secret", "wrong")).status_code == 404
        # The game beside it is another one: each desk has its own table and its own files.
        assert desk.names() == ("nim.rules",)
        assert desk.game.id == "nim"
        with client.websocket_connect(f"ws://{HOST}{path}/live") as other:
            hop = Page(other, desk)
            found = hop.ask("rulelang/files")
            assert found["files"] == ["hop.rules", "scenarios/first.rules"]
            assert found["table"] != desk.table
            text = hop.ask("rulelang/read", file="hop.rules")["text"]
            hop.type("hop.rules", text)
            hop.type("hop.rules", text.replace("goal = 30", "goal = 20"))
            hop.state("2 scenarios pass")
            hop.ask("rulelang/save", file="hop.rules", overwrites=False)
        assert "goal = 20" in (game / "hop/hop.rules").read_text()
        assert (game / "nim.rules").read_text() == NIM


def test_the_games_in_a_folder_are_found_again_by_another_server(tmp_path: Path) -> None:
    (tmp_path / "nim").mkdir()
    entry = tmp_path / "nim/nim.rules"
    entry.write_text(NIM)
    create_game(entry.parent, "hop", "Hop", "heap")
    create_game(entry.parent / "hop", "skip", "Skip", "empty")
    create_game(tmp_path, "away", "Away", "empty")
    (entry.parent / "away").symlink_to(tmp_path / "away")
    (entry.parent / "broken").mkdir()
    (entry.parent / "broken/broken.rules").write_text("game broken")
    desk = desk_of(entry, tmp_path / "tables")
    with client_of(desk) as client, client.websocket_connect(f"ws://{HOST}/edit/secret/live") as socket:
        page = Page(socket, desk)
        page.ask("rulelang/files")
        form = page.ask("rulelang/templates")["form"]
        assert re.findall('href="([^"]*)">([^<]*)<', form) == [
            ("/edit/secret/broken", "Broken"),
            ("/edit/secret/hop", "Hop"),
        ]
        assert "Skip" in client.get("/edit/secret/hop/skip").text
        with client.websocket_connect(f"ws://{HOST}/edit/secret/hop/live") as other:
            hop = Page(other, desk)
            assert hop.ask("rulelang/files")["files"] == ["hop.rules", "scenarios/first.rules", "rulebook.toml"]
            assert ">Skip<" in (form := hop.ask("rulelang/templates")["form"])
            assert 'href="/edit/secret">' in form
        broken = client.get("/edit/secret/broken")
        assert (broken.status_code, str(tmp_path) in broken.text) == (409, False)
        for path in ("away", "tables", "hop/%2e%2e", "hop/../../away", "hop/none", "%2e%2e/away", "hop/skip/skip"):
            assert client.get(f"/edit/secret/{path}").status_code == 404


@pytest.mark.long
def test_the_page_makes_a_variant_of_a_game_that_ships(tmp_path: Path) -> None:
    (tmp_path / "nim.rules").write_text(NIM)
    with pages(desk_of(tmp_path / "nim.rules", tmp_path / "tables")) as (page,):
        assert page.ask("rulelang/new", name="rich", title="Rich", like="outspeed")["path"]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["nim.rules", "rich", "tables"]
        tables = [one.table.game for one in page.desk.hall.tables.values()]
        assert [(game.id, game.variants) for game in tables] == [("nim", ()), ("outspeed", ("rich",))]
    rich = tables[1]
    assert not [one for one in rich.diagnostics if one.span.source.name == "rich.rules"]
    assert [one.passed for one in run_scenarios(rich, titles=variants_own(rich))] == [True]
