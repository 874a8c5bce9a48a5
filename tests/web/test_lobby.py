"""A table is set up in a lobby: variants with what they change, options, who sits where; several may share a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from tests.web.site import client_of, hall_in, socket

FORM = {"game": "empty_space", "players": "3", "seed": "7"}


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a hall."""
    return client_of(hall_in(tmp_path / "tables"))


def test_a_lobby_shows_seats_options_and_variants(client: TestClient) -> None:
    with client:
        page = client.get("/lobby", params={"game": "empty_space", "players": "3"}).text
    assert page.count('name="seat-') == 3
    assert "Which universe?" in page
    assert 'name="option-fast"' in page
    assert 'value="planner:1000"' in page
    assert 'value="beside"' in page


def test_a_lobby_goes_with_the_variants_that_are_chosen(client: TestClient) -> None:
    with client:
        page = client.get("/lobby", params={"game": "empty_space", "variant": "faster"}).text
        assert re.search(r'value="faster" checked', page)
        assert "lobby/sheet?game=empty_space&amp;variant=solo" in page


def test_the_sheet_of_a_variant_says_what_it_changes(client: TestClient) -> None:
    with client:
        sheet = client.get("/lobby/sheet", params={"game": "empty_space", "variant": "faster"})
        assert sheet.status_code == 200
        assert "<h2" in sheet.text
        assert client.get("/lobby/sheet", params={"game": "empty_space"}).status_code == 404


@pytest.mark.parametrize("path", ["/lobby", "/lobby/sheet"])
@pytest.mark.parametrize(
    "asked", [{"game": "../../etc/passwd"}, {"game": "empty_space", "variant": "../x.rules"}, {}, {"players": "x"}]
)
def test_a_lobby_of_no_game_is_refused(client: TestClient, path: str, asked: dict[str, str]) -> None:
    with client:
        answer = client.get(path, params=asked)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text


def test_a_table_is_as_the_form_says(tmp_path: Path) -> None:
    hall = hall_in(tmp_path / "tables")
    form = FORM | {
        "seat-1": "me",
        "seat-2": "first",
        "seat-3": "random",
        "option-fast": "yes",
        "option-starts": "sally",
    }
    with client_of(hall) as client:
        refused = client.post("/", data=form | {"option-fast": "maybe"}, follow_redirects=False)
        assert refused.status_code == 400
        assert 'role="alert"' in refused.text
        answer = client.post("/", data=form, follow_redirects=False)
    assert answer.status_code == 303
    (live,) = hall.tables.values()
    assert [bot and bot.name for bot in live.table.seats] == [None, "first", "random"]
    assert dict(live.table.header.options) == {"fast": "yes", "starts": "sally"}
    assert answer.headers["location"] == hall.path(live.id, "seat 0")
    assert not live.table.allow_undo


def test_a_lobby_asks_what_is_agreed_on_choices_that_are_taken_back(tmp_path: Path, client: TestClient) -> None:
    with client:
        assert re.search('<select name="undo"><option value="fair" selected>', client.get("/lobby", params=FORM).text)
    hall = hall_in(tmp_path / "tables")
    with client_of(hall) as other:
        other.post("/", data=FORM | {"undo": "always"}, follow_redirects=False)
        other.post("/", data=FORM | {"undo": "nonsense"}, follow_redirects=False)
    assert [live.table.allow_undo for live in hall.tables.values()] == [True, False]


def test_who_sits_elsewhere_gets_a_link_and_who_sits_here_a_page(tmp_path: Path) -> None:
    hall = hall_in(tmp_path / "tables")
    form = FORM | {"seat-1": "me", "seat-2": "beside", "seat-3": "link"}
    with client_of(hall) as client:
        answer = client.post("/", data=form, follow_redirects=False)
        host = client.get(answer.headers["location"]).text
    (live,) = hall.tables.values()
    assert f'href="{hall.path(live.id, "seat 0", "seat 1")}"' in host


def _main(page: WebSocketTestSession) -> str:
    shown = page.receive_json()
    while "main" not in shown:
        shown = page.receive_json()
    return str(shown["main"])


def test_people_who_share_a_page_hand_it_over_and_see_nothing_in_between(tmp_path: Path) -> None:
    hall = hall_in(tmp_path / "tables")
    live = hall.open("empty_space", players=2, seats=("all=me",), seed=3)
    with client_of(hall) as client, socket(client, hall.path(live.id, "seat 0", "seat 1")) as page:
        main, seated = _main(page), []
        for _ in range(80):
            if 'id="handing-over"' in main:
                assert "data-choose" not in main
                assert "Your hand" not in main
                page.send_json({"do": "sit", "text": ""})
                seated.append(live.table.asked)
            else:
                choice, step = re.search(r'data-choose="([^"]+)"', main), re.search(r'data-step="(\d+)"', main)
                assert choice is not None
                assert step is not None
                page.send_json({"do": "choose", "text": choice[1], "step": int(step[1])})
            main = _main(page)
            if len(seated) == 2:
                break
    assert set(seated) == {0, 1}


def test_a_page_of_a_game_without_secrets_turns_by_itself(tmp_path: Path) -> None:
    hall = hall_in(tmp_path / "tables")
    live = hall.open(str(Path("tests/classics/tic_tac_toe.rules").resolve()), seats=("all=me",), seed=1)
    with client_of(hall) as client, socket(client, hall.path(live.id, "seat 0", "seat 1")) as page:
        for square in ("b2", "a1"):
            step = re.search(r'data-step="(\d+)"', main := _main(page))
            assert step is not None
            assert f'data-choose="put({square})"' in main
            page.send_json({"do": "choose", "text": f"put({square})", "step": int(step[1])})
        assert 'data-choose="put(c3)"' in _main(page)


def test_a_shared_link_holds_seats_alone(tmp_path: Path) -> None:
    hall = hall_in(tmp_path / "tables")
    live = hall.open("empty_space", players=2, seats=("all=me",), seed=3)
    with client_of(hall) as client:
        for who in (("seat 0", "seat 0"), ("seat 0", "watch"), ("host", "seat 0")):
            assert client.get(hall.path(live.id, *who)).status_code == 404
        assert client.get(hall.path(live.id, "seat 0") + ".aaaa").status_code == 404
