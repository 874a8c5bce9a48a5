"""Pages in a real browser: played by clicks, by touch and by keys, seen by several people, and found accessible."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from rulelang import api
from rulelang.pages.sheets import sheets
from tests.files import ROOT, TESTS
from tests.web.browser import (
    FRAME,
    PATIENCE,
    choose_first,
    hosting,
    needs_chromium,
    opened,
    play_by_clicking,
    running,
    serving,
)

pytestmark = needs_chromium
TIC_TAC_TOE = str(ROOT / "tests/classics/tic_tac_toe.rules")


@pytest.fixture(autouse=True)
def _closed(browser: Browser) -> Iterator[None]:
    """Closes the pages of a test, which would look for their server for ever."""
    yield
    for context in browser.contexts:
        context.close()


def test_a_space_is_marked_by_a_click_on_the_board(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, TIC_TAC_TOE, seats=("all=me",)) as (_, links):
        cross, nought = opened(browser, links[0]), opened(browser, links[1])
        cross.locator("svg [data-choose='put(b2)']").click()
        nought.wait_for_selector("svg [data-choose='put(a1)']", timeout=PATIENCE)
        assert "cross" in (nought.locator("[id$='-b2'] title").first.text_content() or "")
        assert nought.locator("svg [data-choose='put(b2)']").count() == 0


def test_the_keyboard_alone_suffices(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, TIC_TAC_TOE, seats=("all=me",)) as (_, links):
        page = opened(browser, links[0])
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.choose") == "put(c3)":
                break
        page.keyboard.press("Enter")
        page.wait_for_selector("#waiting", timeout=PATIENCE)
        assert page.locator("svg [data-choose]").count() == 0


@pytest.mark.long
def test_a_place_that_cannot_be_chosen_says_why(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, TIC_TAC_TOE, seats=("all=me",)) as (_, links):
        cross, nought = opened(browser, links[0]), opened(browser, links[1])
        cross.locator("svg [data-choose='put(b2)']").click()
        nought.wait_for_selector("#asking", timeout=PATIENCE)
        nought.locator("svg [data-why='b2']").click()
        nought.wait_for_selector("dialog[open]", timeout=PATIENCE)
        assert "b2" in nought.locator("dialog").inner_text()


@pytest.mark.long
def test_a_log_is_scrubbed_and_searched(browser: Browser, tmp_path: Path) -> None:
    match = api.load("outspeed").start(3, seed=5)
    rng = random.Random(1)
    while match.options:
        match.push(rng.choice(list(match.options)))
    log = tmp_path / "race.jsonl"
    match.log.save(log)
    with running("replay", str(log), "--web", "--no-open") as (address, _):
        page = opened(browser, f"{address}#12")
        page.wait_for_url("**#12", timeout=PATIENCE)
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**#13", timeout=PATIENCE)
        page.locator("#timeline").fill("4")
        page.wait_for_url("**#4", timeout=PATIENCE)
        page.select_option("#eyes", "all")
        page.fill("#wanted", "OS-10.2")
        page.select_option("#kind", "clause")
        page.locator("#find button").first.click()
        page.wait_for_url(lambda url: not url.endswith("#4"), timeout=PATIENCE)
        page.locator(".event").first.click()
        page.wait_for_selector("dialog[open] .chain", timeout=PATIENCE)


@pytest.mark.long
@pytest.mark.parametrize("game", ["outspeed", "exobase"])
def test_a_game_is_played_to_its_end_by_clicking(browser: Browser, tmp_path: Path, game: str) -> None:
    with hosting(tmp_path, game) as (address, _):
        page = opened(browser, address)
        assert 3 < play_by_clicking(page, seed=1, most=5_000) < 5_000
        assert page.locator("main[data-outcome]").count() == 1
        assert page.locator("#ending h2").inner_text()


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "table"),
    [
        ("exit_velocity", ("--players", "2", "--seat", "ada=me", "--seat", "bo=random", "--option", "max_rounds=1")),
        ("empty_space", ("--players", "2", "--option", "most_rounds=8")),
    ],
)
def test_a_game_of_few_rounds_is_played_to_its_end_by_clicking(
    browser: Browser, tmp_path: Path, game: str, table: tuple[str, ...]
) -> None:
    with serving(tmp_path, game, "--seed", "3", *table) as (address, _):
        page = opened(browser, address)
        assert 3 < play_by_clicking(page, seed=1, most=1_000) < 1_000
        assert page.locator("main[data-outcome]").count() == 1
        assert page.locator("#ending h2").inner_text()


NOTICES = """
window.told = [];
window.Notification = class { constructor(title, more) { window.told.push([title, more.body]); } };
window.Notification.permission = "granted";
Object.defineProperty(document, "hidden", { get: () => window.away === true });
"""


@pytest.mark.long
def test_a_page_in_the_background_says_in_its_title_and_to_the_system_that_it_is_my_turn(
    browser: Browser, tmp_path: Path
) -> None:
    with hosting(tmp_path, TIC_TAC_TOE, seats=("all=me",)) as (_, links):
        cross, context = opened(browser, links[0]), browser.new_context()
        context.add_init_script(NOTICES)
        nought = context.new_page()
        nought.goto(links[1])
        nought.wait_for_selector("#waiting", timeout=PATIENCE)
        nought.locator("#notices").set_checked(True)
        nought.evaluate("window.away = true")
        cross.locator("svg [data-choose='put(b2)']").click()
        nought.wait_for_selector("#asking", timeout=PATIENCE, state="attached")
        assert nought.title().startswith("• Your turn")
        assert nought.evaluate("window.told") == [[nought.title(), "Mark which space?"]]
        nought.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
        assert not nought.title().startswith("•")


@pytest.mark.long
def test_what_a_sentence_tells_of_lights_up_on_the_board(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, TIC_TAC_TOE, seats=("all=me",)) as (_, links):
        cross, nought = opened(browser, links[0]), opened(browser, links[1])
        cross.locator("svg [data-choose='put(b2)']").click()
        nought.locator("#fresh [data-lights]").last.hover()
        nought.wait_for_selector("[id$='-b2'].lit", timeout=PATIENCE)
        nought.locator("h1").hover()
        assert nought.locator(".lit").count() == 0
        nought.locator("#fresh").focus()
        nought.keyboard.press("ArrowDown")
        nought.wait_for_selector("[id$='-b2'].lit", timeout=PATIENCE)


COUNTING = """() => {
  const animate = Element.prototype.animate;
  window.moved = 0;
  Element.prototype.animate = function (...how) { window.moved++; return animate.apply(this, how); };
}"""


@pytest.mark.long
def test_pieces_move_to_where_they_go_unless_that_is_turned_off(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, "outspeed") as (address, _):
        for moves in (True, False):
            context = browser.new_context(reduced_motion="no-preference")
            page = context.new_page()
            page.goto(address)
            page.wait_for_selector(FRAME, timeout=PATIENCE)
            page.locator("#moves").set_checked(moves)
            page.evaluate(COUNTING)
            play_by_clicking(page, seed=2, most=4)
            assert (page.evaluate("window.moved") > 0) == moves


@pytest.mark.long
def test_the_list_of_my_tables_says_where_it_is_my_turn(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, TIC_TAC_TOE, seats=("all=me",)) as (_, links):
        page = opened(browser, links[0])
        page.get_by_role("link", name="My tables").click()
        page.wait_for_selector(".standing.asked", timeout=PATIENCE)
        assert "Your turn" in page.locator(".standing").inner_text()
        assert "1 of 1 waits for you" in page.locator("#looking").inner_text()


@pytest.mark.long
def test_a_table_is_set_up_from_the_shelf(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path) as (shelf, _):
        page = browser.new_page()
        page.goto(shelf)
        page.get_by_role("link", name="Set up a table: Outspeed").click()
        page.locator("[data-sheet]").first.click()
        page.wait_for_selector("dialog[open] h2", timeout=PATIENCE)
        page.locator("dialog button").click()
        page.select_option("[name=seat-2]", "first")
        page.locator("[name=variant][value=sprint]").check()
        page.wait_for_url("**variant=sprint**", timeout=PATIENCE)
        assert page.locator("[name=seat-2]").input_value() == "first"
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_selector(FRAME, timeout=PATIENCE)
        assert "sprint" in page.locator("h1").inner_text()
        assert "first bot" in page.locator(".seats").inner_text()


def asked_of(pages: list[Page]) -> Page:
    """Returns the page on which somebody is asked; what was chosen on another may still be on its way to it."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        for page in pages:
            if page.locator("#asking").count():
                return page
        pages[0].wait_for_timeout(20)
    pytest.fail("nobody is asked")


@pytest.mark.long
def test_two_people_play_and_neither_page_holds_the_others_cards(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, "empty_space", players=2, seats=("all=me",)) as (_, links):
        pages = [opened(browser, link) for link in links[:2]]
        for turn in range(12):
            page = asked_of(pages)
            assert play_by_clicking(page, seed=turn + 1, most=1) == 1
            for one in pages:
                assert one.get_by_role("heading", name="Your hand").count() == 1
        texts = [page.locator("main").inner_html() for page in pages]
        assert texts[0] != texts[1]


@pytest.mark.long
def test_a_phone_plays_by_touch(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, "outspeed") as (address, _):
        page = opened(browser, address, 390, 844, touch=True)
        for _ in range(3):
            assert choose_first(page, touch=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.long
def test_a_long_press_asks_and_chooses_nothing(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, TIC_TAC_TOE) as (address, _):
        page = opened(browser, address, 390, 844, touch=True)
        space = page.locator("svg .space.can").first
        where = space.bounding_box()
        assert where is not None
        finger = [{"x": where["x"] + where["width"] / 2, "y": where["y"] + where["height"] / 2}]
        touch = page.context.new_cdp_session(page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": finger})
        expect(page.locator("#dialog")).to_contain_text("Mark a1")
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.keyboard.press("Escape")
        expect(page.locator("#dialog")).not_to_be_visible()
        expect(page.locator("svg .space.can")).to_have_count(9)
        space.tap()
        expect(page.locator("svg .space.can")).not_to_have_count(9)


@pytest.mark.long
def test_a_page_comes_back_when_the_server_does(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, "outspeed", "--seed", "3") as (address, links):
        page = opened(browser, address)
        choose_first(page)
    page.wait_for_selector("#notice.shown", timeout=PATIENCE)
    path = address.partition("/t/")[2]
    with serving(tmp_path) as (shelf, _):
        again = opened(browser, f"{shelf}t/{path}")
        assert again.locator("#before").count() == 1
    assert links


AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make bundle")


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def _faults(page: Page) -> dict[str, str]:
    """Returns the serious faults that axe finds on a page."""
    page.add_script_tag(path=str(AXE))
    # What else axe looks at is not listed: to describe each node that passes takes longer than to test it.
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return {one["id"]: one["nodes"][0]["html"] for one in found if one["impact"] in ("serious", "critical")}


@pytest.mark.long
@needs_axe
@pytest.mark.parametrize(
    ("game", "clicks"),
    [
        ("outspeed", 500),
        ("empty_space", 30),
        ("exobase", 14),
        ("exit_velocity", 0),
        pytest.param(str(TESTS / "library/hearts.rules"), 8, id="hearts"),
    ],
)
def test_axe_finds_nothing_serious_at_a_table(browser: Browser, tmp_path: Path, game: str, clicks: int) -> None:
    with hosting(tmp_path, game) as (address, _), _looking(browser) as page:
        page.goto(address)
        page.wait_for_selector(FRAME, timeout=PATIENCE)
        play_by_clicking(page, seed=5, most=clicks)
        page.wait_for_selector("#asking, #ending .plot, #waiting", timeout=PATIENCE)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert _faults(page) == {}, scheme


@contextmanager
def _looking(browser: Browser) -> Iterator[Page]:
    """Yields a page into which axe can be put."""
    context = browser.new_context(bypass_csp=True)
    yield context.new_page()
    context.close()


@pytest.mark.long
@needs_axe
def test_axe_finds_nothing_serious_on_the_other_pages(browser: Browser, tmp_path: Path) -> None:
    with (
        hosting(tmp_path, "empty_space", players=2, seats=("all=me",)) as (host, links),
        _looking(browser) as page,
    ):
        root = host.partition("/t/")[0]
        pages = ("/", "/mine", "/lobby?game=empty_space", "/lobby/sheet?game=empty_space&variant=solo", "/t/a/b")
        sheet = tmp_path / "sheet.html"
        sheet.write_text(sheets(api.load("outspeed")))
        for address, wait in (
            *((root + path, "main") for path in pages),
            (host, "main"),
            (".".join((links[0], links[1].rpartition("/")[2])), "main"),
            (links[0].replace("/t/", "/r/"), FRAME),
            (sheet.as_uri(), "h1"),
        ):
            page.goto(address)
            page.wait_for_selector(wait, timeout=PATIENCE)
            assert _faults(page) == {}, address


@pytest.mark.long
@pytest.mark.parametrize(("paper", "wide", "high"), [("A4", 190, 281), ("Letter", 196, 263)])
@pytest.mark.parametrize("game", ["outspeed", "exobase"])
def test_sheets_print_whole_cards_on_either_paper(
    browser: Browser, tmp_path: Path, game: str, paper: str, wide: int, high: int
) -> None:
    sheet = tmp_path / "sheet.html"
    sheet.write_text(sheets(api.load(game)))
    page = browser.new_page(viewport={"width": round(wide * 96 / 25.4), "height": round(high * 96 / 25.4)})
    page.goto(sheet.as_uri())
    page.emulate_media(media="print")
    cut = page.evaluate(CUT, [wide * 96 / 25.4, high * 96 / 25.4])
    assert cut == []
    box = b"[0 0 595" if paper == "A4" else b"[0 0 612"
    printed = page.pdf(format=paper)
    assert box in printed
    assert printed.count(b"/MediaBox") >= 3
    page.close()


CUT = """([wide, high]) => [...document.querySelectorAll(".card, .mat, svg")].filter((one) => {
  const place = one.getBoundingClientRect();
  return place.right > wide + 1 || place.height > high || one.scrollHeight > one.clientHeight + 2
    || one.scrollWidth > one.clientWidth + 2;
}).map((one) => one.textContent.slice(0, 40))"""
"""The components that do not fit the width or the height of a page, or whose text does not fit them."""
