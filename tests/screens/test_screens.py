"""Screens: what a seat sees of a game, as values and on a terminal."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

import rulelang
from cli.screen import draw, narrate
from cli.screen.styles import Styles
from rulelang import api
from rulelang.errors import UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.knowledge.phrase import named, spliced
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeal
from rulelang.match.refused import refused
from rulelang.playouts.rng import RandomStream
from rulelang.screens.model import Cards, Grid, List, Map, ScreenCell, Track, Words
from rulelang.screens.picture import on_screen, picture
from rulelang.screens.sights import said
from rulelang.session.question import Question, meant, question
from tests.files import GALLERY

GALLERY_TEXT = GALLERY.read_text()
SCREEN = """
screen:
  line "{passes} passes, {count(deck)} cards in the deck, {viewer} looks"
  map Space: "{s.terrain}"
  track n in 1..3: "{count(s in Space if s.row == n and s.terrain == water)}"
  each Player: "{p} has {p.gold} gold and {p.secret} in mind, {count(p.hand)} cards: {p.hand}"
  cards p.hand of viewer "Your hand"
  cards deck
  table prize(rank, moon) by rank "Prizes"
"""


class TextFile(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


def start(text: str, folder: Path, **more: object) -> BareMatch:
    path = folder / "gallery.rules"
    path.write_text(text)
    return rulelang.load(path).start(3, 3, **more)  # type: ignore[arg-type]


@pytest.fixture
def match(tmp_path: Path) -> BareMatch:
    return start(GALLERY_TEXT, tmp_path)


@pytest.fixture
def arranged(tmp_path: Path) -> BareMatch:
    return start(GALLERY_TEXT + SCREEN, tmp_path)


def printed(match: BareMatch, seat: int | None, width: int = 100) -> str:
    console = Console(width=width, color_system=None, markup=False, highlight=False, file=io.StringIO(), record=True)
    console.print(draw(picture(match, seat), Styles.of_match(match), console))
    for line in narrate(match.events_for(seat), Styles.of_match(match), on_screen(match.game)):
        console.print(line)
    return "".join(f"{line.rstrip()}\n" for line in console.export_text().splitlines())


def play(match: BareMatch) -> BareMatch:
    for begun in ("give({Card(sun, 1), Card(sun, 3)})", "wear(", "pass", "walk(b1)"):
        match.push(next(option for option in match.options if option.text.startswith(begun)))
    return match


@pytest.mark.parametrize("seat", [0, 1, None], ids=["ann", "red", "spectator"])
def test_a_game_is_drawn_from_its_declarations(match: BareMatch, seat: int | None, snapshot: SnapshotAssertion) -> None:
    assert printed(play(match), seat) == snapshot(extension_class=TextFile)


@pytest.mark.parametrize("width", [100, 24])
def test_a_screen_block_arranges_it(arranged: BareMatch, width: int, snapshot: SnapshotAssertion) -> None:
    assert printed(arranged, 0, width) == snapshot(extension_class=TextFile)


def test_each_line_of_the_block_is_one_part(arranged: BareMatch) -> None:
    words, map_, track, each, hand, deck, table = picture(arranged, 0)
    assert words == Words("0 passes, 0 cards in the deck, ann looks")
    assert isinstance(map_, Map)
    assert [cell.text if cell else None for cell in map_.rows[0]] == ["grass", "grass", "water"]
    assert isinstance(track, Track)
    assert [cell.lines for cell in track.cells] == [("1",), ("1",), ("1",)]
    assert isinstance(each, List)
    assert len(each.lines) == 3
    assert isinstance(hand, Cards)
    assert None not in hand.cards
    assert isinstance(deck, Cards)
    assert deck.cards == ()
    assert isinstance(table, Grid)
    assert table.columns == ("rank", "points", "luck")
    assert table.rows == (("1", "1", ""), ("2", "5", "d6 die"))


def test_of_several_texts_those_whose_sets_are_empty_are_left_out(tmp_path: Path) -> None:
    texts = 'screen:\n  each Player: "{p}", "rich: {rich(p)}", "{rich(p)} is rich", "{p.gold} gold"\n'
    value = "value rich(p) -> set of Player = {q in players if q == p and q.gold > 99}\n"
    red = start(GALLERY_TEXT + texts + value, tmp_path)
    (listed,) = picture(red, 0)
    assert isinstance(listed, List)
    assert [line.text.partition(" ")[2].split() for line in listed.lines] == [["3", "gold"]] * 3


def test_groups_in_braces_are_read_as_texts_of_their_own(tmp_path: Path) -> None:
    older = start(GALLERY_TEXT + 'screen:\n  track p in players: "{p}{{holds {p.hand}}}{{{p.gold} gold}}"\n', tmp_path)
    newer = start(GALLERY_TEXT + 'screen:\n  track p in players: "{p}", "holds {p.hand}", "{p.gold} gold"\n', tmp_path)
    assert picture(older, 0) == picture(newer, 0)


def test_what_a_seat_may_not_know_is_a_back_or_the_kind_of_value_it_is(arranged: BareMatch) -> None:
    def lines(seat: int | None) -> list[str]:
        each = picture(arranged, seat)[3]
        assert isinstance(each, List)
        return [line.text for line in each.lines]

    assert "3 gold and 5 in mind" in lines(0)[0]
    assert "3 gold and a number in mind" in lines(0)[1]
    assert "5 cards" in lines(0)[1]
    assert "Card" not in lines(None)[0]


def test_positions_that_a_seat_cannot_tell_apart_look_the_same(match: BareMatch) -> None:
    assert picture(redeal(match, Seat(0), RandomStream(1)), 0) == picture(match, 0)


def test_control_characters_never_reach_the_terminal() -> None:
    assert Styles(("red",))("\x1b[2Jred\x07\u202e").plain == "␛[2Jred␇\ufffd"
    assert Styles(("red",))("[bold]red[/]").plain == "[bold]red[/]"


def test_names_are_coloured_and_the_same_words_elsewhere_are_not() -> None:
    sentence = spliced((named("Red", "seat"), " is in the red"))
    assert [(str(span.style), span.start, span.end) for span in Styles(("Red",))(sentence).spans] == [("red", 0, 3)]
    assert Styles(("May",))("May be").spans == []


def test_a_seat_is_in_its_colour_wherever_it_is_told_of(match: BareMatch) -> None:
    styles = Styles.of_match(match)
    lines = list(narrate(play(match).events_for(0), styles))
    told = [line for line in lines if line.plain.lstrip().startswith(("ann:", "ann's", "ann "))]
    assert told
    for line in told:
        at = line.plain.index("ann")
        assert styles.styles["ann"] in [str(span.style) for span in line.spans if span.start == at]


def test_seats_have_colours_of_their_own() -> None:
    styles = Styles(("red", "ann", "ben")).styles
    assert styles["red"] == "red"
    assert len({styles[seat] for seat in ("red", "ann", "ben")}) == 3


# ------------------------------------------------------------------ questions


def asked(match: BareMatch, *answers: str) -> Question:
    choice = match.choice
    assert choice is not None
    options = tuple(match.options_of(0))
    for answer in answers:
        options = meant(question(match.game, choice, options), answer)
    return question(match.game, choice, options)


def test_many_options_are_asked_parameter_by_parameter(match: BareMatch) -> None:
    assert [line.label for line in asked(match).lines] == ["Give … away", "Walk to …", "Wear …", "pass"]
    assert [line.text for line in asked(match, "walk").lines] == ["walk(b1)", "walk(a2)"]


def test_a_large_set_is_put_together_from_its_members(match: BareMatch) -> None:
    give = asked(match, "1")
    assert give.about == "some"
    assert len(give.members) == 5
    chosen = meant(give, "3, 1")
    assert [option.text for option in chosen] == [f"give({{{give.members[0]}, {give.members[2]}}})"]
    assert meant(give, f"{give.members[2]} {give.members[0]}") == chosen
    assert meant(give, "none")[0].text == "give({})"
    for wrong in ("1", "1 1", "6", "nothing such", "1 2 3 4"):
        with pytest.raises(UnknownOption):
            meant(give, wrong)


def test_what_a_rule_forbids_is_listed_with_the_reason(match: BareMatch) -> None:
    found = {option.text: reason.message for option, reason in refused(match, Seat(0))}
    assert found["walk(c1)"] == "c1 is under water"
    assert found["walk(c3)"] == "c3 is too far from a1"
    assert "walk(b1)" not in found
    assert list(refused(match, Seat(1))) == []


# ------------------------------------------------------------------ Empty Space


@cache
def beyond_a_peek(seed: int) -> BareMatch:
    """Plays Empty Space at random until somebody has looked at a card, kept it secret, and moves no more."""
    match = rulelang.load("empty_space").start(3, seed=seed)
    rng = RandomStream(seed)
    while match.to_move:
        options = list(match.options)
        wanted = [o for o in options if o.text.startswith(("peek", "keep", "buy", "explore", "fly"))] or options
        match.push(wanted[rng.randrange(len(wanted))])
        looked = [v for v in match.view(None).variables if v.name.endswith("peeked") and v.text != "{}"]
        flown = any(x.name.endswith("craft") and x.count for x in match.view(None).zones)
        if looked and flown and match.inputs > 60:
            break
    return match


@pytest.mark.parametrize("seat", [0, 1, None], ids=["yuri", "sally", "spectator"])
def test_a_universe_with_what_is_known_to_one_alone(seat: int | None, snapshot: SnapshotAssertion) -> None:
    assert printed(beyond_a_peek(5), seat) == snapshot(extension_class=TextFile)


def test_a_solo_screen_counts_the_points_so_far(snapshot: SnapshotAssertion) -> None:
    match = rulelang.load("empty_space+solo").start(1, seed=5)
    rng = RandomStream(5)
    while match.to_move and match.inputs < 60:
        options = list(match.options)
        match.push(options[rng.randrange(len(options))])
    assert printed(match, 0) == snapshot(extension_class=TextFile)


def test_what_the_screen_does_not_speak_of_is_not_told() -> None:
    match = beyond_a_peek(5)
    lines = [line.plain for line in narrate(match.events_for(None), Styles.of_match(match), on_screen(match.game))]
    assert not any("busy" in line or "picked" in line for line in lines)
    assert any("is the first player" in line for line in lines)


# ------------------------------------------------------------------ Exit Velocity


def amid_a_turn() -> BareMatch:
    """Plays Exit Velocity until its first contestant has announced a plan and begun with it."""
    match = rulelang.load("exit_velocity").start(4, seed=2, options={"races": "dealt", "voice": 1})
    while not any(option.text == "plan_move(2)" for option in match.options):
        match.play(match.options[0])
    for option in ("plan_move(2)", "plan_gather(green)", "plan_research(9)", "start"):
        match.play(option)
    match.play(next(option for option in match.options if option.text.startswith("tap")), elapsed=4200)
    return match


@pytest.mark.parametrize("seat", [1, None], ids=["bo", "spectator"])
def test_a_hex_board_and_a_plan_that_is_ticked_off(seat: int | None, snapshot: SnapshotAssertion) -> None:
    assert printed(amid_a_turn(), seat) == snapshot(extension_class=TextFile)


def test_rows_of_a_dense_track_share_an_edge() -> None:
    cells = tuple(ScreenCell(str(n), "", ("a",)) for n in range(1, 6))
    console = Console(width=20, color_system=None, file=io.StringIO())
    console.print(draw((Track(cells), Words("below")), Styles(()), console, 6))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().splitlines() == [
        "┌─ 1 ┬─ 2 ┬─ 3 ┐",
        "│ a  │ a  │ a  │",
        "├─ 4 ┼─ 5 ┼────┘",
        "│ a  │ a  │",
        "└────┴────┘",
        "below",
    ]


def test_what_lies_in_a_zone_with_keys_stands_behind_its_key(tmp_path: Path) -> None:
    match = start(
        'game slots "Slots":\n  players 2..3\n  seats red, blue, green\nnames p: Player; i: 1..3\n'
        'kind Card "card":\n  n: 1..9\n  | n    |\n  | 1..9 |\n'
        "each Player has:\n  hand(i): slot for Card\n"
        "setup:\n  move Card(7) to red.hand(1)\n  move Card(8) to red.hand(3)\n  move Card(2) to blue.hand(2)\n"
        "play:\n  turns p from red: p chooses i in 1..3\n",
        tmp_path,
    )
    assert "1: card 7, 3: card 8" in printed(match, None)
    assert "2: card 2" in printed(match, None)


PRICES = """\
game market "Market":
  players 2
  seats red, blue
names p, q: Player; k: Ware
enum Ware: salt, wool
die d6: 1..6
the game has:
  demand(k): 0..9 = 2
each Player has:
  gold: 0..9 = 3
value demanded(k) -> 0..9 = demand(k) + 1
data price(k, p):
  pays: 0..99 = 0
  fee: 0..99 = 0
  rich: 0..9 = 0
  luck: 0..99 = 0
  | k    | pays          | fee         | rich                              | luck                              |
  | salt | demand(k) * 2 | demanded(k) | count(q in players if q.gold > 2) | roll(d6) + count(q in players)    |
  | wool | 4             | 1           | sum(q.gold for q in players)      | 2                                 |
screen:
  table price(k, viewer) by k
play:
  turns p from red: p chooses k in Ware, or stop
  finish with winner {}
"""


def test_a_cell_whose_formula_has_no_words_shows_what_it_is_now() -> None:
    checked = api.check_text(PRICES)
    assert checked.game is not None, checked.diagnostics
    (grid,) = (part for part in picture(checked.game.start(2, seed=1), 0) if isinstance(part, Grid))
    assert [row[1:] for row in grid.rows] == [("demand (salt) × 2", "3", "2", "d6 die + …"), ("4", "1", "6", "2")]


@pytest.mark.parametrize(("viewer", "whose"), [(0, "red's gold + 1"), (None, "the player's gold + 1")])
def test_a_formula_says_whose_number_it_reads_to_a_spectator_too(viewer: int | None, whose: str) -> None:
    """It read "none's gold + 1"."""
    checked = api.check_text(PRICES.replace("| demand(k) * 2 |", "| p.gold + 1 |"))
    assert checked.game is not None, checked.diagnostics
    (grid,) = (part for part in picture(checked.game.start(2, seed=1), viewer) if isinstance(part, Grid))
    assert grid.rows[0][1] == whose


def test_who_stands_on_the_rear_board_of_outspeed_is_warned_before_it_goes() -> None:
    match = rulelang.load("outspeed").start(4, 48)
    for green, others in (("left", "right"), ("right", "left"), ("left", "middle"), ("right", "middle")):
        for seat, lane in zip(("green", "red", "blue", "purple"), (green, others, others, others), strict=True):
            match.play(f"{seat}: program({lane})")
    seen = ["\n".join(line for part in picture(match, Seat(seat)) for line in said(part)) for seat in range(4)]
    assert ["go once a ship passes zone 14" in screen for screen in seen] == [False, True, True, True]
