"""A table behind links: what a page gets, what it may send, what stays when the server is killed."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from rulelang import api
from rulelang.log.reading import read_log
from rulelang.match.recording.events import Taken
from rulelang.web.beforehand import KeptAnswers
from rulelang.web.hall import Hall
from rulelang.web.live import LiveTable
from tests.files import ROOT
from tests.web.site import HOST, client_of, hall_in, socket

TIC_TAC_TOE = str(ROOT / "tests/classics/tic_tac_toe.rules")


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A hall in an empty folder."""
    return hall_in(tmp_path / "tables")


def _opened(hall: Hall, **given: Any) -> LiveTable:
    return hall.open(TIC_TAC_TOE, seats=("cross=me", "nought=me"), seed=1, **given)


def _step(main: str) -> int:
    found = re.search(r'data-step="(\d+)"', main)
    assert found is not None
    return int(found[1])


def _path(hall: Hall, live: LiveTable, who: str) -> str:
    return hall.path(live.id, who)


def test_a_choice_by_a_click_reaches_both_pages(hall: Hall) -> None:
    live = _opened(hall)
    with client_of(hall) as client:
        first = socket(client, _path(hall, live, "seat 0"))
        second = socket(client, _path(hall, live, "seat 1"))
        with first as cross, second as nought:
            mine, theirs = cross.receive_json()["main"], nought.receive_json()["main"]
            assert 'data-choose="put(b2)"' in mine
            assert "data-choose" not in theirs
            cross.send_json({"do": "choose", "text": "put(b2)", "step": _step(mine)})
            assert "data-choose" not in cross.receive_json()["main"]
            after = nought.receive_json()["main"]
            assert 'data-choose="put(a1)"' in after
            assert "b2: cross" in after


def test_a_page_that_is_behind_is_shown_the_table_as_it_is(hall: Hall) -> None:
    live = _opened(hall)
    with client_of(hall) as client, socket(client, _path(hall, live, "seat 0")) as page:
        main = page.receive_json()["main"]
        page.send_json({"do": "choose", "text": "put(b2)", "step": _step(main) - 1})
        told = page.receive_json()
        assert told["notice"] == "The table has moved on: look again"
        assert told["main"] == main
    assert live.table.match.inputs == 0


def test_a_choice_that_is_not_allowed_says_why(hall: Hall) -> None:
    live = _opened(hall)
    live.table.take(live.table.match.option("put(b2)"))
    for sitting in live.sittings.values():
        sitting.renew()
    with client_of(hall) as client, socket(client, _path(hall, live, "seat 1")) as page:
        page.receive_json()
        page.send_json({"do": "why", "text": "b2"})
        assert "b2" in page.receive_json()["dialog"]


def test_a_spectator_chooses_nothing(hall: Hall) -> None:
    live = _opened(hall)
    with client_of(hall) as client, socket(client, _path(hall, live, "watch")) as page:
        main = page.receive_json()["main"]
        assert "data-choose" not in main
        page.send_json({"do": "choose", "text": "put(b2)", "step": _step(main)})
        assert page.receive_json()["notice"] == "This link is for watching"


@pytest.mark.parametrize("text", ["", "[]", "3", "{" * 4000, "x" * 9000, '{"do": []}', '{"do": "choose", "step": "a"}'])
def test_nonsense_from_a_page_changes_nothing(hall: Hall, text: str) -> None:
    live = _opened(hall)
    with client_of(hall) as client, socket(client, _path(hall, live, "seat 0")) as page:
        page.receive_json()
        page.send_text(text)
        answer = page.receive()
        assert answer.get("code") == 4400 or "notice" in json.loads(answer["text"])
    assert live.table.match.inputs == 0


def test_a_server_that_is_killed_comes_back_with_each_choice(hall: Hall) -> None:
    hall.game("outspeed")
    live = hall.open("outspeed", players=3, seats=("all=me",), seed=4)
    with client_of(hall) as client:
        path = _path(hall, live, f"seat {live.table.asked}")
        with socket(client, path) as page:
            main = page.receive_json()["main"]
            choice = re.search(r'data-choose="([^"]+)"', main)
            assert choice is not None
            page.send_json({"do": "choose", "text": choice[1], "step": _step(main)})
            after = page.receive_json()["main"]
    # Nothing is closed or saved: the log is read as it lies on the disk.
    del live
    with client_of(hall_in(hall.folder)) as again, socket(again, path) as page:
        back = page.receive_json()["main"]
    strip = re.compile(r'data-step="\d+"')
    assert strip.sub("", re.sub(r"<section id=\"news\".*</section>", "", back)) == strip.sub(
        "", re.sub(r"<section id=\"news\".*</section>", "", after)
    )


def test_a_server_that_is_killed_knows_again_what_was_agreed_on_undo(hall: Hall) -> None:
    hall.game("outspeed")
    ids = [hall.open("outspeed", players=3, seed=4, allow_undo=agreed).id for agreed in (True, False)]
    hall.close()

    async def found() -> list[bool]:
        again = hall_in(hall.folder)
        tables = [await again.find(id) for id in ids]
        return [table.table.allow_undo for table in tables if table is not None]

    assert asyncio.run(found()) == [True, False]


def test_the_log_of_a_table_replays(hall: Hall) -> None:
    live = hall.open("outspeed", players=3, seats=("all=random",), seed=4)
    while live.table.asked is not None:
        live.table.take(live.table.bot_option())
    live.table.close()
    log = read_log(hall.folder / f"{live.id}.jsonl")
    assert api.replay(log, under=hall.game("outspeed")).difference is None


def test_a_link_is_needed_and_is_of_its_table_alone(hall: Hall) -> None:
    one, other = _opened(hall), _opened(hall)
    with client_of(hall) as client:
        good = _path(hall, one, "seat 0")
        assert client.get(good).status_code == 200
        for path in (
            good[:-1] + ("a" if good[-1] != "a" else "b"),
            good.replace(one.id, other.id),
            f"/t/{one.id}/",
            f"/t/{one.id[:-1]}{'b' if one.id[-1] == 'a' else 'a'}/{good.rpartition('/')[2]}",
            "/t/../links.key/x",
        ):
            assert client.get(path).status_code == 404
        with pytest.raises(WebSocketDisconnect):
            socket(client, f"/t/{one.id}/{'a' * 26}").__enter__()


@pytest.mark.parametrize(
    ("headers", "what"),
    [
        ({"host": "evil.example"}, "GET"),
        ({"host": "evil.example:8000"}, "GET"),
        ({"origin": "http://evil.example"}, "POST"),
        ({"origin": "null"}, "POST"),
        ({"sec-fetch-site": "cross-site"}, "POST"),
    ],
)
def test_other_sites_are_refused(hall: Hall, headers: dict[str, str], what: str) -> None:
    with client_of(hall) as client:
        assert client.request(what, "/", headers=headers).status_code == 403
    assert not hall.tables


def test_a_socket_of_another_site_is_refused(hall: Hall) -> None:
    live = _opened(hall)
    with client_of(hall) as client:
        page = socket(client, _path(hall, live, "seat 0"), origin="http://evil.example")
        with pytest.raises(WebSocketDisconnect):
            page.__enter__()


def test_every_answer_forbids_inline_script(hall: Hall) -> None:
    live = _opened(hall)
    with client_of(hall) as client:
        for path in ("/", _path(hall, live, "seat 0"), _path(hall, live, "host"), "/static/table.js", "/nothing"):
            policy = client.get(path).headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy


def test_a_body_that_is_too_long_is_refused(hall: Hall) -> None:
    with client_of(hall) as client:
        assert client.post("/", content="game=" + "x" * 100_000).status_code == 403


def test_the_shelf_opens_a_table(hall: Hall) -> None:
    with client_of(hall) as client:
        assert "Empty Space" in client.get("/").text
        form = {"game": "outspeed", "players": "3", "people": "2", "seed": "7"}
        answer = client.post("/", data=form, follow_redirects=False)
        assert answer.status_code == 303
        page = client.get(answer.headers["location"]).text
        assert page.count(f"http://{HOST}/t/") == 2 * 3  # two seats and the spectators, each address and its text


@pytest.mark.parametrize(
    "form",
    [
        {"game": "../../etc/passwd"},
        {"game": "outspeed", "players": "99"},
        {"game": "outspeed", "players": "x"},
        {"game": "outspeed", "variant": "nothing"},
        {},
    ],
)
def test_a_table_that_cannot_be_opened_says_so(hall: Hall, form: dict[str, str]) -> None:
    with client_of(hall) as client:
        answer = client.post("/", data=form, follow_redirects=False)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert "Traceback" not in answer.text


def test_a_variant_that_is_a_path_reads_no_file(hall: Hall, tmp_path: Path) -> None:
    other = tmp_path / "own.rules"
    other.write_text("variant own of outspeed:\n")
    with client_of(hall) as client:
        answer = client.post("/", data={"game": "outspeed", "variant": str(other)}, follow_redirects=False)
    assert answer.status_code == 400
    assert "There is no such game here." in answer.text


def test_the_names_of_a_hostile_game_are_text(tmp_path: Path) -> None:
    rules = tmp_path / "hostile.rules"
    source = Path(TIC_TAC_TOE).read_text().replace("Tic-tac-toe", "<img src=x onerror=alert(1)>", 1)
    rules.write_text(source)
    hall = hall_in(tmp_path / "tables")
    live = hall.open(str(rules), seats=("cross=me",), seed=1)
    with client_of(hall) as client:
        page = client.get(_path(hall, live, "seat 0")).text
        assert "<img" not in page
        with socket(client, _path(hall, live, "seat 0")) as shown:
            assert "<img" not in shown.receive_json()["main"]


def test_messages_are_plain_data(hall: Hall) -> None:
    live = _opened(hall)
    with client_of(hall) as client, socket(client, _path(hall, live, "seat 0")) as page:
        assert set(json.loads(page.receive_text())) == {"main"}


# ------------------------------------------------------------------ answers that nobody waits for

QUICK = """\
game quick "Quick":
  players 2
  seats ann, ben

names p: Player; n: 1..9

the game has:
  pot: 0..99 = 0
each Player has:
  bid: 0..9 = 0

play:
  each p in players secretly chooses p.bid in 1..9, or pass after 1 seconds
  turns p from ann:
    p chooses one of, or pass:
      raise(n) "Raise by {n}": pot += n
    if round == 9: finish with winner {}
"""


def _quick(hall: Hall, tmp_path: Path) -> LiveTable:
    rules = tmp_path / "quick.rules"
    rules.write_text(QUICK, encoding="utf-8")
    return hall.open(str(rules), seats=("all=me",), seed=1)


def test_who_does_not_answer_in_time_passes(hall: Hall, tmp_path: Path) -> None:
    live = _quick(hall, tmp_path)
    with client_of(hall) as client, socket(client, _path(hall, live, "seat 0")) as page:
        main = page.receive_json()["main"]
        assert 'id="clock"' in main
        page.send_json({"do": "choose", "text": "3", "step": _step(main)})
        # Ann has bid, Ben has not: when time is up, he passes, and the game goes on with Ann.
        while "Raise by" not in main:
            main = page.receive_json()["main"]
    assert [(one.seat, one.by) for one in live.table.match.journal if isinstance(one, Taken)] == [
        (0, None),
        (1, "clock"),
    ]


def test_an_answer_stands_for_a_seat_that_is_not_asked(hall: Hall, tmp_path: Path) -> None:
    live = _quick(hall, tmp_path)
    for text in ("ann: 1", "ben: 2"):
        live.table.take(live.table.match.option(text))
    for sitting in live.sittings.values():
        sitting.renew()
    with (
        client_of(hall) as client,
        socket(client, _path(hall, live, "seat 0")) as ann,
        socket(client, _path(hall, live, "seat 1")) as ben,
    ):
        main, his = ann.receive_json()["main"], ben.receive_json()["main"]
        assert "data-beforehand" in his
        ben.send_json({"do": "beforehand", "text": "pass until bid"})
        assert "pass, until bid" in ben.receive_json()["main"]
        ben.send_json({"do": "beforehand", "text": "jump until raise"})
        assert "no question of this game is answered by `jump`" in ben.receive_json()["notice"]
        ann.send_json({"do": "choose", "text": "raise(2)", "step": _step(main)})
        main = ann.receive_json()["main"]
        assert "Raise by" in main  # Ben has passed, and it is Ann's turn again
        assert "until bid" not in main
        assert "pass, until bid" in ben.receive_json()["main"]
        ben.send_json({"do": "withdraw"})
        assert "pass, until bid" not in ben.receive_json()["main"]


def test_a_server_that_is_killed_knows_again_what_stands_beforehand(hall: Hall, tmp_path: Path) -> None:
    live = _quick(hall, tmp_path)
    for text in ("ann: 1", "ben: 2"):
        live.table.take(live.table.match.option(text))
    for sitting in live.sittings.values():
        sitting.renew()
    his, hers = (_path(hall, live, f"seat {seat}") for seat in (1, 0))
    with client_of(hall) as client, socket(client, his) as ben:
        ben.receive_json()
        ben.send_json({"do": "beforehand", "text": "pass until bid"})
        assert "pass, until bid" in ben.receive_json()["main"]
    # Nothing is closed or saved.
    other = hall_in(hall.folder)
    other.game(str(tmp_path / "quick.rules"))
    with client_of(other) as again, socket(again, hers) as ann, socket(again, his) as ben:
        main = ann.receive_json()["main"]
        assert "until bid" not in main
        assert "pass, until bid" in ben.receive_json()["main"]
        ann.send_json({"do": "choose", "text": "raise(2)", "step": _step(main)})
        assert "Raise by" in ann.receive_json()["main"]  # Ben has passed, and it is Ann's turn again
        assert "pass, until bid" in ben.receive_json()["main"]
        ben.send_json({"do": "withdraw"})
        assert "pass, until bid" not in ben.receive_json()["main"]
    assert not list(hall.folder.glob("*.beforehand"))
    assert "until" not in (hall.folder / f"{live.id}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "[1]", '[{"said": "ben: jump until bid", "since": 0, "choice": "", "given": 0}]'])
def test_a_file_of_answers_that_does_not_fit_the_table_is_passed_over(hall: Hall, tmp_path: Path, text: str) -> None:
    match = _quick(hall, tmp_path).table.match
    (tmp_path / "x.beforehand").write_text(text, encoding="utf-8")
    assert KeptAnswers.beside(tmp_path / "x.jsonl").read(match) == ()


# ------------------------------------------------------------------ looking back


def _played(hall: Hall) -> LiveTable:
    live = hall.open("outspeed", players=3, seats=("all=random", "1=me"), seed=4)
    while live.table.asked is not None:
        live.table.take(live.table.match.options[0])
    return live


def test_the_end_says_why_and_plots_the_scores_whenever_the_page_is_opened(hall: Hall) -> None:
    live = _played(hall)
    for again in (hall, hall_in(hall.folder)):
        with client_of(again) as client, socket(client, _path(hall, live, "seat 0")) as page:
            shown = page.receive_json()["main"]
            while 'class="plot"' not in shown:
                shown = page.receive_json()["main"]
            assert re.search(r'data-what="OS-10\.\d"', shown.partition('id="ending"')[2])
            assert shown.count("<polyline") == live.table.match.players


def test_a_seat_looks_back_with_its_own_eyes_while_others_play_on(hall: Hall) -> None:
    live = hall.open("outspeed", players=3, seats=("all=me",), seed=4)
    path = _path(hall, live, "seat 1").replace("/t/", "/r/")
    with client_of(hall) as client, socket(client, path) as page:
        main = page.receive_json()["main"]
        assert re.findall(r'<option value="(\w+)"', main)[:2] == ["red", "spectator"]
        page.send_json({"do": "eyes", "text": "all"})
        assert page.receive_json()["notice"] == "this link does not see with those eyes"


def test_a_log_is_looked_at_step_by_step(hall: Hall) -> None:
    path = _path(hall, _played(hall), "host").replace("/t/", "/r/")
    with client_of(hall) as client, socket(client, path) as page:
        assert page.receive_json()["at"] == 0
        page.send_json({"do": "go", "text": "7"})
        assert page.receive_json()["at"] == 7
        page.send_json({"do": "go", "text": "last"})
        last = page.receive_json()
        assert "data-outcome" in last["main"]
        page.send_json({"do": "find", "kind": "text", "text": "nothing has these words"})
        assert "Nothing after this step" in page.receive_json()["notice"]
        for nonsense in ("-1", "x", "1e9", "9" * 30):
            page.send_json({"do": "go", "text": nonsense})
            assert "there is no step" in page.receive_json()["notice"]


TOLLS = """\
game tolls "Tolls":
  players 2
constant toll = 1
names p: Player; n: 1..3
each Player has:
  coins: 0..20 = 9
action walk(p, n) "Walk {n}":
  p.coins -= n
action ride(p) "Ride":
  p.coins -= toll
play:
  turns p from first_player:
    p chooses one of walk, ride
    if p.coins <= 3: finish with winner p
variant dear of tolls "Dear":
  constant toll = 2
"""


def test_other_rules_stand_beside_a_log_and_the_edit_to_blame_is_named(hall: Hall, tmp_path: Path) -> None:
    rules = tmp_path / "tolls.rules"
    rules.write_text(TOLLS)
    live = hall.open(str(rules), seats=("all=me",), seed=1)
    for written in ("walk(2)", "walk(1)", "ride", "walk(2)"):
        match = live.table.match
        live.table.take(next(one for one in match.options if one.text == written))
    path = hall.folder / f"{live.id}.jsonl"
    id = hall.show(path, api.load(str(rules)), api.load(f"{rules}+dear"))
    with client_of(hall) as client, socket(client, f"/r/{id}/{hall.links.token(id, 'host')}") as page:
        first, explained = page.receive_json()["main"], page.receive_json()["main"]
        assert first.index("As it was played") < first.index("By the other rules")
        assert len(set(ids := re.findall(r' id="([^"]*)"', first))) == len(ids), "two boards share an id"
        assert "The rules part after step 2: ride(player1)" in first
        assert "Because of: constant toll (tolls.rules:16:3)" in explained


def test_what_if_goes_on_from_a_step_and_keeps_both_lines(hall: Hall) -> None:
    live = _played(hall)
    with client_of(hall) as client:
        with socket(client, _path(hall, live, "host").replace("/t/", "/r/")) as page:
            page.receive_json()
            page.send_json({"do": "go", "text": "6"})
            page.receive_json()
            page.send_json({"do": "branch"})
            branch = page.receive_json()["go"]
        with socket(client, branch) as table:
            assert "data-outcome" not in table.receive_json()["main"]
    log = read_log(hall.folder / f"{branch.split('/')[2]}.jsonl")
    assert len(log.steps) > len(read_log(hall.folder / f"{live.id}.jsonl").steps)


def test_a_log_is_dropped_on_the_shelf(hall: Hall) -> None:
    log = (hall.folder / f"{_played(hall).id}.jsonl").read_bytes()
    with client_of(hall) as client:
        answer = client.post("/logs", content=log)
        assert client.get(answer.text).status_code == 200
        with socket(client, answer.text) as page:
            assert page.receive_json()["at"] == 0


@pytest.mark.parametrize(
    "log",
    [
        b"",
        b"no log",
        b"\xff\xfe" * 100,
        b'{"format": 3, "game": "../../etc/passwd", "variants": [], "players": ["a"], "seed": 1}\n',
        b'{"format": 3, "game": "outspeed", "variants": ["../x.rules"], "players": ["green", "red", "blue"], "seed": 1}\n',
    ],
)
def test_a_text_that_is_no_log_is_refused_and_not_kept(hall: Hall, log: bytes) -> None:
    with client_of(hall) as client:
        answer = client.post("/logs", content=log)
    assert answer.status_code == 400
    assert str(hall.folder) not in answer.text.replace(str(hall.folder / "x"), "")
    assert not list(hall.folder.glob("*.jsonl"))
