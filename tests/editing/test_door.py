"""A table in the browser leads its host to a workbench for the rules, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cli.commands.serve import door_from, path_to
from cli.serving import table_of
from rulelang import api
from rulelang.editing.application import Door
from rulelang.texts.shipped import roots
from rulelang.web.application import application
from rulelang.web.hall import Hall
from rulelang.web.live import LiveTable
from tests.editing.desk import HOST, NIM, Page
from tests.web.site import hall_in


class Served:
    """A hall with a table of nim at which a person has chosen once, and the door to its rules."""

    def __init__(self, folder: Path, seats: tuple[str, ...] = ("second=first",)) -> None:
        self.file = folder / "nim.rules"
        self.file.write_text(NIM)
        self.hall: Hall = hall_in(folder / "tables")
        game = api.load(str(self.file))
        self.live: LiveTable = table_of(self.hall, game, str(self.file), 2, "1", seats, allow_undo=False)
        self.live.table.take(self.live.table.match.option("first: take(3)"))
        found = door_from(self.live, self.hall, folder / "bench", frozenset({HOST}), str(self.file))
        assert found is not None
        self.door: Door = found
        app = found.application(application(self.hall, [], frozenset({HOST}), "/", found.of))
        self.client = TestClient(app, base_url=f"http://{HOST}", headers={"origin": f"http://{HOST}"})


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A table of nim whose host may edit the rules."""
    found = Served(tmp_path)
    with found.client:
        yield found


def test_the_hosts_page_leads_to_the_game_as_it_stands(served: Served) -> None:
    host = served.client.get(path_to(served.hall, served.live, served.door))
    assert f'href="{served.door.path}/{served.live.id}"' in host.text
    bench = served.client.get(f"{served.door.path}/{served.live.id}")
    assert bench.url.path == served.door.bench.path
    assert "frame-src 'self'" in bench.headers["content-security-policy"]
    desk = served.door.bench.desks[served.door.bench.path]
    assert desk.live.table.match.inputs == 1
    with served.client.websocket_connect(f"ws://{HOST}{desk.table}/live") as page:
        assert "data-undo" in page.receive_json()["main"]


def test_an_edit_is_followed_at_the_workbench_and_leaves_the_table_alone(served: Served) -> None:
    served.client.get(f"{served.door.path}/{served.live.id}")
    desk = served.door.bench.desks[served.door.bench.path]
    with served.client.websocket_connect(f"ws://{HOST}{served.door.bench.path}/live") as socket:
        page = Page(socket, desk)
        page.ask("rulelang/files")
        page.type("nim.rules", NIM.replace("n: 1..3", "n: 1..5"))
        while len(desk.live.table.match.options) != 5:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
        assert [len(one.table.match.options) for one in (served.live, desk.live)] == [3, 5]
        page.ask("rulelang/save", file="nim.rules", overwrites=False)
    assert "1..5" in served.file.read_text()
    # The next click lays the game as it stands then; what was edited stays.
    served.live.table.take(served.live.table.match.option("second: take(1)"))
    served.client.get(f"{served.door.path}/{served.live.id}")
    assert desk.live.table.match.inputs == 2
    assert "1..5" in desk.text("nim.rules")


def test_no_link_shows_the_door_without_the_secret_of_this_run(served: Served) -> None:
    hall, live = served.hall, served.live
    for who in ("seat 0", "seat 1", "watch", "host"):
        for said in ("", "?door=", "?door=guess", f"?door={served.door.secret[:-1]}", "?door=%C3%A9"):
            assert "Edit the rules" not in served.client.get(hall.path(live.id, who) + said).text
    # A page that only watches is never the host's.
    watching = served.client.get(f"{hall.path(live.id, 'watch')}?door={served.door.secret}")
    assert "Edit the rules" not in watching.text
    assert served.door.secret not in served.client.get("/").text


def test_the_door_opens_to_nobody_else(served: Served) -> None:
    client, path, id = served.client, served.door.path, served.live.id
    for wrong in (f"{path[:-1]}/{id}", f"/door/{id}", f"{path}/aaaaaaaaaaaaaaaa", path, f"{path}/{id}/x"):
        assert client.get(wrong).status_code == 404, wrong
    assert client.get(f"{path}/{id}", headers={"host": "evil.example"}).status_code == 403
    assert client.post(f"{path}/{id}").status_code == 405
    # Before the door was used there is no workbench to reach, and afterwards none without the page's own origin.
    assert client.get(served.door.bench.path).status_code == 404
    client.get(f"{path}/{id}")
    live = f"ws://{HOST}{served.door.bench.path}/live"
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(live, headers={"origin": "http://evil.example"}):
        pass
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/edit/{id}/live"):
        pass


def test_a_table_of_another_game_has_no_door(served: Served, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/other.rules").write_text(NIM)
    game = api.load(str(tmp_path / "other"))
    other = table_of(served.hall, game, "other", 2, "1", (), allow_undo=False)
    assert served.door.of(other, served.door.secret) == ""
    assert served.client.get(f"{served.door.path}/{other.id}").status_code == 404


def test_two_people_at_one_screen_share_the_workbenchs_table(tmp_path: Path) -> None:
    served = Served(tmp_path, ("first=me", "second=me"))
    with served.client as client:
        assert "Edit the rules" in client.get(path_to(served.hall, served.live, served.door)).text
        client.get(f"{served.door.path}/{served.live.id}")
        desk = served.door.bench.desks[served.door.bench.path]
        with client.websocket_connect(f"ws://{HOST}{desk.table}/live") as page:
            assert "take" in page.receive_json()["main"]


def test_no_door_leads_to_rules_that_ship(tmp_path: Path) -> None:
    shipped = next(root / "outspeed" for root in roots())
    hall = hall_in(tmp_path / "tables")
    live = table_of(hall, api.load("outspeed"), "outspeed", 3, "1", (), allow_undo=False)
    assert door_from(live, hall, tmp_path / "bench", None, str(shipped)) is None
    assert path_to(hall, live) == path_to(hall, live, None)
