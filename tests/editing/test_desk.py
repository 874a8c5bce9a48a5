"""The table follows each valid edit; what is typed is written when it is saved, and only there."""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from rulelang.api import Game
from rulelang.editing.desk import Desk
from rulelang.editing.replaying import follow, played
from rulelang.editing.sample import OtherProcess
from rulelang.editing.trials import GivenUp, in_thread
from rulelang.language_service.service import EditorFault, LanguageService
from rulelang.pages.editor import FileTab, ShownState, tab_list, verdicts
from rulelang.scenarios.run import SEEDS, ScenarioResult, run_each
from rulelang.syntax.nodes import ScenarioDeclaration
from rulelang.workspace.workspace import Workspace
from tests.editing.desk import HOST, NIM, Page, client_of, desk_of, pages


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Nim on the desk, after two choices of the person and two of the bot."""
    (tmp_path / "nim.rules").write_text(NIM)
    found = desk_of(tmp_path / "nim.rules", tmp_path / "tables")
    table = found.live.table
    for text in ("first: take(3)", "second: take(1)", "first: take(2)", "second: take(1)"):
        table.take(table.match.option(text))
    return found


def _heap(desk: Desk) -> str:
    from rulelang.screens.picture import picture

    return str(picture(desk.live.table.match, None))


def test_an_edit_that_changes_nothing_so_far_shows_the_same_moment(desk: Desk) -> None:
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        page.type("nim.rules", NIM.replace("n: 1..3", "n: 1..4"))
        page.state('data-follows="same"')
        while len(desk.live.table.match.options) != 4:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
        assert desk.live.table.match.inputs == 4
        assert not desk.live.trouble


def test_an_edit_that_changes_the_game_stops_at_the_first_difference(desk: Desk) -> None:
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        page.type("nim.rules", NIM.replace("heap -= n\n", "heap -= n + 1\n"))
        said = page.state('data-follows="parted"')
        assert "take" in said
        assert f'data-open="nim.rules:{NIM[: NIM.index("action take")].count(chr(10))}:0"' in said
        assert desk.live.table.match.inputs == 0
        assert desk.live.trouble
        # Nothing is lost: as it was, the table is back where it stood.
        page.type("nim.rules", NIM)
        page.state('data-follows="same"')
        assert desk.live.table.match.inputs == 4
        assert not desk.live.trouble
        page.type("nim.rules", NIM.replace("heap -= n\n", "heap -= n + 1\n"))
        page.state('data-follows="parted"')
        assert page.ask("rulelang/beside")["path"].startswith("/r/")
        page.ask("rulelang/take")
        page.state('data-follows="same"')
        assert desk.live.table.match.inputs == 4
        assert not desk.live.trouble


def test_a_choice_that_is_no_longer_legal_stops_it_with_the_rule(desk: Desk) -> None:
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        page.type("nim.rules", NIM.replace("needs n <= heap", 'needs n != 2 "Not two"\n  needs n <= heap'))
        assert "Not two" in page.state('data-follows="parted"')
        assert desk.live.table.match.inputs == 2


def test_rules_that_set_up_another_game_show_their_set_up(desk: Desk) -> None:
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        page.type("nim.rules", NIM.replace("0..21 = 21", "0..21 = 11"))
        page.state('data-follows="parted"')
        assert desk.live.table.match.inputs == 0
        assert "11" in _heap(desk)


def test_a_broken_edit_leaves_the_table(desk: Desk) -> None:
    with pages(desk) as (page,):
        before = desk.live.table
        page.type("nim.rules", NIM)
        page.type("nim.rules", NIM.replace("heap -= n\n", "heep -= n\n"))
        assert "E0201" in page.state('data-follows="stays"')
        assert desk.live.table is before
        page.type("nim.rules", "game nim")
        page.state('data-follows="stays"')
        assert desk.live.table is before


def test_a_save_writes_the_file_and_nothing_else(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    with pages(desk) as (page,):
        page.ask("rulelang/read", file="nim.rules")
        page.type("nim.rules", NIM)
        page.type("nim.rules", NIM + "# more\n")
        assert path.read_text() == NIM
        assert page.ask("rulelang/save", file="nim.rules", overwrites=False) == {}
        assert path.read_text() == NIM + "# more\n"
        path.write_text("theirs")
        page.type("nim.rules", NIM + "# mine\n")
        assert page.ask("rulelang/save", file="nim.rules", overwrites=False)["outside"]
        assert path.read_text() == "theirs"
        page.state("was changed outside")
        page.ask("rulelang/save", file="nim.rules", overwrites=True)
        assert path.read_text() == NIM + "# mine\n"


@pytest.mark.long
def test_a_file_that_was_changed_outside_is_taken_over(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulelang.editing.desk.LOOK_EVERY", 0.1)
    with pages(desk) as (page,):
        page.ask("rulelang/read", file="nim.rules")
        page.type("nim.rules", NIM)
        (tmp_path / "nim.rules").write_text(NIM.replace("n: 1..3", "n: 1..2"))
        while not any(said.get("method") == "rulelang/text" for said in page.heard):
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
        assert desk.text("nim.rules") == NIM.replace("n: 1..3", "n: 1..2")


@pytest.mark.parametrize("is_open", [True, False])
def test_files_that_come_and_go_on_the_disk_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_open: bool
) -> None:
    monkeypatch.setattr("rulelang.editing.desk.LOOK_EVERY", 0.1)
    (tmp_path / "nim/scenarios").mkdir(parents=True)
    (entry := tmp_path / "nim/nim.rules").write_text(NIM)
    one, two = (tmp_path / f"nim/scenarios/{name}.rules" for name in ("one", "two"))
    scenario = 'scenario "one":\n  expect heap == 21\n'
    one.write_text(scenario)
    desk = desk_of(entry, tmp_path / "more_tables")
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        if is_open:
            page.ask("rulelang/read", file="scenarios/one.rules")
            page.type("scenarios/one.rules", scenario)
        page.state("1 scenario passes")
        two.write_text(scenario.replace("one", "two"))
        page.state("2 scenarios pass")
        one.unlink()
        if is_open:
            while not any("deleted" in str(said) for said in page.heard):
                page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
            assert page.ask("rulelang/save", file="scenarios/one.rules", overwrites=False) == {}
            assert one.read_text() == scenario
        else:
            page.state("1 scenario passes")


def test_two_windows_show_the_same_texts(desk: Desk) -> None:
    with pages(desk, 2) as (one, other):
        one.type("nim.rules", NIM)
        other.type("nim.rules", NIM)
        one.type("nim.rules", NIM + "# one\n")
        other.state('data-follows="same"')
        assert other.ask("rulelang/read", file="nim.rules")["text"] == NIM + "# one\n"


@pytest.mark.parametrize("seed", range(3))
def test_what_two_windows_type_at_once_is_all_kept(desk: Desk, seed: int) -> None:
    """A window took what another had typed for a change of its own text, and took its own typing back."""
    choose, typed = random.Random(seed), list[str]()
    with pages(desk, 2) as both:
        texts = [NIM, NIM]
        for page in both:
            page.ask("rulelang/read", file="nim.rules")
            page.type("nim.rules", NIM)
        for number in range(24):
            which = choose.randrange(2)
            if choose.random() < 0.6:
                typed.append(f"# {which} {number}")
                lines = texts[which].splitlines(keepends=True)
                at = choose.randrange(3) + (len(lines) - 3 if which else 0)
                texts[which] = "".join((*lines[:at], typed[-1] + "\n", *lines[at:]))
                both[which].type("nim.rules", texts[which])
            else:
                texts[which] = listened(both[which], texts[which])
        for _ in range(3):
            texts = [listened(page, text) for page, text in zip(both, texts, strict=True)]
        assert texts[0] == texts[1]
        kept = [page.ask("rulelang/read", file="nim.rules")["text"] for page in both]
        assert kept[0] == kept[1]
        assert [line for line in typed if line not in kept[0]] == []


def listened(page: Page, text: str) -> str:
    """Returns the text of a page after it has heard what the desk has told it so far."""
    page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
    for said in page.heard:
        told = said["params"]
        if said.get("method") == "rulelang/text" and told["version"] == page.versions["nim.rules"]:
            text = told["text"]
            page.tell("rulelang/took", file="nim.rules")
            page.type("nim.rules", text)
    page.heard.clear()
    return text


def test_what_two_windows_type_at_the_same_time_is_all_kept(desk: Desk) -> None:
    with pages(desk, 2) as (one, other):
        for page in (one, other):
            page.type("nim.rules", page.ask("rulelang/read", file="nim.rules")["text"])
        one.type("nim.rules", f"# one\n{NIM}")
        one.ask("rulelang/steps")
        other.type("nim.rules", f"{NIM}# other\n")  # as if it had not heard of it yet
        both = f"# one\n{NIM}# other\n"
        assert one.ask("rulelang/read", file="nim.rules")["text"] == both
        other.ask("rulelang/steps")
        told = [said["params"] for said in other.heard if said.get("method") == "rulelang/text"][-1]
        assert (told["text"], told["version"]) == (both, other.versions["nim.rules"])


def test_a_file_that_is_only_opened_begins_nothing_anew(tmp_path: Path) -> None:
    (tmp_path / "nim").mkdir()
    (entry := tmp_path / "nim/nim.rules").write_text(NIM)
    (tmp_path / "nim/scenarios").mkdir()
    scenario = 'scenario "three":\n  first: take(3)\n  expect heap == 18\n'
    (tmp_path / "nim/scenarios/more.rules").write_text(scenario)
    desk = desk_of(entry, tmp_path / "more_tables")
    (tmp_path / "nim/none.rules").mkdir()
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        page.state("1 scenario passes")
        begun = desk._task
        page.type("scenarios/more.rules", scenario)
        page.ask("rulelang/files")
        assert desk._task is begun
        page.type("scenarios/more.rules", scenario.replace("18", "17"))
        page.state("1 of 1 scenario fails")


def test_two_files_of_one_name_are_told_apart() -> None:
    names = ("race.rules", "cards.rules", "scenarios/cards.rules")
    shown = re.findall(r">([^<>]+)</button>", tab_list(ShownState(tuple(map(FileTab, names)))))
    assert shown[:3] == list(names)


@pytest.mark.parametrize("path", ["/edit/wrong", "/edit/", "/", "/shelf/wrong"])
def test_a_page_without_the_secret_is_not_there(desk: Desk, path: str) -> None:
    with client_of(desk) as client:
        assert client.get(path).status_code == 404


def test_other_sites_cannot_reach_the_socket(desk: Desk) -> None:
    foreign = {"origin": "http://elsewhere.example"}
    with client_of(desk) as client:
        socket = client.websocket_connect(f"ws://{HOST}/edit/secret/live", headers=foreign)
        with pytest.raises(WebSocketDisconnect):
            socket.__enter__()


def test_no_file_of_this_machine_is_told(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hush")
    with pages(desk) as (page,):
        for name in ("secret.txt", "../secret.txt", str(tmp_path / "secret.txt"), "/etc/passwd"):
            answer = page.ask("rulelang/read", file=name)
            assert "hush" not in str(answer)
            assert "text" not in answer
        uri = (tmp_path / "nim.rules").as_uri()
        place = {"line": 6, "character": 3}
        assert not page.ask("textDocument/hover", textDocument={"uri": uri}, position=place)
        page.type("nim.rules", NIM)
        found = page.ask(
            "textDocument/definition", textDocument={"uri": "rules:///nim.rules"}, position={"line": 11, "character": 3}
        )
        assert [one["uri"] for one in found] == ["rules:///nim.rules"]
        assert str(tmp_path) not in str(page.heard)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", '{"jsonrpc": "2.0"}', '{"jsonrpc":"2.0","method":"exit"}', "[" * 9000]
)
def test_a_message_that_is_none_closes_the_socket_alone(desk: Desk, text: str) -> None:
    with client_of(desk) as client:
        with client.websocket_connect(f"ws://{HOST}/edit/secret/live") as socket:
            socket.send_text(text)
            with pytest.raises(WebSocketDisconnect):
                socket.receive_text()
        assert client.get("/edit/secret").status_code == 200


def test_the_last_choice_becomes_a_scenario_that_passes_as_written(desk: Desk) -> None:
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        found = page.ask("rulelang/scenario")
        assert found["file"] == "nim.rules"
        text = desk.text("nim.rules")
        assert 'scenario "second: take(1)"' in text.splitlines()[found["line"]]
        assert "1 scenario passes" in page.state("1 scenario passes")


@pytest.mark.long
def test_a_scenario_expects_what_was_chosen(desk: Desk) -> None:
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        form = page.ask("rulelang/claims")["form"]
        claims = re.findall(r'value="([^"]*)"', form)
        assert claims
        found = page.ask("rulelang/scenario", title="one is left less", expects=claims[:1])
        written = desk.text("nim.rules").splitlines()[found["line"] :]
        assert written[0].startswith('scenario "one is left less"')
        assert written[-1].strip() == f"expect {claims[0]}"
        page.state("1 scenario passes")


def test_a_table_without_a_choice_has_nothing_to_expect(tmp_path: Path) -> None:
    entry = tmp_path / "nim.rules"
    entry.write_text(NIM)
    with pages(desk_of(entry, tmp_path / "tables", seats=())) as (page,):
        page.type("nim.rules", NIM)
        assert "nothing has been chosen" in page.ask("rulelang/claims")["trouble"]


def test_a_refusal_becomes_a_scenario_that_passes_as_written(desk: Desk) -> None:
    cited = NIM.replace("needs n <= heap ", 'needs n != 2 or heap > 14  "Two is too many"\n  needs n <= heap ')
    with pages(desk) as (page,):
        page.type("nim.rules", cited)
        while len(desk.live.table.match.options) != 2:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
        listed = page.ask("rulelang/refusals")["list"]
        (option,) = re.findall(r'data-refused="([^"]*)"', listed)
        assert "Two is too many" in listed
        found = page.ask("rulelang/refusal", option=option)
        written = desk.text("nim.rules").splitlines()[found["line"] :]
        assert written == [
            'scenario "first cannot take(2): Two is too many":',
            "  players first, second",
            "  given heap = 14",
            "  expect first cannot take(2)",
        ]
        page.state("1 scenario passes")
        # Without the rule it fails, and so it shows the rule.
        page.type("nim.rules", desk.text("nim.rules").replace("n != 2 or ", "n < 9 or "))
        page.state("1 of 1 scenario fails")
        assert "no rule refuses" in page.ask("rulelang/refusal", option="first: take(99)")["trouble"]


@pytest.mark.long
def test_a_scenario_that_is_written_twice_has_two_titles(desk: Desk) -> None:
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        for _ in range(3):
            page.ask("rulelang/scenario", title="again")
        page.state("3 scenarios pass")
        titles = re.findall('scenario "([^"]*)"', desk.text("nim.rules"))
        assert titles == ["again", "again (2)", "again (3)"]
        assert not desk.service.faults(desk.folder.entry)[desk.folder.entry]


@pytest.mark.long
def test_the_process_of_the_random_games_ends_with_one_that_is_killed() -> None:
    """The pipe ends when nobody holds it any more."""
    words = "from rulelang.editing.sample import OtherProcess; import asyncio, os, time\n"
    words += "other = OtherProcess(); print(asyncio.run(other.do(os.getpid)), flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", words], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert int(server.stdout.readline()) != server.pid
        server.kill()
        assert server.communicate(timeout=60)[0] == ""


@pytest.mark.long
def test_what_the_other_process_does_stops_at_once() -> None:
    async def stopped() -> float:
        other = OtherProcess()
        try:
            await other.do(os.getpid)
            work = asyncio.create_task(other.do(time.sleep, 600))
            await asyncio.sleep(0.5)
            began = time.perf_counter()
            work.cancel()
            await other.do(os.getpid)
            return time.perf_counter() - began
        finally:
            other.close()

    assert asyncio.run(stopped()) < 60


@pytest.mark.long
def test_scenarios_that_an_edit_cannot_reach_are_not_played_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[frozenset[str]] = []

    def noted(game: Game, chosen: Sequence[ScenarioDeclaration], *given: Any) -> Iterator[ScenarioResult]:
        if SEEDS[:1] in given:
            played.append(frozenset(node.title.raw for node in chosen))
        return run_each(game, chosen, *given)

    monkeypatch.setattr("rulelang.editing.trials.run_each", noted)
    three = '\nscenario "three":\n  first: take(3)\n  expect heap == 18\n'
    two = '\nscenario "two":\n  first: take(2)\n  expect heap == 19\n'
    with pages(desk) as (page,):
        page.type("nim.rules", NIM + three)
        page.state("1 scenario passes")
        page.type("nim.rules", "# a remark\n" + NIM + three + two)
        page.state("2 scenarios pass")
        assert played == [{"three"}, {"two"}]
        page.type("nim.rules", NIM.replace("1..3", "1..4") + three + two)
        while len(played) < 3:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
        assert played[-1] == {"three", "two"}


def test_the_table_is_played_with_the_variants_that_are_chosen(desk: Desk) -> None:
    varied = (
        NIM
        + """
variant misere of nim "Whoever takes the last one loses":
  replace play:
    turns p from first_player:
      p chooses one of take
      if heap == 0: finish with winner next(p)
"""
    )
    with pages(desk) as (page,):
        page.type("nim.rules", varied)
        assert 'data-variant="misere"' in page.state("Whoever takes")
        page.ask("rulelang/variants", variants=["misere", "no such"])
        page.state("Variants: misere")
        page.ask("rulelang/claims")  # waits for the table
        assert list(desk.game.variants) == ["misere"]
        page.ask("rulelang/variants", variants=[])
        page.state("Variants<")
        page.ask("rulelang/claims")
        assert not desk.variants + desk.game.variants


@pytest.mark.long
def test_an_edit_that_turns_a_scenario_red_is_told(desk: Desk) -> None:
    scenario = '\nscenario "three":\n  first: take(3)\n  expect heap == 18\n'
    with pages(desk) as (page,):
        page.type("nim.rules", NIM + scenario)
        page.state("1 scenario passes")
        line = NIM.count("\n") + 1
        assert verdicts(desk.state()) == {"nim.rules": [(line, "passes")]}
        page.type("nim.rules", NIM.replace("heap -= n\n", "heap -= n + 1\n") + scenario)
        assert "changed" in page.state("1 of 1 scenario fails, 1 since an edit")
        assert verdicts(desk.state()) == {"nim.rules": [(line, "changed")]}


def test_verdicts_come_before_the_faults_of_variants_and_scenarios(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    faults = LanguageService.faults

    def note(what: str) -> None:
        if "1..4" in desk.text("nim.rules"):
            happened.append(what)

    def slowly(*given: Any) -> Iterator[ScenarioResult]:
        time.sleep(0.1)
        note("played")
        return run_each(*given)

    def noted(service: LanguageService, path: Path) -> Mapping[Path, tuple[EditorFault, ...]]:
        note("faults")
        return faults(service, path)

    for room in ("editing.desk", "language_service.server"):
        monkeypatch.setattr(f"rulelang.{room}.PAUSE", 0.01)
    monkeypatch.setattr("rulelang.editing.trials.run_each", slowly)
    monkeypatch.setattr(LanguageService, "faults", noted)
    scenario = '\nscenario "three":\n  first: take(3)\n  expect heap == 18\n'
    with pages(desk) as (page,):
        page.type("nim.rules", NIM + scenario)
        page.state("1 scenario passes")
        page.type("nim.rules", NIM.replace("1..3", "1..4") + scenario)
        while "faults" not in happened:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
        assert happened[0] == "played"


def test_work_for_which_nobody_waits_any_more_ends_where_it_looks_next() -> None:
    looked = list[str]()

    def work(look: Callable[[], None]) -> None:
        try:
            while True:
                look()
                looked.append("")
                time.sleep(0.001)
        except GivenUp:
            looked.append("ended")
            raise

    async def given_up() -> None:
        task = asyncio.create_task(in_thread(work))
        while not looked:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(given_up())
    assert looked[-1] == "ended"


@pytest.mark.parametrize("text", [NIM, NIM.replace("1..3", "1..4"), NIM.replace("heap -= n", "heap -= n + 1")])
def test_a_table_that_follows_looks_at_each_step_whether_it_is_still_awaited(desk: Desk, text: str) -> None:
    desk.service.open(desk.path("nim.rules"), text)
    game = desk.service.workspace.check(desk.folder.entry).rules
    assert game is not None
    looks = iter(range(1))

    def look() -> None:
        if next(looks, None) is None:
            raise GivenUp

    with pytest.raises(GivenUp):
        follow(played(desk.live.table), game, desk.live.table.seats, look)


def test_a_key_while_texts_are_checked_ends_the_check_at_its_next_step(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = list[int]()
    steps = Workspace.steps_of_check

    def counted(self: Workspace, *given: Any) -> Iterator[None]:
        count = 0
        for _ in steps(self, *given):
            count += 1
            if len(ended) == 0 and count == 2:
                asyncio.get_running_loop().call_soon(type_, "1..5")
            try:
                yield
            except GeneratorExit:
                ended.append(count)
                raise
        ended.append(count)

    def type_(number: str) -> None:
        desk.service.open(desk.path("nim.rules"), NIM.replace("1..3", number))
        desk.changed(desk.path("nim.rules"))

    async def types() -> None:
        type_("1..4")
        await asyncio.sleep(0)
        await asyncio.wait_for(desk.followed(), 10)
        while len(ended) < 2:
            await asyncio.sleep(0.01)
        await asyncio.wait_for(desk.judged(), 10)

    monkeypatch.setattr(Workspace, "steps_of_check", counted)
    asyncio.run(types())
    assert ended[0] < ended[1]
    options = [one.text for one in desk.live.table.match.options]
    assert "take(5)" in options


def test_nobody_waits_for_scenarios_that_cannot_be_played(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any, **__: Any) -> None:
        raise RecursionError

    async def waits() -> None:
        desk.service.open(desk.path("nim.rules"), NIM.replace("1..3", "1..4"))
        desk.changed(desk.path("nim.rules"))
        await asyncio.wait_for(asyncio.gather(desk.judged(), desk.followed()), 5)

    monkeypatch.setattr("rulelang.editing.trials.Trials.run", fails)
    asyncio.run(waits())


@pytest.mark.long
def test_kept_games_are_played_by_the_new_rules(desk: Desk) -> None:
    desk.sample.many = 8
    with pages(desk) as (page,):
        page.type("nim.rules", NIM)
        page.type("nim.rules", NIM.replace("winner p", "winner first_player"))
        said = page.state('data-games="8"')
        assert "another winner" in re.sub("<[^>]*>", "", said)
        opened, _, step = page.ask("rulelang/game", course="winner")["path"].partition("#")
        assert opened.startswith("/r/")
        assert int(step) > 0, "it is opened where it goes another way"
        page.type("nim.rules", NIM + "# a remark\n")
        assert "8 the same" in re.sub("<[^>]*>", "", page.state('data-games="8"'))


def test_the_rulebook_leads_to_lines_and_scenarios(tmp_path: Path) -> None:
    cited = NIM.replace("heap -= n\n", "heap -= n  [N-1]\n").replace(
        "players 2", 'players 2\n  rulebook "rulebook.toml"'
    )
    scenario = '\nscenario "three":  [N-1]\n  first: take(3)\n  expect heap == 18\n'
    game = tmp_path / "nim"
    game.mkdir()
    (game / "nim.rules").write_text(cited + scenario)
    clause = (
        '[[clause]]\nid = "N-1"\nkind = "rule"\nsection = "Turns"\ntext = "Whoever is at turn takes matches <b>."\n'
    )
    (game / "rulebook.toml").write_text(clause)
    desk = desk_of(game / "nim.rules", tmp_path / "tables")
    with pages(desk) as (page,):
        page.type("nim.rules", cited + scenario)
        page.state("1 scenario passes")
        sheet = page.ask("rulelang/clauses")["sheet"]
        assert "takes matches &lt;b&gt;." in sheet
        assert 'data-open="nim.rules:12:0"' in sheet
        assert ">three</button>" in sheet


BROKEN = """variant more of nim "More":
  replace action take(p, n) "Take {n}":
    heap -= = n
"""


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("variants/more.rules", BROKEN),
        ("variants/more.rules", "varian" + BROKEN.removeprefix("variant")),
        ("variants/more.rules", BROKEN.replace(":\n", " = =:\n", 1)),
        ("variants/more.rules", BROKEN.replace("= =", "=") + "= stray\n"),
        ("variants/more.rules", BROKEN.replace('"More"', '"More')),
        ("variants/more.rules", "  "),
        ("scenarios/more.rules", 'scenario "more":\n  first: take(= 1\n'),
        ("scenarios/more.rules", 'scenari "more":\n  first: take(1)\n'),
    ],
)
def test_a_broken_variant_or_scenario_costs_nothing_else(tmp_path: Path, file: str, text: str) -> None:
    folder = tmp_path / "nim"
    (folder / file).parent.mkdir(parents=True)
    (folder / "nim.rules").write_text(NIM + '\nscenario "three":\n  first: take(3)\n  expect heap == 18\n')
    (folder / file).write_text('# Later.\nscenario "no":\n  expect heap == 21\n')
    desk = desk_of(folder / "nim.rules", tmp_path / "tables")
    with pages(desk) as (page,):
        page.type(file, text)
        while not (desk.trials.trials and any(fault.is_error for fault in desk.state().faults)):
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
        assert not desk.is_broken
        assert {one.title: one.passed for one in desk.state().scenarios}["three"]
        page.type("nim.rules", (folder / "nim.rules").read_text().replace("1..3", "1..5"))
        while len(desk.live.table.match.options) != 5:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///nim.rules"})
