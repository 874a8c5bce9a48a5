"""The workbench in a browser, used as a person uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, WebSocketRoute, expect

from tests.editing.browser import replace
from tests.editing.desk import NIM
from tests.editing.test_positions import STONES
from tests.files import ROOT
from tests.web.browser import PATIENCE, needs_chromium, running

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make bundle")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
pytestmark = [needs_chromium, pytest.mark.long]


@pytest.fixture
def bench(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Path]]:
    """The workbench with a game of nim, and its file."""
    path = tmp_path / "nim.rules"
    path.write_text(NIM)
    words = (str(path), "--port", "0", "--no-open", "--pace", "0", "--seat", "second=first")
    with running("edit", *words) as (address, _):
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        yield page, path
        assert not faults


def _table(page: Page) -> FrameLocator:
    return page.frame_locator("#table-frame")


def test_an_edit_makes_the_table_follow(bench: tuple[Page, Path]) -> None:
    page, path = bench
    _table(page).get_by_role("button", name="Take 3").click()
    expect(_table(page).locator("main")).to_contain_text("17", timeout=PATIENCE)
    replace(page, "1..3", "1..5")
    expect(_table(page).get_by_role("button", name="Take 5")).to_be_visible(timeout=PATIENCE)
    expect(_table(page).locator("main")).to_contain_text("17")
    assert path.read_text() == NIM
    page.keyboard.press("Control+s")
    expect(page.locator("#tabs [title='not saved']")).to_have_count(0, timeout=PATIENCE)
    assert path.read_text() == NIM.replace("1..3", "1..5")


def test_rules_that_part_are_shown_and_taken(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    _table(page).get_by_role("button", name="Take 3").click()
    expect(_table(page).locator("main")).to_contain_text("17", timeout=PATIENCE)
    replace(page, "heap -= n", "heap -= n + 1")
    expect(page.locator("#follows")).to_have_attribute("data-follows", "parted", timeout=PATIENCE)
    expect(page.locator("#follows")).to_contain_text("take")
    page.get_by_role("button", name="Both boards").click()
    expect(_table(page).get_by_role("heading", name="By the other rules")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Go on by these rules").click()
    expect(page.locator("#follows")).to_have_attribute("data-follows", "same", timeout=PATIENCE)
    expect(_table(page).locator("main")).to_contain_text("15", timeout=PATIENCE)


def test_a_broken_edit_leaves_the_table(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    replace(page, "heap -= n", "heap -= n")
    expect(page.locator(".cm-tooltip-autocomplete")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Enter")
    page.keyboard.type("heap -= 0")  # as deep as the line before
    expect(page.locator(".cm-line", has_text=re.compile("^  heap -= 0$"))).to_be_visible(timeout=PATIENCE)
    expect(_table(page).get_by_role("button", name="Take 3")).to_be_visible()
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Backspace")
    replace(page, "heap -= n", "heep -= n")  # what was typed stays as it was
    expect(page.locator("#faults")).to_contain_text("E0201", timeout=PATIENCE)
    expect(page.locator(".cm-lintRange-error")).not_to_have_count(0, timeout=PATIENCE)
    expect(_table(page).get_by_role("button", name="Take 3")).to_be_visible()
    page.locator("#faults button").first.click()
    replace(page, "heep", "heap")
    expect(page.locator("#faults")).to_have_count(0, timeout=PATIENCE)


def test_a_file_changed_outside_is_never_written_over_silently(bench: tuple[Page, Path]) -> None:
    page, path = bench
    path.write_text(NIM.replace("1..3", "1..2"))
    expect(page.locator(".cm-content")).to_contain_text("1..2", timeout=PATIENCE)
    replace(page, "1..2", "1..4")
    path.write_text(NIM.replace("1..3", "1..6"))
    expect(page.locator("#state .trouble")).to_contain_text("changed outside", timeout=PATIENCE)
    page.keyboard.press("Control+s")
    page.wait_for_timeout(300)
    assert path.read_text() == NIM.replace("1..3", "1..6")
    page.get_by_role("button", name="Take the file").click()
    expect(page.locator(".cm-content")).to_contain_text("1..6", timeout=PATIENCE)


def test_a_key_goes_on_by_the_new_rules(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    _table(page).get_by_role("button", name="Take 3").click()
    expect(_table(page).locator("main")).to_contain_text("17", timeout=PATIENCE)
    replace(page, "heap -= n", "heap -= n + 1")
    expect(page.locator("#follows")).to_have_attribute("data-follows", "parted", timeout=PATIENCE)
    page.keyboard.press("Alt+Enter")
    expect(page.locator("#follows")).to_have_attribute("data-follows", "same", timeout=PATIENCE)
    expect(_table(page).locator("main")).to_contain_text("15", timeout=PATIENCE)


def test_a_scenario_is_made_of_what_is_ticked_and_passes(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    _table(page).get_by_role("button", name="Take 3").click()
    expect(_table(page).locator("main")).to_contain_text("17", timeout=PATIENCE)
    page.get_by_role("button", name="Scenario of the last choice").click()
    page.get_by_label("Title").fill("it goes on")
    page.get_by_role("button", name="Write it").click()
    expect(page.locator(".cm-content")).to_contain_text("it goes on", timeout=PATIENCE)
    expect(page.locator("#scenarios")).to_contain_text("1 scenario passes", timeout=PATIENCE)
    expect(page.locator(".verdict.passes")).to_be_visible(timeout=PATIENCE)


def test_two_windows_on_one_game_show_the_same(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    other = page.context.new_page()
    lines: list[WebSocketRoute] = []
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    is_down = is_held = False

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        if is_down:
            line.close()
            return
        server = line.connect_to_server()
        server.on_message(lambda said: held.append((line, said)) if is_held else line.send(said))

    other.route_web_socket(re.compile(r"/edit/[^/]+/live"), connect)
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]", timeout=PATIENCE)
    page.bring_to_front()  # keys go to the page in front
    replace(page, "1..3", "1..5")
    expect(page.locator(".cm-content")).to_contain_text("1..5", timeout=PATIENCE)
    expect(other.locator(".cm-content")).to_contain_text("1..5", timeout=PATIENCE)
    expect(_table(other).get_by_role("button", name="Take 5")).to_be_visible(timeout=PATIENCE)
    other.bring_to_front()
    replace(other, "1..5", "1..4")
    expect(page.locator(".cm-content")).to_contain_text("1..4", timeout=PATIENCE)
    # Both type before either has heard of the other.
    is_held = True
    replace(other, "Only {heap}", "Just {heap}")
    page.bring_to_front()
    replace(page, "game nim", "# at the same time\ngame nim")
    expect(page.locator(".cm-content")).to_contain_text("Just {heap}", timeout=PATIENCE)  # heard here, not there
    is_held = False
    for line, said in held:
        line.send(said)
    for one in (other, page):
        expect(one.locator(".cm-content")).to_contain_text("at the same time", timeout=PATIENCE)
        expect(one.locator(".cm-content")).to_contain_text("Just {heap}")
    replace(page, "Just {heap}", "Only {heap}")
    expect(other.locator(".cm-content")).not_to_contain_text("Just {heap}", timeout=PATIENCE)
    other.bring_to_front()
    # A window that hears nothing for a while takes what it has missed, and nothing that was typed anywhere is lost.
    is_down = True
    lines[-1].close()
    expect(other.locator("#notice")).to_contain_text("down", timeout=PATIENCE)
    replace(other, "finish with winner p", "finish with winner first_player")
    page.bring_to_front()
    replace(page, "1..4", "1..6")
    expect(_table(page).get_by_role("button", name="Take 6")).to_be_visible(timeout=PATIENCE)
    is_down = False
    for one in (other, page):
        expect(one.locator(".cm-content")).to_contain_text("1..6", timeout=PATIENCE)
        expect(one.locator(".cm-content")).to_contain_text("winner first_player", timeout=PATIENCE)
    other.close()


def test_things_are_moved_by_hand_and_by_keys_and_the_position_is_kept(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "stones.rules"
    path.write_text(STONES)
    with running("edit", str(path), "--port", "0", "--no-open", "--pace", "0") as (address, _):
        page = browser.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        # Spaces 0 to 5 are a1, b1, c1, a2, b2, c2.
        a1, b2, c2 = (_table(page).locator(f"[data-at='Space {space}']") for space in (0, 4, 5))
        expect(a1.locator("[data-piece='piece red']")).to_be_visible(timeout=PATIENCE)
        moves = page.get_by_role("button", name="Move things")
        moves.click()
        expect(moves).to_have_attribute("aria-pressed", "true")
        a1.locator("[data-piece='piece red']").drag_to(c2)
        expect(page.locator("#notice")).to_have_text("given a1.mark = none, c2.mark = red", timeout=PATIENCE)
        expect(c2.locator("[data-piece='piece red']")).to_be_visible(timeout=PATIENCE)
        expect(a1.locator("[data-piece]")).to_have_count(0)
        # By keys one goes on from where the last thing was put down.
        for keys in ("Enter", "ArrowLeft", "Enter"):
            page.keyboard.press(keys)
        expect(page.locator("#notice")).to_have_text("given b2.mark = red, c2.mark = none", timeout=PATIENCE)
        _table(page).locator("[data-at='Space 1'] [data-piece]").drag_to(b2)
        expect(page.locator("#notice")).to_have_text("that place is occupied: red is there", timeout=PATIENCE)
        page.get_by_role("button", name="Scenario of the position").click()
        expect(page.locator(".cm-content")).to_contain_text('scenario "position"', timeout=PATIENCE)
        expect(page.locator("#scenarios")).to_contain_text("3 scenarios pass", timeout=PATIENCE)
        moves.click()
        a1.click()
        expect(a1.locator("[data-piece='piece red']")).to_be_visible(timeout=PATIENCE)
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.get_by_role("button", name="Scenario at the cursor onto the table").click()
        expect(a1.locator("[data-piece]")).to_have_count(0, timeout=PATIENCE)
        expect(b2.locator("[data-piece='piece red']")).to_be_visible()
        assert not faults


def test_things_are_dragged_by_touch(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "stones.rules"
    path.write_text(STONES)
    with running("edit", str(path), "--port", "0", "--no-open", "--pace", "0") as (address, _):
        page = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        piece = _table(page).locator("[data-at='Space 0'] [data-piece='piece red']")
        expect(piece).to_be_visible(timeout=PATIENCE)
        page.get_by_role("button", name="Move things").tap()
        there = _table(page).locator("[data-at='Space 5']")
        ways = [found for one in (piece, there) if (found := one.bounding_box()) is not None]
        (x, y), (u, v) = [(way["x"] + way["width"] / 2, way["y"] + way["height"] / 2) for way in ways]
        finger = page.context.new_cdp_session(page)
        for part in range(9):
            at = {"x": x + (u - x) * part / 8, "y": y + (v - y) * part / 8}
            finger.send(
                "Input.dispatchTouchEvent", {"type": "touchMove" if part else "touchStart", "touchPoints": [at]}
            )
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.locator("#notice")).to_have_text("given a1.mark = none, c2.mark = red", timeout=PATIENCE)


def test_a_step_of_a_log_comes_onto_the_table(bench: tuple[Page, Path]) -> None:
    page, _ = bench
    for left in ("17", "13"):
        _table(page).get_by_role("button", name="Take 3").click()
        expect(_table(page).locator("main")).to_contain_text(left, timeout=PATIENCE)
    page.get_by_role("button", name="Steps of a log").click()
    page.get_by_role("button", name="The game on the table").click()
    for _ in range(2):
        _table(page).get_by_role("button", name="On", exact=True).click()
    expect(_table(page).locator("main")).to_contain_text("17", timeout=PATIENCE)
    _table(page).get_by_role("button", name="Play on from here").click()
    expect(_table(page).get_by_role("button", name="Take 3")).to_be_visible(timeout=PATIENCE)
    replace(page, "1..3", "1..5")
    expect(_table(page).get_by_role("button", name="Take 5")).to_be_visible(timeout=PATIENCE)
    expect(_table(page).locator("main")).to_contain_text("17")


@needs_axe
def test_axe_finds_nothing_serious_at_the_workbench(browser: Browser) -> None:
    with running("edit", "outspeed", "--port", "0", "--no-open") as (address, _):
        context = browser.new_context(bypass_csp=True)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        replace(page, "players 3..6", "playrs 3..6")
        expect(page.locator("#faults")).to_be_visible(timeout=PATIENCE)
        page.get_by_role("button", name="Rulebook", exact=True).click()
        expect(page.locator("#sheet")).to_be_visible(timeout=PATIENCE)
        page.add_script_tag(path=str(AXE))
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            serious = {one["id"]: one["nodes"][0]["html"] for one in found if one["impact"] in ("serious", "critical")}
            assert serious == {}, scheme
        context.close()
