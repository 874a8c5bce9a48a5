"""Seats that rules name, what the name means where nobody sits, and `Type.member`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.written import assert_holds, faults, game

DUEL = """\
game duel "Duel":
  players 2
  seats white, black

names p, q: Player
board Space: square
  home: Player?
  map \"\"\"
    b .
    . w
  \"\"\"
  | mark | home  |
  | "."  |       |
  | "w"  | white |
  | "b"  | black |
names s: Space
each Player has:
  row: 0..9 = 5
"""
TABLE = """\
game table "Table":
  players 2..4
  seats red, green, blue, yellow

names p, q: Player
kind Coin "coin":
  | copies |
  | 5      |
the game has:
  dealer: Player? = blue
each Player has:
  gold: 0..9 = 3
  purse: group of Coin
"""
COLOURS = """\
game colours "Colours":
  players 2
  seats red, blue

names p: Player
enum Colour: red, blue, green
each Player has:
  colour: Colour = green
  rival: Player? = none
"""


def test_a_seat_is_a_player_wherever_a_player_is_wanted(tmp_path: Path) -> None:
    assert_holds(
        DUEL
        + """
value ahead(p) -> Direction = north if p == white else south
value colour_of(p) -> 1..2 =
  1 if white == p
  2 otherwise
value start(white) = 1
value start(black) = 8
data worth(p):
  gold: 0..9 = 0
  ally: Player? = none
  | p     | gold | ally  |
  | white | 3    | black |
  | black | 4    | white |
to gain(p): p.row += 1
to gain_more(white): white.row += 2
to gain_more(black): black.row += 3
play:
  gain(white)
  turns p from black:
    white chooses one of:
      go "Go": gain_more(p)
      rest "Rest": settle
    if p == white: finish with winner white

scenario "they are told apart":
  expect ahead(white) == north and ahead(black) == south
  expect colour_of(white) == 1 and colour_of(black) == 2 and start(black) == 8
  expect a1.home == black and b2.home == white and b1.home == none
  expect worth(black).gold == 4 and worth(white).ally == black
  expect next(white) == black and count({white, black}) == 2 and white in players
  expect mover == black and white.row == 6
  white: go
  expect black.row == 8
  white: go
  expect winner white
  expect white.row == 8
""",
        tmp_path,
    )


@pytest.mark.parametrize("how", ["red", "Player.red"])
def test_locals_parameters_and_declared_names_win_over_seats(how: str, tmp_path: Path) -> None:
    text = f"""\
game shadow "Shadow":
  players 2
  seats red, blue

names p: Player
the game has:
  blue: 0..9 = 4
  kept: 0..9 = 0
  who: Player? = none
value twice(red: 0..4) = 2 * red
setup:
  let red = blue + 1
  kept = red + twice(2) - blue, at least 0, at most 9
  who = Player.red
play:
  Player.blue chooses one of:
    go "Go": settle

scenario "what is declared counts":
  expect kept == 5 and who == {how} and who == Player.red
  Player.blue: go
"""
    assert_holds(text.replace("  Player.blue: go\n", ""), tmp_path)


@pytest.mark.parametrize(
    "line",
    ["let c = red", "for c in {red, blue}: settle", "if count({red}) == 1: settle", "let c = red if 1 == 1 else blue"],
)
def test_a_name_that_a_seat_and_an_enum_share_must_be_told_apart(line: str, tmp_path: Path) -> None:
    (first, *_) = faults(f"{COLOURS}setup:\n  {line}\n", tmp_path)
    assert first[0] == "E0209"
    assert "`red` is a seat and a member of `Colour`" in first[1]


def test_the_message_asks_for_either_form(tmp_path: Path) -> None:
    from rulelang import api
    from rulelang.diagnostics.render import render_all

    entry = tmp_path / "colours.rules"
    entry.write_text(f"{COLOURS}setup:\n  let c = red\nplay:\n  settle\n")
    shown = render_all(api.check(entry).diagnostics)
    assert "`Player.red` or `Colour.red`" in shown


def test_the_wanted_type_tells_a_seat_from_an_enums_member(tmp_path: Path) -> None:
    assert_holds(
        COLOURS
        + """
value fits(p, c: Colour) -> flag = p.colour == c
value both = {red, blue} == players
value is_in(p) -> flag = p in {red, blue}
value painted(p) -> flag = p.colour in {red, blue}
value rest(p) -> set of Player = {red, blue} - {p}
value others(p) -> flag = players == {red, blue} - {} and {red} + {blue} == players
setup:
  red.colour = blue
  red.rival = blue
  Player.blue.rival = Player.red
  let c = Colour.red
  blue.colour = c
play:
  red chooses one of:
    paint(c: Colour) "Paint {c}": red.colour = c
    face(q: Player) "Face {q}": red.rival = q

scenario "each is what is wanted":
  given blue.rival = blue, blue.colour = blue
  expect red.colour == blue and red.rival == blue and blue.colour == Colour.blue and blue.rival == Player.blue
  expect fits(red, blue) and both and is_in(blue) and painted(red) and rest(red) == {blue}
  expect red can paint(red)
  expect red can face(red)
  red: paint(Colour.red)
  expect red.colour == red and Player.red.colour == Colour.red
""",
        tmp_path,
    )


def test_a_name_in_a_type_that_does_not_have_it_is_reported(tmp_path: Path) -> None:
    assert ("E0205", "Colour has no `rde`") in faults(f"{COLOURS}setup:\n  red.colour = Colour.rde\n", tmp_path)
    assert ("E0205", "Player has no `pink`") in faults(f"{COLOURS}setup:\n  red.rival = Player.pink\n", tmp_path)


# ------------------------------------------------------------------ seats where nobody sits


def test_a_seat_where_nobody_sits_is_none(tmp_path: Path) -> None:
    assert_holds(
        TABLE
        + """
value taken -> set of Player = {red, blue, yellow}
data bonus(p):
  gold: 0..9 = 0
  | p              | gold |
  | {blue, yellow} | 2    |
  | {red, green}   | 1    |
setup:
  move Coin to red.purse
  if blue in players: move 2 of red.purse to blue.purse
  if blue != none and blue.gold > 2: blue.gold += 1
play:
  turns p from dealer if dealer != none else red:
    p chooses one of:
      go "Go": settle
      rest "Rest": settle
    if p == yellow: finish with winner yellow

scenario "with two, blue is none":
  expect dealer == none and blue == none and blue.gold == none and blue.purse == {}
  expect taken == {red} and blue not in players and not blue.gold > 1
  expect mover == red and bonus(red).gold == 1

scenario "with four, blue deals":
  players red, green, blue, yellow
  expect dealer == blue and taken == {red, blue, yellow} and mover == blue and blue.gold == 4
  expect count(blue.purse) == 2 and bonus(blue).gold == 2
  blue: go
  yellow: go
  expect winner yellow
""",
        tmp_path,
    )


def test_what_is_printed_names_a_seat_for_which_there_is_no_player(tmp_path: Path) -> None:
    text = """\
names p: Player
kind Tent "tent":
  owner: Player
  guests: set of Player
  | owner | guests        |
  | red   | {red, blue}   |
  | blue  | {green, blue} |
play:
  first_player chooses one of:
    go "Go": settle
"""
    played = game(f'game camps "Camps":\n  players 2\n  seats red, green, blue\n{text}', tmp_path)
    assert "tent (owner blue, guests green, blue)" in played.ir.kinds[1].called


def test_what_is_printed_names_a_seat_whoever_sits_there(tmp_path: Path) -> None:
    assert_holds(
        """\
game camps "Camps":
  players 2..3
  seats red, green, blue

names p: Player
kind Tent "tent":
  owner: Player
  guests: set of Player
  | name  | owner | guests        |
  | one   | red   | {red, blue}   |
  | two   | blue  | {green, blue} |
option opener: Player? = blue
play:
  first_player chooses one of:
    go "Go": settle

scenario "with two":
  expect one.owner == red and two.owner == none and one.guests == {red} and two.guests == {green}
  expect opener not in players
scenario "with three" with opener = green:
  players red, green, blue
  expect two.owner == blue and one.guests == {red, blue} and opener == green
""",
        tmp_path,
    )


@pytest.mark.parametrize(
    "line",
    [
        "blue.gold = 3",
        "move Coin to blue.purse",
        "blue chooses one of go",
        "turns p from blue: stop",
        "pay(blue)",
        "finish with winner blue",
        "turns p from red: extra_turn(blue)",
        "let x = 3\n  captain = blue",
    ],
)
def test_where_an_empty_seat_matters_there_is_a_warning(line: str, tmp_path: Path) -> None:
    rest = 'to pay(p): p.gold += 1\naction go(p) "Go": settle\nthe game has:\n  captain: Player = red\n'
    codes = faults(f"{TABLE}{rest}setup:\n  {line}\n", tmp_path)
    assert [code for code, _ in codes] == ["W0507"]
    assert "`blue`" in codes[0][1]
    last = line.splitlines()[-1].strip()
    asked = line.replace(last, f"if blue in players:\n    {last}")
    assert faults(f"{TABLE}{rest}setup:\n  {asked}\n", tmp_path) == []


def test_a_variable_that_begins_with_an_empty_seat_is_warned_of(tmp_path: Path) -> None:
    assert [c for c, _ in faults(f"{TABLE}the game has:\n  captain: Player = yellow\n", tmp_path)] == ["W0507"]
    assert faults(f"{TABLE}the game has:\n  captain: Player = green\n", tmp_path) == []


@pytest.mark.parametrize("executor", ["reference", "generated"])
@pytest.mark.parametrize(
    "line", ["blue.gold = 3", "move Coin to blue.purse", "blue chooses one of go", "turns p from blue: stop"]
)
def test_what_needs_a_player_stops_at_an_empty_seat(line: str, executor: str, tmp_path: Path) -> None:
    from rulelang.errors import RuntimeRules

    played = game(f'{TABLE}action go(p) "Go": settle\nplay:\n  {line}\n', tmp_path)
    with pytest.raises(RuntimeRules) as stopped:
        played.start(2, seed=1, executor=executor)
    assert stopped.value.site
    played.start(3, seed=1, executor=executor)


def test_a_scenario_gives_nothing_to_an_empty_seat(tmp_path: Path) -> None:
    text = f'{TABLE}scenario "nobody":\n  given blue.gold = 3\n  expect red.gold == 3\n'
    assert faults(text, tmp_path) == [("E0703", "`blue.gold` cannot be given: nobody sits there")]


def test_seats_that_the_rules_name_keep_their_places_in_scenarios(tmp_path: Path) -> None:
    scenario = 'scenario "the other way round":\n  players {}\n  expect {} == {}\n'
    swapped = f"{DUEL}value best_one = white\n" + scenario.format("black, white", "black", "white")
    assert [code for code, _ in faults(swapped, tmp_path)] == ["E0702"]
    renamed = f"{DUEL}value best_one = white\n" + scenario.format("ann, ben", "ann", "best_one")
    assert_holds(renamed, tmp_path)
    unnamed = DUEL.replace("white |", "      |").replace("black |", "      |")
    assert_holds(unnamed + scenario.format("black, white", "next(black)", "white"), tmp_path)


def test_seats_without_names_of_their_own_are_named_by_number(tmp_path: Path) -> None:
    assert_holds(
        'names p: Player\nvalue last = player2\nscenario "the second":\n  expect last == player2 and next(player1) == last\n',
        tmp_path,
    )


def test_the_name_of_a_seat_in_a_hook_is_a_parameter_and_warned_of(tmp_path: Path) -> None:
    text = f"{TABLE}to pay(p): p.gold += 1\nbefore pay(red): settle\n"
    assert [code for code, _ in faults(text, tmp_path)] == ["W0508"]


def test_a_seat_has_a_number(tmp_path: Path) -> None:
    text = """
names p: Player
each Player has:
  n: 0..9 = 0
  likes: Player? = none
value of_liked(p) -> 1..2? = number(p.likes)
play:
  for p in players: p.n = number(p)
  first_player chooses one of:
    go "Go": first_player.likes = next(first_player)
    stay "Stay": settle
  finish with winner {p in players if number(p) == 2}
scenario "numbers":
  expect player1.n == 1 and player2.n == 2 and of_liked(player1) == none
  player1: go
  expect of_liked(player1) == 2
  expect winner player2
"""
    assert_holds(text, tmp_path)
    assert faults("names p: Player\nvalue v = number(3)\n", tmp_path) == [("E0301", "expected Player?, found 3..3")]


def test_a_game_may_call_a_value_of_its_own_number(tmp_path: Path) -> None:
    play = (
        'play:\n  first_player chooses one of:\n    go "Go": settle\n    stay "Stay": settle\n  finish with winner {}\n'
    )
    text = f'names p: Player\nvalue number(p) = 7\n{play}scenario "its own":\n  expect number(player1) == 7\n'
    assert_holds(text, tmp_path)
