"""Words for pictures: pieces have the shapes, signs, colours and images that the rules say, hands fan, graphs lie as drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.screen.board import legend_of
from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.knowledge.phrase import named
from rulelang.pages.drawings.board import board
from rulelang.pages.drawings.borders import border, reach
from rulelang.pages.ink import Ink
from rulelang.pages.sheets import sheets
from rulelang.pages.table import SeatPage
from rulelang.pages.targets import Targets
from rulelang.screens.model import Map, ScreenCell
from rulelang.screens.picture import picture
from tests.web.site import HOST, client_of, hall_in

PLAIN = """\
game town "Town":
  players 2
  seats ann{star}, bob{square}
names p: Player; c: City
enum Side: dark{black}, light{ivory}
kind Man "man":
{man}
  side: Side
  rank: 1..2
  | side | rank |
  | Side | 1    |
  | Side | 2    |
kind Coin "coin":
  called: "coin"
{coin}
  | copies |
  | 9      |
board City: graph
  map \"\"\"
    porto: market gate
    market: castle
    castle: gate
    gate
  \"\"\"
{drawn}
each City has:
  men: group of Man
  coins: group of Coin
each Player has:
  hand: group of Man, seen by owner
  at: City = porto
setup:
  move {{m in Man if m.rank == 2}} to first_player.hand
  move {{m in Man if m.rank == 1}} to market.men
  move 5 of Coin to gate.coins
play:
  turns p from first_player:
    p chooses c in City, never empty
    p.at = c
    if c == castle: finish with winner p
screen:
  map City: "{{c.men}} {{c.coins}}"
  cards p.hand of viewer "Your hand"{fanned}
"""
WORDS = {
    "star": " in amber as star",
    "square": " as square",
    "black": " in black",
    "ivory": " in ivory",
    "man": '  colour: "{side}"\n  shape: "disc"\n  sign: "{rank}"\n  text: "Of rank {rank}"',
    "coin": '  colour: "yellow"\n  shape: "hexagon"\n  image: "art/coin.svg"',
    "drawn": '  drawn """\n    porto          gate\n          market\n    castle\n  """',
    "fanned": " fanned down",
}
COIN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'


def _town(folder: Path, **words: str) -> api.Game:
    (folder / "art").mkdir(exist_ok=True)
    (folder / "art/coin.svg").write_text(COIN)
    rules = folder / "town.rules"
    rules.write_text(PLAIN.format(**(dict.fromkeys(WORDS, "") | words)))
    return api.load(str(rules))


def _page(game: api.Game, seat: int) -> str:
    match = game.start(2, seed=1)
    return SeatPage(match, "Town", match.to_move[0] if seat == match.to_move[0] else None, ("", ""), 0, ()).markup


def test_words_for_pictures_change_nothing_about_play(tmp_path: Path) -> None:
    told, plain = _town(tmp_path, **WORDS), _town(tmp_path)
    assert told.diagnostics == plain.diagnostics == ()
    assert told.rules_hash == plain.rules_hash
    assert told.text_hash != plain.text_hash


def test_pieces_are_drawn_as_the_rules_say(tmp_path: Path) -> None:
    page = _page(_town(tmp_path, **WORDS), 0)
    coins = re.search(r'<g data-piece="piece coins?">.*?</g></g>', page)
    assert coins is not None
    assert "<polygon" in coins[0]
    assert "ink-yellow" in coins[0]
    assert 'href="art/art/coin.svg"' in coins[0]
    assert ">5</text>" in coins[0]
    assert page.count('class="piece ink-black"') == page.count('class="piece ink-ivory"') == 1
    assert 'class="hand fanned-down"' in page
    assert '<span class="sign" aria-hidden="true">2</span>' in page
    assert "<small>Of rank 2</small>" in page
    assert len(re.findall('class="card[ "]', page)) == 2


def test_without_such_words_names_are_shown(tmp_path: Path) -> None:
    page = _page(_town(tmp_path), 0)
    assert "<image" not in page
    assert "fanned" not in page
    assert "Of rank" not in page
    assert len(re.findall('class="card[ "]', page)) == 2


def test_another_seat_sees_backs_alone(tmp_path: Path) -> None:
    game = _town(tmp_path, **WORDS)
    match = game.start(2, seed=1)
    other = next(seat for seat in map(Seat, range(2)) if seat not in match.to_move)
    page = SeatPage(match, "Town", other, ("", ""), 0, ()).markup
    assert "Of rank 2" not in page
    assert 'class="sign"' not in page


def test_a_graph_lies_as_it_is_drawn(tmp_path: Path) -> None:
    match = _town(tmp_path, **WORDS).start(2, seed=1)
    drawn = picture(match, None)[0]
    assert isinstance(drawn, Map)
    page = board(drawn, "map", Ink.of_match(match), Targets())
    spots = {
        name: (float(x), float(y))
        for name, x, y in re.findall(r'id="map-(\w+)".*?<rect class="ground[^"]*" x="([\d.]+)" y="([\d.]+)"', page)
    }
    assert spots["porto"][0] < spots["market"][0] < spots["gate"][0]
    assert spots["porto"][1] == spots["gate"][1] < spots["market"][1] < spots["castle"][1]


@pytest.mark.parametrize("path", ["art/coin.svg", "town.rules", "%2e%2e/town.rules", "art/other.svg"])
def test_images_that_the_rules_name_are_sent_and_no_other_file(tmp_path: Path, path: str) -> None:
    _town(tmp_path, **WORDS)
    hall = hall_in(tmp_path / "tables")
    live = hall.open(str(tmp_path / "town.rules"))
    with client_of(hall) as client:
        found = client.get(f"http://{HOST}/t/{live.id}/art/{path}")
        assert client.get(f"http://{HOST}/t/nobody/art/{path}").status_code == 404
    assert (found.status_code, found.text if found.status_code == 200 else "") == (
        (200, COIN) if path == "art/coin.svg" else (404, "")
    )
    assert "script-src 'self'" in found.headers["content-security-policy"]


def test_an_image_that_leads_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    game = _town(inside, **WORDS)
    (tmp_path / "secret.svg").write_text("secret")
    (inside / "art/coin.svg").unlink()
    (inside / "art/coin.svg").symlink_to(tmp_path / "secret.svg")
    assert game.internals.image("art/coin.svg") is None
    assert [d.code for d in api.check(inside / "town.rules").diagnostics] == ["W0529"]


def test_signs_stand_on_the_board_of_a_terminal_where_each_has_its_own(tmp_path: Path) -> None:
    rules = tmp_path / "men.rules"
    rules.write_text("""\
game men "Men":
  players 2
names p: Player; s: Square
kind Man "man":
  | name   | sign |
  | knight | "♞"  |
  | pawn   | "♟"  |
board Square: square
  map \"\"\"
    . .
  \"\"\"
each Square has:
  man: slot for Man
setup:
  move knight to a1.man
  move pawn to b1.man
play: finish with winner first_player
""")
    drawn = picture(api.load(str(rules)).start(2), None)[0]
    assert isinstance(drawn, Map)
    assert legend_of(drawn, 80) == {"knight": "♞", "pawn": "♟"}


def test_components_on_paper_have_their_looks(tmp_path: Path) -> None:
    page = sheets(_town(tmp_path, **WORDS))
    assert "ink-black" in page
    assert page.count("data:image/svg+xml;base64,") == 9


def test_what_the_rules_say_of_an_edge_looks_like_no_road() -> None:
    red, points = Ink(("red", "blue")), ((0.0, 0.0), (30.0, 0.0))
    road = border(ScreenCell("north", named("blue", "seat")), points, red)
    harbour = border(ScreenCell("north", named("blue", "member")), points, red)
    assert 'class="border ink-blue"' in road
    assert ">blue<" not in road
    assert 'class="border ink-blue said"' in harbour
    assert ">blue<" in harbour


def test_a_finger_finds_an_edge_by_a_wider_line_that_is_not_seen() -> None:
    edge = reach(((0.0, 0.0), (50.0, 0.0)))
    assert edge is not None
    assert 'class="reach"' in edge
    assert 'x1="9"' in edge
    assert reach(((0.0, 0.0),)) is None
