"""Card games look like cards on a table: signs for names that they say, colours, pictures, and clicks on the cards in a text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.pages.table import SeatPage
from rulelang.session.dialogue import Dialogue
from tests.files import ROOT, TESTS

CHIP = re.compile(r'<b class="thing chip[^>]*>.*?</b>')
GAME = """\
game sorts "Sorts":
  players 2
  seats ann "Ann" as "♔", bob "Bob" in crimson
names p: Player; c: Card
enum Sort "sort": sun in amber as "☀", moon "the moon" as "☾", star
kind Card "card":
  shape: "card"
  sign: "{sort}{n}"
  sort: Sort
  n: 1..2
  | sort | n    |
  | Sort | 1..2 |
the game has:
  row: group of Card, face up
setup: move Card to row
action take(p, c in row) "Take {c}": move c to box
play:
  turns p from first_player: p chooses one of take
screen:
  line "Row: {row}"
the game has:
  box: face up
"""


def _page(game: api.Game) -> str:
    match = game.start(seed=1)
    seat = match.to_move[0]
    question = Dialogue.of(match, seat).question
    return SeatPage(match, "", seat, ("",) * match.players, 0, (), question=question).markup


def _game(folder: Path, text: str) -> api.Game:
    (folder / "sorts.rules").write_text(text)
    return api.load(str(folder / "sorts.rules"))


def test_the_cards_of_the_library_have_the_signs_and_colours_of_their_suits() -> None:
    kind = api.load(str(TESTS / "library/whist.rules")).start(seed=1).game.kind_called["Card"]
    looks = dict(zip(kind.called, kind.looks, strict=True))
    assert (looks["the ten of hearts"].sign, looks["the ten of hearts"].colour) == ("10♥", "red")
    assert (looks["the ace of clubs"].sign, looks["the ace of clubs"].colour) == ("A♣", "black")
    assert len({look.sign for look in kind.looks}) == 52


def test_a_card_in_a_table_is_a_face_that_is_clicked() -> None:
    page = _page(api.load(str(TESTS / "library/whist.rules")))
    chips = [chip for chip in CHIP.findall(page) if "data-choose" in chip]
    assert len(chips) == 13
    for chip in chips:
        assert re.search(r'class="sign" aria-hidden="true">(10|[2-9JQKA])[♣♦♥♠]</span>', chip)
        assert 'class="called">the ' in chip
        assert 'role="button" tabindex="0"' in chip
    assert "</b>, <b" not in page
    answers = page.partition('id="answers"')[2].partition("</ul>")[0]
    assert answers.count('<span class="sign"') == 13


def test_signs_of_members_are_put_together_and_names_stand_where_there_is_none(tmp_path: Path) -> None:
    game = _game(tmp_path, GAME)
    kind = game.start(seed=1).game.kind_called["Card"]
    assert [look.sign for look in kind.looks] == ["☀1", "☀2", "☾1", "☾2", "1", "2"]
    assert kind.looks[0].colour == ""


def test_a_sign_that_two_names_share_does_not_stand_for_either(tmp_path: Path) -> None:
    shared = _game(tmp_path, GAME.replace('"{sort}{n}"', '"{sort}"').replace(", star", ', star as "★"'))
    page = _page(shared)
    assert len(CHIP.findall(page)) == 6
    assert " told" not in page


def test_what_a_line_names_is_clicked_there_and_once_in_an_entry(tmp_path: Path) -> None:
    told = GAME.replace(", star", ', star as "★"')
    assert len([chip for chip in CHIP.findall(_page(_game(tmp_path, told))) if "data-choose" in chip]) == 6
    entries = told.replace('  line "Row: {row}"\n', '  each {c in row}: "{c}"\n')
    page = _page(_game(tmp_path, entries))
    assert not [chip for chip in CHIP.findall(page) if "data-choose" in chip], (
        "an entry that is clicked holds no button"
    )
    assert page.count('class="entry can"') == 6


def test_pictures_for_cards_change_no_play(tmp_path: Path) -> None:
    plain = (
        GAME.replace(' as "☀"', "").replace(' as "☾"', "").replace(' as "♔"', "").replace('  sign: "{sort}{n}"\n', "")
    )
    assert _game(tmp_path, GAME).rules_hash == _game(tmp_path, plain).rules_hash


@pytest.mark.parametrize("name", ["clearing", "glasshouse"])
def test_every_card_of_an_example_with_images_has_its_file(name: str) -> None:
    game = api.load(str(ROOT / "examples" / name))
    paths = {look.image for look in game.start(seed=1).game.kind_called["Card"].looks}
    assert paths
    for path in paths:
        data = game.internals.image(path)
        assert data is not None, path
        assert data.startswith(b"<svg")


def test_a_spectator_gets_no_button(tmp_path: Path) -> None:
    match = _game(tmp_path, GAME.replace(", star", ', star as "★"')).start(seed=1)
    page = SeatPage(match, "", None, ("", ""), 0, ()).markup
    assert len(CHIP.findall(page)) == 6
    assert "data-choose" not in page
    assert Seat(0) in match.to_move or Seat(1) in match.to_move


HIDDEN = """\
game cave "Cave":
  players 2
names p: Player; s: Room
board Room: square
  map \"\"\"
    a b
  \"\"\"
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
each Room has:
  under: group of Card, face down
the game has:
  deck: pile of Card, face down
setup:
  move Card to deck
  shuffle(deck)
  move 3 of deck to Room.a1.under
  move 1 of deck to Room.b1.under
play:
  turns p from first_player:
    p chooses s in Room
    if s == Room.a1: finish with winner p
"""


def test_what_lies_face_down_on_a_board_is_a_back_with_its_number(tmp_path: Path) -> None:
    page = _page(_game(tmp_path, HIDDEN))
    board = page.partition("<svg")[2].partition("</svg>")[0]
    assert board.count('class="face-down"') == 2
    assert board.count('class="counted"') == 1
    assert ">3</text>" in board
    assert ">a card</text>" not in board


def test_a_cell_of_a_table_says_its_column_where_the_page_is_narrow() -> None:
    page = _page(api.load(str(TESTS / "library/whist.rules")))
    assert 'data-column="hand"' in page
    assert 'data-column="tricks"' in page


def test_a_seat_that_an_answer_names_is_clicked_where_the_seats_are_listed() -> None:
    match = api.load(str(ROOT / "examples/under_the_ice")).start(seed=1)
    seat = match.to_move[0]
    dialogue = Dialogue.of(match, seat)
    if not dialogue.question.members:
        dialogue.answer("1")
    page = SeatPage(match, "", seat, ("",) * match.players, 0, (), question=dialogue.question).markup
    head = page.partition("</header>")[0]
    for name in match.seats:
        assert f'data-choose="{name}" data-member="yes" aria-pressed="false"' in head
    page = SeatPage(
        match, "", seat, ("",) * match.players, 0, (), question=dialogue.question, picked=(match.seats[1],)
    ).markup
    assert page.partition("</header>")[0].count('aria-pressed="true"') == 1
